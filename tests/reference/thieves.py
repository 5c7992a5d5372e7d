"""Towers & Thieves, third edition (rules.md section 5)."""

from functools import partial

from .figures import put, send_home
from .tower import follower_on_top

MAX_FLOORS = 5  # H5


def starting_floors(options):
    """The shared supply: 20 floors (H1), as many times as the box (B14)."""
    return 20 * options.copies["thieves"]


def found_tower(game, cell):
    """H2: a placed tile with a foundation gets 1 floor if the supply has one."""
    if game.map.cells[cell].tile.foundation and game.shared_pieces["floors"] > 0:
        add_floor(game, cell)


def add_floor(game, cell):
    """One floor from the shared supply."""
    game.shared_pieces["floors"] -= 1
    game.floors.setdefault(cell, []).append("normal")


def towers(game):
    """Cells with a tower (a bare foundation is none), in the order in which their tiles were placed."""
    return [cell for cell in game.map.cells if game.floors.get(cell)]


def watchmen(game):
    """All watchmen on the board."""
    return [figure for figure in game.standing if figure.on_tower]


# Watchmen


def watchman_actions(game):
    """H3: a standard meeple on a tower in sight of the tile just placed. H4: a watchman there is replaced."""
    actions = {}
    if game.supply[game.current_player]["meeple"] == 0:  # H4: the new figure must be in supply before
        return actions
    for x, y in towers(game):
        there = follower_on_top(game, (x, y))
        own = there is not None and there.owner == game.current_player
        if in_sight(game, (x, y)) and not (own and not game.options.watchman_replace_own):
            actions[f"watchman {x},{y}"] = partial(post_watchman, game, x, y)
    return actions


def in_sight(game, cell):
    """H3: the own tile's tower, or one in its row or column at distance <= its height, across gaps too."""
    dx, dy = abs(cell[0] - game.placed_cell[0]), abs(cell[1] - game.placed_cell[1])
    return (dx == 0 or dy == 0) and dx + dy <= len(game.floors[cell])


def post_watchman(game, x, y):
    """H4: a watchman already there goes back to supply and its owner scores 2."""
    there = follower_on_top(game, (x, y))
    if there is not None:
        send_home(game, there)
        game.award(there.owner, 2, "watchman")
    put(game, game.current_player, "meeple", x, y, "tower")


# Thieves


def start_thief(game):
    """H5 (I): towers that are to grow, in order. All grow if the supply suffices, none if it is empty."""
    game.to_grow = [
        cell for cell in towers(game) if follower_on_top(game, cell) is None and len(game.floors[cell]) < MAX_FLOORS
    ]
    if len(game.to_grow) <= game.shared_pieces["floors"]:
        for cell in game.to_grow:
            add_floor(game, cell)
        game.to_grow = []
    if game.shared_pieces["floors"] == 0:
        game.to_grow = []


def grow_actions(game):
    """H5 (I): the next tower in order; enough must be left behind it to use up the supply."""
    last = len(game.to_grow) - game.shared_pieces["floors"]
    return {f"grow {x},{y}": partial(grow, game, (x, y)) for x, y in game.to_grow[: last + 1]}


def grow(game, cell):
    """This tower grows; the next choice is a later one."""
    add_floor(game, cell)
    game.to_grow = game.to_grow[game.to_grow.index(cell) + 1 :]
    if game.shared_pieces["floors"] == 0:
        game.to_grow = []


def end_thief(game):
    """After (I): H6, the tile is stolen (and the result True) if no watchman stands; else H5 (II)."""
    value = game.tiles[game.drawn_tile].thief
    if not watchmen(game):
        game.stolen_tile = game.drawn_tile  # an older one leaves the game
        game.owed_tower_tile = True
        return True
    for watchman in watchmen(game):
        game.award(watchman.owner, value + stolen_value(game), "thief")
        send_home(game, watchman)
    game.stolen_tile = None
    return False


def stolen_value(game):
    """Value of the stolen tile, 0 if none lies there."""
    return game.tiles[game.stolen_tile].thief if game.stolen_tile else 0


def score_final(game):
    """H8: each watchman 5 plus the stolen tile's value."""
    for watchman in watchmen(game):
        game.award(watchman.owner, 5 + stolen_value(game), "watchman")
