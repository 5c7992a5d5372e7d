"""Where everything on a tile lies, at rotation 0: what belongs to each segment, where buildings and figures stand.

The lines come from `ways`; between them the ground is measured on a grid, and what stands on the tile is put where most
room is. The drawing is in `terrain`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bastide.render.curves import (
    CELL,
    CELLS,
    CENTRE,
    Mask,
    Path,
    areas,
    distances,
    is_inside,
    length,
    outline,
    room,
    sampled,
    turn,
)
from bastide.render.ways import Ways, middle_of
from bastide.tile import EDGES, Tile

__all__ = ["FIGURE", "Item", "Layout", "Region", "half_cell", "layout", "spot_beside_bridge"]

ROAD, WATER, HEDGE, POOL = 4.5, 7.5, 2.0, 14.0  # half widths of what parts fields
RADII = {"monastery": 15.0, "watchtower": 13.0, "foundation": 11.0, "garden": 10.0, "thief": 9.0, "pennant": 9.0}
FIGURE = 11.0  # room that a figure needs
BRIDGE = 17.0  # how far from the middle of a bridge it does


@dataclass(frozen=True, slots=True)
class Item:
    """Something that stands at a point."""

    kind: str  # a key of RADII
    at: complex

    @property
    def radius(self) -> float:
        """Return how much room it takes."""
        return RADII[self.kind]


@dataclass(frozen=True, slots=True)
class Region:
    """The area of a segment: what of the tile belongs to it, and where its figure stands."""

    paths: tuple[Path, ...]  # closed borders; of a road, open lines in its middle
    is_line: bool
    spot: complex


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything on a tile lies."""

    ways: Ways
    ground: tuple[Mask, ...]  # the cells of each city, road and field
    items: tuple[Item, ...]
    regions: tuple[Region, ...]  # in the order of the segments


@lru_cache(maxsize=1024)
def layout(tile: Tile) -> Layout:
    """Return where everything on a tile lies. Shared: not to be changed."""
    plan = _Plan(tile)
    return Layout(plan.ways, tuple(plan.ground), tuple(plan.items), tuple(plan.regions()))


