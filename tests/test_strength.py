"""The search beats the simple agents, and more iterations beat fewer: paired deals, by bench/strength.py.

The short sample is small and fixed; `--long N` plays N deals of each with the full number of iterations and asks the
lower bound of the 95 percent interval to be above one half.
"""

import runpy
from pathlib import Path
from statistics import fmean

import pytest

from bastide import Rules

strength = runpy.run_path(str(Path(__file__).parents[1] / "bench" / "strength.py"))


def match(preset, first, second, n, seed=1):
    """The first agent's share of the wins in each game, by deal, and its mean lead."""
    played = list(strength["deals"](Rules.preset(preset), (first, second), seed, n, 1))
    return [shares for shares, _ in played], fmean(fmean(leads) for _, leads in played)


@pytest.mark.parametrize(
    ("preset", "first", "second", "short"),
    [
        ("base", "mcts:iterations=1000", "greedy", ("mcts:iterations=300", "greedy", 3)),
        ("tower", "mcts:iterations=1000", "greedy", ("mcts:iterations=300", "greedy", 3)),
        ("base", "mcts:iterations=1000", "random", ("mcts:iterations=50", "random", 3)),
        ("base", "mcts:iterations=1000", "mcts:iterations=200", ("mcts:iterations=300", "mcts:iterations=10", 8)),
        (
            "everything-c3",
            "mcts:iterations=500",
            "mcts:iterations=100",
            ("mcts:iterations=300", "mcts:iterations=5", 4),
        ),
    ],
)
def test_the_search_wins(preset, first, second, short, long_run):
    if long_run:
        shares, lead = match(preset, first, second, long_run)
        assert strength["interval"](shares)[0] > 0.5
    else:
        shares, lead = match(preset, *short)
        assert fmean(map(fmean, shares)) > 0.5
    assert lead > 0


def test_a_deal_is_played_once_for_each_seat_with_the_same_tiles():
    shares, lead = match("base", "greedy", "greedy", 2)
    assert [len(games) for games in shares] == [2, 2]
    assert [fmean(games) for games in shares] != [1, 1]
    played = next(strength["deals"](Rules(players=3), ("greedy", "random"), 1, 1, 1))
    assert len(played[0]) == len(played[1]) == 3
    assert lead == match("base", "greedy", "greedy", 2)[1]


def test_intervals_come_from_the_spread_over_deals():
    low, high = strength["interval"]([[1, 0]] * 10 + [[1, 1]] * 10)
    assert low == pytest.approx(0.75 - 1.96 * 0.2565 / 20**0.5, abs=1e-3)
    assert high == pytest.approx(1.5 - low)
    low, high = strength["interval"]([[1, 1]] * 20)  # no spread at all: Wilson's
    assert 0.9 < low < high == 1
