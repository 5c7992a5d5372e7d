"""G11-G13: barns and the farmers that move onto them."""

import pytest
from boards import Table, feature, legal, play

BOXES = ("bridges-castles",)
PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
# A block of fields without its last tile, at 1,1.
BLOCK = """
    *plain plain
    plain  .
"""


def table(picture, *figures, deck="", **options):
    return Table(picture, *figures, deck=deck, **({"boxes": BOXES} | options))


def begin(played, *actions):
    """Draw the next tile and do some actions of the turn; returns the points."""
    return played.draw() + play(played.state, *actions)


def barns(played, *actions):
    """The barns that can be built after the next tile is placed."""
    begin(played, *actions)
    return legal(played.state, "barn") if played.state.phase == "build" else []


def standing(state):
    return [(f.owner, f.x, f.y, f.place) for f in state.figures]


# -- G11


def test_g11_a_barn_is_built_where_four_field_corners_meet_and_takes_a_farmer_of_that_field():
    with table(BLOCK, f"0 0,1 {PLAIN}", deck="plain") as played:
        begin(played, "place 1,1 0")
        assert (played.state.phase, played.state.current_player) == ("build", 0)
        assert legal(played.state) == ["no building", f"barn 1,1 NW from 0,1 {PLAIN}"]
        play(played.state, f"barn 1,1 NW from 0,1 {PLAIN}")
        assert standing(played.state) == [(0, 0, 0, "barn")]  # named by the block's north-western tile
        assert played.state.pieces.shared == {"bridges": 12, "castles": 6, "barns": 5}
        assert played.state.supply == ({"meeple": 6}, {"meeple": 7})


def test_g11_without_the_barn_everything_stays_as_it_is():
    with table(BLOCK, f"0 0,1 {PLAIN}", deck="plain") as played:
        assert begin(played, "place 1,1 0", "no building") == []
        assert standing(played.state) == [(0, 0, 1, PLAIN)]
        assert played.state.pieces.shared["barns"] == 6


@pytest.mark.parametrize(
    ("picture", "place", "corner", "farmer", "cell"),
    [
        ("*plain plain\nplain .", "1,1", "NW", "0,1", (0, 0)),
        ("*plain plain\n. plain", "0,1", "NE", "1,1", (0, 0)),
        (". *plain\nplain plain", "-1,0", "SE", "0,1", (-1, 0)),
        ("*plain .\nplain plain", "1,0", "SW", "1,1", (0, 0)),
    ],
)
def test_g11_a_barn_stands_at_any_corner_of_the_placed_tile(picture, place, corner, farmer, cell):
    with table(picture, f"0 {farmer} {PLAIN}", deck="plain", players=1) as played:
        assert barns(played, f"place {place} 0") == [f"barn {place} {corner} from {farmer} {PLAIN}"]
        play(played.state, f"barn {place} {corner} from {farmer} {PLAIN}")
        assert standing(played.state) == [(0, *cell, "barn")]


def test_g11_the_farmer_may_stand_anywhere_on_the_field():
    picture = """
        *plain plain plain plain plain
        plain  .     .     .     plain
    """
    with table(picture, f"0 4,1 {PLAIN}", deck="plain") as played:
        assert barns(played, "place 1,1 0") == [f"barn 1,1 NW from 4,1 {PLAIN}"]
        play(played.state, f"barn 1,1 NW from 4,1 {PLAIN}")
        assert standing(played.state) == [(0, 0, 0, "barn")]


# A road from north to south parts two fields until base.A closes it at 1,1, with a corner on either side.
TWO_FIELDS = """
    *plain U/90 plain
    plain  .    plain
"""


def test_g11_the_player_chooses_between_corners_and_farmers():
    with table(TWO_FIELDS, f"0 0,1 {PLAIN}", f"0 2,0 {PLAIN}", deck="A") as played:
        assert barns(played, "place 1,1 180") == [
            f"barn 1,1 NW from 2,0 {PLAIN}",
            f"barn 1,1 NE from 2,0 {PLAIN}",
            f"barn 1,1 NW from 0,1 {PLAIN}",
            f"barn 1,1 NE from 0,1 {PLAIN}",
        ]
        play(played.state, f"barn 1,1 NE from 0,1 {PLAIN}")
        assert standing(played.state) == [(0, 1, 0, "barn"), (0, 2, 0, PLAIN)]


