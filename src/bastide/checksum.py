"""The checksum of results: two runs that played the same games have the same one, whatever their order.

For one game let the words be its number, the count of players, then the score of each seat, all modulo 2**64:

    h = mix(number + G)
    h = mix((h ^ word) + G)     for the count of players and each score in turn

    mix(z): z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31
    G = 0x9E3779B97F4A7C15

with unsigned 64-bit arithmetic (`mix` is the end of splitmix64). The checksum of games is the sum of their h
modulo 2**64, so parts of a run add up in any order: (a + b) % 2**64.
"""

import numpy as np
from numpy.typing import NDArray

from bastide.errors import BastideError, show

__all__ = ["checksum"]

_G = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)


def checksum(scores: NDArray[np.integer], start: int = 0) -> int:
    """Return the checksum of games `start`, `start` + 1, ... with these scores.

    scores: integers (n, players), row i of game `start` + i.
    Errors: BastideError for another shape or type. Cost: about 50 ns a game.

    >>> checksum(np.array([[10, 20], [30, 40]])) == (
    ...     checksum(np.array([[10, 20]])) + checksum(np.array([[30, 40]]), 1)
    ... ) % 2**64
    True
    """
    if not isinstance(scores, np.ndarray):
        raise BastideError(f"scores must be an array of integers (n, players), got {show(scores)}")
    if scores.ndim != 2 or not np.issubdtype(scores.dtype, np.integer):
        raise BastideError(f"scores must be integers (n, players), got {scores.dtype} {scores.shape}")
    if type(start) is not int or not 0 <= start < 1 << 64:
        raise BastideError(f"start must be an integer of 0 .. 2**64 - 1, got {show(start)}")
    n, n_players = scores.shape
    words = scores.astype(np.int64).astype(np.uint64)  # a negative score as its two's complement
    h = _mixed(np.arange(n, dtype=np.uint64) + np.uint64(start))
    h = _mixed(h ^ np.uint64(n_players))
    for seat in range(n_players):
        h = _mixed(h ^ words[:, seat])
    return int(h.sum(dtype=np.uint64))


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return mix(z + G) of each number; sums and products wrap around."""
    z = z + _G
    z = (z ^ z >> np.uint64(30)) * _M1
    z = (z ^ z >> np.uint64(27)) * _M2
    return z ^ z >> np.uint64(31)
