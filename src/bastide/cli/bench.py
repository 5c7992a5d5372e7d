"""`bastide bench`: speed on this machine, with checksums."""

import click

from bastide.cli.common import GameOptions, dumps

EXAMPLES = """\b
Examples:
  bastide bench
  bastide bench --preset base --option edition=c1 --instructions
  bastide bench --preset base --preset tower --threads 2 --json
"""
COLUMNS = (
    ("games_per_second", "games/s", ",.0f"),
    ("turns_per_second", "turns/s", ",.0f"),
    ("decisions_per_second", "decisions/s", ",.0f"),
    ("instructions_per_game", "instructions", ",.0f"),
    ("state_bytes", "bytes", ",d"),
    ("copy_ns", "copy ns", ",.0f"),
    ("legal_ns", "legal ns", ",.0f"),
    ("apply_undo_ns", "apply+undo ns", ",.0f"),
    ("checksum", "checksum", "016x"),
)


@click.command("bench", epilog=EXAMPLES)
@click.option("--preset", "presets", metavar="NAME", multiple=True, help="What to measure; repeatable. Default: all.")
@click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="An option of the rules; repeatable.")
@click.option("--players", type=click.IntRange(1, 6), help="Number of players.")
@click.option("-n", "--games", type=click.IntRange(100, 10_000_000), default=5000, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True)
@click.option("--instructions", is_flag=True, help="Count the instructions of a game too (needs valgrind; slow).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    presets: tuple[str, ...],
    options: tuple[str, ...],
    players: int | None,
    games: int,
    seed: int,
    threads: int,
    instructions: bool,
    as_json: bool,
) -> None:
    """Measure uniform playouts and single operations in the middle of a game.

    Rates are medians of five runs. Compare them only within one run on one machine; instruction counts can be compared
    at any time. The checksum depends on preset, options, games and seed alone.
    """
    from bastide.game import Game
    from bastide.measure import count_instructions, machine_facts, measure
    from bastide.rules import PRESETS

    players_option = () if players is None else (f"players={players}",)
    texts = dict(text.partition("=")[::2] for text in (*players_option, *options))
    games_of = {
        name: Game(GameOptions(None, name, None if players is None else str(players), options, None).rules())
        for name in presets or tuple(PRESETS)
    }
    figures = {}
    for name, game in games_of.items():
        click.echo(f"{name} ...", err=True)
        figures[name] = measure(game, games, seed, threads)
        if instructions:
            figures[name]["instructions_per_game"] = count_instructions(name, texts)
    machine = machine_facts()
    if as_json:
        click.echo(dumps({"machine": machine, "presets": figures}))
        return
    click.echo(", ".join(f"{name}: {value}" for name, value in machine.items()))
    rows = [["preset", *(title for _, title, _ in COLUMNS)]]
    for name, found in figures.items():
        rows.append([name, *("-" if found[key] is None else format(found[key], form) for key, _, form in COLUMNS)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join([row[0].ljust(widths[0]), *cells[1:]]))
