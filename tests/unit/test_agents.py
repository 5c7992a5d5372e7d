"""Agents: their codes, what random and greedy choose, and games between agents."""

from collections import Counter

import pytest
from games import position, walk

from bastide import BastideError, Game, IllegalActionError, Record, RecordError, Rng, Rules
from bastide.agents import (
    AGENTS,
    Agent,
    AgentKind,
    GreedyAgent,
    Parameter,
    RandomAgent,
    agent,
    play_game,
    play_steps,
    register,
    split_codes,
)
from bastide.deck import Deck
from bastide.record import Recorder

BASE = Game(Rules())
THREE = Game(Rules(players=3, abbot=True))


def decisions(game, seed, every):
    """Some positions of a random game in which a player decides."""
    for i, state in enumerate(walk(game, seed)):
        if i % every == 0 and not state.is_chance and not state.is_terminal:
            yield state.copy()


# -- codes


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("random", "RandomAgent()"),
        (" greedy ", "GreedyAgent(price=1.0)"),
        ("greedy:price=0", "GreedyAgent(price=0.0)"),
        ("greedy:price=-2.5", "GreedyAgent(price=-2.5)"),
    ],
)
def test_a_code_makes_an_agent(code, made):
    assert repr(agent(code)) == made
    assert isinstance(agent(code), Agent)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("", r"unknown agent '': the agents are random .any legal action.*, greedy .*, mcts .*, file.py:Class, 'cmd:"),
        ("Greedy", "unknown agent 'Greedy'"),
        ("greedy:", None),
        ("greedy:cost=1", "bad parameter 'cost=1' .expected price=1.0"),
        ("random:price=1", "bad parameter 'price=1' .expected none"),
        ("greedy:price", "bad parameter 'price'"),
        ("greedy:price=1,price=2", "bad parameter 'price=2'"),
        ("greedy:price=x", "price='x' is not a number"),
        ("greedy:price=nan", "price must be a number"),
        ("greedy:price=1e9", "price must be a number"),
        ("x" * 1000, "an agent's code"),
        (None, "an agent's code"),
        (1, "an agent's code"),
    ],
)
def test_a_code_that_makes_no_agent_says_why(code, why):
    if why is None:
        assert agent(code)
        return
    with pytest.raises(BastideError, match=why) as caught:
        agent(code)
    assert len(str(caught.value)) < 300


def test_a_list_of_codes_keeps_parameters_with_their_agent():
    assert split_codes("random") == ["random"]
    assert split_codes("greedy:price=1,random, greedy:price=2") == [
        "greedy:price=1",
        "random",
        "greedy:price=2",
    ]
    assert split_codes("a:x=1,y=2:3,b") == ["a:x=1,y=2:3", "b"]
    assert split_codes("a,x=1") == ["a", "x=1"]


def test_own_kinds_of_agents_can_be_registered():
    class Last:
        def __init__(self, skip=0):
            self.skip = skip

        def choose(self, state, rng):
            return state.legal_actions()[-1 - self.skip]

    register("last", AgentKind(Last, "the last action", {"skip": Parameter(int, 0, "a number")}))
    try:
        assert agent("last:skip=0").skip == 0
        assert play_game(BASE, [agent("last"), agent("random")], Rng(1)).replay().is_terminal
        with pytest.raises(BastideError, match="skip='x' is not a number"):
            agent("last:skip=x")
    finally:
        del AGENTS["last"]
    for name in ("", "a:b", "a,b", "a=b", "a b", "a\n"):
        with pytest.raises(BastideError, match="not possible"):
            register(name, AgentKind(Last, ""))


# -- what they choose


def test_random_chooses_every_legal_action_about_as_often():
    state = position(BASE, steps=1)
    actions = state.legal_actions()
    rng = Rng(3)
    chosen = Counter(RandomAgent().choose(state, rng) for _ in range(200 * len(actions)))
    assert set(chosen) == set(actions)
    assert all(140 < n < 260 for n in chosen.values())


def worths(state, price):
    """What each action is worth to greedy, by its definition and by other means than its own."""
    player, found = state.current_player, {}
    for action in state.legal_actions():
        child = state.copy()
        child.apply(action)
        scores = list(child.scores_now())
        own = scores.pop(player)
        n_figures = len([figure for figure in child.figures if figure.owner == player])
        found[action] = own - max(scores, default=0) - price * n_figures
    return found


@pytest.mark.parametrize("game", [BASE, THREE, Game(Rules(players=1))], ids=["two", "three", "one"])
@pytest.mark.parametrize("price", [0, 1.0, 2.5])
def test_greedy_takes_the_best_score_if_the_game_ended_now_less_a_price_a_figure(game, price):
    for state in decisions(game, seed=11, every=3):
        found = worths(state, price)
        best = {action for action, worth in found.items() if worth == max(found.values())}
        assert {GreedyAgent(price).choose(state, Rng(seed)) for seed in range(3)} <= best


def test_greedy_breaks_ties_by_the_generator():
    state = position(BASE, steps=1)
    found = worths(state, 1.0)
    best = [action for action, worth in found.items() if worth == max(found.values())]
    assert len(best) > 1
    chosen = Counter(GreedyAgent(1).choose(state, Rng(seed)) for seed in range(100 * len(best)))
    assert set(chosen) == set(best)
    assert min(chosen.values()) > 50


