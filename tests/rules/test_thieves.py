"""H5-H7: what a thief does when it is drawn: towers grow, watchmen score, or the tile is stolen."""

from collections import Counter
from itertools import combinations

import pytest
from boards import Table, legal, own_game, play

from bastide import Game, Rules

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"


def thieves(picture, *figures, **options):
    return Table(picture, *figures, **({"boxes": ("thieves",)} | options))


def floors(state):
    """The heights of the towers, in the order of placing: {(x, y): floors}."""
    return {(tile.x, tile.y): len(tile.floors) for tile in state.board if tile.floors}


def drawable(state):
    """What can be drawn: {tile id: (count, probability)}."""
    assert state.is_chance
    return {state.game.tiles[tile].id: (count, pytest.approx(p)) for tile, count, p in state.draws()}


def stolen(state):
    return None if state.stolen_tile is None else state.game.tiles[state.stolen_tile].id


def in_hand(state):
    return None if state.drawn_tile is None else state.game.tiles[state.drawn_tile].id


# -- H5 (I): towers grow


def test_h5_drawing_a_thief_adds_a_floor_to_each_tower_without_a_watchman():
    picture = "*plain post post plain post"
    with thieves(picture, "1 4,0: watchman 4,0", deck="thief7") as played:
        assert floors(played.state) == {(1, 0): 1, (2, 0): 1, (4, 0): 1}
        assert played.draw() == [(1, 7, "thief")]
        assert floors(played.state) == {(1, 0): 2, (2, 0): 2, (4, 0): 1}
        assert played.state.pieces.shared["floors"] == 20 - 5


def test_h5_no_tower_grows_above_five_floors():
    with thieves("*plain post", deck="thief2 thief2 thief2 thief2 thief2 plain") as played:
        heights = []
        for _ in range(5):
            played.draw()
            heights.append(floors(played.state)[1, 0])
        assert heights == [2, 3, 4, 5, 5]
        assert played.state.pieces.shared["floors"] == 20 - 5
        played.draw()


def test_h5_with_just_enough_floors_all_towers_grow_and_nothing_is_to_choose():
    with thieves("*plain" + 5 * " post", deck="thief2 thief2 thief2 thief2 plain") as played:
        for height in (2, 3, 4, 4):  # the fourth thief finds the supply empty
            played.draw()
            assert set(floors(played.state).values()) == {height}
            assert played.state.is_chance
        assert played.state.pieces.shared["floors"] == 0
        played.draw()


def six_towers(deck):
    """Six towers, placed at 1, -1, 2, -2, 3, -3 in this order; after two thieves two floors are left."""
    counts = Counter(["plain", "plain", *6 * ["post"], *deck.split(), "thief2", "thief2"])
    state = own_game(counts, "plain", boxes=("thieves",)).new_state()
    for x in (1, -1, 2, -2, 3, -3):
        play(state, "draw post", f"place {x},0 0", "pass")
    assert list(floors(state)) == [(x, 0) for x in (1, -1, 2, -2, 3, -3)]
    play(state, "draw thief2", "draw thief2")
    assert state.pieces.shared["floors"] == 2
    return state


def test_h5_if_the_floors_do_not_suffice_the_player_chooses_tower_by_tower():
    state = six_towers("thief7")
    play(state, "draw thief7")
    assert (state.phase, state.is_chance, state.current_player, in_hand(state)) == (
        "grow",
        False,
        0,
        "own.thief7",
    )
    assert floors(state) == {(x, 0): 3 for x in (1, -1, 2, -2, 3, -3)}
    # Any but the tower placed last, after which there would be none for the second floor.
    assert legal(state) == ["grow -2,0", "grow -1,0", "grow 1,0", "grow 2,0", "grow 3,0"]
    play(state, "grow 2,0")
    assert (state.phase, state.current_player) == ("grow", 0)
    assert legal(state) == ["grow -3,0", "grow -2,0", "grow 3,0"]  # those placed later than 2,0
    play(state, "grow -3,0")
    assert floors(state) == {(1, 0): 3, (-1, 0): 3, (2, 0): 4, (-2, 0): 3, (3, 0): 3, (-3, 0): 4}
    assert state.pieces.shared["floors"] == 0
    assert (state.phase, stolen(state)) == ("draw", "own.thief7")


