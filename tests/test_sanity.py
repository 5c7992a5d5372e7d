"""Uniform random games of the base game, in numbers that are known from elsewhere.

72 tiles, edition c1, two players: each action and each draw equally likely. A mean must lie within five
standard errors of the known range. The short run plays 5,000 games, more are played by

    pytest tests/test_sanity.py --long 20000
"""

from math import sqrt

import pytest
from games import C1

from bastide import Rng

GAMES = 5000
SEED = 20
# name: lowest and highest mean that agree with what is known
KNOWN = {
    "turns": (70.975, 70.985),
    "discards": (0.015, 0.025),
    "placements a turn": (27.15, 27.25),
    "meeples deployed": (15.5, 15.7),
    "points a player": (19.4, 19.6),
}


def facts(stream):
    """Play one game through the phase machine; returns a number for each name in KNOWN."""
    state, rng = C1.new_state(), Rng(SEED, stream)
    placements = deployed = 0
    while not state.is_terminal:
        if state.is_chance:
            state.draw(state.sample_draw(rng))
            continue
        actions = state.legal_actions()
        action = actions[rng.below(len(actions))]
        if state.phase == "place":
            placements += len(actions)
        else:
            deployed += action != 0  # 0 is a pass
        state.apply(action)
    return state.turn, state.discards, placements / state.turn, deployed, sum(state.scores) / 2


@pytest.fixture(scope="module")
def sample(long_run):
    return [facts(stream) for stream in range(long_run or GAMES)]


@pytest.mark.parametrize("name", KNOWN)
def test_uniform_random_games_look_as_they_should(name, sample):
    values = [facts[list(KNOWN).index(name)] for facts in sample]
    n = len(values)
    mean = sum(values) / n
    error = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    low, high = KNOWN[name]
    print(f"{name}: {mean:.4f} +- {error:.4f} in {n} games")  # shown by -s or -rP
    assert low - 5 * error <= mean <= high + 5 * error


def test_both_seats_do_equally_well_but_for_the_first_turns_edge():
    # 71 tiles: the first player has one turn more. No seat may be far ahead.
    lead = []
    for stream in range(400):
        state, rng = C1.new_state(), Rng(SEED + 1, stream)
        while not state.is_terminal:
            if state.is_chance:
                state.draw(state.sample_draw(rng))
            else:
                actions = state.legal_actions()
                state.apply(actions[rng.below(len(actions))])
        lead.append(state.scores[0] - state.scores[1])
    mean = sum(lead) / len(lead)
    error = sqrt(sum((value - mean) ** 2 for value in lead) / len(lead) ** 2)
    assert abs(mean) < 1.5 + 5 * error
