"""K1-K4: black and white floors. The pictures are explained in tests/towers.py."""

from itertools import product

import pytest
from boards import Table, legal, play
from towers import build, check_range, reached

from bastide import Game, Rules, RulesError

BOXES = ("tower", "black-tower")
DIAGONALS = """
    - o - o -
    o # - # o
    - - T - -
    o # - # o
    - o - o -
"""
TWO_DIAGONALS = """
    # o - o #
    o # - # o
    - - T - -
    o # - # o
    # o - o #
"""
TWO_LINES = """
    - - # - -
    o - # - o
    # # T # #
    o - # - o
    - - # - -
"""
GAPS = """
    # o o o o o .
    o # o o o # o
    o o # o # o o
    o o o T o o o
    o o . o # o o
    o - o o o . o
    - o o o o o -
"""


def table(picture, *figures, deck="", **options):
    return Table(picture, *figures, deck=deck, **({"boxes": BOXES} | options))


def floors(state):
    """The floors of each tower: {(x, y): colours from the ground}."""
    return {(tile.x, tile.y): tile.floors for tile in state.board if tile.floors}


def offered(played, *actions):
    """What can be done about towers after the next turn's placement."""
    played.draw()
    play(played.state, *actions)
    return legal(played.state, "floor", "tower")


# -- K1


@pytest.mark.parametrize(
    ("players", "normal", "black", "white"),
    [(1, 8, 4, 2), (2, 8, 4, 2), (3, 7, 3, 2), (4, 6, 3, 1), (5, 5, 2, 1), (6, 4, 2, 1)],
)
def test_k1_floors_of_each_colour_for_each_player(players, normal, black, white):
    state = Game(Rules(boxes=BOXES, players=players)).new_state()
    assert state.pieces == ({"normal": normal, "black": black, "white": white},) * players


def test_k1_the_box_brings_no_tiles_and_takes_no_copies_b14():
    assert Game(Rules(boxes=BOXES)).new_state().tiles_left == 71 + 18
    state = Game(Rules(boxes=BOXES, copies={"tower": 2})).new_state()
    assert state.tiles_left == 71 + 36
    assert state.pieces[0] == {"normal": 8, "black": 4, "white": 2}
    with pytest.raises(RulesError, match="black-tower"):
        Rules(boxes=BOXES, copies={"black-tower": 2})


def test_k1_the_box_needs_the_tower_h9():
    with pytest.raises(RulesError, match="needs the box 'tower'"):
        Rules(boxes=("black-tower",))


# -- K2


def test_k2_a_black_floor_goes_where_a_normal_one_may():
    with table("tower.I tower.I *plain", deck="plain plain plain plain plain") as played:
        both = [f"floor {colour} {x},0" for x in (-2, -1) for colour in ("normal", "black")]
        assert offered(played, "place 1,0 0") == both  # two free foundations
        play(played.state, "floor black -2,0")
        assert floors(played.state) == {(-2, 0): ("black",)}
        assert played.state.pieces[0] == {"normal": 8, "black": 3, "white": 2}
        played.turn("place 2,0 0", "floor normal -2,0")
        played.turn("place 3,0 0", "floor black -2,0")
        assert floors(played.state) == {(-2, 0): ("black", "normal", "black")}
        played.turn("place 4,0 0", "tower meeple -2,0")  # K4: a follower closes it
        assert offered(played, "place 5,0 0") == ["floor normal -1,0", "floor black -1,0"]


def test_k2_black_floors_run_out_by_themselves():
    with table("*plain tower.I", deck="plain " * 5, players=1) as played:
        for x in range(2, 6):
            played.turn(f"place {x},0 0", "floor black 1,0")
        assert played.state.pieces == ({"normal": 8, "black": 0, "white": 2},)
        actions = offered(played, "place 6,0 0")
        assert actions == ["floor normal 1,0", "floor white 1,0", "tower meeple 1,0"]


def test_k2_a_black_top_reaches_the_own_tile_and_the_diagonals():
    check_range(DIAGONALS, "black")
    check_range(TWO_DIAGONALS, "normal", "black")
    check_range(TWO_DIAGONALS, "black", "black")


def test_k2_all_floors_count_for_the_height_whatever_their_colour():
    check_range(TWO_LINES, "black", "normal")
    picture = """
        # o o o o o #
        o # o o o # o
        o o # - # o o
        o o - T - o o
        o o # - # o o
        o # o o o # o
        # o o o o o #
    """
    check_range(picture, "normal", "black", "black")
    check_range(picture, "black", "normal", "black")


