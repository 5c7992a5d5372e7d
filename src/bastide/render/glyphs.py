"""Small drawings that many tiles share: houses, trees, buildings, signs, figures, digits.

They are kept in data/map/glyphs.svg, each around the point where it stands, under the id "bs-" and its name.
"""

import re
from importlib.resources import files

from bastide.render.palette import INK, PLAYERS, on_colour

__all__ = ["GLYPHS", "digits", "glyph"]

FIGURE_SIZE = 1.4


def _read() -> dict[str, str]:
    """Return the glyphs of the file by their names, without its line breaks."""
    text = (files("bastide") / "data" / "map" / "glyphs.svg").read_text(encoding="utf-8")
    found = re.findall(r'^<g id="bs-([^"]+)">\n(.*?)^</g>$', text, re.DOTALL | re.MULTILINE)
    return {name: re.sub(r"\n *", "", inside).strip() for name, inside in found}


def glyph(name: str, at: complex, scale: float = 1, extra: str = "") -> str:
    """Return a use of a glyph."""
    x, y = f"{round(at.real, 1):g}", f"{round(at.imag, 1):g}"
    if scale == 1:
        return f'<use href="#bs-{name}" x="{x}" y="{y}"{extra}/>'
    return f'<use href="#bs-{name}" transform="translate({x} {y})scale({scale:g})"{extra}/>'


def digits(number: int | str, at: complex, scale: float = 1, colour: str = INK) -> str:
    """Return a number, its middle at a point; at scale 1 it is 7 high."""
    text = str(number)
    uses = "".join(f'<use href="#bs-n{c}" x="{5 * i - 2.5 * (len(text) - 1):g}"/>' for i, c in enumerate(text))
    x, y = f"{round(at.real, 1):g}", f"{round(at.imag, 1):g}"
    return f'<g class="bs-n" style="stroke:{colour}" transform="translate({x} {y})scale({scale:g})">{uses}</g>'


def _figures() -> dict[str, str]:
    """Return each kind of figure in the colour and with the number of each player, e.g. "meeple0"."""
    found = {}
    for owner, colour in enumerate(PLAYERS):
        for name in ("meeple", "abbot", "maiden", "farmer"):
            number = digits(owner, 3.2 + 0.2j if name == "farmer" else 2j, 0.85, on_colour(owner))
            figure = f'<use href="#bs-p-{name}"/>{number}'
            found[f"{name}{owner}"] = f'<g fill="{colour}" transform="scale({FIGURE_SIZE})">{figure}</g>'
    return found


GLYPHS = {**_read(), **_figures()}
