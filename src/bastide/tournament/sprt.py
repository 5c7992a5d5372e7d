"""A sequential probability ratio test of two agents: play until it is clear which of two ratings is right.

The unit is a pair, the two games of a deal, whose share of points is 0, 1/4, 1/2, 3/4 or 1. The ratio compares
the likeliest distributions of pairs that have the mean of each hypothesis (a generalised test, see M. Van den
Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution", 2020). Everything
takes a fixed number of steps, whatever the counts are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bastide.errors import BastideError, show

__all__ = ["SHARES", "Sprt", "Verdict", "elo_share"]

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
PRIOR = 1e-3  # pairs added to each outcome, so that none is impossible
STEPS = 60  # of the bisection: more than a double has bits


def elo_share(elo: float) -> float:
    """Return the share of points expected at a difference of ratings.

    >>> elo_share(0), round(elo_share(400), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a test stands after some pairs."""

    counts: tuple[int, ...]  # pairs by their share, as in SHARES
    llr: float  # logarithm of the likelihood ratio: elo1 over elo0
    lower: float
    upper: float
    accepted: str | None  # "elo0", "elo1", None: not clear yet

    @property
    def pairs(self) -> int:
        """How many pairs there were."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Sprt:
    """Test whether the first entrant is `elo1` better than the second, against `elo0`.

    `alpha`: probability of accepting elo1 where elo0 is right; `beta`: the other way round.
    Errors: BastideError for other than -1000 <= elo0 < elo1 <= 1000, or an error probability not in 0 .. 1/2.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise BastideError(f"sprt needs -1000 <= elo0 < elo1 <= 1000, got {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise BastideError(f"sprt: {name} must be between 0 and 1/2, got {show(getattr(self, name))}")

    @staticmethod
    def parse(text: str) -> "Sprt":
        """Return the test of "ELO0,ELO1", or "ELO0,ELO1,ALPHA,BETA". Errors: BastideError."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise BastideError(f"sprt is {show(text)} (expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, e.g. 0,20)")
        return Sprt(*numbers)

    def document(self) -> dict[str, float]:
        """Return the test as plain JSON values."""
        return {"elo0": self.elo0, "elo1": self.elo1, "alpha": self.alpha, "beta": self.beta}

    def llr(self, counts: Sequence[float]) -> float:
        """Return the logarithm of the likelihood ratio for so many pairs of each outcome of SHARES."""
        n = sum(counts) + PRIOR * len(SHARES)
        parts = [(count + PRIOR) / n for count in counts]
        low, high = (_tilted(parts, elo_share(elo)) for elo in (self.elo0, self.elo1))
        return n * sum(p * math.log(b / a) for p, a, b in zip(parts, low, high, strict=True))

    def begin(self) -> Verdict:
        """Return where the test stands before the first pair."""
        lower, upper = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        return Verdict((0,) * len(SHARES), 0.0, lower, upper, None)

    def after(self, verdict: Verdict, share: float) -> Verdict:
        """Return where the test stands after one more pair; once it is decided, it stays so."""
        if verdict.accepted is not None:
            return verdict
        counts = list(verdict.counts)
        counts[round(4 * share)] += 1
        llr = self.llr(counts)
        accepted = "elo0" if llr <= verdict.lower else "elo1" if llr >= verdict.upper else None
        return Verdict(tuple(counts), llr, verdict.lower, verdict.upper, accepted)

    def __str__(self) -> str:
        return f"SPRT of {self.elo0:g} against {self.elo1:g} Elo, alpha {self.alpha:g}, beta {self.beta:g}"


def _tilted(parts: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest distribution over SHARES with a mean, where the parts were observed.

    It is p / (1 + t (share - mean)) with the t at which the mean is right; the mean falls as t grows.
    """
    low, high = -1 / (SHARES[-1] - mean), 1 / (mean - SHARES[0])
    for _ in range(STEPS):
        t = (low + high) / 2
        if sum(p * (a - mean) / (1 + t * (a - mean)) for p, a in zip(parts, SHARES, strict=True)) > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return [p / (1 + t * (a - mean)) for p, a in zip(parts, SHARES, strict=True)]
