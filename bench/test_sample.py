"""Sampling a placement as playouts do, without a list."""

import pytest

from bastide import Rng
from bastide._core.bench import Bench


@pytest.mark.parametrize("name", ["base", "720 tiles"])
def test_sample_a_placement(loop, middles, name):
    bench = Bench(middles[name])
    loop(lambda n: bench.sample(n, Rng(1)), 10_000)