def test_h5_a_last_choice_without_an_alternative_is_still_made():
    state = six_towers("thief7")
    play(state, "draw thief7", "grow 3,0")
    assert (state.phase, legal(state)) == ("grow", ["grow -3,0"])


def test_h5_every_set_of_towers_can_be_chosen_and_in_one_way_only():
    state = six_towers("thief7")
    play(state, "draw thief7")
    chosen = []

    def choose(sofar):
        if state.phase != "grow":
            assert state.pieces.shared["floors"] == 0  # the supply is always used up
            chosen.append(tuple(sorted(sofar)))
            return
        for action in state.legal_actions():
            text = state.action_text(action)
            state.apply(action)
            choose([*sofar, text])
            state.undo()

    choose([])
    towers = [f"grow {x},0" for x in (-3, -2, -1, 1, 2, 3)]
    assert sorted(chosen) == sorted(tuple(sorted(pair)) for pair in combinations(towers, 2))


def test_h5_the_thief_goes_on_after_the_choice():
    # The tower at 3 has a watchman since the turn before; there are two floors for the five others.
    state = six_towers("thief7 plain")
    play(state, "draw plain", "place 4,0 0", "watchman 3,0")
    play(state, "draw thief7")
    assert (state.phase, state.current_player, state.scores) == ("grow", 1, (0, 0))
    assert legal(state) == ["grow -2,0", "grow -1,0", "grow 1,0", "grow 2,0"]
    assert play(state, "grow -2,0", "grow -3,0") == [(0, 7 + 2, "thief")]
    assert (state.phase, state.current_player, in_hand(state)) == ("place", 1, "own.thief7")
    assert floors(state)[3, 0] == 3


def test_h5_towers_with_a_watchman_or_five_floors_are_no_choice():
    # The tower at -1 has five floors, that at 4,0 a watchman. The others are at 1, 2, 3 and 4,1.
    counts = Counter({"plain": 3, "post": 6, "thief2": 8})
    state = own_game(counts, "plain", boxes=("thieves",)).new_state()
    play(state, "draw post", "place -1,0 0", "pass", *4 * ["draw thief2"])
    assert floors(state) == {(-1, 0): 5}
    play(state, "draw post", "place 1,0 0", "pass")
    for x in (2, 3, 4):
        play(state, "draw post", f"place {x},0 0", "pass")
    play(state, *2 * ["draw thief2"])
    assert state.pieces.shared["floors"] == 20 - 5 - 4 * 3 == 3
    play(state, "draw plain", "place 5,0 0", "watchman 4,0")
    play(state, "draw post", "place 4,1 0", "pass")
    assert state.pieces.shared["floors"] == 2
    play(state, "draw thief2")  # 1, 2, 3 of height 3 and the new one of height 1
    assert legal(state) == ["grow 1,0", "grow 2,0", "grow 3,0"]


# -- H5 (II): watchmen score

WATCHMEN = ["0 1,0: watchman 1,0", "1 2,0: watchman 2,0", "0 3,0: watchman 3,0"]


def test_h5_a_thief_of_value_6_pays_12_for_two_own_watchmen_and_6_for_one_section_9():
    with thieves("*E post post post plain", *WATCHMEN, deck="thief.Q") as played:
        assert played.draw() == [(0, 6, "thief"), (0, 6, "thief"), (1, 6, "thief")]
        assert played.state.scores == (12, 6)
        assert played.state.figures == ()
        assert played.state.supply == ({"meeple": 7}, {"meeple": 7})
        assert (played.state.phase, in_hand(played.state)) == ("place", "thief.Q")


def test_h5_watchmen_of_others_score_too_whoever_draws():
    with thieves("*plain post", "0 1,0: watchman 1,0", deck="thief7") as played:
        assert played.state.turn_player == 1
        assert played.draw() == [(0, 7, "thief")]


def test_h5_with_a_stolen_tile_each_watchman_scores_both_values_and_the_tile_leaves_the_game_section_9():
    with thieves("*plain post post", deck="thief7 plain plain thief2 thief2") as played:
        played.draw()
        assert stolen(played.state) == "own.thief7"
        played.turn("place 3,0 0", "watchman 2,0")
        played.turn("place 3,1 0")
        played.draw()
        assert played.state.scores == (2 + 7, 0)
        assert stolen(played.state) is None
        play(played.state, "place 0,1 0", "pass")
        played.draw()  # nobody stands on a tower: the second thief steals its tile
        assert stolen(played.state) == "own.thief2"


