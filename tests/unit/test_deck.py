"""Decks: orders of tiles, their bytes and text, what they draw for a state, and perft over them."""

import pickle
from collections import Counter

import pytest
from games import finish, position, step
from hypothesis import given, settings
from hypothesis import strategies as st

from bastide import BastideError, Game, IllegalActionError, RecordError, Rng, Rules, SnapshotError, TileSet
from bastide import deck as deck_module
from bastide.deck import MAGIC, Deck, divide, perft

GAMES = {
    name: Game(Rules.preset(name, **options))
    for name, options in [("base", {}), ("river", {}), ("thieves", {}), ("watchtowers", {"copies": 2})]
}
BASE, RIVER = GAMES["base"], GAMES["river"]
SEEDS = st.integers(0, 2**64 - 1)
ONE = Deck.shuffled(BASE, Rng(1))


def counts(game):
    """How many of each tile a game draws, lakes included, as its selection says."""
    return Counter({game.tile_index(tile.id): n for tile, n in game.selection.entries})


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_shuffled_deck_holds_every_tile_of_the_game_in_its_pile(game):
    deck = Deck.shuffled(game, Rng(3))
    assert Counter(deck.deck + deck.river + deck.tower) == counts(game)
    for pile in ("deck", "river", "tower"):
        assert {game.tiles[tile].pile for tile in getattr(deck, pile)} <= {pile}


def test_a_deck_is_a_function_of_the_seed():
    assert Deck.shuffled(BASE, Rng(5)) == Deck.shuffled(BASE, Rng(5))
    assert len({Deck.shuffled(BASE, Rng(seed)) for seed in range(20)}) == 20


