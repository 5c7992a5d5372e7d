"""The tree search: right where everything can be worked out, the same for the same seed, and within its limits."""

import ast
import math
import re
import signal
import threading
import time
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
import pytest
from games import step, walk

from bastide import BastideError, Batch, Game, IllegalActionError, Rng, Rules, Search, TileSet, mcts
from bastide._core.mcts import Tree
from bastide.agents import GreedyAgent, MctsAgent, agent, play_game
from bastide.rules import PRESETS
from bastide.searchoptions import SearchOptions

BASE = Game(Rules())
SMALL = """
format = 1
box = "base"
start = "base.D"
[sets.base_c2c3]
"base.D" = 1
"base.E" = 1
"base.B" = 1
"base.U" = 1
"""


def small(players=2, **rules):
    """A game of three draws."""
    return Game(Rules(players=players, **rules), tiles=TileSet.loads(SMALL))


def expectimax(state, value):
    """The value to each player under best play, by looking at everything."""
    if state.is_terminal:
        return np.array(value(state))
    if state.is_chance:
        return sum(p * best_of(state, State.draw, tile, value) for tile, _, p in state.draws())
    player = state.current_player
    return max(
        (best_of(state, State.apply, action, value) for action in state.legal_actions()), key=lambda v: v[player]
    )


def best_of(state, do, what, value):
    child = state.copy()
    do(child, what)
    return expectimax(child, value)


State = type(BASE.new_state())


def returns(state):
    return state.returns


def margin(state, scale=20.0):
    scores = state.scores
    return [math.tanh((own - max(scores[:i] + scores[i + 1 :])) / scale) for i, own in enumerate(scores)]


def first_decision(game, seed=0):
    state, rng = game.new_state(), Rng(seed)
    while state.is_chance:
        state.draw(state.sample_draw(rng))
    return state


def position(game, seed=0, steps=61):
    """A decision of a random game, after some steps or the next one."""
    state, rng = game.new_state(), Rng(seed)
    while steps > 0 or state.is_chance:
        step(state, rng)
        steps -= 1
    return state


def late(game, seed=0, left=2):
    """A decision near the end of a random game: `left` tiles can still be drawn."""
    for state in walk(game, seed):
        if state.tiles_left <= left and not state.is_chance:
            return state.copy()
    raise AssertionError("no such position")


# -- where everything can be worked out


@pytest.mark.parametrize("value", [returns, margin])
@pytest.mark.parametrize("priors", [True, False])
def test_a_search_finds_the_best_action_of_a_small_game(value, priors):
    state = first_decision(small())
    found = mcts(state, 60_000, seed=1, value=value.__name__, cut=None, priors=priors, exploration=0.7)
    exact = {action: best_of(state, State.apply, action, value)[0] for action in state.legal_actions()}
    assert exact[found.action] >= max(exact.values()) - 0.02
    assert abs(found.values[found.actions == found.action][0, 0] - exact[found.action]) < 0.05
    assert found.value.sum() == pytest.approx(0)


def test_each_of_three_players_maximises_his_own_value():
    state = late(small(players=3), left=1)
    found = mcts(state, 60_000, seed=1, cut=None, exploration=0.7)
    exact = {action: best_of(state, State.apply, action, margin) for action in state.legal_actions()}
    assert exact[found.action][state.current_player] >= max(v[state.current_player] for v in exact.values()) - 0.02
    assert found.values[found.actions == found.action][0] == pytest.approx(exact[found.action], abs=0.06)


@pytest.mark.parametrize("seed", range(4))
def test_it_plays_the_end_of_a_whole_game_well(seed):
    state = late(BASE, seed, left=1)
    found = mcts(state, 20_000, seed=1, cut=None, exploration=0.7)
    exact = {action: best_of(state, State.apply, action, margin)[state.current_player] for action in found.actions}
    assert exact[found.action] >= max(exact.values()) - 0.02


