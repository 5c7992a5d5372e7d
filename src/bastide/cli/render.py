"""`bastide render`: a record or a position as a picture."""

import click

from bastide.cli.common import GameOptions, colour_option, game_options, is_coloured

EXAMPLES = """\b
Examples:
  bastide render game.json
  bastide render game.json --ply 40 --colour always | less -R
  bastide render position.bin --preset base --players 3   # bytes of State.to_bytes
"""


@click.command("render", epilog=EXAMPLES)
@click.argument("file")
@click.option("--ply", type=click.IntRange(0), metavar="N", help="After N moves of a record; else after the last.")
@click.option("--format", "form", type=click.Choice(["text"]), default="text", show_default=True)
@game_options
@colour_option
def command(file: str, ply: int | None, form: str, game_options: GameOptions, colour: str) -> None:
    """Draw the board of a game record, or of a position saved as bytes."""
    from bastide.cli.files import read_position
    from bastide.render.text import board_text

    state = read_position(game_options, file, ply)
    click.echo(board_text(state, colour=is_coloured(colour)), color=True)
    scores = ", ".join(f"player {seat}: {score}" for seat, score in enumerate(state.scores))
    what = "the end" if state.is_terminal else f"phase {state.phase} of player {state.current_player}"
    drawn = "" if state.drawn_tile is None else f", {state.game.tiles[state.drawn_tile].id} in hand"
    click.echo(f"turn {state.turn}, {what}{drawn}, {state.tiles_left} tiles left; {scores}")