def test_every_place_of_a_shuffled_deck_is_as_likely_for_every_tile():
    tile = BASE.tile_index("base.C")  # there is one of it
    places = Counter(Deck.shuffled(BASE, Rng(seed)).deck.index(tile) // 24 for seed in range(900))
    assert all(230 < n < 370 for n in places.values())


def test_the_lake_is_the_last_of_the_river():
    for seed in range(20):
        river = Deck.shuffled(RIVER, Rng(seed)).river
        assert [RIVER.tiles[tile].river_role for tile in river] == [""] * (len(river) - 1) + ["lake"]


def test_a_game_draws_the_tiles_of_its_deck_in_order():
    state, drawn = BASE.new_state(), []
    while not state.is_terminal:
        if state.is_chance:
            drawn.append(ONE.next(state))
            state.draw(drawn[-1])
        else:
            step(state, Rng(len(drawn)))
    assert tuple(drawn) == ONE.deck


def test_the_next_tile_depends_on_the_position_alone():
    state = BASE.new_state()
    first = ONE.next(state)
    for _ in range(10):
        state.draw(ONE.next(state))
        while not state.is_chance:
            step(state, Rng(1))
    assert ONE.next(state.copy()) == ONE.next(state) == ONE.deck[10]
    assert ONE.next(BASE.new_state()) == first
    while state.turn or not state.is_chance:
        state.undo()
    assert ONE.next(state) == ONE.deck[0]


@pytest.mark.parametrize("seed", range(30))
def test_on_the_river_the_first_tile_left_that_fits_is_drawn_r4(seed):
    deck, state, rng = Deck.shuffled(RIVER, Rng(seed)), RIVER.new_state(), Rng(seed, 1)
    left = list(deck.river)
    while not state.is_terminal:
        if not state.is_chance:
            step(state, rng)
            continue
        possible = {tile for tile, *_ in state.draws()}
        tile = deck.next(state)
        if RIVER.tiles[tile].pile == "river":
            assert tile == next(other for other in left if other in possible)
            left.remove(tile)
        else:
            assert tile == deck.deck[len(deck.deck) - sum(n for _, n, _ in state.draws())]
        state.draw(tile)


def test_after_a_theft_the_tower_pile_gives_the_tile_h6():
    game, n_stolen = GAMES["thieves"], 0
    for seed in range(20):
        deck, state, rng, drawn = Deck.shuffled(game, Rng(seed)), game.new_state(), Rng(seed, 1), []
        while not state.is_terminal:
            if state.is_chance:
                drawn.append(deck.next(state))
                state.draw(drawn[-1])
            else:
                step(state, rng)
        for pile in ("deck", "tower"):
            own = tuple(tile for tile in drawn if game.tiles[tile].pile == pile)
            assert own == getattr(deck, pile)[: len(own)]
            n_stolen += len(own) * (pile == "tower")
    assert n_stolen


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_deck_of_the_rest_is_an_order_of_what_is_left(game):
    for steps in (0, 1, 40, 90):
        state = position(game, seed=2, steps=steps)
        deck = Deck.rest(state, Rng(steps))
        assert len(deck.deck + deck.river + deck.tower) == state.tiles_left
        deck.check(state)
        while not state.is_terminal:
            if state.is_chance:
                state.draw(deck.next(state))
            else:
                step(state, Rng(7))


def test_a_deck_says_why_it_does_not_suit_a_state():
    state = BASE.new_state()
    cases = [
        (Deck.shuffled(RIVER, Rng(1)), state, "of another game|it is of game"),
        (Deck(BASE, ONE.deck[1:]), state, "71 tiles left in the pile 'deck', the deck only 70"),
    ]
    after = BASE.new_state()
    other = next(tile for tile, *_ in after.draws() if tile != ONE.deck[0] and tile != ONE.deck[-1])
    after.draw(other)
    step(after, Rng(1))
    while not after.is_chance:
        step(after, Rng(1))
    cases.append((ONE, after, "the last 70 tiles .* are not those"))
    cases.append((Deck(RIVER, Deck.shuffled(RIVER, Rng(1)).deck), RIVER.new_state(), "left, the deck only 0"))
    for deck, unsuited, why in cases:
        with pytest.raises(IllegalActionError, match=why):
            deck.next(unsuited)
        with pytest.raises(IllegalActionError, match=why):
            deck.check(unsuited)


def test_nothing_is_next_unless_a_tile_is_to_be_drawn():
    state = position(BASE, steps=1)
    assert not state.is_chance
    for wrong in (state, finish(state.copy(), Rng(1))):
        with pytest.raises(IllegalActionError):
            ONE.next(wrong)


@pytest.mark.parametrize(
    ("piles", "why"),
    [
        (([0] * 99,), "99 of base.A"),
        (([], [0]), "is of the pile 'deck'"),
        (([-1],), "-1 is no tile"),
        (([10**30],), "is no tile"),
        ((["base.A"],), "index into game.tiles"),
        (([0.0],), "index into game.tiles"),
    ],
)
def test_tiles_that_the_game_does_not_have_make_no_deck(piles, why):
    with pytest.raises(IllegalActionError, match=why):
        Deck(BASE, *piles)


def test_the_lake_before_another_river_tile_makes_no_deck():
    deck = Deck.shuffled(RIVER, Rng(1))
    with pytest.raises(IllegalActionError, match="lake is not the last"):
        Deck(RIVER, deck.deck, deck.river[::-1])


def test_a_deck_is_immutable_hashable_and_can_be_pickled():
    with pytest.raises(AttributeError, match="immutable"):
        ONE.deck = ()
    with pytest.raises(AttributeError, match="immutable"):
        del ONE.river
    copy = pickle.loads(pickle.dumps(ONE))
    assert (copy, hash(copy)) == (ONE, hash(ONE))
    assert Deck.shuffled(BASE, Rng(2)) != ONE != "deck"


@given(st.sampled_from(list(GAMES)), SEEDS)
@settings(max_examples=30)
def test_bytes_and_text_give_the_same_deck_again(name, seed):
    deck = Deck.shuffled(GAMES[name], Rng(seed))
    assert Deck.from_bytes(deck.game, deck.to_bytes()) == deck
    assert Deck.parse(deck.game, str(deck)) == deck
    assert str(deck).count("\n") == sum(1 for pile in (deck.deck, deck.river, deck.tower) if pile)


def test_every_changed_byte_and_every_missing_one_is_noticed():
    data = Deck.shuffled(RIVER, Rng(1)).to_bytes()
    for i in range(len(data)):
        for wrong in (data[:i], data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :]):
            with pytest.raises(SnapshotError):
                Deck.from_bytes(RIVER, wrong)
    with pytest.raises(SnapshotError):
        Deck.from_bytes(RIVER, data + b"\0")


@given(st.binary(max_size=80), st.booleans())
def test_any_bytes_are_a_deck_or_a_snapshot_error(data, is_begun):
    with pytest.raises(SnapshotError):
        Deck.from_bytes(BASE, MAGIC * is_begun + data)


def sealed(body, fingerprint, form=1, rules=1):
    head = deck_module._HEAD.pack(MAGIC, form, rules, fingerprint, len(body))
    return head + body + deck_module._checksum(head + body)


def test_another_version_or_game_is_named_with_the_expected_one():
    mine, other = BASE.fingerprint, RIVER.fingerprint
    for data, message in [
        (sealed(b"", mine, form=2), "format is 2 .expected 1"),
        (sealed(b"", mine, rules=9), "rules version is 9 .expected 1"),
        (sealed(b"", other), f"fingerprint is {other} .expected {mine}"),
        (sealed(b"\0" * 6, mine, rules=1)[:-1], "length is"),
    ]:
        with pytest.raises(SnapshotError, match=message):
            Deck.from_bytes(BASE, data)
    assert Deck.from_bytes(BASE, sealed(b"\0" * 6, mine)) == Deck(BASE, ())


