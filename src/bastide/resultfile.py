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
from bastide.errors import BastideError, RecordError
from bastide.rules import RULES_VERSION

if TYPE_CHECKING:
    from bastide.bulk import Stats
    from bastide.game import Game

__all__ = ["ENDINGS", "FORMAT", "Writer", "ending_of", "join", "ndjson_rows", "part_ending", "writer"]

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


def part_ending(ending: str) -> str:
    """Return the ending of the parts of files of this ending, see `writer`."""
    return ".arrow" if ENDINGS[ending] == "parquet" else ending


def writer(stream: BinaryIO, ending: str, game: "Game", seed: int) -> Writer:
    """Return what writes rows of a game into a new part of a file of this ending."""
    if ENDINGS[ending] == "parquet":
        return _ArrowWriter(stream, game, seed)
    return _TextWriter(stream, ENDINGS[ending] == "csv", game, seed)


def join(paths: Sequence[str], out: BinaryIO, ending: str) -> None:
    """Write the rows of the parts of a file of this ending into it, in the order given. Errors: RecordError."""
    if ENDINGS[ending] == "parquet":
        _join_arrow(paths, out)
        return
    for number, path in enumerate(paths):
        with open(path, "rb") as stream:
            if ENDINGS[ending] == "csv" and number:
                stream.readline()
            shutil.copyfileobj(stream, out, 1 << 20)


def _columns(first: int, stats: "Stats") -> dict[str, "np.ndarray[Any, Any]"]:
    """Return the rows of games `first`, `first` + 1, ... as columns, in the order of the file; `_constants` follow."""
    games = np.arange(len(stats.scores), dtype=np.uint64) + np.uint64(first)
    scores = {f"score_{seat}": scores for seat, scores in enumerate(stats.scores.T)}
    return {"game": games, **scores, "turns": stats.turns, "discards": stats.discards}


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
    columns = _columns(first, stats)
    if is_csv:
        before = [b"", *[b","] * (len(columns) - 1)]
        end = "".join(f",{value}" for value in constants.values())
    else:
        before = [f'{", " if i else "{"}"{name}": '.encode() for i, name in enumerate(columns)]
        end = f", {json.dumps(constants)[1:]}"
    for at in range(0, len(stats.scores), BLOCK):
        yield _rows(before, [column[at : at + BLOCK] for column in columns.values()], f"{end}\n".encode())


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


class _ArrowWriter:
    """Write rows as they are in memory, what never changes as one run: they are encoded once only, when joined."""

    def __init__(self, stream: BinaryIO, game: "Game", seed: int) -> None:
        self._stream = stream
        self._constants: dict[str, Any] = {
            name: np.array([value], kind) for name, (value, kind) in _constants(game, seed).items()
        }
        self._file: Any = None

    def add(self, first: int, stats: "Stats") -> None:
        arrow = import_module("pyarrow")
        end = arrow.array([len(stats.scores)], arrow.int32())
        constants = {
            name: arrow.RunEndEncodedArray.from_arrays(end, arrow.array(value))
            for name, value in self._constants.items()
        }
        table = arrow.table({**_columns(first, stats), **constants})
        if self._file is None:
            self._file = import_module("pyarrow.ipc").new_file(self._stream, table.schema)
        self._file.write_table(table)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _join_arrow(paths: Iterable[str], out: BinaryIO) -> None:
    arrow = import_module("pyarrow")
    decoded = import_module("pyarrow.compute").run_end_decode
    file: Any = None
    waiting: list[Any] = []

    def write() -> None:
        nonlocal file
        table = arrow.Table.from_batches(waiting)
        file = file or _new_parquet(out, table.schema)
        file.write_table(table)
        waiting.clear()

    for path in paths:
        with arrow.memory_map(path) as stream:
            try:
                source = import_module("pyarrow.ipc").open_file(stream)
            except arrow.ArrowInvalid as error:
                raise RecordError(f"{path}: not rows of games: {error}") from error
            for batch in map(source.get_batch, range(source.num_record_batches)):
                columns = (decoded(c) if arrow.types.is_run_end_encoded(c.type) else c for c in batch.columns)
                waiting.append(arrow.record_batch(list(columns), names=batch.schema.names))
                if sum(map(len, waiting)) >= ROW_GROUP:
                    write()
    if waiting:
        write()
    if file is not None:
        file.close()


def _new_parquet(stream: BinaryIO, schema: Any) -> Any:
    # Numbers of games ascend, so their differences are all alike; all other columns have few values: dictionaries.
    others = [name for name in schema.names if name != "game"]
    return _parquet().ParquetWriter(
        stream, schema, use_dictionary=others, column_encoding={"game": "DELTA_BINARY_PACKED"}, compression="none"
    )