def test_h5_the_next_thief_after_a_stolen_tile_left_pays_its_own_value():
    with thieves("*plain post", deck="thief7 plain thief2 thief2") as played:
        played.draw()
        played.turn("place 2,0 0", "watchman 1,0")
        assert played.turn("place 1,1 0", "watchman 1,0") == [(1, 9, "thief")]
        assert played.turn("place 1,2 0") == [(0, 2, "thief")]


def test_h5_the_thief_tile_is_then_placed_like_any_other_and_its_symbol_does_nothing_more():
    # thief.O is a monastery: its own turn goes on as usual, with a figure on it or on the tower.
    with thieves("*plain post", "0 1,0: watchman 1,0", deck="thief.O plain") as played:
        assert played.draw() == [(0, 5, "thief")]
        play(played.state, "place 2,0 0")
        assert legal(played.state) == [
            "pass",
            f"deploy meeple 2,0 {PLAIN}",
            "deploy meeple 2,0 monastery",
            "watchman 1,0",
        ]
        assert play(played.state, "deploy meeple 2,0 monastery") == []
        assert played.turn("place 3,0 0", "pass") == []
        assert played.state.scores == (5, 0)


def test_h5_a_watchman_that_came_home_can_be_used_in_the_same_turn():
    picture = "B B B B B B *plain post"
    figures = [*(f"0 {x},0 monastery" for x in range(-6, 0)), "0 1,0: watchman 1,0"]
    with thieves(picture, *figures, deck="thief7", players=1) as played:
        assert played.state.supply == ({"meeple": 0},)
        assert played.turn("place 2,0 0", "watchman 1,0") == [(0, 7, "thief")]


# -- H1


@pytest.mark.parametrize("edition", ["c1", "c2", "c3"])
def test_h1_twelve_thieves_join_the_deck_and_five_tower_tiles_are_a_pile_of_their_own(edition):
    game = Game(Rules(boxes=("thieves",), edition=edition))
    tiles = [tile for tile, n in game.selection.entries for _ in range(n) if tile.id.startswith("thief")]
    assert sorted(tile.thief for tile in tiles if tile.pile == "deck") == [2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7]
    assert [tile.foundation for tile in tiles if tile.pile == "tower"] == [True] * 5
    assert len(tiles) == 17
    state = game.new_state()
    assert state.tiles_left == 71 + 12 + 5
    assert sum(count for count, _ in drawable(state).values()) == 71 + 12
    assert drawable(state)["thief.R"] == (1, 1 / 83)
    assert not drawable(state).keys() & {tile.id for tile in tiles if tile.pile == "tower"}


def test_h1_twenty_floors_are_one_supply_for_all():
    state = Game(Rules(boxes=("thieves",), players=4)).new_state()
    assert state.pieces.shared == {"floors": 20}
    assert list(state.pieces) == [{}] * 4


@pytest.mark.parametrize("copies", [1, 2, 5])
def test_h1_copies_multiply_the_tiles_and_the_floors_b14(copies):
    state = Game(Rules(boxes=("thieves",), copies={"thieves": copies})).new_state()
    assert state.pieces.shared == {"floors": 20 * copies}
    assert state.tiles_left == 71 + copies * 17
    play(state, "draw thief.G")
    assert drawable(state)["thief.B"] == (copies, 1 / 5)


# -- H6: the thief steals

TOWER_PILE = {f"thief.{letter}": (1, 1 / 5) for letter in "BCDEF"}


def test_h6_the_first_thief_steals_though_there_is_no_tower_and_a_tower_tile_is_drawn():
    state = Game(Rules(boxes=("thieves",))).new_state()
    assert drawable(state).keys() & TOWER_PILE.keys() == set()
    assert play(state, "draw thief.R") == []
    assert (state.phase, state.is_chance, state.turn, state.current_player) == ("draw", True, 0, 0)
    assert (stolen(state), in_hand(state), state.discards) == ("thief.R", None, 0)
    assert drawable(state) == TOWER_PILE
    assert state.tiles_left == 71 + 11 + 5
    play(state, "draw thief.D")
    assert (state.phase, state.current_player, in_hand(state)) == ("place", 0, "thief.D")
    play(state, "place 1,0 0", "watchman 1,0")
    assert state.turn_player == 1
    deck = drawable(state)
    assert sum(count for count, _ in deck.values()) == 71 + 11
    assert deck["base.V"] == (8, 8 / 82)
    assert not deck.keys() & TOWER_PILE.keys()


