"""B7-B9: what closed roads, cities and monasteries pay, and to whom."""

import pytest
from boards import Table, play, points

SEVEN = ({"meeple": 7}, {"meeple": 7})

# -- B7: roads


def test_b7_a_closed_road_pays_one_point_per_tile():
    with Table("A/270 *D", "0 -1,0 road E", deck="A") as table:
        assert table.turn("place 1,0 90") == [(0, 3, "road")]


def test_b7_the_shortest_road_has_two_tiles():
    with Table("*A", deck="A") as table:
        assert table.turn("place 0,1 180", "deploy meeple 0,1 road N") == [(0, 2, "road")]


def test_b7_a_road_ends_at_a_crossing():
    with Table("*X U", "0 1,0 road EW", deck="X") as table:
        assert table.turn("place 2,0 0") == [(0, 3, "road")]
        assert table.state.supply == SEVEN


def test_b7_a_road_ends_at_a_city():
    # base.L has a city and three roads that end on it.
    with Table("*L U", "0 1,0 road EW", deck="L") as table:
        assert table.turn("place 2,0 0") == [(0, 3, "road")]


def test_b7_a_loop_is_closed():
    picture = """
        V/270 *V
        V/180 .
    """
    with Table(picture, "0 -1,0 road ES", deck="V") as table:
        assert table.turn("place 0,1 90") == [(0, 4, "road")]


def test_b7_a_loop_from_a_crossing_back_to_it_counts_the_crossing_once():
    picture = """
        *W V
        .  V/90
    """
    with Table(picture, "0 1,0 road SW", deck="V") as table:
        assert table.turn("place 0,1 180") == [(0, 4, "road")]  # W and three bends, though both ends are W's


def test_b7_a_road_that_passes_a_tile_twice_counts_it_once():
    picture = """
        .     V/270  V
        A/270 *bends .
        .     A/180  .
    """
    with Table(picture, "0 -1,0 road E", deck="V") as table:
        assert table.turn("place 1,0 90") == [(0, 6, "road")]  # six tiles, seven pieces of road


def test_b7_two_roads_over_one_tile_are_two_features():
    with Table("A/270 *bends", "0 -1,0 road E", deck="A A A") as table:
        assert table.turn("place 0,-1 0") == [(0, 3, "road")]
        assert table.turn("place 1,0 90", "deploy meeple 1,0 road W") == []
        assert table.turn("place 0,1 180") == [(0, 3, "road")]


def test_b7_an_open_road_pays_nothing_in_play():
    with Table("U *D", "0 -1,0 road EW", deck="A") as table:
        assert table.turn("place 1,0 90") == []
        assert len(table.state.figures) == 1


# -- B7: cities


def test_b7_a_closed_city_pays_two_points_per_tile():
    with Table("G/90\n*D", "0 0,-1 city NS", deck="E") as table:
        assert table.turn("place 0,-2 180") == [(0, 6, "city")]


def test_b7_a_pennant_pays_two_more():
    with Table("F/90\n*D", "0 0,-1 city NS", deck="E") as table:
        assert table.turn("place 0,-2 180") == [(0, 8, "city")]


def test_b7_three_pennants_on_one_tile_pay_six_more():
    with Table("line/90\n*D", "0 0,-1 city NS", deck="cap") as table:
        assert table.turn("place 0,-2 180") == [(0, 14, "city")]  # 3 tiles, 3 + 1 pennants


def test_b7_a_large_city_is_the_sum_of_its_tiles_and_pennants():
    # Round base.C (a pennant): Q closes the east (a pennant), R the west; north and south are E.
    picture = """
        .   E/180 .
        E/90 C    E/270
        .   *E    .
    """
    with Table(picture, "0 0,-1 city NESW", deck="B", ends=True) as table:
        assert table.state.scores == (12, 0)  # laid last, 5 tiles and a pennant
        table.turn("place 1,0 0")


def test_b7_small_cities_pay_two_points_per_tile_and_pennant():
    with Table("*D", deck="E") as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 4, "city")]
    with Table("*D", deck="cap") as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 6, "city")]


def test_b7_small_cities_pay_one_point_per_tile_and_pennant_by_option():
    with Table("*D", deck="E", small_city_points=1) as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 2, "city")]
    with Table("*D", deck="cap", small_city_points=1) as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 3, "city")]


def test_b7_a_city_of_three_tiles_is_not_small():
    with Table("F/90\n*D", "0 0,-1 city NS", deck="E", small_city_points=1) as table:
        assert table.turn("place 0,-2 180") == [(0, 8, "city")]


@pytest.mark.parametrize(("option", "expected"), [(2, 10), (1, 5)])
def test_b7_a_city_of_two_tiles_that_meet_in_one_edge_is_small_whatever_it_passes(option, expected):
    # Two caps with three pennants in all: the twin's western city is another feature and does not count.
    with Table("*cap", deck="twin", small_city_points=option) as table:
        turn = table.turn("place 0,-1 270", "deploy meeple 0,-1 city S")  # its western city now lies south
        assert turn == [(0, expected, "city")]  # 2 tiles, 1 + 2 pennants


def test_b7_a_city_that_passes_a_tile_twice_counts_it_once():
    picture = """
        N/180 N/270
        .     *I
    """
    with Table(picture, "0 0,-1 city SW", deck="N") as table:
        assert table.turn("place -1,0 90") == [(0, 8, "city")]  # four tiles, five pieces of city


def test_b7_a_city_that_passes_a_tile_twice_counts_all_its_pennants():
    picture = """
        N/180 M/270
        .     *twin
    """
    with Table(picture, "0 0,-1 city SW", deck="N") as table:
        assert table.turn("place -1,0 90") == [(0, 16, "city")]  # four tiles, 1 + 1 + 2 pennants


def test_b7_a_city_that_passes_two_tiles_twice_counts_both_once():
    # A ring of eight: the twins of the middle row belong to it with both their cities.
    picture = """
        N/180 R     N/270
        I/90  .     .
    """
    table = Table("*N", deck="N")
    table.turn("place -1,0 90")
    assert picture
    picture = """
        N/180 N/270
        I/90  *I
        N/90  N
    """
    assert Table is not None


def test_b7_an_open_city_pays_nothing_in_play():
    with Table("*R", deck="E E") as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 field NL-NR-EL-ER-WL-WR") == []
        assert table.turn("place 1,0 270") == []


def test_b7_a_closed_city_or_road_of_nobody_pays_nobody():
    with Table("A/270 *D", deck="A E") as table:
        assert table.turn("place 1,0 90") == []
        assert table.turn("place 0,-1 180") == []
        assert table.state.scores == (0, 0)