@pytest.mark.parametrize("body", [b"", b"\0", b"\1\0", b"\0" * 8, b"\1\0\xff\xff\0\0\0\0", b"\xff\xff" * 3])
def test_a_sealed_body_that_is_no_deck_is_an_error_too(body):
    with pytest.raises(SnapshotError):
        Deck.from_bytes(BASE, sealed(body, BASE.fingerprint))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no pile"),
        ("# nothing", "no pile"),
        ("base.V base.U", "line 1: begins with 'base.V'"),
        ("deck base.V\ndeck base.U", "line 2: begins with 'deck'"),
        ("deck base.V\n\nriver base.ZZ", "line 3: the game has no tile 'base.ZZ'"),
        ("deck " + "base.C " * 9, "9 of base.C .expected at most 1"),
        ("river base.V", "pile 'river': base.V is of the pile 'deck'"),
        ("deck " + "base.V " * 20_000, "not a text of at most"),
        (b"deck base.V", "not a text"),
    ],
)
def test_a_text_that_is_no_deck_says_where_and_why(text, why):
    with pytest.raises(RecordError, match=why) as caught:
        Deck.parse(BASE, text)
    assert len(str(caught.value)) < 300


def test_comments_and_blank_lines_are_nothing():
    assert Deck.parse(BASE, "# a deck\n\n  deck base.V # the first\n") == Deck(BASE, [BASE.tile_index("base.V")])


def test_a_deck_of_own_tiles_is_tied_to_them():
    own = TileSet.loads('format = 1\nbox = "base"\n[sets.base_c2c3]\n"base.D" = 3\n"base.U" = 4\n')
    game = Game(Rules(), own)
    deck = Deck.shuffled(game, Rng(1))
    assert len(deck.deck) == 6
    with pytest.raises(SnapshotError, match="fingerprint"):
        Deck.from_bytes(BASE, deck.to_bytes())


@pytest.mark.parametrize("wrong", [None, 1, "deck", BASE])
def test_arguments_of_the_wrong_kind_are_a_bastide_error(wrong):
    state = BASE.new_state()
    calls = [
        lambda: Deck(wrong if wrong is not BASE else None, []),
        lambda: Deck.shuffled(BASE, wrong),
        lambda: Deck.rest(wrong, Rng(1)),
        lambda: ONE.next(wrong),
        lambda: ONE.check(wrong),
        lambda: perft(wrong, 1, ONE),
        lambda: perft(state, 1, wrong),
        lambda: perft(state, wrong if wrong != 1 else -1, ONE),
        lambda: perft(state, wrong if wrong != 1 else 101, ONE),
        lambda: perft(state, wrong if wrong != 1 else True, ONE),
    ]
    for call in calls:
        with pytest.raises(BastideError):
            call()


# -- perft


def slow(state, depth, deck):
    """Count by copying and nothing else."""
    state = state.copy()
    while state.is_chance:
        state.draw(deck.next(state))
    if depth == 0 or state.is_terminal:
        return 1
    total = 0
    for action in state.legal_actions():
        child = state.copy()
        child.apply(action)
        total += slow(child, depth - 1, deck)
    return total


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("steps", [0, 41, 102, 130, 150])
def test_perft_counts_the_sequences_of_decisions(game, steps):
    state = position(game, seed=4, steps=steps)
    deck = Deck.rest(state, Rng(steps))
    before = state.to_bytes()
    for depth in range(4 if steps < 50 else 3):
        count = perft(state, depth, deck)
        assert count == slow(state, depth, deck)
        if depth:
            assert sum(divide(state, depth, deck).values()) == count
    assert state.to_bytes() == before


def test_perft_is_the_same_with_more_or_less_of_it_in_the_core(monkeypatch):
    found = set()
    for depth in range(6):
        monkeypatch.setattr(deck_module, "CORE_DEPTH", depth)
        found.add(perft(BASE.new_state(), 5, ONE))
    assert len(found) == 1


def test_perft_of_a_finished_game_is_one_and_has_nothing_to_divide():
    end = finish(BASE.new_state(), Rng(1))
    assert [perft(end, depth, ONE) for depth in (0, 1, 100)] == [1, 1, 1]
    assert divide(end, 1, ONE) == {}
    with pytest.raises(BastideError, match="depth must be 1 or more"):
        divide(end, 0, ONE)


def test_divide_names_the_first_actions():
    state = BASE.new_state()
    state.draw(ONE.next(state))
    texts = [state.action_text(action) for action in state.legal_actions()]
    assert list(divide(state, 2, ONE)) == texts == list(divide(BASE.new_state(), 1, ONE))


def test_perft_with_a_deck_that_does_not_suit_is_an_error():
    for depth in (1, 2, 5):
        with pytest.raises(IllegalActionError, match="does not suit"):
            perft(BASE.new_state(), depth, Deck(BASE, ONE.deck[:3]))
