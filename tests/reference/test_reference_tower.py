"""The reference itself: The Tower and The Black Tower (rules.md sections 3 and 4)."""

import pytest

from . import Game, tower
from .scripted import begin, block, deal, lay, lay_fields, lines, position, stand, turn


def grid(*boxes, height=0, top="normal", radius=4, **options):
    """Plain fields around a foundation at (20, 20) with a tower of this height."""
    game = position(*(boxes or ("tower",)), **options)
    lay(game, "tower.I", 20, 20)
    lay_fields(game, [cell for cell in block(20, 20, radius) if cell != (20, 20)])
    if height:
        game.floors[20, 20] = ["normal"] * (height - 1) + [top]
    return game


def offsets(game):
    """What the tower at (20, 20) reaches, as steps from it."""
    return {(x - 20, y - 20) for x, y in tower.reach(game, (20, 20))}


CROSS_1 = {(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)}
CROSS_2 = CROSS_1 | {(2, 0), (-2, 0), (0, 2), (0, -2)}
DIAGONAL_1 = {(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)}


def test_t1_floors_by_number_of_players():
    for players, floors in ((1, 10), (2, 10), (3, 9), (4, 7), (5, 6), (6, 5)):
        game = Game(boxes=["tower"], players=players)
        assert game.pieces == [{"normal": floors}] * players
    assert Game(boxes=["tower"]).tiles_left == 71 + 18


def test_t2_a_floor_goes_on_any_foundation_and_a_follower_on_any_open_tower():
    game = position("tower")
    lay(game, "tower.I", 20, 20)
    lay(game, "tower.I", 30, 30)
    game.floors[30, 30] = ["normal"]
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "floor") == ["floor normal 20,20", "floor normal 30,30"]
    assert lines(game, "tower") == ["tower meeple 30,30"]
    game.apply("floor normal 20,20")
    assert game.pieces == [{"normal": 9}, {"normal": 10}]
    assert game.turn == 1  # nobody in range: no capture phase
    assert ("tower.I", 20, 20, 0, None, ("normal",)) in game.board()
    assert ("tower.I", 30, 30, 0, None, ("normal",)) in game.board()


def test_t2_a_follower_on_top_closes_the_tower():
    game = grid(height=1)
    turn(game, "base.U", "place 1,0 0", "tower meeple 20,20")
    begin(game, "base.U", "place 2,0 0")
    assert lines(game, "floor", "tower") == []
    assert game.figures() == [(0, "meeple", 20, 20, "tower")]


