"""The environment for Gymnasium, with Gymnasium's own check."""

import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bastide import BastideError, Game, IllegalActionError, Rules
from bastide.adapters.gymnasium import ID, CarcassonneEnv
from bastide.agents import GreedyAgent, RandomAgent

KINDS = [
    {},
    {"rules": "everything-c1", "players": 3, "window": 15, "seat": 2, "rewards": "points"},
    {"rules": "river", "seat": "random", "opponents": ["mcts:iterations=10"], "rewards": "margin", "window": 1},
    {"players": 1, "opponents": []},
]


def play(made, seed, choice_seed=0):
    """Play a game at random; returns the sum of rewards and the last info."""
    _, info = made.reset(seed=seed)
    total, rng = 0.0, np.random.default_rng(choice_seed)
    while True:
        _, reward, terminated, truncated, info = made.step(rng.choice(np.flatnonzero(info["action_mask"])))
        total += reward
        assert not truncated
        if terminated:
            return total, info


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_it_passes_gymnasiums_check_without_a_warning(kind, capsys):
    check_env(gymnasium.make(ID, **kind).unwrapped)


def test_its_id_can_be_made_with_the_module_named_in_it():
    made = gymnasium.make(f"bastide.adapters.gymnasium:{ID}", window=21)
    assert isinstance(made.unwrapped, CarcassonneEnv)
    total, info = play(made, 7)
    assert total in (-1, 0, 1)
    assert info["phase"] == "end"


