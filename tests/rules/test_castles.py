"""G8-G10, G14: castles and their maidens."""

import pytest
from boards import Table, feature, legal, play

BOXES = ("bridges-castles",)
CAP = "field NL-NR-EL-ER-WL-WR"  # of base.E with its city to the south
PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
FULL = ({"meeple": 7}, {"meeple": 7})


def table(picture, *figures, deck="", **options):
    return Table(picture, *figures, deck=deck, **({"boxes": BOXES} | options))


def begin(played, *actions):
    """Draw the next tile and do some actions of the turn; returns the points."""
    return played.draw() + play(played.state, *actions)


def standing(state):
    return [(f.owner, f.kind, f.x, f.y, f.place) for f in state.figures]


def castles(state):
    return state.pieces.shared["castles"]


# -- G8


def test_g8_a_castle_can_be_put_on_a_city_of_two_tiles_that_the_placed_tile_closes():
    played = table("*D", deck="E")
    begin(played, "place 0,-1 180")
    assert (played.state.phase, played.state.current_player) == ("build", 0)
    assert legal(played.state) == ["no building", "castle 0,-1 city S"]
    play(played.state, "castle 0,-1 city S")
    assert played.state.phase == "figure"
    assert castles(played.state) == 5


@pytest.mark.parametrize("builder", [0, 1])
@pytest.mark.parametrize("owner", [0, 1])
def test_g8_the_meeple_in_it_becomes_a_maiden_and_the_city_is_not_scored(owner, builder):
    west = {(0, 1): "*plain E/90", (0, 0): "plain *plain E/90", (1, 0): "plain *plain E/90"}
    picture = west.get((owner, builder), "plain plain *plain E/90")
    with table(picture, f"{owner} 1,0 city E", deck="E") as played:
        assert played.state.turn_player == builder
        supply = played.state.supply
        assert begin(played, "place 2,0 270", "castle 2,0 city W") == []
        assert standing(played.state) == [(owner, "maiden", 1, 0, "castle E")]
        assert play(played.state, "pass") == []
        assert played.state.scores == (0, 0)
        assert played.state.supply == supply
        assert castles(played.state) == 5
        city = feature(played.state, 2, 0, "city W")
        assert (city.closed, city.points, city.figures) == (True, 0, ())


def test_g8_without_the_castle_the_city_is_scored():
    with table("*plain E/90", "0 1,0 city E", deck="E") as played:
        assert begin(played, "place 2,0 270", "no building", "pass") == [(0, 4, "city")]
        assert played.state.supply == FULL
        assert castles(played.state) == 6


def test_g8_the_maiden_stands_on_the_tile_of_the_two_that_comes_first_in_reading_order():
    # North of its neighbour, though placed later.
    with table("*plain\nE/180", deck="E") as played:
        begin(played, "place 0,2 0", "castle 0,2 city N", "deploy meeple 0,2 castle N")
        assert standing(played.state) == [(1, "maiden", 0, 1, "castle S")]


def test_g8_a_meeple_may_be_deployed_after_a_castle_with_a_maiden():
    with table("*plain E/90", "0 1,0 city E", deck="E") as played:
        begin(played, "place 2,0 270", "castle 2,0 city W")
        field = "field NL-NR-EL-ER-SL-SR"
        assert legal(played.state) == ["pass", f"deploy meeple 2,0 {field}"]
        play(played.state, f"deploy meeple 2,0 {field}")
        assert standing(played.state) == [(0, "maiden", 1, 0, "castle E"), (1, "meeple", 2, 0, field)]


def test_g8_on_an_empty_castle_a_maiden_may_be_deployed_but_no_knight_in_its_city():
    with table("*D", deck="E", farmers=False) as played:
        begin(played, "place 0,-1 180", "castle 0,-1 city S")
        assert legal(played.state) == ["pass", "deploy meeple 0,-1 castle S"]
        assert play(played.state, "deploy meeple 0,-1 castle S") == []
        assert standing(played.state) == [(0, "maiden", 0, -1, "castle S")]
        assert played.state.supply == ({"meeple": 6}, {"meeple": 7})


