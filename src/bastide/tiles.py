"""Hold sets of tiles, and pick the tiles of a game from them.

A `TileSet` is what tile files say; `select` takes from it what the rules ask for (B2, B14, R1, R5). A single
tile is in `tile`, reading and checking a file in `tilefile`, which set a box has in `rules`.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from bastide.errors import RulesError, TileDataError, reason, show
from bastide.rules import BOXES, Rules
from bastide.tile import Tile
from bastide.tilefile import MAX_FILE_BYTES, Place, read

__all__ = ["MAX_PENNANTS", "MAX_SEGMENTS", "MAX_TILES", "Selection", "TileSet", "select"]

MAX_TILES = 1000  # in a game, the start tile included
MAX_SEGMENTS = 16_000  # in a game; MAX_TILES and MAX_SEGMENTS_PER_TILE see to it
MAX_PENNANTS = 4_000  # in a game: city segments and their pennants


@dataclass(frozen=True, slots=True, repr=False)
class TileSet:
    """Hold tile definitions and named sets of them; immutable."""

    name: str
    tiles: Mapping[str, Tile]  # id -> definition, in file order
    sets: Mapping[str, Mapping[str, int]]  # set name -> id -> count, in file order
    start: str | None  # id of the base game's start tile
    own: frozenset[str]  # names of the sets that come from own files

    @staticmethod
    def builtin() -> "TileSet":
        """Return the tiles of all boxes. Cost: reads the files once, then nothing.

        >>> sum(TileSet.builtin().sets["base_c1"].values())
        72
        """
        return _builtin()

    @staticmethod
    def load(path: str | os.PathLike[str]) -> "TileSet":
        """Read a tile file.

        Errors: TileDataError if it cannot be read or is at fault.
        """
        file = os.fsdecode(path)
        try:
            with open(file, "rb") as stream:
                data = stream.read(MAX_FILE_BYTES + 1)
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
            raise TileDataError(f"{file}: cannot be read: {reason(error)}") from error
        return _own(data, file)

    @staticmethod
    def loads(text: str, name: str = "<text>") -> "TileSet":
        """Read the text of a tile file; `name` stands for the file in messages.

        A set may name tiles of the built-in boxes without defining them.

        Errors: TileDataError if the text is at fault.
        """
        if not isinstance(text, str):
            raise TileDataError(f"{show(name)}: the text of a tile file is a string, got {show(text)}")
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise TileDataError(f"{name}: not UTF-8 text: {error.reason}") from error
        return _own(data, name)

    def overlaid(self, other: "TileSet") -> "TileSet":
        """Return these tiles and sets with those of `other` in the place of the same names."""
        return _tile_set(
            f"{self.name}+{other.name}",
            {**self.tiles, **other.tiles},
            {**self.sets, **other.sets},
            other.start or self.start,
            (self.own - other.sets.keys()) | other.own,
        )

    def __hash__(self) -> int:
        return hash((tuple(self.tiles.values()), tuple(self.sets), self.start))

    def __repr__(self) -> str:
        return f"<TileSet {self.name}: {len(self.tiles)} tiles, sets {', '.join(self.sets)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        sets = {name: dict(counts) for name, counts in self.sets.items()}
        return _tile_set, (self.name, dict(self.tiles), sets, self.start, self.own)


@dataclass(frozen=True, slots=True)
class Selection:
    """Hold the tiles of one game: `entries` of (tile, how many besides the start tile), and the start tile.

    Entries come box by box in the order of `Rules.boxes`, within a box in the order of its set. Each id is
    there once, at its first place. The pile of each is `tile.pile`; the spring as start tile is no entry.
    """

    entries: tuple[tuple[Tile, int], ...]
    start: Tile

    @property
    def n_tiles(self) -> int:
        """Count the tiles in play, the start tile included."""
        return 1 + sum(count for _, count in self.entries)

    def canonical(self) -> dict[str, Any]:
        """Return what matters for the rules as plain JSON values, in the order of the entries."""
        return {
            "start": self.start.canonical(),
            "tiles": [[tile.canonical(), count] for tile, count in self.entries],
        }


def select(rules: Rules, tiles: TileSet | None = None) -> Selection:
    """Pick the tiles that `rules` ask for, from own `tiles` where they replace built-in sets.

    Errors: TileDataError if own tiles do not suit the rules: a set that is not used, no start tile, a pile or
    river role out of its place, more tiles or segments than a game can have. RulesError if there are copies
    (B14) and they are too many.

    >>> picked = select(Rules(copies=2))
    >>> picked.start.id, sum(count for _, count in picked.entries)
    ('base.D', 143)
    """
    data = TileSet.builtin() if tiles is None else TileSet.builtin().overlaid(tiles)
    at = Place((tiles or data).name)
    used = rules.tile_sets
    for name in data.sets:
        if name in data.own and name not in used.values():
            at.fail(f"set {name!r} is not used by these rules", ", ".join(used.values()))
    counts: dict[str, int] = {}
    for box, name in used.items():
        for tile_id, count in data.sets[name].items():
            tile = data.tiles[tile_id]
            _check_place(tile, box, rules, at)
            if tile.pile != "river" or "river" in used:  # R5
                counts[tile_id] = counts.get(tile_id, 0) + count * rules.copies_of(box)
    if "river" in used:
        start = _river_end(data, used["river"], "spring", at)
        _river_end(data, used["river"], "lake", at)
        counts[start.id] -= 1
        if rules.river_start_tile == "out":
            counts[_start_tile(data, used["base"], at).id] -= 1
    else:
        start = _start_tile(data, used["base"], at)
        counts[start.id] -= 1
    picked = Selection(tuple((data.tiles[tile_id], n) for tile_id, n in counts.items() if n), start)
    _check_limits(picked, rules, at)
    return picked


def _tile_set(
    name: str,
    tiles: Mapping[str, Tile],
    sets: Mapping[str, Mapping[str, int]],
    start: str | None,
    own: frozenset[str],
) -> TileSet:
    """Make a TileSet of plain dicts, none of which is changed afterwards."""
    frozen = {key: MappingProxyType(dict(counts)) for key, counts in sets.items()}
    return TileSet(name, MappingProxyType(tiles), MappingProxyType(frozen), start, own)


def _own(data: bytes, file: str) -> TileSet:
    found = read(data, file, TileSet.builtin().tiles)
    return _tile_set(file, found.tiles, found.sets, found.start, frozenset(found.sets))


@cache
def _builtin() -> TileSet:
    """Read the tile files of all boxes; none of them defines what another one does."""
    folder = os.path.join(os.path.dirname(__file__), "data", "tiles")
    tiles: dict[str, Tile] = {}
    sets: dict[str, Mapping[str, int]] = {}
    start = None
    for box in BOXES.values():
        if box.tile_sets:
            file = f"{box.name}.toml"
            with open(os.path.join(folder, file), "rb") as stream:
                part = read(stream.read(), file, {})
            tiles.update(part.tiles)
            sets.update(part.sets)
            start = start or part.start
    return _tile_set("builtin", tiles, sets, start, frozenset())


def _check_place(tile: Tile, box: str, rules: Rules, at: Place) -> None:
    """Raise TileDataError for a tile that the rules have no place for in the set of that box."""
    if tile.river_role and box != "river":
        at.fail(f"tile {tile.id}: river_role {tile.river_role!r} in a set of the box {box!r}", "one of the river")
    if tile.pile == "tower" and "thieves" not in rules.boxes:
        at.fail(f"tile {tile.id}: pile 'tower' without the box 'thieves'", "the deck, or that box in play")


def _start_tile(data: TileSet, name: str, at: Place) -> Tile:
    """Return the start tile of the base game (B2)."""
    start = data.start
    if start is None or start not in data.sets[name]:
        at.fail(f"set {name!r}: the start tile {start} is not in it", "it there, or start = another one")
    if data.tiles[start].pile != "deck":
        at.fail(f"tile {start}: pile {data.tiles[start].pile!r} of the start tile", "a tile of the deck")
    return data.tiles[start]


def _river_end(data: TileSet, name: str, role: str, at: Place) -> Tile:
    """Return the one tile of the river set with that role (R1)."""
    ends = [tile_id for tile_id in data.sets[name] if data.tiles[tile_id].river_role == role]
    n = sum(data.sets[name][tile_id] for tile_id in ends)
    if n != 1:
        at.fail(f"set {name!r}: there are {n} tiles with river_role {role!r}", "just one")
    return data.tiles[ends[0]]


def _check_limits(picked: Selection, rules: Rules, at: Place) -> None:
    """Raise RulesError (where there are copies) or TileDataError for more than a game can have."""
    tiles = [*picked.entries, (picked.start, 1)]
    n_pennants = sum(n * sum(1 + city.pennants for city in tile.cities) for tile, n in tiles)
    for count, limit, what in (
        (picked.n_tiles, MAX_TILES, "tiles"),
        (sum(n * tile.n_segments for tile, n in tiles), MAX_SEGMENTS, "segments"),
        (n_pennants, MAX_PENNANTS, "city segments and pennants"),
    ):
        if count > limit and rules.copies:
            raise RulesError(
                f"copies={dict(rules.copies)!r} gives {count} {what} in all (expected at most {limit}, B14): "
                "choose fewer copies or boxes"
            )
        if count > limit:
            at.fail(f"the game has {count} {what} in all", f"at most {limit}")
