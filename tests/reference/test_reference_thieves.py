"""The reference itself: Towers & Thieves (rules.md section 5)."""

from collections import Counter

from . import Game
from .scripted import begin, deal, lay, lay_fields, lines, position, stand, turn

FIELD = "field NL-NR-EL-ER-SL-SR-WL-WR"


def with_tower(height, x=20, y=20, **options):
    """A tower of this height on a plain field."""
    game = position("thieves", **options)
    add_tower(game, height, x, y)
    return game


def add_tower(game, height, x, y):
    """One more tower."""
    lay(game, "thief.B", x, y)
    game.floors[x, y] = ["normal"] * height
    game.shared_pieces["floors"] -= height


def test_h1_twelve_thieves_five_tower_tiles_and_twenty_floors():
    game = Game(boxes=["thieves"])
    assert game.tiles_left == 71 + 12 + 5
    assert sum(n for t, (n, _) in game.draws().items() if t.startswith("thief")) == 12
    assert game.shared_pieces == {"floors": 20}
    assert Game(boxes=["thieves"], copies={"thieves": 2}).shared_pieces == {"floors": 40}


def test_h2_a_placed_foundation_gets_one_floor_if_there_is_one():
    game = position("thieves")
    turn(game, "thief.C", "place 0,-1 180")
    assert ("thief.C", 0, -1, 180, None, 1) in game.board()
    assert ("base.D", 0, 0, 0, None, 0) in game.board()
    assert game.shared_pieces["floors"] == 19
    game.shared_pieces["floors"] = 0
    begin(game, "thief.B", "place 0,1 0")
    assert game.floors_at(0, 1) == 0
    assert lines(game, "watchman") == []


def test_h3_the_own_tiles_tower_is_in_sight():
    game = position("thieves")
    begin(game, "thief.B", "place 0,1 0", "watchman 0,1")
    assert game.figures() == [(0, "meeple", 0, 1, "tower")]
    assert game.supply[0]["meeple"] == 6


def test_h3_towers_are_in_sight_along_rows_and_columns_up_to_their_height():
    game = position("thieves")
    add_tower(game, 3, 1, 4)  # column, distance 4
    add_tower(game, 4, 1, -4)  # column, distance 4, across a gap
    add_tower(game, 2, 3, 0)  # row, distance 2
    add_tower(game, 5, 2, 1)  # diagonal
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "watchman") == ["watchman 1,-4", "watchman 3,0"]


def test_h4_a_replaced_watchman_goes_home_and_its_owner_scores_2():
    game = with_tower(1, 1, -1)
    stand(game, 1, 1, -1, "tower")
    begin(game, "base.U", "place 1,0 0", "watchman 1,-1")
    assert game.score_events == [(1, 2, "watchman")]
    assert game.figures() == [(0, "meeple", 1, -1, "tower")]
    assert game.supply[1]["meeple"] == 7


def test_h4_an_own_watchman_can_be_replaced_unless_the_option_forbids_it():
    for allowed in (True, False):
        game = with_tower(1, 1, -1, watchman_replace_own=allowed)
        stand(game, 0, 1, -1, "tower")
        begin(game, "base.U", "place 1,0 0")
        assert lines(game, "watchman") == (["watchman 1,-1"] if allowed else [])


def test_h4_the_new_watchman_must_be_in_supply_before():
    game = with_tower(1, 1, -1)
    stand(game, 0, 1, -1, "tower")
    game.supply[0]["meeple"] = 0
    begin(game, "base.U", "place 1,0 0")
    assert game.turn == 1


def test_h5_free_towers_below_five_floors_grow():
    game = with_tower(1)
    add_tower(game, 5, 30, 30)
    add_tower(game, 2, 40, 40)
    stand(game, 1, 40, 40, "tower")
    begin(game, "thief.G")
    assert [game.floors_at(*cell) for cell in ((20, 20), (30, 30), (40, 40))] == [2, 5, 2]
    assert game.shared_pieces["floors"] == 20 - 10 + 1


def test_section_9_h5_a_thief_of_value_6_pays_12_for_two_watchmen_and_6_for_one():
    game = with_tower(1)
    add_tower(game, 1, 30, 30)
    add_tower(game, 1, 40, 40)
    stand(game, 0, 20, 20, "tower")
    stand(game, 0, 30, 30, "tower")
    stand(game, 1, 40, 40, "tower")
    begin(game, "thief.Q")
    assert (game.scores, game.phase, game.drawn_tile) == ([12, 6], "place", "thief.Q")
    assert {source for _, _, source in game.score_events} == {"thief"}
    assert game.figures() == []
    assert [supply["meeple"] for supply in game.supply] == [7, 7]


def test_section_9_h5_with_a_stolen_tile_each_watchman_scores_both_values():
    game = with_tower(1)
    stand(game, 1, 20, 20, "tower")
    game.stolen_tile = "thief.R"  # 7
    begin(game, "thief.G")  # 2
    assert (game.score_events, game.stolen_tile) == ([(1, 9, "thief")], None)


def test_h5_the_player_chooses_where_the_last_floors_go():
    game = with_tower(1)
    for x in (30, 40, 10):
        add_tower(game, 1, x, x)
    game.shared_pieces["floors"] = 2
    begin(game, "thief.G")
    assert (game.phase, game.current_player, game.drawn_tile) == ("grow", 0, "thief.G")
    # The last one placed, at 10,10, cannot be the first of two: choices go on in the order of placing.
    assert game.legal() == ["grow 20,20", "grow 30,30", "grow 40,40"]
    game.apply("grow 30,30")
    assert game.legal() == ["grow 10,10", "grow 40,40"]
    game.apply("grow 10,10")
    assert [game.floors_at(x, x) for x in (20, 30, 40, 10)] == [1, 2, 1, 2]
    assert (game.phase, game.stolen_tile) == ("draw", "thief.G")


