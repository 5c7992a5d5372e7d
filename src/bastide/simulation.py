"""Play many games and add them up: what `bastide simulate` does, for programs.

Games come in chunks of `Stats` (see `bulk`), from uniform playouts in the core or from agents; a `Tally` adds
chunks up exactly, so that a result depends on the games alone, not on how they were cut or how many threads
played them. Files with one row a game are in `resultfile`.
"""

import math
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from bastide._core.api import Rng
from bastide.agents import agent, play_steps
from bastide.bulk import SOURCES, Stats
from bastide.checksum import checksum
from bastide.game import Game
from bastide.record import Recorder

__all__ = ["Tally", "agent_games", "uniform_games", "wilson_interval"]

Chunk = tuple[int, Stats]  # number of its first game, and its games
CHUNK_SECONDS = 0.25  # a chunk ends soon enough for progress and Ctrl-C, and is long enough for the core
MAX_CHUNK = 1 << 18
WIN = 60  # a game won, in parts that k = 1 .. 6 winners can share


def uniform_games(game: Game, n: int, seed: int, start: int = 0, threads: int | None = None) -> Iterator[Chunk]:
    """Play games `start` .. `start + n - 1` of a seed by uniform playouts; yield them in chunks, in order.

    Errors: BastideError for a number out of range.
    """
    size = 512 * (threads or os.cpu_count() or 1)
    first = start
    while first < start + n:
        now = min(size, start + n - first)
        began = time.perf_counter()
        yield first, game.playouts(now, seed=seed, start=first, threads=threads, stats=True)
        first += now
        rate = now / max(time.perf_counter() - began, 1e-6)
        size = max(1, min(int(rate * CHUNK_SECONDS), 4 * size, MAX_CHUNK))


def agent_games(
    game: Game, codes: Sequence[str], n: int, seed: int, start: int = 0, threads: int = 1
) -> Iterator[Chunk]:
    """Let agents play games `start` .. `start + n - 1` of a seed, code i in seat i, and yield them in order.

    Each game has agents of its own and `Rng(seed, number of the game)`. Threads help agents that leave the
    interpreter while they think; the simple ones do not.

    Errors: BastideError for a bad code or another number of codes than seats.
    """
    for code in codes:
        agent(code)

    def play(number: int) -> Stats:
        return _agent_game(game, codes, seed, number)

    numbers = range(start, start + n)
    if threads == 1:
        for number in numbers:
            yield number, play(number)
        return
    with ThreadPoolExecutor(threads) as pool:
        for i in range(0, n, threads):
            batch = numbers[i : i + threads]
            yield from zip(batch, pool.map(play, batch), strict=True)


def _agent_game(game: Game, codes: Sequence[str], seed: int, number: int) -> Stats:
    """Play one game; its points by source are those of the score events."""
    recorder = Recorder(game, codes, seed)
    points = np.zeros((game.rules.players, len(SOURCES)), np.int64)
    for _ in play_steps(recorder, [agent(code) for code in codes], Rng(seed, number)):
        for player, amount, source, *_ in recorder.state._events():
            points[player, SOURCES.index(source)] += amount
    state = recorder.state
    return Stats(
        np.array([state.scores], np.int32),
        np.array([state.turn], np.int32),
        np.array([state.discards], np.int32),
        points,
    )


class Tally:
    """Add games up.

    >>> tally = Tally(Game())
    >>> for chunk in uniform_games(Game(), 100, seed=7):
    ...     tally.add(chunk)
    >>> tally.games
    100
    """

    def __init__(self, game: Game) -> None:
        n = game.rules.players
        self.games = 0
        self.checksum = 0  # see `checksum`
        self.turns = 0
        self.discards = 0
        self.points = np.zeros((n, len(SOURCES)), np.int64)
        self._sums = [0] * n
        self._squares = [0] * n
        self._wins = [0] * n  # in parts of WIN

    def add(self, chunk: Chunk) -> None:
        """Add a chunk of games."""
        first, stats = chunk
        scores = stats.scores.astype(np.int64)
        is_best = scores == scores.max(axis=1, keepdims=True)
        wins = is_best * (WIN // is_best.sum(axis=1, keepdims=True))
        self.games += len(scores)
        self.checksum = (self.checksum + checksum(stats.scores, first)) % (1 << 64)
        self.turns += int(stats.turns.sum(dtype=np.int64))
        self.discards += int(stats.discards.sum(dtype=np.int64))
        self.points += stats.points
        for seat in range(len(self._sums)):
            self._sums[seat] += int(scores[:, seat].sum())
            self._squares[seat] += int((scores[:, seat] ** 2).sum())
            self._wins[seat] += int(wins[:, seat].sum())

    def summary(self) -> dict[str, Any]:
        """Return the statistics as plain JSON values, lists with one entry a seat; None where there are none.

        A game with k winners counts 1/k for each. The interval of the first seat's share is Wilson's of 95
        percent, a little too wide where games are drawn.
        """
        n = self.games
        shares = [self._mean(wins / WIN) for wins in self._wins]
        return {
            "games": n,
            "mean_scores": [self._mean(total) for total in self._sums],
            "score_errors": [self._error(*sums) for sums in zip(self._sums, self._squares, strict=True)],
            "win_shares": shares,
            "first_seat_share": shares[0],
            "first_seat_interval": None if shares[0] is None else list(wilson_interval(shares[0], n)),
            "mean_turns": self._mean(self.turns),
            "mean_discards": self._mean(self.discards),
            "mean_points": {
                source: [self._mean(int(total)) for total in self.points[:, i]] for i, source in enumerate(SOURCES)
            },
            "checksum": self.checksum,
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