@pytest.mark.parametrize("rewards", ["returns", "points", "margin"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_rewards_of_a_game_add_up_for_the_own_seat(rewards, seat):
    made = CarcassonneEnv("river", 3, opponents="random", seat=seat, rewards=rewards, window=21)
    total, info = play(made, seat)
    scores, returns = info["scores"], made.episode.state.returns
    others = max(scores[:seat] + scores[seat + 1 :])
    assert total == {"returns": returns[seat], "points": scores[seat], "margin": scores[seat] - others}[rewards]
    assert info["seat"] == seat


def test_only_the_own_seat_is_asked_and_the_opponents_play_in_order():
    class Noting(RandomAgent):
        def __init__(self):
            self.seats = set()

        def choose(self, state, rng):
            self.seats.add(state.current_player)
            return super().choose(state, rng)

    opponents = [Noting(), Noting()]
    made = CarcassonneEnv(Rules(players=3), opponents=opponents, seat=1, window=21)
    _, info = made.reset(seed=3)
    rng = np.random.default_rng(3)
    while not made.episode.state.is_terminal:
        assert made.episode.state.current_player == 1
        info = made.step(rng.choice(np.flatnonzero(info["action_mask"])))[4]
    assert [opponent.seats for opponent in opponents] == [{2}, {0}]


def test_opponents_are_told_how_each_game_begins_and_ends():
    class Told(RandomAgent):
        def __init__(self):
            self.told = []

        def begin(self, state, seat):
            assert state.is_chance
            self.told.append(("begin", state.turn, seat))

        def end(self, scores):
            self.told.append(("end", scores))

    opponents = [Told(), Told()]
    made = CarcassonneEnv("river", 3, opponents=opponents, seat=1, window=21)
    scores = play(made, 3)[1]["scores"]
    made.reset(seed=4)
    made.step(0)
    unfinished = made.episode.state.scores_now()
    for opponent, seat in zip(opponents, (2, 0), strict=True):
        begin = ("begin", 0, seat)
        assert opponent.told == [begin, ("end", scores), begin, ("end", unfinished)]


PROGRAM = """
import json, os, pathlib, sys
for line in sys.stdin:
    message = json.loads(line)
    with open(pathlib.Path(__file__).with_suffix(".log"), "a") as log:
        print(os.getpid(), message["type"], file=log)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
    elif message["type"] == "choose":
        print(json.dumps({"type": "action", "id": message["id"], "action": message["legal"][0]}), flush=True)
    elif message["type"] == "quit":
        break
"""


def test_an_opponent_that_is_a_program_runs_on_from_game_to_game_and_ends_with_the_environment(tmp_path):
    (tmp_path / "bot.py").write_text(PROGRAM)
    made = CarcassonneEnv(opponents=f"cmd:{sys.executable} {tmp_path / 'bot.py'}", seat=1, window=21)
    (tmp_path / "bot.log").unlink()  # of the program that was started to see whether it can be
    for seed in range(3):
        made.reset(seed=seed)
    play(made, 5)
    made.close()
    with pytest.raises(BastideError, match=r"reset\(\) begins one"):
        made.step(0)
    told = [line.split() for line in (tmp_path / "bot.log").read_text().splitlines()]
    assert len({process for process, _ in told}) == 1
    kinds = [kind for _, kind in told if kind != "choose"]
    assert kinds == ["hello", "begin", "begin", "begin", "begin", "end", "quit"]


def test_a_seed_fixes_everything_and_a_random_seat_changes():
    options = {"seat": "random", "opponents": "mcts:iterations=20", "window": 21}
    made, again = CarcassonneEnv(**options), CarcassonneEnv(**options)
    seats = set()
    for seed in range(6):
        total, info = play(made, seed)
        other_total, other = play(again, seed)
        assert (total, info["scores"], info["seat"]) == (other_total, other["scores"], other["seat"])
        seats.add(info["seat"])
    assert seats == {0, 1}


def test_an_opponent_of_a_code_remembers_nothing_of_the_game_before():
    made = CarcassonneEnv(opponents="mcts:iterations=50", seat=1, window=21)
    firsts = set()
    for seed in (1, 1, 2, 1):
        made.reset(seed=seed)
        if seed == 1:
            firsts.add(made.episode.state.to_bytes())
    assert len(firsts) == 1


def test_better_opponents_get_better_results():
    margins = {}
    for opponent in ("random", "greedy"):
        made = CarcassonneEnv(opponents=opponent, rewards="margin", window=21)
        margins[opponent] = sum(play(made, seed, seed)[0] for seed in range(5))
    assert margins["greedy"] < margins["random"] - 100


def test_an_illegal_action_loses_the_game():
    made = CarcassonneEnv(illegal_reward=-5, window=21)
    _, info = made.reset(seed=7)
    assert not info["illegal"]
    _, reward, terminated, truncated, info = made.step(0)
    assert (reward, terminated, truncated, info["illegal"]) == (-5, True, False, True)
    with pytest.raises(BastideError, match=r"reset\(\) begins one"):
        made.step(0)
    made.reset(seed=7)
    assert not made.step(np.flatnonzero(made.action_masks())[0])[2]


def test_an_illegal_action_is_refused_if_that_is_asked_for():
    made = CarcassonneEnv(illegal="raise", window=21)
    made.reset(seed=7)
    before = made.episode.state.to_bytes()
    with pytest.raises(IllegalActionError, match="number 0 is no legal action in phase 'place'"):
        made.step(0)
    assert made.episode.state.to_bytes() == before
    made.step(np.flatnonzero(made.action_masks())[0])


def test_the_masks_are_the_legal_numbers():
    made = CarcassonneEnv(window=1)
    _, info = made.reset(seed=7)
    assert (info["action_mask"] == made.action_masks()).all()
    assert info["action_mask"].sum() == len(made.episode.state.legal_actions())
    assert info["outside"] == info["action_mask"][made.episode.encoding.index.n :].sum() > 0


def test_several_are_stepped_together():
    made = gymnasium.make_vec(ID, 3, vectorization_mode="sync", window=11, opponents="random")
    observations, infos = made.reset(seed=7)
    assert observations["observation"].shape == (3, 80, 11, 11)
    for _ in range(5):
        actions = [np.flatnonzero(mask)[0] for mask in infos["action_mask"]]
        _, rewards, terminated, _, infos = made.step(np.array(actions))
        assert not terminated.any()
        assert not rewards.any()
    made.close()


def test_it_is_rendered_as_text(capsys):
    made = gymnasium.make(ID, render_mode="ansi", window=21)
    made.reset(seed=7)
    assert "player 0 to place" in made.render()
    made = gymnasium.make(ID, render_mode="human", window=21)
    made.reset(seed=7)
    assert "player 0 to place" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seat must be 0 .. 1 or 'random', got 2"),
        ({"seat": True}, "seat must be 0 .. 1 or 'random', got True"),
        ({"seat": "first"}, "seat must be 0 .. 1 or 'random', got 'first'"),
        ({"illegal": "ignore"}, "illegal must be 'lose' or 'raise', got 'ignore'"),
        ({"opponents": "clever"}, "unknown agent 'clever'"),
        ({"opponents": 7}, "an opponent is an agent with a method choose, or its code, got 7"),
        ({"opponents": ["random", "greedy"]}, "2 opponents for 1 other seats"),
        ({"rules": Game(), "players": 3}, "players=3 goes with the name of a preset"),
        ({"rewards": "win"}, "rewards must be one of"),
        ({"window": 0}, "size must be an odd number"),
    ],
)
def test_wrong_arguments_are_refused(options, message):
    with pytest.raises(BastideError, match=message):
        CarcassonneEnv(**options)


def test_an_opponent_that_plays_something_illegal_is_named():
    class Cheat:
        def choose(self, state, rng):
            return 0

        def __repr__(self):
            return "Cheat()"

    with pytest.raises(IllegalActionError, match=r"opponent Cheat\(\) in seat 0: "):
        CarcassonneEnv(opponents=Cheat(), seat=1, window=21).reset(seed=7)


def test_opponents_can_be_agents_of_ones_own():
    made = CarcassonneEnv(opponents=GreedyAgent(price=2), window=21)
    assert play(made, 7)[1]["scores"][1] > 0