def test_draws_come_up_by_their_probability():
    state = late(BASE, seed=2, left=12)
    tree = Tree(state, 1 << 26, 0, options(expand_at=0))
    tree.restart(state, 1, 0)
    while state.phase in ("place", "figure"):
        state.apply(state.legal_actions()[0])
    tree.restart(state, 1, 0)
    tree.run(20_000)
    visits = {tile: n for is_draw, tile, n in tree.line(1) if is_draw}
    (most,) = visits
    chances = {tile: p for tile, _, p in state.draws()}
    assert chances[most] == max(chances.values())
    assert visits[most] / 20_000 == pytest.approx(chances[most], abs=0.02)


def options(**changes):
    return {**asdict(SearchOptions()), "cut": -1, **changes}


# -- the same for the same seed


def same(a, b):
    assert (a.visits == b.visits).all()
    assert np.array_equal(a.values, b.values, equal_nan=True)
    assert (a.action, a.line, a.n_nodes, a.iterations) == (b.action, b.line, b.n_nodes, b.iterations)


def test_a_search_is_a_function_of_seed_and_iterations():
    state = position(BASE, seed=1, steps=61)
    results = [mcts(state, 3000, seed=5) for _ in range(2)]
    same(*results)
    assert (mcts(state, 3000, seed=6).visits != results[0].visits).any()
    assert results[0].visits.sum() == results[0].iterations == 3000


@pytest.mark.parametrize("policy", ["uniform", "greedy"])
def test_trees_are_merged_and_no_result_depends_on_the_threads(policy):
    state = position(BASE, seed=1, steps=61)
    results = [mcts(state, 1001, seed=5, trees=3, threads=threads, policy=policy) for threads in (1, 2, 3)]
    same(*results[:2])
    same(*results[1:])
    assert results[0].visits.sum() == 1001
    assert mcts(state, 1001, seed=5, threads=3, policy=policy).visits.tolist() == results[0].visits.tolist()
    alone = [grown(state, n, number, policy) for number, n in enumerate((334, 334, 333))]
    assert results[0].visits.tolist() == np.sum(alone, axis=0).tolist()


def grown(state, n, number, policy):
    tree = Tree(state, 1 << 26, 0, options(cut=14, policy=policy))
    tree.restart(state, 5, number)
    tree.run(n)
    visits = {action: count for action, count, *_ in tree.actions()}
    return [visits[action] for action in state.legal_actions()]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 5])
def test_every_preset_can_be_searched(preset, players):
    game = Game(Rules.preset(preset, players=players))
    rng = Rng(3)
    for i, state in enumerate(walk(game, seed=4)):
        if i % 40 or state.is_chance or state.is_terminal:
            continue
        before, key = state.to_bytes(), state.key
        for policy in ("uniform", "greedy"):
            found = mcts(state, 150, seed=rng.next(), policy=policy, cut=3, widening=0.0)
            assert found.actions.tolist() == state.legal_actions()
            assert found.visits.sum() == 150
            used = found.values[found.visits > 0]
            assert (np.abs(used) <= 1).all()
            assert (used.sum(axis=1) < 1e-9).all()  # the best two lead each other by as much, the others trail
        assert (state.to_bytes(), state.key) == (before, key)
        child = state.copy()
        for kind, what in found.line:
            child.draw(what) if kind == "draw" else child.apply(what)
        assert child.faults() == []
        assert len(found.line_text(state)) == len(found.line)


@pytest.mark.parametrize("players", [1, 3, 6])
@pytest.mark.parametrize("value", ["returns", "margin"])
def test_any_number_of_players_can_search(players, value):
    state = position(Game(Rules(players=players)), seed=2, steps=31)
    found = mcts(state, 300, seed=1, value=value, cut=None)
    assert found.values.shape == (len(state.legal_actions()), players)
    if value == "returns" and players > 1:
        assert found.value.sum() == pytest.approx(0)


# -- limits


