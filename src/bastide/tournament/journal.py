"""The journal of a tournament: a SQLite file with its plan and every finished game.

Games are written in transactions of whole deals, so a kill at any moment leaves a journal that is whole and from
which the tournament goes on. Reading is possible while another process writes. Files of one major version of the
package stay readable.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

import bastide
from bastide._core import api
from bastide.errors import BastideError, RecordError, reason, show
from bastide.rules import RULES_VERSION
from bastide.tournament.match import GameResult
from bastide.tournament.plan import Plan

if TYPE_CHECKING:
    from bastide.tiles import TileSet

__all__ = ["Journal", "JournalError", "identity", "merge"]

FORMAT = "bastide-tournament"
VERSION = 1
MAGIC = 0x42535431  # application_id of the file: "BST1"
SCHEMA = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    lineup TEXT NOT NULL,
    scores TEXT NOT NULL,
    turns INTEGER NOT NULL,
    decisions TEXT NOT NULL,
    seconds TEXT NOT NULL,
    fault_seat INTEGER,
    fault TEXT,
    reason TEXT NOT NULL
);
"""
_COLUMNS = "number, round, lineup, scores, turns, decisions, seconds, fault_seat, fault, reason"


class JournalError(BastideError):
    """Raised when a journal cannot be written in the middle of a run; what was written before is kept."""