def test_h6_a_tower_without_a_watchman_grows_and_the_tile_is_stolen_all_the_same():
    with thieves("*plain post", deck="thief7 plain") as played:
        assert played.draw() == []
        assert floors(played.state) == {(1, 0): 2}
        assert stolen(played.state) == "own.thief7"
        played.draw()


def test_h6_one_watchman_of_anyone_prevents_the_theft():
    with thieves("*plain post post", "1 2,0: watchman 2,0", deck="thief2") as played:
        assert played.state.turn_player == 0
        played.draw()
        assert (stolen(played.state), in_hand(played.state)) == (None, "own.thief2")


def test_h6_an_older_stolen_tile_leaves_the_game():
    with thieves("*plain post", deck="thief7 thief2 plain thief.O") as played:
        played.draw()
        played.draw()
        assert stolen(played.state) == "own.thief2"
        played.turn("place 2,0 0", "watchman 1,0")
        assert played.draw() == [(1, 5 + 2, "thief")]


def test_h6_without_tower_tiles_the_deck_follows_in_which_each_thief_starts_again():
    with thieves("*plain post", deck="thief7 thief2 thief2 plain") as played:
        state = played.state
        assert drawable(state) == {
            "own.plain": (2, 2 / 5),
            "own.thief2": (2, 2 / 5),
            "own.thief7": (1, 1 / 5),
        }
        played.draw()
        assert drawable(state) == {"own.plain": (2, 1 / 2), "own.thief2": (2, 1 / 2)}
        played.draw()
        assert drawable(state) == {"own.plain": (2, 2 / 3), "own.thief2": (1, 1 / 3)}
        played.draw()
        assert drawable(state) == {"own.plain": (2, 1)}
        assert floors(state) == {(1, 0): 4}  # a floor for each thief
        assert (state.turn, state.turn_player) == (1, 1)
        played.turn("place 2,0 0")


def test_h6_when_the_tower_pile_has_run_out_in_a_chain_of_turns_the_deck_follows():
    with thieves("*plain", deck="thief2 thief.B thief2 thief.D thief2 plain") as played:
        assert drawable(played.state)["own.thief2"] == (
            3,
            3 / 5,
        )  # of the deck; thief.B and thief.D are apart
        played.draw()
        assert drawable(played.state) == {"thief.B": (1, 1 / 2), "thief.D": (1, 1 / 2)}
        played.turn("place 1,0 0")
        played.draw()
        assert drawable(played.state) == {"thief.D": (1, 1)}
        played.turn("place 0,1 180")
        played.draw()
        assert drawable(played.state) == {"own.plain": (2, 1)}
        played.turn("place 2,0 0")


def test_h6_the_draws_go_from_the_deck_to_the_tower_pile_and_back_to_the_deck():
    state = Game(Rules(boxes=("thieves",), edition="c1")).new_state()
    play(state, "draw thief.G", "draw thief.C", "place 0,-1 180", "pass")
    deck = drawable(state)
    assert sum(count for count, _ in deck.values()) == state.tiles_left - 4 == 71 + 11
    play(state, "draw thief.H")
    assert drawable(state) == {f"thief.{letter}": (1, 1 / 4) for letter in "BDEF"}


def test_h6_a_thief_that_finds_a_watchman_after_a_theft_owes_no_tower_tile():
    with thieves("*plain post", deck="thief2 thief.B thief7 plain") as played:
        played.draw()
        played.turn("place 2,0 0", "watchman 2,0")
        assert played.turn("place 3,0 0") == [(1, 2 + 7, "thief")]
        assert drawable(played.state) == {"own.plain": (2, 1)}
        played.turn("place 4,0 0")


# -- H6, B5: the end of the game


def test_h6_the_game_ends_when_a_thief_has_stolen_and_both_piles_are_empty():
    with thieves("*plain B", "0 1,0 monastery", deck="thief7", ends=True) as played:
        assert played.draw() == [(0, 2, "monastery")]
        assert played.state.is_terminal
        assert (stolen(played.state), played.state.turn) == ("own.thief7", 1)


