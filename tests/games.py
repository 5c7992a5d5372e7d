"""Random games step by step, for the tests that want positions rather than results."""

import pytest

from bastide import Game, IllegalActionError, Rng, Rules

C1 = Game(Rules(edition="c1"))


def step(state, rng):
    """Draw by chance or do one of the legal actions; returns what was given to `draw` or `apply`."""
    if state.is_chance:
        tile = state.sample_draw(rng)
        state.draw(tile)
        return tile
    actions = state.legal_actions()
    action = actions[rng.below(len(actions))]
    state.apply(action)
    return action


def walk(game=C1, seed=0, stream=0):
    """Yield the one state of a random game before its first step and after each."""
    state, rng = game.new_state(), Rng(seed, stream)
    yield state
    while not state.is_terminal:
        step(state, rng)
        yield state


def position(game=C1, seed=0, steps=60):
    """The state of a random game after some steps, or at its end if that comes first."""
    state, rng = game.new_state(), Rng(seed)
    while steps and not state.is_terminal:
        step(state, rng)
        steps -= 1
    return state


def finish(state, rng):
    """Play a state to its end; returns it."""
    while not state.is_terminal:
        step(state, rng)
    return state


def illegal(state, call, *args):
    """Call, and check that it raises IllegalActionError and changes nothing."""
    before, key = state.to_bytes(), state.key
    with pytest.raises(IllegalActionError):
        call(*args)
    assert (state.to_bytes(), state.key) == (before, key)
