"""Hot paths of the core in C loops: copy, list, apply, undo, sample, playouts from the middle of a game."""

import pytest
from rows import ROWS

from bastide import Rng
from bastide._core.bench import Bench, machine

N = 2000
LOOPS = ("copy", "list_actions", "apply", "apply_undo")


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("loop", LOOPS)
def test_loop(benchmark, positions, row, loop):
    run = getattr(Bench(positions[row]), loop)
    expected = run(N)[1]
    assert benchmark(lambda: run(N)[1]) == expected


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("loop", ["sample", "playouts"])
def test_random_loop(benchmark, positions, row, loop):
    run = getattr(Bench(positions[row]), loop)
    n = N if loop == "sample" else 200
    expected = run(n, Rng(3))[1]
    assert benchmark(lambda: run(n, Rng(3))[1]) == expected


@pytest.mark.parametrize("row", ROWS)
def test_phase_machine(benchmark, games, row):
    expected = machine(games[row], 50, 7)[1]
    assert benchmark(lambda: machine(games[row], 50, 7)[1]) == expected
