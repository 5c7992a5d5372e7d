"""`bastide convert`: records to and from the saved games of JCloisterZone."""

from typing import TYPE_CHECKING, Any

import click

from bastide.cli.app import RunError
from bastide.cli.common import check_can_write, check_one_form, dumps, json_options, versions
from bastide.errors import RecordError

if TYPE_CHECKING:
    from bastide.jcz import Outcome

EXAMPLES = """\b
Examples:
  bastide convert save.jcz game.json
  bastide convert game.json save.jcz
  bastide convert save.jcz > game.json
  bastide convert --check tests/*.jcz
"""


@click.command("convert", epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", "is_check", is_flag=True, help="Replay .jcz files and check what they assert.")
@json_options
def command(files: tuple[str, ...], is_check: bool, as_json: bool, as_ndjson: bool) -> int:
    """Convert a game record to a saved game of JCloisterZone (.jcz), or one of those to a record.

    What the first file holds says which way; the result goes to the second, or to stdout. With --check any number
    of .jcz files is replayed and each assertion compared; a difference ends with exit code 1, a file that cannot be
    played with 2.
    """
    check_one_form(as_json, as_ndjson)
    if is_check:
        return _check(files, as_json, as_ndjson)
    if as_json or as_ndjson:
        raise click.UsageError("--json and --ndjson are for --check")
    if len(files) > 2:
        raise click.UsageError(f"{len(files)} files (expected one to read and at most one to write)")
    out = files[1] if len(files) == 2 else None
    check_can_write(out)
    text, is_jcz = _converted(files[0])
    if out is None:
        click.echo(text, nl=False)
    elif out.lower().endswith(".jcz") != is_jcz:
        form = "a saved game (expected a name in .jcz)" if is_jcz else "a game record (expected no name in .jcz)"
        raise click.UsageError(f"{out}: what would be written is {form}")
    else:
        _write(out, text)
    return 0


def _write(path: str, text: str) -> None:
    from bastide.record import write_whole

    try:
        write_whole(path, text.encode())
    except RecordError as error:
        raise RunError(str(error)) from error


def _converted(path: str) -> tuple[str, bool]:
    """Return the text of the other form of a file, and whether that is .jcz. Errors: RecordError."""
    from bastide import jcz, strictjson
    from bastide.cli.files import read_bytes
    from bastide.record import FORMAT, Record

    data = read_bytes(path)
    document = strictjson.parse(data, path)
    if isinstance(document, dict) and document.get("format") == FORMAT:
        record = Record.loads(data, source=path)
        text = jcz.write(record)
        for why in jcz.objections(record):
            click.echo(f"note: JCloisterZone will not replay it: {why}", err=True)
        return text, True
    return jcz.read(data, path).to_json(), False


def _check(files: tuple[str, ...], as_json: bool, as_ndjson: bool) -> int:
    """Check files, print the outcome, and return the exit code."""
    from bastide import jcz
    from bastide.cli.files import read_bytes

    outcomes: list[tuple[str, Outcome | str]] = []
    for path in files:
        try:
            outcomes.append((path, jcz.check(read_bytes(path), path)))
        except RecordError as error:
            outcomes.append((path, str(error).removeprefix(f"{path}: ")))
    rows = [_row(path, outcome) for path, outcome in outcomes]
    if as_ndjson:
        for row in rows:
            click.echo(dumps(row))
    elif as_json:
        click.echo(dumps({"format": "bastide-convert-check", "version": 1, **versions(), "files": rows}))
    else:
        _print_table(rows)
    if any(row["differ"] for row in rows):
        return 1
    return 2 if any(row["error"] is not None for row in rows) else 0


def _row(path: str, outcome: "Outcome | str") -> dict[str, Any]:
    """Return what became of a file as plain values."""
    if isinstance(outcome, str):
        return {"file": path, "error": outcome, "agree": 0, "differ": 0, "not_understood": 0, "assertions": []}
    return {
        "file": path,
        "error": None,
        "agree": outcome.count(True),
        "differ": outcome.count(False),
        "not_understood": outcome.count(None),
        "assertions": [{"text": claim.text, "holds": claim.holds, "found": claim.found} for claim in outcome.claims],
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    """Print a line a file, and below it each assertion that does not simply hold."""
    width = max(4, *(len(row["file"]) for row in rows))
    click.echo(f"{'file':{width}}  agree  differ  not understood")
    for row in rows:
        if row["error"] is not None:
            click.echo(f"{row['file']:{width}}  refused: {row['error']}")
            continue
        click.echo(f"{row['file']:{width}}  {row['agree']:5}  {row['differ']:6}  {row['not_understood']:14}")
        for claim in row["assertions"]:
            if claim["holds"] is False:
                click.echo(f"  differs: {claim['text']}: {claim['found']}")
            elif claim["holds"] is None:
                click.echo(f"  not understood: {claim['text']}")