def test_a_full_tree_stays_as_it_is_and_the_search_goes_on():
    state = position(BASE, seed=1, steps=61)
    free = mcts(state, 20_000, seed=5)
    tight = mcts(state, 20_000, seed=5, memory=1 << 20)
    assert not free.is_full
    assert tight.is_full
    assert tight.n_bytes <= 1 << 20 < free.n_bytes
    assert tight.visits.sum() == tight.iterations == 20_000
    again = mcts(state, 20_000, seed=5, memory=1 << 20)
    same(tight, again)
    two = mcts(state, 20_000, seed=5, memory=1 << 22, trees=4)
    assert two.n_bytes <= 1 << 22


def test_a_time_limit_ends_a_search():
    state = position(BASE, seed=1, steps=61)
    for threads, trees in ((1, 1), (2, 2), (1, 2)):
        began = time.perf_counter()
        found = mcts(state, seconds=0.1, threads=threads, trees=trees)
        assert 0.09 < time.perf_counter() - began < 5
        assert found.iterations > 10 * trees
    assert mcts(state, seconds=0).iterations >= 1
    assert mcts(state, 50, seconds=100).iterations == 50


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search_and_its_trees_can_be_used_on(threads):
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals come to the main thread")
    state = position(BASE, seed=1, steps=61)
    search = Search(trees=threads)

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            search.run(state, 1 << 31)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert search.run(state, 100).reused > 0


def test_a_tree_belongs_to_one_thread_at_a_time():
    state = position(BASE, seed=1, steps=61)
    tree = Tree(state, 1 << 28, 0, options())
    tree.restart(state, 1, 0)
    thread = threading.Thread(target=tree.run, args=(20_000,))
    thread.start()
    refused = 0
    while thread.is_alive() and not refused:
        try:
            tree.run(1)
        except BastideError:
            refused += 1
    thread.join()
    assert refused


# -- one search after another


def test_a_later_search_goes_on_in_the_tree():
    state = position(BASE, seed=1, steps=61)
    tree = Tree(state, 1 << 28, 0, options(cut=8))
    tree.restart(state, 1, 0)
    tree.run(5000)
    for _ in range(4):
        (is_draw, what, visits), *rest = tree.line(9)
        sums = None if is_draw else next(sums for action, _, sums, _ in tree.actions() if action == what)
        state.draw(what) if is_draw else state.apply(what)
        tree.restart(state, 1, 0)
        assert tree.facts()[:2] == (0, visits)
        assert tree.line(9)[: len(rest)] == rest
        assert sums is None or tree.sums() == sums


def test_what_is_not_below_the_new_root_is_forgotten():
    state = position(BASE, seed=1, steps=61)
    search = Search()
    first = search.run(state, 2000)
    state.apply(first.action)
    for _ in range(20):
        later = search.run(state, 50) if not state.is_chance else None
        state.draw(state.draws()[0][0]) if state.is_chance else state.apply(state.legal_actions()[-1])
    assert first.reused == 0
    assert later is None or later.n_nodes < 500
    fresh = Search().run(position(BASE, seed=9, steps=61), 2000, seed=3)
    search.run(position(BASE, seed=1, steps=61), 10)
    same(search.run(position(BASE, seed=9, steps=61), 2000, seed=3), fresh)


def test_a_search_takes_positions_of_another_game():
    search = Search()
    search.run(position(BASE, steps=61), 100)
    other = Game(Rules.preset("tower", players=3))
    assert search.run(first_decision(other), 100).reused == 0


def test_priors_are_what_greedy_thinks():
    state = position(BASE, seed=5, steps=61)
    while state.phase != "figure":
        state.draw(state.draws()[0][0]) if state.is_chance else state.apply(state.legal_actions()[0])
    found = mcts(state, 10)
    values = []
    for action in state.legal_actions():
        child = state.copy()
        child.apply(action)
        values.append(math.tanh(GreedyAgent(1.0)._value(child, state.current_player) / 20))
    assert found.priors == pytest.approx(np.array(values) - max(values), abs=1e-6)


