"""Draw tiles and boards with characters: each tile is a block of 7 x 3.

    .#####.     .    field      #  city, *  a pennant    0-5   a meeple of that player
    -------     -|+  road       ~  river                 a-f   an abbot of player 0-5
    ......0     M    monastery  G  garden                T2    a tower of height 2, T21 with a figure of 1

Bridges are = and H. A figure is drawn somewhere on its segment, one in a monastery to the right of it.
"""

from dataclasses import dataclass
from functools import lru_cache

from bastide.game import Figure, PlacedTile, State
from bastide.spots import spot_names
from bastide.tile import HALVES, Tile

__all__ = ["HEIGHT", "WIDTH", "board_text", "tile_rows"]

WIDTH, HEIGHT = 7, 3

Cell = tuple[int, int]  # row, column in a block

_CENTRE = (1, 3)
_WALLS: dict[str, list[Cell]] = {
    "N": [(0, c) for c in range(1, 6)],
    "E": [(1, 5), (1, 6)],
    "S": [(2, c) for c in range(1, 6)],
    "W": [(1, 0), (1, 1)],
}
_CORNERS: list[tuple[str, str, list[Cell]]] = [  # two edges, and what a city that joins both fills besides
    ("N", "E", [(0, 6), (1, 4)]),
    ("E", "S", [(2, 6), (1, 4)]),
    ("S", "W", [(2, 0), (1, 2)]),
    ("W", "N", [(0, 0), (1, 2)]),
]
_SIDE_CORNERS: dict[str, list[tuple[str, Cell]]] = {  # where its neighbour edge is no city, a side fills a corner
    "E": [("N", (0, 6)), ("S", (2, 6))],
    "W": [("N", (0, 0)), ("S", (2, 0))],
}
_WAYS: dict[str, list[Cell]] = {
    "N": [(0, 3)],
    "E": [(1, 4), (1, 5), (1, 6)],
    "S": [(2, 3)],
    "W": [(1, 0), (1, 1), (1, 2)],
}
_ON_EDGE: dict[str, Cell] = {"N": (0, 3), "E": (1, 5), "S": (2, 3), "W": (1, 1)}
_ON_HALF: dict[str, Cell] = dict(
    zip(HALVES, [(0, 1), (0, 5), (0, 6), (2, 6), (2, 5), (2, 1), (2, 0), (0, 0)], strict=True)
)
_INNER: list[Cell] = [_CENTRE, *((row, c) for row in (1, 2, 0) for c in (2, 4, 1, 5, 3, 0, 6))]
_BRIDGES = {"EW": ("=", [(1, c) for c in range(WIDTH)]), "NS": ("H", [(r, 3) for r in range(HEIGHT)])}
_TOWER: Cell = (1, 4)  # and the two cells to the right of it
_BARN: Cell = (2, 6)

_COLOURS = {"#": "33", "*": "1;33", ".": "32", "~": "34", "M": "1;35", "G": "1;35", "T": "1"}
_FIGURE_COLOURS = ("1;97;41", "1;97;44", "30;43", "30;42", "1;97;45", "30;46")  # by player


@dataclass(frozen=True, slots=True)
class _Picture:
    """A tile as it lies, without what is put on it."""

    rows: tuple[str, ...]
    spots: dict[str, Cell]  # name of a segment -> where a figure on it is drawn


class _Block:
    """The characters of one tile with what stands on it, and which of them are figures."""

    def __init__(self, picture: _Picture) -> None:
        self.rows = [list(row) for row in picture.rows]
        self.spots = picture.spots
        self.owners: dict[Cell, int] = {}

    def put(self, cell: Cell, text: str) -> None:
        row, column = cell
        for i, character in enumerate(text):
            self.rows[row][column + i] = character

    def put_figure(self, cell: Cell, figure: Figure) -> None:
        self.put(cell, "abcdef"[figure.owner] if figure.kind == "abbot" else str(figure.owner))
        self.owners[cell] = figure.owner

    def line(self, row: int, colour: bool) -> str:
        if not colour:
            return "".join(self.rows[row])
        line, before = "", ""
        for column, character in enumerate(self.rows[row]):
            owner = self.owners.get((row, column))
            code = _COLOURS.get(character, "0") if owner is None else _FIGURE_COLOURS[owner]
            line += character if code == before else f"\x1b[0;{code}m{character}"
            before = code
        return line + "\x1b[0m"


