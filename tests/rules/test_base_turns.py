"""B1-B3, B5, B14: players, the start tile, the turn, tiles that fit nowhere, copies."""

import pytest
from boards import Table, legal, own_game, play, points

from bastide import Game, Rng, Rules, RulesError


def left(state):
    """What can be drawn: {tile id: count}."""
    return {state.game.tiles[tile].id: count for tile, count, _ in state.draws()}


# -- B1


@pytest.mark.parametrize("players", range(1, 7))
def test_b1_each_of_one_to_six_players_has_seven_meeples(players):
    state = Game(Rules(players=players)).new_state()
    assert state.supply == ({"meeple": 7},) * players
    assert state.scores == (0,) * players


@pytest.mark.parametrize("players", [0, 7, -1])
def test_b1_other_numbers_of_players_are_refused(players):
    with pytest.raises(RulesError, match="players"):
        Rules(players=players)


def test_b1_nobody_has_more_than_seven_meeples_on_the_board():
    # A player alone puts a monk on each of seven monasteries and then has none left.
    table = Table("B B B B B B *B", *[f"0 {x},0 monastery" for x in range(-6, 0)], deck="B B", players=1)
    with table:
        table.turn("place 1,0 0", "deploy meeple 1,0 monastery")
        assert table.state.supply == ({"meeple": 0},)
        assert len(table.state.figures) == 7
        table.draw()
        play(table.state, "place 2,0 0")
        assert table.state.phase == "draw"  # no figure step without a figure


# -- B2


@pytest.mark.parametrize("edition", ["c1", "c2", "c3"])
def test_b2_one_base_d_lies_unturned_at_the_origin_and_71_tiles_are_the_deck(edition):
    state = Game(Rules(edition=edition)).new_state()
    (start,) = state.board
    assert (state.game.tiles[start.tile].id, start.x, start.y, start.rotation) == ("base.D", 0, 0, 0)
    assert state.tiles_left == sum(left(state).values()) == 71
    assert left(state)["base.D"] == 3


def test_b2_the_first_edition_has_no_gardens_and_the_others_have_eight():
    def gardens(edition):
        game = Game(Rules(edition=edition))
        return sum(count for tile, count, _ in game.new_state().draws() if game.tiles[tile].garden)

    assert [gardens(edition) for edition in ("c1", "c2", "c3")] == [0, 8, 8]


def test_b2_the_start_tile_holds_no_figure_and_its_features_are_open():
    state = Game(Rules()).new_state()
    assert state.figures == ()
    assert [(f.kind, f.closed, f.open_edges) for f in state.features() if f.kind != "field"] == [
        ("city", False, 1),
        ("road", False, 2),
    ]


# -- B3


def test_b3_a_turn_is_drawing_placing_and_a_figure_step():
    state = Game(Rules(edition="c1")).new_state()
    assert (state.phase, state.is_chance, state.current_player, state.turn) == ("draw", True, 0, 0)
    play(state, "draw U")
    assert (state.phase, state.is_chance, state.current_player, state.turn) == ("place", False, 0, 0)
    assert state.game.tiles[state.drawn_tile].id == "base.U"
    play(state, "place 1,0 0")
    assert (state.phase, state.drawn_tile, state.current_player, state.turn) == ("figure", None, 0, 0)
    play(state, "pass")
    assert (state.phase, state.drawn_tile, state.current_player, state.turn) == ("draw", None, 1, 1)


@pytest.mark.parametrize("players", range(1, 7))
def test_b3_players_take_turns_in_order(players):
    state = Game(Rules(players=players, edition="c1")).new_state()
    seen = []
    for x in range(1, 9):
        play(state, "draw U")
        seen.append(state.turn_player)
        play(state, f"place {x},0 0", "pass")
    assert seen == [turn % players for turn in range(8)]


def test_b3_a_player_places_one_tile_and_one_figure_a_turn():
    state = Game(Rules(edition="c1")).new_state()
    play(state, "draw W", "place 1,0 0", "deploy meeple 1,0 road S")
    assert state.phase == "draw"
    assert state.current_player == 1
    assert [(f.owner, f.kind, f.x, f.y, f.place) for f in state.figures] == [(0, "meeple", 1, 0, "road S")]
    assert state.supply == ({"meeple": 6}, {"meeple": 7})


def test_b3_a_player_may_do_without_a_figure():
    state = Game(Rules(edition="c1")).new_state()
    play(state, "draw U", "place 1,0 0")
    assert legal(state)[0] == "pass"
    play(state, "pass")
    assert state.supply == ({"meeple": 7}, {"meeple": 7})


def test_b3_points_of_a_closed_feature_count_before_the_next_draw():
    table = Table("A/270 *D", "0 -1,0 road E", deck="A")
    with table:
        table.draw()
        play(table.state, "place 1,0 90")
        assert table.state.scores == (0, 0)  # the figure step comes before the scoring
        play(table.state, "pass")
        assert table.state.scores == (3, 0)
        assert (table.state.phase, table.state.current_player) == ("draw", 0)


# -- B5


