"""The reference itself: the River (rules.md section 2)."""

from fractions import Fraction

import pytest

from . import Game
from .scripted import begin, lay, lines, own_file, turn

RUN_IN = [  # a river that comes back to the west of its spring
    ("river.G", "place 1,0 0"),
    ("river.D", "place 1,1 90"),
    ("river.G", "place 1,2 90"),
    ("river.D", "place 0,2 0"),
    ("river.G", "place -1,2 180"),
    ("river.D", "place -1,1 90"),
]
RUN_IN_SET = '[sets.river_c1]\n"river.A" = 1\n"river.G" = 3\n"river.D" = 3\n"river.K" = 2\n'


def river(**options):
    """A game with the River."""
    return Game(boxes=["river"], **options)


def test_r1_the_spring_lies_at_the_origin_and_player_0_draws_a_river_tile():
    game = river(edition="c1")
    assert game.board() == {("river.A", 0, 0, 0, None, ())}
    assert (game.phase, game.current_player) == ("draw", 0)
    assert game.draws()["river.D"] == (2, Fraction(2, 10))
    assert "river.L" not in game.draws()
    assert sum(count for count, _ in game.draws().values()) == 10


@pytest.mark.parametrize(
    ("edition", "choice", "deck"),
    [("c1", None, 72), ("c1", "out", 71), ("c3", None, 71), ("c3", "deck", 72)],
)
def test_r1_the_start_tile_of_the_base_game_is_in_the_deck_or_out(edition, choice, deck):
    assert river(edition=edition, river_start_tile=choice).tiles_left == 11 + deck


def test_r1_each_river_tile_joins_the_open_river_end():
    game = river(edition="c1")
    begin(game, "river.D")
    assert game.legal() == ["place 1,0 0"]


def test_r1_a_deck_tile_cannot_come_before_the_river_ends():
    with pytest.raises(ValueError, match="cannot draw"):
        river().draw("base.U")


def test_r2_two_bends_in_direct_succession_turn_different_ways():
    game = river(edition="c1")
    turn(game, "river.G", "place 1,0 0")
    begin(game, "river.G")
    assert game.legal() == ["place 1,1 180"]


def test_r2_after_a_straight_tile_the_river_bends_either_way():
    game = river(edition="c1")
    turn(game, "river.G", "place 1,0 0")
    turn(game, "river.D", "place 1,1 90")
    begin(game, "river.G")
    assert game.legal() == ["place 1,2 180", "place 1,2 90"]


def test_r2_the_spring_is_no_bend():
    game = river(edition="c3")  # its spring has the river to the south
    begin(game, "river.G")
    assert game.legal() == ["place 0,1 180", "place 0,1 90"]


def test_r3_figures_stand_beside_the_river_but_not_on_it():
    game = river(edition="c1")
    begin(game, "river.H", "place 1,0 0")
    assert lines(game, "deploy") == [
        "deploy meeple 1,0 field ER-SL",
        "deploy meeple 1,0 field NL-NR-EL-WR",
        "deploy meeple 1,0 field SR-WL",
        "deploy meeple 1,0 monastery",
        "deploy meeple 1,0 road S",
    ]


def test_r3_the_river_is_no_feature():
    assert {feature[0] for feature in river(edition="c1").features()} == {"field"}


def test_r4_the_lake_comes_last_and_then_the_deck(tmp_path):
    own = own_file(tmp_path, '[sets.river_c1]\n"river.A" = 1\n"river.D" = 1\n"river.L" = 1\n')
    game = river(edition="c1", tiles=own)
    turn(game, "river.D", "place 1,0 0")
    assert game.draws() == {"river.L": (1, 1)}
    turn(game, "river.L", "place 2,0 0")
    assert sum(count for count, _ in game.draws().values()) == 72


def test_r4_only_river_tiles_that_fit_are_drawn(tmp_path):
    game = river(edition="c1", tiles=own_file(tmp_path, RUN_IN_SET.replace('"river.G" = 3', '"river.G" = 4')))
    for tile_id, action in RUN_IN:
        turn(game, tile_id, action)
    assert game.draws() == {"river.G": (1, 1)}  # bending west; river.K has a road against the spring's field


def test_r4_river_tiles_that_do_not_fit_leave_the_game_for_the_lake(tmp_path):
    game = river(edition="c1", tiles=own_file(tmp_path, RUN_IN_SET + '"river.L" = 1\n'))
    for tile_id, action in RUN_IN:
        turn(game, tile_id, action)
    assert game.draws() == {"river.L": (1, 1)}
    assert game.tiles_left == 1 + 72
    begin(game, "river.L")
    assert game.legal() == ["place -1,0 270"]


def test_r4_a_lake_that_does_not_fit_leaves_too_and_the_deck_follows(tmp_path):
    lake = """"own.lake" = 1
        [[tile]]
        id = "own.lake"
        edges = "RRRV"
        roads = ["N", "E", "S"]
        river = "W"
        river_role = "lake"
        pile = "river"
        fields = [{ halves = ["WR", "NL"] }, { halves = ["NR", "EL"] },
                  { halves = ["ER", "SL"] }, { halves = ["SR", "WL"] }]
        """
    game = river(edition="c1", tiles=own_file(tmp_path, RUN_IN_SET + lake))
    for tile_id, action in RUN_IN:
        turn(game, tile_id, action)
    assert game.tiles_left == 72
    assert set(game.draws()) == {f"base.{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWX"}
    begin(game, "base.B")
    assert "place -1,0 0" not in game.legal()  # the river end stays open for good


def test_r5_the_boxes_river_tiles_are_in_the_river_or_left_out():
    game = Game(boxes=["river", "thieves", "bridges-castles"])
    assert {"thief.A", "castle.P"} <= set(game.draws())
    game = Game(boxes=["thieves", "bridges-castles"])
    assert game.tiles_left == 71 + 12 + 5 + 15


def test_g3_a_straight_river_tile_may_carry_a_bridge_over_the_river():
    game = Game(boxes=["river", "bridges-castles"], edition="c1")
    lay(game, "base.A", 1, 1, 180)  # a road comes to (1, 0) from the south
    begin(game, "river.D")
    assert game.legal() == ["place 1,0 0 bridge NS"]
