"""T1-T3: floors, followers on towers, captures. What a tower reaches is in test_tower_range.py (T4, T5, T11),
what becomes of those captured in test_tower_prisoners.py (T6-T11).
"""

import pytest
from boards import Table, feature, legal, play

from bastide import Game, Rules

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
TOWER = ("tower",)


def table(picture, *figures, deck="", **options):
    return Table(picture, *figures, deck=deck, **({"boxes": TOWER} | options))


def floors(state):
    """The floors of each tower: {(x, y): colours from the ground}."""
    return {(tile.x, tile.y): tile.floors for tile in state.board if tile.floors}


def tops(state):
    """Who stands on which tower: {(x, y): owner}."""
    return {(tile.x, tile.y): tile.top.owner for tile in state.board if tile.top}


def owners(state):
    """Who has figures on the board, and where they stand."""
    return [(figure.owner, figure.x, figure.y, figure.place) for figure in state.figures]


# -- T1


@pytest.mark.parametrize(("players", "each"), [(1, 10), (2, 10), (3, 9), (4, 7), (5, 6), (6, 5)])
def test_t1_floors_for_each_player(players, each):
    state = Game(Rules(boxes=TOWER, players=players)).new_state()
    assert state.pieces == ({"normal": each},) * players
    assert state.pieces.shared == {}


@pytest.mark.parametrize(("edition", "gardens"), [("c1", 0), ("c2", 2), ("c3", 2)])
def test_t1_eighteen_tiles_with_a_foundation_join_the_deck(edition, gardens):
    state = Game(Rules(boxes=TOWER, edition=edition)).new_state()
    tiles = [(state.game.tiles[tile], count) for tile, count, _ in state.draws()]
    assert state.tiles_left == 71 + 18
    assert sum(count for tile, count in tiles if tile.foundation) == 18
    assert sum(count for tile, count in tiles if tile.foundation and tile.garden) == gardens


def test_t1_copies_multiply_the_tiles_but_not_the_floors_b14():
    state = Game(Rules(boxes=TOWER, copies={"tower": 3})).new_state()
    assert state.tiles_left == 71 + 54
    assert state.pieces == ({"normal": 10}, {"normal": 10})


# -- T2


def test_t2_a_figure_a_floor_and_a_tower_follower_are_offered_in_the_figure_step():
    played = table("tower.I *plain tower.I", "1 1,0: floor normal -1,0", deck="B B")
    with played:
        played.turn("place 2,0 0", "floor normal 1,0")
        played.draw()
        play(played.state, "place 3,0 0")
        assert legal(played.state) == [
            "pass",
            f"deploy meeple 3,0 {PLAIN}",
            "deploy meeple 3,0 monastery",
            "floor normal -1,0",
            "floor normal 1,0",
            "tower meeple -1,0",
            "tower meeple 1,0",
        ]


def test_t2_after_a_floor_the_placed_tile_stays_empty():
    with table("*plain tower.I", deck="B") as played:
        assert played.turn("place 2,0 0", "floor normal 1,0") == []
        assert played.state.figures == ()
        assert floors(played.state) == {(1, 0): ("normal",)}
        assert played.state.pieces == ({"normal": 10}, {"normal": 9})


def test_t2_after_a_follower_on_a_tower_the_placed_tile_stays_empty():
    with table("*plain tower.I", "0 1,0: floor normal 1,0", deck="B") as played:
        assert played.turn("place 2,0 0", "tower meeple 1,0") == []
        assert owners(played.state) == [(1, 1, 0, "tower")]
        assert tops(played.state) == {(1, 0): 1}
        assert played.state.supply == ({"meeple": 7}, {"meeple": 6})


def test_t2_the_foundation_of_the_tile_just_placed_can_be_built_on_at_once():
    with table("*plain", deck="tower.I") as played:
        played.turn("place 1,0 0", "floor normal 1,0")
        assert floors(played.state) == {(1, 0): ("normal",)}


def test_t2_no_follower_stands_on_a_bare_foundation():
    played = table("*plain tower.I", deck="B")
    played.draw()
    play(played.state, "place 2,0 0")
    assert legal(played.state, "floor", "tower") == ["floor normal 1,0"]