@pytest.mark.parametrize("chooser", [RandomAgent(), GreedyAgent()], ids=["random", "greedy"])
def test_choosing_leaves_the_state_as_it_is_and_uses_the_given_generator_only(chooser):
    for state in decisions(THREE, seed=2, every=7):
        before = state.to_bytes()
        assert chooser.choose(state, Rng(9)) == chooser.choose(state, Rng(9))
        assert state.to_bytes() == before


def test_greedy_beats_random():
    scores = [play_game(BASE, [GreedyAgent(), RandomAgent()], Rng(seed)).scores for seed in range(10)]
    assert all(greedy > random for greedy, random in scores)


# -- games


def test_a_game_is_a_function_of_the_generator():
    games = [play_game(THREE, [GreedyAgent(), RandomAgent(), RandomAgent()], Rng(5)) for _ in range(2)]
    assert games[0] == games[1]
    assert games[0] != play_game(THREE, [GreedyAgent(), RandomAgent(), RandomAgent()], Rng(6))


def draws(record):
    return [move for move in record.moves if move.startswith("draw")]


def test_the_deal_does_not_depend_on_the_agents():
    codes = ["mcts:iterations=20" if name == "mcts" else name for name in AGENTS]
    deals = [draws(play_game(BASE, [agent(a), agent(b)], Rng(4))) for a in codes for b in codes]
    assert all(sorted(deal) == sorted(deals[0]) for deal in deals)
    assert all(deal == deals[0] for deal in deals)


def test_a_game_is_played_with_the_given_deck():
    deck = Deck.shuffled(BASE, Rng(77))
    record = play_game(BASE, [RandomAgent()] * 2, Rng(1), deck)
    assert draws(record) == [f"draw {BASE.tiles[tile].id}" for tile in deck.deck]


def test_the_record_has_names_and_seed_and_replays():
    record = play_game(BASE, [GreedyAgent(), RandomAgent()], Rng(4), names=["Ann", "Bob"], seed=4)
    assert (record.players, record.seed) == (("Ann", "Bob"), 4)
    assert Record.loads(record.to_json()) == record
    assert record.replay().is_terminal
    assert play_game(BASE, [GreedyAgent(), RandomAgent()], Rng(4)).players == ("GreedyAgent", "RandomAgent")


def test_steps_tell_each_move_when_it_is_done():
    recorder = Recorder(BASE)
    for n, text in enumerate(play_steps(recorder, [RandomAgent()] * 2, Rng(1)), 1):
        assert recorder.moves[-1] == text
        assert len(recorder.moves) == n
    assert recorder.state.is_terminal


def test_a_game_can_be_taken_up_in_the_middle():
    recorder = Recorder(BASE)
    steps = play_steps(recorder, [RandomAgent()] * 2, Rng(1))
    for _ in range(50):
        next(steps)
    for _ in play_steps(recorder, [GreedyAgent()] * 2, Rng(2)):
        pass
    assert recorder.record().replay().is_terminal


class Stubborn:
    def __init__(self, action):
        self.action = action

    def choose(self, state, rng):
        state.apply(state.legal_actions()[0])  # plays on by itself, on its copy
        return self.action

    def __repr__(self):
        return "Stubborn()"


@pytest.mark.parametrize("action", [0, -1, 2**63, None, "pass", 1.0])
def test_an_illegal_choice_names_the_agent_and_its_seat(action):
    with pytest.raises(IllegalActionError, match=r"agent Stubborn.. in seat 1: "):
        play_game(BASE, [RandomAgent(), Stubborn(action)], Rng(1))


def test_bad_arguments_are_a_bastide_error():
    two = [RandomAgent(), RandomAgent()]
    calls = [
        lambda: play_game(BASE, two[:1], Rng(1)),
        lambda: play_game(THREE, two, Rng(1)),
        lambda: play_game(BASE, [None, 1], Rng(1)),
        lambda: play_game(BASE, two, 1),
        lambda: play_game(BASE, two, Rng(1), "deck"),
        lambda: play_game(BASE, two, Rng(1), Deck(BASE, [])),
        lambda: play_game(BASE, two, Rng(1), Deck.shuffled(THREE, Rng(1))),
        lambda: GreedyAgent("1"),
        lambda: GreedyAgent(True),
        lambda: GreedyAgent(float("inf")),
    ]
    for call in calls:
        with pytest.raises(BastideError):
            call()
    for names in (["a"], ["a", "\t"]):
        with pytest.raises(RecordError):
            play_game(BASE, two, Rng(1), names=names)


def test_statistics_of_an_agents_search_go_into_the_record():
    class Counting(RandomAgent):
        search = None

        def choose(self, state, rng):
            actions = state.legal_actions()
            self.search = {"actions": len(actions)} if len(actions) > 3 else None
            return super().choose(state, rng)

    record = play_game(BASE, [Counting(), RandomAgent()], Rng(1))
    assert any(record.search)
    for state, move, search in zip(record.states(), record.moves, record.search, strict=False):
        counts = search is not None
        assert counts == (not state.is_chance and state.current_player == 0 and len(state.legal_actions()) > 3)
        assert not counts or search == {"actions": len(state.legal_actions())}, move
