"""Write pictures and pages. Nothing here imports the core."""

import os
import sys
from collections.abc import Sequence

import click

from bastide.cli.app import RunError
from bastide.errors import reason
from bastide.wholefile import whole_file

__all__ = ["picture_form", "write_output"]


def picture_form(form: str | None, out: str | None, forms: Sequence[str]) -> str:
    """Return the form of a picture: as asked for, else by the ending of its file, else the first.

    Errors: click.UsageError for an unknown ending, or for a PNG that would go to a terminal.
    """
    if form is None:
        ending = "" if out is None else os.path.splitext(out)[1].lower().removeprefix(".")
        form = {"txt": "text", "": forms[0]}.get(ending, ending)
        if form not in forms:
            raise click.UsageError(f"{out}: unknown ending '.{ending}' (expected one of {', '.join(forms)})")
    if form == "png" and out is None and sys.stdout.isatty():
        raise click.UsageError("a PNG picture goes to a file (--out board.png) or a pipe, not to a terminal")
    return form


def write_output(path: str | None, content: str | bytes) -> None:
    """Write a picture to a file, all of it or nothing; without a path to stdout. Errors: RunError."""
    data = content.encode() if isinstance(content, str) else content
    if path is None:
        if isinstance(content, str):
            click.echo(content, nl=False, color=True)
        else:
            click.echo(data, nl=False)
        return
    try:
        with whole_file(path) as stream:
            stream.write(data)
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: cannot be written: {reason(error)}") from error
