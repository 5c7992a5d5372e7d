"""The options of a tree search and their ranges. What they do stands in docs/search.md."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bastide._core.mcts import POLICIES, VALUES
from bastide.bulk import whole
from bastide.errors import BastideError, show

__all__ = ["ITERATIONS", "SearchOptions", "check_limits"]

ITERATIONS = 1000  # of a search that is told neither iterations nor seconds
LEAST_MEMORY = 1 << 20  # bytes of a tree: room for the actions of any root
MOST = 1 << 31  # iterations of a search: visits are counted in 32 bits


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search. The defaults are the strongest found for 1,000 iterations, see docs/search.md.

    Errors: BastideError for a value that is none.
    """

    policy: str = "uniform"  # of playouts: "uniform", or "greedy" = the best of some legal actions drawn at random
    candidates: int = 3  # how many the greedy policy draws
    cut: int | None = 14  # turns of a playout, after which the position is scored as it stands; None: to the end
    value: str = "margin"  # what is maximised: "margin" = tanh((own - best other) / scale), or "returns"
    scale: float = 20.0  # points
    price: float = 1.0  # points that a figure on the board is worth less where a position is scored before the end
    exploration: float = 0.25  # the constant of UCT; values are in [-1, 1]
    puct: float = 1.5  # the constant of PUCT, which chooses where an evaluator gives weights
    priors: bool = True  # put actions in order by how their player would stand; else the order is random
    prior_visits: float = 3.0  # visits that a prior counts as
    widening: float = 1.0  # of N visits the first `widening * N ** widening_power` actions are looked at; 0: all
    widening_power: float = 0.5
    expand_at: int = 4  # visits after which a placement below the root gets its actions; other nodes: one visit
    memory: int = 1 << 28  # bytes for the trees together; once full they stay as they are, and only statistics grow
    trees: int = 1  # how many are grown, each by its share of the iterations, and merged at the root
    batch_size: int = 32  # positions that an evaluator gets at once

    def __post_init__(self) -> None:
        _one_of("policy", self.policy, POLICIES)
        _one_of("value", self.value, VALUES)
        _one_of("priors", self.priors, (False, True))
        whole("trees", self.trees, 1, 1024)
        for name, least, most in (
            ("candidates", 1, 1000),
            ("expand_at", 0, 1 << 30),
            ("memory", LEAST_MEMORY * self.trees, 1 << 46),
            ("batch_size", 1, 1 << 16),
        ):
            whole(name, getattr(self, name), least, most)
        if self.cut is not None:
            whole("cut", self.cut, 0, 1 << 20)
        for name, low, high in (
            ("scale", 1e-3, 1e6),
            ("price", -100, 100),
            ("exploration", 0, 1e6),
            ("puct", 0, 1e6),
            ("prior_visits", 0, 1e6),
            ("widening", 0, 1e6),
            ("widening_power", 0, 1),
        ):
            _number(name, getattr(self, name), low, high)


def check_limits(iterations: int | None, seconds: float | None) -> int:
    """Return the most iterations that two limits mean; BastideError for a number out of range."""
    if seconds is not None:
        _number("seconds", seconds, 0, 1e9)
    if iterations is None:
        return ITERATIONS if seconds is None else MOST
    return whole("iterations", iterations, 1, MOST)


def _one_of(name: str, value: Any, values: Iterable[Any]) -> None:
    if not isinstance(value, (str, bool)) or value not in values:
        raise BastideError(f"{name} must be one of {', '.join(map(str, values))}, got {show(value)}")


def _number(name: str, value: Any, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise BastideError(f"{name} must be a number of {least} .. {most}, got {show(value)}")
