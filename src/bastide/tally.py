"""Add many games up in sums that can themselves be added: the statistics of `bastide simulate`.

A `Tally` holds whole numbers only, so that parts of a run, played in any order by any number of threads or
machines, add up to exactly what one thread would have found.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from bastide.bulk import COUNTS, SOURCES, Stats
from bastide.checksum import checksum
from bastide.errors import RecordError, show
from bastide.rules import MAX_PLAYERS

__all__ = ["Tally", "wilson_interval"]

WIN = 60  # a game won, in parts that k = 1 .. 6 winners can share
BLOCK = 1 << 13  # games that are added at once: few enough for the processor's cache


class Tally:
    """Add games up.

    >>> from bastide.game import Game
    >>> tally = Tally(2)
    >>> tally.add(0, Game().playouts(100, seed=7, stats=True))
    >>> tally.games
    100
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.games = 0
        self.checksum = 0  # see `checksum`
        self.turns = 0
        self.discards = 0
        self.points = [[0] * len(SOURCES) for _ in range(players)]
        self.counts = [0] * len(COUNTS)
        self.scores = [0] * players
        self.squares = [0] * players  # sums of squared scores
        self.wins = [0] * players  # in parts of WIN

    def add(self, first: int, stats: Stats) -> None:
        """Add games `first`, `first` + 1, ..."""
        n = len(stats.scores)
        for at in range(0, n, BLOCK):
            self._add_scores(first + at, stats.scores[at : at + BLOCK])
        self.games += n
        self.turns += int(stats.turns.sum(dtype=np.int64))
        self.discards += int(stats.discards.sum(dtype=np.int64))
        self.points = (np.array(self.points, object) + stats.points.tolist()).tolist()
        self.counts = (np.array(self.counts, object) + stats.counts.tolist()).tolist()

    def _add_scores(self, first: int, scores: "np.ndarray[Any, Any]") -> None:
        seats = np.array(scores.T, np.int64, order="C")  # a row a seat, so that all below runs along memory
        is_best = seats == seats.max(axis=0)
        n_best = is_best.sum(axis=0, dtype=np.int8)
        self.checksum = (self.checksum + checksum(scores, first)) % (1 << 64)
        for seat, row in enumerate(seats):
            self.scores[seat] += int(row.sum())
            self.squares[seat] += int((row * row).sum())
            n_sharing = np.bincount(n_best[is_best[seat]], minlength=self.players + 1).tolist()
            self.wins[seat] += sum(WIN // k * n_sharing[k] for k in range(1, self.players + 1))

    def merge(self, other: "Tally") -> None:
        """Add the games of another tally."""
        mine = self.sums()
        for key, value in other.sums().items():
            mine[key] = (np.array(mine[key], object) + value).tolist() if isinstance(value, list) else mine[key] + value
        self._load(mine)
        self.checksum %= 1 << 64

    def sums(self) -> dict[str, Any]:
        """Return all there is, as plain JSON values: whole numbers and lists of them."""
        return {key: value for key, value in vars(self).items() if key != "players"}

    @staticmethod
    def from_sums(sums: Mapping[str, Any], source: str) -> "Tally":
        """Return the tally that `sums` was called on. Errors: RecordError that names `source`."""
        scores = sums.get("scores") if isinstance(sums, Mapping) else None
        if not isinstance(scores, list) or not 1 <= len(scores) <= MAX_PLAYERS:
            raise RecordError(f"{source}: these are no sums of games: {show(sums)}")
        tally = Tally(len(scores))
        for key, value in tally.sums().items():
            found = sums.get(key)
            try:
                shapes = np.array(found, object).shape, np.array(value, object).shape
                is_right = shapes[0] == shapes[1] and all(type(n) is int for n in np.ravel(np.array(found, object)))
            except ValueError:
                is_right = False
            if not is_right:
                raise RecordError(f"{source}: {key} is {show(found)} (expected whole numbers, {show(value)} in form)")
        tally._load(sums)
        spreads = zip(tally.scores, tally.squares, strict=True)
        if min(tally.games, tally.turns, tally.discards, *tally.counts, *tally.wins) < 0 or any(
            tally.games * squares < total * total for total, squares in spreads
        ):
            raise RecordError(f"{source}: no games have these sums: {show(sums)}")
        return tally

    def _load(self, sums: Mapping[str, Any]) -> None:
        vars(self).update({key: sums[key] for key in self.sums()})

    def summary(self) -> dict[str, Any]:
        """Return the statistics as plain JSON values, lists with one entry a seat; None where there are none.

        A game with k winners counts 1/k for each. The interval of the first seat's share is Wilson's of 95
        percent, a little too wide where games are drawn.
        """
        n = self.games
        shares = [self._mean(wins / WIN) for wins in self.wins]
        return {
            "games": n,
            "mean_scores": [self._mean(total) for total in self.scores],
            "score_errors": [self._error(*sums) for sums in zip(self.scores, self.squares, strict=True)],
            "win_shares": shares,
            "first_seat_share": shares[0],
            "first_seat_interval": None if shares[0] is None else list(wilson_interval(shares[0], n)),
            "mean_turns": self._mean(self.turns),
            "mean_discards": self._mean(self.discards),
            "mean_points": {source: [self._mean(row[i]) for row in self.points] for i, source in enumerate(SOURCES)},
            "mean_counts": {name: self._mean(count) for name, count in zip(COUNTS, self.counts, strict=True)},
            "checksum": self.checksum,
            "sums": self.sums(),
        }

    def _mean(self, total: float) -> float | None:
        return total / self.games if self.games else None

    def _error(self, total: int, squares: int) -> float | None:
        """Return the standard error of a mean, None for fewer than two games."""
        n = self.games
        return math.sqrt((n * squares - total * total) / (n * n * (n - 1))) if n > 1 else None


def wilson_interval(share: float, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's interval for a share of `n` trials; z = 1.96 is 95 percent.

    >>> [round(bound, 3) for bound in wilson_interval(0.5, 100)]
    [0.404, 0.596]
    """
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
