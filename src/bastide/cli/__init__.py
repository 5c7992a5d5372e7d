"""The command `bastide`. Each command is a module of its own that is imported when it is run.

`bastide --help` is answered from the table here, without click, so that it costs no more than Python's start.
The group behind the table is in `app`, what the commands share in `common`.
"""

import os
import sys
from collections.abc import Sequence

from bastide import __version__

__all__ = ["COMMANDS", "drop_output", "help_text", "main"]

COMMANDS = {  # name, which is also its module's -> what it does
    "play": "play one game between agents; print moves, board and scores",
    "simulate": "play many games; print statistics",
    "tournament": "let agents play against each other; rate them",
    "check-agent": "check that an agent of your own keeps the protocol",
    "merge": "add up parts of a run of `simulate`",
    "bench": "measure the speed on this machine, with checksums",
    "doctor": "tell how the package was built, and check that it plays right",
    "perft": "count sequences of decisions of a depth, to check the rules",
    "rules": "list boxes, options and presets",
    "tiles": "show tiles as pictures and data",
    "render": "draw a game record or a position as text, SVG or PNG",
    "replay": "make one HTML page of a game record",
    "convert": "convert records to and from JCloisterZone saves",
    "plot": "draw charts of results",
}


def help_text() -> str:
    """Return what `bastide --help` prints."""
    width = max(map(len, COMMANDS)) + 2
    return "\n".join(
        [
            "Usage: bastide COMMAND [OPTIONS]",
            "",
            "Carcassonne, simulated by a compiled core.",
            "",
            "Commands:",
            *(f"  {name:{width}}{text}" for name, text in COMMANDS.items()),
            "",
            "Options:",
            "  --version  print the version",
            "  --help     print this; `bastide COMMAND --help` tells more and shows examples",
            "",
            "Example: bastide simulate --preset base --players 2 -n 10000 --seed 7",
        ]
    )


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0, 1 for a failed run, 2 for bad usage or input, 130 after Ctrl-C."""
    args = list(sys.argv[1:] if args is None else args)
    try:
        if args in ([], ["--help"], ["-h"], ["--version"]) and "_BASTIDE_COMPLETE" not in os.environ:
            print(f"bastide {__version__}" if args == ["--version"] else help_text(), flush=True)
            sys.exit(0)
        from bastide.cli.app import run

        sys.exit(run(args))
    except KeyboardInterrupt:  # while a module was being imported
        sys.exit(130)
    except BrokenPipeError:
        drop_output()
        sys.exit(0)


def drop_output() -> None:
    """Send what is still to be written to stdout nowhere: its reader has gone (`bastide tiles | head`)."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
