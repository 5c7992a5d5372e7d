"""The reference itself: Bridges & Castles (rules.md section 7)."""

import pytest

from . import Game, castles, watchtowers
from .scripted import begin, deal, lay, lay_fields, lines, own_file, position, stand, turn

FIELD = "field NL-NR-EL-ER-SL-SR-WL-WR"  # of castle.J


def build_castle(game, x, y, owner=None):
    """A castle of an earlier turn on base.E at (x, y) and below it, with a maiden of this owner if given."""
    lay(game, "base.E", x, y, 180)
    lay(game, "base.E", x, y + 1)
    if owner is not None:
        stand(game, owner, x, y, "city S")
    (city,) = [f for f in game.map.all_features() if f.kind == "city" and (x, y) in f.cells]
    castles.build_castle(game, city)
    game.castles[-1].new = False


# Bridges


def test_g1_fifteen_land_tiles_and_a_shared_supply():
    game = Game(boxes=["bridges-castles"])
    assert game.tiles_left == 71 + 15
    assert game.shared_pieces == {"bridges": 12, "castles": 6, "barns": 6}
    game = Game(boxes=["bridges-castles"], copies={"bridges-castles": 2})
    assert game.shared_pieces == {"bridges": 24, "castles": 12, "barns": 12}


def test_g2_a_tile_with_opposite_pure_fields_may_continue_a_road_by_a_bridge():
    game = position("bridges-castles")
    begin(game, "base.B")
    assert game.legal() == ["place -1,0 0 bridge EW", "place 0,1 0", "place 1,0 0 bridge EW"]
    game.apply("place 1,0 0 bridge EW")
    assert game.shared_pieces["bridges"] == 11
    assert ("base.B", 1, 0, 0, "EW", ()) in game.board()
    assert lines(game, "deploy meeple 1,0 road") == ["deploy meeple 1,0 road EW"]


def test_g2_no_bridge_without_two_opposite_pure_fields_or_without_bridges():
    game = position("bridges-castles")
    begin(game, "base.V")
    assert not any("bridge" in text for text in game.legal())
    game = position("bridges-castles")
    game.shared_pieces["bridges"] = 0
    begin(game, "base.B")
    assert game.legal() == ["place 0,1 0"]


def test_g2_a_later_road_tile_continues_the_bridge():
    game = position("bridges-castles")
    lay(game, "castle.J", 1, 0, 0, "EW")
    begin(game, "base.U", "place 2,0 0")
    (road,) = [f for f in game.features() if f[0] == "road"]
    assert road[2:5] == (3, 3, 2)
    assert road[6] == ((0, 0, "road EW"), (1, 0, "road EW"), (2, 0, "road EW"))


def test_g3_at_the_far_edge_lies_nothing_or_a_road():
    for far, legal in (
        (("base.A", 90), ["place 1,0 0 bridge EW"]),
        (("castle.J", 0), []),
    ):
        game = position("bridges-castles")
        lay(game, far[0], 2, 0, far[1])
        begin(game, "base.B")
        assert lines(game, "place 1,0") == legal


def test_g3_two_crossing_axes_in_need_of_a_bridge_are_not_legal():
    game = position("bridges-castles")
    lay(game, "base.A", 1, 1, 180)
    begin(game, "base.B")
    assert lines(game, "place 1,0") == []


def test_g4_bridges_never_follow_each_other_directly():
    game = position("bridges-castles")
    lay(game, "castle.J", 1, 0, 0, "EW")
    begin(game, "base.B")
    assert lines(game, "place 2,0") == []
    game = position("bridges-castles")
    lay(game, "castle.J", 2, 0, 0, "EW")
    begin(game, "base.B")  # at (1, 0) the far edge would meet the bridge
    assert lines(game, "place 1,0") == []


def test_g5_a_bridge_separates_nothing():
    game = position("bridges-castles")
    begin(game, "castle.J", "place 1,0 0 bridge EW")
    (field,) = [f for f in game.features() if f[0] == "field"]
    assert field[6] == ((0, 0, "field EL-WR"), (0, 0, "field ER-SL-SR-WL"), (1, 0, FIELD))
    assert lines(game, "deploy") == [f"deploy meeple 1,0 {FIELD}", "deploy meeple 1,0 road EW"]