# -- evaluators


def nothing(batch):
    return np.zeros((batch.n, batch.game.rules.players))


def test_an_evaluator_gets_whole_batches_of_positions_in_which_a_player_decides():
    state, seen = position(BASE, seed=1, steps=61), []

    def evaluator(batch):
        assert isinstance(batch, Batch)
        assert not batch.is_chance().any()
        assert batch.observations().shape[0] == batch.masks()[0].shape[0] == 8
        seen.append([slot.key for slot in batch.states])
        actions, _ = batch.legal_actions()
        return nothing(batch), np.ones(len(actions))

    found = mcts(state, 300, evaluator=evaluator, batch_size=8)
    assert found.visits.sum() <= found.iterations == 300
    assert seen[0][0] == state.key
    assert len({key for keys in seen for key in keys}) > 200
    assert len(seen) < 100


def test_a_search_with_an_evaluator_finds_the_best_action_of_a_small_game():
    state = first_decision(small())
    found = mcts(state, 30_000, evaluator=nothing, puct=1.0, batch_size=4)
    exact = {action: best_of(state, State.apply, action, margin)[0] for action in state.legal_actions()}
    assert exact[found.action] >= max(exact.values()) - 0.02


def test_positions_that_were_never_answered_do_not_stay_behind():
    state = position(BASE, seed=1, steps=61)
    tree, fresh = (Tree(state, 1 << 26, 4, options()) for _ in range(2))
    tree.restart(state, 1, 0)
    assert tree.gather(4) == 1  # the root itself
    with pytest.raises(BastideError, match="no answers yet"):
        tree.gather(4)
    tree.restart(state, 1, 0)
    fresh.restart(state, 1, 0)
    assert (tree.facts(), tree.gather(4)) == (fresh.facts(), fresh.gather(4))


def test_values_and_weights_steer_a_search():
    state = position(BASE, seed=1, steps=61)
    wanted = state.legal_actions()[3]

    def by_weight(batch):
        actions, _ = batch.legal_actions()
        return nothing(batch), np.where(actions == wanted, 100.0, 1.0)

    found = mcts(state, 100, evaluator=by_weight)
    assert found.action == wanted
    assert found.priors.sum() == pytest.approx(1)
    assert found.priors.argmax() == 3

    def by_meeples(batch):  # likes to have few in hand
        n = np.array([[hand["meeple"] for hand in state.supply] for state in batch.states])
        return (n.sum(axis=1, keepdims=True) - 2 * n) / 14

    while state.phase != "figure":
        state.draw(state.draws()[0][0]) if state.is_chance else state.apply(state.legal_actions()[0])
    found = mcts(state, 500, evaluator=by_meeples, puct=0.3)
    assert state.action_text(found.action).startswith("deploy")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda batch: None, "values must"),
        (lambda batch: [[0, 0]], "shape"),
        (lambda batch: nothing(batch) + 1.5, "-1 .. 1"),
        (lambda batch: nothing(batch) * np.nan, "-1 .. 1"),
        (lambda batch: (nothing(batch), [1.0]), "shape"),
        (lambda batch: (nothing(batch), -np.ones(len(batch.legal_actions()[0]))), ">= 0"),
        (lambda batch: (nothing(batch), np.zeros(len(batch.legal_actions()[0]))), ">= 0"),
        (lambda batch: 1 / 0, "division"),
    ],
)
def test_a_bad_answer_is_an_error_and_leaves_the_search_as_it_was(answer, why):
    state = position(BASE, seed=1, steps=61)
    answers = [nothing, nothing]
    search = Search(evaluator=lambda batch: answers[-1](batch), batch_size=4)
    fresh = Search(evaluator=nothing, batch_size=4)
    search.run(state, 20)
    fresh.run(state, 20)
    answers.append(answer)
    with pytest.raises((BastideError, ZeroDivisionError), match=why):
        search.run(state, 20)
    answers.pop()
    assert search.run(state, 20).visits.tolist() == fresh.run(state, 20).visits.tolist()