class _Plan:
    """Draw up a layout."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.ways = Ways(tile)
        self.items: list[Item] = []
        cities = [is_inside(CELLS, sampled(path)) for path in self.ways.cities]
        roads = [distances(CELLS, sampled(path)) < ROAD for path in self.ways.roads]
        self.blocked = self._blocked(cities + roads)
        self.ground = [*cities, *roads, *self._fields()]
        self._put_items()

    def _of(self, kind: str) -> list[Mask]:
        """Return the ground of the cities, roads or fields."""
        n, m = len(self.tile.cities), len(self.tile.roads)
        return self.ground[{"city": slice(n), "road": slice(n, n + m), "field": slice(n + m, None)}[kind]]

    # -- ground

    def _blocked(self, taken: list[Mask]) -> Mask:
        """Return the cells that are no field."""
        ways = self.ways
        blocked: Mask = np.any([np.zeros(CELLS.shape, bool), *taken], axis=0)
        lines = [(path, ROAD) for path in ways.arms] + [(path, HEDGE) for path in ways.hedges]
        if ways.river is not None:
            lines.append((ways.river, WATER))
        for path, width in lines:
            blocked |= distances(CELLS, sampled(path)) < width
        if ways.ford is not None:
            blocked &= distances(CELLS, sampled(ways.ford)) > ROAD
        if self.tile.river_role:
            blocked |= np.abs(CELLS - ways.hub) < POOL
        if not ways.has_through and any(split.road not in ways.ends for split in ways.splits):
            blocked |= np.abs(CELLS - ways.hub) < (8 if ways.is_built else 6)
        return blocked

    def _fields(self) -> list[Mask]:
        """Return the cells of each field."""
        numbers = {half: i for i, part in enumerate(self.tile.fields) for half in part.halves}
        fields = [np.zeros(CELLS.shape, bool) for _ in self.tile.fields]
        rest = []
        for area in areas(~self.blocked):
            found = {number for half, number in numbers.items() if area[half_cell(half)]}
            for number in found:
                fields[number] |= area
            if not found:
                rest.append(area)
        for number, part in enumerate(self.tile.fields):  # an inner field is what touches no edge
            if not part.halves and rest:
                fields[number] |= rest[0]
        return fields

    # -- what stands there

    def _put_items(self) -> None:
        """Find a place for buildings, signs and pennants, the large ones first."""
        tile, ways = self.tile, self.ways
        is_at_hub = not ways.ends and (bool(ways.singles) or bool(ways.hedges))
        if tile.monastery:
            if tile.river and ways.singles:
                self._put("monastery", (ways.hub + middle_of(ways.singles[0])) / 2)
            elif is_at_hub and not ways.has_through:
                self._put("monastery", ways.hub)
            else:
                self._put_free("monastery", 13)
        for kind in ("watchtower", "foundation"):
            if not getattr(tile, kind):
                continue
            if ways.ends:  # along the road that leads to the wall, or at its gate
                number, end = next(iter(ways.ends.items()))
                points = sampled(ways.roads[number])
                self._put(kind, complex(points[8]) if length(points) > 40 else end)
            elif is_at_hub or (ways.has_through and ways.contacts):
                self._put(kind, ways.hub)
            else:
                self._put_free(kind, RADII[kind])
        if tile.garden:
            self._put_free("garden", 0)
        if tile.thief:
            self._put_free("thief", 0)
        for city, ground in zip(tile.cities, self._of("city"), strict=True):
            for _ in range(city.pennants):
                self._put("pennant", pole(ground, self.items, edge=6)[0])

    def _put(self, kind: str, at: complex) -> None:
        self.items.append(Item(kind, at))

    def _put_free(self, kind: str, needed: float) -> None:
        """Put something where most room is: on a field if the room needed is there, else in a city, else on the way."""
        at, free = self.ways.hub, -1.0
        for terrain in ("field", "city"):
            ground = self._of(terrain)
            if ground and free < needed:
                other, more = pole(np.any(ground, axis=0), self.items, edge=RADII[kind])
                if more > free:
                    at, free = other, more
        if free < needed and self.ways.has_through:
            points = sampled(self.ways.roads[0] if self.ways.roads else self.ways.river or [(CENTRE,)])
            at = complex(points[len(points) // 2])
        self._put(kind, at)

    # -- segments

    def regions(self) -> list[Region]:
        """Return the area and the spot of each segment."""
        ways, found = self.ways, []
        roads = np.any([np.zeros(CELLS.shape, bool), *self._of("road")], axis=0)
        for path, ground in zip(ways.cities, self._of("city"), strict=True):
            found.append(Region((path,), False, pole(ground & ~roads, self.items, edge=6)[0]))
        for road, path in zip(self.tile.roads, ways.roads, strict=True):
            arms = ways.arms if len(road) > 2 else []
            found.append(Region((path, *arms), True, self._road_spot(road, path)))
        for ground in self._of("field"):
            parts = areas(ground)
            spot = pole(parts[0] if parts else ground, self.items)[0]
            found.append(Region(tuple(outline(_grown(ground, self.blocked))), False, spot))
        for item in self.items:
            if item.kind in ("monastery", "garden"):
                ring = [item.at + item.radius * complex(math.cos(a), math.sin(a)) for a in np.arange(8) * math.pi / 4]
                found.append(Region(([(point,) for point in ring],), False, item.at))
        return found

    def _road_spot(self, road: str, path: Path) -> complex:
        """Return where a figure stands on a road: near its middle, beside what stands there."""
        points = sampled(path)
        n = len(points)
        steps = (6, 5, 4, 3, 8, 10) if len(road) == 1 else (n // 2, n // 3, 2 * n // 3)
        spots = [complex(points[min(step, n - 1)]) for step in steps]
        return next((at for at in spots if all(abs(at - item.at) > item.radius for item in self.items)), spots[0])


def pole(area: Mask, items: Sequence[Item] = (), edge: float = 0.0) -> tuple[complex, float]:
    """Return the point of an area with most room around it, and how much; `edge`: keep so far from tile edges."""
    if not area.any():
        return CENTRE, 0.0
    inside, free = CELLS[area], room(area)
    border = np.minimum.reduce([inside.real, inside.imag, 100 - inside.real, 100 - inside.imag])
    free = np.minimum(free, np.maximum(border - edge, 0) + 1 if edge else border + 8)
    for item in items:
        free = np.minimum(free, np.abs(inside - item.at) - item.radius)
    i = int((free - 0.02 * np.abs(inside - CENTRE)).argmax())  # of equal ones the most central
    return complex(inside[i]), float(free[i])


def spot_beside_bridge(plan: Layout, segment: int, is_north_south: bool) -> complex:
    """Return where a figure stands on a segment of a tile with a bridge: not below it, as far as there is room."""
    spot = plan.regions[segment].spot
    if segment >= len(plan.ground) or plan.regions[segment].is_line:
        return spot
    away = np.abs((CELLS.real if is_north_south else CELLS.imag) - 50)
    beside = plan.ground[segment] & (away > BRIDGE)
    return pole(beside, plan.items)[0] if beside.any() else spot


def half_cell(half: str) -> tuple[int, int]:
    """Return the row and column of a cell at a half-edge."""
    at = turn(complex(14 if half[1] == "L" else 86, 0.5 * CELL), EDGES.index(half[0]))
    return min(int(at.imag / CELL), len(CELLS) - 1), min(int(at.real / CELL), len(CELLS) - 1)


def _grown(area: Mask, over: Mask) -> Mask:
    """Return an area with the cells beside it that are under a road, a wall or water."""
    grown = area.copy()
    grown[1:] |= area[:-1]
    grown[:-1] |= area[1:]
    grown[:, 1:] |= area[:, :-1]
    grown[:, :-1] |= area[:, 1:]
    return area | (grown & over)
