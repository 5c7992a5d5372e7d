"""Batches: games stepped together are the games that states play one by one."""

from itertools import pairwise

import numpy as np
import pytest
from games import C1, position

from bastide import BastideError, Batch, Game, IllegalActionError, Rng, Rules, SnapshotError
from bastide.batch import PHASES
from bastide.rules import PRESETS

GAMES = {name: Game(Rules.preset(name, players=2 + i % 3)) for i, name in enumerate(PRESETS)}


class Mirror:
    """A slot's game, played by a State as the docstring of Batch says."""

    def __init__(self, game, seed, slot, start=0):
        self.game, self.seed, self.number = game, seed, start + slot
        self.episode = -1
        self.begin()

    def begin(self):
        self.episode += 1
        self.rng = Rng(self.seed, (self.episode << 32) + self.number)
        self.state = self.game.new_state()
        self.draw()

    def draw(self):
        while self.state.is_chance:
            self.state.draw(self.state.sample_draw(self.rng))

    def legal(self):
        return [] if self.state.is_terminal else self.state.legal_actions()

    def step(self, action):
        self.before = self.state.scores
        self.state.apply(action)
        self.draw()


def split(actions, offsets):
    return [actions[a:b].tolist() for a, b in pairwise(offsets)]


def check_positions(batch, mirrors):
    """The positions, and every question about them."""
    states = [mirror.state for mirror in mirrors]
    assert [state.to_bytes() for state in batch.states] == [state.to_bytes() for state in states]
    assert [PHASES[i] for i in batch.phases()] == [state.phase for state in states]
    assert batch.current_player().tolist() == [-1 if s.is_terminal else s.current_player for s in states]
    assert batch.drawn_tiles().tolist() == [-1 if s.drawn_tile is None else s.drawn_tile for s in states]
    assert batch.turns().tolist() == [state.turn for state in states]
    assert batch.is_chance().tolist() == [state.is_chance for state in states]
    assert batch.episodes().tolist() == [mirror.episode for mirror in mirrors]


def check_results(batch, states, before):
    """What the last step brought, of these states as it left them."""
    assert batch.terminal().tolist() == [state.is_terminal for state in states]
    assert batch.scores().tolist() == [list(state.scores) for state in states]
    assert batch.returns().tolist() == [list(state.returns) for state in states]
    gained = np.array([state.scores for state in states]) - np.array(before)
    assert batch.rewards().tolist() == gained.tolist()


@pytest.mark.parametrize("name", GAMES)
def test_slots_play_as_states_do_whatever_the_form_of_the_step(name):
    n, seed = 3, 11
    batch = Batch(GAMES[name], n, seed)
    mirrors = [Mirror(GAMES[name], seed, i) for i in range(n)]
    rng, step = Rng(5), 0
    while not batch.terminal().all():
        lists = split(*batch.legal_actions())
        assert lists == [mirror.legal() for mirror in mirrors]
        bits, outside = batch.masks()
        assert outside.tolist() == [0] * n
        choices = [rng.below(len(legal)) if legal else 77 for legal in lists]
        chosen = [legal[k] if legal else 77 for legal, k in zip(lists, choices, strict=True)]
        numbers = [
            int(batch.index.numbers(m.state, [a])[0]) if m.legal() else 77 for m, a in zip(mirrors, chosen, strict=True)
        ]
        for i, legal in enumerate(lists):
            ones = np.flatnonzero(np.unpackbits(bits[i], bitorder="little"))
            assert len(ones) == len(legal)
            assert not legal or numbers[i] in ones
        before = [mirror.state.scores for mirror in mirrors]
        form = ("action", "choice", "number")[step % 3]
        batch.step({"action": chosen, "choice": choices, "number": numbers}[form], form)
        for mirror, action, legal in zip(mirrors, chosen, lists, strict=True):
            if legal:
                mirror.step(action)
        check_results(batch, [mirror.state for mirror in mirrors], before)
        if step % 7 == 0:
            check_positions(batch, mirrors)
        step += 1
    check_positions(batch, mirrors)
    batch.step([0] * n)  # nothing to decide: nothing is looked at, nothing happens
    check_positions(batch, mirrors)
    assert not batch.rewards().any()