def test_h5_after_the_choice_the_watchmen_score():
    game = with_tower(1)
    add_tower(game, 1, 30, 30)
    add_tower(game, 1, 40, 40)
    stand(game, 1, 40, 40, "tower")
    game.shared_pieces["floors"] = 1
    begin(game, "thief.Q", "grow 30,30")
    assert (game.score_events, game.phase) == ([(1, 6, "thief")], "place")


def test_h5_without_floors_in_supply_nothing_grows():
    game = with_tower(1)
    game.shared_pieces["floors"] = 0
    begin(game, "thief.G")
    assert (game.phase, game.floors_at(20, 20)) == ("draw", 1)


def test_h6_the_first_thief_steals_its_tile_and_a_tower_tile_is_drawn():
    game = Game(boxes=["thieves"])
    game.draw("thief.R")
    assert (game.is_chance, game.current_player) == (True, 0)
    assert (game.stolen_tile, game.drawn_tile) == ("thief.R", None)
    assert set(game.draws()) == {f"thief.{letter}" for letter in "BCDEF"}
    game.draw("thief.B")
    game.apply("place 0,1 0")
    game.apply("pass")
    assert set(game.draws()) & {"thief.C", "base.A"} == {"base.A"}
    assert game.tiles_left == 71 + 11 + 4


def test_h6_an_older_stolen_tile_leaves_the_game():
    game = position("thieves")
    game.stolen_tile = "thief.R"
    begin(game, "thief.G")
    assert game.stolen_tile == "thief.G"


def test_h6_without_tower_tiles_the_deck_follows_in_which_a_thief_starts_again():
    game = with_tower(1)
    game.piles.tower = Counter()
    deal(game, "thief.G", "thief.H")
    game.draw("thief.G")
    assert set(game.draws()) == {"base.X", "thief.H"}
    game.draw("thief.H")
    assert (game.floors_at(20, 20), game.stolen_tile, game.is_chance) == (3, "thief.H", True)
    game.draw("base.X")
    assert game.phase == "place"


def test_h6_the_game_ends_when_tower_pile_and_deck_are_empty():
    game = position("thieves")
    deal(game, "thief.G", filler=None)
    game.piles.tower = Counter()
    game.draw("thief.G")
    assert game.is_terminal


def test_h6_the_tower_pile_alone_does_not_prolong_the_game():
    game = position("thieves")
    deal(game, "base.B", filler=None)
    turn(game, "base.B", "place 0,1 0")
    assert (game.is_terminal, game.tiles_left) == (True, 5)


def test_h6_a_last_thief_in_the_deck_still_draws_a_tower_tile():
    game = position("thieves")
    deal(game, "thief.G", filler=None)
    game.draw("thief.G")
    assert set(game.draws()) == {f"thief.{letter}" for letter in "BCDEF"}


def test_h7_a_thief_that_fits_nowhere_takes_effect_and_is_removed(tmp_path):
    game = with_tower(1)
    stand(game, 1, 20, 20, "tower")
    game.map.cells.pop((0, 0))  # only the plain field with the tower is left
    game.map.place(game.tiles["thief.B"], 20, 20, 0)
    begin(game, "thief.R")
    assert (game.score_events, game.is_chance, game.turn) == ([(1, 7, "thief")], True, 0)
    assert "base.X" in game.draws()  # the deck again, no tower tile


def test_h7_an_unplaceable_tower_tile_is_followed_by_the_next_one():
    game = position("thieves")
    game.map.cells.clear()
    game.map.place(game.tiles["base.X"], 0, 0, 0)
    begin(game, "thief.G")
    game.draw("thief.B")  # no field edge to join
    assert set(game.draws()) == {f"thief.{letter}" for letter in "CDEF"}
    for tile_id in ("thief.C", "thief.E"):
        game.draw(tile_id)
    game.draw("thief.D")
    assert game.phase == "place"


def test_section_9_h8_a_watchman_at_the_end_pays_5_and_the_stolen_value():
    for stolen, points in ((None, 5), ("thief.Q", 11)):
        game = with_tower(1)
        stand(game, 1, 20, 20, "tower")
        game.stolen_tile = stolen
        deal(game, "base.B", filler=None)
        begin(game, "base.B", "place 0,1 0", "pass")
        assert (game.is_terminal, game.score_events) == (True, [(1, points, "watchman")])


def test_h8_a_watchman_does_not_occupy_its_tile():
    game = with_tower(1)
    stand(game, 1, 20, 20, "tower")
    begin(game, "castle.J", "place 21,20 0")
    assert f"deploy meeple 21,20 {FIELD}" in game.legal()
    assert all(feature[5] == () for feature in game.features())


def test_h8_a_watchman_counts_for_a_watchtower_and_triggers_none():
    game = position("thieves", "watchtowers", edition="c2")
    lay(game, "watch.A", 20, 20)
    lay(game, "thief.B", 21, 20)
    lay_fields(game, [(21, 21)])
    game.floors[21, 20] = ["normal"]
    stand(game, 1, 21, 20, "tower")
    stand(game, 0, 20, 20, "city N")
    assert turn(game, "base.E", "place 20,19 180") == [(0, 4, "watchtower"), (0, 4, "city")]


def test_c5_a_building_and_a_watchman_may_come_in_one_turn():
    game = position("thieves", "bridges-castles")
    stand(game, 0, 0, 0, "city N")
    begin(game, "thief.C", "place 0,-1 180", "castle 0,-1 city S")
    assert "watchman 0,-1" in game.legal()
