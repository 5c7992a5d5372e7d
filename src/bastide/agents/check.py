"""Check that an agent keeps the protocol of docs/agents.md: what `bastide check-agent` does."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bastide._core.api import Rng
from bastide.agents.loader import file_of, is_file_code
from bastide.agents.outside import QUIT_SECONDS, OutsideAgent, is_outside, outside_agent
from bastide.agents.registry import agent as make_agent
from bastide.errors import AgentError, BastideError
from bastide.game import Game, State

__all__ = ["Check", "check_agent", "check_can_run"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked."""

    name: str
    passed: bool
    detail: str
    is_required: bool = True  # else it is good to know, but no fault


def check_can_run(code: str) -> None:
    """Raise BastideError for a code that makes no agent, or whose file is not there; nothing is run."""
    if not is_outside(code):
        make_agent(code)
    outside_agent(code)
    if is_file_code(code) and not os.path.isfile(file_of(code)):
        raise BastideError(f"agent {code!r}: {file_of(code)}: there is no such file")


def check_agent(code: str, game: Game, games: int, seed: int, seconds: float) -> Iterator[Check]:
    """Check the agent of a code, run as a program, and yield what was found, check by check.

    It plays `games` games from each seat against random moves, `seconds` are the limit for an answer.
    Errors: BastideError for a code that can be no program.
    """
    agent = outside_agent(code)
    checker = _Checker(agent, game, games, seed)
    try:
        hello = _check("says hello", checker.hello)
        yield hello
        if not hello.passed:
            return
        agent.seconds = seconds
        yield _check("answers every question with a legal action", checker.plays)
        yield _check("plays on after a game that was broken off", checker.breaks_off)
        yield _check("ignores messages and keys that it does not know", checker.ignores)
        yield _check("answers the same for the same seed", checker.repeats, is_required=False)
        yield _check(f"ends within {QUIT_SECONDS:g} s when told to quit", checker.quits)
        yield _check(f"ends within {QUIT_SECONDS:g} s when its input ends", checker.ends)
    finally:
        agent.kill()


def _check(name: str, check: Callable[[], tuple[bool, str]], is_required: bool = True) -> Check:
    try:
        return Check(name, *check(), is_required=is_required)
    except AgentError as error:
        return Check(name, False, f"{error.fault}: {error}", is_required)


class _Checker:
    def __init__(self, agent: OutsideAgent, game: Game, games: int, seed: int) -> None:
        self.agent, self.game, self.games, self.seed = agent, game, games, seed

    def hello(self) -> tuple[bool, str]:
        began = time.perf_counter()
        self.agent.start()
        wants = f", wants {', '.join(self.agent.wants)}" if self.agent.wants else ""
        return True, f"{self.agent.name or 'no name'}, in {time.perf_counter() - began:.2f} s{wants}"

    def plays(self) -> tuple[bool, str]:
        times: list[float] = []
        for number in range(self.games):
            for seat in range(self.game.rules.players):
                self._play(number, seat, times)
        n = self.games * self.game.rules.players
        mean, longest = 1000 * sum(times) / len(times), 1000 * max(times)
        return True, f"{len(times)} decisions in {n} games, {mean:.1f} ms on average, {longest:.1f} ms at most"

    def breaks_off(self) -> tuple[bool, str]:
        self._play(0, 0, [], decisions=5)
        self._play(1, 0, [])
        return True, ""

    def ignores(self) -> tuple[bool, str]:
        self.agent.start()
        self.agent.tell({"type": "note", "text": "to be ignored"})
        self._play(0, 0, [], decisions=5, extra={"new_key": [1]})
        return True, ""

    def repeats(self) -> tuple[bool, str]:
        first, second = (self._play(2, 0, [], decisions=40) for _ in range(2))
        same = first == second
        return same, "" if same else "its games are not reproducible"

    def quits(self) -> tuple[bool, str]:
        return self._closed(self.agent.close())

    def ends(self) -> tuple[bool, str]:
        self.agent.start()
        return self._closed(self.agent.close(say_quit=False))

    def _closed(self, code: int | None) -> tuple[bool, str]:
        if code is None:
            return False, "it had to be killed"
        return code == 0, "" if code == 0 else f"exit code {code} (expected 0)"

    def _play(
        self,
        number: int,
        seat: int,
        times: list[float],
        decisions: int | None = None,
        extra: dict[str, object] | None = None,
    ) -> list[int]:
        """Play a game, or so many decisions of it, the others at random; return what the agent chose."""
        state, rng = State(self.game), Rng(self.seed, number)
        own = Rng(self.seed, 1 << 32 | number)
        chosen: list[int] = []
        self.agent.begin(state, seat)
        while not state.is_terminal and (decisions is None or len(chosen) < decisions):
            if state.is_chance:
                state.draw(state.sample_draw(rng))
            elif state.current_player == seat:
                began = time.perf_counter()
                chosen.append(self.agent.choose(state, own, extra))
                times.append(time.perf_counter() - began)
                state.apply(chosen[-1])
            else:
                actions = state.legal_actions()
                state.apply(actions[rng.below(len(actions))])
        self.agent.end(state.scores)
        return chosen
