"""How strong an agent is against another: games with paired deals, and a 95 percent interval.

    python bench/strength.py mcts:iterations=1000 greedy --preset base --deals 100

Each deal is one order of the tiles, played once for every seat of the first agent; all other seats are the second's.
A win counts 1, a game that k players share 1/k. Deal d of a seed is the same for any agents. The interval is by the
spread over deals (so that what the deal decides cancels out), with fewer than ten Wilson's over the games.
"""

import argparse
import math
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean, stdev

from bastide import Deck, Game, Rng, Rules
from bastide.agents import agent, play_game
from bastide.tally import wilson_interval

Deal = tuple[
    list[float], list[float]
]  # a game each: the first agent's share of the win, and its lead over the best other


def play_deal(rules: Rules, codes: tuple[str, str], seed: int, number: int) -> Deal:
    """Play one deal for every seat of the first agent."""
    game = Game(rules)
    deck = Deck.shuffled(game, Rng(seed, number))
    shares, leads = [], []
    for seat in range(rules.players):
        agents = [agent(codes[i != seat]) for i in range(rules.players)]
        scores = play_game(game, agents, Rng(seed + 1, number), deck).scores
        best = max(scores)
        shares.append((scores[seat] == best) / scores.count(best))
        leads.append(scores[seat] - max(score for i, score in enumerate(scores) if i != seat))
    return shares, leads


def deals(rules: Rules, codes: tuple[str, str], seed: int, n: int, processes: int) -> Iterator[Deal]:
    """Play deals 0 .. n-1 and yield them in order."""
    if processes == 1:
        yield from (play_deal(rules, codes, seed, number) for number in range(n))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play_deal, [rules] * n, [codes] * n, [seed] * n, range(n))


def interval(shares: list[list[float]]) -> tuple[float, float]:
    """Return the 95 percent interval of the share of wins."""
    means = [fmean(games) for games in shares]
    if len(means) < 10 or len(set(means)) == 1:
        return wilson_interval(fmean(means), sum(map(len, shares)))
    half = 1.96 * stdev(means) / math.sqrt(len(means))
    return max(0.0, fmean(means) - half), min(1.0, fmean(means) + half)


def main() -> None:
    parser = argparse.ArgumentParser(description="An agent against another, with paired deals.")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--preset", default="base")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    rules = Rules.preset(asked.preset, players=asked.players)
    codes = (asked.first, asked.second)
    began = time.perf_counter()
    played = list(deals(rules, codes, asked.seed, asked.deals, asked.processes))
    shares, leads = [deal[0] for deal in played], [fmean(deal[1]) for deal in played]
    low, high = interval(shares)
    error = stdev(leads) / math.sqrt(len(leads)) if len(leads) > 1 else math.nan
    print(
        f"{asked.preset} {asked.players} players, {codes[0]} against {codes[1]}: "
        f"{fmean(map(fmean, shares)):.1%} of the games, {low:.1%} .. {high:.1%}; "
        f"lead {fmean(leads):+.1f} +- {1.96 * error:.1f} points; "
        f"{asked.deals} deals, {asked.deals * asked.players} games, seed {asked.seed}, "
        f"{time.perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
