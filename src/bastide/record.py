"""Hold game records: one game as a JSON document, from the first draw to its end or to where it stopped.

A record says which rules it was played by and every draw and action in the text form of docs/actions.md;
replaying it checks each step. The keys of the document are those of `Record.document`. Files of one major
version of the package stay readable. How moves are read and written is in `actions`, decks in `deck`.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import bastide
from bastide import strictjson
from bastide._core import api
from bastide.actions import ACTION_VERSION
from bastide.errors import BastideError, RecordError, RulesError, reason, show
from bastide.game import Game, State
from bastide.rules import MAX_PLAYERS, RULES_VERSION, Rules
from bastide.wholefile import whole_file

__all__ = ["MAX_BYTES", "MAX_MOVES", "Record", "Recorder", "write_whole"]

FORMAT = "bastide-game"
VERSION = 1
MAX_BYTES = 16 << 20  # of a file; search statistics of a long game take a few million
MAX_MOVES = 30_000  # a game has at most 1,000 tiles and a few decisions a tile
MAX_MOVE = 200  # characters
MAX_NAME = 100  # characters of a player's name
_KEYS: dict[str, type | tuple[type, ...]] = {
    "format": str,
    "version": int,
    "package": str,
    "rules_version": int,
    "random_version": int,
    "action_version": int,
    "fingerprint": int,
    "rules": dict,
    "tiles": (str, type(None)),
    "seed": (int, type(None)),
    "players": list,
    "moves": list,
    "scores": list,
}
_OPTIONAL_KEYS: dict[str, type | tuple[type, ...]] = {"scores_after": list, "search": list}
_PLAIN_KEYS = ("fingerprint", "moves", "scores", "players", "seed", "tiles", "search", "package")


@dataclass(frozen=True)
class Record:
    """Hold one game; made by `Recorder`, `load` and `loads`.

    Moves are numbered from 0 in `moves`; messages count plies from 1 and name both.

    Errors: RecordError for values that no record can have. Whether the moves are possible is checked by
    `replay`, `states` and `checked`.
    """

    rules: Rules
    fingerprint: int  # of the game
    moves: tuple[str, ...]  # "draw base.V", or an action
    scores: tuple[int, ...]  # after the last move
    players: tuple[str, ...]  # their names
    seed: int | None = None
    tiles: str | None = None  # name of the own tile set, None: the built-in tiles
    scores_after: tuple[tuple[int, ...], ...] | None = None  # after each move
    search: tuple[Mapping[str, Any] | None, ...] | None = field(default=None, hash=False)  # JSON, each move
    package: str = field(default_factory=lambda: bastide.__version__, compare=False)  # version that wrote it
    source: str = field(default="record", compare=False)  # file name for messages

    def __post_init__(self) -> None:
        for name in ("moves", "scores", "players", "scores_after", "search"):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, (Sequence, type(None))):
                self._fail(f"{name} is {show(value)} (expected a sequence)")
            object.__setattr__(self, name, None if value is None else tuple(value))
        _check_values(self)

    @staticmethod
    def load(path: str | os.PathLike[str], game: Game | None = None) -> "Record":
        """Read a record and replay it; its moves come back in their one form (B4: the smallest rotation).

        `game` is needed for own tiles only; without it their record is read, but not replayed.
        Errors: RecordError that names the file and, for a wrong step, the ply, its text and why.
        """
        file = os.fsdecode(path)
        try:
            with open(file, "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
            raise RecordError(f"{file}: cannot be read: {reason(error)}") from error
        return Record.loads(data, game, source=file)

    @staticmethod
    def loads(text: str | bytes, game: Game | None = None, *, source: str = "record") -> "Record":
        """Read a record from its text as `load` does; `source` stands for the file in messages."""
        record = _from_document(_parsed(text, source), source)
        return record if record.tiles is not None and game is None else record.checked(game)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, all of it or nothing.

        Errors: RecordError if the file cannot be written.
        """
        file = os.fsdecode(path)
        data = self.to_json().encode("utf-8")
        if len(data) > MAX_BYTES:
            raise RecordError(f"{file}: cannot be written: it would be longer than {MAX_BYTES} bytes")
        write_whole(file, data)

    def document(self) -> dict[str, Any]:
        """Return the record as plain JSON values, in the order of the file."""
        document = {
            "format": FORMAT,
            "version": VERSION,
            "package": self.package,
            "rules_version": RULES_VERSION,
            "random_version": api.RANDOM_VERSION_,
            "action_version": ACTION_VERSION,
            "fingerprint": self.fingerprint,
            "rules": self.rules.canonical(),
            "tiles": self.tiles,
            "seed": self.seed,
            "players": list(self.players),
            "moves": list(self.moves),
            "scores": list(self.scores),
        }
        if self.scores_after is not None:
            document["scores_after"] = [list(scores) for scores in self.scores_after]
        if self.search is not None:
            document["search"] = list(self.search)
        return document

    def to_json(self) -> str:
        """Return the record as JSON text, one key a line."""
        lines = [f"{json.dumps(key)}: {_dumped(value)}" for key, value in self.document().items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def replay(self, game: Game | None = None) -> State:
        """Return the position after the last move, every step and the scores checked.

        `game` is needed for own tiles only. Errors: RecordError that names the ply, its text and why.
        """
        state = self.new_state(game)
        for _ in self._replayed(state):
            pass
        return state

    def states(self, game: Game | None = None) -> Iterator[State]:
        """Yield the position before the first move, then that after each; it is one object that changes.

        Errors: as for `replay`, at the step that is wrong.
        """
        state = self.new_state(game)
        yield state
        for _ in self._replayed(state):
            yield state

    def checked(self, game: Game | None = None) -> "Record":
        """Replay the record and return it with each move in its one form, as `State.action_text` gives it.

        Errors: as for `replay`.
        """
        return replace(self, moves=tuple(self._replayed(self.new_state(game))))

    def new_state(self, game: Game | None = None) -> State:
        """Return the position before the first move.

        Errors: RecordError if the record is of another game than `game`, or than the one of its rules.
        """
        if not isinstance(game, (Game, type(None))):
            self._fail(f"game must be a bastide.Game, got {show(game)}")
        if game is None:
            if self.tiles is not None:
                self._fail(f"it was played with the own tiles {show(self.tiles)}: give the Game that has them")
            try:
                game = Game(self.rules)
            except BastideError as error:
                self._fail(str(error))
        if game.fingerprint != self.fingerprint:
            self._fail(f"it is of the game with fingerprint {self.fingerprint}, not of {game.fingerprint}")
        return game.new_state()

    def _replayed(self, state: State) -> Iterator[str]:
        """Do the moves in a new state, and yield the text of each in its one form."""
        for i, text in enumerate(self.moves):
            try:
                one_form = _do(state, text)
            except BastideError as error:
                self._fail(f"{_ply(i, text)}: {error}")
            if self.scores_after is not None and self.scores_after[i] != state.scores:
                self._fail(f"{_ply(i, text)}: the scores are {state.scores}, not {self.scores_after[i]}")
            yield one_form
        if self.scores != state.scores:
            self._fail(f"after {len(self.moves)} plies the scores are {state.scores}, not {self.scores}")

    def _fail(self, why: str) -> NoReturn:
        raise RecordError(f"{self.source}: {why}")


def write_whole(path: str, data: bytes) -> None:
    """Write a file, all of it or nothing. Errors: RecordError if it cannot be written."""
    try:
        with whole_file(path) as stream:
            stream.write(data)
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: cannot be written: {reason(error)}") from error


class Recorder:
    """Play a game and write it down: `draw` and `apply` go to `state`, and are remembered.

    >>> recorder = Recorder(Game(), seed=7)
    >>> recorder.draw(recorder.state.game.tile_index("base.U"))
    >>> recorder.apply(recorder.state.parse_action("place 0,1 180"))
    >>> recorder.record().moves
    ('draw base.U', 'place 0,1 0')
    """

    def __init__(self, game: Game, players: Sequence[str] | None = None, seed: int | None = None) -> None:
        if not isinstance(game, Game):
            raise RecordError(f"game must be a bastide.Game, got {show(game)}")
        self.state = game.new_state()
        self.seed = seed
        if isinstance(players, str):
            raise RecordError(f"players must be names in a sequence, got {show(players)}")
        self.players = tuple(players or (f"player {i}" for i in range(game.rules.players)))
        self.moves: list[str] = []
        self._scores_after: list[tuple[int, ...]] = []
        self._search: list[Mapping[str, Any] | None] = []
        self.record()  # checks names and seed before anything is played

    def draw(self, tile: int) -> None:
        """Draw a tile. Errors: IllegalActionError."""
        self.state.draw(tile)
        self._note(f"draw {self.state.game.tiles[tile].id}", None)

    def apply(self, action: int, search: Mapping[str, Any] | None = None) -> None:
        """Do an action; `search` are statistics to keep with it. Errors: IllegalActionError."""
        self.state.apply(action)
        self._note(self.state.action_text(action), search)

    def record(self) -> Record:
        """Return the record of what was played so far."""
        game = self.state.game
        return Record(
            rules=game.rules,
            fingerprint=game.fingerprint,
            moves=tuple(self.moves),
            scores=self.state.scores,
            players=self.players,
            seed=self.seed,
            tiles=None if game.tile_set is None else _printable(os.path.basename(game.tile_set.name)),
            scores_after=tuple(self._scores_after),
            search=tuple(self._search) if any(self._search) else None,
        )

    def _note(self, text: str, search: Mapping[str, Any] | None) -> None:
        self.moves.append(text)
        self._scores_after.append(self.state.scores)
        self._search.append(search)


def _do(state: State, text: str) -> str:
    """Do the move of a text and return its one form. Errors: those of the state."""
    word, _, tile_id = text.partition(" ")
    if state.is_terminal:
        raise RecordError("the game is over")
    if word == "draw":
        try:
            tile = state.game.tile_index(tile_id)
        except KeyError:
            raise RecordError(f"the game has no tile {show(tile_id)}") from None
        state.draw(tile)
        return text
    if state.is_chance:
        raise RecordError("a tile must be drawn first (expected e.g. 'draw base.V')")
    action = state.parse_action(text)
    one_form = state.action_text(action)
    state.apply(action)
    return one_form


def _printable(text: str) -> str:
    """Return a text with what cannot be printed replaced, cut to the length of a name."""
    return "".join(c if c.isprintable() else "?" for c in text[:MAX_NAME])


def _ply(i: int, text: str) -> str:
    return f"ply {i + 1} (moves[{i}]), {show(text)}"


def _dumped(value: object) -> str:
    """Return a value as JSON; a long list of moves or statistics has one a line, for people and diffs."""
    if isinstance(value, list) and len(value) > MAX_PLAYERS and not isinstance(value[0], list):
        items = ",\n ".join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in value)
        return f"[\n {items}\n]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _parsed(text: str | bytes, source: str) -> dict[str, Any]:
    """Return the JSON document, its values not yet checked."""
    if not isinstance(text, (str, bytes)):
        raise RecordError(f"{source}: a record is read from text or bytes, got {show(text)}")
    if len(text) > MAX_BYTES:
        raise RecordError(f"{source}: it is longer than {MAX_BYTES} bytes")
    document = strictjson.parse(text, source)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        found = document.get("format") if isinstance(document, dict) else document
        raise RecordError(f"{source}: not a game record: {show(found)} (expected format {FORMAT!r})")
    return document


