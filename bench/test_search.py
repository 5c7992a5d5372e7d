"""The tree search: iterations a second at the first placement and in the middle of a game, by threads and policies."""

from zlib import crc32

import pytest

from bastide import Rng, Search, mcts

N = 2000


@pytest.fixture(scope="session")
def firsts(games):
    """The first placement of each game."""
    states = {name: game.new_state() for name, game in games.items()}
    for state in states.values():
        while state.is_chance:
            state.draw(state.sample_draw(Rng(1)))
    return states


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("place", ["first", "middle"])
@pytest.mark.parametrize("name", ["base", "everything-c1", "everything-c3"])
def test_iterations_of_a_search(benchmark, check, firsts, middles, name, place, threads):
    state = (firsts if place == "first" else middles)[name]
    result = benchmark.pedantic(mcts, (state, N), {"seed": 1, "threads": threads}, rounds=5, warmup_rounds=1)
    check(crc32(result.visits.tobytes()))
    benchmark.extra_info["iterations_per_second"] = round(N / benchmark.stats.stats.min)


@pytest.mark.parametrize("place", ["first", "middle"])
def test_playouts_of_the_same_positions(benchmark, check, firsts, middles, place):
    state = (firsts if place == "first" else middles)["base"]
    scores = benchmark.pedantic(state.playouts, (N,), {"seed": 1, "threads": 1}, rounds=5, warmup_rounds=1)
    check(scores.sum(axis=0).tolist())
    benchmark.extra_info["playouts_per_second"] = round(N / benchmark.stats.stats.min)


def test_iterations_with_greedy_playouts(benchmark, check, middles):
    result = benchmark.pedantic(mcts, (middles["base"], N), {"seed": 1, "policy": "greedy"}, rounds=3)
    check(crc32(result.visits.tobytes()))
    benchmark.extra_info["iterations_per_second"] = round(N / benchmark.stats.stats.min)


def test_going_on_in_a_tree(benchmark, middles):
    search, state = Search(), middles["base"]
    search.run(state, 50_000)
    benchmark(search.run, state, 1)


def test_observations_of_a_state(benchmark, check, middles):
    state = middles["everything-c3"]
    out = state.observation()
    benchmark(state.observation, out)
    check(crc32(out.tobytes()))
