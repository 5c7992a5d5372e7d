"""`bastide bench`: how fast this machine plays, with checksums."""

from typing import Any

import click

from bastide.cli.app import INTERRUPTED
from bastide.cli.common import MAX_SEED, GameOptions, Interrupt, Progress, dumps, print_seed, versions
from bastide.errors import RulesError

EXAMPLES = """\b
Examples:
  bastide bench
  bastide bench --preset base --option edition=c1
  bastide bench --preset base --preset everything-c1 --threads 2 --json
  bastide bench --preset base --instructions   # also counts instructions, needs valgrind
"""
COLUMNS = (  # heading, key, format
    ("games/s", "games_per_second", ",.0f"),
    ("turns/s", "turns_per_second", ",.0f"),
    ("decisions/s", "decisions_per_second", ",.0f"),
    ("instr./game", "instructions_per_game", ",.0f"),
    ("bytes", "state_bytes", ",d"),
    ("copy ns", "copy_ns", ",.0f"),
    ("list ns", "legal_ns", ",.0f"),
    ("apply+undo ns", "apply_undo_ns", ",.0f"),
    ("checksum", "checksum", "d"),
)


@click.command("bench", epilog=EXAMPLES)
@click.option("--preset", "presets", multiple=True, metavar="NAME", help="A preset; repeatable. If not given all.")
@click.option("--players", metavar="N", help="Number of players, 2 if not given.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules.")
@click.option("-n", "games", type=click.IntRange(1, 10_000_000), default=20_000, show_default=True, help="Games.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=3, show_default=True, help="The median counts.")
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True, help="How many threads.")
@click.option("--instructions", is_flag=True, help="Count the instructions of a game too, with valgrind: slow.")
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=1,
    show_default=True,
    help="Where the random numbers start.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    presets: tuple[str, ...],
    players: str | None,
    options: tuple[str, ...],
    games: int,
    rounds: int,
    threads: int,
    instructions: bool,
    seed: int,
    as_json: bool,
) -> int:
    """Play uniform games of presets, and time copies, lists of actions, applying and undoing in the middle of a game.

    The checksum is that of the games' scores: the same for the same seed, number of games and rules, whatever the
    machine and --threads. Without --seed the seed is 1, so that runs can be compared.
    """
    games_of = _games(presets, players, options)
    print_seed(seed)
    from bastide.measure import count_instructions, machine, measure

    done: dict[str, dict[str, Any]] = {}
    with Interrupt() as interrupt, Progress(len(games_of), "presets") as progress:
        for name, game in games_of.items():
            if interrupt.is_asked:
                break
            done[name] = measure(game, games, seed, threads, rounds)
            if instructions and (counts := count_instructions([game.rules], min(games, 300), seed=seed)):
                done[name]["instructions_per_game"] = counts[0]
            progress.add(1)
    if as_json:
        click.echo(
            dumps({"format": "bastide-bench", "version": 1, **versions(), "machine": machine(), "presets": done})
        )
    else:
        click.echo(_table(done, machine()))
    return INTERRUPTED if len(done) < len(games_of) else 0


def _games(presets: tuple[str, ...], players: str | None, options: tuple[str, ...]) -> dict[str, Any]:
    """Return the game of each preset; of all that the options allow, where none is named."""
    from bastide.rules import PRESETS

    games = {}
    for name in presets or PRESETS:
        try:
            games[name] = GameOptions(None, name, players, options, None).game()
        except RulesError as error:
            if presets:
                raise
            click.echo(f"{name} is left out: {error}", err=True)
    if not games:
        raise click.UsageError("the options suit no preset")
    return games


def _table(done: dict[str, dict[str, Any]], facts: dict[str, Any]) -> str:
    rows = [["preset", *(heading for heading, _, _ in COLUMNS)]]
    for name, figures in done.items():
        cells = [figures[key] for _, key, _ in COLUMNS]
        rows.append(
            [name, *("-" if v is None else format(v, form) for v, (_, _, form) in zip(cells, COLUMNS, strict=True))]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    build = facts["build"]
    lines += ["", f"{facts['cpu']}, {facts['processors']} processors; {build['compiler']} {build['flags']}"]
    return "\n".join(lines)
