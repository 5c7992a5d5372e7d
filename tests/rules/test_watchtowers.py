"""W1-W5: the watchtowers, what they count, when they pay and to whom."""

import pytest
from boards import Table, legal, play

from bastide import Game, Rules, RulesError

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"


def table(picture, *figures, **options):
    return Table(picture, *figures, **({"boxes": ("watchtowers",), "edition": "c2"} | options))


def turn(played, *actions):
    """The points of a turn without bonuses of nothing."""
    return [event for event in played.turn(*actions) if event[1]]


def order(played):
    """What the last step scored, as it came; without bonuses of nothing."""
    return [(e.player, e.points, e.source) for e in played.state.score_events if e.points]


# -- W1


def watchtowers(**options):
    """The watchtower tiles of a game: {letter: (tile, count)}."""
    game = Game(Rules(boxes=("watchtowers",), **options))
    return {tile.id[6]: (tile, n) for tile, n in game.selection.entries if tile.id.startswith("watch.")}


@pytest.mark.parametrize("edition", ["c1", "c2", "c3"])
def test_w1_twelve_tiles_join_the_deck(edition):
    state = Game(Rules(boxes=("watchtowers",), edition=edition)).new_state()
    assert state.tiles_left == sum(count for _, count, _ in state.draws()) == 71 + 12
    tiles = watchtowers(edition=edition)
    assert "".join(tiles) == "ABCDEFGHIJKL"
    assert all(n == 1 and tile.watchtower for tile, n in tiles.values())


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"edition": "c1"}, {"E": 3, "F": 3, "G": 2, "J": 2, "K": 2}),
        ({"edition": "c2"}, {"E": 3, "F": 3, "G": 2, "J": 2, "K": 2}),
        ({"edition": "c3"}, {"E": 2, "F": 1, "G": 2, "J": 1, "K": 1}),
        ({"edition": "c3", "watchtower_c3_tile": "J"}, {"E": 2, "F": 1, "G": 2, "J": 1, "K": 1}),
        ({"edition": "c3", "watchtower_c3_tile": "G"}, {"E": 2, "F": 1, "G": 1, "J": 2, "K": 1}),
    ],
)
def test_w1_four_tiles_have_fewer_fields_in_edition_c3(options, fields):
    tiles = watchtowers(**options)
    assert {letter: len(tiles[letter][0].fields) for letter in fields} == fields


def test_w1_the_editions_are_one_but_for_the_fields():
    c2, c3 = watchtowers(edition="c2"), watchtowers(edition="c3")
    for letter, (tile, _) in c2.items():
        other = c3[letter][0]
        assert (tile.edges, tile.roads, tile.watchtower) == (other.edges, other.roads, other.watchtower)
        assert tile.cities == other.cities
        assert (tile.fields == other.fields) == (letter not in "EFJK")


@pytest.mark.parametrize(
    ("edition", "tile", "fields"),
    [("c2", "watch.K", ["field NL-NR", "field SL-SR"]), ("c3", "watch.K3", ["field NL-NR-SL-SR"])],
)
def test_w1_the_fields_of_a_tile_are_those_of_its_edition(edition, tile, fields):
    state = Game(Rules(boxes=("watchtowers",), edition=edition)).new_state()
    play(state, f"draw {tile}", "place 0,1 0")
    assert legal(state, "deploy") == [f"deploy meeple 0,1 {spot}" for spot in ("city E", "city W", *fields)]


def test_w1_which_tile_changed_in_c3_is_a_question_of_edition_c3_only():
    with pytest.raises(RulesError, match=r"tiles of edition 'c3', not of 'c2': choose edition='c3', or leave"):
        Rules(boxes=("watchtowers",), edition="c2", watchtower_c3_tile="G")


def test_w1_nobody_can_stand_on_the_watchtower_itself():
    state = table("*D", deck="watch.A").state
    play(state, "draw watch.A", "place 0,-1 180")
    assert [text.split(" ", 3)[3] for text in legal(state, "deploy")] == [
        "road N",
        "city S",
        "field NL-WL-WR",
        "field NR-EL-ER",
    ]


def test_w1_copies_multiply_the_tiles_b14():
    state = Game(Rules(boxes=("watchtowers",), copies={"watchtowers": 3})).new_state()
    assert state.tiles_left == 71 + 36


