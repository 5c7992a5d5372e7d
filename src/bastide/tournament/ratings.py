"""Ratings of entrants from games: Bradley-Terry on the Elo scale, with intervals that know of pairs.

In a game everybody beats those placed behind him; equal places count half. Elo ratings are those under which the
expected results are the observed ones, with one drawn game more for each entrant against a player of rating 0,
which keeps them finite where somebody lost everything. Their mean is 0.

Games of one deal are not independent: a good deck helps the same seat. So errors come from sums over whole deals
(the sandwich estimator), and pairing makes them smaller where it helps. The added draws count as coin tosses, so
that no interval is empty.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations, groupby

import numpy as np
from numpy.typing import NDArray

from bastide.errors import BastideError
from bastide.tournament.match import GameResult, places

__all__ = ["Ratings", "fit", "openskill"]

ELO = 400 / math.log(10)  # Elo points of one unit of the logistic scale
Z95 = 1.959964
MAX_STEPS = 100  # of Newton's method, which takes about ten
MAX_MOVE = 2.0  # of a rating in one step, units of the logistic scale
Comparison = tuple[int, int, float, int]  # in a deal: i < j, games that i won against j, games


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings in Elo points, an entry an entrant, and what is known of their errors."""

    elo: NDArray[np.float64]
    covariance: NDArray[np.float64]  # of `elo`

    def interval(self, i: int) -> tuple[float, float]:
        """Return the 95 percent interval of a rating."""
        half = Z95 * math.sqrt(max(0.0, float(self.covariance[i, i])))
        return float(self.elo[i]) - half, float(self.elo[i]) + half

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """Return how much better i is than j, and its standard error."""
        c = self.covariance
        return float(self.elo[i] - self.elo[j]), math.sqrt(max(0.0, float(c[i, i] + c[j, j] - 2 * c[i, j])))

    def superiority(self, i: int, j: int) -> float:
        """Return the likelihood that i is better than j."""
        difference, error = self.difference(i, j)
        return 0.5 * math.erfc(-difference / error / math.sqrt(2)) if error > 0 else 0.5


def fit(n: int, games: Iterable[GameResult], seats: int) -> Ratings:
    """Rate n entrants by games, those of a deal one after another. Cost: few kinds of deals are kept, with counts."""
    kinds = Counter(
        found for _, deal in groupby(games, lambda game: game.number // seats) if (found := _comparisons(deal))
    )
    weights = np.array(list(kinds.values()), float)
    rows = [(k, *comparison) for k, kind in enumerate(kinds) for comparison in kind]
    table = np.array(rows, float).reshape(-1, 5)
    kind, i, j = (table[:, column].astype(int) for column in range(3))
    won, n_games = table[:, 3], table[:, 4]
    weight = weights[kind]

    def sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add values up for i and take them off for j."""
        return np.bincount(i, values, n).astype(float) - np.bincount(j, values, n)

    r = np.zeros(n)
    for _ in range(MAX_STEPS):
        expected, prior = _logistic(r[i] - r[j]), _logistic(r)
        slope = weight * n_games * expected * (1 - expected)
        curvature = np.diag(np.bincount(i, slope, n) + np.bincount(j, slope, n) + prior * (1 - prior))
        np.subtract.at(curvature, (i, j), slope)
        np.subtract.at(curvature, (j, i), slope)
        step = np.linalg.solve(curvature, sums(weight * (won - n_games * expected)) + 0.5 - prior)
        r += np.clip(step, -MAX_MOVE, MAX_MOVE)
        if np.abs(step).max() < 1e-10:
            break
    residual = won - n_games * _logistic(r[i] - r[j])
    gradients = np.zeros((len(weights), n))  # of each kind of deal
    np.add.at(gradients, (kind, i), residual)
    np.subtract.at(gradients, (kind, j), residual)
    n_deals = weights.sum()
    spread = gradients.T @ (weights[:, None] * gradients) * (n_deals / max(1.0, n_deals - 1)) + np.eye(n) / 4
    centre = np.eye(n) - 1 / n
    inverse = centre @ np.linalg.inv(curvature)
    return Ratings(ELO * (centre @ r), ELO * ELO * (inverse @ spread @ inverse.T))


def openskill(n: int, games: Iterable[GameResult]) -> list[tuple[float, float]]:
    """Return (mu, sigma) of each entrant after these games in order, by the Plackett-Luce model of openskill.

    Entrants begin with (25, 25/3). Where one has several seats of a game, his best place counts.
    Errors: BastideError without the extra "openskill".
    """
    try:
        model = import_module("openskill.models").PlackettLuce()
    except ImportError as error:
        raise BastideError("it needs the extra 'openskill': pip install 'bastide[openskill]'") from error
    ratings = [model.rating() for _ in range(n)]
    for game in games:
        best: dict[int, int] = {}
        for entrant, place in zip(game.lineup, places(game), strict=True):
            best[entrant] = min(place, best.get(entrant, place))
        rated = model.rate([[ratings[entrant]] for entrant in best], ranks=[float(place) for place in best.values()])
        for entrant, (rating,) in zip(best, rated, strict=True):
            ratings[entrant] = rating
    return [(rating.mu, rating.sigma) for rating in ratings]


def _comparisons(deal: Iterable[GameResult]) -> tuple[Comparison, ...]:
    """Return who beat whom how often in the games of a deal."""
    won: Counter[tuple[int, int]] = Counter()  # in halves
    n_games: Counter[tuple[int, int]] = Counter()
    for game in deal:
        seats = sorted(zip(game.lineup, places(game), strict=True))
        for (one, place), (other, other_place) in combinations(seats, 2):
            if one != other:
                won[one, other] += 1 + (place < other_place) - (place > other_place)
                n_games[one, other] += 1
    return tuple((i, j, won[i, j] / 2, count) for (i, j), count in sorted(n_games.items()))


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))
