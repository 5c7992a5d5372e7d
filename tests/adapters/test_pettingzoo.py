"""The environment for PettingZoo, with PettingZoo's own tests."""

import ast
import runpy
import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from bastide import BastideError, IllegalActionError, RulesError
from bastide.adapters.pettingzoo import CarcassonneEnv, env, raw_env

EXAMPLE = Path(__file__).parents[2] / "examples" / "pettingzoo_loop.py"
OF_ANY_DICT = {  # PettingZoo says this of every observation with a mask in it, but for its own games, which it lists
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
KINDS = [{}, {"rules": "tower", "players": 4}, {"rules": "everything-c3", "rewards": "margin"}, {"players": 1}]


def play(made, seed, choice_seed=0):
    """Play a game at random; returns the rewards that each agent was given, and its last info."""
    made.reset(seed=seed)
    rng = np.random.default_rng(choice_seed)
    got, infos = dict.fromkeys(made.agents, 0.0), {}
    for agent in made.agent_iter():
        observation, reward, terminated, truncated, infos[agent] = made.last()
        got[agent] += reward
        assert not truncated
        made.step(None if terminated else rng.choice(np.flatnonzero(observation["action_mask"])))
    return got, infos


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_it_passes_the_test_of_the_api(make, kind):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(**kind, window=21), num_cycles=200)
    assert {str(warning.message) for warning in caught} <= OF_ANY_DICT


@pytest.mark.parametrize("make", [env, raw_env])
def test_it_passes_the_test_of_seeds(make):
    seed_test(lambda: make("river", players=3, window=21), num_cycles=100)


@pytest.mark.parametrize("rewards", ["returns", "points", "margin"])
def test_the_rewards_of_a_game_add_up(rewards):
    made = env("watchtowers", players=3, rewards=rewards, window=21)
    got, infos = play(made, 7)
    state = made.unwrapped.episode.state
    a, b, c = state.scores
    margins = (a - max(b, c), b - max(a, c), c - max(a, b))
    assert tuple(got.values()) == {"returns": state.returns, "points": (a, b, c), "margin": margins}[rewards]
    assert all(info["scores"] == (a, b, c) and info["phase"] == "end" for info in infos.values())


def test_a_window_too_small_for_the_game_loses_no_action():
    made = raw_env("base", window=1)
    made.reset(seed=7)
    n_outside, rng = 0, np.random.default_rng(7)
    while not any(made.terminations.values()):
        observation, _, _, _, info = made.last()
        legal = np.flatnonzero(observation["action_mask"])
        assert len(legal) == len(made.episode.state.legal_actions()) > 0
        assert info["outside"] == (legal >= made.episode.encoding.index.n).sum()
        n_outside += info["outside"] == len(legal)
        made.step(rng.choice(legal))
    assert n_outside > 10  # times at which all were outside


def test_only_the_agent_that_is_asked_has_legal_numbers():
    made = raw_env("base", players=3, window=21)
    made.reset(seed=7)
    for agent in made.agents:
        assert made.observe(agent)["action_mask"].any() == (agent == made.agent_selection)
        assert made.observe(agent) in made.observation_space(agent)


def test_an_illegal_action_loses_where_pettingzoo_sees_to_it(capfd):
    made = env(illegal_reward=-3, window=21)
    made.reset(seed=7)
    loser = made.agent_selection
    made.step(0)  # a pass, where a tile is to be placed
    assert all(made.terminations.values())
    assert (made.rewards[loser], sum(made.rewards.values())) == (-3, -3)


def test_an_illegal_action_is_refused_by_the_raw_environment_and_changes_nothing():
    made = raw_env(window=21)
    made.reset(seed=7)
    before = made.episode.state.to_bytes()
    for action in (0, -1, 10**9, 1.5):
        with pytest.raises(IllegalActionError):
            made.step(action)
    assert made.episode.state.to_bytes() == before
    assert not any(made.rewards.values())


def test_a_seed_begins_a_sequence_of_games():
    games = []
    for _ in range(2):
        made = raw_env(window=21)
        decks = []
        for seed in (5, None, None):
            made.reset(seed=seed)
            decks.append(made.episode.deck)
        games.append(decks)
    assert [deck.deck for deck in games[0]] == [deck.deck for deck in games[1]]
    assert len({deck.deck for deck in games[0]}) == 3


def test_it_is_rendered_as_text(capsys):
    made = env(render_mode="ansi", window=21)
    made.reset(seed=7)
    assert "player 0 to place" in made.render()
    made = env(render_mode="human", window=21)
    made.reset(seed=7)
    assert "player 0 to place" in capsys.readouterr().out
    made.close()


def test_wrong_arguments_are_refused():
    for options in ({"rewards": "score"}, {"window": 4}, {"render_mode": "svg"}, {"players": 9}):
        with pytest.raises(BastideError, match=str(*options.values())):
            CarcassonneEnv(**options)
    with pytest.raises(RulesError, match="castle"):
        env("castle")


def test_the_example_has_a_loop_and_prints_the_scores(capsys):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    scores = ast.literal_eval(capsys.readouterr().out)
    assert len(scores) == 3
    assert max(scores) > 0
    assert len([line for line in EXAMPLE.read_text().splitlines() if line.strip()]) <= 15
