"""Let agents play games, one at a time; many at once are the business of `simulate` and of tournaments."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from bastide._core.api import Rng
from bastide.agents.outside import borrowed, is_outside
from bastide.agents.registry import Agent
from bastide.agents.registry import agent as make_agent
from bastide.deck import Deck
from bastide.errors import BastideError, IllegalActionError, show
from bastide.game import Game, State
from bastide.record import Record, Recorder

__all__ = ["play_game", "play_steps", "seated", "tell_begin", "tell_end"]


def play_game(
    game: Game,
    agents: Sequence[Agent],
    rng: Rng,
    deck: Deck | None = None,
    *,
    names: Sequence[str] | None = None,
    seed: int | None = None,
) -> Record:
    """Play one game, agent i in seat i, and return its record.

    The tiles come in the order of `deck`, or of one shuffled by `rng` before anything else; then `rng` gives
    each seat a generator of its own, so that the deal does not depend on the agents. An agent sees a copy of
    the position. `names` and `seed` go into the record.

    Errors: BastideError if there is not one agent a seat; IllegalActionError if one chooses an action that is
    not legal, or if the deck does not suit the game.

    >>> from bastide.agents import RandomAgent
    >>> record = play_game(Game(), [RandomAgent(), RandomAgent()], Rng(7))
    >>> record.replay().is_terminal
    True
    """
    recorder = Recorder(game, names or [_name(agent) for agent in agents], seed)
    for _ in play_steps(recorder, agents, rng, deck):
        pass
    return recorder.record()


def play_steps(recorder: Recorder, agents: Sequence[Agent], rng: Rng, deck: Deck | None = None) -> Iterator[str]:
    """Play on to the end as `play_game` does, and yield each move's text when it is done."""
    state = recorder.state
    if not isinstance(rng, Rng) or not isinstance(deck, (Deck, type(None))):
        raise BastideError(f"rng must be a bastide.Rng and deck a bastide.Deck, got {show(rng)}, {show(deck)}")
    if len(agents) != state.game.rules.players or not all(hasattr(agent, "choose") for agent in agents):
        raise BastideError(
            f"the game needs {state.game.rules.players} agents with a method choose, got {show(list(agents))}"
        )
    if deck is None:
        deck = Deck.rest(state, rng)
    deck.check(state)
    streams = [Rng(rng.next(), seat) for seat in range(len(agents))]
    for seat, agent in enumerate(agents):
        tell_begin(agent, state, seat)
    while not state.is_terminal:
        if state.is_chance:
            recorder.draw(deck.next(state))
        else:
            seat = state.current_player
            try:
                action = agents[seat].choose(state.copy(), streams[seat])
                recorder.apply(action, getattr(agents[seat], "search", None))
            except IllegalActionError as error:
                raise IllegalActionError(f"agent {agents[seat]!r} in seat {seat}: {error}") from error
        yield recorder.moves[-1]
    for agent in agents:
        tell_end(agent, state.scores)


def tell_begin(agent: Agent, state: State, seat: int) -> None:
    """Tell an agent that wants to know it that a game begins, in a position before its first draw."""
    if hasattr(agent, "begin"):
        agent.begin(state.copy(), seat)


def tell_end(agent: Agent, scores: Sequence[int]) -> None:
    """Tell an agent that wants to know it how a game has ended."""
    if hasattr(agent, "end"):
        agent.end(scores)


@contextmanager
def seated(codes: Sequence[str | Agent]) -> Iterator[list[Agent]]:
    """Give the agents of a game by their codes: programs that wait for a game, and new agents of all other kinds.

    An agent instead of a code stays as it is. Errors: BastideError for a bad code.
    """
    with ExitStack() as programs:
        agents: list[Agent] = []
        for code in codes:
            if not isinstance(code, str):
                agents.append(code)
            elif is_outside(code):
                agents.append(programs.enter_context(borrowed(code)))
            else:
                agents.append(make_agent(code))
        yield agents


def _name(agent: Agent) -> str:
    return type(agent).__name__
