"""B11, B12: what is scored at the end of the game, open features and fields."""

import pytest
from boards import Table, legal, play

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
CAP = "field NL-NR-EL-ER-WL-WR"  # of base.E with its city to the south
NORTH, SOUTH = "field NL-NR-EL-WR", "field ER-SL-SR-WL"  # of base.U


def final(picture, *figures, deck="plain", place="place 0,1 0", **options):
    """What the end brings after one more tile, which closes nothing and takes no figure."""
    with Table(picture, *figures, deck=deck, ends=True, **options) as table:
        gained = table.turn(place)
        assert table.state.is_terminal
        assert sum(points for _, points, _ in gained) == sum(table.state.scores)
        return gained


# -- B11


def test_b11_an_open_road_pays_one_point_per_tile():
    assert final("*D U", "0 1,0 road EW") == [(0, 2, "road")]


def test_b11_an_open_road_that_passes_a_tile_twice_counts_it_once():
    picture = """
        V/270  V
        *bends V/90
        A/180  .
    """
    gained = final(picture, "0 1,0 road NW", place="place 0,2 0")
    assert gained == [(0, 5, "road")]  # five tiles, six pieces of road; the western end is open


def test_b11_an_open_city_pays_one_point_per_tile_and_pennant():
    assert final("F/90\n*D", "0 0,-1 city NS") == [(0, 3, "city")]
    assert final("line/90\n*D", "0 0,-1 city NS") == [(0, 5, "city")]


def test_b11_an_open_city_that_passes_a_tile_twice_counts_it_once_and_all_pennants():
    picture = """
        N/180 R/270
        N/90  *twin
    """  # base.R is open to the north
    assert final(picture, "1 0,-1 city NSW") == [(1, 7, "city")]  # 4 tiles, 1 + 2 pennants


def test_b11_the_option_of_small_cities_changes_nothing_for_open_ones():
    assert final("F/90\n*D", "0 0,-1 city NS", small_city_points=1) == [(0, 3, "city")]


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        ("*plain B", 3),  # itself, the start tile and the last tile below that
        ("*plain B plain", 4),
        ("plain plain plain\n*plain B plain", 7),
        ("plain plain plain\n*plain B plain\n. . plain", 8),
    ],
)
def test_b11_a_monastery_pays_one_and_one_per_neighbour(picture, expected):
    assert final(picture, "0 1,0 monastery") == [(0, expected, "monastery")]


def test_b11_the_last_tile_is_placed_and_scored_as_any_other_before():
    # The road of three closes; the city of two tiles and no pennant stays open.
    with Table("G/90 .\n*D U", "1 0,-1 city NS", "0 1,0 road EW", deck="A A", ends=True) as table:
        table.turn("place -1,0 270")
        assert table.turn("place 2,0 90", "deploy meeple 2,0 monastery") == [
            (0, 4, "road"),
            (1, 2, "city"),
            (1, 2, "monastery"),
        ]


def test_b11_majorities_count_at_the_end_as_in_play():
    # Three cities joined by base.C; the fourth edge stays open: 4 tiles and a pennant.
    picture = """
        plain E/180 plain
        E/90  .     .
        plain *E    plain
    """

    def score(*figures, **options):
        return final(picture, *figures, deck="C", place="place 0,-1 0", **options)

    assert score("0 0,-2 city S", "1 -1,-1 city E") == [(0, 5, "city"), (1, 5, "city")]
    assert score("1 0,-2 city S") == [(1, 5, "city")]
    assert score() == []


def test_b11_two_against_one_at_the_end():
    picture = """
        plain E/180 plain
        G     .     E/270
        plain *E    plain
    """  # base.G keeps the city open to the west
    figures = ["0 0,-2 city S", "1 -1,-1 city EW", "1 1,-1 city W"]
    assert final(picture, *figures, deck="city", place="place 0,-1 0") == [(1, 5, "city")]


def test_b11_every_kind_of_feature_is_scored_at_the_end():
    picture = """
        .     E/180 E
        A/270 *D    U
    """
    figures = ["0 -1,0 monastery", "0 1,0 road EW", f"1 0,-1 {CAP}", "1 1,-1 city N"]
    assert final(picture, *figures) == [(0, 3, "road"), (0, 4, "monastery"), (1, 1, "city"), (1, 3, "field")]


def test_b11_what_nobody_holds_pays_nobody():
    assert final("E/180 .\n*D U") == []


# -- B12


def test_b12_a_field_pays_three_points_for_a_closed_city():
    with Table("*D", deck="E", ends=True) as table:
        assert table.turn("place 0,-1 180", f"deploy meeple 0,-1 {CAP}") == [(0, 3, "field")]


def test_b12_different_closed_cities_count_each():
    picture = """
        .    E/180 .
        E/90 *I    plain
    """  # base.I has a city to the north and one to the west
    assert final(picture, f"0 1,0 {PLAIN}") == [(0, 6, "field")]


def test_b12_open_cities_do_not_count():
    assert final(". E/180 .\n. *I plain", f"0 1,0 {PLAIN}") == [(0, 3, "field")]
    assert final("*I plain", f"0 1,0 {PLAIN}") == []


def test_b12_a_city_that_touches_the_field_on_several_tiles_counts_once():
    picture = """
        E/180 plain
        *E    plain
    """
    assert final(picture, f"0 1,0 {PLAIN}") == [(0, 3, "field")]


def test_b12_a_city_that_touches_the_field_twice_on_one_tile_counts_once():
    picture = """
        N/180 N/270 .
        N/90  *I    plain
    """  # both cities of base.I are one
    assert final(picture, f"0 1,0 {PLAIN}") == [(0, 3, "field")]


