"""G1-G7: bridges. Castles and barns are in test_castles.py and test_barns.py."""

import pytest
from boards import Table, feature, legal, own_game, play

from bastide import Game, Rules

BOXES = ("bridges-castles",)
PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"


def table(picture, *figures, deck="", **options):
    return Table(picture, *figures, deck=deck, **({"boxes": BOXES} | options))


def placements(played, cell=""):
    """Where the next tile can be laid: all, or on one cell."""
    played.draw()
    return legal(played.state, f"place {cell}") if played.state.phase == "place" else []


def bridges(state):
    """The bridges on the board, and how many are left."""
    return {(tile.x, tile.y): tile.bridge for tile in state.board if tile.bridge}, state.pieces.shared["bridges"]


# -- G1


def test_g1_fifteen_land_tiles_and_a_shared_supply():
    state = Game(Rules(boxes=BOXES)).new_state()
    assert state.tiles_left == 71 + 15
    assert state.pieces == ({}, {})
    assert state.pieces.shared == {"bridges": 12, "castles": 6, "barns": 6}


@pytest.mark.parametrize(("edition", "base"), [("c1", 72), ("c3", 71)])
def test_g1_the_river_tile_joins_the_river_r5(edition, base):
    state = Game(Rules(boxes=(*BOXES, "river"), edition=edition)).new_state()
    assert state.tiles_left == base + 15 + 11 + 1
    assert "castle.P" in {state.game.tiles[tile].id for tile, _, _ in state.draws()}


def test_g1_copies_multiply_tiles_and_supplies_b14():
    state = Game(Rules(boxes=BOXES, copies={"bridges-castles": 3})).new_state()
    assert state.tiles_left == 71 + 45
    assert state.pieces.shared == {"bridges": 36, "castles": 18, "barns": 18}


def test_g1_a_bridge_is_the_building_of_the_turn_so_no_castle_follows():
    # The same city closed from the west, without a road there.
    picture = """
        E/180 E/180
        {}    .
    """
    with table(picture.format("*D"), "1 1,-1 city S", deck="E") as played:
        played.draw()
        play(played.state, "place 1,0 0 bridge EW")
        assert played.state.phase == "figure"
        assert play(played.state, "pass") == [(1, 4, "city")]
    with table(picture.format("*E"), "1 1,-1 city S", deck="E") as played:
        played.draw()
        play(played.state, "place 1,0 0")
        assert legal(played.state) == ["no building", "castle 1,0 city N"]


def test_g1_a_bridge_is_the_building_of_the_turn_so_no_barn_follows():
    # The last tile of a block of fields, with a road to its west or not.
    for west, barns in (("A/270", []), ("plain", [f"barn 1,1 NW from 0,1 {PLAIN}"])):
        with table(f"*plain plain\n{west} .", f"0 0,1 {PLAIN}", deck="plain") as played:
            played.draw()
            play(played.state, legal(played.state, "place 1,1")[0])
            assert played.state.phase == ("build" if barns else "figure")
            assert legal(played.state, "barn") == barns


# -- G2


def test_g2_a_tile_with_opposite_fields_may_continue_a_road_by_a_bridge():
    assert placements(table("*D", deck="B")) == [
        "place -1,0 0 bridge EW",
        "place 1,0 0 bridge EW",
        "place 0,1 0",
    ]


def test_g2_the_bridge_is_built_with_the_placement_and_leads_to_the_opposite_edge():
    with table("*D", deck="plain") as played:
        played.draw()
        play(played.state, "place 1,0 0 bridge EW")
        assert bridges(played.state) == ({(1, 0): "EW"}, 11)
        road = feature(played.state, 1, 0, "road EW")
        assert road.segments == ((0, 0, "road EW"), (1, 0, "road EW"))
        assert (road.closed, road.open_edges) == (False, 2)


def test_g2_a_bridge_can_run_from_north_to_south():
    with table("*X", deck="G") as played:  # the city runs from east to west, under the bridge
        assert placements(played) == [
            "place 0,-1 0 bridge NS",
            "place -1,0 90 bridge EW",
            "place 1,0 90 bridge EW",
            "place 0,1 0 bridge NS",
        ]
        play(played.state, "place 0,1 0 bridge NS")
        assert bridges(played.state) == ({(0, 1): "NS"}, 11)