def test_g6_a_tile_that_fits_only_with_a_bridge_is_not_discarded():
    game = position("bridges-castles")
    game.map.cells.clear()
    game.map.place(game.tiles["base.X"], 0, 0, 0)
    begin(game, "castle.J")
    assert game.legal() == [
        "place -1,0 0 bridge EW",
        "place 0,-1 0 bridge NS",
        "place 0,1 0 bridge NS",
        "place 1,0 0 bridge EW",
    ]


def test_section_9_g7_a_closed_road_of_4_tiles_with_one_bridge_pays_6():
    game = position("bridges-castles")
    lay(game, "castle.J", 1, 0, 0, "EW")
    lay(game, "base.A", 2, 0, 90)
    stand(game, 1, 1, 0, "road EW")
    assert turn(game, "base.A", "place -1,0 270") == [(1, 6, "road")]


def test_section_9_g7_a_closed_road_of_7_plain_tiles_and_2_bridges_pays_13():
    game = position("bridges-castles")
    for x in (1, 3):
        lay(game, "castle.J", x, 0, 0, "EW")
    for x in (2, 4, 5, 6):
        lay(game, "base.U", x, 0)
    lay(game, "base.A", 7, 0, 90)
    stand(game, 0, 2, 0, "road EW")
    stand(game, 1, 6, 0, "road EW")
    assert turn(game, "base.A", "place -1,0 270") == [(0, 13, "road"), (1, 13, "road")]


def over_and_under(game):
    """A road that leaves base.U at (20, 20) to the east and comes back over it by a bridge from the north."""
    lay(game, "base.U", 20, 20, 0, "NS")
    lay(game, "base.V", 20, 19, 270)
    lay(game, "base.V", 21, 19, 0)
    lay(game, "base.V", 21, 20, 90)
    lay(game, "base.A", 19, 20, 270)
    stand(game, 1, 20, 20, "road NS")


def test_section_9_g7_a_closed_loop_over_and_under_a_bridge_counts_4_for_that_tile():
    game = position("bridges-castles")
    over_and_under(game)
    assert turn(game, "base.A", "place 20,21 180") == [(1, 4 + 5, "road")]


def test_section_9_g7_a_bridge_in_an_open_road_counts_1_and_the_road_under_it_1_more():
    game = position("bridges-castles")
    over_and_under(game)
    lay(game, "castle.J", 1, 0, 0, "EW")
    roads = [f for f in game.features() if f[0] == "road"]
    assert [(f[1], f[2], f[3]) for f in roads] == [(False, 2, 2), (False, 2 + 4, 5)]


def test_g1_a_bridge_is_the_building_of_the_turn():
    game = position("bridges-castles")
    lay(game, "base.E", 1, -1, 180)
    stand(game, 1, 1, -1, "city S")
    assert turn(game, "base.E", "place 1,0 0 bridge EW") == [(1, 4, "city")]


# Castles


def test_g8_a_castle_takes_the_meeple_as_maiden_and_the_city_is_not_scored():
    game = position("bridges-castles")
    stand(game, 1, 0, 0, "city N")
    begin(game, "base.E", "place 0,-1 180")
    assert (game.phase, game.legal()) == ("build", ["castle 0,-1 city S", "no building"])
    game.apply("castle 0,-1 city S")
    assert game.figures() == [(1, "maiden", 0, -1, "castle S")]
    assert lines(game, "deploy") == ["deploy meeple 0,-1 field NL-NR-EL-ER-WL-WR"]
    game.apply("pass")
    assert (game.scores, game.shared_pieces["castles"]) == ([0, 0], 5)
    assert [f[1:6] for f in game.features() if f[0] == "city"] == [(True, 0, 2, 0, ())]


def test_g8_without_the_castle_the_city_is_scored():
    game = position("bridges-castles")
    stand(game, 1, 0, 0, "city N")
    assert turn(game, "base.E", "place 0,-1 180", "no building") == [(1, 4, "city")]


def test_g8_a_maiden_may_be_deployed_on_a_new_empty_castle_only():
    game = position("bridges-castles", farmers=False)
    lay(game, "base.E", 20, 20, 180)
    begin(game, "base.E", "place 20,21 0", "castle 20,21 city N")
    assert game.legal() == ["deploy meeple 20,21 castle N", "pass"]
    game.apply("deploy meeple 20,21 castle N")
    assert game.figures() == [(0, "maiden", 20, 20, "castle S")]
    assert game.supply[0]["meeple"] == 6

    game = position("bridges-castles", farmers=False)
    build_castle(game, 20, 20)
    begin(game, "base.E", "place 20,22 180")  # beside the old, empty castle
    assert lines(game, "deploy") == ["deploy meeple 20,22 city S"]


