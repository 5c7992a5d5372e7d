"""Write a long run as shards, files of consecutive games, so that a kill loses little and doubles nothing.

The rows of `games.csv` are collected in the folder `games.csv.parts`, which holds

- `run.json`: which run this is; every process that works on it must agree,
- `FIRST-LAST.csv`: the rows of games FIRST .. LAST (`.arrow` for Parquet),
- `FIRST-LAST.json`: their sums (see `tally`); a shard without this file is not done.

Every file is written under a temporary name, flushed to the disk and renamed. Shards may be cut anywhere: what is
missing is found from their names, whoever wrote them, and played with any other cut. Files of one major version
stay readable.
"""

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from glob import escape, glob
from itertools import pairwise
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from bastide.errors import BastideError, RecordError, reason
from bastide.resultfile import Writer, ending_of, join, part_ending, writer
from bastide.tally import Tally
from bastide.wholefile import temporary_name, whole_file

if TYPE_CHECKING:
    from bastide.bulk import Stats
    from bastide.game import Game

__all__ = ["Shard", "ShardFolder", "WriteError", "gaps", "join_into"]

FORMAT = "bastide-shards"
VERSION = 1
SHARD_SECONDS = 5.0  # what a kill loses at most, when games come evenly
SHARD_GAMES = 1 << 20
_NAME = re.compile(r"(\d{20})-(\d{20})\.json")


class WriteError(BastideError):
    """Raised when a file cannot be written in the middle of a run; what was written before is kept."""


class Shard(NamedTuple):
    """The games first .. last, and where their rows and sums are."""

    first: int
    last: int
    rows: str
    sums: str


class ShardFolder:
    """Collect the rows of a run in shards; a context, which writes what is open when it ends.

    `run` says which run it is, in plain JSON values; `shared`: others may be at work on it too. `out` itself is
    not touched before `join`.
    Errors: BastideError if the folder is of another run, if it is there and `resume` and `shared` are false, or
    if it cannot be made.
    """

    def __init__(self, out: str, run: Mapping[str, Any], resume: bool, shared: bool = False) -> None:
        self.out = out
        self.ending = ending_of(out)
        self.path = f"{out}.parts"
        self._is_shared = shared
        self.run = {"format": FORMAT, "version": VERSION, **run}
        self._open: _OpenShard | None = None
        if os.path.isdir(out):
            raise BastideError(f"{out}: cannot be written: it is a directory")
        if os.path.isdir(self.path):
            if not (resume or shared):
                raise BastideError(f"{self.path} holds an unfinished run: go on with --resume, or remove it")
            self._check_run()
        try:
            for gone in glob(f"{escape(self.path)}.*.tmp"):  # a kill came in the middle of `remove`
                shutil.rmtree(gone, ignore_errors=True)
            with suppress(FileExistsError):  # made by another process just now
                os.mkdir(self.path)
            _write(os.path.join(self.path, "run.json"), json.dumps(self.run, indent=1).encode())
        except (OSError, ValueError) as error:
            raise BastideError(f"{out}: cannot be written: {reason(error)}") from error

    def _check_run(self) -> None:
        found = read_run(self.path)
        if found is None:
            if self.shards():
                raise BastideError(f"{self.path}: there is no run.json in it, so it is not known which run it is of")
            return
        for key in self.run.keys() | found.keys():
            if key != "package" and found.get(key) != self.run.get(key):
                raise BastideError(
                    f"{self.path}: {key} is {json.dumps(found.get(key))} there and {json.dumps(self.run.get(key))} here"
                )

    def shards(self) -> list[Shard]:
        """Return the shards that are done. Errors: RecordError where two have the same games."""
        return read_shards(self.path, self.ending)

    def add(self, game: "Game", seed: int, first: int, stats: "Stats", tally: Tally) -> None:
        """Write the rows of games `first`, ... and their sums. Errors: WriteError."""
        now = self._open
        if now is not None and (now.first + now.tally.games != first or now.is_full()):
            self.flush()
        if self._open is None:
            self._open = self._written(lambda: _OpenShard(self.path, self.ending, game, seed, first))
        shard = self._open
        self._written(lambda: shard.add(first, stats, tally))

    def flush(self) -> None:
        """Finish the open shard. Errors: WriteError."""
        if self._open is not None:
            self._written(self._open.finish)
            self._open = None

    def join(self) -> None:
        """Write the rows of all shards to `out`, in order. Errors: WriteError, RecordError."""
        paths = [shard.rows for shard in self.shards()]
        temporary = temporary_name(os.path.join(self.path, "joined"))
        self._written(lambda: join_into(self.out, paths, self.ending, temporary))

    def remove(self) -> None:
        """Remove the folder, once all is in `out`: at once under its name, so that no half of it is taken up."""
        gone = temporary_name(self.path)
        with suppress(OSError):
            os.rename(self.path, gone)
        shutil.rmtree(gone, ignore_errors=True)

    def _written(self, write: Callable[[], Any]) -> Any:
        try:
            return write()
        except OSError as error:
            if self._open is not None:
                self._open.drop()
                self._open = None
            why = f"{self.path}: cannot be written: {reason(error)}"
            raise WriteError(f"{why}; what is done is kept, --resume goes on from there") from error

    def __enter__(self) -> "ShardFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open is None or self._open.is_whole:
            self.flush()
        else:  # stopped in the middle of a row
            self._open.drop()
        if kind is not None and not self._is_shared and os.path.isdir(self.path) and not self.shards():
            self.remove()