def test_an_ended_episode_is_told_of_while_the_next_one_goes_on():
    n, seed, start = 4, 3, 100
    batch = Batch(C1, n, seed, auto_reset=True, start=start)
    mirrors = [Mirror(C1, seed, i, start) for i in range(n)]
    rng = Rng(1)
    while batch.episodes().min() < 2:
        lists = split(*batch.legal_actions())
        assert all(lists)
        chosen = [legal[rng.below(len(legal))] for legal in lists]
        before = [mirror.state.scores for mirror in mirrors]
        batch.step(chosen)
        for mirror, action in zip(mirrors, chosen, strict=True):
            mirror.step(action)
        check_results(batch, [mirror.state for mirror in mirrors], before)
        for mirror in mirrors:
            if mirror.state.is_terminal:
                mirror.begin()
        if batch.terminal().any():
            check_positions(batch, mirrors)


def test_draws_can_come_from_outside():
    n = 3
    batch = Batch(C1, n, chance="outside")
    states = [C1.new_state() for _ in range(n)]
    rng = Rng(2)
    assert batch.is_chance().all()
    while not batch.terminal().all():
        counts = batch.draws()
        for state, row in zip(states, counts, strict=True):
            expected = {t: k for t, k, _ in state.draws()} if state.is_chance else {}
            assert {int(t): int(row[t]) for t in np.flatnonzero(row)} == expected
        tiles = [state.sample_draw(rng) if state.is_chance else 999 for state in states]
        before = [state.scores for state in states]
        batch.draw(tiles)
        for state, tile in zip(states, tiles, strict=True):
            if state.is_chance:
                state.draw(tile)
        assert [s.to_bytes() for s in batch.states] == [s.to_bytes() for s in states]
        lists = split(*batch.legal_actions())
        assert lists == [[] if s.is_chance or s.is_terminal else s.legal_actions() for s in states]
        chosen = [legal[rng.below(len(legal))] if legal else -1 for legal in lists]
        before = [state.scores for state in states]
        batch.step(chosen)
        for state, action, legal in zip(states, chosen, lists, strict=True):
            if legal:
                state.apply(action)
        check_results(batch, states, before)


def test_results_of_an_episode_outlast_the_draw_of_the_next_one():
    batch = Batch(C1, 2, chance="outside", auto_reset=True)
    rng = Rng(4)
    while not batch.terminal().any():
        batch.draw([np.flatnonzero(row)[rng.below(np.count_nonzero(row))] if row.any() else 0 for row in batch.draws()])
        actions, offsets = batch.legal_actions()
        batch.step([actions[a + rng.below(b - a)] if b > a else 0 for a, b in pairwise(offsets)])
    ended = int(np.flatnonzero(batch.terminal())[0])
    told = batch.scores().copy(), batch.returns().copy(), batch.rewards().copy()
    assert told[0][ended].any()
    assert batch.episodes()[ended] == 1
    assert batch.is_chance()[ended]
    batch.draw([np.flatnonzero(row)[0] if row.any() else 0 for row in batch.draws()])
    assert batch.terminal()[ended]
    for now, then in zip((batch.scores(), batch.returns(), batch.rewards()), told, strict=True):
        assert (now[ended] == then[ended]).all()


# -- what is wrong is refused, and nothing is done