def test_g11_of_the_farmers_of_two_players_only_the_own_one_moves():
    with table(TWO_FIELDS, f"0 0,1 {PLAIN}", f"1 2,1 {PLAIN}", deck="A") as played:
        assert barns(played, "place 1,1 180") == [
            f"barn 1,1 NW from 0,1 {PLAIN}",
            f"barn 1,1 NE from 0,1 {PLAIN}",
        ]
        assert play(played.state, f"barn 1,1 NE from 0,1 {PLAIN}", "pass") == [(0, 2, "barn")]


def test_g11_no_barn_without_an_own_farmer_on_the_field():
    assert barns(table(BLOCK, f"1 0,1 {PLAIN}", "0 1,0: pass", deck="plain"), "place 1,1 0") == []
    assert barns(table(BLOCK, deck="plain"), "place 1,1 0") == []


def test_g11_a_monk_or_a_robber_is_no_farmer():
    assert barns(table("*plain B\nplain .", "0 1,0 monastery", deck="plain"), "place 1,1 0") == []


def test_g11_no_barn_before_the_block_is_complete():
    assert barns(table("*plain plain", f"0 1,0 {PLAIN}", deck="plain", players=1), "place 0,1 0") == []


def test_g11_a_city_at_the_corner_of_one_tile_allows_no_barn():
    picture = """
        *plain E/180
        plain  .
    """
    with table(picture, f"0 0,1 {PLAIN}", deck="E") as played:
        begin(played, "place 1,1 0")
        assert legal(played.state) == ["no building", "castle 1,1 city N"]


def test_g11_no_barn_where_two_fields_meet_at_the_corner_of_one_of_the_four_tiles():
    # A road leads east under the corner: base.W has one field there, castle.L two.
    for west, built in (("W", 1), ("castle.L", 0)):
        with table(f"*plain plain\n{west} .", f"0 1,0 {PLAIN}", deck="A") as played:
            assert len(barns(played, "place 1,1 90")) == built


def test_g11_no_barn_where_two_fields_meet_at_the_corner_of_the_placed_tile():
    for last, built in (("W", 1), ("castle.L", 0)):
        with table("*plain plain\n. A/90", f"0 1,0 {PLAIN}", deck=last) as played:
            assert len(barns(played, "place 0,1 0")) == built


def test_g11_a_tile_with_a_bridge_of_an_earlier_turn_has_its_field_corner_g5():
    with table("*D plain=EW\nplain .", f"0 0,1 {PLAIN}", deck="plain") as played:
        assert barns(played, "place 1,1 0") == [f"barn 1,1 NW from 0,1 {PLAIN}"]


def test_g11_six_barns_run_out_g1():
    # A row of crossings with a farmer in each south-eastern corner; the row below completes a block a turn.
    farmers = [f"0 {x},0 field ER-SL" for x in range(1, 8)]
    with table("*X X X X X X X X X", *farmers, deck="X " * 8, players=1) as played:
        played.turn("place 1,1 0")
        for x in range(1, 7):
            barn = f"barn {x + 1},1 NW from {x},0 field ER-SL"
            assert played.turn(f"place {x + 1},1 0", barn) == [(0, 7, "barn")]  # those on barns count (G12)
            assert played.state.pieces.shared["barns"] == 6 - x
        begin(played, "place 8,1 0")
        assert played.state.phase != "build"


# -- G12


def test_g12_a_barn_with_four_farmers_on_the_board_pays_4():
    # Three more farmers, of both players, each in the bend of a road.
    picture = """
        .  V/90   .     .
        V  *plain plain V/180
        .  plain  .     .
        .  plain  .     .
    """
    farmers = [f"0 1,0 {PLAIN}", "1 0,-1 field NL-WR", "0 -1,0 field SR-WL", "1 2,0 field NR-EL"]
    with table(picture, *farmers, deck="plain") as played:
        turn = played.turn("place 1,1 0", f"barn 1,1 NW from 1,0 {PLAIN}")
        assert turn == [(0, 4, "barn")]


def test_g12_a_farmer_deployed_in_this_turn_counts_c1():
    with table(BLOCK, f"0 0,1 {PLAIN}", deck="V") as played:
        barn = f"barn 1,1 NW from 0,1 {PLAIN}"
        assert played.turn("place 1,1 270", barn, "deploy meeple 1,1 field ER-SL") == [(0, 2, "barn")]


def test_g12_only_farmers_count_and_not_robbers_knights_or_monks():
    picture = """
        . E      .     .
        B *plain plain A
        . plain  .     .
        . plain  .     .
    """
    figures = [f"0 0,1 {PLAIN}", "0 0,-1 city N", "1 -1,0 monastery", "1 2,0 road S"]
    with table(picture, *figures, deck="plain") as played:
        assert played.turn("place 1,1 0", f"barn 1,1 NW from 0,1 {PLAIN}") == [(0, 1, "barn")]