def test_g8_only_a_city_of_exactly_two_tiles_becomes_a_castle_while_castles_remain():
    game = position("bridges-castles")
    lay(game, "base.F", 0, -1, 90)
    begin(game, "base.E", "place 0,-2 180")
    assert game.phase == "figure"
    game = position("bridges-castles")
    game.shared_pieces["castles"] = 0
    begin(game, "base.E", "place 0,-1 180")
    assert game.phase == "figure"


def test_section_9_g9_a_castle_is_worth_3_for_a_field():
    game = position("bridges-castles")
    turn(game, "base.E", "place 0,-1 180", "castle 0,-1 city S")
    assert (3, ((0, 0, "field EL-WR"),)) in [(f[2], f[6]) for f in game.features()]


def test_section_9_g10_a_maiden_taken_back_with_4_others_and_knights_pays_5():
    game = position("bridges-castles")
    build_castle(game, 20, 20, owner=0)
    build_castle(game, 30, 20, owner=1)
    build_castle(game, 40, 20, owner=0)
    lay(game, "base.F", 50, 50)
    stand(game, 1, 50, 50, "city EW")
    stand(game, 1, 0, 0, "city N")
    stand(game, 1, 0, 0, "road EW")  # no knight
    begin(game, "base.E", "place 0,-1 180", "no building")
    assert lines(game, "take") == ["take back maiden 20,20 castle S", "take back maiden 40,20 castle S"]
    game.apply("take back maiden 20,20 castle S")
    assert game.score_events == [(0, 5, "maiden"), (1, 4, "city")]  # scored first, the knight counts
    assert (game.supply[0]["meeple"], game.turn) == (6, 1)


def test_g10_a_maiden_of_this_turn_cannot_be_taken_back():
    game = position("bridges-castles")
    stand(game, 0, 0, 0, "city N")
    begin(game, "base.E", "place 0,-1 180", "castle 0,-1 city S")
    assert lines(game, "take") == []
    game.apply("pass")
    turn(game, "base.U", "place 1,0 0")
    begin(game, "base.U", "place 2,0 0")
    assert lines(game, "take") == ["take back maiden 0,-1 castle S"]


def test_g14_of_two_small_cities_one_becomes_a_castle_and_the_other_scores():
    game = position("bridges-castles")
    lay(game, "base.E", 20, 19, 180)
    lay(game, "base.E", 20, 21)
    stand(game, 0, 20, 19, "city S")
    stand(game, 1, 20, 21, "city N")
    begin(game, "base.H", "place 20,20 0")
    assert game.legal() == ["castle 20,20 city N", "castle 20,20 city S", "no building"]
    game.apply("castle 20,20 city N")
    game.apply("pass")
    assert game.score_events == [(1, 4, "city")]
    assert game.figures() == [(0, "maiden", 20, 19, "castle S")]


# Barns


def three_fields(game, *owners):
    """Three field tiles of a 2x2 block without its south-east one; farmers of these owners on the first."""
    lay_fields(game, [(20, 20), (21, 20), (20, 21)])
    for owner in owners:
        stand(game, owner, 20, 20, FIELD)


def test_g11_a_barn_on_four_field_corners_takes_one_own_farmer():
    game = position("bridges-castles")
    three_fields(game, 0, 1)
    begin(game, "castle.J", "place 21,21 0")
    assert game.legal() == [f"barn 21,21 NW from 20,20 {FIELD}", "no building"]
    game.apply(game.legal()[0])
    assert game.figures() == [(0, "meeple", 20, 20, "barn"), (1, "meeple", 20, 20, FIELD)]
    assert game.shared_pieces["barns"] == 5


def test_g11_the_player_chooses_between_corners_and_farmers():
    game = position("bridges-castles")
    lay_fields(game, [(20, 20), (21, 20), (22, 20), (20, 21), (22, 21)])
    stand(game, 0, 20, 20, FIELD)
    stand(game, 0, 22, 20, FIELD)
    begin(game, "castle.J", "place 21,21 0")
    assert game.legal() == [
        f"barn 21,21 NE from 20,20 {FIELD}",
        f"barn 21,21 NE from 22,20 {FIELD}",
        f"barn 21,21 NW from 20,20 {FIELD}",
        f"barn 21,21 NW from 22,20 {FIELD}",
        "no building",
    ]
    game.apply(f"barn 21,21 NE from 20,20 {FIELD}")
    assert (0, "meeple", 21, 20, "barn") in game.figures()