# -- bad input


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"policy": "best"}, "policy must be one of uniform, greedy, got 'best'"),
        ({"value": 1}, "value must be one of returns, margin, got 1"),
        ({"cut": -1}, "cut must be an integer"),
        ({"scale": 0}, "scale must be a number"),
        ({"exploration": math.nan}, "exploration must be a number of 0 .. 1000000.0, got nan"),
        ({"memory": 100}, "memory must be an integer of 1048576 .."),
        ({"memory": 1 << 20, "trees": 2}, "memory must be an integer of 2097152 .."),
        ({"trees": 0}, "trees must be"),
        ({"threads": 0}, "threads must be"),
        ({"priors": 1}, "priors must be one of False, True, got 1"),
        ({"speed": 1}, "no option 'speed' of a search"),
        ({"evaluator": 1}, "evaluator must be callable"),
        ({"evaluator": nothing, "trees": 2}, "grows one tree, got trees=2"),
        ({"iterations": 0}, "iterations must be"),
        ({"seconds": -1}, "seconds must be a number"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_a_bad_option_is_an_error_that_names_it(changes, why):
    with pytest.raises(BastideError, match=why):
        mcts(position(BASE, steps=61), **changes)


def test_only_where_a_player_decides_there_is_something_to_search():
    for state in (BASE.new_state(), late(BASE, left=0)):
        while state.phase not in ("draw", "end"):
            state.apply(state.legal_actions()[0])
        with pytest.raises(IllegalActionError, match="nobody decides in phase"):
            mcts(state)
    with pytest.raises(BastideError, match="a search needs"):
        mcts(BASE)


# -- the agent


def test_a_code_makes_the_agent():
    made = agent("mcts:iterations=50,cut=none,reuse=off,policy=greedy,priors=off,exploration=1")
    assert (
        repr(made) == "MctsAgent(iterations=50, reuse=False, cut=None, policy='greedy', priors=False, exploration=1.0)"
    )
    for code in ("mcts:iterations=0", "mcts:policy=best", "mcts:cut=x", "mcts:reuse=maybe", "mcts:batch_size=3"):
        with pytest.raises(BastideError):
            agent(code)


def test_the_agent_plays_and_its_searches_go_into_the_record():
    record = play_game(BASE, [MctsAgent(30), agent("random")], Rng(1))
    assert record.scores[0] > record.scores[1]
    assert record == play_game(BASE, [MctsAgent(30), agent("random")], Rng(1))
    searches = [search for search in record.search if search]
    assert len(searches) > 40
    assert {"iterations", "value", "actions", "line"} == set(searches[0])
    assert all(search["iterations"] == 30 for search in searches)


def test_without_reuse_every_search_begins_anew():
    state = position(BASE, seed=1, steps=61)
    chooser = MctsAgent(200, reuse=False)
    chooser.choose(state, Rng(1))
    state.apply(mcts(state, 200, seed=Rng(1).next()).action)
    if not state.is_chance:
        chooser.choose(state, Rng(2))
        assert sum(entry["visits"] for entry in chooser.search["actions"]) <= 200


# -- the page about it


def test_the_page_has_every_option_with_its_default():
    page = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
    table = re.search(r"\| option \| default \| \|\n\| --- \| --- \| --- \|\n((?:\|.*\n)+)", page)[1]
    cells = [[cell.strip().strip("`") for cell in row.split("|")[1:3]] for row in table.splitlines()]
    shown = {name: ast.literal_eval(default) for name, default in cells}
    assert shown == {field.name: field.default for field in fields(SearchOptions)}


def test_the_example_of_the_page_runs(capsys):
    page = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    exec(compile(code, "search.md", "exec"), {})
    assert "place" in capsys.readouterr().out
