"""`bastide perft`: count the tree of decisions."""

import time

import click

from bastide.cli.common import (
    GameOptions,
    check_one_form,
    chosen_seed,
    dumps,
    game_options,
    identity,
    json_options,
    print_seed,
    seed_option,
)

EXAMPLES = """\b
Examples:
  bastide perft --depth 5 --seed 7
  bastide perft --preset tower --depth 4 --divide
"""


@click.command("perft", epilog=EXAMPLES)
@click.option("--depth", type=click.IntRange(0, 100), default=4, show_default=True, help="How many decisions.")
@click.option("--deck", "deck_file", metavar="FILE", help="The order of the tiles; else --seed shuffles one.")
@click.option("--divide", "is_divided", is_flag=True, help="Also count below each first action.")
@game_options
@seed_option
@json_options
def command(
    depth: int,
    deck_file: str | None,
    is_divided: bool,
    game_options: GameOptions,
    seed: int | None,
    as_json: bool,
    as_ndjson: bool,
) -> None:
    """Count the sequences of decisions of each depth up to --depth, from the start of a game.

    Tiles come from one deck, so the counts are a fingerprint of the rules: the same for the same seed.
    """
    check_one_form(as_json, as_ndjson)
    if is_divided and depth == 0:
        raise click.UsageError("--divide needs a depth of 1 or more")
    game = game_options.game()
    from bastide._core.api import Rng
    from bastide.cli.files import read_deck
    from bastide.deck import Deck, divide, perft

    state = game.new_state()
    if deck_file is None:
        seed = chosen_seed(seed)
        deck = Deck.shuffled(game, Rng(seed))
        print_seed(seed)
    else:
        deck = read_deck(game, deck_file)
        seed = None
    rows = []
    if not as_json and not as_ndjson:
        click.echo(f"{'depth':>5}  {'count':>16}  {'seconds':>8}  {'count/s':>12}")
    for level in range(depth + 1):
        began = time.perf_counter()
        count = perft(state, level, deck)
        seconds = time.perf_counter() - began
        rows.append({"depth": level, "count": count, "seconds": seconds})
        if as_ndjson:
            click.echo(dumps(rows[-1]))
        elif not as_json:
            click.echo(f"{level:>5}  {count:>16,}  {seconds:>8.3f}  {count / max(seconds, 1e-9):>12,.0f}")
    below = divide(state, depth, deck) if is_divided else None
    if as_json:
        facts = {"format": "bastide-perft", "version": 1, **identity(game), "seed": seed}
        click.echo(dumps({**facts, "depth": depth, "count": rows[-1]["count"], "counts": rows, "divide": below}))
    elif below is not None and not as_ndjson:
        for text, count in below.items():
            click.echo(f"{count:>23,}  {text}")
    elif below is not None:
        click.echo(dumps(below))