def snapshot(batch):
    return [state.to_bytes() for state in batch.states], batch.scores().tolist(), batch.rewards().tolist()


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        ("action", -1),
        ("action", 0),
        ("action", 1 << 62),
        ("action", (1 << 63) - 1),
        ("choice", -1),
        ("choice", 1000),
        ("number", -1),
        ("number", 0),
        ("number", 1 << 60),
    ],
)
def test_a_wrong_entry_is_named_and_no_game_is_stepped(form, wrong, listed):
    batch = Batch(C1, 5, 8)
    actions, offsets = batch.legal_actions()
    batch.step(actions[offsets[:-1]])
    batch.step(np.zeros(5, int), "choice")
    while not (batch.phases() == PHASES.index("place")).all():
        batch.step(np.zeros(5, int), "choice", where=batch.phases() != PHASES.index("place"))
    if listed:
        batch.legal_actions()
    states = list(batch.states)
    actions = np.array([state.legal_actions()[0] for state in states])
    right = {
        "action": actions,
        "choice": np.zeros(5, int),
        "number": np.array([batch.index.numbers(s, [a])[0] for s, a in zip(states, actions, strict=True)]),
    }[form]
    entries = right.copy()
    entries[3] = wrong
    before = snapshot(batch)
    with pytest.raises(IllegalActionError, match=f"slot 3: {form} {wrong} .*phase 'place'"):
        batch.step(entries, form)
    assert snapshot(batch) == before
    batch.step(entries, form, where=np.arange(5) != 3)  # the wrong one is not looked at
    assert [a == b for a, b in zip(snapshot(batch)[0], before[0], strict=True)] == [False] * 3 + [True, False]
    assert batch.rewards()[3].tolist() == [0, 0]


def test_an_action_of_another_slot_is_refused():
    batch = Batch(C1, 2, 1)
    for _ in range(40):
        batch.step([0, 0], "choice")
    actions, offsets = batch.legal_actions()
    first, second = split(actions, offsets)
    only_first = next(a for a in first if a not in second)
    with pytest.raises(IllegalActionError, match="slot 1"):
        batch.step([first[0], only_first])


@pytest.mark.parametrize("tile", [-1, 1 << 40, 32, "gone"])
def test_a_wrong_draw_is_named_and_no_tile_is_drawn(tile):
    batch = Batch(C1, 3, chance="outside")
    if tile == "gone":
        tile = next(t for t, n, _ in C1.new_state().draws() if n == 1)
        state = C1.new_state()
        state.draw(tile)
        state.apply(state.legal_actions()[0])
        while not state.is_chance:
            state.apply(state.legal_actions()[0])
        batch.states[1] = state
    right = C1.new_state().draws()[0][0]
    before = snapshot(batch)
    with pytest.raises(IllegalActionError, match=f"slot 1: tile {tile} "):
        batch.draw([right, tile, right])
    assert snapshot(batch) == before


@pytest.mark.parametrize(
    "entries", [[0], [0.0, 1.0], [True, False], "ab", None, [[0, 0]], [1 << 70, 0], [None, 1], np.zeros(3, int)]
)
def test_entries_are_integers_one_a_slot(entries):
    batch = Batch(C1, 2)
    before = snapshot(batch)
    with pytest.raises(IllegalActionError):
        batch.step(entries)
    assert snapshot(batch) == before


def test_unsigned_entries_and_strides_do():
    batch, other = Batch(C1, 4, 2), Batch(C1, 4, 2)
    actions, offsets = batch.legal_actions()
    chosen = actions[offsets[:-1]]
    batch.step(chosen.astype(np.uint64))
    twice = np.repeat(chosen, 2)
    other.step(twice[::2])
    assert snapshot(batch) == snapshot(other)
    with pytest.raises(IllegalActionError, match="slot 0"):
        batch.step(np.full(4, (1 << 64) - 1, np.uint64))


@pytest.mark.parametrize("where", [[1, 0], [True], "yes", np.ones((2, 1), bool)])
def test_where_is_a_flag_a_slot(where):
    with pytest.raises(BastideError, match="where"):
        Batch(C1, 2).step([0, 0], "choice", where=where)


@pytest.mark.parametrize(
    "options",
    [
        {"n": 0},
        {"n": -1},
        {"n": 1.0},
        {"n": True},
        {"n": 1 << 30},
        {"seed": -1},
        {"seed": 1 << 64},
        {"seed": "7"},
        {"start": 1 << 32},
        {"start": -1},
        {"threads": 0},
        {"threads": None},
        {"chance": "none"},
        {"game": None},
        {"index": "none"},
        {"form": "best"},
    ],
)
def test_arguments_that_are_none_are_refused(options):
    options = dict(options)
    form = options.pop("form", "choice")
    with pytest.raises(BastideError):
        Batch(options.pop("game", C1), options.pop("n", 2), **options).step([0, 0], form)


