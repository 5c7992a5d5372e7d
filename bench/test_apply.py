"""Doing each legal action of a position in the middle of a game, and taking it back."""

import pytest

from bastide._core.bench import Bench


@pytest.mark.parametrize("name", ["base", "everything-c1", "everything-c3", "720 tiles"])
def test_copy_and_apply_in_the_core(loop, middles, name):
    loop(Bench(middles[name]).apply, 2000)


@pytest.mark.parametrize("name", ["base", "everything-c1", "everything-c3", "720 tiles"])
def test_apply_and_undo_in_the_core(loop, middles, name):
    loop(Bench(middles[name]).apply_undo, 2000)


def test_apply_and_undo_from_python(benchmark, middles, check):
    state = middles["base"].copy()
    action, key = state.legal_actions()[3], state.key

    def there_and_back():
        state.apply(action)
        state.undo()

    benchmark(there_and_back)
    assert state.key == key
    state.apply(action)
    check(state.key)
