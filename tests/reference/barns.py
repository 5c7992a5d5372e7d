"""Barns (rules.md section 7, G11-G13)."""

from functools import partial

from .figures import count_on, standing_in

# The two half-edges at each corner of a tile; the steps from the placed tile to the three others round that
# corner, each with its own corner there.
CORNER_HALVES = {"NW": ("WR", "NL"), "NE": ("NR", "EL"), "SE": ("ER", "SL"), "SW": ("SR", "WL")}
OTHERS = {
    "NW": {(-1, 0): "NE", (-1, -1): "SE", (0, -1): "SW"},
    "NE": {(0, -1): "SE", (1, -1): "SW", (1, 0): "NW"},
    "SE": {(1, 0): "SW", (1, 1): "NW", (0, 1): "NE"},
    "SW": {(0, 1): "NW", (-1, 1): "NE", (-1, 0): "SE"},
}


def corner_field(game, cell, corner):
    """The field segment (x, y, i) at a corner if both half-edges there belong to one field, else None."""
    placed = game.map.cells.get(cell)
    if placed is None:
        return None
    first, second = (placed.at_half.get(half) for half in CORNER_HALVES[corner])
    return (*cell, first) if first is not None and first == second else None


def block_fields(game, cell, corner):
    """Cell -> field segment of the four tiles that meet at this corner; None if not all corners are field."""
    x, y = cell
    fields = {cell: corner_field(game, cell, corner)}
    for (dx, dy), other_corner in OTHERS[corner].items():
        other = (x + dx, y + dy)
        fields[other] = corner_field(game, other, other_corner)
    return None if None in fields.values() else fields


def barn_actions(game):
    """G11: a barn where the placed tile completes a 2x2 block of field corners, for an own farmer there."""
    actions = {}
    if game.shared_pieces["barns"] == 0:
        return actions
    x, y = game.placed_cell
    for corner in OTHERS:
        fields = block_fields(game, (x, y), corner)
        if fields is None:
            continue
        for f in standing_in(game, game.map.feature(fields[x, y])):
            if f.owner == game.current_player and not f.on_barn:
                text = f"barn {x},{y} {corner} from {f.x},{f.y} {f.spot}"
                actions[text] = partial(build_barn, game, fields, f)
    return actions


def build_barn(game, fields, farmer):
    """The farmer moves onto the barn, named by its north-west cell, and stays on its field (G12)."""
    game.shared_pieces["barns"] -= 1
    x, y = min(fields)
    farmer.x, farmer.y, farmer.spot, farmer.segment = x, y, "barn", fields[x, y]
    farmer.cells = tuple(sorted(fields))
    game.barn_farmer = farmer


def score_barn(game):
    """G12: the moved farmer scores 1 point per farmer on the board, itself and those on barns included."""
    if game.barn_farmer is not None:
        game.award(game.barn_farmer.owner, count_on(game, "field"), "barn")
        game.barn_farmer = None
