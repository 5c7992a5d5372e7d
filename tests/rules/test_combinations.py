"""C1-C7, boxes together. More of watchtowers with others is in test_watchtowers_with_others.py."""

import pytest
from boards import Table, legal, own_game, play

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
TOWER_WATCH = ("tower", "watchtowers")
TOWER_CASTLES = ("tower", "bridges-castles")
THIEVES_CASTLES = ("thieves", "bridges-castles")
WATCH_CASTLES = ("watchtowers", "bridges-castles")


def begin(played, *actions):
    """Draw the next tile and do some actions of the turn; returns the points."""
    return played.draw() + play(played.state, *actions)


def standing(state):
    return [(f.owner, f.kind, f.x, f.y, f.place) for f in state.figures]


# -- C1


def test_c1_maiden_then_watchtowers_then_features_then_the_figures_return():
    # watch.A: 2 for each figure around, the maiden beside it too unless she has just left the board.
    picture = "*plain watch.A E/90 E/270"
    figures = ["0 1,0 city N", "1 2,0 city E", "0 3,0: castle 3,0 city W; pass"]
    for action, expected in (
        ("pass", [(0, 4, "watchtower"), (0, 4, "city")]),
        ("take back maiden 2,0 castle E", [(1, 2, "maiden"), (0, 2, "watchtower"), (0, 4, "city")]),
    ):
        with Table(picture, *figures, deck="E", boxes=WATCH_CASTLES) as played:
            begin(played, "place 1,-1 180", "no building", action)
            assert [(e.player, e.points, e.source) for e in played.state.score_events] == expected
            assert played.state.supply[0] == {"meeple": 7}


def test_w4_a_maiden_counts_once_though_both_tiles_of_her_castle_are_in_the_area():
    picture = """
        plain *plain watch.A E/180
        .     .      .       E
    """
    figures = ["1 1,0 city N", "0 2,0 city S", "1 2,1: castle 2,1 city N; pass"]
    with Table(picture, *figures, deck="E", boxes=WATCH_CASTLES) as played:
        assert played.turn("place 1,-1 180") == [(1, 4, "city"), (1, 4, "watchtower")]


def test_w4_a_farmer_on_a_barn_counts_once_though_all_four_tiles_are_in_the_area():
    picture = """
        *plain watch.A plain
        .      .       plain
    """
    with Table(picture, "0 1,0 city N", f"0 2,1 {PLAIN}", deck="plain A E", boxes=WATCH_CASTLES) as played:
        played.turn("place -1,0 0")
        assert played.turn("place 1,1 180", f"barn 1,1 NE from 2,1 {PLAIN}") == [(0, 1, "barn")]
        assert played.turn("place 1,-1 180") == [(0, 4, "city"), (0, 4, "watchtower")]


# -- C2

# A tower beside a watchtower tile with a knight of player 0, who also has a monk near; player 1 is next.
GUARDED = """
    plain *tower.I watch.A
    .     B        .
"""
GUARDS = ["0 1,0 city N", "0 0,1 monastery"]


def test_c2_a_follower_on_a_tower_counts_for_watchtowers_w4():
    with Table(GUARDED, GUARDS[0], deck="plain plain plain E", boxes=TOWER_WATCH) as played:
        played.turn("place -2,0 0", "floor normal 0,0", "pass")
        played.turn("place -3,0 0", "tower meeple 0,0")
        played.turn("place -4,0 0")
        assert played.turn("place 1,-1 180") == [(0, 4, "city"), (0, 4, "watchtower")]  # knight and tower


