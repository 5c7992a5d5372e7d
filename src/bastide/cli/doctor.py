"""`bastide doctor`: how the package was built, and whether it plays right."""

import click

from bastide.cli.app import RunError
from bastide.cli.common import dumps

EXAMPLES = """\b
Examples:
  bastide doctor
  bastide doctor --json
"""
GAMES = 500
# Checksums of the first 500 games of each preset with seed 7 and two players; they change only with RULES_VERSION, the
# random-stream version or the tiles.
CHECKSUMS = {"base": 11115229112436073673, "everything-c1": 13025617611114385078, "everything-c3": 6979767253070917451}


@click.command("doctor", epilog=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(as_json: bool) -> None:
    """Tell versions, compiler, processor and flags, and play some games whose results are known."""
    import platform

    import numpy

    import bastide
    from bastide._core import api, bench
    from bastide.actions import ACTION_VERSION
    from bastide.checksum import checksum
    from bastide.game import Game
    from bastide.measure import machine_facts
    from bastide.rules import RULES_VERSION, Rules

    facts = {
        "bastide": bastide.__version__,
        "rules version": RULES_VERSION,
        "random-stream version": api.RANDOM_VERSION_,
        "action version": ACTION_VERSION,
        **machine_facts(),
        "implementation": platform.python_implementation(),
        "numpy": numpy.__version__,
        "core": api.__file__,
        **bench.build(),
    }
    checks = {
        name: checksum(Game(Rules.preset(name)).playouts(GAMES, seed=7, threads=1)) == expected
        for name, expected in CHECKSUMS.items()
    }
    if as_json:
        click.echo(dumps({**facts, "checks": checks}))
    else:
        for name, value in facts.items():
            click.echo(f"{name}: {value}")
        for name, is_right in checks.items():
            click.echo(f"{GAMES} games of {name}: {'as they should be' if is_right else 'WRONG'}")
    wrong = [name for name, is_right in checks.items() if not is_right]
    if wrong:
        raise RunError(f"games of {', '.join(wrong)} do not give the results that they should")