def test_b5_a_tile_that_fits_nowhere_leaves_the_game_and_the_same_player_draws_again():
    table = Table("*plain", deck="city plain", ends=True)
    with table:
        state = table.state
        assert left(state) == {"own.city": 1, "own.plain": 1}
        assert [p for *_, p in state.draws()] == [0.5, 0.5]
        assert table.draw() == []
        assert (state.phase, state.current_player, state.turn, state.drawn_tile) == ("draw", 0, 0, None)
        assert (state.discards, state.tiles_left) == (1, 1)
        assert left(state) == {"own.plain": 1}
        table.turn("place 1,0 0")
        assert state.is_terminal
        assert len(state.board) == 2


def test_b5_several_tiles_in_a_row_may_leave_the_game():
    table = Table("*plain plain", deck="city X city plain", ends=True)
    with table:
        for n in (1, 2, 3):
            table.draw()
            assert (table.state.discards, table.state.current_player) == (n, 1)
        table.turn("place 2,0 0")
        assert table.state.is_terminal


def test_b5_a_tile_that_left_may_have_fitted_later_and_is_gone_all_the_same():
    table = Table("*plain", deck="city E city", ends=True)
    with table:
        table.draw()
        table.turn("place 0,1 180")  # its city lies open to the south
        table.draw()
        assert legal(table.state) == ["place 0,2 0"]
        play(table.state, "place 0,2 0", "pass")
        assert table.state.is_terminal
        assert table.state.discards == 1


def test_b5_the_game_ends_when_the_last_tile_has_been_placed():
    table = Table("*plain", deck="B", ends=True)
    with table:
        assert table.turn("place 1,0 0", "deploy meeple 1,0 monastery") == [(0, 2, "monastery")]
        assert (table.state.phase, table.state.is_terminal, table.state.is_chance) == ("end", True, False)
        assert table.state.returns == (1.0, -1.0)


def test_b5_the_game_ends_when_the_last_tile_fits_nowhere():
    table = Table("*plain", deck="B city", ends=True)
    with table:
        assert table.turn("place 1,0 0", "deploy meeple 1,0 monastery") == []
        assert table.draw() == [(0, 2, "monastery")]
        assert table.state.is_terminal
        assert table.state.scores == (2, 0)


def test_b5_a_game_whose_tiles_all_fit_nowhere_ends_without_a_turn():
    table = Table("*plain", deck="city city", ends=True)
    with table:
        table.draw()
        table.draw()
        assert (table.state.is_terminal, table.state.turn, table.state.returns) == (True, 0, (0.0, 0.0))


def test_b5_a_game_of_the_start_tile_alone_is_over_at_once():
    state = own_game({"plain": 1}, "plain", players=3).new_state()
    assert (state.phase, state.is_terminal, state.tiles_left) == ("end", True, 0)
    assert (state.scores, state.returns) == ((0, 0, 0), (0.0, 0.0, 0.0))
    assert state.legal_actions() == []


def test_b5_all_tiles_are_placed_or_leave_the_game():
    game = Game(Rules(edition="c1"))
    for seed in range(30):
        state, rng = game.new_state(), Rng(seed)
        while not state.is_terminal:
            assert len(state.board) + state.discards + state.tiles_left + (state.drawn_tile is not None) == 72
            if state.is_chance:
                state.draw(state.sample_draw(rng))
            else:
                actions = state.legal_actions()
                state.apply(actions[rng.below(len(actions))])
        assert len(state.board) + state.discards == 72
        assert state.turn == len(state.board) - 1


def test_b5_who_wins_has_the_most_points():
    # The closed city of two is nobody's; the road of three is held by player 1.
    table = Table("E/180 .\n*D U", "1 1,0 road EW", deck="A plain", ends=True)
    with table:
        table.turn("place 2,0 90")
        assert points(table.state) == []
        assert table.turn("place 0,1 0") == [(1, 3, "road")]
        assert (table.state.scores, table.state.returns) == ((0, 3), (-1.0, 1.0))


# -- B14


@pytest.mark.parametrize("copies", [1, 2, 5, 10])
def test_b14_copies_multiply_all_tiles_but_there_is_one_start_tile(copies):
    once = left(Game(Rules(edition="c1")).new_state())
    state = Game(Rules(edition="c1", copies=copies)).new_state()
    once["base.D"] += 1
    expected = {tile: copies * count for tile, count in once.items()}
    expected["base.D"] -= 1
    assert left(state) == expected
    assert state.tiles_left == 72 * copies - 1
    assert len(state.board) == 1


def test_b14_copies_do_not_multiply_figures():
    assert Game(Rules(copies=10, players=6)).new_state().supply == ({"meeple": 7},) * 6


@pytest.mark.parametrize("copies", [0, 11, -1])
def test_b14_there_are_one_to_ten_copies(copies):
    with pytest.raises(RulesError, match=r"1 to 10"):
        Rules(copies=copies)


def test_b14_more_than_1000_tiles_are_refused_with_the_number():
    rules = Rules(boxes=("tower", "watchtowers", "bridges-castles"), edition="c2", copies=9)
    with pytest.raises(RulesError, match=r"1053 tiles .*1000.*B14"):  # 9 x (72 + 18 + 12 + 15)
        Game(rules)
