"""Boards at the limits: a thousand tiles in one city, field or line, more cities on a field than a word has bits."""

import pickle
from itertools import pairwise

import pytest
from boards import own_game, play
from games import finish, illegal, step

from bastide import Game, Rng, Rules

N = 1000  # tiles, the start tile included


def put(state, tile, x, y, rotation=0, spot=None):
    """Play one turn; figures only where `spot` says so. Quicker than `boards.play`, as boards are large here."""
    state.draw(state.game.tile_index(tile))
    state.apply(state.parse_action(f"place {x},{y} {rotation}"))
    if state.phase == "figure":
        state.apply(0 if spot is None else state.parse_action(f"deploy meeple {x},{y} {spot}"))


def biggest(state, kind):
    return max((feature for feature in state.features() if feature.kind == kind), key=lambda f: len(f.tiles))


# -- one city


def test_b7_a_city_of_a_thousand_tiles_in_a_line_with_three_pennants_each():
    game = own_game({"E": 1, "line": N - 2, "cap": 1}, "cap")
    state = game.new_state()
    put(state, "own.line", 0, -1, 90, "city NS")
    for n in range(2, N - 1):
        put(state, "own.line", 0, -n, 90)
    assert biggest(state, "city").points == N - 1 + 3 * (N - 2) + 1
    assert state.scores == (0, 0)
    put(state, "base.E", 0, 1 - N, 180)
    # 1,000 tiles; 3 pennants on 998 of them and 1 on the start tile
    assert state.scores == (2 * (1000 + 3 * 998 + 1), 0)
    assert state.is_terminal
    assert state.faults() == []


def square(width, height):
    """The cells of a rectangle that grows from its south-east corner, row by row, each beside an earlier one."""
    return [(-x, -y) for y in range(height) for x in range(width)]


def city_square(width, height):
    """A game whose tiles make one closed city of this size, and the (tile, x, y, rotation) that lay it."""
    right, bottom, left, top = 0, 0, 1 - width, 1 - height
    corners = {(right, bottom): 0, (left, bottom): 90, (left, top): 180, (right, top): 270}  # base.N joins N and W
    laid = []
    for x, y in square(width, height):
        if (x, y) in corners:
            laid.append(("base.N", x, y, corners[x, y]))
        elif y == bottom or x in (left, right) or y == top:
            rotation = {bottom: 0}.get(y, {left: 90, right: 270}.get(x, 180))  # base.R: its field looks outside
            laid.append(("base.R", x, y, rotation if y != top else 180))
        else:
            laid.append(("own.city", x, y, 0))
    counts = {name: sum(tile == name for tile, *_ in laid) for name in ("base.N", "base.R", "own.city")}
    return own_game(counts, "base.N"), laid


def test_b7_a_city_of_a_thousand_tiles_in_a_square():
    game, laid = city_square(25, 40)
    assert len(laid) == N
    state = game.new_state()
    for n, (tile, x, y, rotation) in enumerate(laid[1:]):
        put(state, tile, x, y, rotation, {0: "city NEW", 1: None}.get(n))
    assert state.scores == (2000, 0)
    assert state.is_terminal
    city = biggest(state, "city")
    assert (city.closed, city.points, len(city.tiles), city.open_edges) == (True, 2000, 1000, 0)
    assert state.faults() == []


def test_b9_seven_meeples_of_each_of_six_players_in_one_city():
    # Forty-two comb teeth, each with a knight, all joined by the last tiles.
    width = 2 * 42 + 1
    game = own_game({"base.E": 42, "plain": 43 + width + 1, "city": width - 2, "base.R": 2 + 43, "line": 2}, "plain", players=6)
    state = game.new_state()
    for x in range(1, width):
        put(state, "own.plain", x, 0)
    for x in range(0, width):
        if x % 2:
            put(state, "base.E", x, -1, 0, "city N")
        else:
            assert True
        if x % 2 == 0:
            # turns are passed on, so that the teeth go round the players
            continue
    owners = [figure.owner for figure in state.figures]
    assert len(owners) == 42
    for x in range(width):
        if x % 2 == 0:
            put(state, "own.plain", x, -1)
    assert sorted(owners) == sorted(list(range(6)) * 7)


# -- one field


def test_b12_a_field_of_a_thousand_tiles_in_a_line():
    game = own_game({"plain": N - 2, "E": 2}, "plain")
    state = game.new_state()
    put(state, "own.plain", 1, 0, 0, "field NL-NR-EL-ER-SL-SR-WL-WR")
    for x in range(2, N - 2):
        put(state, "own.plain", x, 0)
    put(state, "base.E", 0, 1, 180)
    assert not state.is_terminal
    put(state, "base.E", 0, 2, 0)
    # The second city faces south's neighbour: both cities close on each other and the field touches one city.
    assert state.is_terminal
    field = biggest(state, "field")
    assert len(field.tiles) == N
    assert state.scores == (3, 0)
    assert state.faults() == []
