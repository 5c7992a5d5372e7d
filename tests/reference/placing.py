"""Where a tile fits (B4; with bridges G2-G4, G6; on the river R1, R2)."""

from . import river
from .board import AXIS_SIDES, neighbour
from .tiles import OPPOSITE, SIDES


def fits(board, face, x, y, bridges):
    """How a face fits on a cell: False, "" (plainly, B4) or the axis of the bridge it needs (G2).

    `bridges` is how many are left in the supply.
    """
    axes = set()
    for side in SIDES:
        other = board.cells.get(neighbour(x, y, side))
        if other is None or other.edges[OPPOSITE[side]] == face.edges[side]:
            continue
        if face.edges[side] == "F" and other.edges[OPPOSITE[side]] == "R" and bridges > 0:
            axes.add("NS" if side in "NS" else "EW")  # G2: a pure field edge meets the open end of a road
        else:
            return False
    if not axes:
        return ""
    if len(axes) == 2:  # G3: two crossing axes in need of a bridge
        return False
    axis = axes.pop()
    for side in AXIS_SIDES[axis]:
        if face.edges[side] != "F":  # G2: two opposite pure field edges
            return False
        other = board.cells.get(neighbour(x, y, side))
        if other is not None:
            if other.edges[OPPOSITE[side]] != "R":  # G3: at the far edge no neighbour or a road edge
                return False
            if other.has_bridge_edge(OPPOSITE[side]):  # G4: bridges never follow each other directly
                return False
    return axis


def placements(game, tile):
    """All placements of a tile: list of (x, y, rotation, bridge axis or None)."""
    board = game.map
    bridges = game.shared_pieces.get("bridges", 0)
    on_river = river.is_river_tile(game, tile)
    cells = river.open_end_cells(board) if on_river else board.frontier()
    found = []
    for x, y in cells:
        for rotation in tile.rotations:
            face = tile.faces[rotation]
            axis = fits(board, face, x, y, bridges)
            if axis is False or (on_river and not river.continues(board, face, x, y)):
                continue
            found.append((x, y, rotation, axis or None))
    return found
