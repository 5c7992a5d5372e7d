"""Write results of many games, one row a game: CSV, one JSON object a line, or Parquet.

Each row says what it belongs to, so that files can be cut and put together: seed, fingerprint, versions. Which
files a run is made of, and that none is lost, is the business of `shards`.
"""

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import numpy as np

from bastide._core import api
from bastide.errors import BastideError
from bastide.rules import RULES_VERSION

if TYPE_CHECKING:
    from bastide.bulk import Stats
    from bastide.game import Game

__all__ = ["ENDINGS", "FORMAT", "Writer", "columns", "ending_of", "join", "ndjson_rows", "writer"]

FORMAT = 1
ENDINGS = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson", ".parquet": "parquet"}
ROW_GROUP = 1 << 17  # rows of a Parquet file that are written together, at least
BLOCK = 1 << 12  # rows whose text is made at once: few enough for the processor's cache


class Writer(Protocol):
    """Write the rows of consecutive games into an open file."""

    def add(self, first: int, stats: "Stats") -> None:
        """Write the rows of games `first`, `first` + 1, ..."""

    def close(self) -> None:
        """Write what is still to be written; the file itself stays open."""


def ending_of(path: str) -> str:
    """Return the ending of a result file's name, a key of ENDINGS.

    Errors: BastideError if it is none, or if what it needs is not installed.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS:
        raise BastideError(f"{path}: unknown ending {ending!r} (expected {', '.join(ENDINGS)})")
    if ENDINGS[ending] == "parquet":
        _parquet()
    return ending


def writer(stream: BinaryIO, ending: str, game: "Game", seed: int) -> Writer:
    """Return what writes rows of a game into a new file of this ending."""
    if ENDINGS[ending] == "parquet":
        return _ParquetWriter(stream, game, seed)
    return _TextWriter(stream, ENDINGS[ending] == "csv", game, seed)


def join(paths: Sequence[str], out: BinaryIO, ending: str) -> None:
    """Write the rows of files of one ending into one, in the order given."""
    if ENDINGS[ending] == "parquet" and len(paths) > 1:
        _join_parquet(paths, out)
        return
    for number, path in enumerate(paths):
        with open(path, "rb") as stream:
            if ENDINGS[ending] == "csv" and number:
                stream.readline()
            shutil.copyfileobj(stream, out, 1 << 20)


def columns(game: "Game", seed: int, first: int, stats: "Stats") -> dict[str, "np.ndarray[Any, Any]"]:
    """Return the rows of games `first`, `first` + 1, ... as columns, in the order of the file."""
    n = len(stats.scores)
    found = {"game": np.arange(n, dtype=np.uint64) + np.uint64(first)}
    found |= {f"score_{seat}": scores for seat, scores in enumerate(stats.scores.T)}
    found |= {"turns": stats.turns, "discards": stats.discards}
    return found | {name: np.full(n, value, kind) for name, (value, kind) in _constants(game, seed).items()}


def ndjson_rows(game: "Game", seed: int, first: int, stats: "Stats") -> str:
    """Return the rows of a chunk of games as JSON objects, one a line."""
    return b"".join(_text(game, seed, first, stats, is_csv=False)).decode()


def _constants(game: "Game", seed: int) -> dict[str, tuple[int, type]]:
    return {
        "seed": (seed, np.uint64),
        "fingerprint": (game.fingerprint, np.uint64),
        "format": (FORMAT, np.int32),
        "rules_version": (RULES_VERSION, np.int32),
        "random_version": (api.RANDOM_VERSION_, np.int32),
    }


# -- text


class _TextWriter:
    def __init__(self, stream: BinaryIO, is_csv: bool, game: "Game", seed: int) -> None:
        self._stream, self._is_csv, self._game, self._seed = stream, is_csv, game, seed
        if is_csv:
            scores = [f"score_{seat}" for seat in range(game.rules.players)]
            names = ["game", *scores, "turns", "discards", *_constants(game, seed)]
            stream.write((",".join(names) + "\n").encode())

    def add(self, first: int, stats: "Stats") -> None:
        for block in _text(self._game, self._seed, first, stats, self._is_csv):
            self._stream.write(block)

    def close(self) -> None:
        pass


def _text(game: "Game", seed: int, first: int, stats: "Stats", is_csv: bool) -> Iterable[bytes]:
    """Yield the rows of games as text, in blocks."""
    constants = {name: value for name, (value, _) in _constants(game, seed).items()}
    names = ["game", *(f"score_{seat}" for seat in range(game.rules.players)), "turns", "discards"]
    if is_csv:
        before = [b"", *[b","] * (len(names) - 1)]
        end = "".join(f",{value}" for value in constants.values())
    else:
        before = [f'{", " if i else "{"}"{name}": '.encode() for i, name in enumerate(names)]
        end = f", {json.dumps(constants)[1:]}"
    for at in range(0, len(stats.scores), BLOCK):
        rows = slice(at, at + BLOCK)
        scores = stats.scores[rows]
        games = np.arange(len(scores), dtype=np.uint64) + np.uint64(first + at)
        yield _rows(before, [games, *scores.T, stats.turns[rows], stats.discards[rows]], f"{end}\n".encode())


def _rows(before: Sequence[bytes], numbers: Sequence["np.ndarray[Any, Any]"], end: bytes) -> bytes:
    """Return a text for each row of numbers (none negative), each with its text before it, and then the end.

    Digits are made for all rows at once, in columns as wide as the largest number; zero bytes, which lead the
    smaller ones, are taken out at last.
    """
    width = [len(str(int(column.max()))) for column in numbers]
    n = len(numbers[0])
    text = np.empty((n, sum(map(len, before)) + sum(width) + len(end)), np.uint8)
    at = 0
    for literal, column, digits in zip(before, numbers, width, strict=True):
        text[:, at : at + len(literal)] = np.frombuffer(literal, np.uint8)
        at += len(literal) + digits
        rest: Any = column.astype(np.uint64 if digits > 9 else np.uint32)
        for k in range(digits):
            tens = rest // 10
            digit = (rest - 10 * tens + ord("0")).astype(np.uint8)
            text[:, at - 1 - k] = digit if k == 0 else digit * (rest != 0)
            rest = tens
    text[:, at:] = np.frombuffer(end, np.uint8)
    return text.tobytes().translate(None, b"\0")


# -- Parquet


def _parquet() -> Any:
    try:
        return import_module("pyarrow.parquet")
    except ImportError as error:
        raise BastideError("Parquet needs the extra 'parquet': pip install 'bastide[parquet]'") from error


class _ParquetWriter:
    def __init__(self, stream: BinaryIO, game: "Game", seed: int) -> None:
        self._stream, self._game, self._seed = stream, game, seed
        self._file: Any = None
        self._tables: list[Any] = []

    def add(self, first: int, stats: "Stats") -> None:
        self._tables.append(import_module("pyarrow").table(columns(self._game, self._seed, first, stats)))
        if sum(map(len, self._tables)) >= ROW_GROUP:
            self._write()

    def _write(self) -> None:
        table = import_module("pyarrow").concat_tables(self._tables)
        self._tables = []
        if self._file is None:
            self._file = _new_parquet(self._stream, table.schema)
        self._file.write_table(table)

    def close(self) -> None:
        if self._tables:
            self._write()
        if self._file is not None:
            self._file.close()


def _new_parquet(stream: BinaryIO, schema: Any) -> Any:
    # Numbers of games ascend, so their differences are all alike; all other columns have few values: dictionaries.
    others = [name for name in schema.names if name != "game"]
    return _parquet().ParquetWriter(
        stream, schema, use_dictionary=others, column_encoding={"game": "DELTA_BINARY_PACKED"}, compression="none"
    )


def _join_parquet(paths: Iterable[str], out: BinaryIO) -> None:
    file: Any = None
    for path in paths:
        with _parquet().ParquetFile(path) as source:
            file = file or _new_parquet(out, source.schema_arrow)
            for group in range(source.num_row_groups):
                file.write_table(source.read_row_group(group))
    if file is not None:
        file.close()
