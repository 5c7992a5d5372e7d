"""Hold what a tile is: its segments, and how it turns.

Tile files are read in `tilefile`, the tiles of a game picked in `tiles`. Each edge N E S W has a left and a
right half as seen from the centre of the tile looking out; clockwise they come NL NR EL ER SL SR WL WR. Turns
are clockwise: a quarter turn takes N to E, NL to EL.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["EDGES", "HALVES", "City", "Field", "Tile", "Watchtower", "clockwise", "in_order", "rotate"]

EDGES = "NESW"
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")


@dataclass(frozen=True, slots=True)
class City:
    """Hold a city segment: the edges it joins in the order N E S W, and its pennants."""

    edges: str
    pennants: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """Hold a field segment: its half-edges clockwise from NL, the indexes of cities it touches ascending."""

    halves: tuple[str, ...]  # empty: an inner field
    cities: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Watchtower:
    """Hold what a watchtower counts (W4) and the points for each."""

    subject: str
    points: int


@dataclass(frozen=True, slots=True)
class Tile:
    """Hold one tile as printed, at rotation 0.

    Segments are in one order, whatever the file says: by their first edge or half-edge, clockwise from N; an
    inner field comes last.
    """

    id: str
    edges: str  # terrain letters, N E S W
    cities: tuple[City, ...] = ()
    roads: tuple[str, ...] = ()
    river: str = ""  # edges of the river; "": none
    fields: tuple[Field, ...] = ()
    monastery: bool = False
    garden: bool = False
    foundation: bool = False  # of a tower
    thief: int = 0  # value; 0: no thief
    watchtower: Watchtower | None = None
    river_role: str = ""  # spring, lake; "": neither
    pile: str = "deck"
    jcz: str | None = None
    source: str = "own"
    note: str = ""

    def rotated(self, q: int) -> "Tile":
        """Return the tile after `q` quarter turns clockwise.

        >>> Tile("v", "FFRR", roads=("SW",)).rotated(1).roads
        ('NW',)
        """
        q %= 4
        cities, roads, fields = in_order(
            [City(rotate(city.edges, q), city.pennants) for city in self.cities],
            [rotate(road, q) for road in self.roads],
            [Field(tuple(rotate(half, q) for half in field.halves), field.cities) for field in self.fields],
        )
        edges = self.edges[4 - q :] + self.edges[: 4 - q]
        return replace(self, edges=edges, cities=cities, roads=roads, river=rotate(self.river, q), fields=fields)

    def rotations(self) -> tuple[tuple[int, ...], tuple[int, int, int, int]]:
        """Return the rotations that differ (B4), and for each of the four the smallest one equal to it.

        >>> Tile("u", "FRFR", roads=("EW",)).rotations()
        ((0, 1), (0, 1, 0, 1))
        """
        turned = [self.rotated(q) for q in range(4)]
        first = tuple(turned.index(tile) for tile in turned)
        return tuple(sorted(set(first))), (first[0], first[1], first[2], first[3])

    def canonical(self) -> dict[str, Any]:
        """Return what matters for the rules as plain JSON values: equal for tiles that play the same.

        Left out: jcz, source and note.
        """
        tower = self.watchtower
        return {
            "id": self.id,
            "edges": self.edges,
            "cities": [[city.edges, city.pennants] for city in self.cities],
            "roads": list(self.roads),
            "river": self.river,
            "fields": [[list(field.halves), list(field.cities)] for field in self.fields],
            "monastery": self.monastery,
            "garden": self.garden,
            "foundation": self.foundation,
            "thief": self.thief,
            "watchtower": None if tower is None else [tower.subject, tower.points],
            "river_role": self.river_role,
            "pile": self.pile,
        }

    @property
    def n_segments(self) -> int:
        """Count the segments on which a figure can stand."""
        return len(self.cities) + len(self.roads) + len(self.fields) + self.monastery + self.garden


def rotate(name: str, q: int) -> str:
    """Return an edge string or the name of a half-edge after `q` quarter turns clockwise.

    >>> rotate("NW", 1), rotate("NL", 1)
    ('NE', 'EL')
    """
    if name in HALVES:
        return HALVES[(HALVES.index(name) + 2 * q) % 8]
    return clockwise(EDGES[(EDGES.index(edge) + q) % 4] for edge in name)


def clockwise(edges: Iterable[str]) -> str:
    """Return edges as one string in the order N E S W."""
    return "".join(sorted(edges, key=EDGES.index))


def in_order(
    cities: list[City], roads: list[str], fields: list[Field]
) -> tuple[tuple[City, ...], tuple[str, ...], tuple[Field, ...]]:
    """Return segments in the order that `Tile` keeps, their own edges and half-edges ordered too."""
    cities = [City(clockwise(city.edges), city.pennants) for city in cities]
    order = sorted(range(len(cities)), key=lambda i: EDGES.index(cities[i].edges[0]))
    fields = [
        Field(tuple(sorted(field.halves, key=HALVES.index)), tuple(sorted(order.index(i) for i in field.cities)))
        for field in fields
    ]
    return (
        tuple(cities[i] for i in order),
        tuple(sorted(map(clockwise, roads), key=lambda road: EDGES.index(road[0]))),
        tuple(sorted(fields, key=lambda field: HALVES.index(field.halves[0]) if field.halves else len(HALVES))),
    )