def test_g2_both_ends_of_a_bridge_are_road_edges_for_all_later_tiles():
    assert placements(table("*D plain=EW", deck="U"), "2,0") == ["place 2,0 0"]
    assert placements(table("*D plain=EW", deck="E"), "2,0") == []
    with table("*D plain=EW", deck="U") as played:
        played.turn("place 2,0 0")
        assert feature(played.state, 2, 0, "road EW").tiles == ((0, 0), (1, 0), (2, 0))


def test_g2_a_tile_without_two_opposite_fields_carries_no_bridge():
    for tile in ("V", "W", "N", "L"):
        assert not [text for text in placements(table("*D", deck=tile)) if "bridge" in text]


def test_g2_a_bridge_only_continues_a_road():
    assert not [text for text in placements(table("*E", deck="plain")) if "bridge" in text]
    assert not [text for text in placements(table("*D", deck="plain"), "0,1") if "bridge" in text]


def test_g2_a_tile_with_a_road_of_its_own_may_cross_over_it():
    with table("*D", deck="U U") as played:
        assert placements(played, "1,0") == ["place 1,0 0", "place 1,0 90 bridge EW"]
        play(played.state, "place 1,0 90 bridge EW")
        assert legal(played.state, "deploy meeple 1,0 road") == [
            "deploy meeple 1,0 road NS",
            "deploy meeple 1,0 road EW",
        ]
        play(played.state, "deploy meeple 1,0 road EW")
        assert feature(played.state, 1, 0, "road NS").figures == ()
        played.turn("place 1,1 90", "deploy meeple 1,1 road NS")  # the road under the bridge is another one
        assert len(feature(played.state, 1, 0, "road NS").figures) == 1
        assert feature(played.state, 1, 0, "road NS").tiles == ((1, 0), (1, 1))


def test_g2_the_edition_and_the_number_of_players_do_not_matter():
    for options in ({"edition": "c2"}, {"edition": "c3"}, {"players": 6}, {"farmers": False}):
        assert "place 1,0 0 bridge EW" in placements(table("*D", deck="B", **options))


def test_g2_no_bridge_without_the_box():
    assert placements(Table("*D", deck="B")) == ["place 0,1 0"]


# -- G3


def test_g3_a_bridge_whose_far_edge_meets_a_road_joins_both():
    picture = """
        *D    .     A/90
        plain plain plain
    """
    with table(picture, "1 2,0 road W", deck="plain") as played:
        assert placements(played, "1,0") == ["place 1,0 0 bridge EW"]
        play(played.state, "place 1,0 0 bridge EW")
        road = feature(played.state, 1, 0, "road EW")
        assert road.segments == ((0, 0, "road EW"), (1, 0, "road EW"), (2, 0, "road W"))
        assert [(f.owner, f.x) for f in road.figures] == [(1, 2)]
        assert "deploy meeple 1,0 road EW" not in legal(played.state)  # B6: the road is occupied
        assert bridges(played.state) == ({(1, 0): "EW"}, 11)


@pytest.mark.parametrize("far", ["plain", "E/270", "E", "G/90"])
def test_g3_a_bridge_whose_far_edge_meets_a_field_or_a_city_is_not_offered(far):
    picture = f"""
        *D    .     {far}
        plain plain {"E" if far == "G/90" else "plain"}
    """
    assert placements(table(picture, deck="plain"), "1,0") == []


def test_g3_a_road_at_the_far_edge_is_no_help_where_the_near_edge_is_no_road():
    # East of the gap lies a road's end, west of it a field.
    assert placements(table("*plain . A/270\nplain plain plain", deck="plain"), "1,0") == ["place 1,0 0"]
    assert placements(table("*plain . A/90\nplain plain plain", deck="plain"), "1,0") == []


def test_g3_two_crossing_axes_in_need_of_a_bridge_are_not_legal():
    picture = """
        *D    .
        plain A/180
    """
    assert placements(table(picture, deck="plain"), "1,0") == []
    assert placements(table(picture, deck="U"), "1,0") == ["place 1,0 0 bridge NS", "place 1,0 90 bridge EW"]


# -- G4


def test_g4_a_bridge_does_not_follow_a_bridge():
    assert placements(table("*D plain=EW", deck="plain"), "2,0") == []
    assert placements(table("*D plain=EW U", deck="plain"), "3,0") == ["place 3,0 0 bridge EW"]


