"""The loop that the README shows, in Python: chance, lists and actions one by one."""

import pytest

from bastide import Rng


def play(game, n):
    """Play games; returns the sum of the scores and the number of decisions."""
    rng, total, decisions = Rng(1), 0, 0
    for _ in range(n):
        state = game.new_state()
        while not state.is_terminal:
            if state.is_chance:
                state.draw(state.sample_draw(rng))
            else:
                actions = state.legal_actions()
                state.apply(actions[rng.below(len(actions))])
                decisions += 1
        total += sum(state.scores)
    return total, decisions


@pytest.mark.parametrize("name", ["base", "everything-c1"])
def test_python_loop(benchmark, games, check, name):
    total, decisions = benchmark.pedantic(play, (games[name], 20), rounds=10, warmup_rounds=1)
    check([total, decisions])
    benchmark.extra_info["decisions_per_second"] = round(decisions / benchmark.stats.stats.min)
