"""Write results of many games, one row a game, as CSV or as one JSON object a line.

Each row says what it belongs to, so that files can be cut and put together: seed, fingerprint, versions.
"""

import io
import json
import os
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from bastide._core import api
from bastide.errors import BastideError
from bastide.rules import RULES_VERSION

if TYPE_CHECKING:
    from bastide.bulk import Stats
    from bastide.game import Game

__all__ = ["ENDINGS", "FORMAT", "ResultFile", "ndjson_rows"]

FORMAT = 1
ENDINGS = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}


class ResultFile:
    """Write rows to a file that appears under its name when it is closed; after an error it does not.

    Use as a context. Ctrl-C and a closed pipe are no errors: what was written so far is kept.
    Errors: BastideError if the name's ending is none of ENDINGS, or the file cannot be opened.
    """

    def __init__(self, path: str | os.PathLike[str], game: "Game", seed: int) -> None:
        self.path = os.fsdecode(path)
        self.part = f"{self.path}.{os.getpid()}.part"
        self._game, self._seed = game, seed
        ending = os.path.splitext(self.path)[1].lower()
        if ending == ".parquet":
            raise BastideError(
                f"{self.path}: Parquet needs the extra 'parquet' (pip install 'bastide[parquet]'), which is "
                "not there yet: write .csv or .ndjson"
            )
        if ending not in ENDINGS:
            raise BastideError(f"{self.path}: unknown ending {ending!r} (expected {', '.join(ENDINGS)})")
        self._is_csv = ENDINGS[ending] == "csv"
        if os.path.isdir(self.path):
            raise BastideError(f"{self.path}: cannot be written: it is a directory")
        try:
            self._stream: TextIO = open(self.part, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise BastideError(f"{self.path}: cannot be written: {reason}") from error
        if self._is_csv:
            self._stream.write(",".join(_columns(game)) + "\n")

    def add(self, first: int, stats: "Stats") -> None:
        """Write the rows of games `first`, `first` + 1, ..."""
        rows = _csv_rows if self._is_csv else ndjson_rows
        self._stream.write(rows(self._game, self._seed, first, stats))
        self._stream.flush()

    def __enter__(self) -> "ResultFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stream.close()
            if kind is None or issubclass(kind, (KeyboardInterrupt, BrokenPipeError)):
                os.replace(self.part, self.path)
        finally:
            if os.path.exists(self.part):
                os.unlink(self.part)


def ndjson_rows(game: "Game", seed: int, first: int, stats: "Stats") -> str:
    """Return the rows of a chunk of games as JSON objects, one a line."""
    text = io.StringIO()
    names = _columns(game)
    rest = json.dumps(dict(zip(names[-5:], _constants(game, seed), strict=True)))[1:]
    for i, (scores, turns, discards) in enumerate(_values(stats)):
        values = dict(zip(names, [first + i, *scores, turns, discards], strict=False))
        text.write(f"{json.dumps(values)[:-1]}, {rest}\n")
    return text.getvalue()


def _csv_rows(game: "Game", seed: int, first: int, stats: "Stats") -> str:
    rest = ",".join(map(str, _constants(game, seed)))
    return "".join(
        f"{first + i},{','.join(map(str, scores))},{turns},{discards},{rest}\n"
        for i, (scores, turns, discards) in enumerate(_values(stats))
    )


def _columns(game: "Game") -> list[str]:
    scores = [f"score_{seat}" for seat in range(game.rules.players)]
    constants = ["seed", "fingerprint", "format", "rules_version", "random_version"]
    return ["game", *scores, "turns", "discards", *constants]


def _constants(game: "Game", seed: int) -> list[int]:
    return [seed, game.fingerprint, FORMAT, RULES_VERSION, api.RANDOM_VERSION_]


def _values(stats: "Stats") -> Iterator[tuple[list[int], int, int]]:
    return zip(stats.scores.tolist(), stats.turns.tolist(), stats.discards.tolist(), strict=True)
