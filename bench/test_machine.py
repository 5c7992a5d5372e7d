"""Whole games through the phase machine in the core: draw, list, choose, check, apply."""

import pytest

from bastide._core import bench


@pytest.mark.parametrize("name", ["base", "everything-c1", "everything-c3", "720 tiles"])
def test_games_through_the_phase_machine(benchmark, games, check, name):
    n = 5 if name == "720 tiles" else 50
    _ns, checksum, decisions = bench.machine(games[name], n, 1)
    check([checksum, decisions])
    benchmark.pedantic(bench.machine, (games[name], n, 1), rounds=10, warmup_rounds=1)
    benchmark.extra_info["decisions_per_second"] = round(decisions / benchmark.stats.stats.min)
