"""Undo: back to where a state was made, byte for byte, and no further."""

import pickle

import pytest
from boards import Table
from games import C1, finish, illegal, position, step, walk

from bastide import Game, Rng, Rules


def trail(state, rng, steps=1000):
    """Play on, and return the bytes and keys of all positions met, the first one included."""
    seen = [(state.to_bytes(), state.key)]
    while steps and not state.is_terminal:
        step(state, rng)
        seen.append((state.to_bytes(), state.key))
        steps -= 1
    return seen


def take_back(state, seen):
    """Undo all the way, comparing each position; then once too often."""
    for expected in reversed(seen[:-1]):
        state.undo()
        assert (state.to_bytes(), state.key) == expected
        assert state.score_events == ()
    illegal(state, state.undo)


@pytest.mark.parametrize("players", range(1, 7))
def test_undo_goes_back_to_the_new_state_and_no_further(players):
    game = Game(Rules(players=players, edition="c1"))
    for seed in range(4):
        state = game.new_state()
        seen = trail(state, Rng(seed))
        assert state.is_terminal
        take_back(state, seen)
        assert state == game.new_state()
        assert state.faults() == []


def test_a_game_replayed_after_undo_is_the_same_game():
    state = C1.new_state()
    first = trail(state, Rng(3))
    take_back(state, first)
    assert trail(state, Rng(3)) == first
    take_back(state, first)
    other = trail(state, Rng(4))
    assert other != first
    take_back(state, other)


def test_undo_and_play_in_random_turns_keep_the_state_sound():
    for seed in range(4):
        state, rng = C1.new_state(), Rng(seed, 77)
        seen = [state.to_bytes()]
        for n in range(700):
            if len(seen) > 1 and (state.is_terminal or rng.below(3) == 0):
                for _ in range(min(len(seen) - 1, 1 + rng.below(6))):
                    state.undo()
                    seen.pop()
                assert state.to_bytes() == seen[-1]
                if n % 20 == 0:
                    assert state.faults() == []
            else:
                step(state, rng)
                seen.append(state.to_bytes())
        twin = C1.state_from_bytes(state.to_bytes())
        assert finish(state, Rng(1)).to_bytes() == finish(twin, Rng(1)).to_bytes()


def test_undo_takes_back_one_draw_or_action_with_all_that_followed():
    for seed in range(3):
        for state in walk(seed=seed):
            if state.is_terminal:
                break
            before, phase = state.copy(), state.phase
            step(state, Rng(seed))
            state.undo()
            assert (state.phase, state.to_bytes()) == (phase, before.to_bytes())
            assert state.scores == before.scores  # the points of a turn that ended go back too


def test_the_end_of_the_game_can_be_taken_back():
    state = finish(C1.new_state(), Rng(9))
    scores, returns = state.scores, state.returns
    state.undo()
    assert not state.is_terminal
    assert state.returns == (0.0, 0.0)
    actions = state.legal_actions()
    state.apply(actions[0])
    finish(state, Rng(9))
    assert state.is_terminal
    assert len(scores) == len(returns) == len(state.scores)


def test_failed_calls_leave_the_history_as_it_was():
    state = C1.new_state()
    seen = trail(state, Rng(5), 40)
    illegal(state, state.apply, 5 << 59)
    illegal(state, state.draw, 10_000)
    take_back(state, seen)


@pytest.mark.parametrize("steps", [0, 1, 45, 1000])
def test_copies_restored_states_and_pickles_start_an_empty_history(steps):
    state = position(seed=6, steps=steps)
    for other in (state.copy(), C1.state_from_bytes(state.to_bytes()), pickle.loads(pickle.dumps(state))):
        illegal(other, other.undo)
        seen = trail(other, Rng(1), 30)
        take_back(other, seen)


def test_a_copy_keeps_nothing_of_the_history_and_takes_nothing_from_it():
    state = position(seed=6, steps=70)
    other = state.copy()
    before = other.to_bytes()
    for _ in range(70):
        state.undo()
    assert other.to_bytes() == before
    assert other.faults() == []
    illegal(state, state.undo)


def test_copy_from_empties_the_history():
    state, source = position(seed=1, steps=50), position(seed=2, steps=80)
    state.copy_from(source)
    illegal(state, state.undo)
    seen = trail(state, Rng(2))
    take_back(state, seen)
    state.copy_from(state)
    illegal(state, state.undo)


def test_the_source_of_copy_from_keeps_its_history():
    source = C1.new_state()
    seen = trail(source, Rng(2), 60)
    C1.new_state().copy_from(source)
    source.copy()
    source.to_bytes()
    take_back(source, seen)


def test_undo_of_discards():
    # A deck in which nothing fits: each draw is a step of its own.
    state = Table("*plain", deck="city city city plain", ends=True).state
    city = state.game.tile_index("own.city")
    before = [state.to_bytes()]
    for n in range(3):
        state.draw(city)
        assert (state.discards, state.turn) == (n + 1, 0)
        before.append(state.to_bytes())
    for n in (2, 1, 0):
        state.undo()
        assert (state.discards, state.to_bytes()) == (n, before[n])
    illegal(state, state.undo)


def test_a_state_made_once_more_has_no_history():
    state = position(C1, 5, 60)
    state.__init__(C1)
    assert state.to_bytes() == C1.new_state().to_bytes()
    assert state.score_events == ()
    illegal(state, state.undo)
    assert state.faults() == []