def test_g8_a_maiden_is_deployed_in_the_turn_of_the_castle_only_and_an_empty_castle_stays():
    with table("*D", deck="E plain plain") as played:
        begin(played, "place 0,-1 180", "castle 0,-1 city S", "pass")
        assert standing(played.state) == []
        for y in (1, 2):  # the opponent, then the builder
            begin(played, f"place 0,{y} 0")
            assert not [text for text in legal(played.state) if "castle" in text]
            play(played.state, "pass")
        assert castles(played.state) == 5
        assert feature(played.state, 0, -1, "city S").points == 0


def test_g8_a_knight_becomes_a_maiden_even_if_the_builder_has_no_meeple_left():
    # The builder, player 1, has seven monks on the board.
    picture = """
        plain plain plain plain plain plain plain *plain E/90
        .     B     B     B     B     B     B     B      .
    """
    monks = [f"1 {x},1 monastery" for x in range(-6, 1)]
    for knight in (["0 1,0 city E"], []):
        with table(picture, *monks, *knight, deck="E", farmers=False) as played:
            assert (played.state.turn_player, played.state.supply[1]) == (1, {"meeple": 0})
            begin(played, "place 2,0 270", "castle 2,0 city W")
            assert played.state.phase == "draw"  # nobody can be deployed, on an empty castle neither
            maidens = [figure for figure in standing(played.state) if figure[1] == "maiden"]
            assert maidens == [(0, "maiden", 1, 0, "castle E")] * len(knight)


def test_g8_no_castle_on_a_city_of_three_tiles():
    with table("F/90\n*D", "0 0,-1 city NS", deck="E") as played:
        begin(played, "place 0,-2 180")
        assert played.state.phase == "figure"
        assert play(played.state, "pass") == [(0, 8, "city")]


def test_g8_pennants_do_not_matter():
    with table("*plain cap/90", "0 1,0 city E", deck="cap") as played:
        begin(played, "place 2,0 270")
        assert legal(played.state) == ["no building", "castle 2,0 city W"]
        assert play(played.state, "castle 2,0 city W", "pass") == []


def test_g8_no_castle_on_a_city_closed_in_an_earlier_turn():
    with table("*D", deck="E plain") as played:
        begin(played, "place 0,-1 180", "no building", "pass")
        begin(played, "place 0,-2 0")
        assert played.state.phase == "figure"


def test_g8_six_castles_run_out_g1():
    # Seven small cities in a row; each is closed by its northern tile.
    with table("*E E E E E E E", deck="E " * 7) as played:
        for x in range(6):
            begin(played, f"place {x},-1 180", f"castle {x},-1 city S", "pass")
            assert castles(played.state) == 5 - x
        begin(played, "place 6,-1 180")
        assert played.state.phase == "figure"
        play(played.state, "deploy meeple 6,-1 city S")
        assert played.state.scores == (4, 0)  # it is scored as ever


def test_g8_castles_are_for_all_players_together():
    state = table("*E E", deck="E E", players=5)
    for x in range(2):
        begin(state, f"place {x},-1 180", f"castle {x},-1 city S", "pass")
    assert castles(state.state) == 4


# -- G9


def test_g9_a_castle_is_worth_3_for_a_field_at_the_end():
    with table("*plain E/90", deck="E plain", ends=True) as played:
        played.turn("place 2,0 270", "castle 2,0 city W", "deploy meeple 2,0 field NL-NR-EL-ER-SL-SR")
        assert played.turn("place 3,0 0") == [(1, 3, "field")]


def test_g9_a_castle_and_a_city_give_6():
    picture = """
        E/180 plain E/180
        *E    plain .
    """
    with table(picture, f"0 1,0 {PLAIN}", deck="E", ends=True) as played:
        assert played.turn("place 2,0 0", "castle 2,0 city N") == [(0, 6, "field")]


def test_g9_a_castle_counts_only_for_fields_that_touch_its_city_b12():
    with table("U *D U", "0 1,0 field NL-NR-EL-WR", "1 -1,0 field ER-SL-SR-WL", deck="E plain", ends=True) as played:
        played.turn("place 0,-1 180", "castle 0,-1 city S")
        assert played.turn("place 0,1 0") == [(0, 3, "field")]  # the southern field does not touch it