def test_h6_the_game_ends_in_the_middle_of_a_chain():
    with thieves("*plain B", "0 1,0 monastery", deck="thief7 thief2", ends=True) as played:
        assert played.draw() == []
        assert drawable(played.state) == {"own.thief2": (1, 1)}
        assert played.draw() == [(0, 2, "monastery")]
        assert played.state.is_terminal


def test_h6_the_last_thief_of_the_deck_still_brings_a_tower_tile():
    with thieves("*plain", deck="thief7 thief.B", ends=True) as played:
        played.draw()
        assert drawable(played.state) == {"thief.B": (1, 1)}
        assert played.turn("place 1,0 0", "watchman 1,0") == [(0, 5 + 7, "watchman")]
        assert played.state.is_terminal


def test_h6_the_tower_pile_alone_does_not_prolong_the_game():
    counts = Counter({"plain": 2, "thief.B": 1, "thief.C": 1})
    state = own_game(counts, "plain", boxes=("thieves",)).new_state()
    assert drawable(state) == {"own.plain": (1, 1)}
    play(state, "draw plain", "place 1,0 0", "pass")
    assert (state.is_terminal, state.tiles_left) == (True, 2)


def test_h6_a_game_may_end_before_its_first_turn():
    with thieves("*plain", deck="thief7 thief2", ends=True) as played:
        played.draw()
        played.draw()
        assert (played.state.is_terminal, played.state.turn, played.state.scores) == (True, 0, (0, 0))


# -- H7: what fits nowhere


def test_h7_a_thief_that_fits_nowhere_has_its_effect_and_leaves_the_game():
    with thieves("*plain post", "0 1,0: watchman 1,0", deck="thief.R thief.B plain") as played:
        assert played.draw() == [(0, 7, "thief")]
        state = played.state
        assert (state.phase, state.turn, state.turn_player, state.discards) == ("draw", 1, 1, 1)
        assert stolen(state) is None
        assert drawable(state) == {"own.plain": (2, 1)}  # the deck, not the tower pile
        played.script.remove("thief.B")
        played.turn("place 2,0 0")


def test_h7_a_thief_that_steals_is_never_asked_whether_it_fits():
    with thieves("*plain", deck="thief.R plain") as played:
        played.draw()
        assert (stolen(played.state), played.state.discards) == ("thief.R", 0)
        played.turn("place 1,0 0")


def test_h7_an_unplaceable_tower_tile_is_removed_and_the_next_tower_tile_is_drawn():
    # Beside a crossing thief.B and thief.C have no road to join; thief.D has.
    with thieves("*X", deck="thief2 thief.B thief.C thief.D") as played:
        played.draw()
        played.draw()
        assert (played.state.phase, played.state.discards) == ("draw", 1)
        assert drawable(played.state) == {"thief.C": (1, 1 / 2), "thief.D": (1, 1 / 2)}
        played.draw()
        assert (played.state.turn, played.state.discards) == (0, 2)
        assert drawable(played.state) == {"thief.D": (1, 1)}
        played.turn("place 1,0 0")


def test_h7_after_the_last_tower_tile_that_fits_nowhere_the_deck_follows():
    with thieves("*X", deck="thief2 thief.B X") as played:
        played.draw()
        played.draw()
        assert drawable(played.state) == {"base.X": (1, 1 / 2), "own.plain": (1, 1 / 2)}
        played.turn("place 1,0 0")


def test_h7_an_unplaceable_tower_tile_may_be_the_end_of_the_game():
    with thieves("*X", deck="thief2 thief.B", ends=True) as played:
        played.draw()
        played.draw()
        assert (played.state.is_terminal, played.state.discards) == (True, 1)


def test_h7_a_tile_of_the_deck_drawn_instead_of_a_tower_tile_may_fit_nowhere_too():
    with thieves("*X", deck="thief2 plain thief7 X") as played:
        played.draw()
        played.draw()  # own.plain does not fit, another tile of the deck follows
        assert (played.state.phase, played.state.discards) == ("draw", 1)
        played.draw()
        assert stolen(played.state) == "own.thief7"
        played.turn("place 1,0 0")
