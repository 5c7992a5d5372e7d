"""Hold decks, a fixed order of the tiles to be drawn, and `perft`, which needs one.

A state knows counts only, so that a search cannot peek; the order is kept here, outside. A `Deck` has one
order a pile: the deck, the river (R1, R4), the tower pile of Towers & Thieves (H1, H6). It holds no position
in a pile: that follows from what a state has left, so one deck serves a state, its copies and its past alike.

The order that a generator gives stays the same within a random-stream version; bytes and text of one major
version stay readable.
"""

import hashlib
import struct
from collections import Counter
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

from bastide._core import api, bulk
from bastide._core.api import Rng
from bastide.errors import BastideError, IllegalActionError, RecordError, SnapshotError, show
from bastide.rules import RULES_VERSION
from bastide.tables import type_tiles

if TYPE_CHECKING:
    from bastide.game import Game, State

__all__ = ["MAGIC", "MAX_DEPTH", "PILES", "Deck", "divide", "perft"]

PILES = ("deck", "river", "tower")
MAGIC = b"BSTDECK\n"
FORMAT = 1
_HEAD = struct.Struct("<8sHHQI")  # magic, format, rules version, fingerprint, bytes of the body
_CHECKSUM = struct.Struct("<Q")
MAX_TEXT = 100_000  # characters; a game has at most 1,000 tiles
MAX_DEPTH = 100  # of perft
CORE_DEPTH = 3  # of perft in the core in one go; above that Python goes between, which hears Ctrl-C


