"""T4, T5, T11: what a tower reaches. The pictures are explained in tests/towers.py."""

import pytest
from boards import Table, legal, play
from towers import build, check_range, reached

NINE = """
    o o o - o o o
    o - - # - - o
    o - - # - - o
    - # # T # # -
    o - - # - - o
    o - - # - - o
    o o o - o o o
"""
FIVE = """
    - - - - -
    - - # - -
    - # T # -
    - - # - -
    - - - - -
"""
ONE = FIVE.replace("#", "-")
GAPS = """
    o o o # o o o
    o o o # o o o
    o o o # o o o
    . # # T . - -
    o o o # o o o
    o o o . o o o
    o o o - o o o
"""


def normal(n):
    return ["normal"] * n


# -- T4


def test_t4_a_tower_of_height_1_has_5_tiles_in_range():
    check_range(FIVE, *normal(1))
    assert len(reached(build(FIVE, *normal(1)))) == 5


def test_t4_a_tower_of_height_2_has_9_tiles_in_range():
    check_range(NINE, *normal(2))
    assert len(reached(build(NINE, *normal(2)))) == 9


def test_t4_each_further_floor_adds_a_tile_in_each_direction():
    picture = """
        o o o # o o o
        o o - # - o o
        o - - # - - o
        # # # T # # #
        o - - # - - o
        o o - # - o o
        o o o # o o o
    """
    check_range(picture, *normal(3))
    assert len(reached(build(picture, *normal(3)))) == 13


@pytest.mark.parametrize("height", [4, 9, 20, 30])
def test_t4_the_height_of_a_tower_has_no_limit(height):
    row = ["#" if x in (1, height - 1, height) else "o" for x in range(1, height + 1)]
    check_range(" ".join(["T", *row, "-"]), *normal(height))


@pytest.mark.parametrize("height", [2, 5, 17, 30])  # 30 are all the floors that six players have
def test_t4_a_tower_may_be_higher_than_the_board_is_wide(height):
    picture = """
        - # -
        # T #
    """
    everywhere = picture.replace("-", "#")
    check_range(picture, *normal(height))
    check_range(picture, *normal(height), tower_gaps="cross")
    check_range(everywhere, *normal(height), tower_diagonal=True)
    check_range(everywhere, *normal(height), tower_diagonal=True, tower_gaps="cross")


def test_t4_it_does_not_matter_what_lies_between():
    # Cities, a road and a monastery.
    picture = "B E/90 E/270 A/270 A/90 tower.I *plain"
    with Table(picture, "1 -6,0 monastery", deck="B " * 5, boxes=("tower",)) as table:
        for y in range(1, 5):
            assert table.turn(f"place 0,{y} 0", "floor normal -1,0") == []  # nobody in range yet
        table.draw()
        play(table.state, "place 0,5 0", "floor normal -1,0")
        assert legal(table.state) == ["pass", "capture -6,0 meeple of 1 monastery"]


def test_t4_other_towers_and_followers_on_them_do_not_block():
    with Table("B tower.I tower.I *plain", "0 -3,0 monastery", deck="B B B B", boxes=("tower",)) as table:
        table.turn("place 1,0 0", "floor normal -1,0")
        table.turn("place 2,0 0", "floor normal -2,0")
        table.turn("place 3,0 0", "tower meeple -2,0")
        table.draw()
        play(table.state, "place 4,0 0", "floor normal -1,0")
        assert legal(table.state, "capture") == [
            "capture -3,0 meeple of 0 monastery",
            "capture -2,0 meeple of 1 tower",
        ]


# -- T5


def test_t5_by_default_the_range_ends_at_the_first_gap_in_each_direction():
    check_range(GAPS, *normal(3))
    check_range(GAPS, *normal(3), tower_gaps="block")


def test_t5_with_the_option_cross_the_range_goes_over_gaps():
    check_range(GAPS.replace("-", "#"), *normal(3), tower_gaps="cross")


def test_t5_a_gap_that_is_crossed_counts_as_a_tile_of_the_distance():
    picture = """
        T . . # -
        o o o o o
    """
    check_range(picture, *normal(3), tower_gaps="cross")


def test_t5_a_gap_filled_in_this_very_turn_is_none():
    picture = """
        B     .     tower.I *plain
        plain plain plain   plain
    """
    with Table(picture, "1 -3,0 monastery", deck="B B B", boxes=("tower",)) as table:
        table.turn("place 1,0 0", "floor normal -1,0")
        table.turn("place 2,0 0", "floor normal -1,0")
        assert len(table.state.figures) == 1  # out of reach, though only two tiles away and the height is 2
        table.draw()
        play(table.state, "place -2,0 0", "floor normal -1,0")
        assert legal(table.state) == ["pass", "capture -3,0 meeple of 1 monastery"]


# -- T11


def test_t11_no_surprise_takes_one_off_every_range():
    check_range(ONE, *normal(1), tower_no_surprise=True)
    check_range(FIVE, *normal(2), tower_no_surprise=True)
    check_range(NINE, *normal(3), tower_no_surprise=True)


def test_t11_diagonal_reaches_all_tiles_at_a_distance_of_steps():
    picture = """
        o - # - o
        - # # # -
        # # T # #
        - # # # -
        o - # - o
    """
    check_range(FIVE, *normal(1), tower_diagonal=True)  # a diagonal neighbour is two steps away
    check_range(picture, *normal(2), tower_diagonal=True)
    check_range(picture, *normal(2), tower_diagonal=True, tower_gaps="cross")


def test_t11_diagonal_goes_round_gaps_by_a_shortest_path_only():
    picture = """
        T # # #
        . . # #
        - - # .
        - - o o
    """
    check_range(picture, *normal(4), tower_diagonal=True)
    check_range(picture, *normal(4), tower_diagonal=True, tower_gaps="block")
    open_sky = """
        T # # #
        . . # #
        # # # .
        # # o o
    """
    check_range(open_sky, *normal(4), tower_diagonal=True, tower_gaps="cross")


def test_t11_diagonal_looks_into_each_quadrant():
    picture = """
        # . # . #
        # # # # #
        . # T # .
        # # # # #
        # . # . #
    """
    check_range(picture, *normal(4), tower_diagonal=True)


def test_t11_diagonal_and_no_surprise_together():
    check_range(ONE, *normal(1), tower_diagonal=True, tower_no_surprise=True)
    check_range(FIVE, *normal(2), tower_diagonal=True, tower_no_surprise=True)
