"""What the adapters to other packages share: numbers, views, episodes; and what they say where a package is missing."""

import importlib
import sys
from collections import Counter

import numpy as np
import pytest
from games import illegal, walk

from bastide import BastideError, Game, IllegalActionError, Rng, Rules, RulesError, plane_names, scalar_names
from bastide.adapters.encoding import Encoding, game_of
from bastide.adapters.episode import Episode
from bastide.rules import PRESETS

TOWER = Encoding(Game(Rules.preset("tower", players=3)), window=31)


@pytest.mark.parametrize("name", PRESETS)
def test_each_legal_action_has_a_number_however_small_the_window_is(name):
    encoding = Encoding(Game(Rules.preset(name)), window=1)
    n_outside = 0
    for state in walk(encoding.game, 3):
        numbers, actions = encoding.legal(state)
        if state.is_chance or state.is_terminal:
            assert len(numbers) == len(actions) == 0
            continue
        assert actions == state.legal_actions()
        assert len(set(numbers.tolist())) == len(actions)
        assert all(0 <= number < encoding.n for number in numbers)
        assert np.flatnonzero(encoding.mask(numbers)).tolist() == sorted(numbers)
        assert [encoding.action(state, number) for number in numbers] == actions
        n_outside += np.count_nonzero(numbers >= encoding.index.n)
    assert n_outside > 100


def test_numbers_inside_the_window_are_those_of_the_action_index():
    for state in walk(TOWER.game, 3):
        if not state.is_chance and not state.is_terminal:
            assert TOWER.legal(state)[0].tolist() == TOWER.index.numbers(state, state.legal_actions()).tolist()


@pytest.mark.parametrize("number", [-1, TOWER.n - 1, 1 << 70, 1.5, None, "pass"])
def test_a_number_that_is_no_legal_action_is_refused(number):
    state = next(state for state in walk(TOWER.game) if state.phase == "place")
    illegal(state, TOWER.action, state, number)


def test_each_seat_sees_itself_as_player_0():
    planes_of = {name: i for i, name in enumerate(plane_names(TOWER.game))}
    scalars_of = {name: i for i, name in enumerate(scalar_names(TOWER.game))}
    held = 0
    for state in walk(TOWER.game, 5):
        figures = Counter(
            (figure.owner, "tower" if figure.place == "tower" else figure.kind) for figure in state.figures
        )
        for seat in range(3):
            planes, scalars = TOWER.planes(state, seat), TOWER.scalars(state, seat)
            assert (planes.shape, planes.dtype) == (TOWER.planes_shape, np.uint8)
            assert (scalars.shape, scalars.dtype) == ((TOWER.n_scalars,), np.float32)
            assert scalars[scalars_of["whose turn"]] == (state.turn_player - seat) % 3
            for k in range(3):
                player = (seat + k) % 3
                assert scalars[scalars_of[f"player {k} score"]] == state.scores[player]
                assert scalars[scalars_of[f"player {k} meeples"]] == state.supply[player]["meeple"]
                for i in range(3):
                    n = state.prisoners[player].get(("meeple", (seat + i) % 3), 0)
                    assert scalars[scalars_of[f"player {k} holds meeples of {i}"]] == n
                    held += n > 0
                for what in ("meeple", "tower"):
                    assert planes[planes_of[f"player {k} {what}"]].sum() == figures[player, what]
    assert held > 100


def test_what_is_no_players_is_seen_alike_by_all():
    state = next(state for state in walk(TOWER.game, 5) if state.turn == 40 and state.phase == "place")
    own = [i for i, name in enumerate(plane_names(TOWER.game)) if not name.startswith("player ")]
    assert all((TOWER.planes(state, seat)[own] == state.observation(index=TOWER.index)[own]).all() for seat in range(3))


def test_the_one_who_decides_sees_what_the_state_shows():
    for state in walk(TOWER.game, 5):
        seat = state.current_player
        assert (TOWER.planes(state, seat) == state.observation(index=TOWER.index)).all()
        assert (TOWER.scalars(state, seat) == state.scalars()).all()


def play(rewards, seed, choice_seed, encoding=TOWER):
    """Play an episode at random; returns it and the rewards of each step."""
    episode, rng, gains = Episode(encoding, rewards, None), Rng(choice_seed), []
    episode.begin(Rng(seed))
    while not episode.state.is_terminal:
        gains.append(episode.step(episode.actions[rng.below(len(episode.actions))]))
    return episode, np.array(gains)


def test_the_rewards_add_up_to_what_they_are_called():
    for seed in range(5):
        episode, gains = play("points", seed, seed)
        assert tuple(gains.sum(axis=0)) == episode.state.scores
        episode, gains = play("margin", seed, seed)
        a, b, c = episode.state.scores
        assert tuple(gains.sum(axis=0)) == (a - max(b, c), b - max(a, c), c - max(a, b))
        episode, gains = play("returns", seed, seed)
        assert tuple(gains[-1]) == episode.state.returns
        assert not gains[:-1].any()


def test_alone_the_margin_is_the_points():
    alone = Encoding(Game(Rules(players=1)), window=15)
    episode, gains = play("margin", 1, 1, alone)
    assert gains.sum() == episode.state.scores[0] > 0


def test_the_tiles_come_in_the_same_order_whoever_decides_what():
    orders = [play("points", 7, choices)[0].deck.deck for choices in range(3)]
    assert orders[0] == orders[1] == orders[2] != play("points", 8, 0)[0].deck.deck


def test_a_position_is_rendered_as_text_or_printed(capsys):
    for mode in ("ansi", "human", None):
        episode = Episode(TOWER, "points", mode)
        episode.begin(Rng(7))
        shown = episode.render()
        printed = capsys.readouterr().out.rstrip("\n")
        text = shown if mode == "ansi" else printed
        assert (shown is not None, printed != "") == (mode == "ansi", mode == "human")
        if mode:
            assert "turn 0, player 0 to place, tile base." in text
            assert "scores (0, 0, 0)" in text


def test_wrong_arguments_are_refused_by_name():
    for call, message in (
        (lambda: Episode(TOWER, "score", None), "rewards must be one of returns, points, margin, got 'score'"),
        (
            lambda: Episode(TOWER, "points", "rgb_array"),
            "render_mode must be None or one of human, ansi, got 'rgb_array'",
        ),
        (lambda: Encoding(TOWER.game, window=4), "size must be an odd number"),
        (lambda: game_of(Rules(), 3), "players=3 goes with the name of a preset"),
    ):
        with pytest.raises(BastideError, match=message.replace("(", r"\(")):
            call()
    with pytest.raises(RulesError, match="unknown preset 'castle'"):
        game_of("castle")
    with pytest.raises(RulesError, match=r"rules must be a bastide\.Rules, got 3"):
        game_of(3)


def test_a_game_is_taken_as_it_is():
    assert game_of(TOWER.game) is TOWER.game
    assert game_of(Rules(players=4)).rules.players == game_of("base", 4).rules.players == 4


@pytest.mark.parametrize(("name", "package"), [("pettingzoo",) * 2, ("gymnasium",) * 2, ("openspiel", "pyspiel")])
def test_a_missing_package_is_an_error_that_says_what_to_install(monkeypatch, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"bastide.adapters.{name}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install 'bastide\[{name}\]'"):
        importlib.import_module(f"bastide.adapters.{name}")


def test_an_illegal_action_leaves_an_episode_as_it_was():
    episode = Episode(TOWER, "points", None)
    episode.begin(Rng(7))
    before = episode.state.to_bytes()
    with pytest.raises(IllegalActionError):
        episode.step(0)
    assert episode.state.to_bytes() == before