def test_t3_capturing_is_optional_and_at_most_one():
    game = grid()
    stand(game, 1, 20, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")
    stand(game, 1, 20, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")  # the same line
    lay(game, "base.B", 30, 30)
    stand(game, 1, 30, 30, "monastery")  # out of range
    begin(game, "base.U", "place 1,0 0", "floor normal 20,20")
    assert game.phase == "capture"
    assert game.legal() == ["capture 20,20 meeple of 1 field NL-NR-EL-ER-SL-SR-WL-WR", "pass"]
    game.apply(game.legal()[0])
    assert (game.turn, game.prisoners[0], len(game.figures())) == (1, {("meeple", 1): 1}, 2)


def test_section_9_t4_height_1_has_5_tiles_in_range_and_height_2_has_9():
    assert offsets(grid(height=1)) == CROSS_1
    assert offsets(grid(height=2)) == CROSS_2
    assert len(offsets(grid(height=4))) == 17


def test_t5_gaps_end_the_range_or_are_crossed():
    west = {(0, 0), (-1, 0), (-2, 0)}
    for gaps, reached in (("block", west), ("cross", west | {(2, 0)})):
        game = position("tower", tower_gaps=gaps)
        lay(game, "tower.I", 20, 20)
        lay_fields(game, [(18, 20), (19, 20), (22, 20)])
        game.floors[20, 20] = ["normal", "normal"]
        assert offsets(game) == reached


def test_t6_an_own_captured_follower_goes_back_to_supply():
    game = grid()
    stand(game, 0, 21, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")
    begin(game, "base.U", "place 1,0 0", "floor normal 20,20")
    game.apply("capture 21,20 meeple of 0 field NL-NR-EL-ER-SL-SR-WL-WR")
    assert (game.supply[0]["meeple"], game.prisoners) == (7, [{}, {}])


def test_t7_prisoners_of_each_other_are_exchanged_at_once():
    game = grid()
    game.prisoners[1]["meeple", 0] = 2
    game.supply[0]["meeple"] -= 2
    stand(game, 1, 20, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")
    begin(game, "base.U", "place 1,0 0", "floor normal 20,20")
    game.apply("capture 20,20 meeple of 1 field NL-NR-EL-ER-SL-SR-WL-WR")
    assert game.turn == 1
    assert game.prisoners == [{}, {("meeple", 0): 1}]
    assert [supply["meeple"] for supply in game.supply] == [6, 7]


def test_t7_the_captor_chooses_which_own_figure_comes_back():
    game = grid(edition="c2", abbot=True)
    game.prisoners[1].update({("meeple", 0): 1, ("abbot", 0): 1})
    game.supply[0] = {"meeple": 6, "abbot": 0}
    stand(game, 1, 20, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")
    begin(game, "base.U", "place 1,0 0", "floor normal 20,20")
    game.apply("capture 20,20 meeple of 1 field NL-NR-EL-ER-SL-SR-WL-WR")
    assert (game.phase, game.current_player) == ("exchange", 0)
    assert game.legal() == ["exchange abbot from 1", "exchange meeple from 1"]
    game.apply("exchange abbot from 1")
    assert game.supply == [{"meeple": 6, "abbot": 1}, {"meeple": 7, "abbot": 1}]
    assert (game.prisoners, game.turn) == ([{}, {("meeple", 0): 1}], 1)


def test_t7_prisoners_of_a_third_player_are_not_exchanged():
    game = grid(players=3)
    game.prisoners[2]["meeple", 0] = 1
    game.supply[0]["meeple"] = 6
    stand(game, 1, 20, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")
    begin(game, "base.U", "place 1,0 0", "floor normal 20,20")
    game.apply("capture 20,20 meeple of 1 field NL-NR-EL-ER-SL-SR-WL-WR")
    assert game.prisoners == [{("meeple", 1): 1}, {}, {("meeple", 0): 1}]


def ransom_position(points, meeples, **options):
    """Player 1 holds two figures of player 0."""
    game = position("tower", **options)
    game.scores[0] = points
    game.prisoners[1]["meeple", 0] = 2
    game.supply[0]["meeple"] = meeples
    game.pieces[0]["normal"] = 0
    return game


def test_t8_ransom_costs_3_points_and_the_figure_can_be_used_at_once():
    game = ransom_position(7, 0)
    begin(game, "base.U", "place 1,0 0")
    assert game.legal() == ["pass", "ransom meeple from 1"]
    game.apply("ransom meeple from 1")
    assert sorted(game.score_events) == [(0, -3, "ransom"), (1, 3, "ransom")]
    assert (game.phase, game.scores, game.prisoners[1]) == ("figure", [4, 3], {("meeple", 0): 1})
    assert lines(game, "ransom") == []  # at most once a turn
    game.apply("deploy meeple 1,0 road EW")
    assert (game.turn, game.supply[0]["meeple"]) == (1, 0)


def test_t8_no_ransom_with_fewer_than_3_points():
    game = ransom_position(2, 0)
    begin(game, "base.U", "place 1,0 0")
    assert (game.phase, game.turn) == ("draw", 1)


def test_t8_the_figure_phase_is_not_entered_again_if_only_pass_is_left():
    game = ransom_position(3, 0, farmers=False)
    stand(game, 1, 0, 0, "road EW")
    begin(game, "base.U", "place 1,0 0")
    game.apply("ransom meeple from 1")
    assert (game.phase, game.turn) == ("draw", 1)


def test_t9_a_follower_on_a_tower_can_be_captured_which_reopens_the_tower():
    game = grid(height=1)
    lay(game, "tower.I", 30, 20)
    lay_fields(game, [(x, 20) for x in range(25, 30)])
    game.floors[30, 20] = ["normal"] * 9
    stand(game, 1, 20, 20, "tower")
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "floor") == ["floor normal 30,20"]
    game.apply("floor normal 30,20")
    assert game.legal() == ["capture 20,20 meeple of 1 tower", "pass"]
    game.apply("capture 20,20 meeple of 1 tower")
    begin(game, "base.U", "place 2,0 0")
    assert "tower meeple 20,20" in game.legal()


def test_t9_a_follower_on_a_tower_belongs_to_no_feature():
    game = grid(height=1)
    stand(game, 1, 20, 20, "tower")
    assert all(feature[5] == () for feature in game.features())


def test_t10_prisoners_and_tower_followers_score_nothing_at_the_end():
    game = grid(height=1)
    stand(game, 1, 20, 20, "tower")
    game.prisoners[0]["meeple", 1] = 1
    deal(game, "base.U", filler=None)
    begin(game, "base.U", "place 1,0 0", "pass")
    assert (game.is_terminal, game.scores) == (True, [0, 0])


def test_t11_eye_for_an_eye_allows_no_ransom():
    game = ransom_position(9, 1, tower_eye_for_an_eye=True)
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "ransom") == []


def test_t11_no_surprise_takes_one_off_the_range():
    assert offsets(grid(height=1, tower_no_surprise=True)) == {(0, 0)}
    assert offsets(grid(height=2, tower_no_surprise=True)) == CROSS_1


def test_t11_diagonal_is_manhattan_distance_over_placed_tiles():
    game = grid(height=2, tower_diagonal=True)
    assert offsets(game) == CROSS_2 | DIAGONAL_1
    joined = {(0, 0), (0, 1), (1, 1)}
    for gaps, reached in (("block", joined), ("cross", joined | {(-1, -1), (2, 0)})):
        game = position("tower", tower_diagonal=True, tower_gaps=gaps)
        lay(game, "tower.I", 20, 20)
        lay_fields(game, [(20, 21), (21, 21), (19, 19), (22, 20), (22, 21)])
        game.floors[20, 20] = ["normal", "normal"]
        assert offsets(game) == reached


def test_k1_black_and_white_floors_by_number_of_players():
    table = {1: (8, 4, 2), 2: (8, 4, 2), 3: (7, 3, 2), 4: (6, 3, 1), 5: (5, 2, 1), 6: (4, 2, 1)}
    for players, (normal, black, white) in table.items():
        game = Game(boxes=["tower", "black-tower"], players=players)
        assert game.pieces[0] == {"normal": normal, "black": black, "white": white}


def test_k2_a_black_top_reaches_the_own_tile_and_diagonals():
    game = grid("tower", "black-tower", height=1, top="black")
    assert offsets(game) == DIAGONAL_1
    game = grid("tower", "black-tower", height=2, top="black")
    assert offsets(game) == DIAGONAL_1 | {(2, 2), (2, -2), (-2, 2), (-2, -2)}


def test_k2_a_normal_floor_makes_a_black_tower_normal_again():
    game = grid("tower", "black-tower", height=1, top="black")
    stand(game, 1, 21, 21, "field NL-NR-EL-ER-SL-SR-WL-WR")
    turn(game, "base.U", "place 1,0 0", "floor normal 20,20")
    assert game.floors_at(20, 20) == ("black", "normal")
    assert offsets(game) == CROSS_2


def test_k3_a_white_floor_needs_a_tower_captures_nothing_and_closes_it():
    game = grid("tower", "black-tower")
    stand(game, 1, 20, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "floor") == ["floor black 20,20", "floor normal 20,20"]
    game.floors[20, 20] = ["normal"]
    game = grid("tower", "black-tower", height=1)
    stand(game, 1, 20, 20, "field NL-NR-EL-ER-SL-SR-WL-WR")
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "floor") == ["floor black 20,20", "floor normal 20,20", "floor white 20,20"]
    game.apply("floor white 20,20")
    assert (game.phase, game.turn) == ("draw", 1)
    begin(game, "base.U", "place 2,0 0")
    assert lines(game, "floor", "tower") == []


def test_k4_a_follower_closes_a_black_tower_and_gaps_count_along_diagonals():
    game = position("tower", "black-tower", tower_diagonal=True)
    lay(game, "tower.I", 20, 20)
    lay_fields(game, [(21, 21), (22, 22), (18, 18), (20, 21)])
    game.floors[20, 20] = ["normal", "black"]
    assert offsets(game) == {(0, 0), (1, 1), (2, 2)}
    begin(game, "base.U", "place 1,0 0")
    game.apply("tower meeple 20,20")
    begin(game, "base.U", "place 2,0 0")
    assert lines(game, "floor", "tower") == []


def test_c4_the_abbot_can_be_captured_but_not_stand_on_a_tower():
    game = grid(edition="c2", abbot=True, height=1)
    game.supply[0]["meeple"] = 0
    lay(game, "base.B", 20, 25)
    lay(game, "tower.I", 20, 26)
    stand(game, 1, 20, 25, "monastery", "abbot")
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "tower") == []
    game.apply("floor normal 20,26")
    game.apply("capture 20,25 abbot of 1 monastery")
    assert game.prisoners[0] == {("abbot", 1): 1}


@pytest.mark.parametrize("spot", ["field NL-NR", "city EW", "monastery"])
def test_t3_a_follower_can_be_captured_on_any_feature(spot):
    game = position("tower", "bridges-castles")
    lay(game, "castle.B", 20, 20)  # city, two fields, monastery
    lay(game, "tower.I", 20, 21)
    stand(game, 1, 20, 20, spot)
    begin(game, "base.U", "place 1,0 0", "floor normal 20,21", f"capture 20,20 meeple of 1 {spot}")
    assert game.prisoners[0] == {("meeple", 1): 1}
