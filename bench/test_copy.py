"""Copying a position in the middle of a game into an existing state, and as a new object."""

import pytest

from bastide._core.bench import Bench


@pytest.mark.parametrize("name", ["base", "everything-c1", "everything-c3", "720 tiles"])
def test_copy_in_the_core(loop, middles, name):
    loop(Bench(middles[name]).copy, 2000)


def test_copy_from_python(benchmark, middles, check):
    state, other = middles["base"], middles["base"].copy()
    check(state.key)
    benchmark(other.copy_from, state)
    assert other == state


def test_new_copy_from_python(benchmark, middles, check):
    state = middles["base"]
    check(state.key)
    assert benchmark(state.copy) == state
