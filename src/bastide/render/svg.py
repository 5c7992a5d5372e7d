"""Draw a position as an SVG document: the board as a map.

Each tile's drawing stands once in the document and is used wherever the tile lies. Nothing outside the document is
needed, no font either.
"""

import html
import re
from collections.abc import Iterable, Mapping

from bastide.actions import DEPLOY, FIGURES, OFFSET, PLACE, TOWER_FOLLOWER, WATCHMAN
from bastide.errors import BastideError, show
from bastide.game import State
from bastide.render.atlas import Sheet, atlas
from bastide.render.figures import figure, tower_top
from bastide.render.glyphs import GLYPHS, digits
from bastide.render.palette import PLAYERS, STYLE
from bastide.render.scene import owners, pieces, sheets, spot_of
from bastide.render.terrain import drawing
from bastide.tile import Tile

__all__ = ["board_svg", "definitions", "tile_svg"]

MARGIN = 26  # around the board, for coordinates
_PAPER = "#f1e7d0"
_INK = "#7a6a54"


def board_svg(
    state: State,
    *,
    coordinates: bool = True,
    last: bool = True,
    legal: bool = True,
    owned: bool = True,
    width: int | None = None,
) -> str:
    """Return the board as an SVG document; a tile is 100 units wide.

    `coordinates`: x above, y at the left. `last`: the tile placed last has a frame. `legal`: the drawn tile and where
    it, or a figure, may be put now. `owned`: features in the colours of who has the majority, tied players in turns.
    `width`: of the picture in pixels; without it the picture fills the place it is given.

    Errors: BastideError for a width that is no whole number of 1 or more.
    """
    if width is not None and (type(width) is not int or width < 1):
        raise BastideError(f"a picture cannot be {show(width)} pixels wide (expected a whole number of 1 or more)")
    tiles = sheets(state)
    cells = _legal_cells(state) if legal else {}
    xs = [x for _, x, _ in tiles] + [x for x, _ in cells]
    ys = [y for _, _, y in tiles] + [y for _, y in cells]
    left, top, right, bottom = min(xs), min(ys), max(xs) + 1, max(ys) + 1
    border = "".join(f"M{100 * x} {100 * y}h100v100h-100z" for _, x, y in tiles)
    used = dict.fromkeys(sheet for sheet, _, _ in tiles)
    drawn = state.drawn_tile if cells else None
    tint = _tint(state, tiles) if owned else ([], [])
    parts = [
        f'<path d="{border}" fill="none" stroke="#8b7454" stroke-width="9" stroke-linejoin="round"/>',
        *(f'<use href="#{sheet.id}g" x="{100 * x}" y="{100 * y}"/>' for sheet, x, y in tiles),
        *tint[0],
        *(f'<use href="#{sheet.id}a" x="{100 * x}" y="{100 * y}"/>' for sheet, x, y in tiles),
        *tint[1],
        f'<path d="{border}" fill="none" stroke="#3b2f26" stroke-width=".8" opacity=".22"/>',
    ]
    if last and len(tiles) > 1:
        _, x, y = tiles[-1]
        frame = f'<rect x="{100 * x + 1.5:g}" y="{100 * y + 1.5:g}" width="97" height="97" rx="4" fill="none" stroke='
        parts += [frame + '"#3b2f26" stroke-width="5.5"/>', frame + '"#ffd84d" stroke-width="3"/>']
    parts += [_legal_cell(x, y, edges) for (x, y), edges in cells.items()]
    if legal:
        parts += _legal_figures(state, tiles)
    parts += [text for _, text in sorted(pieces(state, tiles).values())]
    margin = MARGIN if coordinates else 8
    if coordinates:
        parts += [digits(x, complex(100 * x + 50, 100 * top - 14), 1.6, _INK) for x in range(left, right)]
        parts += [digits(y, complex(100 * left - 14, 100 * y + 50), 1.6, _INK) for y in range(top, bottom)]
    box = 100 * left - margin, 100 * top - margin, 100 * (right - left) + 2 * margin, 100 * (bottom - top) + 2 * margin
    if drawn is not None:  # beside the board
        sheet = atlas(state.game).sheet(drawn, 0)
        used[sheet] = None
        parts.append(_in_hand(sheet, 100 * right + margin, 100 * top))
        box = (*box[:2], box[2] + 120, box[3])
    size = "" if width is None else f' width="{width}" height="{round(width * box[3] / box[2])}"'
    paper = f'<rect x="{box[0]}" y="{box[1]}" width="{box[2]}" height="{box[3]}" fill="{_PAPER}"/>'
    return _document(box, size, _alt(state), definitions(used), [paper, *parts])