def test_g4_the_far_end_of_a_bridge_does_not_meet_a_bridge_either():
    picture = """
        *D    .     plain{} U
        plain plain plain   plain
    """
    assert placements(table(picture.format("=EW"), deck="plain"), "1,0") == []
    assert placements(table(picture.replace("plain{}", "U"), deck="plain"), "1,0") == ["place 1,0 0 bridge EW"]


def test_g4_bridges_may_lie_side_by_side():
    assert placements(table("*X plain=EW\nX .", deck="plain"), "1,1") == ["place 1,1 0 bridge EW"]


# -- G5


def test_g5_the_field_under_a_bridge_stays_one_and_joins_what_lies_on_both_sides():
    with table("*D", deck="plain") as played:
        played.draw()
        play(played.state, "place 1,0 0 bridge EW")
        field = feature(played.state, 1, 0, PLAIN)
        assert field.segments == ((0, 0, "field EL-WR"), (0, 0, "field ER-SL-SR-WL"), (1, 0, PLAIN))


def test_g5_what_lies_under_a_bridge_can_be_occupied_and_so_can_the_bridge():
    spots = ["city NS", "road EW", "field EL-ER", "field WL-WR", "monastery"]
    for spot in spots:
        with table("*D", deck="castle.B") as played:
            played.draw()
            play(played.state, "place 1,0 90 bridge EW")
            assert legal(played.state, "deploy") == [f"deploy meeple 1,0 {spot}" for spot in spots]
            play(played.state, f"deploy meeple 1,0 {spot}")
            (figure,) = played.state.figures
            assert (figure.x, figure.y, figure.place) == (1, 0, spot)
            held = [f.kind for f in played.state.features() if f.figures]
            assert held == [spot.split(" ")[0]]


def test_g5_a_city_under_a_bridge_goes_on_and_is_scored():
    picture = """
        E/180 E/180
        *D    G/90=EW
    """
    with table(picture, "1 1,-1 city S", deck="E") as played:
        assert played.turn("place 1,1 0") == [(1, 6, "city")]


def test_g5_a_straight_river_tile_may_carry_a_bridge_over_the_river_g3():
    # The river bends right, right, right and left (R2), back to below river.H, whose road leads south:
    #     A D H D D G
    #     . . D G . D
    #     . . . G D G
    counts = {"river.A": 1, "river.D": 6, "river.G": 4, "river.H": 1, "river.L": 1, "A": 1, "plain": 2}
    state = own_game(counts, "plain", boxes=(*BOXES, "river")).new_state()
    for tile, cell, rotation in (
        ("D", "1,0", 0),
        ("H", "2,0", 0),
        ("D", "3,0", 0),
        ("D", "4,0", 0),
        ("G", "5,0", 0),
        ("D", "5,1", 90),
        ("G", "5,2", 90),
        ("D", "4,2", 0),
        ("G", "3,2", 180),
        ("G", "3,1", 0),
    ):
        play(state, f"draw river.{tile}", f"place {cell} {rotation}", "pass")
    play(state, "draw river.D")
    assert legal(state) == ["place 2,1 0 bridge NS"]
    play(state, "place 2,1 0 bridge NS")
    assert legal(state, "deploy") == [
        "deploy meeple 2,1 road NS",
        "deploy meeple 2,1 field NL-NR-EL-WR",
        "deploy meeple 2,1 field ER-SL-SR-WL",
    ]
    play(state, "deploy meeple 2,1 road NS")
    assert feature(state, 2, 1, "road NS").segments == ((2, 0, "road S"), (2, 1, "road NS"))
    play(state, "draw river.L", "place 1,1 180", "pass")
    assert play(state, "draw A", "place 2,2 180", "pass") == [(0, 5, "road")]  # two ends and a bridge
    assert state.faults() == []


# -- G6


# Every edge that is left is a road: a plain tile fits with a bridge only. n bridges are used.
def crossings(n, **options):
    return table("*X " + "castle.I=EW X " * n, **options)


def test_g6_a_tile_that_fits_only_with_a_bridge_is_not_discarded_b5():
    played = crossings(11, deck="plain")
    actions = placements(played)
    assert actions
    assert all("bridge" in text for text in actions)
    assert played.state.discards == 0


def test_g6_a_tile_that_fits_only_with_a_bridge_leaves_the_game_when_all_bridges_are_used_b5():
    played = crossings(12, deck="plain X")
    assert bridges(played.state)[1] == 0
    turn = played.state.turn
    assert placements(played) == []
    assert (played.state.phase, played.state.turn, played.state.discards) == ("draw", turn, 1)
    assert not [text for text in placements(played) if "bridge" in text]  # and no other bridge is offered