class Deck:
    """Fix the order of each pile, a tuple of tile indexes, the next one first; immutable, shared by threads.

    A pile may be shorter than the game's: the rest of it. A lake is the last of the river.

    Errors: IllegalActionError for tiles that the game does not have, not so often, or not in that pile.

    >>> from bastide.game import Game
    >>> game = Game()
    >>> deck = Deck.shuffled(game, Rng(7))
    >>> Deck.parse(game, str(deck)) == Deck.from_bytes(game, deck.to_bytes()) == deck
    True
    """

    __slots__ = ("deck", "game", "river", "tower")

    game: "Game"
    deck: tuple[int, ...]
    river: tuple[int, ...]
    tower: tuple[int, ...]

    def __init__(self, game: "Game", deck: Sequence[int], river: Sequence[int] = (), tower: Sequence[int] = ()) -> None:
        _expect("game", game, api.Tables)
        try:
            piles = [tuple(index(tile) for tile in pile) for pile in (deck, river, tower)]
        except TypeError as error:
            raise IllegalActionError(f"deck: a tile is an index into game.tiles: {error}") from None
        if fault := _fault(game, piles):
            raise IllegalActionError(fault)
        for name, value in zip(("game", *PILES), (game, *piles), strict=True):
            object.__setattr__(self, name, value)

    @staticmethod
    def shuffled(game: "Game", rng: Rng) -> "Deck":
        """Return a random order of all tiles of a game, each equally likely."""
        _expect("game", game, api.Tables)
        return _shuffled(game, [count for _, count in type_tiles(game.selection)], rng)

    @staticmethod
    def rest(state: "State", rng: Rng) -> "Deck":
        """Return a random order of the tiles that a state has left, each equally likely."""
        _expect("state", state, api.State)
        return _shuffled(state.game, state._left(), rng)

    def next(self, state: "State") -> int:
        """Return the tile that the state draws now, as an index into `game.tiles`.

        Errors: IllegalActionError if the state is not at chance, or if the deck does not suit it: it is of
        another game, or the state's tiles are not the last ones of the order.
        """
        _expect("state", state, api.State)
        draws = {tile: count for tile, count, _ in state.draws()}
        pile = state.game.tiles[next(iter(draws))].pile
        if pile == "river":
            return self._next_of_river(state, draws)
        return self.left(state, pile)[0]

    def left(self, state: "State", pile: str = "deck") -> tuple[int, ...]:
        """Return the end of the order of the deck or the tower pile: the tiles that a state has left of it.

        Errors: IllegalActionError if the deck does not suit the state, or for the river, where the board
        decides which tile comes next (R4).
        """
        self._check_game(state)
        if pile not in PILES or pile == "river":
            raise IllegalActionError(f"pile must be 'deck' or 'tower', got {show(pile)}")
        counts = self._counts(state, pile)
        n_left = sum(counts.values())
        order: tuple[int, ...] = getattr(self, pile)
        if n_left > len(order):
            _unsuited(f"the state has {n_left} tiles left in the pile {pile!r}, the deck only {len(order)}")
        rest = order[len(order) - n_left :]
        if Counter(rest) != counts:
            _unsuited(f"the last {n_left} tiles of its pile {pile!r} are not those that the state has left")
        return rest

    def check(self, state: "State") -> None:
        """Raise IllegalActionError unless the deck has, in every pile, what the state has left."""
        self.left(state, "deck")
        self.left(state, "tower")
        self._gone_from_river(state)

    def _check_game(self, state: "State") -> None:
        _expect("state", state, api.State)
        if self.game is not state.game and self.game.fingerprint != state.game.fingerprint:
            _unsuited(f"it is of game {self.game.fingerprint}, the state of game {state.game.fingerprint}")

    def _counts(self, state: "State", pile: str) -> dict[int, int]:
        tiles = self.game.tiles
        return {tile: n for tile, n in enumerate(state._left()) if n and tiles[tile].pile == pile}

    def _gone_from_river(self, state: "State") -> Counter[int]:
        """Return how many of each river tile have left the order."""
        self._check_game(state)
        gone = Counter(self.river)
        for tile, n in self._counts(state, "river").items():
            if gone[tile] < n:
                _unsuited(f"the state has {n} of {self._id(tile)} left, the deck only {gone[tile]}")
            gone[tile] -= n
        return gone

    def _next_of_river(self, state: "State", draws: dict[int, int]) -> int:
        """Return the first tile of the river that is still there and fits (R4); `draws` has those that fit.

        Tiles of one kind leave in their order, so of n equal ones with k left the last k are still there.
        """
        gone = self._gone_from_river(state)
        for tile in self.river:
            if tile in draws and gone[tile] == 0:
                return tile
            gone[tile] -= 1
        raise AssertionError("a tile that can be drawn is in the order")

    def to_bytes(self) -> bytes:
        """Return the deck as bytes, little endian: header, piles, checksum."""
        body = b"".join(
            struct.pack(f"<H{len(pile)}H", len(pile), *pile) for pile in (self.deck, self.river, self.tower)
        )
        data = _HEAD.pack(MAGIC, FORMAT, RULES_VERSION, self.game.fingerprint, len(body)) + body
        return data + _checksum(data)

    @staticmethod
    def from_bytes(game: "Game", data: bytes) -> "Deck":
        """Return the deck that `to_bytes` wrote.

        Errors: SnapshotError for bytes that are damaged, of another version, or of another game.
        """
        _expect("game", game, api.Tables)
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise SnapshotError(f"a deck is read from bytes, got {show(data)}")
        data = bytes(data)
        if len(data) < _HEAD.size + _CHECKSUM.size or not data.startswith(MAGIC):
            raise SnapshotError(f"not a deck: {show(data[:8])} (expected {MAGIC!r} and a header)")
        _, form, rules, fingerprint, length = _HEAD.unpack_from(data)
        for what, found, expected in (
            ("format", form, FORMAT),
            ("rules version", rules, RULES_VERSION),
            ("length", len(data), _HEAD.size + length + _CHECKSUM.size),
            ("checksum", data[-_CHECKSUM.size :].hex(), _checksum(data[: -_CHECKSUM.size]).hex()),
            ("game fingerprint", fingerprint, game.fingerprint),
        ):
            if found != expected:
                raise SnapshotError(f"deck: {what} is {found} (expected {expected})")
        piles = _unpacked(data[_HEAD.size : -_CHECKSUM.size])
        if fault := _fault(game, piles):
            raise SnapshotError(fault)
        return Deck(game, *piles)

    @staticmethod
    def parse(game: "Game", text: str) -> "Deck":
        """Return the deck of a text: a line a pile, its name and then tile ids; `#` begins a comment.

        Errors: RecordError for another form, or tiles that the game does not have.

        >>> from bastide.game import Game
        >>> Deck.parse(Game(), "deck base.V base.U base.V  # and no more").deck
        (28, 26, 28)
        """
        _expect("game", game, api.Tables)
        if not isinstance(text, str) or len(text) > MAX_TEXT:
            raise RecordError(f"deck: not a text of at most {MAX_TEXT} characters: {show(text)}")
        found: dict[str, list[int]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            pile, *ids = words
            if pile not in PILES or pile in found:
                raise RecordError(
                    f"deck: line {number}: begins with {show(pile)} (expected {', '.join(PILES)}, each once)"
                )
            try:
                found[pile] = [game.tile_index(tile_id) for tile_id in ids]
            except KeyError as error:
                raise RecordError(f"deck: line {number}: the game has no tile {show(error.args[0])}") from None
        if not found:
            raise RecordError("deck: no pile in it (expected e.g. 'deck base.V base.U')")
        piles = [tuple(found.get(pile, ())) for pile in PILES]
        if fault := _fault(game, piles):
            raise RecordError(fault)
        return Deck(game, *piles)

    def __str__(self) -> str:
        lines = [
            " ".join([pile, *map(self._id, getattr(self, pile))])
            for pile in PILES
            if pile == "deck" or getattr(self, pile)
        ]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        piles = ", ".join(f"{len(getattr(self, pile))} {pile}" for pile in PILES)
        return f"<Deck of game {self.game.fingerprint:016x}: {piles}>"

    def __eq__(self, other: object) -> bool:
        return self._facts() == other._facts() if isinstance(other, Deck) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._facts())

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Deck is immutable, {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Deck is immutable, {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return Deck, (self.game, self.deck, self.river, self.tower)

    def _facts(self) -> tuple[object, ...]:
        return self.game.fingerprint, self.deck, self.river, self.tower

    def _id(self, tile: int) -> str:
        return self.game.tiles[tile].id


def perft(state: "State", depth: int, deck: Deck) -> int:
    """Count the sequences of `depth` decisions from a state; a game that ends before is counted once.

    Tiles are drawn from the deck as the state asks for them; the state stays as it is.
    Errors: BastideError unless 0 <= depth <= MAX_DEPTH; IllegalActionError if the deck does not suit it.
    Cost: grows with the result, a million leaves or more a second.

    >>> from bastide.game import Game
    >>> state = Game().new_state()
    >>> deck = Deck(state.game, [tile for tile, count, _ in state.draws() for _ in range(count)])
    >>> [perft(state, depth, deck) for depth in range(3)]
    [1, 5, 20]
    """
    _check_perft(state, depth, deck)
    return _count(state, depth, deck)


def divide(state: "State", depth: int, deck: Deck) -> dict[str, int]:
    """Return the perft count below each first action, by its text; their sum is `perft(state, depth, deck)`.

    Empty where there is no first action. Errors: as for `perft`, and BastideError for depth 0.
    """
    _check_perft(state, depth, deck)
    if depth == 0:
        raise BastideError("depth must be 1 or more to divide the count by first actions, got 0")
    root = state.copy()
    if not _drawn(root, deck):
        return {}
    counts = {}
    for action in root.legal_actions():
        child = root.copy()
        child.apply(action)
        counts[root.action_text(action)] = _count(child, depth - 1, deck)
    return counts


def _check_perft(state: "State", depth: int, deck: Deck) -> None:
    if type(depth) is not int or not 0 <= depth <= MAX_DEPTH:
        raise BastideError(f"depth must be an integer of 0 .. {MAX_DEPTH}, got {show(depth)}")
    _expect("state", state, api.State)
    _expect("deck", deck, Deck)


def _count(state: "State", depth: int, deck: Deck) -> int:
    """Count leaves. Only where the deck is the one pile, the core knows the draws to come."""
    if depth == 0:
        return 1
    if depth <= CORE_DEPTH and not deck.river and not deck.tower:
        return int(bulk.perft(state, depth, list(deck.left(state))))
    root = state.copy()
    if not _drawn(root, deck):
        return 1
    actions = root.legal_actions()
    if depth == 1:
        return len(actions)
    child, n = root.copy(), 0
    for action in actions:
        child.copy_from(root)
        child.apply(action)
        n += _count(child, depth - 1, deck)
    return n


def _drawn(state: "State", deck: Deck) -> bool:
    """Draw until there is something to decide; tell whether there is."""
    while state.is_chance:
        state.draw(deck.next(state))
    return not state.is_terminal


def _expect(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        expected = "Game" if kind is api.Tables else kind.__name__
        raise BastideError(f"{name} must be a bastide.{expected}, got {show(value)}")


def _unsuited(why: str) -> NoReturn:
    raise IllegalActionError(f"the deck does not suit the state: {why}")


def _shuffled(game: "Game", counts: Sequence[int], rng: Rng) -> Deck:
    """Shuffle so many of each tile, pile by pile in the order of PILES; the lake ends the river (R1)."""
    _expect("rng", rng, Rng)
    piles: dict[str, list[int]] = {pile: [] for pile in PILES}
    lakes: list[int] = []
    for tile, count in enumerate(counts):
        is_lake = game.tiles[tile].river_role == "lake"
        (lakes if is_lake else piles[game.tiles[tile].pile]).extend([tile] * count)
    for pile in piles.values():
        for i in range(len(pile) - 1, 0, -1):
            k = rng.below(i + 1)
            pile[i], pile[k] = pile[k], pile[i]
    return Deck(game, piles["deck"], piles["river"] + lakes, piles["tower"])


def _fault(game: "Game", piles: Sequence[Sequence[int]]) -> str:
    """Say what is wrong with the piles of a deck; "" if nothing is."""
    counts = [count for _, count in type_tiles(game.selection)]
    for name, pile in zip(PILES, piles, strict=True):
        for tile, n in Counter(pile).items():
            if not 0 <= tile < len(counts):
                return f"deck: pile {name!r}: {show(tile)} is no tile (expected 0 .. {len(counts) - 1})"
            if game.tiles[tile].pile != name:
                return f"deck: pile {name!r}: {game.tiles[tile].id} is of the pile {game.tiles[tile].pile!r}"
            if n > counts[tile]:
                return f"deck: pile {name!r}: {n} of {game.tiles[tile].id} (expected at most {counts[tile]})"
    if any(game.tiles[tile].river_role == "lake" for tile in piles[1][:-1]):
        return "deck: pile 'river': the lake is not the last (R1)"
    return ""


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECKSUM.size).digest()


def _unpacked(body: bytes) -> list[tuple[int, ...]]:
    """Return the piles of a body: for each a count and so many tiles, two bytes a number."""
    if len(body) % 2:
        raise SnapshotError(f"deck: the body has {len(body)} bytes (expected an even number)")
    numbers = [number for (number,) in struct.iter_unpack("<H", body)]
    piles = []
    at = 0
    for name in PILES:
        n = numbers[at] if at < len(numbers) else len(numbers)
        if at + 1 + n > len(numbers):
            raise SnapshotError(f"deck: the pile {name!r} goes beyond the end of the body")
        piles.append(tuple(numbers[at + 1 : at + 1 + n]))
        at += 1 + n
    if at != len(numbers):
        raise SnapshotError(f"deck: {len(numbers) - at} numbers follow the last pile (expected none)")
    return piles