def tile_svg(tile: Tile, rotation: int = 0) -> str:
    """Return one tile as an SVG document; `rotation` in degrees clockwise."""
    parts = drawing(tile, rotation // 90 % 4)
    used: dict[str, str] = {}
    texts = list(parts)
    for text in texts:
        for name in re.findall(r'href="#bs-([^"]*)"', text):
            if name not in used:
                used[name] = GLYPHS[name]
                texts.append(GLYPHS[name])
    alt = f"tile {html.escape(tile.id)}, source {tile.source}"
    return _document((0, 0, 100, 100), "", alt, _glyphs(used), list(parts))


def definitions(used: Iterable[Sheet]) -> str:
    """Return styles, glyphs and the drawings of tiles, for the head of a document."""
    sheets = {sheet.id: sheet for sheet in used}  # with and without a bridge a tile has one drawing
    drawn = "".join(f'<g id="{id}g">{sheet.ground}</g><g id="{id}a">{sheet.above}</g>' for id, sheet in sheets.items())
    return f"{_ALL_GLYPHS}{drawn}"


def _glyphs(glyphs: Mapping[str, str]) -> str:
    return f"<style>{STYLE}</style>" + "".join(f'<g id="bs-{name}">{text}</g>' for name, text in glyphs.items())


_ALL_GLYPHS = _glyphs(GLYPHS)


def _document(box: tuple[float, float, float, float], size: str, alt: str, defs: str, parts: list[str]) -> str:
    view = " ".join(f"{number:g}" for number in box)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}"{size} role="img" aria-label="{alt}">'
        f"<defs>{defs}</defs>{''.join(parts)}</svg>"
    )


def _alt(state: State) -> str:
    scores = ", ".join(f"player {seat} has {score}" for seat, score in enumerate(state.scores))
    return f"Board of {len(state._tiles())} tiles in turn {state.turn}: {scores}"


def _tint(state: State, tiles: list[tuple[Sheet, int, int]]) -> tuple[list[str], list[str]]:
    """Return what colours owned fields, below the rest of the tiles, and what colours the other features, above it."""
    below: dict[int, list[str]] = {}
    lines: dict[int, list[str]] = {}
    areas: dict[int, list[str]] = {}
    for kind, best, members in owners(state):
        for n, (i, segment) in enumerate(members):
            sheet, x, y = tiles[i]
            area = sheet.areas[segment]
            layer = below if kind == "field" else lines if area.is_line else areas
            use = f'<path d="{area.path}" transform="translate({100 * x} {100 * y})"/>'
            layer.setdefault(best[n % len(best)], []).append(use)
    line = 'fill="none" stroke-width="4.6" stroke-opacity=".6"'
    return (
        [f'<g fill="{PLAYERS[p]}" fill-opacity=".25">{"".join(uses)}</g>' for p, uses in below.items()],
        [f'<g fill="{PLAYERS[p]}" fill-opacity=".3">{"".join(uses)}</g>' for p, uses in areas.items()]
        + [f'<g stroke="{PLAYERS[p]}" {line}>{"".join(uses)}</g>' for p, uses in lines.items()],
    )


def _legal_cells(state: State) -> dict[tuple[int, int], list[int]]:
    """Return the cells where the drawn tile may be placed, and its rotations there in quarter turns."""
    cells: dict[tuple[int, int], list[int]] = {}
    if state.phase == "place":
        for action in state.legal_actions():
            if action >> 59 == PLACE:
                cells.setdefault(_cell(action), []).append(action >> 6 & 3)
    return cells


def _cell(action: int) -> tuple[int, int]:
    return (action >> 12 & 2047) - OFFSET, (action >> 23 & 2047) - OFFSET


def _legal_cell(x: int, y: int, rotations: list[int]) -> str:
    """Return a legal cell: a dashed frame, and an arrow to where the tile's north may point."""
    arrows = "".join(
        f'<path d="M43 22L50 12L57 22" transform="rotate({90 * q} 50 50)"/>' for q in dict.fromkeys(rotations)
    )
    return (
        f'<g transform="translate({100 * x} {100 * y})" fill="none" stroke="#8b7454" stroke-width="3.4" '
        'stroke-linecap="round" stroke-linejoin="round"><rect x="6" y="6" width="88" height="88" rx="7" '
        f'fill="#fff" fill-opacity=".45" stroke-width="2" stroke-dasharray="6 5"/>{arrows}</g>'
    )


def _in_hand(sheet: Sheet, x: int, y: int) -> str:
    """Return the drawn tile, unturned, in a frame."""
    return (
        f'<g transform="translate({x} {y})"><use href="#{sheet.id}g"/><use href="#{sheet.id}a"/>'
        '<rect width="100" height="100" fill="none" stroke="#3b2f26" stroke-width="3" stroke-linejoin="round"/></g>'
    )


def _legal_figures(state: State, tiles: list[tuple[Sheet, int, int]]) -> list[str]:
    """Return the figures that the current player may put on tiles now, pale."""
    if state.is_terminal or state.is_chance or state.phase == "place":
        return []
    index = {(x, y): i for i, (_, x, y) in enumerate(tiles)}
    heights = {i: len(colours) for i, colours, _ in state._towers()}
    found = []
    for action in state.legal_actions():
        kind, spot = action >> 59, action >> 6 & 63
        if kind not in (DEPLOY, TOWER_FOLLOWER, WATCHMAN):
            continue
        x, y = _cell(action)
        i = index[x, y]
        sheet = tiles[i][0]
        core_type, q, *_ = state._tiles()[i]
        codes = state.game._codes[core_type][q]
        lies = False
        if kind != DEPLOY:
            at = tower_top(sheet.tower, heights.get(i, 0)) - 6j
        elif spot in codes:
            segment = codes.index(spot)
            lies = sheet.areas[segment].kind == "field"
            at = spot_of(sheet, segment)
        else:  # a castle's maiden
            at = 50 + 30j
        name = FIGURES[action >> 3 & 7] if kind == DEPLOY else "meeple"
        found.append(figure(name, state.current_player, at + 100 * complex(x, y), lies, ' opacity=".55"'))
    return found
