"""H5-H8, C5: thieves and watchmen together with other boxes, and decks that hold the tower pile."""

import pytest
from boards import Table, legal, own_game, play

from bastide import Deck, Game, IllegalActionError, Rng, Rules, perft

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"


def thieves(picture, *figures, **options):
    return Table(picture, *figures, **({"boxes": ("thieves",)} | options))


def castles(picture, *figures, **options):
    return Table(picture, *figures, **({"boxes": ("thieves", "bridges-castles")} | options))


def indexes(game, words):
    return [game.tile_index(word if "." in word else f"own.{word}") for word in words.split()]


# -- C5


def test_c5_a_castle_and_a_watchman_may_come_in_one_turn():
    with castles("*E", deck="thief2 thief.C") as played:
        played.draw()
        played.draw()
        play(played.state, "place 0,-1 180")
        assert legal(played.state) == ["no building", "castle 0,-1 city S"]
        play(played.state, "castle 0,-1 city S")
        assert legal(played.state) == [
            "pass",
            "deploy meeple 0,-1 field NL-NR-EL-ER-WL-WR",
            "deploy meeple 0,-1 castle S",
            "watchman 0,-1",
        ]
        assert play(played.state, "watchman 0,-1") == []
        assert played.state.pieces.shared["castles"] == 5


def test_c5_a_knight_becomes_a_maiden_and_a_watchman_comes_in_the_same_turn():
    with castles("*plain E", "0 1,0 city N", deck="thief2 thief.C") as played:
        played.draw()
        played.draw()
        play(played.state, "place 1,-1 180", "castle 1,-1 city S", "watchman 1,-1")
        assert [(f.owner, f.kind, f.place) for f in played.state.figures] == [
            (0, "maiden", "castle S"),
            (1, "meeple", "tower"),
        ]


def test_c5_a_bridge_and_a_watchman_may_come_in_one_turn():
    with castles("*A", deck="post") as played:
        played.draw()
        play(played.state, "place 0,1 0 bridge NS", "watchman 0,1")
        (tile,) = (tile for tile in played.state.board if tile.bridge)
        assert (tile.bridge, tile.floors, tile.top.owner) == ("NS", ("normal",), 0)


def test_c5_a_barn_and_a_watchman_may_come_in_one_turn():
    picture = """
        *plain post
        plain  .
    """
    with castles(picture, f"0 0,1 {PLAIN}", deck="plain") as played:
        gained = played.turn("place 1,1 0", f"barn 1,1 NW from 0,1 {PLAIN}", "watchman 1,0")
        assert gained == [(0, 1, "barn")]
        assert [f.place for f in played.state.figures] == ["barn", "tower"]


def test_h8_a_watchman_is_no_farmer_for_a_barn_g12():
    picture = """
        *plain post
        plain  .
    """
    with castles(picture, f"0 0,1 {PLAIN}", "1 1,0: watchman 1,0", deck="plain") as played:
        assert played.turn("place 1,1 0", f"barn 1,1 NW from 0,1 {PLAIN}") == [(0, 1, "barn")]


def test_h8_a_watchman_on_a_city_tile_is_no_knight_for_a_maiden_g10():
    # thief.C has a city, which stays open, and a watchman of player 0 above it.
    picture = """
        E/180 .
        *E    plain
    """
    maiden = "1 0,-1: castle 0,-1 city S; deploy meeple 0,-1 castle S"
    with castles(picture, maiden, deck="thief2 thief.C plain") as played:
        played.draw()
        played.turn("place 2,0 0", "watchman 2,0")
        gained = played.turn("place 0,1 0", "take back maiden 0,-1 castle S")
        assert gained == [(1, 1, "maiden")]


# -- the river


def test_h6_with_the_river_the_first_thief_may_find_a_watchman_r5():
    counts = {"river.A": 1, "river.L": 1, "thief.A": 1, "plain": 2, "thief7": 1}
    state = own_game(counts, "plain", boxes=("river", "thieves")).new_state()
    play(state, "draw thief.A", "place 1,0 0", "watchman 1,0")
    assert [state.game.tiles[tile].id for tile, *_ in state.draws()] == ["river.L"]
    play(state, "draw river.L", "place 2,0 0", "pass")
    assert play(state, "draw thief7") == [(0, 7, "thief")]
    assert state.stolen_tile is None


