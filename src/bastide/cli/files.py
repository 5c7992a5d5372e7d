"""Read the files that commands are given: decks, records, positions. What they write is in `output`."""

from typing import TYPE_CHECKING

from bastide.deck import MAGIC, Deck
from bastide.errors import RecordError, RulesError, reason
from bastide.record import MAX_BYTES, Record

if TYPE_CHECKING:
    from bastide.cli.common import GameOptions
    from bastide.game import Game, State

__all__ = ["read_bytes", "read_deck", "read_position", "read_record"]

_SNAPSHOT = b"BSTS"  # the first bytes of `State.to_bytes`


def read_bytes(path: str) -> bytes:
    """Return the content of a file of at most MAX_BYTES. Errors: RecordError."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise RecordError(f"{path}: cannot be read: {reason(error)}") from error
    if len(data) > MAX_BYTES:
        raise RecordError(f"{path}: it is longer than {MAX_BYTES} bytes")
    return data


def read_deck(game: "Game", path: str) -> Deck:
    """Return the deck of a file, text or bytes. Errors: RecordError, SnapshotError."""
    data = read_bytes(path)
    if data.startswith(MAGIC):
        return Deck.from_bytes(game, data)
    try:
        return Deck.parse(game, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: neither a deck's bytes nor UTF-8 text: {error.reason}") from None


def read_position(options: "GameOptions", path: str, ply: int | None) -> "State":
    """Return the position of a snapshot, or that of a record after `ply` moves, None: after the last.

    A record brings its own rules; own tiles come from the options. Errors: BastideError.
    """
    data = read_bytes(path)
    if data.startswith(_SNAPSHOT):
        if ply is not None:
            raise RecordError(f"{path}: --ply {ply} of a position (expected a game record)")
        return options.game().state_from_bytes(data)
    record, game = read_record(options, path, data)
    n = len(record.moves)
    if ply is None:
        return record.replay(game)
    if ply > n:
        raise RecordError(f"{path}: --ply {ply} is beyond the last one (expected 0 .. {n})")
    states = record.states(game)
    for _ in range(ply):
        next(states)
    return next(states)


def read_record(options: "GameOptions", path: str, data: bytes | None = None) -> "tuple[Record, Game | None]":
    """Return a record, and the game of its own tiles if the options name some. Errors: BastideError."""
    from bastide.game import Game

    if data is None:
        data = read_bytes(path)
    if options.boxes or options.preset or options.players or options.options:
        raise RulesError(f"{path}: a game record brings its own rules (expected --tiles only)")
    record = Record.loads(data, source=path)
    return record, None if options.tiles is None else Game(record.rules, options.tile_set())