def test_g9_a_maiden_holds_no_majority_and_scores_nothing_at_the_end():
    with table("*plain E/90", "0 1,0 city E", deck="E plain", ends=True) as played:
        played.turn("place 2,0 270", "castle 2,0 city W")
        assert played.turn("place 3,0 0") == []
        assert played.state.is_terminal
        assert standing(played.state) == [(0, "maiden", 1, 0, "castle E")]
        assert played.state.scores == (0, 0)


# -- G10

COURT = """
    .    plain .      .    .
    .    B     .      .    .
    E/90 E/270 *plain E/90 E/270
    E/90 E/270 E/180  E/90 .
"""
COURTIERS = [
    "0 -1,0 city W",
    "1 -2,0: castle -2,0 city E; pass",
    "1 1,0 city E",
    "0 2,0: castle 2,0 city W; pass",
    "0 -1,1 city W",
    "0 -2,1: castle -2,1 city E; pass",
    "0 0,1 city S",
    "1 1,1 city E",
    "1 -1,-1 monastery",
]


def test_g10_a_maiden_taken_back_with_four_others_maidens_and_knights_pays_5():
    with table(COURT, *COURTIERS, deck="plain") as played:
        assert played.state.turn_player == 0
        begin(played, "place -1,-3 0")
        assert legal(played.state, "take back") == [
            "take back maiden -2,0 castle E",
            "take back maiden -2,1 castle E",
        ]
        assert play(played.state, "take back maiden -2,0 castle E") == [(0, 5, "maiden")]
        assert played.state.supply == ({"meeple": 5}, {"meeple": 4})
        assert played.state.phase == "draw"  # it is the figure action of the turn


def test_g10_only_own_maidens_and_one_a_turn():
    with table(COURT, *COURTIERS, deck="plain plain plain") as played:
        begin(played, "place -1,-3 0", "take back maiden -2,0 castle E")
        begin(played, "place -1,-4 0")
        assert legal(played.state, "take back") == ["take back maiden 1,0 castle E"]
        assert play(played.state, "take back maiden 1,0 castle E") == [(1, 4, "maiden")]
        begin(played, "place -1,-5 0")
        assert play(played.state, "take back maiden -2,1 castle E") == [(0, 3, "maiden")]


def test_g10_a_maiden_made_in_this_turn_cannot_be_taken_back_but_an_older_one_can():
    with table("*plain E/90", "0 1,0 city E", deck="E plain E E") as played:
        begin(played, "place 2,0 270", "castle 2,0 city W", "pass")
        begin(played, "place 3,0 0", "pass")
        begin(played, "place 0,-1 0", "pass")
        begin(played, "place 0,-2 180", "castle 0,-2 city S")
        assert legal(played.state, "take back") == ["take back maiden 1,0 castle E"]


def test_g10_a_knight_made_a_maiden_in_this_turn_cannot_be_taken_back():
    with table("plain *plain E/90", "0 1,0 city E", deck="E plain plain") as played:
        begin(played, "place 2,0 270", "castle 2,0 city W")
        assert legal(played.state, "take back") == []
        play(played.state, "pass")
        begin(played, "place 3,0 0", "pass")
        begin(played, "place 4,0 0")
        assert play(played.state, "take back maiden 1,0 castle E") == [(0, 1, "maiden")]


def test_g10_a_castle_in_the_same_turn_does_not_hinder_it():
    picture = """
        E/270 *plain E/90 E/270
        .     plain  .    .
    """
    with table(picture, "0 1,0 city E", "1 2,0: castle 2,0 city W; pass", deck="E") as played:
        begin(played, "place -2,0 90", "castle -2,0 city E")
        assert play(played.state, "take back maiden 1,0 castle E") == [(0, 1, "maiden")]