def _from_document(document: dict[str, Any], source: str) -> Record:
    """Return the record of a JSON document whose moves are not yet checked."""
    _check_version(document, "version", VERSION, source)
    for key, kind in {**_KEYS, **_OPTIONAL_KEYS}.items():
        if key not in document and key in _KEYS:
            raise RecordError(f"{source}: {key} is missing")
        if key in document and (not isinstance(document[key], kind) or isinstance(document[key], bool)):
            raise RecordError(f"{source}: {key} is {show(document[key])}, of the wrong type")
    for key in document:
        if key not in _KEYS and key not in _OPTIONAL_KEYS:
            raise RecordError(f"{source}: unknown key {show(key)}")
    _check_version(document, "rules_version", RULES_VERSION, source)
    _check_version(document, "action_version", ACTION_VERSION, source)
    _check_version(document, "random_version", api.RANDOM_VERSION_, source)
    try:
        rules = Rules.from_canonical(document["rules"])
    except RulesError as error:
        raise RecordError(f"{source}: {error}") from None
    rows = document.get("scores_after")
    if rows is not None and not all(isinstance(row, list) for row in rows):
        raise RecordError(f"{source}: scores_after is not a list of lists")
    values: dict[str, Any] = {key: document.get(key) for key in _PLAIN_KEYS}
    values["scores_after"] = None if rows is None else tuple(tuple(row) for row in rows)
    return Record(rules, source=source, **values)


