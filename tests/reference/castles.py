"""Castles and maidens (rules.md section 7, G8-G10, G14)."""

from functools import partial

from .figures import count_on, put, send_home, standing_in


class Castle:
    """A city of two tiles turned castle."""

    def __init__(self, segments, cells):
        self.segments = segments  # the two city segments (x, y, i)
        self.cells = cells  # its two cells, in the order (y, x)
        self.maiden = None
        self.new = True  # built in this turn


def is_small_city(game, feature):
    """G8: a closed city of exactly 2 tiles that is no castle yet."""
    return (
        feature.kind == "city"
        and feature.closed
        and len(feature.cells) == 2
        and not feature.segments & game.castle_segments()
    )


def castle_actions(game):
    """G8: a castle on a small city that the placed tile closes; G14: on one of them, the player chooses."""
    actions = {}
    if game.shared_pieces["castles"] == 0:
        return actions
    x, y = game.placed_cell
    for i, segment in enumerate(game.map.cells[x, y].segments):
        if segment.kind != "city":
            continue
        city = game.map.feature((x, y, i))
        if is_small_city(game, city) and all(f.kind == "meeple" for f in standing_in(game, city)):
            actions[f"castle {x},{y} {segment.text}"] = partial(build_castle, game, city)
    return actions


def build_castle(game, city):
    """G8: the city is never scored; every standard meeple in it becomes a maiden (there is at most one)."""
    game.shared_pieces["castles"] -= 1
    castle = Castle(city.segments, tuple(sorted(city.cells, key=lambda cell: (cell[1], cell[0]))))
    game.castles.append(castle)
    for figure in standing_in(game, city):
        send_home(game, figure)
        make_maiden(game, figure.owner, castle)


def edge_on(game, castle, cell):
    """The castle's city edge on one of its cells."""
    (segment,) = [ref for ref in castle.segments if ref[:2] == cell]
    (edge,) = game.map.segment(segment).edges
    return edge


def make_maiden(game, owner, castle):
    """A standard meeple from the supply stands on the castle, named by the castle's first cell."""
    x, y = castle.cells[0]
    castle.maiden = put(game, owner, "maiden", x, y, f"castle {edge_on(game, castle, (x, y))}")
    castle.maiden.cells = castle.cells


def deploy_maiden_actions(game):
    """G8: on a castle built in this turn on which nobody stands."""
    x, y = game.placed_cell
    return {
        f"deploy meeple {x},{y} castle {edge_on(game, castle, (x, y))}": partial(
            make_maiden, game, game.current_player, castle
        )
        for castle in game.castles
        if castle.new and castle.maiden is None and game.supply[game.current_player]["meeple"] > 0
    }


def take_back_maiden_actions(game):
    """G10: one own maiden that did not become one in this turn."""
    return {
        f"take back maiden {maiden.x},{maiden.y} {maiden.spot}": partial(take_back_maiden, game, castle)
        for castle in game.castles
        for maiden in [castle.maiden]
        if maiden is not None and maiden.owner == game.current_player and not castle.new
    }


def take_back_maiden(game, castle):
    """It goes back to supply; its points are scored first in step 3 (G10)."""
    game.maiden_taken_back = True
    send_home(game, castle.maiden)
    castle.maiden = None


def score_maiden(game):
    """G10: 1 point for the maiden taken back, 1 for each other maiden and each knight, any colour."""
    if game.maiden_taken_back:
        maidens = sum(figure.kind == "maiden" for figure in game.standing)
        game.award(game.current_player, 1 + maidens + count_on(game, "city"), "maiden")
        game.maiden_taken_back = False