class _OpenShard:
    """A shard that is being written."""

    def __init__(self, folder: str, ending: str, game: "Game", seed: int, first: int) -> None:
        self.first = first
        self.tally = Tally(game.rules.players)
        self.is_whole = True  # rows and sums are of the same games
        self._folder, self._ending = folder, ending
        self._temporary = temporary_name(os.path.join(folder, f"{first:020}"))
        self._stream: BinaryIO = open(self._temporary, "wb")  # noqa: SIM115
        self._writer: Writer = writer(self._stream, ending, game, seed)
        self._began = time.monotonic()

    def is_full(self) -> bool:
        return self.tally.games >= SHARD_GAMES or time.monotonic() - self._began >= SHARD_SECONDS

    def add(self, first: int, stats: "Stats", tally: Tally) -> None:
        self.is_whole = False
        self._writer.add(first, stats)
        self.tally.merge(tally)
        self.is_whole = True

    def finish(self) -> None:
        self._writer.close()
        name = os.path.join(self._folder, f"{self.first:020}-{self.first + self.tally.games - 1:020}")
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()
        os.replace(self._temporary, name + part_ending(self._ending))
        _write(f"{name}.json", json.dumps(self.tally.sums()).encode())

    def drop(self) -> None:
        with suppress(OSError):
            self._stream.close()
        with suppress(OSError):
            os.unlink(self._temporary)


def read_run(path: str) -> dict[str, Any] | None:
    """Return which run a folder of shards is of, None if it does not say. Errors: RecordError."""
    file = os.path.join(path, "run.json")
    try:
        with open(file, encoding="utf-8") as stream:
            run = json.load(stream)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise RecordError(f"{file}: cannot be read: {reason(error)}") from error
    if not isinstance(run, dict) or (run.get("format"), run.get("version")) != (FORMAT, VERSION):
        raise RecordError(f"{file}: not a run of this version (expected format {FORMAT!r}, version {VERSION})")
    return run


def read_shards(path: str, ending: str) -> list[Shard]:
    """Return the finished shards of a folder in order. Errors: RecordError where two have the same games."""
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {reason(error)}") from error
    found = []
    for name in names:
        match = _NAME.fullmatch(name)
        rows = os.path.join(path, name.removesuffix(".json") + part_ending(ending))
        if match and os.path.exists(rows):
            found.append(Shard(int(match[1]), int(match[2]), rows, os.path.join(path, name)))
    check_apart(found)
    return found


def check_apart(shards: Sequence[Shard]) -> None:
    """Raise RecordError if two of these shards, which are in order, have the same games."""
    for before, after in pairwise(shards):
        if after.first <= before.last:
            raise RecordError(f"{before.rows} and {after.rows} have the same games: one must go")


def read_sums(shard: Shard) -> Tally:
    """Return the sums of a shard. Errors: RecordError."""
    try:
        with open(shard.sums, encoding="utf-8") as stream:
            tally = Tally.from_sums(json.load(stream), shard.sums)
    except (OSError, ValueError) as error:
        raise RecordError(f"{shard.sums}: cannot be read: {reason(error)}") from error
    if tally.games != shard.last - shard.first + 1:
        raise RecordError(f"{shard.sums}: games is {tally.games} (expected {shard.last - shard.first + 1})")
    return tally


def gaps(shards: Sequence[Shard], first: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (first, count) of each range of first .. end - 1 that no shard has.

    >>> list(gaps([Shard(3, 4, "", ""), Shard(8, 9, "", "")], 0, 12))
    [(0, 3), (5, 3), (10, 2)]
    """
    for shard in shards:
        if shard.last < first:
            continue
        if min(shard.first, end) > first:
            yield first, min(shard.first, end) - first
        first = max(first, shard.last + 1)
    if first < end:
        yield first, end - first


def join_into(out: str, paths: Sequence[str], ending: str, temporary: str | None = None) -> None:
    """Write the rows of these parts into one file. Errors: OSError, RecordError."""
    with whole_file(out, temporary) as stream:
        join(paths, stream, ending)


def _write(path: str, data: bytes) -> None:
    with whole_file(path) as stream:
        stream.write(data)