def test_g12_a_barn_and_a_maiden_taken_back_in_one_turn_score_before_what_the_tile_closes_c1():
    # base.A ends a road from the north and completes a block of fields in the west.
    picture = """
        .    .     .      A
        E/90 E/270 *plain U/90
        .    .     plain  .
        .    .     plain  .
    """
    figures = ["0 -1,0 city W", "1 -2,0: castle -2,0 city E; pass", f"0 0,1 {PLAIN}", "1 1,-1 road S"]
    with table(picture, *figures, deck="A") as played:
        begin(played, "place 1,1 180", f"barn 1,1 NW from 0,1 {PLAIN}", "take back maiden -2,0 castle E")
        events = [(event.player, event.points, event.source) for event in played.state.score_events]
        assert sorted(events[:2]) == [(0, 1, "barn"), (0, 1, "maiden")]
        assert events[2:] == [(1, 3, "road")]
        assert played.state.phase == "draw"


# A closed city touches the western of two fields that base.A joins at 1,1.
CITY_FIELDS = """
    E/180 .     .
    *E    U/90  plain
    plain .     plain
"""


def test_g12_the_farmer_on_a_barn_takes_part_in_the_final_scoring_of_its_field():
    with table(CITY_FIELDS, f"1 0,1 {PLAIN}", deck="A plain", ends=True) as played:
        assert played.turn("place 1,1 180", f"barn 1,1 NW from 0,1 {PLAIN}") == [(1, 1, "barn")]
        assert played.turn("place 0,2 0") == [(1, 3, "field")]


def test_g12_the_farmer_on_a_barn_counts_for_the_majority():
    with table(CITY_FIELDS, f"1 0,1 {PLAIN}", f"0 2,0 {PLAIN}", deck="A plain", ends=True) as played:
        assert played.turn("place 1,1 180", f"barn 1,1 NE from 0,1 {PLAIN}") == [(1, 2, "barn")]
        assert played.turn("place 0,2 0") == [(0, 3, "field"), (1, 3, "field")]


def test_g12_a_farmer_on_a_barn_never_moves_again():
    with table("*plain plain plain\nplain . .", f"1 0,1 {PLAIN}", deck="plain plain plain") as played:
        played.turn("place 1,1 0", f"barn 1,1 NW from 0,1 {PLAIN}")
        played.turn("place 0,2 0")
        assert barns(played, "place 2,1 0") == []
        assert standing(played.state) == [(1, 0, 0, "barn")]


# -- G13


def test_g13_several_barns_may_stand_on_one_field():
    with table(TWO_FIELDS, f"0 0,1 {PLAIN}", f"0 2,0 {PLAIN}", deck="A plain plain") as played:
        assert played.turn("place 1,1 180", f"barn 1,1 NW from 0,1 {PLAIN}") == [(0, 2, "barn")]
        played.turn("place 0,2 0")
        barn = f"barn 1,2 NW from 2,0 {PLAIN}"
        assert played.turn("place 1,2 0", barn) == [(0, 2, "barn")]
        assert standing(played.state) == [(0, 0, 0, "barn"), (0, 0, 1, "barn")]
        field = feature(played.state, 1, 2, PLAIN)
        assert [(f.owner, f.place) for f in field.figures] == [(0, "barn"), (0, "barn")]


def test_g13_nobody_goes_from_supply_onto_a_barn_and_its_field_is_occupied_b6():
    with table(BLOCK, f"0 0,1 {PLAIN}", deck="plain B") as played:
        played.turn("place 1,1 0", f"barn 1,1 NW from 0,1 {PLAIN}")
        begin(played, "place 2,1 0")
        assert legal(played.state) == ["pass", "deploy meeple 2,1 monastery"]


# -- what a state keeps


def test_barns_come_back_on_undo_and_are_part_of_bytes_and_key():
    played = table(TWO_FIELDS, f"0 0,1 {PLAIN}", f"0 2,0 {PLAIN}", deck="A")
    state = played.state
    begin(played, "place 1,1 180")
    before, key = state.to_bytes(), state.key
    seen = set()
    for action in legal(state):  # each corner with each farmer, and no building
        play(state, action)
        twin = played.game.state_from_bytes(state.to_bytes())
        assert twin.faults() == []
        assert (twin, twin.figures, twin.key) == (state, state.figures, state.key)
        seen.add((state.key, state.figures, state.pieces.shared["barns"]))
        state.undo()
        assert (state.to_bytes(), state.key) == (before, key)
    assert len({key for key, *_ in seen}) == 5