@pytest.mark.parametrize("copies", [0, 11])
def test_w1_there_are_one_to_ten_copies_b14(copies):
    with pytest.raises(RulesError, match=r"'watchtowers' is not possible \(expected 1 to 10\)"):
        Rules(boxes=("watchtowers",), copies={"watchtowers": copies})


# -- W2


def test_w2_closing_a_road_pays_the_watchtower_its_follower_stands_beside():
    with table("*plain watch.A", "0 1,0 road S", deck="A") as played:
        assert turn(played, "place 1,1 180") == [(0, 2, "road"), (0, 2, "watchtower")]
        assert played.state.figures == ()


def test_w2_closing_a_city_pays_the_watchtower_its_follower_stands_beside():
    with table("*B watch.D", "0 1,0 city N", deck="E") as played:
        assert turn(played, "place 1,-1 180") == [(0, 3, "watchtower"), (0, 4, "city")]


def test_w2_a_follower_deployed_in_this_turn_is_paid_too():
    with table("*E B", deck="watch.D") as played:  # the monastery is at the corner of the new tile
        gained = turn(played, "place 0,-1 180", "deploy meeple 0,-1 city S")
        assert gained == [(1, 3, "watchtower"), (1, 4, "city")]


def test_w2_no_majority_is_asked():
    # Two followers of player 1 hold the road; that of player 0 stands beside the watchtower.
    picture = """
        watch.H *U    .     U     .     A/90
        .       plain plain plain plain plain
    """
    figures = ["0 -1,0 road E", "1 2,0 road EW", "1 4,0 road W"]
    with table(picture, *figures, deck="U U") as played:
        assert turn(played, "place 3,0 0") == []
        assert turn(played, "place 1,0 0") == [(0, 2, "watchtower"), (1, 6, "road")]


TWO_ON_A_ROAD = """
    .       plain plain B
    watch.H *U    .     watch.C
"""


def test_w2_every_follower_of_the_feature_is_paid_by_its_own_watchtower():
    # watch.H: 1 for each road tile, itself and the start tile. watch.C: 3 for the monastery.
    with table(TWO_ON_A_ROAD, "0 -1,0 road E", "1 2,0 road W", deck="U") as played:
        assert turn(played, "place 1,0 0") == [
            (0, 2, "watchtower"),
            (0, 4, "road"),
            (1, 3, "watchtower"),
            (1, 4, "road"),
        ]


def test_w2_two_followers_of_one_player_are_paid_each():
    figures = ["0 -1,0 road E", "0 2,0 road W"]
    with table(TWO_ON_A_ROAD, *figures, deck="U", players=1) as played:
        assert turn(played, "place 1,0 0") == [(0, 2, "watchtower"), (0, 3, "watchtower"), (0, 4, "road")]


def test_w2_each_payment_names_the_follower_that_it_is_for():
    figures = ["0 -1,0 road E", "0 2,0 road W"]
    with table(TWO_ON_A_ROAD, *figures, deck="U", players=1) as played:
        turn(played, "place 1,0 0")
        events = [event for event in played.state.score_events if event.source == "watchtower"]
        assert [(event.points, [(f.x, f.y) for f in event.figures]) for event in events] == [
            (2, [(-1, 0)]),
            (3, [(2, 0)]),
        ]


def test_w2_a_follower_on_another_feature_of_the_tile_triggers_nothing():
    with table("*B watch.A", "0 1,0 road S", deck="E") as played:
        assert turn(played, "place 1,-1 180") == []
        assert len(played.state.figures) == 1


def test_w2_a_follower_of_the_feature_on_another_tile_triggers_nothing():
    with table("*B watch.D", deck="E") as played:
        assert turn(played, "place 1,-1 180", "deploy meeple 1,-1 city S") == [(1, 4, "city")]


def test_w2_nothing_is_paid_before_the_feature_is_closed():
    with table("*B watch.D", "0 1,0 city N", deck="R E") as played:
        assert turn(played, "place 1,-1 90") == []
        assert turn(played, "place 2,-1 270") == []


def test_w2_a_road_from_the_watchtower_back_to_it_pays_its_one_follower_once():
    # The road ends at both sides of watch.H, which counts road tiles: itself and three bends.
    picture = """
        watch.H *V
        .       V/90
    """
    with table(picture, "0 -1,0 road E", deck="V") as played:
        assert turn(played, "place -1,1 180") == [(0, 4, "road"), (0, 4, "watchtower")]


