"""Playing uniform games to their end: from the start, from the middle, by threads, with many tiles."""

import pytest

from bastide import Game, Rng, Rules
from bastide._core import bench
from bastide.checksum import checksum
from bastide.rules import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_playouts_of_presets(benchmark, check, preset):
    game = Game(Rules.preset(preset))
    check(checksum(benchmark.pedantic(game.playouts, (500,), {"seed": 1, "threads": 1}, rounds=10, warmup_rounds=1)))
    benchmark.extra_info["games_per_second"] = round(500 / benchmark.stats.stats.min)


@pytest.mark.parametrize("name", ["base", "everything-c1", "720 tiles"])
def test_playouts_from_the_middle(loop, middles, name):
    at = bench.Bench(middles[name])
    loop(lambda n: at.playouts(n, Rng(1)), 100)


@pytest.mark.parametrize("threads", [1, 2])
def test_playouts_by_threads(benchmark, games, check, threads):
    play = games["base"].playouts
    check(checksum(benchmark.pedantic(play, (10_000,), {"seed": 1, "threads": threads}, rounds=5, warmup_rounds=1)))
    benchmark.extra_info["games_per_second"] = round(10_000 / benchmark.stats.stats.min)


@pytest.mark.parametrize(("name", "n"), [("base", 1000), ("720 tiles", 100)])
def test_time_per_turn_with_many_tiles(benchmark, games, check, name, n):
    game = games[name]
    turns = game.playouts(n, seed=1, threads=1, stats=True).turns.sum()
    check(checksum(benchmark.pedantic(game.playouts, (n,), {"seed": 1, "threads": 1}, rounds=5, warmup_rounds=1)))
    benchmark.extra_info["ns_per_turn"] = round(benchmark.stats.stats.min / turns * 1e9, 1)


def test_playout_from_python(benchmark, middles, check):
    state = middles["base"]
    check(list(state.playout(Rng(1))))
    benchmark(state.playout, Rng(1))
