"""Read tile files and check them.

The notation is in docs/tiles.md, what a tile is in `tile`, the limits of a whole game in `tiles`. Every fault
is a TileDataError of the form "FILE: tile ID: what is wrong (what was expected)".
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from bastide.errors import TileDataError, show
from bastide.rules import BOXES
from bastide.tile import EDGES, HALVES, City, Field, Tile, Watchtower, clockwise, in_order

__all__ = ["MAX_CONTACTS_PER_TILE", "MAX_FILE_BYTES", "MAX_SEGMENTS_PER_TILE", "Place", "TileFile", "read"]

FORMAT = 1
TERRAINS = {"C": "city", "R": "road", "F": "field", "V": "river"}
SUBJECTS = ("meeple", "pennant", "road", "monastery", "city")
RIVER_ROLES = ("spring", "lake")
PILES = ("deck", "river", "tower")
SOURCES = ("jcz", "picture", "caption", "inferred", "reconstruction", "own")


MAX_FILE_BYTES = 1 << 20
MAX_COUNT = 1000  # of one tile in a set
MAX_SEGMENTS_PER_TILE = 12  # cities, roads, fields, monastery, garden
MAX_CONTACTS_PER_TILE = 16  # pairs of a field and a city it touches
MAX_PENNANTS_PER_CITY = 9
MAX_VALUE = 9  # of a thief or a watchtower
MAX_NAME = 40  # characters of an id or a set name
MAX_NOTE = 500

_KINDS = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
_FILE_KEYS = {"format": int, "box": str, "start": str, "sets": dict, "tile": list}
_TILE_KEYS = {
    "id": str,
    "edges": str,
    "cities": list,
    "roads": list,
    "river": str,
    "fields": list,
    "monastery": bool,
    "garden": bool,
    "foundation": bool,
    "thief": int,
    "watchtower": dict,
    "river_role": str,
    "pile": str,
    "jcz": str,
    "source": str,
    "note": str,
}
_CITY_KEYS = {"edges": str, "pennants": int}
_FIELD_KEYS = {"halves": list, "cities": list}
_WATCHTOWER_KEYS = {"subject": str, "points": int}
_NAME = re.compile(rf"[A-Za-z0-9._-]{{1,{MAX_NAME}}}", re.ASCII)
_NAME_FORM = f"1 to {MAX_NAME} of A-Z a-z 0-9 . _ -"


@dataclass(frozen=True, slots=True)
class TileFile:
    """Hold what one file says."""

    tiles: Mapping[str, Tile]  # in file order, then those named only
    sets: Mapping[str, Mapping[str, int]]
    start: str | None


class Place:
    """Know the place in a file that is being read, and raise the faults found there."""

    __slots__ = ("file", "place")

    def __init__(self, file: str, place: str = "") -> None:
        self.file = file
        self.place = place

    def fail(self, what: str, expected: str) -> NoReturn:
        raise TileDataError(f"{self.file}: {self.place}{what} (expected {expected})")

    def table(self, value: object, kinds: Mapping[str, type], what: str = "") -> dict[str, Any]:
        """Return a table, its keys known and their values of the right kinds."""
        if type(value) is not dict:
            self.fail(f"{what}is {show(value)}", "a table")
        for key, entry in value.items():
            if key not in kinds:
                self.fail(f"{what}unknown key {show(key)}", ", ".join(kinds))
            if type(entry) is not kinds[key]:
                self.fail(f"{what}{key} is {show(entry)}", _KINDS[kinds[key]])
        return value

    def one_of(self, key: str, value: str, known: Iterable[str]) -> str:
        if value not in known:
            self.fail(f"unknown {key} {show(value)}", ", ".join(known))
        return value

    def number(self, key: str, value: object, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            self.fail(f"{key} is {show(value)}", f"a whole number from {low} to {high}")
        return value

    def text(self, key: str, value: str, longest: int) -> str:
        if len(value) > longest or not value.isprintable():
            self.fail(f"{key} is {show(value)}", f"at most {longest} printable characters")
        return value


def read(data: bytes, file: str, known: Mapping[str, Tile]) -> TileFile:
    """Return what a tile file says; `known` are the tiles that its sets may name without defining them.

    Errors: TileDataError, which names `file`, the tile or set, the fault and what was expected.
    """
    at = Place(file)
    if len(data) > MAX_FILE_BYTES:
        at.fail("the file is too large", f"at most {MAX_FILE_BYTES} bytes")
    try:
        table = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise TileDataError(f"{file}: not UTF-8 text: {error.reason} at byte {error.start}") from error
    except (ValueError, RecursionError) as error:  # a huge number is a plain ValueError
        raise TileDataError(f"{file}: not TOML: {error}") from error
    if table.get("format") != FORMAT or type(table["format"]) is not int:
        at.fail(f"format is {show(table['format']) if 'format' in table else 'missing'}", f"format = {FORMAT}")
    at.table(table, _FILE_KEYS)
    if "box" in table:
        at.one_of("box", table["box"], [box.name for box in BOXES.values() if box.tile_sets])
    tiles: dict[str, Tile] = {}
    for number, entry in enumerate(table.get("tile", []), start=1):
        tile = _tile(entry, file, number)
        if tile.id in tiles:
            Place(file, f"tile {tile.id}: ").fail("the id is there twice", "each tile once")
        tiles[tile.id] = tile
    sets: dict[str, Mapping[str, int]] = {}
    for name, counts in table.get("sets", {}).items():
        sets[name] = _set(name, counts, file, {**known, **tiles})
        tiles.update({tile_id: known[tile_id] for tile_id in sets[name] if tile_id not in tiles})
    if not sets:
        at.fail("there is no set", "at least one [sets.NAME] with tile ids and counts")
    start = table.get("start")
    if start is not None and start not in tiles and start not in known:
        at.fail(f"start names an unknown tile {show(start)}", "a tile of this file or of the built-in boxes")
    return TileFile(tiles, sets, start)


def _set(name: str, counts: object, file: str, known: Mapping[str, Tile]) -> Mapping[str, int]:
    """Return the counts of a set."""
    at = Place(file, f"set {show(name)}: ")
    if not _NAME.fullmatch(name):
        at.fail("the name is not possible", _NAME_FORM)
    if type(counts) is not dict or not counts:
        at.fail(f"is {show(counts)}", "a table of tile ids with counts")
    for tile_id, count in counts.items():
        if tile_id not in known:
            at.fail(f"unknown tile {show(tile_id)}", "a tile of this file or of the built-in boxes")
        at.number(f"the count of {tile_id}", count, 1, MAX_COUNT)
    return counts


def _tile(entry: object, file: str, number: int) -> Tile:
    """Return the tile that a [[tile]] table describes; `number` counts the tiles of the file from 1."""
    at = Place(file, f"tile number {number}: ")
    if type(entry) is not dict or type(entry.get("id")) is not str:
        at.fail("there is no id", 'id = "..."')
    if not _NAME.fullmatch(entry["id"]):
        at.fail(f"id {show(entry['id'])} is not possible", _NAME_FORM)
    at.place = f"tile {entry['id']}: "
    table = at.table(entry, _TILE_KEYS)
    edges = table.get("edges", "")
    if len(edges) != 4 or not set(edges) <= set(TERRAINS):
        at.fail(f"edges is {show(edges)}", "four letters N E S W of C city, R road, F field, V river")
    cities, roads, river = _edge_segments(table, edges, at)
    fields = _fields(table.get("fields", []), edges, len(cities), at)
    ordered_cities, ordered_roads, ordered_fields = in_order(cities, roads, fields)
    tile = Tile(
        id=entry["id"],
        edges=edges,
        cities=ordered_cities,
        roads=ordered_roads,
        river=clockwise(river),
        fields=ordered_fields,
        monastery=table.get("monastery", False),
        garden=table.get("garden", False),
        foundation=table.get("foundation", False),
        thief=at.number("thief", table["thief"], 1, MAX_VALUE) if "thief" in table else 0,
        watchtower=_watchtower(table["watchtower"], at) if "watchtower" in table else None,
        river_role=at.one_of("river_role", table["river_role"], RIVER_ROLES) if "river_role" in table else "",
        pile=at.one_of("pile", table.get("pile", "deck"), PILES),
        jcz=at.text("jcz", table["jcz"], MAX_NAME) if "jcz" in table else None,
        source=at.one_of("source", table.get("source", "own"), SOURCES),
        note=at.text("note", table.get("note", ""), MAX_NOTE),
    )
    _check_tile(tile, at)
    return tile


def _watchtower(value: object, at: Place) -> Watchtower:
    table = at.table(value, _WATCHTOWER_KEYS, "watchtower: ")
    subject = at.one_of("watchtower subject", table.get("subject", ""), SUBJECTS)
    return Watchtower(subject, at.number("watchtower points", table.get("points", 0), 1, MAX_VALUE))


def _edge_segments(table: Mapping[str, Any], edges: str, at: Place) -> tuple[list[City], list[str], str]:
    """Return the city, road and river segments, each edge of these terrains checked to be in just one."""
    seen: set[str] = set()

    def segment(what: str, text: object, terrain: str) -> str:
        if type(text) is not str or not text:
            at.fail(f"{what} is {show(text)}", f"the edges it joins, out of {EDGES}")
        for edge in text:
            if edge not in EDGES:
                at.fail(f"{what} {show(text)} names an unknown edge {edge!r}", f"edges out of {EDGES}")
            found = edges[EDGES.index(edge)]
            if found != terrain:
                at.fail(f"{what} {text!r} names the edge {edge}, a {TERRAINS[found]}", f"a {TERRAINS[terrain]}")
            if edge in seen:
                at.fail(f"{what} {text!r} names the edge {edge} again", "each edge in one segment")
            seen.add(edge)
        return text

    cities = []
    for value in table.get("cities", []):
        city = at.table(value, _CITY_KEYS, "city: ")
        pennants = at.number("pennants", city.get("pennants", 0), 0, MAX_PENNANTS_PER_CITY)
        cities.append(City(segment("city", city.get("edges"), "C"), pennants))
    roads = [segment("road", road, "R") for road in table.get("roads", [])]
    river = segment("river", table["river"], "V") if "river" in table else ""
    for edge, terrain in zip(EDGES, edges, strict=True):
        if terrain != "F" and edge not in seen:
            at.fail(f"the edge {edge} is in no segment", f"a {TERRAINS[terrain]} segment that names it")
    return cities, roads, river


def _fields(values: list[object], edges: str, n_cities: int, at: Place) -> list[Field]:
    """Return the fields, each half-edge that can be field checked to be in just one."""
    seen: set[str] = set()
    fields = []
    for value in values:
        table = at.table(value, _FIELD_KEYS, "field: ")
        halves, cities = table.get("halves"), table.get("cities", [])
        if halves is None:
            at.fail("a field has no halves", "halves = [...], empty for an inner field")
        for half in halves:
            if half not in HALVES:
                at.fail(f"a field names an unknown half-edge {show(half)}", f"some of {' '.join(HALVES)}")
            if edges[EDGES.index(half[0])] == "C":
                at.fail(f"a field names {half}, half of a city edge", "half-edges of the other edges")
            if half in seen:
                at.fail(f"a field names {half} again", "each half-edge in one field")
            seen.add(half)
        for city in cities:
            if type(city) is not int or not 0 <= city < n_cities:
                at.fail(f"a field touches an unknown city {show(city)}", f"an index below {n_cities}")
        if len(set(cities)) != len(cities):
            at.fail(f"a field touches a city twice: {show(cities)}", "each index once")
        if not halves and not cities:
            at.fail("an inner field touches no city", "half-edges or cities")
        fields.append(Field(tuple(halves), tuple(cities)))
    for half in HALVES:
        if edges[EDGES.index(half[0])] != "C" and half not in seen:
            at.fail(f"the half-edge {half} is in no field", "a field that names it")
    return fields


def _check_tile(tile: Tile, at: Place) -> None:
    """Raise the faults that lie between the parts of a tile."""
    if tile.n_segments > MAX_SEGMENTS_PER_TILE:
        at.fail(f"there are {tile.n_segments} segments", f"at most {MAX_SEGMENTS_PER_TILE}")
    contacts = sum(len(field.cities) for field in tile.fields)
    if contacts > MAX_CONTACTS_PER_TILE:
        at.fail(f"there are {contacts} contacts of fields with cities", f"at most {MAX_CONTACTS_PER_TILE}")
    if sum(not field.halves for field in tile.fields) > 1:
        at.fail("there are several inner fields", "at most one, as an action could not tell them apart")
    if tile.monastery and tile.garden:
        at.fail("there are a monastery and a garden", "one of them")
    if (tile.pile == "river") != bool(tile.river):
        at.fail(
            f"pile {tile.pile!r} and river {tile.river!r}",
            "a river on the tiles of the river pile, only there",
        )
    if tile.river and len(tile.river) != (1 if tile.river_role else 2):
        at.fail(f"river {tile.river!r}", "one edge for spring and lake, two for the others")
    if tile.river_role and not tile.river:
        at.fail(f"river_role {tile.river_role!r} without a river", "a river edge")
    if tile.pile != "deck" and tile.thief:
        at.fail(f"a thief in the pile {tile.pile!r}", "thieves in the deck")