def test_t2_both_players_build_on_one_tower():
    with table("*plain tower.I", deck="B B B") as played:
        for x in (2, 3, 4):
            played.turn(f"place {x},0 0", "floor normal 1,0")
        assert floors(played.state) == {(1, 0): ("normal",) * 3}
        assert played.state.pieces == ({"normal": 9}, {"normal": 8})


def test_t2_a_follower_on_top_closes_the_tower_for_all():
    with table("*plain tower.I", "0 1,0: floor normal 1,0", deck="B B B") as played:
        played.turn("place 2,0 0", "tower meeple 1,0")
        for x in (3, 4):  # the opponent, then its owner
            played.draw()
            play(played.state, f"place {x},0 0")
            assert legal(played.state, "floor", "tower") == []
            play(played.state, "pass")


def test_t2_a_tower_follower_is_offered_even_when_the_new_tile_has_no_free_segment():
    played = table("plain *plain tower.I", f"0 -1,0 {PLAIN}", "1 1,0: floor normal 1,0", deck="plain")
    with played:
        played.draw()
        play(played.state, "place 2,0 0")
        assert legal(played.state) == ["pass", "floor normal 1,0", "tower meeple 1,0"]
        play(played.state, "tower meeple 1,0")
        assert owners(played.state) == [(0, -1, 0, PLAIN), (0, 1, 0, "tower")]


def test_t2_floors_run_out_for_the_one_who_has_used_them():
    with table("*plain tower.I", deck="B " * 22) as played:
        for x in range(2, 22, 2):
            played.turn(f"place {x},0 0")
            played.turn(f"place {x + 1},0 0", "floor normal 1,0")
        assert played.state.pieces == ({"normal": 0}, {"normal": 10})
        played.draw()
        play(played.state, "place 22,0 0")
        assert legal(played.state, "floor", "tower") == ["floor normal 1,0", "tower meeple 1,0"]
        play(played.state, "pass")
        played.draw()
        play(played.state, "place 23,0 0")
        assert legal(played.state, "floor", "tower") == ["tower meeple 1,0"]


def test_t2_without_floors_and_open_towers_there_may_be_no_figure_step():
    with table("*plain tower.I", f"0 1,0 {PLAIN}", deck="plain " * 12, players=1) as played:
        for x in range(2, 12):
            played.turn(f"place {x},0 0", "floor normal 1,0")
        assert played.state.pieces == ({"normal": 0},)
        played.turn("place 12,0 0", "tower meeple 1,0")
        played.draw()
        play(played.state, "place 13,0 0")
        assert (played.state.phase, played.state.turn) == ("draw", 13)


# -- T3


@pytest.mark.parametrize("spot", ["field NL-NR", "city EW", "monastery"])
def test_t3_a_follower_can_be_captured_on_any_feature(spot):
    # castle.B has a city from side to side and a monastery; turned, its fields lie east and west.
    turned = {"field NL-NR": "field EL-ER", "city EW": "city NS"}.get(spot, spot)
    with table("*plain castle.B/90", f"0 1,0 {turned}", deck="tower.I") as played:
        capture = f"capture 1,0 meeple of 0 {turned}"
        assert played.turn("place 2,0 0", "floor normal 2,0", capture) == []
        assert played.state.figures == ()
        assert played.state.prisoners == ({}, {("meeple", 0): 1})
        assert played.state.supply == ({"meeple": 6}, {"meeple": 7})


def test_t3_a_follower_on_a_road_can_be_captured():
    with table("*D U", "0 1,0 road EW", deck="tower.I") as played:
        played.turn("place 1,1 0", "floor normal 1,1", "capture 1,0 meeple of 0 road EW")
        assert played.state.prisoners == ({}, {("meeple", 0): 1})
        assert feature(played.state, 1, 0, "road EW").figures == ()


def test_t3_capturing_is_optional():
    played = table("*plain B", "0 1,0 monastery", deck="tower.I")
    with played:
        played.draw()
        play(played.state, "place 2,0 0", "floor normal 2,0")
        assert (played.state.phase, played.state.current_player) == ("capture", 1)
        assert legal(played.state) == ["pass", "capture 1,0 meeple of 0 monastery"]
        play(played.state, "pass")
        assert owners(played.state) == [(0, 1, 0, "monastery")]
        assert played.state.prisoners == ({}, {})