def test_g6_placements_with_and_without_a_bridge_stand_side_by_side():
    assert placements(table("*D", deck="E")) == [
        "place 0,-1 180",
        "place -1,0 0 bridge EW",
        "place -1,0 180 bridge EW",
        "place 1,0 0 bridge EW",
        "place 1,0 180 bridge EW",
        "place 0,1 90",
        "place 0,1 180",
        "place 0,1 270",
    ]


# -- G7

ONE_BRIDGE = "A/270 *D plain=EW"  # open to the east


def test_g7_a_closed_road_of_four_tiles_with_one_bridge_pays_6():
    with table(ONE_BRIDGE, "0 -1,0 road E", deck="A") as played:
        assert played.turn("place 2,0 90") == [(0, 6, "road")]
        assert played.state.supply == ({"meeple": 7}, {"meeple": 7})
        assert bridges(played.state) == ({(1, 0): "EW"}, 11)  # the bridge stays


def test_g7_a_road_of_seven_tiles_without_and_two_with_a_bridge_pays_13_to_both():
    picture = """
        A/270 *D    plain=EW .     plain=EW U     U U A/90
        .     plain plain    plain plain    plain . . .
    """
    with table(picture, "0 -1,0 road E", "1 7,0 road W", deck="U") as played:
        assert played.turn("place 2,0 0") == [(0, 13, "road"), (1, 13, "road")]


def test_g7_a_bridge_counts_when_it_closes_the_road_and_its_meeple_comes_back():
    picture = """
        A/270 *D    .     A/90
        .     plain plain plain
    """
    with table(picture, deck="plain") as played:
        turn = played.turn("place 1,0 0 bridge EW", "deploy meeple 1,0 road EW")
        assert turn == [(1, 6, "road")]
        assert played.state.figures == ()


def test_g7_a_bridge_over_a_road_counts_for_its_own_road_only():
    # The road under the bridge is another one: two ends and the tile between, 3 points.
    with table("*D U/90=EW", "0 1,0 road NS", deck="A A") as played:
        played.turn("place 1,-1 0")
        assert played.turn("place 1,1 180") == [(0, 3, "road")]


def test_g7_a_road_over_and_under_one_bridge_tile_pays_4_for_it():
    # From the monastery in the west under the bridge, round three bends and over it to the one in the south.
    picture = """
        .     V/270 *V
        A/270 U=NS  V/90
    """
    with table(picture, "1 0,1 road NW", deck="A") as played:
        assert played.turn("place -1,2 180") == [(1, 5 + 4, "road")]


def test_g7_a_ring_over_and_under_one_bridge_tile_pays_4_for_it():
    picture = """
        .      V/270  *V
        V/270  .      V/90
        V/180  V/90   plain
    """
    with table(picture, "0 0,1 road NW", deck="U") as played:
        assert placements(played, "-1,1") == ["place -1,1 0 bridge NS", "place -1,1 90 bridge EW"]
        play(played.state, "place -1,1 0 bridge NS")
        assert play(played.state, "pass") == [(0, 6 + 4, "road")]


def test_g7_a_bridge_in_an_open_road_counts_1_at_the_end():
    with table(ONE_BRIDGE, "0 -1,0 road E", deck="plain", ends=True) as played:
        assert feature(played.state, 1, 0, "road EW").points == 3
        assert played.turn("place 0,1 0") == [(0, 3, "road")]


def test_g7_an_open_road_over_and_under_a_bridge_counts_2_for_that_tile_at_the_end():
    picture = """
        .     V/270 *V
        A/270 U=NS  V/90
    """
    with table(picture, "1 0,1 road NW", deck="plain", ends=True) as played:
        assert played.turn("place 1,0 0") == [(1, 4 + 2, "road")]


def test_g7_a_bridge_has_no_influence_on_the_majority():
    picture = """
        A/270 *D    .     U     A/90
        .     plain plain plain plain
    """
    figures = ["0 -1,0 road E", "1 3,0 road W", "1 2,1: pass"]
    with table(picture, *figures, deck="plain") as played:
        assert played.turn("place 1,0 0 bridge EW") == [(0, 7, "road"), (1, 7, "road")]
