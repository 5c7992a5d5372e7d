"""Many games at once: playouts over threads into NumPy arrays.

Game i of a run is a function of (seed, start + i) alone, never of the number of threads or of how the run is cut.
"""

import operator
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bastide._core import api, bulk
from bastide.errors import BastideError, show

if TYPE_CHECKING:
    import numpy as np

    from bastide.game import Game, State

POLICIES = ("uniform",)
FEW = 256  # games that are not worth a second thread
MOST = 1 << 31  # games in one call


@dataclass(frozen=True, slots=True)
class Stats:
    """What `playouts(stats=True)` tells besides the scores."""

    scores: "np.ndarray[Any, Any]"  # int32 (n, players): final scores
    turns: "np.ndarray[Any, Any]"  # int32 (n,): turns, of the whole game
    discards: "np.ndarray[Any, Any]"  # int32 (n,): tiles that fitted nowhere, of the whole game
    points: "np.ndarray[Any, Any]"  # int64 (players, sources): points of all games by `SOURCES`, in the playouts
    counts: "np.ndarray[Any, Any]"  # int64 (COUNTS,): captures, and what was built, of all games, in the playouts


SOURCES: tuple[str, ...] = api.SOURCES
COUNTS: tuple[str, ...] = bulk.COUNTS


def playouts(
    game: "Game",
    state: "State | None",
    n: int,
    seed: int,
    start: int,
    threads: int | None,
    policy: str,
    stats: bool,
) -> "np.ndarray[Any, Any] | Stats":
    """Play new games, or a position, `n` times to the end, without the GIL.

    Returns the final scores, int32 (n, players), row i a function of (seed, start + i) alone; with `stats` a `Stats`.
    `threads`: None = as many as the machine has. Policy "uniform": in every player phase uniform over what
    `legal_actions()` lists, draws by `draws()`.

    Errors: BastideError for a number out of range, an unknown policy.
    """
    import numpy as np

    n = whole("n", n, 0, MOST)
    seed = whole("seed", seed, 0, (1 << 64) - 1)
    start = whole("start", start, 0, (1 << 64) - 1 - n)
    if policy not in POLICIES:
        raise BastideError(f"policy must be one of {', '.join(POLICIES)}, got {show(policy)}")
    workers = whole("threads", threads, 1, 1024) if threads is not None else os.cpu_count() or 1
    players = game.rules.players
    scores = np.empty((n, players), np.int32)
    turns = np.empty(n, np.int32) if stats else None
    discards = np.empty(n, np.int32) if stats else None

    def play(first: int, last: int) -> Any:
        sums = np.zeros((players, len(SOURCES)), np.int64) if stats else None
        counts = np.zeros(len(COUNTS), np.int64) if stats else None
        rows = slice(first, last)
        bulk.play_range(
            game,
            state,
            seed,
            start + first,
            scores[rows],
            None if turns is None else turns[rows],
            None if discards is None else discards[rows],
            sums,
            counts,
        )
        return sums, counts

    workers = max(1, min(workers, n // FEW))
    cuts = [n * i // workers for i in range(workers + 1)]
    if workers == 1:
        parts = [play(0, n)]
    else:
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(play, cuts, cuts[1:]))
    if turns is None or discards is None:
        return scores
    sums, counts = (np.sum(part, axis=0) for part in zip(*parts, strict=True))
    return Stats(scores, turns, discards, sums, counts)


def whole(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number in its range, or say what is wrong with it."""
    try:
        number = least - 1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise BastideError(f"{name} must be an integer of {least} .. {most}, got {show(value)}")
    return number