class Journal:
    """An open journal; use as a context. Made by `create` and `open`.

    `shard` (i, n): it is for each n-th deal, from the i-th; (1, 1): for all.
    """

    def __init__(self, path: str, connection: sqlite3.Connection, plan: Plan, shard: tuple[int, int]) -> None:
        self.path, self.connection, self.plan, self.shard = path, connection, plan, shard

    @staticmethod
    def create(path: str | os.PathLike[str], plan: Plan, shard: tuple[int, int] = (1, 1)) -> "Journal":
        """Make a new journal. Errors: RecordError if there is a file already, or none can be made."""
        file = os.fsdecode(path)
        if os.path.lexists(file):
            raise RecordError(f"{file} is there already: go on with `tournament resume`, or take another name")
        part = f"{file}.{os.getpid()}.part"
        try:
            with closing(sqlite3.connect(part)) as connection, connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute(f"PRAGMA application_id = {MAGIC}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.executescript(SCHEMA)
                facts = {**identity(), "plan": plan.document(), "shard": shard}
                rows = [(key, json.dumps(value)) for key, value in facts.items()]
                connection.executemany("INSERT INTO run VALUES (?, ?)", rows)
            os.link(part, file)  # fails if somebody was faster
        except (sqlite3.Error, OSError, ValueError) as error:
            raise RecordError(f"{file}: cannot be written: {reason(error)}") from error
        finally:
            for name in (part, f"{part}-wal", f"{part}-shm"):
                if os.path.exists(name):
                    os.unlink(name)
        return Journal.open(file, plan.tiles)

    @staticmethod
    def open(path: str | os.PathLike[str], tiles: "TileSet | None" = None) -> "Journal":
        """Open a journal; `tiles` are the own tiles it was played with.

        Errors: RecordError if it cannot be read, is no journal, or of another version or other tiles.
        """
        file = os.fsdecode(path)
        if not os.path.isfile(file):
            raise RecordError(f"{file}: there is no such file")
        connection = None
        try:
            # Reading, too, writes back the log that a kill left, if it may.
            how = "mode=rw" if os.access(file, os.W_OK) else "mode=ro"
            name = os.path.abspath(file).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            connection = sqlite3.connect(f"file:{name}?{how}", uri=True, timeout=30)
            (magic,), (version,) = (
                connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
            )
            if (magic, version) != (MAGIC, VERSION):
                raise RecordError(f"{file}: not a journal of this version of the package")
            facts = {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM run")}
            for key, expected in identity().items():
                if key != "package" and facts.get(key) != expected:
                    raise RecordError(f"{file}: {key} is {facts.get(key)} (this program has {expected})")
            plan = Plan.from_document(facts.get("plan", {}), tiles, file)
            shard = _shard(facts.get("shard", [1, 1]), file)
            # A killed process loses nothing, a lost machine the last transactions, which are then played again.
            connection.execute("PRAGMA synchronous = NORMAL")
        except (sqlite3.Error, ValueError) as error:
            if connection is not None:
                connection.close()
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"{file}: cannot be read: {error}") from error
        return Journal(file, connection, plan, shard)

    def add(self, results: Iterable[GameResult]) -> None:
        """Write games, in one transaction; one that is there already stays. Errors: JournalError."""
        marks = ", ".join("?" * 10)
        try:
            with self.connection:
                self.connection.executemany(
                    f"INSERT OR IGNORE INTO games ({_COLUMNS}) VALUES ({marks})", map(_row, results)
                )
        except sqlite3.Error as error:
            kept = "what is done is kept, `tournament resume` goes on from there"
            raise JournalError(f"{self.path}: cannot be written: {error}; {kept}") from error

    def games(self, first: int = 0, end: int = (1 << 63) - 1) -> Iterator[GameResult]:
        """Yield the games with numbers of first .. end - 1, in order. Errors: RecordError."""
        query = f"SELECT {_COLUMNS} FROM games WHERE number >= ? AND number < ? ORDER BY number"
        try:
            for row in self.connection.execute(query, (first, end)):
                yield _result(row)
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise RecordError(f"{self.path}: cannot be read: {error}") from error

    def numbers(self) -> set[int]:
        """Return the numbers of all games. Errors: RecordError."""
        try:
            return {number for (number,) in self.connection.execute("SELECT number FROM games")}
        except sqlite3.Error as error:
            raise RecordError(f"{self.path}: cannot be read: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def merge(out: str, paths: Iterable[str], tiles: "TileSet | None" = None) -> int:
    """Write a new journal with the games of all these journals of one tournament; return how many there are.

    Errors: RecordError if they cannot be read, are not of the same plan, or have different results for a game that no
    clock could have changed; JournalError if the new one cannot be written. After an error there is no new one.
    """
    sources = [Journal.open(path, tiles) for path in paths]
    try:
        first = sources[0]
        for source in sources[1:]:
            mine, other = first.plan.document(), source.plan.document()
            for key, value in mine.items():
                if other[key] != value:
                    raise RecordError(f"{source.path}: {key} is {other[key]}, in {first.path} {value}")
        _check_agreement(sources)
        journal = Journal.create(out, first.plan)
        try:
            with journal:
                for source in sources:
                    journal.add(source.games())
                return len(journal.numbers())
        except BaseException as error:
            for ending in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.unlink(f"{out}{ending}")
            if isinstance(error, JournalError):
                raise JournalError(f"{out}: cannot be written: {error.__cause__}") from error
            raise
    finally:
        for source in sources:
            source.close()


def _check_agreement(sources: list[Journal]) -> None:
    """Raise RecordError if a game has several results."""
    if not sources[0].plan.is_reproducible:
        return
    seen: dict[int, tuple[object, str]] = {}
    for source in sources:
        for result in source.games():
            played = result.lineup, result.scores, result.fault_seat
            found, path = seen.setdefault(result.number, (played, source.path))
            if found != played:
                raise RecordError(f"{source.path}: game {result.number} is not the one of {path}")


def identity() -> dict[str, Any]:
    """Return the format and the versions that journals and reports carry."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": bastide.__version__,
        "rules_version": RULES_VERSION,
        "random_version": api.RANDOM_VERSION_,
    }


def _shard(value: object, source: str) -> tuple[int, int]:
    """Return the part of a tournament that a journal says it is for. Errors: RecordError."""
    if isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value):
        number, n_shards = value
        if 1 <= number <= n_shards:
            return number, n_shards
    raise RecordError(f"{source}: shard is {show(value)} (expected [I, N] with 1 <= I <= N)")


def _row(result: GameResult) -> tuple[Any, ...]:
    lists = [json.dumps(value) for value in (result.lineup, result.scores)]
    counts = [json.dumps(result.decisions), json.dumps([round(seconds, 6) for seconds in result.seconds])]
    fault = result.fault_seat, result.fault, result.reason
    return result.number, result.round, *lists, result.turns, *counts, *fault


def _result(row: tuple[Any, ...]) -> GameResult:
    number, round_number, lineup, scores, turns, decisions, seconds, *fault = row
    lineup, scores, decisions, seconds = (tuple(json.loads(text)) for text in (lineup, scores, decisions, seconds))
    return GameResult(number, round_number, lineup, scores, turns, decisions, seconds, *fault)