def test_c2_a_follower_captured_in_this_turn_neither_scores_nor_counts():
    for actions, expected in (
        ([], [(0, 4, "city"), (0, 4, "watchtower")]),
        (["floor normal 0,0", "pass"], [(0, 4, "city"), (0, 4, "watchtower")]),
        (["floor normal 0,0", "capture 0,1 meeple of 0 monastery"], [(0, 2, "watchtower"), (0, 4, "city")]),
        (["floor normal 0,0", "capture 1,0 meeple of 0 city N"], []),
    ):
        with Table(GUARDED, *GUARDS, deck="E", boxes=TOWER_WATCH) as played:
            assert played.state.turn_player == 1
            assert played.turn("place 1,-1 180", *actions) == sorted(expected)


def test_c2_a_prisoner_and_a_ransomed_figure_in_supply_do_not_count():
    with Table(GUARDED, *GUARDS, deck="plain E", boxes=TOWER_WATCH) as played:
        played.turn("place -2,0 0", "floor normal 0,0", "capture 0,1 meeple of 0 monastery")
        assert played.turn("place 1,-1 180") == [(0, 2, "watchtower"), (0, 4, "city")]


# -- C3


def test_c3_a_follower_on_a_bridge_can_be_captured():
    with Table("*D plain=EW", "0 1,0 road EW", deck="tower.I", boxes=TOWER_CASTLES) as played:
        played.turn("place 1,1 0", "floor normal 1,1", "capture 1,0 meeple of 0 road EW")
        assert played.state.prisoners == ({}, {("meeple", 0): 1})


@pytest.mark.parametrize("owner", [0, 1])
def test_c3_maidens_cannot_be_captured_not_even_own_ones(owner):
    picture = """
        *plain E/90    E/270
        plain  tower.I .
    """
    figures = [f"{owner} 1,0 city E", f"{1 - owner} 2,0: castle 2,0 city W; pass"]
    with Table(picture, *figures, deck="plain", boxes=TOWER_CASTLES) as played:
        begin(played, "place 0,2 0", "floor normal 1,1")
        assert (played.state.phase, played.state.turn_player) == ("draw", 1)
        assert standing(played.state) == [(owner, "maiden", 1, 0, "castle E")]


def test_c3_a_farmer_on_a_barn_cannot_be_captured_but_others_around_can():
    picture = """
        *plain tower.I
        plain  .
    """
    with Table(picture, f"0 0,1 {PLAIN}", deck="plain B plain plain", boxes=TOWER_CASTLES) as played:
        played.turn("place 1,1 0", f"barn 1,1 NW from 0,1 {PLAIN}")
        played.turn("place 2,0 0", "deploy meeple 2,0 monastery")
        for x in (3, 4):  # its owner's turn and the opponent's; the barn's tiles are all in range
            begin(played, f"place {x},0 0", "floor normal 1,0")
            assert legal(played.state) == ["pass", "capture 2,0 meeple of 1 monastery"]
            play(played.state, "pass")
        assert standing(played.state) == [(0, "meeple", 0, 0, "barn"), (1, "meeple", 2, 0, "monastery")]


def test_c3_a_knight_made_a_maiden_is_safe_from_a_floor_of_the_same_turn():
    for building, captures in (
        ("no building", ["capture 1,0 meeple of 0 city E"]),
        ("castle 2,0 city W", []),
    ):
        with Table("*plain E/90", "0 1,0 city E", deck="tower.K", boxes=TOWER_CASTLES) as played:
            begin(played, "place 2,0 270", building, "floor normal 2,0")
            assert (legal(played.state, "capture") if played.state.phase == "capture" else []) == captures


def test_c3_a_floor_and_a_castle_may_come_in_one_turn():
    with Table("*D", deck="tower.K", boxes=TOWER_CASTLES) as played:
        begin(played, "place 0,-1 180", "castle 0,-1 city S")
        assert "floor normal 0,-1" in legal(played.state)  # a castle does not block the foundation
        play(played.state, "floor normal 0,-1")
        assert [tile.floors for tile in played.state.board] == [(), ("normal",)]
        assert played.state.pieces.shared["castles"] == 5


