"""The game for OpenSpiel, with OpenSpiel's own random simulations and some of its algorithms."""

import doctest
import importlib
import pickle
import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python import observation
from open_spiel.python.algorithms import mcts

from bastide import BastideError, Rules, RulesError
from bastide.adapters.openspiel import NAME, CarcassonneGame


def load(**params):
    return pyspiel.load_game(NAME, {"window": 11, **params})


def walk(game, seed):
    """Yield the one state of a random game before each step and at its end."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while True:
        yield state
        if state.is_terminal():
            return
        if state.is_chance_node():
            tiles, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(tiles, probabilities)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize(
    ("params", "serialize"),
    [
        ({}, True),
        ({"players": 1}, False),
        ({"preset": "river", "players": 6}, False),
        ({"preset": "tower", "players": 3, "window": 1}, True),
        ({"preset": "everything-c3"}, False),
        ({"preset": "everything-c1"}, False),
    ],
    ids=str,
)
def test_it_passes_openspiels_random_simulations(params, serialize, capfd):
    pyspiel.random_sim_test(load(**params), num_sims=1, serialize=serialize, verbose=False)


def test_it_is_loaded_by_its_name_with_its_parameters():
    assert NAME in pyspiel.registered_names()
    game = pyspiel.load_game(f"{NAME}(boxes=base+watchtowers,players=3,options=abbot on; copies base:2+watchtowers:3)")
    expected = Rules(boxes=("watchtowers",), players=3, abbot=True, copies={"base": 2, "watchtowers": 3})
    assert game.encoding.game.rules == expected
    assert game.num_players() == 3
    assert pyspiel.load_game(str(game)).encoding.game.rules == expected
    assert pickle.loads(pickle.dumps(game)).num_distinct_actions() == game.num_distinct_actions()


def test_what_is_said_of_the_game_holds():
    game = load(preset="everything-c3", players=3)
    longest, most_draws = 0, 0
    for seed in range(3):
        for state in walk(game, seed):
            if not state.is_terminal() and not state.is_chance_node():
                assert all(0 <= action < game.num_distinct_actions() for action in state.legal_actions())
            elif state.is_chance_node():
                assert len(state.chance_outcomes()) <= game.max_chance_outcomes()
        draws = sum(step.player == pyspiel.PlayerId.CHANCE for step in state.full_history())
        longest, most_draws = max(longest, len(state.history()) - draws), max(most_draws, draws)
        assert state.returns() == list(state.position.returns)
        assert sum(state.returns()) == pytest.approx(0)
    assert longest <= game.max_game_length()
    assert most_draws <= game.max_chance_nodes_in_history()


def test_chance_and_actions_are_those_of_the_game_with_its_texts():
    for state in walk(load(preset="bridges-castles"), 5):
        position = state.position
        if state.is_chance_node():
            assert state.chance_outcomes() == [(tile, p) for tile, _, p in position.draws()]
            tile = state.chance_outcomes()[0][0]
            text = state.action_to_string(state.current_player(), tile)
            assert text == f"draw {position.game.tiles[tile].id}"
        elif not state.is_terminal():
            player = state.current_player()
            assert player == position.current_player
            texts = {action: state.action_to_string(player, action) for action in state.legal_actions()}
            assert sorted(texts.values()) == sorted(map(position.action_text, position.legal_actions()))
            last = state.legal_actions()[-1]
            assert state.string_to_action(texts[last]) == last


def test_a_clone_goes_its_own_way():
    for i, state in enumerate(walk(load(), 5)):
        if i == 40:
            clone, before = state.clone(), str(state)
            assert str(clone) == before
            clone.apply_action(clone.legal_actions()[0])
            assert str(state) == before != str(clone)
            assert clone.position.game is state.position.game
            return


def test_serialized_states_share_their_game():
    game = load(preset="tower")
    for i, state in enumerate(walk(game, 5)):
        if i == 60:
            again = game.deserialize_state(state.serialize())
            assert again.position == state.position
            assert again.position.game is state.position.game
            assert len(state.serialize()) < 20_000
            return


def test_observations_are_the_planes_and_scalars_as_each_player_sees_them():
    game = load(players=3)
    observer = observation.make_observation(game)
    for i, state in enumerate(walk(game, 5)):
        if i % 20 == 0:
            for player in range(3):
                observer.set_from(state, player)
                encoding = game.encoding
                assert (observer.dict["planes"] == encoding.planes(state.position, player)).all()
                assert (observer.dict["scalars"] == encoding.scalars(state.position, player)).all()
                assert np.array_equal(state.observation_tensor(player), observer.tensor)
                assert state.observation_string(player) == observer.string_from(state, player) == str(state)


def test_an_observer_of_something_else_is_refused():
    game = load()
    for public, recall in ((True, True), (False, False)):
        with pytest.raises(BastideError, match="without perfect recall"):
            game.make_py_observer(pyspiel.IIGObservationType(public_info=public, perfect_recall=recall))
    with pytest.raises(BastideError, match="no parameters"):
        game.make_py_observer(None, {"size": 3})


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"preset": "castle"}, RulesError, "unknown preset 'castle'"),
        ({"players": 7}, RulesError, "players='7' is not possible"),
        ({"boxes": "tower+thieves"}, RulesError, "cannot be played together"),
        ({"options": "abbot"}, RulesError, "options: 'abbot' is not 'NAME VALUE'"),
        ({"options": "abbot maybe"}, RulesError, "abbot='maybe' is not possible"),
        ({"options": "players 3"}, RulesError, "options: 'players 3'"),
        ({"window": 4}, BastideError, "size must be an odd number"),
    ],
)
def test_wrong_parameters_are_refused(params, error, message):
    with pytest.raises(error, match=message):
        CarcassonneGame(params)


def test_openspiels_search_finds_the_last_action_that_wins():
    """In positions with one tile left and a single decision, where one action wins and another does not."""
    game, rng, found = load(), np.random.RandomState(7), 0
    for seed in range(20):
        for state in walk(game, seed):
            if state.is_terminal() or state.is_chance_node() or state.position.tiles_left:
                continue
            player, children = state.current_player(), {action: state.child(action) for action in state.legal_actions()}
            wins = {a for a, child in children.items() if child.is_terminal() and child.returns()[player] == 1}
            if wins and wins != set(children) and all(child.is_terminal() for child in children.values()):
                bot = mcts.MCTSBot(game, 1.0, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
                assert bot.step(state) in wins
                found += 1
    assert found > 0


@pytest.mark.parametrize("name", ["gymnasium", "openspiel", "pettingzoo"])
def test_examples_in_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"bastide.adapters.{name}"))
    assert (result.failed, result.attempted > 0) == (0, True)