def test_k2_a_normal_floor_on_black_makes_it_orthogonal_again():
    black = build(TWO_DIAGONALS, "normal", "black")
    assert len(reached(black)) == 9
    check_range(TWO_LINES, "normal", "normal")
    check_range(TWO_LINES, "black", "normal")


def test_k2_a_follower_on_the_towers_own_tile_is_in_range_of_every_colour():
    for colour in ("normal", "black"):
        with table("*plain", deck="tower.J plain") as played:
            played.turn("place 1,0 0", "deploy meeple 1,0 monastery")
            capture = "capture 1,0 meeple of 0 monastery"
            played.turn("place 2,0 0", f"floor {colour} 1,0", capture)
            assert played.state.prisoners == ({}, {("meeple", 0): 1})


# -- K3


def test_k3_a_white_floor_needs_a_tower_of_height_1():
    with table("tower.I tower.I *plain", "1 -2,0: floor normal -2,0", deck="plain") as played:
        assert offered(played, "place 1,0 0") == [
            "floor normal -2,0",
            "floor black -2,0",
            "floor white -2,0",
            "floor normal -1,0",
            "floor black -1,0",
            "tower meeple -2,0",
        ]


def test_k3_a_white_floor_captures_nothing():
    with table("B tower.I *plain", "1 -2,0 monastery", "0 -1,0: floor normal -1,0", deck="plain") as played:
        played.turn("place 1,0 0", "floor white -1,0")
        assert floors(played.state) == {(-1, 0): ("normal", "white")}
        assert played.state.pieces[0] == {"normal": 7, "black": 4, "white": 1}
        assert len(played.state.figures) == 1


def test_k3_a_white_floor_closes_the_tower_for_good():
    with table("*plain tower.I", "0 1,0: floor black 1,0", deck="plain " * 5) as played:
        played.turn("place 2,0 0", "floor white 1,0")
        for x in (3, 4, 5):
            assert offered(played, f"place {x},0 0") == []  # no floor of any colour, no follower
            play(played.state, "pass")
        play(played.state, "draw plain", "place 6,0 0")
        played.script.pop()
        assert legal(played.state, "floor", "tower") == []


def test_k3_a_white_floor_does_not_go_on_a_follower():
    with table("*plain tower.I", "0 1,0: floor normal 1,0", deck="plain plain") as played:
        played.turn("place 2,0 0", "tower meeple 1,0")
        assert offered(played, "place 3,0 0") == []


def test_k3_a_tower_under_a_white_floor_does_not_block_others_t4():
    figures = ["1 -2,0: floor normal -2,0", "0 -3,0 monastery"]
    with table("B tower.I tower.I *plain", *figures, deck="plain plain plain") as played:
        played.turn("place 1,0 0", "floor white -2,0")
        played.turn("place 2,0 0", "floor normal -1,0")
        played.draw()
        play(played.state, "place 3,0 0", "floor normal -1,0")
        assert legal(played.state, "capture") == ["capture -3,0 meeple of 0 monastery"]


def test_k3_with_white_floors_only_a_bare_foundation_offers_nothing():
    # One player alone uses the normal and the black floors, all on the first tower.
    with table("tower.I *plain tower.I", deck="plain " * 14, players=1) as played:
        for n in range(2, 14):
            played.turn(f"place {n},0 0", f"floor {'normal' if n < 10 else 'black'} -1,0")
        assert played.state.pieces == ({"normal": 0, "black": 0, "white": 2},)
        assert offered(played, "place 14,0 0") == ["floor white -1,0", "tower meeple -1,0"]
        play(played.state, "floor white -1,0")
        assert offered(played, "place 15,0 0") == []


# -- K4


def test_k4_a_follower_may_close_a_black_tower():
    with table("*plain tower.I", "0 1,0: floor black 1,0", deck="plain plain") as played:
        played.turn("place 2,0 0", "tower meeple 1,0")
        assert [(f.owner, f.place) for f in played.state.figures] == [(1, "tower")]
        assert offered(played, "place 3,0 0") == []


def test_k4_a_follower_on_a_tower_can_be_captured_along_a_diagonal():
    picture = """
        tower.I *plain
        plain   tower.I
    """
    with table(picture, "0 -1,0: floor normal -1,0", deck="plain plain") as played:
        played.turn("place 1,0 0", "tower meeple -1,0")
        played.turn("place 2,0 0", "floor black 0,1", "capture -1,0 meeple of 1 tower")
        assert played.state.prisoners == ({("meeple", 1): 1}, {})


def test_k4_gaps_block_along_diagonals_t5():
    check_range(GAPS, "normal", "normal", "black")


