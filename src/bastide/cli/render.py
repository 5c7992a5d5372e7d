"""`bastide render`: a record or a position as a picture."""

from typing import TYPE_CHECKING

import click

from bastide.cli.common import GameOptions, check_can_write, colour_option, game_options, is_coloured
from bastide.cli.output import picture_form, write_output

if TYPE_CHECKING:
    from bastide.game import State

EXAMPLES = """\b
Examples:
  bastide render game.json
  bastide render game.json --out board.svg
  bastide render game.json --ply 40 --out board.png --width 800
  bastide render game.json --ply 40 --colour always | less -R
  bastide render position.bin --preset base --players 3   # bytes of State.to_bytes
"""


@click.command("render", epilog=EXAMPLES)
@click.argument("file")
@click.option("--ply", type=click.IntRange(0), metavar="N", help="After N moves of a record; else after the last.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "svg", "png"]),
    help="Text, SVG or PNG; if not given, by the ending of --out.",
)
@click.option("--out", metavar="FILE", help="Write the picture to a file instead of stdout.")
@click.option("--width", type=click.IntRange(16, 10_000), metavar="PIXELS", help="Width of an SVG or PNG picture.")
@click.option("--plain", is_flag=True, help="The map alone: no coordinates, frames, owners or possible moves.")
@game_options
@colour_option
def command(
    file: str,
    ply: int | None,
    form: str | None,
    out: str | None,
    width: int | None,
    plain: bool,
    game_options: GameOptions,
    colour: str,
) -> None:
    """Draw the board of a game record, or of a position saved as bytes.

    A map shows in colours who owns what, frames the tile placed last, and shows where a drawn tile or a figure may go.
    """
    form = picture_form(form, out, ("text", "svg", "png"))
    if form == "text" and (width is not None or plain):
        raise click.UsageError("--width and --plain are for SVG and PNG (--format svg, or --out board.svg)")
    check_can_write(out)
    from bastide.cli.files import read_position

    state = read_position(game_options, file, ply)
    if form == "text":
        write_output(out, _text(state, is_coloured(colour) if out is None else colour == "always") + "\n")
        return
    shown = not plain
    svg = state.to_svg(coordinates=shown, last=shown, legal=shown, owned=shown, width=width)
    if form == "svg":
        write_output(out, svg + "\n")
    else:
        from bastide.render.png import png

        write_output(out, png(svg, width or 1200))


def _text(state: "State", colour: bool) -> str:
    from bastide.render.text import board_text

    scores = ", ".join(f"player {seat}: {score}" for seat, score in enumerate(state.scores))
    what = "the end" if state.is_terminal else f"phase {state.phase} of player {state.current_player}"
    drawn = "" if state.drawn_tile is None else f", {state.game.tiles[state.drawn_tile].id} in hand"
    facts = f"turn {state.turn}, {what}{drawn}, {state.tiles_left} tiles left; {scores}"
    return f"{board_text(state, colour=colour)}\n{facts}"