def test_chance_inside_leaves_no_draw():
    batch = Batch(C1, 2)
    assert not batch.draws().any()
    with pytest.raises(BastideError, match="outside"):
        batch.draw([0, 0])


# -- arrays of the caller


def test_results_go_into_the_callers_arrays():
    batch, n = Batch(C1, 6, 4), 6
    for question, shape, dtype in (
        (batch.scores, (n, 2), np.int32),
        (batch.rewards, (n, 2), np.int32),
        (batch.returns, (n, 2), np.float64),
        (batch.terminal, (n,), np.bool_),
        (batch.is_chance, (n,), np.bool_),
        (batch.current_player, (n,), np.int32),
        (batch.phases, (n,), np.int32),
        (batch.drawn_tiles, (n,), np.int32),
        (batch.turns, (n,), np.int32),
        (batch.episodes, (n,), np.int64),
        (batch.draws, (n, len(C1.tiles)), np.uint16),
        (batch.middles, (n, 2), np.int32),
    ):
        fresh = question()
        assert (fresh.shape, fresh.dtype) == (shape, dtype)
        out = np.full(shape, 1, dtype)
        assert question(out=out) is out
        assert (out == fresh).all()
        frozen = np.ones(shape, dtype)
        frozen.flags.writeable = False
        for bad in (np.empty(shape, np.float32), np.empty((n + 1, *shape[1:]), dtype), [0], frozen, out.T[..., None]):
            with pytest.raises(BastideError, match="must be a writeable array"):
                question(out=bad)


def test_lists_and_masks_go_into_the_callers_arrays():
    batch = Batch(C1, 6, 4)
    actions, offsets = batch.legal_actions()
    room = np.zeros(batch.n * batch.max_actions, np.int64), np.zeros(7, np.int64)
    again, same = batch.legal_actions(out=room)
    assert np.shares_memory(again, room[0])
    assert same is room[1]
    assert (again == actions).all()
    assert (same == offsets).all()
    with pytest.raises(BastideError, match="no room"):
        batch.legal_actions(out=(np.zeros(len(actions) - 1, np.int64), offsets))
    bits, outside = batch.masks()
    out = np.full_like(bits, 255), np.full_like(outside, -1)
    batch.masks(out=out)
    assert (out[0] == bits).all()
    assert (out[1] == outside).all()


# -- positions


def test_a_slot_can_be_read_and_set():
    batch = Batch(C1, 3, 6)
    state = position(seed=5, steps=61)
    assert not state.is_chance
    batch.states[1] = state
    assert batch.states[1] == state
    assert batch.states[1].to_bytes() == state.to_bytes()
    batch.states[-1] = state.to_bytes()
    assert batch.states[2] == state
    other = Game(Rules(edition="c1")).state_from_bytes(state.to_bytes())  # an equal game, not the same
    batch.states[0] = other
    assert batch.states[0] == state
    copy = batch.states[0]
    copy.apply(copy.legal_actions()[0])
    assert batch.states[0] == state
    lists = split(*batch.legal_actions())
    assert lists == [state.legal_actions()] * 3
    assert not batch.rewards().any()
    assert len(batch.states) == len(batch) == 3


def test_a_position_at_chance_is_drawn_for_at_once_unless_draws_come_from_outside():
    state = position(seed=5, steps=60)
    while not state.is_chance:
        state.apply(state.legal_actions()[0])
    inside, outside = Batch(C1, 1, 9), Batch(C1, 1, 9, chance="outside")
    inside.states[0] = outside.states[0] = state
    assert outside.states[0] == state
    rng = Rng(9, 0)
    first = C1.new_state()
    first.draw(first.sample_draw(rng))
    state.draw(state.sample_draw(rng))  # the slot's stream goes on
    assert inside.states[0] == state


