"""The Tower, first edition, and The Black Tower (rules.md sections 3 and 4)."""

from collections import Counter
from functools import partial

from .figures import put, send_home

FLOORS = {1: 10, 2: 10, 3: 9, 4: 7, 5: 6, 6: 5}  # T1
BLACK_TOWER_FLOORS = {  # K1: black, white, normal
    1: (4, 2, 8),
    2: (4, 2, 8),
    3: (3, 2, 7),
    4: (3, 1, 6),
    5: (2, 1, 5),
    6: (2, 1, 4),
}


def starting_floors(options):
    """The floors that each player gets (T1, K1)."""
    if "black-tower" in options.boxes:
        black, white, normal = BLACK_TOWER_FLOORS[options.players]
        return {"normal": normal, "black": black, "white": white}
    return {"normal": FLOORS[options.players]}


# Building towers and closing them


def follower_on_top(game, cell):
    """The follower on top of the tower of this cell, or None."""
    return next((f for f in game.standing if f.on_tower and (f.x, f.y) == cell), None)


def is_open(game, cell):
    """T2: no figure on top, K3: and no white floor on top."""
    floors = game.floors.get(cell, [])
    return follower_on_top(game, cell) is None and floors[-1:] != ["white"]


def foundations(game):
    """Cells of tiles with a foundation: any on the board, not only this turn's (T2)."""
    return [cell for cell, placed in game.map.cells.items() if placed.tile.foundation]


def floor_actions(game):
    """T2, K2, K3: one own floor on a free foundation or open tower, white ones only on a tower."""
    actions = {}
    for x, y in foundations(game):
        if not is_open(game, (x, y)):
            continue
        for colour, left in game.pieces[game.current_player].items():
            height = len(game.floors.get((x, y), []))
            if left > 0 and (colour != "white" or height >= 1):
                actions[f"floor {colour} {x},{y}"] = partial(put_floor, game, x, y, colour)
    return actions


def put_floor(game, x, y, colour):
    """Move a floor from the player's pieces to the tower. A capture may follow (T3)."""
    game.pieces[game.current_player][colour] -= 1
    game.floors.setdefault((x, y), []).append(colour)
    game.floor_cell = (x, y)


def tower_follower_actions(game):
    """T2, K4: one standard meeple on an open tower of height 1 or more (C4: no abbot)."""
    actions = {}
    player = game.current_player
    for x, y in foundations(game):
        if game.floors.get((x, y)) and is_open(game, (x, y)) and game.supply[player]["meeple"] > 0:
            actions[f"tower meeple {x},{y}"] = partial(put, game, player, "meeple", x, y, "tower")
    return actions


# Captures


def reach(game, cell):
    """Cells in range of the tower, which has just got its newest floor (T4, T5, T11, K2, K3)."""
    floors = game.floors[cell]
    height = len(floors)
    if game.options.tower_no_surprise:  # T11
        height -= 1
    x, y = cell
    straight = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    diagonal = [(1, -1), (1, 1), (-1, 1), (-1, -1)]
    if floors[-1] == "white":  # K3
        return set()
    if floors[-1] == "black":  # K2, K4: the own tile and diagonals, with tower_diagonal too
        return {cell} | rays(game, x, y, diagonal, height)
    if game.options.tower_diagonal:  # T11
        return manhattan(game, cell, height)
    return {cell} | rays(game, x, y, straight, height)


def rays(game, x, y, directions, height):
    """Placed tiles at distances 1..height; with tower_gaps "block" up to the first empty cell (T5)."""
    found = set()
    for dx, dy in directions:
        for distance in range(1, height + 1):
            cell = (x + dx * distance, y + dy * distance)
            if cell in game.map.cells:
                found.add(cell)
            elif game.options.tower_gaps == "block":
                break
    return found


def manhattan(game, cell, height):
    """T11 tower_diagonal: tiles at Manhattan distance 0..height.

    With tower_gaps "block" those that some shortest path reaches over placed tiles only.
    """
    x, y = cell
    if game.options.tower_gaps == "cross":
        return {(i, j) for i, j in game.map.cells if abs(i - x) + abs(j - y) <= height}
    found = ring = {cell}
    for distance in range(1, height + 1):
        # A shortest path gets one further from the tower with every step.
        steps = {(i + dx, j + dy) for i, j in ring for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))}
        ring = {(i, j) for i, j in steps if abs(i - x) + abs(j - y) == distance and (i, j) in game.map.cells}
        found = found | ring
    return found


def capture_actions(game):
    """T3: one follower on a tile in range or on a tower there, or none. C3: not maidens nor on barns."""
    actions = {"pass": lambda: None}
    cells = reach(game, game.floor_cell)
    for f in game.standing:
        if (f.x, f.y) in cells and f.kind != "maiden" and not f.on_barn:
            actions[f"capture {f.x},{f.y} {f.kind} of {f.owner} {f.spot}"] = partial(capture, game, f)
    return actions


def capture(game, figure):
    """T6: an opponent's follower becomes a prisoner, an own one goes back to supply."""
    if figure.owner == game.current_player:
        send_home(game, figure)
    else:
        game.standing.remove(figure)
        game.prisoners[game.current_player][figure.kind, figure.owner] += 1
        game.captured = figure


# Prisoners


def held(game, holder, owner):
    """Kinds of the owner's figures that the holder holds."""
    return [kind for kind in ("meeple", "abbot") if game.prisoners[holder][kind, owner] > 0]


def release(game, holder, kind, owner):
    """A prisoner goes to its owner's supply."""
    assert game.prisoners[holder][kind, owner] > 0
    game.prisoners[holder] = game.prisoners[holder] - Counter([(kind, owner)])
    game.supply[owner][kind] += 1


def exchange_kinds(game):
    """T7: the kinds that could come back if two players now hold a prisoner of each other, else []."""
    if game.captured is None:
        return []
    return held(game, game.captured.owner, game.current_player)


def exchange_actions(game):
    """T7: the player who just captured chooses which own figure comes back."""
    holder = game.captured.owner
    return {f"exchange {kind} from {holder}": partial(exchange, game, kind) for kind in exchange_kinds(game)}


def exchange(game, kind):
    """T7: one of each; the other's is the one just captured, as the captor held none of them before."""
    other = game.captured.owner
    release(game, other, kind, game.current_player)
    release(game, game.current_player, game.captured.kind, other)


def ransom_actions(game):
    """T8: a player with at least 3 points may buy one own figure back. T11 eye for an eye: no ransom."""
    actions = {}
    buyer = game.current_player
    if game.scores[buyer] < 3 or game.options.tower_eye_for_an_eye:
        return actions
    for holder in range(game.options.players):
        for kind in held(game, holder, buyer):
            actions[f"ransom {kind} from {holder}"] = partial(ransom, game, kind, holder)
    return actions


def ransom(game, kind, holder):
    """-3 to the buyer, +3 to the holder; the figure is in supply at once."""
    release(game, holder, kind, game.current_player)
    game.award(game.current_player, -3, "ransom")
    game.award(holder, 3, "ransom")
