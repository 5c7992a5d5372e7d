"""Curves on a tile: points, paths of lines and cubics, and what lies inside them or near them.

A point is a complex number x + iy; a tile is 100 x 100, x to the east and y to the south, as on the board. A path is
a list of pieces: its first point, then one point for a line or three for a cubic.
"""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CELL",
    "CELLS",
    "CENTRE",
    "Mask",
    "Path",
    "Points",
    "areas",
    "cubic",
    "distances",
    "is_inside",
    "length",
    "outline",
    "path_text",
    "room",
    "sampled",
    "turn",
]

Path = list[tuple[complex, ...]]
Points = NDArray[np.complex128]
Mask = NDArray[np.bool_]

CENTRE = 50 + 50j
CELL = 2.5  # width of a cell of the grid on which areas are measured
_SIDE = np.arange(CELL / 2, 100, CELL)
CELLS: Points = (_SIDE[None, :] + 1j * _SIDE[:, None]).astype(np.complex128)  # their centres, a row for each y
_STEPS = np.linspace(0, 1, 17)[1:]
_WEIGHTS = np.stack(
    [(1 - _STEPS) ** 3, 3 * (1 - _STEPS) ** 2 * _STEPS, 3 * (1 - _STEPS) * _STEPS**2, _STEPS**3], axis=1
)


def turn(point: complex, quarter_turns: int) -> complex:
    """Return a point after quarter turns clockwise of the tile.

    >>> turn(50 + 0j, 1)
    (100+50j)
    """
    return (point - CENTRE) * 1j ** (quarter_turns % 4) + CENTRE


def cubic(start: complex, *pieces: tuple[complex, complex, complex]) -> Path:
    """Return a path of cubics."""
    return [(start,), *pieces]


def sampled(path: Path) -> Points:
    """Return points along a path, sixteen for each cubic, the first and the last point among them."""
    points = [np.array(path[0])]
    at = path[0][0]
    for piece in path[1:]:
        points.append(np.array(piece) if len(piece) == 1 else _WEIGHTS @ np.array([at, *piece]))
        at = piece[-1]
    return np.concatenate(points).astype(np.complex128)


def length(points: Points) -> float:
    """Return the length of the line through points."""
    return float(np.abs(np.diff(points)).sum())


def is_inside(points: Points, polygon: Points) -> Mask:
    """Tell which points lie inside a polygon (even-odd)."""
    inside = np.zeros(points.shape, bool)
    for start, end in zip(polygon, np.roll(polygon, -1), strict=True):
        if start.imag != end.imag:
            is_beside = (start.imag > points.imag) != (end.imag > points.imag)
            slope = (end.real - start.real) / (end.imag - start.imag)
            inside ^= is_beside & (points.real < start.real + slope * (points.imag - start.imag))
    return inside


def distances(points: Points, line: Points) -> NDArray[np.float64]:
    """Return how far each point is from the line through the points of `line`."""
    best = np.full(points.shape, np.inf)
    for start, end in pairwise(line):
        along = end - start
        size = abs(along) ** 2
        t = np.clip(((points - start) * along.conjugate()).real / size, 0, 1) if size else 0
        best = np.minimum(best, np.abs(points - start - t * along))
    return best


def room(mask: Mask) -> NDArray[np.float64]:
    """Return how far each cell of an area is from the nearest one that is not in it, in the order of CELLS[mask]."""
    near = np.zeros_like(mask)
    near[1:] |= mask[:-1]
    near[:-1] |= mask[1:]
    near[:, 1:] |= mask[:, :-1]
    near[:, :-1] |= mask[:, 1:]
    inside, others = CELLS[mask], CELLS[near & ~mask]
    if not len(others):
        return np.full(inside.shape, 100.0)
    return np.asarray(np.abs(inside[:, None] - others[None, :]).min(axis=1))


def areas(mask: Mask) -> list[Mask]:
    """Return the connected parts of an area, the largest first, without specks of a cell or three."""
    n = len(mask)
    left = set(np.flatnonzero(mask).tolist())
    parts = []
    while left:
        found = [left.pop()]
        for cell in found:
            column = cell % n
            for other in (cell - n, cell + n, cell - 1 if column else -1, cell + 1 if column < n - 1 else -1):
                if other in left:
                    left.remove(other)
                    found.append(other)
        if len(found) > 3:
            part = np.zeros(mask.size, bool)
            part[found] = True
            parts.append(part.reshape(mask.shape))
    return sorted(parts, key=lambda part: (-int(part.sum()), int(part.argmax())))


def outline(mask: Mask) -> list[Path]:
    """Return the borders of an area of cells as closed paths of lines, with few corners."""
    padded = np.pad(mask, 1)
    is_border = mask & ~(padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:])
    follow: dict[complex, list[complex]] = {}
    for row, column in np.argwhere(is_border).tolist():
        corner = complex(column, row)
        for beside, start, end in (
            (padded[row, column + 1], corner, corner + 1),
            (padded[row + 1, column + 2], corner + 1, corner + 1 + 1j),
            (padded[row + 2, column + 1], corner + 1 + 1j, corner + 1j),
            (padded[row + 1, column], corner + 1j, corner),
        ):
            if not beside:
                follow.setdefault(start, []).append(end)
    paths: list[Path] = []
    while follow:
        first = at = next(iter(follow))
        border = [first]
        while True:
            ends = follow[at]
            before, at = at, ends.pop()
            if not ends:
                del follow[before]
            if at == first:
                break
            border.append(at)
        paths.append([(point * CELL,) for point in _simplified(border)])
    return paths


def _simplified(border: list[complex]) -> list[complex]:
    """Return a closed border without the steps that a grid gives to a slanted line."""
    far = max(range(len(border)), key=lambda i: abs(border[i] - border[0]))
    return [*_thinned(border[: far + 1])[:-1], *_thinned([*border[far:], border[0]])[:-1]]


def _thinned(line: list[complex]) -> list[complex]:
    """Return a line with fewer points, none of the others farther than one cell from it."""
    away = distances(np.array(line), np.array([line[0], line[-1]]))
    i = int(away.argmax())
    if away[i] <= 1 or len(line) < 3:
        return [line[0], line[-1]]
    return [*_thinned(line[: i + 1])[:-1], *_thinned(line[i:])]


def path_text(path: Path, quarter_turns: int = 0, closed: bool = False) -> str:
    """Return a path, turned, in the notation of SVG.

    >>> path_text([(0j,), (10j,), (1 + 1j, 2 + 2j, 3 + 3.25j)])
    'M0 0L0 10C1 1 2 2 3 3.2'
    """
    text = []
    for i, piece in enumerate(path):
        letter = "M" if i == 0 else "L" if len(piece) == 1 else "C"
        text.append(letter + _numbers(turn(point, quarter_turns) for point in piece))
    return "".join(text) + "Z" * closed


def _numbers(points: Iterable[complex]) -> str:
    return " ".join(f"{round(part, 1):g}" for point in points for part in (point.real, point.imag))