def test_g11_no_barn_without_an_own_farmer_or_a_barn_left():
    game = position("bridges-castles")
    three_fields(game, 1)
    begin(game, "castle.J", "place 21,21 0")
    assert game.turn == 1
    game = position("bridges-castles")
    three_fields(game, 0)
    game.shared_pieces["barns"] = 0
    begin(game, "castle.J", "place 21,21 0")
    assert game.turn == 1


def test_g11_both_half_edges_at_a_corner_belong_to_one_field():
    # castle.L has different fields at the two halves of its north-east corner, base.J one at its north-west.
    for west, phase in (("castle.L", "figure"), ("base.W", "build")):
        game = position("bridges-castles")
        lay_fields(game, [(20, 20), (21, 20)])
        lay(game, west, 20, 21)
        stand(game, 0, 20, 20, FIELD)
        begin(game, "base.A", "place 21,21 90")
        assert game.phase == phase


def test_g11_a_city_at_the_corner_allows_no_barn():
    game = position("bridges-castles")
    lay_fields(game, [(20, 20), (20, 21)])
    lay(game, "base.E", 21, 20, 180)
    stand(game, 0, 20, 20, FIELD)
    game.shared_pieces["castles"] = 0
    begin(game, "base.E", "place 21,21 0")
    assert game.phase == "figure"


def test_section_9_g12_a_barn_with_4_farmers_on_the_board_pays_4_first_in_step_3():
    game = position("bridges-castles")
    three_fields(game, 0, 1, 1)
    lay_fields(game, [(30, 30)])
    stand(game, 1, 30, 30, FIELD)
    stand(game, 1, 0, 0, "road EW")  # no farmer
    events = turn(game, "castle.J", "place 21,21 0", f"barn 21,21 NW from 20,20 {FIELD}")
    assert events == [(0, 4, "barn")]


def test_g12_a_farmer_deployed_in_this_turn_counts():
    game = position("bridges-castles")
    three_fields(game, 0)
    events = turn(
        game,
        "base.V",
        "place 21,21 270",
        f"barn 21,21 NW from 20,20 {FIELD}",
        "deploy meeple 21,21 field ER-SL",
    )
    assert events == [(0, 2, "barn")]


def test_g12_a_farmer_on_a_barn_stays_a_farmer_of_its_field_and_never_moves_again():
    game = position("bridges-castles")
    three_fields(game, 0)
    turn(game, "castle.J", "place 21,21 0", f"barn 21,21 NW from 20,20 {FIELD}")
    (field,) = [f for f in game.features() if (20, 20, FIELD) in f[6]]
    assert field[5] == ((0, "meeple", 20, 20, "barn"),)
    turn(game, "base.U", "place 1,0 0")
    lay_fields(game, [(22, 20)])
    begin(game, "castle.J", "place 22,21 0")
    assert game.turn == 3  # no barn, and no figure either, as the field is occupied (B6, G13)


def test_g13_several_barns_may_stand_on_a_field():
    game = position("bridges-castles")
    three_fields(game, 0, 0)
    turn(game, "castle.J", "place 21,21 0", f"barn 21,21 NW from 20,20 {FIELD}")
    turn(game, "base.U", "place 1,0 0")
    lay_fields(game, [(22, 20)])
    turn(game, "castle.J", "place 22,21 0", f"barn 22,21 NW from 20,20 {FIELD}")
    assert game.figures() == [(0, "meeple", 20, 20, "barn"), (0, "meeple", 21, 20, "barn")]


def test_g12_a_farmer_on_a_barn_scores_its_field_at_the_end():
    game = position("bridges-castles")
    three_fields(game, 0)
    lay(game, "base.E", 20, 22, 180)
    lay(game, "base.E", 20, 23)
    turn(game, "castle.J", "place 21,21 0", f"barn 21,21 NW from 20,20 {FIELD}")
    deal(game, "base.U", filler=None)
    assert turn(game, "base.U", "place 1,0 0") == [(0, 3, "field")]


# Combinations


