"""The group of commands, and the one place where their errors become a line on stderr and an exit code."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from bastide.cli import COMMANDS, drop_output, help_text
from bastide.errors import BastideError

__all__ = ["RunError", "app", "run"]

INTERRUPTED = 130


class RunError(Exception):
    """Raised when a command with good input could not do its work: exit code 1."""


class _ClosedPipeError(Exception):
    """Raised for a BrokenPipeError, which click would handle by itself."""


class Commands(click.Group):
    """Import a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"bastide.cli.{name.replace('-', '_')}").command
        return command

    def get_help(self, ctx: click.Context) -> str:
        return help_text()

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run as click does, but end as `run` says."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        sys.exit(run(sys.argv[1:] if args is None else args))

    def invoke(self, ctx: click.Context) -> object:
        try:
            result: object = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise _ClosedPipeError from error
        return result


app = Commands("bastide")


def run(args: Sequence[str]) -> int:
    """Run a command and return the exit code; an error is printed as one line."""
    try:
        result = app.main(args, prog_name="bastide", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.Abort:
        return INTERRUPTED
    except _ClosedPipeError:
        drop_output()
        return 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "bastide"
        return _failed(f"{error.format_message()} (see {where} --help)", 2)
    except click.ClickException as error:
        return _failed(error.format_message(), 1)
    except BastideError as error:
        return _failed(str(error), 2)
    except (RunError, OSError, MemoryError) as error:
        return _failed(str(error) or type(error).__name__, 1)


def _failed(message: str, code: int) -> int:
    click.echo(f"error: {' '.join(message.split())}", err=True)
    return code