def test_b12_a_large_city_counts_no_more_than_a_small_one():
    assert final("E/180\nF/90\nF/90\n*E", "0 0,-1 field EL-ER") == [(0, 3, "field")]


def test_b12_a_city_counts_for_each_field_that_touches_it():
    picture = """
        E/180 .
        *D    U
    """
    assert final(picture, f"0 0,-1 {CAP}", f"1 1,0 {NORTH}") == [(0, 3, "field"), (1, 3, "field")]


def test_b12_a_closed_city_counts_only_where_it_touches():
    assert final("E/180 .\n*D U", f"0 1,0 {SOUTH}") == []  # the road lies between
    assert final("E/180 .\n*D U", f"0 1,0 {NORTH}") == [(0, 3, "field")]


def test_b12_a_field_on_the_tile_of_a_closed_city_need_not_touch_it():
    # base.K has a city to the north, and a road that cuts a corner off its field.
    assert final(". E/180\n*U K", "0 1,0 field SR-WL", place="place 0,-1 0") == []
    assert final(". E/180\n*U K", "0 1,0 field EL-ER-SL-WR", place="place 0,-1 0") == [(0, 3, "field")]


def test_b12_a_city_with_knights_of_others_counts_as_well():
    with Table("*D", deck="E plain", ends=True) as table:
        table.turn("place 0,-1 180", "deploy meeple 0,-1 city S")
        assert table.turn("place 0,-2 0", f"deploy meeple 0,-2 {PLAIN}") == [(1, 3, "field")]
        assert table.state.scores == (4, 3)


def test_b12_fields_pay_nothing_in_play_and_farmers_stay_to_the_end():
    with Table("*D", deck="E A plain", ends=True) as table:
        assert table.turn("place 0,-1 180", f"deploy meeple 0,-1 {CAP}") == []
        assert table.state.supply[0] == {"meeple": 6}
        assert table.turn("place 1,0 90") == []
        assert table.state.supply[0] == {"meeple": 6}
        assert table.turn("place 0,1 0") == [(0, 3, "field")]


# Four fields inside a ring of city, which the last tile joins to one.
RING = """
    N/180 G  N/270
    G/90  .  G/90
    N/90  *G N
"""
NORTHERN, WESTERN, EASTERN = "0,-2 field SL-SR", "-1,-1 field EL-ER", "1,-1 field WL-WR"


def ring(*figures, **options):
    return final(RING, *figures, place="place 0,-1 0", **options)


def test_b12_a_field_walled_in_on_all_sides_is_not_scored_before_the_end():
    with Table(RING, "0 0,-2 field SL-SR", deck="plain plain", ends=True) as table:
        assert table.turn("place 0,-1 0") == []
        assert table.turn("place 0,1 0") == [(0, 3, "field")]


def test_b12_the_player_with_most_farmers_scores_the_field():
    assert ring(f"0 {NORTHERN}", f"1 {WESTERN}", f"1 {EASTERN}") == [(1, 3, "field")]
    assert ring(f"0 {NORTHERN}", f"0 {WESTERN}", f"1 {EASTERN}") == [(0, 3, "field")]


def test_b12_tied_farmers_all_score():
    assert ring(f"0 {NORTHERN}", f"1 {EASTERN}") == [(0, 3, "field"), (1, 3, "field")]
    figures = (f"0 {NORTHERN}", f"1 {WESTERN}", f"2 {EASTERN}")
    assert ring(*figures, players=3) == [(player, 3, "field") for player in range(3)]
    assert ring(f"2 {NORTHERN}", f"3 {EASTERN}", players=4) == [(2, 3, "field"), (3, 3, "field")]


def test_b12_a_field_of_nobody_pays_nobody():
    assert ring() == []


def test_b12_an_inner_field_touches_the_city_round_it():
    picture = """
        E/90 yard/180 E/270
        .    *E       .
    """
    assert final(picture, "0 0,-1 field inside") == [(0, 3, "field")]


def test_b12_an_inner_field_counts_each_city_it_touches_once():
    picture = """
        .     E/180 .
        E/90  stubs .
        .     *E    .
    """
    with Table(picture, "0 0,-1 field inside", deck="E plain", ends=True) as table:
        table.turn("place 1,-1 270")
        assert table.turn("place 0,1 0") == [(0, 12, "field")]


def test_b12_a_road_that_ends_leaves_the_field_whole():
    # The road into base.A ends at the monastery: its field lies north and south of the road.
    assert final("E/180 .\n*D A/90", f"0 1,0 {PLAIN}") == [(0, 3, "field")]


def test_b12_halves_of_a_field_edge_meet_the_halves_across():
    # Two walls one above the other: the western fields are one, the eastern ones another.
    west, east = "field NL-SR-WL-WR", "field NR-EL-ER-SL"
    picture = """
        E/180 .
        *E    wall
        .     wall
    """
    assert final(picture, f"0 1,1 {west}", f"1 1,0 {east}", place="place 2,1 0", deck="plain") == [(0, 3, "field")]


def test_b12_without_farmers_fields_cannot_be_occupied():
    table = Table("*D", deck="U plain", farmers=False)
    with table:
        table.draw()
        play(table.state, "place 1,0 0")
        assert legal(table.state) == ["pass", "deploy meeple 1,0 road EW"]
        play(table.state, "pass")
        table.draw()
        play(table.state, "place 0,1 0")
        assert (table.state.phase, table.state.turn) == ("draw", 2)  # a field alone: no figure step


def test_b12_without_farmers_all_else_is_as_before():
    assert final("*D U", "0 1,0 road EW", farmers=False) == [(0, 2, "road")]
    with Table("*D", deck="E", farmers=False) as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 4, "city")]
