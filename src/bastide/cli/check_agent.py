"""`bastide check-agent`: prove that an agent of one's own keeps the protocol."""

import click

from bastide.cli.app import RunError
from bastide.cli.common import GameOptions, chosen_seed, dumps, game_options, identity, print_seed, seed_option

EXAMPLES = """\b
Examples:
  bastide check-agent 'cmd:./mybot --fast'
  bastide check-agent path/to/file.py:Class --preset everything-c3 --players 4
"""


@click.command("check-agent", epilog=EXAMPLES)
@click.argument("code")
@click.option("-n", "--games", type=click.IntRange(1, 10_000), default=2, show_default=True, help="Games a seat.")
@click.option(
    "--move-seconds",
    type=click.FloatRange(0.001, 1e6),
    default=60.0,
    show_default=True,
    help="Time limit for an answer.",
)
@game_options
@seed_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    code: str, games: int, move_seconds: float, game_options: GameOptions, seed: int | None, as_json: bool
) -> None:
    """Run an agent as a program, and check all that the protocol asks of it.

    CODE is as in tournaments: 'cmd:program args', a class in a Python file, or any other agent. Exit code 1 if
    something is wrong.
    """
    from bastide.agents.check import check_agent, check_can_run

    check_can_run(code)
    game = game_options.game()
    seed = chosen_seed(seed)
    print_seed(seed)
    checks = []
    for check in check_agent(code, game, games, seed, move_seconds):
        checks.append(check)
        if not as_json:
            verdict = "ok" if check.passed else "FAILED" if check.is_required else "note"
            click.echo(f"{verdict:8}{check.name}{': ' if check.detail else ''}{check.detail}")
    failed = [check.name for check in checks if check.is_required and not check.passed]
    if as_json:
        rows = [
            {"name": check.name, "passed": check.passed, "required": check.is_required, "detail": check.detail}
            for check in checks
        ]
        facts = {"format": "bastide-check-agent", "version": 1, **identity(game), "agent": code, "seed": seed}
        click.echo(dumps({**facts, "checks": rows, "passed": not failed}))
    if failed:
        raise RunError(f"agent {code!r} does not keep the protocol: {len(failed)} of {len(checks)} checks failed")