def test_w2_farmers_trigger_nothing():
    for spot in ("field EL-ER-SL", "field SR-WL-WR"):
        with table("*plain watch.A", f"0 1,0 {spot}", deck="E A") as played:
            assert turn(played, "place 1,-1 180") == []
            assert turn(played, "place 1,1 180") == []
            assert len(played.state.figures) == 1


KEEP = """
    plain plain plain
    *plain keep plain
    plain A/180 .
"""  # own.keep is a watchtower that counts roads, with a monastery of its own


def test_w2_monks_trigger_nothing():
    with table(KEEP, "0 1,0 monastery", deck="plain") as played:
        assert turn(played, "place 2,1 0") == [(0, 9, "monastery")]
    with table("*plain keep", "0 1,0 monastery", deck="A") as played:
        assert turn(played, "place 1,1 180") == []  # the road of its tile is closed, but is not the monk's


def test_w2_abbots_trigger_nothing():
    with table(KEEP, "0 1,0: deploy abbot 1,0 monastery", deck="plain", abbot=True) as played:
        assert turn(played, "place 2,1 0") == [(0, 9, "monastery")]


def test_w2_a_monk_beside_the_watchtowers_tile_triggers_nothing():
    picture = """
        plain  plain plain
        *plain B     watch.D/90
        plain  plain .
    """
    with table(picture, "0 1,0 monastery", deck="plain") as played:
        assert turn(played, "place 2,1 0") == [(0, 9, "monastery")]


# -- W3


def test_w3_all_bonuses_are_paid_before_a_feature_is_scored_or_a_figure_goes_home_section_9():
    # One tile closes the roads of followers on two neighbouring tiles that pay 2 for each follower. Three
    # followers are in both areas; the third one comes with the closing tile, whose southern road stays open.
    picture = """
        *V          watch.A
        watch.B/270 .
    """
    with table(picture, "0 1,0 road S", "1 0,1 road E", deck="W") as played:
        turn(played, "place 1,1 90", "deploy meeple 1,1 road S")
        bonuses, roads = order(played)[:2], order(played)[2:]
        assert sorted(bonuses) == [(0, 6, "watchtower"), (1, 6, "watchtower")]
        assert sorted(roads) == [(0, 2, "road"), (1, 2, "road")]
        assert played.state.scores == (8, 8)
        assert played.state.supply == ({"meeple": 6}, {"meeple": 7})


def test_w3_a_city_and_a_road_closed_by_one_tile_are_scored_after_both_bonuses():
    # watch.L counts city tiles: itself, watch.G and base.D. watch.G counts road tiles: the same three.
    picture = """
        plain       watch.L/180 *plain
        watch.G/270 .           A/90
    """
    with table(picture, "0 -1,0 city S", "1 -2,1 road E", deck="D") as played:
        turn(played, "place -1,1 0")
        bonuses, features = order(played)[:2], order(played)[2:]
        assert sorted(bonuses) == [(0, 3, "watchtower"), (1, 3, "watchtower")]
        assert sorted(features) == [(0, 4, "city"), (1, 3, "road")]


# -- W4: the five subjects


def test_w4_two_per_follower_of_any_kind_and_colour_in_the_area():
    # A knight, two monks and a farmer; a third monk is two tiles away.
    picture = """
        B      .       B     .
        *plain watch.A plain .
        .      .       plain B
    """
    figures = ["0 1,0 city N", "1 0,-1 monastery", "0 2,-1 monastery", f"1 2,0 {PLAIN}", "0 3,1 monastery"]
    with table(picture, *figures, deck="E") as played:
        assert turn(played, "place 1,-1 180") == [(0, 4, "city"), (0, 8, "watchtower")]


def test_w4_an_abbot_counts_as_a_follower():
    figures = ["0 1,0 city N", "1 2,0: deploy abbot 2,0 garden"]
    with table("*plain watch.A park", *figures, deck="E", abbot=True) as played:
        assert turn(played, "place 1,-1 180") == [(0, 4, "city"), (0, 4, "watchtower")]


def test_w4_a_follower_deployed_in_this_turn_counts():
    with table("*plain watch.A plain", "0 1,0 city N", deck="E") as played:
        gained = turn(played, "place 1,-1 180", "deploy meeple 1,-1 field NL-NR-EL-ER-WL-WR")
        assert gained == [(0, 4, "city"), (0, 4, "watchtower")]


def test_w4_two_per_pennant_printed_on_the_tiles_of_the_area_section_9():
    # own.cap has one, own.twin three in two cities; another own.cap is two tiles away.
    picture = """
        cap/180 .
        twin    *plain
        watch.F .
    """
    with table(picture, "0 -1,1 city E", deck="cap") as played:
        assert turn(played, "place 0,1 270") == [(0, 6, "city"), (0, 8, "watchtower")]