def test_t3_one_floor_captures_one_follower_at_most():
    picture = """
        *plain B   plain
        plain  .   B
    """
    played = table(picture, "0 1,0 monastery", "0 2,1 monastery", deck="tower.I")
    with played:
        played.draw()
        play(played.state, "place 1,1 0", "floor normal 1,1", "capture 1,0 meeple of 0 monastery")
        assert played.state.phase == "draw"
        assert owners(played.state) == [(0, 2, 1, "monastery")]


def test_t3_only_a_floor_captures_and_a_follower_on_a_tower_does_not():
    with table("B tower.I *plain", "1 -2,0 monastery", "0 -1,0: floor normal -1,0", deck="plain") as played:
        played.turn("place 1,0 0", "tower meeple -1,0")
        assert owners(played.state) == [(0, -1, 0, "tower"), (1, -2, 0, "monastery")]


def test_t3_without_a_follower_in_range_nothing_is_asked():
    with table("B plain *plain", "1 -2,0 monastery", deck="tower.I") as played:
        played.draw()
        play(played.state, "place 1,0 0", "floor normal 1,0")
        assert played.state.phase == "draw"


def test_t3_what_counts_is_the_tile_and_not_the_feature():
    # The city passes beside the tower, its knight stands two tiles further.
    picture = """
        *plain plain plain
        E/90   G     G
    """
    with table(picture, "0 2,1 city EW", deck="tower.I") as played:
        played.draw()
        play(played.state, "place 0,2 0", "floor normal 0,2")
        assert played.state.phase == "draw"


def test_t3_a_captured_follower_does_not_score_what_closes_in_this_turn():
    def turn(*actions):
        played = table("A/270 *D\ntower.I plain", "0 -1,0 road E", deck="A")
        with played:
            return played.turn("place 1,0 90", *actions)

    assert turn() == [(0, 3, "road")]
    assert turn("floor normal -1,1", "pass") == [(0, 3, "road")]
    assert turn("floor normal -1,1", "capture -1,0 meeple of 0 road E") == []


def test_t3_a_capture_that_breaks_a_tie_changes_who_scores_in_this_turn():
    picture = """
        A/270 *D    .     A/90
        plain plain plain tower.I
    """

    def turn(*actions):
        played = table(picture, "0 -1,0 road E", "1 2,0 road W", deck="U")
        with played:
            return played.turn("place 1,0 0", *actions)

    assert turn() == [(0, 4, "road"), (1, 4, "road")]
    assert turn("floor normal 2,1", "capture 2,0 meeple of 1 road W") == [(0, 4, "road")]


def test_t3_a_capture_that_takes_the_majority_changes_who_scores_in_this_turn():
    # Two knights of player 1 and one of player 0 in a city that base.C closes: 5 tiles, a pennant.
    picture = """
        .     plain E/180 plain
        .     E/90  .     E/270
        plain plain *E    tower.I
    """

    def turn(*actions):
        figures = ["1 0,-2 city S", "0 -1,-1 city E", "1 1,-1 city W"]
        played = table(picture, *figures, "0 -2,0: pass", deck="C")
        with played:
            return played.turn("place 0,-1 0", *actions)

    assert turn() == [(1, 12, "city")]
    assert turn("floor normal 1,0", "capture 1,-1 meeple of 1 city W") == [(0, 12, "city"), (1, 12, "city")]


def test_t3_a_monk_captured_leaves_the_monastery_empty():
    picture = """
        plain  plain   plain
        *plain B       plain
        plain  tower.I .
    """

    def turns(*actions):
        with table(picture, "0 1,0 monastery", deck="plain plain") as played:
            played.turn("place 3,0 0", "floor normal 1,1", *actions)
            return played.turn("place 2,1 0")

    assert turns("pass") == [(0, 9, "monastery")]
    assert turns("capture 1,0 meeple of 0 monastery") == []


def test_t3_the_feature_that_a_captured_follower_leaves_can_be_occupied_again():
    with table("*D U", "0 1,0 road EW", deck="tower.I U") as played:
        played.turn("place 1,1 0", "floor normal 1,1", "capture 1,0 meeple of 0 road EW")
        played.turn("place 2,0 0", "deploy meeple 2,0 road EW")
        assert owners(played.state) == [(0, 2, 0, "road EW")]
