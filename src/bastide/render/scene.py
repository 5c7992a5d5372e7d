"""Tell what a position shows: tiles, pieces on them, and who owns which feature. Drawn are they in `svg` and `page`."""

from collections import Counter

from bastide.actions import COLOURS, FIGURES
from bastide.game import BARN, CASTLE, KINDS, TOWER, State
from bastide.render.atlas import Sheet, atlas
from bastide.render.figures import bridge, figure, tower, tower_top
from bastide.render.glyphs import glyph

__all__ = ["Piece", "figure_name", "owners", "pieces", "sheets", "spot_of"]

Piece = tuple[float, str]  # how far south it stands, and its drawing
RawFigure = tuple[int, int, int, int, int]  # owner, kind, tile, segment, place


def sheets(state: State) -> list[tuple[Sheet, int, int]]:
    """Return the tiles in the order of placing, with their cells."""
    drawn = atlas(state.game)
    return [(drawn.sheet(tile, q), x, y) for tile, q, x, y in state._tiles()]


def pieces(state: State, tiles: list[tuple[Sheet, int, int]] | None = None) -> dict[str, Piece]:
    """Return what lies on the tiles, by names that stay the same as long as the thing is there."""
    tiles = sheets(state) if tiles is None else tiles
    game, found = state.game, dict[str, Piece]()
    if "bridges-castles" in game.rules.boxes:
        for core_type, q, x, y in state._tiles():
            axis = state._bridge(core_type, q)
            if axis is not None:
                found[f"bridge {x},{y}"] = (100 * y - 1e6, bridge(100 * x, 100 * y, axis))  # below all others
        for i, segment in state._castles():
            _, x, y = tiles[i]
            at = _castle_at(state, i, segment)
            found[f"castle {x},{y} {segment}"] = (at.imag, glyph("castle", at, 0.95))
    heights = {}
    for i, colours, _ in state._towers():
        sheet, x, y = tiles[i]
        heights[i] = len(colours)
        if colours:
            at = sheet.tower + 100 * complex(x, y)
            floors = tuple(COLOURS[colour] for colour in colours)
            found[f"tower {x},{y} {''.join(map(str, colours))}"] = (at.imag, tower(at, floors))
    seen: Counter[complex] = Counter()
    for raw in state._figures():
        owner, kind, i, segment, place = raw
        at, depth = _stands(state, tiles, raw, heights)
        at += 5 * seen[at]
        seen[at] += 1
        if place == BARN:
            found[f"barn {tiles[i][1]},{tiles[i][2]}"] = (depth - 1, glyph("barn", at - 3j))
            at += 2 + 9j
        lies = place == BARN or (place == 0 and tiles[i][0].areas[segment].kind == "field")
        found[figure_name(raw)] = (depth, figure("maiden" if place == CASTLE else FIGURES[kind], owner, at, lies))
    return found


def figure_name(raw: RawFigure) -> str:
    """Return the name of a figure among the pieces."""
    return "figure " + " ".join(map(str, raw))


def _stands(
    state: State, tiles: list[tuple[Sheet, int, int]], raw: RawFigure, heights: dict[int, int]
) -> tuple[complex, float]:
    """Return where a figure is drawn, and how far south its foot is."""
    _, _, i, segment, place = raw
    sheet, x, y = tiles[i]
    corner = 100 * complex(x, y)
    if place == TOWER:
        foot = corner + sheet.tower
        return tower_top(foot, heights.get(i, 0)) - 6j, foot.imag + 0.5
    if place == CASTLE:
        at = _castle_at(state, i, segment)
        return at - 20j, at.imag + 0.5
    if place == BARN:  # of four cells, the first is named
        return corner + 100 + 100j, corner.imag + 100.5
    at = corner + spot_of(sheet, segment)
    return at, at.imag + 4


def spot_of(sheet: Sheet, segment: int) -> complex:
    """Return where on its tile the figure of a segment is drawn."""
    area = sheet.areas[segment]
    return area.spot + (10 + 7j if area.kind == "monastery" else 0)


def _castle_at(state: State, i: int, segment: int) -> complex:
    """Return the middle of the border between the two tiles of a castle, the first of which is known."""
    core_type, q, x, y = state._tiles()[i]
    edge = state.game._spots[core_type][q][segment].removeprefix("city ")
    return 100 * complex(x, y) + {"N": 50, "E": 100 + 50j, "S": 50 + 100j, "W": 50j}.get(edge, 50 + 50j)


def owners(state: State) -> list[tuple[str, tuple[int, ...], list[tuple[int, int]]]]:
    """Return the features with figures: kind, players with the majority, and the segments (tile, segment)."""
    rows = state._features()
    label_of = {member: label for label, members, *_ in rows for member in members}
    counts: dict[int, Counter[int]] = {}
    for owner, _, i, segment, place in state._figures():
        if place in (0, BARN):
            counts.setdefault(label_of[i, segment], Counter())[owner] += 1
    found = []
    for label, members, kind, *_ in rows:
        if label in counts:
            most = max(counts[label].values())
            best = tuple(sorted(owner for owner, n in counts[label].items() if n == most))
            found.append((KINDS[kind], best, members))
    return found
