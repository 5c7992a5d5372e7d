"""Tile data: read the TOML files, rotate tiles (docs/tiles.md).

Sides are the letters N E S W, half-edges NL NR EL ER SL SR WL WR (left and right as seen from the tile's
centre looking out). x grows to the east, y to the south, rotations are degrees clockwise.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

TILE_FOLDER = Path(__file__).resolve().parent.parent.parent / "src" / "bastide" / "data" / "tiles"

SIDES = "NESW"
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
# The half-edge that meets this one on the neighbour: a left half meets a right half.
OPPOSITE_HALF = {half: OPPOSITE[half[0]] + {"L": "R", "R": "L"}[half[1]] for half in HALVES}
ROTATIONS = (0, 90, 180, 270)


def turn_side(side, rotation):
    """Where a side lies after turning the tile clockwise."""
    return SIDES[(SIDES.index(side) + rotation // 90) % 4]


class Segment(NamedTuple):
    """One segment of a tile as it lies."""

    kind: str  # city road river field monastery garden
    edges: tuple = ()  # sides, in the order N E S W (city, road, river)
    halves: tuple = ()  # half-edges, in the order NL .. WR (field)
    pennants: int = 0
    cities: tuple = ()  # positions, in the tile's segment list, of the cities that a field touches
    bridge: bool = False  # a bridge is a road segment of its own (G2)
    text: str = ""  # the SPOT of docs/actions.md


def make_segment(kind, edges=(), halves=(), pennants=0, cities=(), bridge=False):
    """A segment with its names in the fixed order and its text."""
    edges = tuple(side for side in SIDES if side in edges)
    halves = tuple(half for half in HALVES if half in halves)
    if kind in ("monastery", "garden"):
        text = kind
    else:
        text = f"{kind} {''.join(edges) or '-'.join(halves) or 'inside'}"
    return Segment(kind, edges, halves, pennants, tuple(sorted(cities)), bridge, text)


class Face:
    """A tile at one rotation: its edge letters by side and its list of segments."""

    def __init__(self, tile, rotation):
        data = tile.data

        def turned(sides):
            return [turn_side(side, rotation) for side in sides]

        letters = zip(SIDES, data["edges"], strict=True)
        self.edges = {turn_side(side, rotation): letter for side, letter in letters}
        # Cities come first, so that a field's indexes into the tile's cities are positions in this list too.
        self.segments = [
            make_segment("city", turned(city["edges"]), pennants=city.get("pennants", 0))
            for city in data.get("cities", [])
        ]
        self.segments += [make_segment("road", turned(road)) for road in data.get("roads", [])]
        if data.get("river"):
            self.segments.append(make_segment("river", turned(data["river"])))
        self.segments += [
            make_segment(
                "field",
                halves=[turn_side(half[0], rotation) + half[1] for half in field["halves"]],
                cities=field.get("cities", []),
            )
            for field in data.get("fields", [])
        ]
        if data.get("monastery"):
            self.segments.append(make_segment("monastery"))
        if data.get("garden"):
            self.segments.append(make_segment("garden"))

    def likeness(self):
        """Equal for two rotations that give the same edges, segments and field-city contacts (B4)."""
        segments = sorted(
            (s.kind, s.edges, s.halves, s.pennants, sorted(self.segments[city].edges for city in s.cities))
            for s in self.segments
        )
        return [self.edges[side] for side in SIDES], segments


class Tile:
    """A tile of the data files with its four faces by rotation."""

    def __init__(self, data):
        self.data = data
        self.id = data["id"]
        self.foundation = bool(data.get("foundation"))
        self.thief = data.get("thief")  # value of a thief tile, else None
        self.watchtower = data.get("watchtower")  # {subject, points} or None
        self.river_role = data.get("river_role")  # spring, lake or None
        self.pile = data.get("pile", "deck")  # deck, river, tower
        self.faces = {rotation: Face(self, rotation) for rotation in ROTATIONS}
        # B4: of equal rotations only the smallest is a placement.
        self.rotations = []
        seen = []
        for rotation in ROTATIONS:
            likeness = self.faces[rotation].likeness()
            if likeness not in seen:
                seen.append(likeness)
                self.rotations.append(rotation)


def read_file(path):
    """One tile file: (tiles by id, sets by name, start tile id or None)."""
    with Path(path).open("rb") as stream:
        document = tomllib.load(stream)
    tiles = {data["id"]: Tile(data) for data in document.get("tile", [])}
    return tiles, document.get("sets", {}), document.get("start")


@cache
def read_package_tiles():
    """All tile files of the package: (tiles by id, sets by name)."""
    files = sorted(TILE_FOLDER.glob("*.toml"))
    if not files:
        raise FileNotFoundError(f"no tile files in {TILE_FOLDER}")
    all_tiles, all_sets = {}, {}
    for path in files:
        tiles, sets, _ = read_file(path)
        all_tiles.update(tiles)
        all_sets.update(sets)
    return all_tiles, all_sets


def read_tiles(own_file=None):
    """The package's tiles and sets, overlaid by those of an own file: (tiles, sets, start tile id)."""
    tiles, sets = read_package_tiles()
    if own_file is None:
        return tiles, sets, "base.D"
    own_tiles, own_sets, start = read_file(own_file)
    return {**tiles, **own_tiles}, {**sets, **own_sets}, start or "base.D"