def test_c3_a_castle_a_bridge_and_a_barn_neither_close_a_tower_nor_block_a_foundation():
    with Table("*D tower.I=EW", deck="plain plain", boxes=TOWER_CASTLES) as played:
        played.turn("place 0,1 0", "floor normal 1,0")
        begin(played, "place 0,2 0")
        assert legal(played.state, "floor", "tower") == ["floor normal 1,0", "tower meeple 1,0"]
    picture = """
        *plain tower.I
        plain  .
    """
    with Table(picture, f"0 0,1 {PLAIN}", deck="plain plain", boxes=TOWER_CASTLES) as played:
        begin(played, "place 1,1 0", f"barn 1,1 NW from 0,1 {PLAIN}")
        assert legal(played.state) == ["pass", "floor normal 1,0"]  # a barn and a floor in one turn
        play(played.state, "floor normal 1,0")
        begin(played, "place 2,0 0")
        assert legal(played.state) == ["pass", "floor normal 1,0", "tower meeple 1,0"]


def test_c3_a_bridge_and_a_follower_on_a_tower_may_come_in_one_turn():
    with Table("*D\ntower.I", "0 0,1: floor normal 0,1", deck="plain", boxes=TOWER_CASTLES) as played:
        played.turn("place 1,0 0 bridge EW", "tower meeple 0,1")
        assert standing(played.state) == [(1, "meeple", 0, 1, "tower")]


def test_c3_a_ransom_does_not_hinder_taking_back_a_maiden_but_a_floor_does_g10():
    picture = """
        A/270 *D
        B     tower.I
        .     E/180
        .     E
    """
    figures = ["0 -1,0 road E", "0 -1,1 monastery", "0 0,2 city S", "1 0,3: castle 0,3 city N; pass"]
    with Table(picture, *figures, deck="A plain", boxes=TOWER_CASTLES) as played:
        robbed = ("place 1,0 90", "floor normal 0,1", "capture -1,1 meeple of 0 monastery")
        assert played.turn(*robbed) == [(0, 3, "road")]
        ransom, back = "ransom meeple from 1", "take back maiden 0,2 castle S"
        begin(played, "place 0,4 0")
        state = played.state.copy()
        assert play(played.state, ransom, back) == [(0, -3, "ransom"), (1, 3, "ransom"), (0, 1, "maiden")]
        play(state, "floor normal 0,1")
        assert state.phase == "draw"


# -- C4

ABBOTS = {"boxes": ("tower",), "edition": "c2", "abbot": True}


def test_c4_the_abbot_cannot_stand_on_a_tower():
    with Table("*plain tower.I", "0 1,0: floor normal 1,0", deck="plain", **ABBOTS) as played:
        begin(played, "place 2,0 0")
        assert legal(played.state, "tower") == ["tower meeple 1,0"]
    monks = [f"0 {x},0 monastery" for x in range(-8, -1)]
    picture = "B B B B B B B tower.I *plain"
    with Table(picture, *monks, "0 -1,0: floor normal -1,0", deck="plain", players=1, **ABBOTS) as played:
        assert played.state.supply == ({"meeple": 0, "abbot": 1},)
        begin(played, "place 1,0 0")
        assert legal(played.state) == ["pass", "floor normal -1,0"]


@pytest.mark.parametrize(("tile", "spot"), [("base.A", "monastery"), ("base.U.g", "garden")])
def test_c4_the_abbot_can_be_captured_on_a_monastery_and_on_a_garden(tile, spot):
    turned = f"{tile}/90" if spot == "monastery" else tile
    figures = [f"0 1,0: deploy abbot 1,0 {spot}"]
    with Table(f"*D {turned}", *figures, deck="tower.I", **ABBOTS) as played:
        played.turn("place 1,1 0", "floor normal 1,1", f"capture 1,0 abbot of 0 {spot}")
        assert played.state.figures == ()
        assert played.state.prisoners == ({}, {("abbot", 0): 1})
        assert played.state.supply == ({"meeple": 7, "abbot": 0}, {"meeple": 7, "abbot": 1})