def test_k4_gaps_are_crossed_along_diagonals_with_the_option_t5():
    check_range(GAPS.replace("-", "#"), "normal", "normal", "black", tower_gaps="cross")


def test_k4_with_the_option_diagonal_a_black_top_still_reaches_diagonals_only():
    check_range(TWO_DIAGONALS, "normal", "black", tower_diagonal=True)
    check_range(TWO_DIAGONALS, "normal", "black", tower_diagonal=True, tower_gaps="cross")
    ball = TWO_DIAGONALS.replace("#", "-").replace("o", "-")
    assert len(reached(build(ball, "black", "normal", tower_diagonal=True))) == 13


def test_k4_no_surprise_takes_one_off_a_black_towers_range_too_t11():
    check_range(DIAGONALS.replace("#", "-"), "black", tower_no_surprise=True)
    check_range(DIAGONALS, "normal", "black", tower_no_surprise=True)


# -- what a state keeps


@pytest.mark.parametrize("top", [(), ("normal",), ("black",), ("white",)], ids=str)
@pytest.mark.parametrize("lower", [*product(("normal", "black"), repeat=2)], ids=str)
def test_the_colours_of_floors_come_back_from_bytes_and_on_undo(lower, top):
    state = build("# T", *lower, *top, players=2, boxes=BOXES)
    assert floors(state) == {(1, 1): (*lower, *top)}
    twin = state.game.state_from_bytes(state.to_bytes())
    assert (twin, twin.key, twin.to_bytes()) == (state, state.key, state.to_bytes())
    assert (floors(twin), twin.pieces, reached(twin)) == (floors(state), state.pieces, reached(state))
    assert twin.faults() == []
    *below, last = *lower, *top
    state.undo()
    assert floors(state) == {(1, 1): tuple(below)}
    play(state, f"floor {last} 1,1")
    assert state == twin


# -- all floors on one tower


@pytest.mark.parametrize("options", [{}, {"tower_diagonal": True}, {"tower_gaps": "cross"}], ids=str)
@pytest.mark.parametrize(("players", "normal", "black"), [(2, 16, 8), (4, 24, 12), (5, 25, 10), (6, 24, 12)])
def test_k2_all_floors_that_there_are_can_stand_on_one_tower(players, normal, black, options):
    picture = """
        # o
        T #
    """
    colours = ["normal"] * normal, ["black"] * black
    for lower, upper in (colours, colours[::-1]):
        state = build(picture, *lower, *upper, players=players, **options)
        assert floors(state) == {(0, 2): (*lower, *upper)}
        assert len(reached(state)) == (1 if upper[0] == "black" else 3)
        assert state.faults() == []
        assert state.game.state_from_bytes(state.to_bytes()) == state
        play(state, "pass", "draw X", f"place 0,{-normal - black - 1} 0", "floor white 0,2")
        assert floors(state) == {(0, 2): (*lower, *upper, "white")}
        assert state.faults() == []
        assert state.game.state_from_bytes(state.to_bytes()) == state
        while state.turn > 3:
            state.undo()
        assert floors(state) == {}


@pytest.mark.parametrize("gaps", ["block", "cross"])
@pytest.mark.parametrize("diagonal", [False, True])
def test_t4_a_tower_of_all_normal_and_black_floors_reaches_36_tiles_far(diagonal, gaps):
    marks = dict.fromkeys((1, 30, 31, 32, 33, 35, 36), "#") | {37: "-"}
    row = " ".join(["T", *(marks.get(distance, "o") for distance in range(1, 38))])
    colours = ["black"] * 12 + ["normal"] * 24  # of four players
    options = {"players": 4, "tower_diagonal": diagonal, "tower_gaps": gaps}
    check_range(row, *colours, **options)
    check_range("\n".join(row.split()), *colours, **options)


@pytest.mark.parametrize("options", [{}, {"tower_gaps": "cross"}], ids=str)
def test_k2_a_tower_of_all_floors_with_a_black_top_reaches_far_along_diagonals(options):
    # Stairs, two tiles wide: those on the diagonal are reached, the others not.
    n = 35
    rows = [["."] * (n + 1) for _ in range(n + 1)]
    for k in range(n + 1):
        rows[k][k] = "T" if k == 0 else "#" if k in (1, 18, 33, n) else "o"
        if k < n:
            rows[k][k + 1] = "-" if k in (0, 17, n - 1) else "o"
    check_range("\n".join(map(" ".join, rows)), *["normal"] * 24, *["black"] * 12, players=4, **options)