def test_g10_a_bridge_in_the_same_turn_does_not_hinder_it():
    with table("*D\nE/180\nE", "0 0,1 city S", "1 0,2: castle 0,2 city N; pass", deck="plain") as played:
        begin(played, "place 1,0 0 bridge EW")
        assert play(played.state, "take back maiden 0,1 castle S") == [(0, 1, "maiden")]


def test_g10_the_maiden_is_scored_before_closed_features_whose_knights_count_c1():
    picture = """
        G/90  .
        *D    .
        E/180 plain
        E     .
    """
    figures = ["1 0,-1 city NS", "0 0,1 city S", "1 0,2: castle 0,2 city N; pass"]
    with table(picture, *figures, deck="E") as played:
        begin(played, "place 0,-2 180")
        play(played.state, "take back maiden 0,1 castle S")
        events = [(event.player, event.points, event.source) for event in played.state.score_events]
        assert events == [(0, 2, "maiden"), (1, 6, "city")]


def test_g10_the_castle_stays_when_its_maiden_has_gone_and_nobody_enters_it():
    with table("plain *plain E/90", "0 1,0 city E", deck="E plain plain plain", ends=True) as played:
        played.turn("place 2,0 270", "castle 2,0 city W")
        played.turn("place 3,0 0", f"deploy meeple 3,0 {PLAIN}")
        played.turn("place 4,0 0", "take back maiden 1,0 castle E")
        assert standing(played.state) == [(1, "meeple", 3, 0, PLAIN)]
        assert played.turn("place 5,0 0") == [(1, 3, "field")]  # no figure step: there is nothing to do
        assert castles(played.state) == 5


# -- G14


def test_g14_of_two_small_cities_closed_together_one_becomes_a_castle_and_the_other_scores():
    picture = """
        *plain E/180
        plain  .
        plain  E
    """
    for castle, maiden, points in (
        ("castle 1,1 city N", (1, "maiden", 1, 0, "castle S"), [(0, 4, "city")]),
        ("castle 1,1 city S", (0, "maiden", 1, 1, "castle S"), [(1, 4, "city")]),
    ):
        with table(picture, "1 1,0 city S", "0 1,2 city N", deck="H") as played:
            begin(played, "place 1,1 0")
            assert legal(played.state) == ["no building", "castle 1,1 city N", "castle 1,1 city S"]
            assert play(played.state, castle, "pass") == points
            assert standing(played.state) == [maiden]
            assert castles(played.state) == 5
    with table(picture, "1 1,0 city S", "0 1,2 city N", deck="H") as played:
        begin(played, "place 1,1 0", "no building")
        assert play(played.state, "pass") == [(0, 4, "city"), (1, 4, "city")]


# -- what a state keeps


def test_castles_and_maidens_come_back_on_undo_and_are_part_of_bytes_and_key():
    def observed(state):
        return state.figures, state.features(), state.pieces.shared, state.scores, state.phase

    played = table("plain *plain E/90", "0 1,0 city E", deck="E plain plain")
    state = played.state
    steps = ["draw E", "place 2,0 270", "castle 2,0 city W", "pass", "draw plain", "place 3,0 0", "pass"]
    steps += ["draw plain", "place 4,0 0", "take back maiden 1,0 castle E"]
    marks = []
    for step in steps:
        marks.append((observed(state), state.to_bytes(), state.key))
        play(state, step)
    marks.append((observed(state), state.to_bytes(), state.key))
    assert len({data for _, data, _ in marks}) == len({key for *_, key in marks}) == len(marks)
    for seen, data, key in marks:
        twin = played.game.state_from_bytes(data)
        assert (observed(twin), twin.to_bytes(), twin.key) == (seen, data, key)
        assert twin.faults() == []
    for seen, data, key in reversed(marks[:-1]):
        state.undo()
        assert (observed(state), state.to_bytes(), state.key) == (seen, data, key)


def test_a_castle_without_a_maiden_and_a_plain_closed_city_are_different_states():
    castle, city = table("*D", deck="E"), table("*D", deck="E")
    castle.turn("place 0,-1 180", "castle 0,-1 city S")
    city.turn("place 0,-1 180")
    assert castle.state.board == city.state.board
    assert castle.state != city.state
    assert castle.state.key != city.state.key
