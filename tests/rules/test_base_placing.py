"""B4: where a tile can be placed, and which of its rotations are one placement."""

import pytest
from boards import Table, legal

from bastide import Game, Rng, Rules

# How many rotations of each tile differ, counted on the printed tiles.
ROTATIONS = {
    1: "base.B base.C base.X",
    2: "base.F base.G base.H base.U",
    4: "base.A base.D base.E base.I base.J base.K base.L base.M base.N base.O base.P base.Q base.R base.S "
    "base.T base.V base.W",
}


def places(picture, tile, **options):
    """Where a tile can be placed on a board, as (cell, rotations)."""
    table = Table(picture, deck=tile, **options)
    table.draw()
    found = {}
    for text in legal(table.state):
        _, cell, rotation = text.split(" ")
        found.setdefault(cell, []).append(int(rotation))
    return found


def test_b4_a_tile_must_touch_a_placed_tile_by_an_edge():
    assert places("*plain", "plain") == {"0,-1": [0], "-1,0": [0], "1,0": [0], "0,1": [0]}


def test_b4_touching_by_a_corner_is_not_enough_and_taken_cells_are_taken():
    assert places("*plain plain", "plain").keys() == {"0,-1", "1,-1", "-1,0", "2,0", "0,1", "1,1"}


@pytest.mark.parametrize("laid", ["plain", "X", "city"])
@pytest.mark.parametrize("drawn", ["plain", "X", "city"])
def test_b4_field_road_and_city_meet_only_their_own_kind(laid, drawn):
    table = Table(f"*{laid}", deck=drawn)
    with table:
        table.draw()
        if laid == drawn:
            assert len(legal(table.state)) == 4
        else:
            assert table.state.is_chance
            assert table.state.discards == 1


def test_b4_each_edge_of_the_start_tile_takes_the_rotations_that_match_it():
    # base.K is city N, field E, road S and W.
    assert places("*D", "K") == {
        "0,-1": [180],  # a city to its south
        "-1,0": [180, 270],  # a road to its east
        "1,0": [0, 90],  # a road to its west
        "0,1": [270],  # a field to its north
    }


def test_b4_every_edge_that_touches_must_match():
    picture = """
        E/180 E/180
        *D    .
        plain plain
    """  # the hole at 1,0 shows a city to the north, a field to the south and a road to the west
    assert places(picture, "D")["1,0"] == [0]
    for near_miss in ("E", "J", "K", "L", "U", "V", "W"):
        assert "1,0" not in places(picture, near_miss)


def test_b4_a_hole_takes_just_the_tile_that_matches_all_four_edges():
    picture = """
        plain E/180 plain
        *U    .     A/90
        plain plain plain
    """  # the hole at 1,0 shows a city to the north, roads to the east and west, a field to the south
    assert places(picture, "D")["1,0"] == [0]
    for near_miss in ("E", "J", "L", "R", "T", "U", "W", "X", "plain"):
        assert "1,0" not in places(picture, near_miss)


def test_b4_a_tile_that_looks_the_same_when_turned_is_listed_once():
    assert places("*D", "U") == {"-1,0": [0], "1,0": [0], "0,1": [0]}
    assert places("*D", "B") == {"0,1": [0]}
    assert places("*D", "H") == {"0,-1": [0], "0,1": [90]}
    assert places("*D", "X") == {"-1,0": [0], "1,0": [0]}
    assert places("*D", "C") == {"0,-1": [0]}


def test_b4_a_pennant_tells_rotations_apart():
    assert places("*D", "half") == {"0,-1": [0, 180], "0,1": [90, 270]}


def test_b4_the_contacts_of_field_and_city_tell_rotations_apart():
    assert places("*D", "lean") == {"0,-1": [0, 180], "0,1": [90, 270]}


def test_b4_which_edges_a_segment_joins_tells_rotations_apart():
    assert places("*D", "bends") == {"-1,0": [0, 90], "1,0": [0, 90]}
    assert places("*D", "stubs") == {"0,-1": [0, 90, 180, 270]}  # four cities, one with a pennant


def test_b4_a_garden_is_only_a_picture_without_the_abbot():
    def listed(tile):
        state = Game(Rules(edition="c3")).new_state()
        state.draw(state.game.tile_index(tile))
        return legal(state)

    assert listed("base.U.g") == listed("base.U") == ["place -1,0 0", "place 1,0 0", "place 0,1 0"]
    assert listed("base.H.g") == listed("base.H")


def test_b4_only_rotations_that_differ_are_listed_in_whole_games():
    game = Game(Rules(edition="c1"))
    period = {tile: n for n, tiles in ROTATIONS.items() for tile in tiles.split()}
    assert period.keys() == {tile.id for tile in game.tiles}
    seen = {tile: set() for tile in period}
    for seed in range(40):
        state, rng = game.new_state(), Rng(seed)
        while not state.is_terminal:
            if state.is_chance:
                state.draw(state.sample_draw(rng))
                continue
            actions = state.legal_actions()
            if state.phase == "place":
                rotations = {int(state.action_text(action).split(" ")[2]) for action in actions}
                seen[game.tiles[state.drawn_tile].id] |= rotations
            state.apply(actions[rng.below(len(actions))])
    assert seen == {tile: set(range(0, 90 * n, 90)) for tile, n in period.items()}


def test_b4_placements_are_those_a_plain_search_finds():
    """Try every cell, every tile that is left and every rotation against the edges of the neighbours."""
    game = Game(Rules(edition="c1"))
    for seed in range(3):
        state, rng = game.new_state(), Rng(seed)
        while not state.is_terminal:
            if state.is_chance:
                state.draw(state.sample_draw(rng))
                continue
            actions = state.legal_actions()
            if state.phase == "place":
                assert sorted(map(state.action_text, actions)) == sorted(searched(state))
            state.apply(actions[rng.below(len(actions))])


def searched(state):
    tiles = state.game.tiles
    edges = {(t.x, t.y): turned(tiles[t.tile].edges, t.rotation) for t in state.board}
    drawn = tiles[state.drawn_tile]
    period = next(n for n, ids in ROTATIONS.items() if drawn.id in ids.split())
    around = ((0, -1), (1, 0), (0, 1), (-1, 0))
    for x, y in {(x + dx, y + dy) for x, y in edges for dx, dy in around} - edges.keys():
        for rotation in range(0, 90 * period, 90):
            mine = turned(drawn.edges, rotation)
            theirs = [edges.get((x + dx, y + dy)) for dx, dy in around]
            if all(other is None or other[(e + 2) % 4] == mine[e] for e, other in enumerate(theirs)):
                yield f"place {x},{y} {rotation}"


def turned(edges, rotation):
    return edges[4 - rotation // 90 :] + edges[: 4 - rotation // 90]
