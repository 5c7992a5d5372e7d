"""Listing the legal actions of a position in the middle of a game."""

import pytest

from bastide._core.bench import Bench


@pytest.mark.parametrize("name", ["base", "everything-c1", "everything-c3", "720 tiles"])
def test_list_in_the_core(loop, middles, name):
    loop(Bench(middles[name]).list_actions, 2000)


@pytest.mark.parametrize("name", ["base", "everything-c1"])
def test_list_from_python(benchmark, middles, check, name):
    check(sum(benchmark(middles[name].legal_actions)) % (1 << 64))