def _check_version(document: dict[str, Any], key: str, expected: int, source: str) -> None:
    if document.get(key) != expected:
        raise RecordError(f"{source}: {key} is {show(document.get(key))} (this program has {expected})")


def _check_values(record: Record) -> None:
    """Raise RecordError for values that no record can have, whatever its moves lead to."""
    if not isinstance(record.rules, Rules):
        record._fail(f"rules must be a bastide.Rules, got {show(record.rules)}")
    n = record.rules.players
    _check_texts(record, "moves", record.moves, MAX_MOVES, MAX_MOVE)
    _check_texts(record, "players", record.players, n, MAX_NAME)
    _check_texts(record, "package", [record.package], 1, MAX_NAME)
    if record.tiles is not None:
        _check_texts(record, "tiles", [record.tiles], 1, MAX_NAME)
    if len(record.players) != n:
        record._fail(f"players has {len(record.players)} names (expected {n})")
    rows = [record.scores, *(record.scores_after or ())]
    for row in rows:
        if (
            not isinstance(row, tuple)
            or len(row) != n
            or not all(type(score) is int and 0 <= score < 1 << 31 for score in row)
        ):
            record._fail(f"scores: {show(row)} (expected {n} numbers of 0 or more)")
    for name, number in (("fingerprint", record.fingerprint), ("seed", record.seed or 0)):
        if type(number) is not int or not 0 <= number < 1 << 64:
            record._fail(f"{name} is {show(number)} (expected a number of 0 .. 2**64 - 1)")
    for name in ("scores_after", "search"):
        value = getattr(record, name)
        if value is not None and len(value) != len(record.moves):
            record._fail(f"{name} has {len(value)} entries (expected {len(record.moves)}, one a move)")
    for i, entry in enumerate(record.search or ()):
        if entry is not None and (not isinstance(entry, dict) or not _is_plain(entry)):
            record._fail(f"search[{i}] is {show(entry)} (expected null or an object of JSON values)")


def _check_texts(record: Record, name: str, texts: Sequence[Any], most: int, longest: int) -> None:
    """Raise RecordError unless these are so few and so short texts that can be printed."""
    if len(texts) > most:
        record._fail(f"{name} has {len(texts)} entries (expected at most {most})")
    for text in texts:
        if not isinstance(text, str) or len(text) > longest or not text.isprintable():
            record._fail(f"{name}: {show(text)} (expected a printable text of at most {longest} characters)")


def _is_plain(value: object) -> bool:
    """Tell whether a value can be written as JSON and read back the same."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
        return bool(json.loads(text) == value)
    except (TypeError, ValueError, RecursionError):
        return False