def test_w4_one_per_tile_with_a_road_however_many_roads_it_has():
    # Itself, the crossing, base.A above and base.A below; base.U is two tiles away.
    picture = """
        *X A/90    plain U/90
        .  watch.G .     .
    """
    with table(picture, "0 1,1 road S", deck="A") as played:
        assert turn(played, "place 1,2 180") == [(0, 2, "road"), (0, 4, "watchtower")]


def test_w4_three_per_tile_with_a_monastery_and_nothing_for_gardens():
    # base.B above and base.A beside it; another base.B is two tiles away.
    picture = """
        park *B      plain B
        .    watch.C .     .
    """
    with table(picture, "0 0,1 road E", deck="A") as played:
        assert turn(played, "place 1,1 90") == [(0, 2, "road"), (0, 6, "watchtower")]


def test_w4_the_watchtowers_own_tile_is_in_its_area():
    # own.keep has a road and counts road tiles: itself and base.A.
    with table("*plain keep", "0 1,0 road S", deck="A") as played:
        assert turn(played, "place 1,1 180") == [(0, 2, "road"), (0, 2, "watchtower")]


def test_w4_one_per_tile_with_a_city_however_many_cities_it_has():
    # Itself, own.twin and the upper base.E; the lower one is two tiles away.
    picture = """
        *twin   plain
        watch.J .
        E/180   .
        E       .
    """
    with table(picture, "0 0,1 road E", deck="A") as played:
        assert turn(played, "place 1,1 90") == [(0, 2, "road"), (0, 3, "watchtower")]


def test_w4_all_eight_neighbours_are_the_area():
    # Eight road tiles around watch.H; the last one closes the road of two tiles to its east.
    picture = """
        V/270 *U      V
        U/90  watch.H .
        V/180 V/90    A/180
    """
    with table(picture, "0 0,1 road E", deck="X") as played:
        assert turn(played, "place 1,1 0") == [(0, 2, "road"), (0, 9, "watchtower")]


def test_w4_at_the_edge_of_the_board_empty_cells_count_nothing():
    # Three tiles in a row above nothing: the watchtower, the start tile and the closing tile.
    with table("*U", deck="watch.I A") as played:
        assert turn(played, "place 1,0 0", "deploy meeple 1,0 road W") == []
        assert turn(played, "place -1,0 270") == [(0, 2, "watchtower"), (0, 3, "road")]


# -- W4: worked values


CITY_OF_THREE = """
    {0} G/90 {0}
    .   *D   .
"""


def test_w4_two_per_follower_with_four_followers_pays_8_and_then_the_city_6_section_9():
    figures = ["0 0,-1 field EL-ER", "1 -1,-1 monastery", "0 1,-1 monastery"]
    with table(CITY_OF_THREE.format("B"), *figures, deck="watch.A") as played:
        turn(played, "place 0,-2 180", "deploy meeple 0,-2 city S")
        assert order(played) == [(1, 8, "watchtower"), (1, 6, "city")]


def test_w4_one_per_city_tile_with_four_tiles_pays_4_and_then_the_city_6_section_9():
    with table(CITY_OF_THREE.format("E"), deck="watch.L") as played:
        turn(played, "place 0,-2 180", "deploy meeple 0,-2 city S")
        assert order(played) == [(1, 4, "watchtower"), (1, 6, "city")]


def test_w4_one_per_road_tile_with_five_tiles_pays_5_section_9():
    picture = """
        *D watch.I A/90
        U  U       .
    """
    with table(picture, "0 1,0 road W", deck="A") as played:
        turn(played, "place -1,0 270")
        assert order(played) == [(0, 5, "watchtower"), (0, 3, "road")]


# -- W5


def test_w5_at_the_end_a_watchtower_pays_nothing():
    with table("*B watch.D", "0 1,0 city N", deck="plain", ends=True) as played:
        assert turn(played, "place 2,0 0") == [(0, 1, "city")]
        assert played.state.is_terminal


def test_w5_the_last_tile_of_the_game_still_triggers_watchtowers():
    with table("*B watch.D", "0 1,0 city N", deck="E", ends=True) as played:
        assert turn(played, "place 1,-1 180") == [(0, 3, "watchtower"), (0, 4, "city")]
        assert played.state.is_terminal