@pytest.mark.parametrize("value", [None, "bytes", 3, b"", b"BSTS" + bytes(40)])
def test_what_is_no_position_of_the_game_is_refused(value):
    batch = Batch(C1, 2)
    before = snapshot(batch)
    with pytest.raises(SnapshotError if isinstance(value, bytes) else BastideError):
        batch.states[0] = value
    with pytest.raises(SnapshotError):
        batch.states[0] = Game(Rules(edition="c1", players=3)).new_state()
    assert snapshot(batch) == before


def test_slots_out_of_range_are_refused():
    batch = Batch(C1, 2)
    for i in (2, -3, 1 << 70):
        with pytest.raises(IndexError):
            batch.states[i]
        with pytest.raises(IndexError):
            batch.states[i] = C1.new_state()
    with pytest.raises(BastideError):
        batch.states["0"]


def test_reset_begins_the_next_episode_where_it_is_asked_to():
    batch = Batch(C1, 3, 6)
    for _ in range(9):
        batch.step([0, 0, 0], "choice")
    before = [state.to_bytes() for state in batch.states]
    batch.reset(where=np.array([True, False, True]))
    assert batch.episodes().tolist() == [1, 0, 1]
    mirror = Mirror(C1, 6, 2)
    mirror.begin()
    assert batch.states[2].to_bytes() == mirror.state.to_bytes()
    assert batch.states[1].to_bytes() == before[1]
    assert not batch.scores()[[0, 2]].any()
    batch.reset()
    assert batch.episodes().tolist() == [2, 1, 2]


def test_a_finished_game_that_is_put_into_a_slot_is_followed_by_an_episode():
    state = position(seed=3, steps=1000)
    assert state.is_terminal
    batch = Batch(C1, 2, auto_reset=True)
    batch.states[0] = state
    assert batch.terminal().tolist() == [True, False]
    assert batch.scores()[0].tolist() == list(state.scores)
    batch.step([0, 0], "choice")
    assert batch.episodes().tolist() == [1, 0]
    assert not batch.states[0].is_terminal


def test_shards_are_the_slots_of_one_batch():
    whole = Batch(C1, 4, 12)
    parts = Batch(C1, 2, 12), Batch(C1, 2, 12, start=2)
    for _ in range(50):
        whole.step([0, 0, 0, 0], "choice")
        for part in parts:
            part.step([0, 0], "choice")
    assert [s.to_bytes() for s in whole.states] == [s.to_bytes() for part in parts for s in part.states]


def test_the_repr_says_what_it_is():
    assert repr(Batch(C1, 2, 5)).startswith("<Batch of 2, seed 5, chance inside, Game(")


def test_positions_are_put_into_slots_one_for_all_or_one_each():
    batch = Batch(C1, 4, seed=1, chance="outside")
    first, second = position(C1, seed=1, steps=20), position(C1, seed=2, steps=31)
    batch.put(first)
    assert all(state == first for state in batch.states)
    batch.put([second.to_bytes(), first, second], slots=[3, 0, -2])
    assert [state == second for state in batch.states] == [False, False, True, True]
    batch.put(second, slots=np.array([1]))
    assert batch.states[1] == second
    batch.put([], slots=[])


def test_positions_that_do_not_suit_change_no_slot():
    batch = Batch(C1, 3, seed=1, chance="outside")
    good, other = position(C1, steps=20), position(Game(Rules(players=3)), steps=20)
    before = [state.to_bytes() for state in batch.states]
    for positions, slots, error in (
        ([good, good], None, BastideError),
        ([good, other, good], None, SnapshotError),
        ([good, good, b"no"], None, SnapshotError),
        ([good, good, None], None, BastideError),
        (good, [0, 3], IndexError),
        (good, [0, 1.5], BastideError),
    ):
        with pytest.raises(error):
            batch.put(positions, slots)
        assert [state.to_bytes() for state in batch.states] == before