# -- H5-H7: decks, which hold the tower pile


def test_h1_a_shuffled_deck_holds_the_tower_pile_and_the_rest_of_a_game_the_rest_of_it():
    game = Game(Rules(boxes=("thieves",)))
    deck = Deck.shuffled(game, Rng(1))
    assert (len(deck.deck), len(deck.tower)) == (71 + 12, 5)
    assert {game.tiles[tile].id for tile in deck.tower} == {f"thief.{letter}" for letter in "BCDEF"}
    state = game.new_state()
    play(state, "draw thief.G")
    assert len(Deck.rest(state, Rng(1)).tower) == 5
    play(state, "draw thief.E")
    rest = Deck.rest(state, Rng(1))
    assert (len(rest.deck), len(rest.tower)) == (71 + 11, 4)
    assert game.tile_index("thief.E") not in rest.tower


def test_h6_a_deck_deals_the_tower_pile_after_a_theft_and_then_itself_again():
    counts = {"plain": 2, "thief2": 3, "X": 1, "thief.B": 1, "thief.C": 1, "E": 1}
    game = own_game(counts, "plain", boxes=("thieves",))
    deck = Deck(game, indexes(game, "thief2 thief2 base.X thief2 base.E plain"), (), indexes(game, "thief.C thief.B"))
    state, drawn = game.new_state(), []

    def deal():
        tile = deck.next(state)
        drawn.append(game.tiles[tile].id)
        state.draw(tile)

    deal()
    deal()  # the tower tile for the first thief
    play(state, "place 1,0 0", "pass")
    deal()
    deal()
    play(state, "place 2,0 0", "pass")
    deal()  # base.X fits nowhere (B5)
    deal()
    deal()  # the third thief finds the tower pile empty
    play(state, "place 1,-1 180", "pass")
    deal()
    assert drawn[:4] == ["own.thief2", "thief.C", "own.thief2", "thief.B"]
    assert drawn[4:] == ["base.X", "own.thief2", "base.E", "own.plain"]
    play(state, "place 3,0 0", "pass")
    assert state.is_terminal
    with pytest.raises(IllegalActionError):
        deck.next(state)


def test_h6_perft_goes_through_a_theft_with_the_tower_pile_of_its_deck():
    counts = {"plain": 2, "thief2": 1, "post": 1, "thief.B": 1}
    game = own_game(counts, "plain", boxes=("thieves",))
    deck = Deck(game, indexes(game, "thief2 post plain"), (), indexes(game, "thief.B"))
    state = game.new_state()
    # The thief steals; thief.B has four cells around the start tile; then a pass, the field or the watchman.
    assert [perft(state, depth, deck) for depth in (0, 1, 2)] == [1, 4, 4 * 3]
    assert game.tiles[deck.next(state)].id == "own.thief2"


def test_h7_a_deck_goes_on_behind_a_tower_tile_that_fits_nowhere():
    game = own_game({"X": 2, "thief2": 1, "thief.B": 1, "thief.D": 1}, "X", boxes=("thieves",))
    deck = Deck(game, indexes(game, "thief2 base.X"), (), indexes(game, "thief.B thief.D"))
    state, drawn = game.new_state(), []
    while state.is_chance:
        drawn.append(game.tiles[deck.next(state)].id)
        state.draw(deck.next(state))
    assert drawn == ["own.thief2", "thief.B", "thief.D"]


def test_h5_undo_takes_back_what_a_thief_did_step_by_step():
    # The watchman scores and goes home; the next thief steals, and a tile of the deck is placed.
    steps = ["draw thief7", "place 3,0 0", "pass", "draw thief2", "draw plain", "place 4,0 0", "pass"]
    table = thieves("*plain post post", "1 2,0: watchman 2,0", deck="thief7 thief2 plain")
    state, before = table.state, []
    for step in steps:
        before.append(state.to_bytes())
        play(state, step)
    assert state.stolen_tile is not None
    while before:
        state.undo()
        assert state.to_bytes() == before.pop()