def tile_rows(tile: Tile, rotation: int = 0) -> tuple[str, ...]:
    """Return a tile as three lines; `rotation` in degrees clockwise.

    >>> tile_rows(Tile("v", "FFRR", roads=("SW",)), 90)
    ('...|...', '---+...', '.......')
    """
    return _picture(tile, rotation // 90 % 4).rows


def board_text(state: State, *, colour: bool = False) -> str:
    """Return the board as lines, x above and y at the left; with ANSI colours if asked.

    >>> from bastide.game import Game
    >>> print(board_text(Game().new_state()))
           0
        .#####.
     0  -------
        .......
    """
    blocks = {(placed.x, placed.y): _block(state, placed) for placed in state.board}
    for figure in state.figures:
        if figure.place != "tower":
            _add_figure(blocks[figure.x, figure.y], figure)
    xs = range(min(x for x, _ in blocks), max(x for x, _ in blocks) + 1)
    ys = range(min(y for _, y in blocks), max(y for _, y in blocks) + 1)
    margin = max(len(str(y)) for y in (ys[0], ys[-1])) + 1
    lines = [" " * (margin + 2) + "".join(f"{x:^{WIDTH}}" for x in xs)]
    for y in ys:
        for row in range(HEIGHT):
            label = str(y) if row == 1 else ""
            cells = [blocks[x, y].line(row, colour) if (x, y) in blocks else " " * WIDTH for x in xs]
            lines.append(f"{label:>{margin}}  {''.join(cells)}")
    return "\n".join(line.rstrip() for line in lines)


def _block(state: State, placed: PlacedTile) -> _Block:
    """Return a tile with its bridge and tower."""
    tile = state.game.tiles[placed.tile]
    block = _Block(_picture(tile, placed.rotation // 90))
    if placed.bridge is not None:
        character, cells = _BRIDGES[placed.bridge]
        for cell in cells:
            block.put(cell, character)
    if tile.foundation:
        n = len(placed.floors)
        block.put(_TOWER, f"T{n if n < 10 else '+'}")
    if placed.top is not None:
        block.put_figure((_TOWER[0], _TOWER[1] + 2), placed.top)
    return block


def _add_figure(block: _Block, figure: Figure) -> None:
    """Draw a figure that stands on a segment, a bridge, a castle or a barn."""
    kind, _, edges = figure.place.partition(" ")
    if figure.place in block.spots:
        block.put_figure(block.spots[figure.place], figure)
    elif kind == "castle":
        block.put_figure(_ON_EDGE[edges], figure)
    else:
        block.put_figure(_BARN if kind == "barn" else _CENTRE, figure)


@lru_cache(maxsize=4096)
def _picture(tile: Tile, quarter_turns: int) -> _Picture:
    """Draw a tile as it lies: river, roads, cities, then what stands on it."""
    tile = tile.rotated(quarter_turns)
    grid: dict[Cell, str] = {(row, c): "." for row in range(HEIGHT) for c in range(WIDTH)}
    _draw_river(grid, tile.river)
    cells = [_city_cells(city.edges, tile.edges) for city in tile.cities]
    for filled in cells:
        grid |= dict.fromkeys(filled, "#")
    for road in tile.roads:
        _draw_road(grid, road)
        cells.append(_road_cells(road))
    if sum(len(road) == 1 for road in tile.roads) > 1 and grid[_CENTRE] == ".":
        grid[_CENTRE] = "o"
    taken = {_TOWER, (_TOWER[0], _TOWER[1] + 1)} if tile.foundation else set()
    spots: dict[str, Cell] = {}
    if tile.monastery or tile.garden:
        at, beside = _house_cells(grid, taken)
        grid[at] = "M" if tile.monastery else "G"
        spots["monastery" if tile.monastery else "garden"] = beside
        taken |= {at, beside}
    cells += [_field_cells(grid, field.halves) for field in tile.fields]
    for name, own in zip(spot_names(tile, 0), cells, strict=False):  # a monastery or garden comes last
        spots[name] = next((cell for cell in own if cell not in taken), own[0])
        taken.add(spots[name])
    for city, own in zip(tile.cities, cells, strict=False):
        free = [cell for cell in sorted(own) if cell not in taken]
        grid |= dict.fromkeys(free[: city.pennants], "*")
    if tile.foundation:
        grid[_TOWER], grid[_TOWER[0], _TOWER[1] + 1] = "T", "0"
    return _Picture(tuple("".join(grid[row, c] for c in range(WIDTH)) for row in range(HEIGHT)), spots)


def _draw_river(grid: dict[Cell, str], edges: str) -> None:
    for edge in edges:
        grid |= dict.fromkeys([*_WAYS[edge], _CENTRE], "~")


def _draw_road(grid: dict[Cell, str], edges: str) -> None:
    """Draw a road over what is there; a road of one edge leaves the centre to what it leads to."""
    for edge in edges:
        grid |= dict.fromkeys(_WAYS[edge], "|" if edge in "NS" else "-")
    if len(edges) != 1:
        grid[_CENTRE] = {"NS": "|", "EW": "-"}.get(edges, "+")


def _road_cells(edges: str) -> list[Cell]:
    """Return where on a road a figure may be drawn, the best place first."""
    on_edges = [_ON_EDGE[edge] for edge in edges]
    ways = [cell for edge in edges for cell in _WAYS[edge]]
    return [*on_edges, *ways] if len(edges) == 1 else [_CENTRE, *on_edges, *ways]


def _city_cells(edges: str, terrain: str) -> list[Cell]:
    """Return the cells that a city fills, the best for a figure first; `terrain` is the tile's edges."""
    if not edges:
        return [_CENTRE, (1, 2), (1, 4)]
    is_across = len(edges) > 2 or edges in ("NS", "EW")
    cells = [_ON_EDGE[edge] for edge in sorted(edges, key="EWNS".index)]
    if is_across:
        first, last = 0 if "W" in edges else 2, 6 if "E" in edges else 4
        cells = [_CENTRE, *((1, c) for c in range(first, last + 1)), *cells]
    for edge in edges:
        cells += _WALLS[edge]
        cells += [corner for side, corner in _SIDE_CORNERS.get(edge, ()) if terrain["NESW".index(side)] != "C"]
    for one, other, filled in _CORNERS:
        if one in edges and other in edges:
            cells += filled
    return list(dict.fromkeys(cells))


def _house_cells(grid: dict[Cell, str], taken: set[Cell]) -> tuple[Cell, Cell]:
    """Return where a monastery or garden is drawn, and its figure to the right, on free ground if it can."""
    pairs = [(cell, (cell[0], cell[1] + 1)) for cell in _INNER if cell[1] < WIDTH - 1]
    pairs = [pair for pair in pairs if not taken & set(pair)]
    free = [pair for pair in pairs if grid[pair[0]] == "."] or pairs
    return next((pair for pair in free if grid[pair[1]] == "."), free[0])


def _field_cells(grid: dict[Cell, str], halves: tuple[str, ...]) -> list[Cell]:
    """Return where on a field a figure may be drawn: on a whole edge, else in a corner, else anywhere."""
    edges = [edge for edge in "NESW" if edge + "L" in halves and edge + "R" in halves]
    cells = [_ON_EDGE[edge] for edge in edges] + [_ON_HALF[half] for half in halves]
    return [cell for cell in [*cells, *_INNER] if grid[cell] == "."] or cells or [_CENTRE]
