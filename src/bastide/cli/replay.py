"""`bastide replay`: a whole game as one HTML page."""

import click

from bastide.cli.common import GameOptions, check_can_write, game_options
from bastide.cli.output import write_output

EXAMPLES = """\b
Examples:
  bastide replay game.json --html game.html            # of bastide play --save game.json
  bastide replay game.json --html - > game.html
"""


@click.command("replay", epilog=EXAMPLES)
@click.argument("file")
@click.option("--html", "out", required=True, metavar="FILE", help="Write the page; - for stdout.")
@game_options
def command(file: str, out: str, game_options: GameOptions) -> None:
    """Make one HTML page of a game record: the board step by step, moves, points, supplies, tiles left.

    The page holds all it needs and asks nothing of any server. game.html#40 opens it after 40 moves.
    """
    path = None if out == "-" else out
    check_can_write(path)
    from bastide.cli.files import read_record
    from bastide.render.page import replay_page

    record, game = read_record(game_options, file)
    write_output(path, replay_page(record, game))