def test_c3_maidens_and_farmers_on_barns_cannot_be_captured_but_followers_on_bridges_can():
    game = position("tower", "bridges-castles")
    build_castle(game, 20, 20, owner=1)
    lay_fields(game, [(19, 19), (19, 20), (20, 19)])
    lay(game, "tower.I", 19, 21)
    stand(game, 1, 19, 20, FIELD)
    game.standing[-1].x, game.standing[-1].y, game.standing[-1].spot = 19, 19, "barn"
    game.floors[19, 21] = ["normal"] * 4
    lay(game, "castle.J", 18, 21, 0, "NS")
    stand(game, 1, 18, 21, "road NS")
    begin(game, "base.U", "place 1,0 0", "floor normal 19,21")
    assert game.legal() == ["capture 18,21 meeple of 1 road NS", "pass"]


def test_c3_a_castle_and_a_floor_may_come_in_one_turn():
    game = position("tower", "bridges-castles")
    stand(game, 1, 0, 0, "city N")
    begin(game, "tower.K", "place 0,-1 180", "castle 0,-1 city S")
    assert "floor normal 0,-1" in game.legal()


def test_c6_a_follower_on_a_bridge_triggers_the_watchtower_below():
    game = position("watchtowers", "bridges-castles", edition="c2")
    lay(game, "watch.D", 1, 0, 0, "EW")  # 3 per monastery
    lay(game, "base.A", 2, 0, 90)
    stand(game, 1, 1, 0, "road EW")
    assert turn(game, "base.A", "place -1,0 270") == [(1, 3, "watchtower"), (1, 6, "road")]


def test_c7_a_castle_triggers_no_bonus_for_its_meeple():
    game = position("watchtowers", "bridges-castles", edition="c2")
    stand(game, 1, 0, 0, "city N")
    assert turn(game, "watch.A", "place 0,-1 180", "castle 0,-1 city S", "pass") == []


@pytest.mark.parametrize(("x", "points"), [(21, 6), (22, 4)])
def test_w4_a_maiden_counts_if_one_of_her_tiles_is_in_the_area_and_so_do_farmers_on_barns(x, points):
    game = position("watchtowers", "bridges-castles", edition="c2")
    lay(game, "watch.A", 20, 20)
    lay(game, "base.B", 20, 18)
    build_castle(game, x, 21, owner=1)  # its second tile is outside
    three = [(18, 18), (19, 18), (18, 19), (19, 19)]
    lay_fields(game, three)
    stand(game, 1, 18, 18, FIELD)
    game.standing[-1].spot, game.standing[-1].cells = "barn", tuple(three)
    stand(game, 0, 20, 20, "city N")
    events = turn(game, "base.E", "place 20,19 180", "no building")
    assert events == [(0, points, "watchtower"), (0, 4, "city")]


def test_w4_bridges_count_as_roads_and_castles_neither_as_cities_nor_for_pennants(tmp_path):
    own = """[[tile]]
        id = "own.E"
        edges = "CFFF"
        cities = [{ edges = "N", pennants = 1 }]
        fields = [{ halves = ["EL", "ER", "SL", "SR", "WL", "WR"], cities = [0] }]
        """
    game = position("watchtowers", "bridges-castles", tiles=own_file(tmp_path, own))
    for x in (40, 50):
        lay(game, "own.E", x, 40)
    assert watchtowers.pennants(game, [(40, 40), (50, 40)]) == 2
    turn(game, "base.E", "place 40,39 180", "castle 40,39 city S")
    assert watchtowers.pennants(game, [(40, 40), (50, 40)]) == 1
    lay(game, "watch.H", 20, 20)
    lay(game, "castle.J", 21, 19, 0, "NS")
    assert watchtowers.road_tiles(game, [(20, 20), (21, 19)]) == 2
    build_castle(game, 30, 20)
    lay(game, "base.E", 31, 20)
    assert watchtowers.city_tiles(game, [(30, 20), (30, 21), (31, 20)]) == 1


def test_c1_a_maiden_taken_back_is_off_the_board_before_the_watchtowers_count():
    game = position("watchtowers", "bridges-castles", edition="c2")
    lay(game, "watch.A", 20, 20)
    build_castle(game, 21, 20, owner=0)
    stand(game, 1, 20, 20, "city N")
    begin(game, "base.E", "place 20,19 180", "no building", "take back maiden 21,20 castle S")
    assert game.score_events == [(0, 2, "maiden"), (1, 2, "watchtower"), (1, 4, "city")]
