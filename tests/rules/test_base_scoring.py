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
    picture = """
        .    E/180 .
        E/90 C     .
        .    *E    .
    """
    with Table(picture, "0 0,-1 city NESW", deck="E") as table:
        assert table.turn("place 1,-1 270") == [(0, 12, "city")]  # 5 tiles and a pennant


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


def test_b7_a_city_that_passes_a_tile_four_times_counts_it_once():
    picture = """
        N/180 R/180  N/270
        R/90  *stubs R/270
        N/90  R      .
    """
    with Table(picture, "0 1,-1 city SW", deck="N") as table:
        assert table.turn("place 1,1 0") == [(0, 20, "city")]  # nine tiles and a pennant


def test_b7_two_cities_over_the_same_tiles_are_two_features():
    picture = """
        . N/270
        . *I
    """
    with Table(picture, "0 0,-1 city SW", deck="I N") as table:
        assert table.turn("place -1,-1 180") == [(0, 6, "city")]
        assert table.turn("place -1,0 90", "deploy meeple -1,0 city NE") == [(0, 6, "city")]


def test_b7_an_open_city_pays_nothing_in_play():
    with Table("*R", deck="E E") as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 field NL-NR-EL-ER-WL-WR") == []
        assert table.turn("place 1,0 270") == []


def test_b7_a_closed_city_or_road_of_nobody_pays_nobody():
    with Table("A/270 *D", deck="A E") as table:
        assert table.turn("place 1,0 90") == []
        assert table.turn("place 0,-1 180") == []
        assert table.state.scores == (0, 0)


# -- B8


@pytest.mark.parametrize("hole", [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0)])
def test_b8_a_monastery_pays_nine_when_its_last_neighbour_is_placed_wherever_that_is(hole):
    # The monastery is at 2,0; the start tile far in the west keeps all eight neighbours free to be the last.
    cells = {(2 + dx, dy): "plain" for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    cells[2, 0] = "B"
    del cells[2 + hole[0], hole[1]]
    cells |= {(0, y): "plain" for y in (-1, 0, 1)}
    rows = [" ".join(("*" if (x, y) == (0, 0) else "") + cells.get((x, y), ".") for x in range(4)) for y in (-1, 0, 1)]
    table = Table("\n".join(rows), "1 2,0 monastery", deck="plain")
    with table:
        assert table.state.scores == (0, 0)
        assert table.turn(f"place {2 + hole[0]},{hole[1]} 0") == [(1, 9, "monastery")]
        assert table.state.supply == SEVEN


def test_b8_any_players_tile_may_complete_it():
    picture = """
        plain plain plain
        *plain B    plain
        plain plain .
    """
    for owner in (0, 1):
        with Table(picture, f"{owner} 1,0 monastery", deck="plain") as table:
            assert table.state.turn_player == 1
            assert table.turn("place 2,1 0") == [(owner, 9, "monastery")]


def test_b8_a_monastery_of_nobody_pays_nobody():
    picture = """
        plain plain plain
        *plain B    plain
        plain plain .
    """
    with Table(picture, deck="plain") as table:
        assert table.turn("place 2,1 0") == []


def test_b8_a_farmer_round_a_monastery_is_no_monk():
    picture = """
        plain plain plain
        *plain B    plain
        plain plain .
    """
    with Table(picture, "0 1,0 field NL-NR-EL-ER-SL-SR-WL-WR", deck="plain") as table:
        assert table.turn("place 2,1 0") == []
        assert len(table.state.figures) == 1


# -- B9: three cities that one tile joins and closes, 5 tiles, 10 points

ROUND = """
    plain E/180 plain
    E/90  .     E/270
    plain *E    plain
"""
NORTH, WEST, EAST = "0,-2 city S", "-1,-1 city E", "1,-1 city W"


def close(*figures, players=2):
    table = Table(ROUND, *figures, deck="city", players=players)
    with table:
        gained = table.turn("place 0,-1 0")
        assert table.state.figures == ()
        assert table.state.supply == ({"meeple": 7},) * players
    return gained


def test_b9_the_player_with_most_followers_scores_fully():
    assert close(f"1 {NORTH}", f"1 {WEST}", f"0 {EAST}") == [(1, 10, "city")]
    assert close(f"0 {NORTH}", f"1 {WEST}", f"0 {EAST}") == [(0, 10, "city")]


def test_b9_one_follower_is_a_majority_where_nobody_else_stands():
    assert close(f"1 {NORTH}") == [(1, 10, "city")]


def test_b9_tied_players_both_score_fully():
    assert close(f"0 {NORTH}", f"1 {EAST}") == [(0, 10, "city"), (1, 10, "city")]


def test_b9_three_tied_players_all_score_fully():
    figures = (f"0 {NORTH}", f"1 {WEST}", f"2 {EAST}")
    assert close(*figures, players=3) == [(player, 10, "city") for player in range(3)]


def test_b9_a_tie_of_two_leaves_the_others_out():
    assert close(f"3 {NORTH}", f"1 {WEST}", players=4) == [(1, 10, "city"), (3, 10, "city")]


def test_b9_the_majority_of_the_last_of_six_players():
    assert close(f"5 {NORTH}", players=6) == [(5, 10, "city")]


def test_b9_nobody_there_nobody_scores():
    assert close() == []


def test_b9_all_figures_of_a_scored_feature_go_home_and_no_others():
    picture = """
        A/270 *D U
        plain plain plain
    """
    figures = ["0 -1,0 road E", "1 1,1 field NL-NR-EL-ER-SL-SR-WL-WR"]
    with Table(picture, *figures, deck="A") as table:
        table.draw()
        play(table.state, "place 2,0 90")
        play(table.state, "deploy meeple 2,0 monastery")
        assert points(table.state) == [(0, 4, "road")]
        assert [(f.owner, f.place) for f in table.state.figures] == [
            (1, "field NL-NR-EL-ER-SL-SR-WL-WR"),
            (1, "monastery"),
        ]
        assert table.state.supply == ({"meeple": 7}, {"meeple": 5})
