"""Threads: games are shared, a batch has one user at a time, and nothing crashes whoever does what."""

import threading
from contextlib import suppress

import numpy as np
import pytest
from games import C1, position

from bastide import BastideError, Batch, Game, Rng, Rules, Search
from bastide._core.mcts import Tree
from bastide.checksum import checksum
from bastide.rules import PRESETS


@pytest.fixture
def small_parts(monkeypatch):
    """Let the threads of a batch have parts of ten slots."""
    monkeypatch.setattr("bastide.batch.LEAST_PART", 10)


def together(*calls):
    """Run calls in threads that begin at once; raise what one of them raised."""
    gate = threading.Barrier(len(calls))
    errors = []

    def run(call):
        gate.wait()
        try:
            call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("name", PRESETS)
def test_threads_of_playouts_change_no_result(name):
    game = Game(Rules.preset(name))
    alone = game.playouts(600, seed=3, threads=1)
    assert (game.playouts(600, seed=3, threads=2) == alone).all()
    parts = [game.playouts(n, seed=3, start=start) for start, n in ((0, 1), (1, 299), (300, 300))]
    assert (np.concatenate(parts) == alone).all()


def test_one_game_serves_many_threads():
    game = Game(Rules(boxes=("tower",)))
    results = {}

    def play(seed):
        results[seed] = game.playouts(300, seed=seed, threads=1).tobytes()

    together(*(lambda seed=seed: play(seed) for seed in range(6)))
    assert results == {seed: game.playouts(300, seed=seed, threads=1).tobytes() for seed in range(6)}


def test_a_state_may_go_on_while_its_playouts_run():
    state = position(steps=40)
    expected = checksum(state.playouts(3000, seed=1, threads=1))
    found = []
    done = threading.Event()

    def play_on():
        rng = Rng(3)
        while not done.is_set():
            while not state.is_terminal and not done.is_set():
                if state.is_chance:
                    state.draw(state.sample_draw(rng))
                else:
                    state.apply(state.legal_actions()[-1])
            while state.turn > 20 and not done.is_set():
                state.undo()

    def playouts():
        try:
            for _ in range(5):
                found.append(checksum(copy.playouts(3000, seed=1, threads=2)))
        finally:
            done.set()

    copy = state.copy()
    together(play_on, playouts)
    assert found == [expected] * 5
    assert state.faults() == []


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("auto_reset", [False, True])
def test_threads_of_a_batch_change_no_result(auto_reset):
    n = 300
    batches = [Batch(C1, n, 5, threads=threads, auto_reset=auto_reset) for threads in (1, 2, 3, 7)]
    assert [batch.threads for batch in batches] == [1, 2, 3, 7]
    rng = np.random.default_rng(1)
    for step in range(150):
        lists = [batch.legal_actions() for batch in batches]
        for actions, offsets in lists[1:]:
            assert (actions == lists[0][0]).all()
            assert (offsets == lists[0][1]).all()
        choice = (rng.random(n) * np.diff(lists[0][1])).astype(np.int64)
        for batch in batches:
            batch.step(choice, "choice")
        if step % 10 == 0:
            masks = [batch.masks() for batch in batches]
            for bits, outside in masks[1:]:
                assert (bits == masks[0][0]).all()
                assert (outside == masks[0][1]).all()
            for question in ("scores", "rewards", "terminal", "returns", "episodes", "drawn_tiles"):
                first, *rest = [getattr(batch, question)() for batch in batches]
                assert all((answer == first).all() for answer in rest)
    assert batches[0].states[7] == batches[2].states[7]


def test_a_batch_takes_no_more_threads_than_pay():
    assert [Batch(C1, n, threads=4).threads for n in (1, 4096, 8192, 20_000)] == [1, 1, 2, 4]


@pytest.mark.usefixtures("small_parts")
def test_the_first_wrong_slot_is_named_by_any_number_of_threads():
    for threads in (1, 2, 5):
        batch = Batch(C1, 50, threads=threads)
        entries = np.zeros(50, np.int64)
        entries[[13, 14, 30, 49]] = -1
        with pytest.raises(BastideError, match="slot 13"):
            batch.step(entries, "choice")


def test_a_batch_in_use_refuses_another_user():
    batch = Batch(C1, 4000, 2, auto_reset=True)
    refused = []
    steps = []

    def step():
        for _ in range(60):
            try:
                batch.step(np.zeros(batch.n, np.int64), "choice")
                steps.append(1)
            except BastideError as error:
                refused.append(str(error))

    together(step, step, step)
    assert len(refused) + len(steps) == 180
    assert refused
    assert all("in use" in message for message in refused)
    twin = Batch(C1, 4000, 2, auto_reset=True)
    for _ in steps:  # what was refused did nothing
        twin.step(np.zeros(batch.n, np.int64), "choice")
    for i in range(0, 4000, 501):
        assert batch.states[i].to_bytes() == twin.states[i].to_bytes()


@pytest.mark.usefixtures("small_parts")
def test_many_threads_on_one_batch_never_corrupt_it():
    batch = Batch(C1, 64, 2, auto_reset=True, threads=2)
    state = position(steps=50)

    def hammer(call):
        for _ in range(150):
            with suppress(BastideError):  # in use, or another thread was quicker and the action is not legal now
                call()

    def put():
        batch.states[3] = state

    def act():
        actions, offsets = batch.legal_actions()
        batch.step(actions[offsets[:-1]])

    together(
        *(
            lambda call=call: hammer(call)
            for call in (act, act, put, batch.masks, batch.reset, batch.draws, batch.scores)
        )
    )
    assert all(slot.faults() == [] for slot in batch.states)


def test_many_threads_on_one_state_never_corrupt_it():
    state, other = position(steps=50), position(seed=9, steps=80)
    data = state.to_bytes()

    def hammer(call):
        for _ in range(300):
            with suppress(BastideError, LookupError):  # another thread was quicker: the list is empty, say
                call()

    def forth():
        if state.is_chance:
            state.draw(state.draws()[0][0])
        else:
            state.apply(state.legal_actions()[0])

    calls = (
        forth,
        forth,
        state.undo,
        lambda: state.copy_from(other),
        state.features,
        lambda: state.board,
        state.to_bytes,
    )
    together(*(lambda call=call: hammer(call) for call in calls))
    assert state.faults() == []
    assert state.game.state_from_bytes(data).to_bytes() == data


def test_a_search_in_use_refuses_another_user():
    state = position(C1, 3, 0)
    state.draw(state.draws()[0][0])
    search = Search()
    search.run(state, 1)
    tree, messages, over = search._trees[0], set(), threading.Event()

    def run():
        tree.run(30_000)  # the tree grows, and moves in memory
        over.set()

    def look():
        while not over.is_set():
            for question in (tree.actions, tree.facts, tree.sums, lambda: tree.line(10)):
                try:
                    question()
                except BastideError as error:
                    messages.add(str(error))

    together(run, look)
    assert messages == {"this search is in use by another thread: a search belongs to one thread at a time"}


def test_a_tree_that_was_not_made_answers_nothing():
    tree = Tree.__new__(Tree)
    for question in (tree.actions, tree.facts, tree.sums, lambda: tree.line(10)):
        with pytest.raises(BastideError, match="this search cannot be used"):
            question()
