"""Read what plots are made of: result files (one row a game), summaries of `simulate --json`, records, ratings."""

import csv
import io
import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide.errors import BastideError, RecordError, reason, show
from bastide.game import Game
from bastide.record import Record

__all__ = ["Rating", "Scores", "Sources", "placements", "ratings", "scores", "sources", "title"]

MAX_BYTES = 1 << 31  # of a result file, which is read into memory

Scores = NDArray[np.int64]  # a row a game, a column a seat
Sources = Mapping[str, float]  # source -> mean points of all players together in a game


@dataclass(frozen=True, slots=True)
class Rating:
    """Hold a rating with the bounds of its interval."""

    name: str
    rating: float
    low: float
    high: float

    def __post_init__(self) -> None:
        numbers = (self.rating, self.low, self.high)
        if not all(type(n) in (int, float) and math.isfinite(n) for n in numbers):
            raise BastideError(f"rating of {show(self.name)}: {show(numbers)} (expected three finite numbers)")
        if not self.low <= self.rating <= self.high:
            raise BastideError(f"rating of {show(self.name)}: {self.rating} is not between {self.low} and {self.high}")


def title(path: str) -> str:
    """Return what a file is called in a plot."""
    return os.path.splitext(os.path.basename(path))[0]


def scores(path: str) -> Scores:
    """Return the final scores of the games of a result file (.csv, .ndjson, .jsonl, .parquet) or a record (.json).

    Errors: BastideError that names the file and the row.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending == ".parquet":
        return _from_parquet(path)
    if ending == ".json":
        return np.array([Record.load(path).scores], np.int64)
    text = _read(path)
    if ending == ".csv":
        rows: Iterable[Mapping[str, Any]] = csv.DictReader(io.StringIO(text))
    elif ending in (".ndjson", ".jsonl"):
        rows = (_object(path, i, line) for i, line in enumerate(text.splitlines(), 1))
    else:
        raise BastideError(
            f"{path}: unknown ending {ending!r} (expected .csv, .ndjson, .parquet, or .json of a record)"
        )
    return _columns(path, rows)


def _columns(path: str, rows: Iterable[Mapping[str, Any]]) -> Scores:
    found: list[list[int]] = []
    names: list[str] = []
    try:
        for row in rows:
            names = names or _seats(path, list(row))
            numbers = [int(row[name]) for name in names]
            if max(map(abs, numbers)) >> 31:
                raise ValueError
            found.append(numbers)
    except csv.Error as error:
        raise BastideError(f"{path}: row {len(found) + 1}: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, BastideError):
            raise
        where = f"{path}: row {len(found) + 1}"
        raise BastideError(f"{where}: {', '.join(names)} are not all whole numbers below 2**31") from None
    if not found:
        raise BastideError(f"{path}: there are no games in it")
    return np.array(found, np.int64)


def _seats(path: str, names: Sequence[str]) -> list[str]:
    seats = [name for name in names if isinstance(name, str) and name.startswith("score_")]
    if not seats or seats != [f"score_{i}" for i in range(len(seats))]:
        raise BastideError(f"{path}: no columns score_0, score_1, ... as `simulate --out` writes them")
    return seats


def _from_parquet(path: str) -> Scores:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise BastideError(f"{path}: Parquet needs pyarrow: pip install 'bastide[parquet]'") from None
    try:
        names = pq.read_schema(path).names
        table = pq.read_table(path, columns=_seats(path, names))
    except BastideError:
        raise
    except Exception as error:  # pyarrow has errors of many kinds
        raise BastideError(f"{path}: cannot be read: {' '.join(str(error).split())[:200]}") from error
    if not table.num_rows:
        raise BastideError(f"{path}: there are no games in it")
    return np.column_stack([column.to_numpy() for column in table.columns]).astype(np.int64)


def sources(path: str) -> Sources:
    """Return mean points a game by source, of a summary (`simulate --json`) or a record.

    Errors: BastideError, RecordError.
    """
    document = _document(path)
    if document.get("format") == "bastide-simulation":
        means = document.get("mean_points")
        try:
            return {str(source): float(sum(values)) for source, values in means.items()}  # type: ignore[union-attr]
        except (AttributeError, TypeError, ValueError):
            raise BastideError(f"{path}: mean_points is {show(means)} (expected points by source and seat)") from None
    points: Counter[str] = Counter()
    for state in Record.load(path).states():
        for event in state.score_events:
            points[event.source] += event.points
    return dict(points)


def placements(paths: Sequence[str], game: Game | None = None) -> Counter[tuple[int, int]]:
    """Return how many tiles were placed at each cell in the games of records. Errors: RecordError."""
    cells: Counter[tuple[int, int]] = Counter()
    for path in paths:
        state = Record.load(path, game).replay(game)
        cells.update((placed.x, placed.y) for placed in state.board)
    return cells


def ratings(path: str) -> list[Rating]:
    """Return the ratings of a JSON file: a list, or an object with a list `ratings`, of objects.

    Each has name, rating, and low and high, or interval (a pair), or error (half the interval). What
    `bastide tournament report --json` prints is read as well.
    Errors: BastideError that names the file and the entry.
    """
    document = _parsed(path)
    entries = document.get("ratings", document.get("entrants")) if isinstance(document, dict) else document
    if not isinstance(entries, list) or not entries:
        raise BastideError(f"{path}: no list of ratings (expected [{{name, rating, low, high}}, ...])")
    found = []
    for i, entry in enumerate(entries):
        try:
            rating = entry["rating"] if "rating" in entry else entry["elo"]
            if "interval" in entry:
                low, high = entry["interval"]
            elif "error" in entry:
                low, high = rating - entry["error"], rating + entry["error"]
            else:
                low, high = entry["low"], entry["high"]
            found.append(Rating(str(entry["name"]), rating, low, high))
        except (BastideError, KeyError, TypeError, ValueError) as error:
            why = error if isinstance(error, BastideError) else f"{show(entry)} (expected name, rating, low and high)"
            raise BastideError(f"{path}: ratings[{i}]: {why}") from None
    return found


def _read(path: str) -> str:
    try:
        if os.path.getsize(path) > MAX_BYTES:
            raise BastideError(f"{path}: it is longer than {MAX_BYTES} bytes")
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except BastideError:
        raise
    except (OSError, ValueError) as error:
        raise BastideError(f"{path}: cannot be read: {reason(error)}") from error


def _object(path: str, row: int, line: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BastideError(f"{path}: row {row}: {show(line)} is no JSON object")
    return value


def _parsed(path: str) -> Any:
    try:
        return json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, BastideError):
            raise
        raise BastideError(f"{path}: not JSON: {error}") from None


def _document(path: str) -> dict[str, Any]:
    document = _parsed(path)
    if not isinstance(document, dict):
        raise RecordError(f"{path}: neither a game record nor the output of `simulate --json`")
    return document