def test_c4_an_own_abbot_captured_goes_back_to_supply_without_points_t6():
    with Table("*plain B tower.I", "0 1,0: deploy abbot 1,0 monastery", deck="plain", **ABBOTS) as played:
        assert played.turn("place 3,0 0", "floor normal 2,0", "capture 1,0 abbot of 0 monastery") == []
        assert played.state.supply == ({"meeple": 7, "abbot": 1}, {"meeple": 7, "abbot": 1})


def test_c4_a_captured_abbot_can_be_ransomed_and_used_at_once_t8():
    picture = """
        A/270 *D
        B     tower.I
    """
    figures = ["0 -1,0 road E", "0 -1,1: deploy abbot -1,1 monastery"]
    with Table(picture, *figures, deck="A B", **ABBOTS) as played:
        robbed = ("place 1,0 90", "floor normal 0,1", "capture -1,1 abbot of 0 monastery")
        assert played.turn(*robbed) == [(0, 3, "road")]
        begin(played, "place 0,2 0")
        assert legal(played.state, "ransom") == ["ransom abbot from 1"]
        play(played.state, "ransom abbot from 1", "deploy abbot 0,2 monastery")
        assert standing(played.state) == [(0, "abbot", 0, 2, "monastery")]
        assert played.state.scores == (0, 3)


# -- C5


def test_c5_a_castle_and_a_watchman_may_come_in_one_turn():
    with Table("*D", deck="tower.K", boxes=THIEVES_CASTLES) as played:
        begin(played, "place 0,-1 180", "castle 0,-1 city S", "watchman 0,-1")
        assert standing(played.state) == [(0, "meeple", 0, -1, "tower")]
        assert played.state.pieces.shared["castles"] == 5
    with Table("*plain E/90", "0 1,0 city E", deck="tower.K", boxes=THIEVES_CASTLES) as played:
        begin(played, "place 2,0 270", "castle 2,0 city W", "watchman 2,0")
        assert standing(played.state) == [(0, "maiden", 1, 0, "castle E"), (1, "meeple", 2, 0, "tower")]


def test_c5_a_bridge_and_a_watchman_may_come_in_one_turn():
    with Table("*D", deck="tower.I", boxes=THIEVES_CASTLES) as played:
        begin(played, "place 1,0 0 bridge EW", "watchman 1,0")
        assert standing(played.state) == [(0, "meeple", 1, 0, "tower")]


def test_c5_a_barn_and_a_watchman_may_come_in_one_turn():
    picture = """
        *plain plain
        plain  .
    """
    with Table(picture, f"0 0,1 {PLAIN}", deck="tower.I", boxes=THIEVES_CASTLES) as played:
        barn = f"barn 1,1 NW from 0,1 {PLAIN}"
        assert played.turn("place 1,1 0", barn, "watchman 1,1") == [(0, 1, "barn")]  # he is no farmer (H8)
        assert standing(played.state) == [(0, "meeple", 0, 0, "barn"), (0, "meeple", 1, 1, "tower")]


def test_c5_a_watchman_and_a_maiden_taken_back_do_not_come_in_one_turn_g10():
    figures = ["0 1,0 city E", "1 2,0: castle 2,0 city W; pass"]
    with Table("*plain E/90 E/270", *figures, deck="tower.I", boxes=THIEVES_CASTLES) as played:
        begin(played, "place 3,0 0")
        assert {"watchman 3,0", "take back maiden 1,0 castle E"} <= {*legal(played.state)}
        assert play(played.state, "take back maiden 1,0 castle E") == [(0, 1, "maiden")]
        assert played.state.phase == "draw"


# -- C6


def test_c6_a_follower_on_a_bridge_triggers_the_watchtower_under_it():
    # watch.D: 3 for each monastery around, which is base.A in the east; the other one is too far.
    with Table("*D watch.D=EW", "0 1,0 road EW", deck="A A", boxes=WATCH_CASTLES) as played:
        played.turn("place 2,0 90")
        assert played.turn("place -1,0 270") == [(0, 3, "watchtower"), (0, 6, "road")]


