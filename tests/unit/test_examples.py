"""The programs in examples/ run, print what they promise, and play well enough."""

import ast
import runpy
from pathlib import Path

import pytest

from bastide import Game, Rng
from bastide.agents import RandomAgent, play_game

EXAMPLES = Path(__file__).parents[2] / "examples"
IN_TESTS_ADAPTERS = {"pettingzoo_loop.py"}  # needs an extra
RUN_HERE = sorted(path for path in EXAMPLES.glob("*.py") if path.name not in IN_TESTS_ADAPTERS)
GAME = Game()


def load(name):
    return runpy.run_path(str(EXAMPLES / name))


@pytest.mark.parametrize("path", RUN_HERE, ids=lambda path: path.name)
def test_an_example_runs_and_prints_the_scores(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    scores = ast.literal_eval(capsys.readouterr().out)
    assert len(scores) == 2
    assert all(score > 0 for score in scores)


def test_the_random_agent_has_ten_lines_and_the_search_about_sixty():
    for name, most in (("random_agent.py", 10), ("own_mcts.py", 60)):
        lines = (EXAMPLES / name).read_text().splitlines()
        text = [line for line in lines if line.strip() and not line.strip().startswith("#")]
        assert len(text) <= most


@pytest.mark.parametrize("name", ["own_mcts.py", "evaluator.py"])
def test_what_searches_beats_a_random_player(name):
    made = load(name)
    chooser = made["OwnMcts"](60) if name == "own_mcts.py" else made["EvaluatedAgent"](GAME, 100)
    scores = [play_game(GAME, [chooser, RandomAgent()], Rng(seed)).scores for seed in range(3)]
    assert sum(own for own, _ in scores) > sum(other for _, other in scores)
