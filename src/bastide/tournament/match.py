"""Play the games of deals, with limits; an agent that fails loses its game and nothing else happens.

The deck of deal d is shuffled by `Rng(seed, d)`. In game g = d * seats + rotation the agents' generators come
from `Rng(seed, 2**63 + g)`, one a seat, so that the deal does not depend on the agents.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bastide._core.api import Rng
from bastide.agents import Agent, seated
from bastide.agents.outside import HANG_SECONDS, OutsideAgent
from bastide.errors import AgentError, BastideError
from bastide.tournament.pairings import Deal
from bastide.tournament.plan import Limits, Plan

if TYPE_CHECKING:
    from bastide.deck import Deck
    from bastide.game import State

__all__ = ["FAULTS", "GameResult", "places", "play_deals", "shares"]

FAULTS = ("crash", "timeout", "nonsense", "illegal")
AGENTS_STREAM = 1 << 63  # streams of a seed from here on are for agents, below for decks
MAX_REASON = 300  # characters


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of a tournament; lists have an entry a seat."""

    number: int  # deal * seats + rotation
    round: int
    lineup: tuple[int, ...]  # entrants
    scores: tuple[int, ...]  # at the end, or as if the game had ended where it stopped
    turns: int
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # that the agents took
    fault_seat: int | None = None  # who lost by failing
    fault: str | None = None  # one of FAULTS
    reason: str = ""


def places(result: GameResult) -> list[int]:
    """Return the place of each seat from 0, equal ones for equal scores; who failed is last."""
    worth = [score if seat != result.fault_seat else -1 for seat, score in enumerate(result.scores)]
    return [sum(other > own for other in worth) for own in worth]


def shares(result: GameResult) -> list[float]:
    """Return each seat's part of the win: 1 / k for each of k winners."""
    first = [place == 0 for place in places(result)]
    return [is_first / sum(first) for is_first in first]


def play_deals(plan: Plan, table_deals: Sequence[Deal]) -> tuple[list[GameResult], float]:
    """Play deals in all rotations: a task for workers. Returns the games and the seconds that they took."""
    began = time.perf_counter()
    return [result for deal in table_deals for result in _play_deal(plan, deal)], time.perf_counter() - began


def _play_deal(plan: Plan, deal: Deal) -> Iterator[GameResult]:
    deck = plan.game.shuffled_deck(Rng(plan.seed, deal.number))
    for rotation in range(plan.seats):
        number = deal.number * plan.seats + rotation
        lineup = deal.lineup[rotation:] + deal.lineup[:rotation]
        rng = Rng(plan.seed, AGENTS_STREAM + number)
        with seated([plan.entrants[entrant] for entrant in lineup]) as agents:
            yield _Game(plan.game.new_state(), agents, deck, rng, plan.limits).play(number, deal.round, lineup)


class _FailedError(Exception):
    """Raised when a seat has lost by failing: (seat, fault, reason)."""


class _Game:
    def __init__(self, state: "State", agents: Sequence[Agent], deck: "Deck", rng: Rng, limits: Limits) -> None:
        self.state, self.agents, self.deck, self.limits = state, agents, deck, limits
        self.streams = [Rng(rng.next(), seat) for seat in range(len(agents))]
        self.decisions = [0] * len(agents)
        self.seconds = [0.0] * len(agents)

    def play(self, number: int, round_number: int, lineup: tuple[int, ...]) -> GameResult:
        seat, fault, reason = None, None, ""
        try:
            self._play()
        except _FailedError as failed:
            seat, fault, reason = failed.args
        scores = self.state.scores_now()
        for agent in self.agents:
            if hasattr(agent, "end"):
                with suppress(Exception):  # the game is over: what it does now is nobody's concern
                    agent.end(scores)
        counted = tuple(self.decisions), tuple(self.seconds)
        reason = reason[:MAX_REASON]
        return GameResult(number, round_number, lineup, scores, self.state.turn, *counted, seat, fault, reason)

    def _play(self) -> None:
        state, limit = self.state, self.limits.decisions
        for seat, agent in enumerate(self.agents):
            if hasattr(agent, "begin"):
                with _blamed(seat):  # without the clock: a program may have to be started
                    agent.begin(state.copy(), seat)
        while not state.is_terminal and (limit is None or sum(self.decisions) < limit):
            if state.is_chance:
                state.draw(self.deck.next(state))
            else:
                self._decide(state.current_player)

    def _decide(self, seat: int) -> None:
        agent, limits = self.agents[seat], self.limits
        left = None if limits.game_seconds is None else limits.game_seconds - self.seconds[seat]
        allowed = min((limit for limit in (limits.move_seconds, left) if limit is not None), default=None)
        if isinstance(agent, OutsideAgent):
            agent.seconds = HANG_SECONDS if allowed is None else max(allowed, 0.001)
        self.decisions[seat] += 1
        began = time.perf_counter()
        try:
            with _blamed(seat):
                action = agent.choose(self.state.copy(), self.streams[seat])
        finally:
            taken = time.perf_counter() - began
            self.seconds[seat] += taken
        if allowed is not None and taken > allowed:
            raise _FailedError(seat, "timeout", f"it took {taken:.3f} s of {allowed:.3f} s")
        try:
            self.state.apply(action)
        except (BastideError, TypeError) as error:
            raise _FailedError(seat, "illegal", str(error)) from error


@contextmanager
def _blamed(seat: int) -> Iterator[None]:
    """Turn whatever an agent raises into the loss of its seat."""
    try:
        yield
    except AgentError as error:
        raise _FailedError(seat, error.fault, str(error)) from error
    except Exception as error:
        raise _FailedError(seat, "crash", f"{type(error).__name__}: {error}") from error
