"""Take a .jcz document apart: its parts with the types and ranges they must have, each fault with its place.

What the setup means is in `setup`, what the messages mean in `reading`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from bastide import strictjson
from bastide.errors import RecordError, show
from bastide.record import MAX_BYTES, MAX_MOVES
from bastide.rules import MAX_PLAYERS

__all__ = ["Message", "Node", "Save"]

MAX_ASSERTIONS = 1000


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a JSON document that knows its place; what is asked of it must be there, or RecordError says where."""

    value: Any
    source: str  # the file, for messages
    path: str = ""  # e.g. "replay[3].payload"

    def fail(self, why: str) -> NoReturn:
        place = f"{self.source}: {self.path}" if self.path else self.source
        raise RecordError(f"{place}: {why}")

    def find(self, key: str) -> "Node | None":
        """Return the value of a key, None where it is missing or null."""
        value = self._expect(dict, "an object").get(key)
        return None if value is None else Node(value, self.source, f"{self.path}.{key}".lstrip("."))

    def get(self, key: str) -> "Node":
        """Return the value of a key that must be there."""
        found = self.find(key)
        if found is None:
            self.fail(f"{key} is missing")
        return found

    def fields(self) -> Iterator[tuple[str, "Node"]]:
        """Yield the keys of an object with their values."""
        for key, value in self._expect(dict, "an object").items():
            yield key, Node(value, self.source, f"{self.path}.{key}".lstrip("."))

    def items(self, most: int) -> list["Node"]:
        """Return the values of a list of at most so many."""
        values = self._expect(list, "a list")
        if len(values) > most:
            self.fail(f"{len(values)} entries (expected at most {most})")
        return [Node(value, self.source, f"{self.path}[{i}]") for i, value in enumerate(values)]

    def text(self) -> str:
        """Return a string."""
        value: str = self._expect(str, "a text")
        return value

    def whole(self, low: int, high: int) -> int:
        """Return a whole number of that range."""
        if type(self.value) is not int or not low <= self.value <= high:
            self.fail(f"{show(self.value)} (expected a whole number of {low} .. {high})")
        return int(self.value)

    def cell(self) -> tuple[int, int]:
        """Return a position."""
        numbers = [node.whole(-1023, 1023) for node in self.items(2)]
        if len(numbers) != 2:
            self.fail(f"{show(self.value)} (expected two numbers)")
        return numbers[0], numbers[1]

    def _expect(self, kind: type, name: str) -> Any:
        if not isinstance(self.value, kind):
            self.fail(f"{show(self.value)} (expected {name})")
        return self.value


@dataclass(frozen=True, slots=True)
class Message:
    """Hold one message of the replay."""

    type: str
    payload: Node
    place: Node


@dataclass(frozen=True, slots=True)
class Save:
    """Hold the parts of a file."""

    source: str
    setup: Node
    players: tuple[str, ...]  # names by seat
    replay: tuple[Message, ...]
    draws: tuple[Node, ...]  # the tiles in the order of drawing as far as the file says it
    end_turn: int | None  # the game ends after so many draws; None: when the tiles are used up
    own: Node | None  # what this package noted
    assertions: tuple[str, ...]

    @staticmethod
    def parse(text: str | bytes, source: str) -> "Save":
        """Return the parts of a file's text. Errors: RecordError that names the place."""
        if not isinstance(text, (str, bytes)):
            raise RecordError(f"{source}: a saved game is read from text or bytes, got {show(text)}")
        if len(text) > MAX_BYTES:
            raise RecordError(f"{source}: it is longer than {MAX_BYTES} bytes")
        root = Node(strictjson.parse(text, source), source)
        setup = root.get("setup")
        if root.find("players") is None and root.find("replay") is None:
            root.fail("it holds a setup without a game (expected players and replay)")
        players = root.get("players")
        names = tuple(player.get("name").text() for player in players.items(MAX_PLAYERS))
        if not names:
            players.fail("nobody plays")
        annotations = root.find("gameAnnotations") or Node({}, source, "gameAnnotations")
        pack = annotations.find("tilePack")  # versions before 6 keep order and limit in here
        where = annotations if pack is None else pack.get("params")
        order = where.find("drawOrder")
        limit = where.find("endTurn" if pack is None else "drawLimit")
        test = root.find("test")
        claims = None if test is None else test.find("assertions")
        return Save(
            source,
            setup,
            names,
            tuple(_message(node) for node in root.get("replay").items(MAX_MOVES)),
            () if order is None else tuple(order.items(MAX_MOVES)),
            None if limit is None else limit.whole(0, MAX_MOVES),
            annotations.find("bastide"),
            () if claims is None else tuple(claim.text() for claim in claims.items(MAX_ASSERTIONS)),
        )


def _message(node: Node) -> Message:
    return Message(node.get("type").text(), node.get("payload"), node)
