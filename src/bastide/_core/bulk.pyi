"""The door to many games at once. What the functions promise stands in cy/bastide/_core/bulk.pyx."""

import numpy as np
import numpy.typing as npt

from bastide._core.api import State, Tables

COUNTS: tuple[str, ...]

def play_range(
    game: Tables,
    start: State | None,
    seed: int,
    first: int,
    scores: npt.NDArray[np.int32],
    turns: npt.NDArray[np.int32] | None,
    discards: npt.NDArray[np.int32] | None,
    sums: npt.NDArray[np.int64] | None,
    counts: npt.NDArray[np.int64] | None,
) -> None: ...
def perft(state: State, depth: int, order: list[int]) -> int: ...