def test_c6_a_follower_on_a_bridge_beside_the_watchtower_triggers_nothing():
    with Table("*D plain=EW watch.H/180", "0 1,0 road EW", deck="A", boxes=WATCH_CASTLES) as played:
        assert played.turn("place -1,0 270") == [(0, 6, "road")]


# -- C7


def test_c7_a_castle_on_a_watchtower_tiles_city_triggers_no_bonus():
    for building, expected in (
        ("no building", [(0, 2, "watchtower"), (0, 4, "city")]),
        ("castle 1,-1 city S", []),
    ):
        with Table("*plain watch.A", "0 1,0 city N", deck="E", boxes=WATCH_CASTLES) as played:
            assert played.turn("place 1,-1 180", building) == sorted(expected)


# -- river


def river_state(*boxes, **tiles):
    """A state of a game with these tiles of the deck besides a short river: spring, one tile, lake."""
    counts = {word.replace("_", "."): n for word, n in tiles.items()}
    return own_game({"river.A": 1, "river.L": 1, "plain": 2} | counts, "plain", boxes=("river", *boxes)).new_state()


def test_t3_a_follower_on_a_river_tile_can_be_captured_r3():
    state = river_state("tower", river_H=1, tower_I=1)
    play(state, "draw river.H", "place 1,0 0", "deploy meeple 1,0 monastery")
    play(state, "draw river.L", "place 2,0 0", "pass", "draw tower.I", "place 1,-1 0", "pass")
    play(state, "draw plain", "place 0,-1 0", "floor normal 1,-1", "capture 1,0 meeple of 0 monastery")
    assert state.prisoners == ({}, {("meeple", 0): 1})


def test_g8_a_castle_may_stand_half_on_a_river_tile():
    state = river_state("bridges-castles", castle_P=1, E=1)
    play(state, "draw castle.P", "place 1,0 0", "deploy meeple 1,0 city N")
    play(state, "draw river.L", "place 2,0 0", "pass", "draw E", "place 1,-1 180")
    play(state, "castle 1,-1 city S", "pass")
    assert standing(state) == [(0, "maiden", 1, -1, "castle S")]
    assert state.scores == (0, 0)


def test_g11_a_barn_may_stand_at_the_corner_of_river_tiles():
    state = river_state("bridges-castles", river_D=1, plain=4)
    play(state, "draw river.D", "place 1,0 0", "pass", "draw river.L", "place 2,0 0", "pass")
    play(state, "draw plain", "place 0,1 0", f"deploy meeple 0,1 {PLAIN}")
    play(state, "draw plain", "place 3,0 0", "draw plain", "place 1,1 0")
    assert legal(state) == ["no building", f"barn 1,1 NW from 0,1 {PLAIN}"]
    assert play(state, f"barn 1,1 NW from 0,1 {PLAIN}") == [(0, 1, "barn")]
    assert standing(state) == [(0, "meeple", 0, 0, "barn")]  # on the spring


# -- abbot


def test_g10_an_abbot_and_a_maiden_are_not_taken_back_in_one_turn_and_an_abbot_is_no_knight_b13():
    figures = ["0 1,0 city E", "1 2,0: castle 2,0 city W; pass", "0 3,0: deploy abbot 3,0 monastery"]
    options = {"boxes": ("bridges-castles",), "edition": "c2", "abbot": True}
    with Table("*plain E/90 E/270 B plain", *figures, deck="plain", **options) as played:
        begin(played, "place 5,0 0")
        both = ["take back abbot 3,0 monastery", "take back maiden 1,0 castle E"]
        assert sorted(legal(played.state, "take back")) == both
        assert play(played.state, both[1]) == [(0, 1, "maiden")]
        assert played.state.phase == "draw"
