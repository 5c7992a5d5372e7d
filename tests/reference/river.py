"""The River (rules.md section 2)."""

from collections import Counter
from fractions import Fraction

from .board import neighbour
from .tiles import OPPOSITE, SIDES


def is_river_tile(game, tile):
    """True for a tile that is laid as part of the river."""
    return "river" in game.options.boxes and tile.pile == "river"


def open_ends(board):
    """River edges (x, y, side) without a neighbour."""
    return [
        (x, y, side)
        for (x, y), placed in board.cells.items()
        for side in SIDES
        if placed.edges[side] == "V" and neighbour(x, y, side) not in board.cells
    ]


def open_end_cells(board):
    """The cells at which a river tile can go on (R1)."""
    return sorted({neighbour(*end) for end in open_ends(board)})


def bend(edges, entered):
    """How a river turns that came in over `entered`: 1 left, 3 right, 2 straight on, None if it ends."""
    exits = [side for side in SIDES if edges[side] == "V" and side != entered]
    if len(exits) != 1:
        return None
    return (SIDES.index(exits[0]) - SIDES.index(entered)) % 4


def continues(board, face, x, y):
    """R1: the tile's river joins the open end. R2: no two bends in succession turn the same way."""
    for end_x, end_y, end_side in open_ends(board):
        entered = OPPOSITE[end_side]
        if neighbour(end_x, end_y, end_side) != (x, y) or face.edges[entered] != "V":
            continue
        last = board.cells[end_x, end_y].edges
        sources = [side for side in SIDES if last[side] == "V" and side != end_side]
        last_bend = bend(last, sources[0]) if len(sources) == 1 else None  # the spring has no bend
        this_bend = bend(face.edges, entered)
        return not (last_bend in (1, 3) and this_bend == last_bend)
    return False


def lakes(game):
    """The lake in the pile (a Counter, empty when it is gone)."""
    return Counter({t: n for t, n in game.piles.river.items() if game.tiles[t].river_role == "lake"})


def settle(game):
    """R4, before each draw: river tiles of which none fits leave the game, then a lake that does not."""
    rest = game.piles.river - lakes(game)
    if rest and not any(game.placements(t) for t in rest):
        game.piles.river = lakes(game)
        rest = Counter()
    if not rest and game.piles.river and not any(game.placements(t) for t in game.piles.river):
        game.piles.river = Counter()


def draws(game):
    """R4: each remaining river tile that fits is equally likely; the lake comes last."""
    pile = game.piles.river - lakes(game) or lakes(game)
    fitting = {t: n for t, n in pile.items() if game.placements(t)}
    return {t: (n, Fraction(n, sum(fitting.values()))) for t, n in sorted(fitting.items())}
