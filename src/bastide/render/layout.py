"""Where everything on a tile lies: walls, roads, water, buildings, and the spots of figures.

A layout is made from the tile's segments alone, at rotation 0. Roads that lead nowhere end at the tile's hub or at a
city's wall, whatever keeps apart the fields that the data keeps apart; where nothing else does, a hedge is drawn. Its
drawing is in `terrain`.
"""

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bastide.render.curves import (
    CELL,
    CELLS,
    CENTRE,
    Path,
    Points,
    cubic,
    distances,
    is_inside,
    length,
    outline,
    sampled,
    turn,
)
from bastide.spots import spot_names
from bastide.tile import EDGES, HALVES, Tile

__all__ = ["MONASTERY", "ROAD", "WATER", "Item", "Layout", "Region", "layout"]

ROAD, WATER, HEDGE = 4.5, 7.5, 2.0  # half widths of what parts fields
MONASTERY, WATCHTOWER, FOUNDATION, GARDEN, THIEF, PENNANT = 15.0, 13.0, 11.0, 10.0, 9.0, 9.0  # radii
FIGURE = 11.0  # room that a figure needs

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Item:
    """Something that stands at a point."""

    kind: str  # monastery, garden, foundation, watchtower, thief, pennant
    at: complex
    radius: float


@dataclass(slots=True)
class Region:
    """The area of a segment: what of the tile belongs to it, and where its figure stands."""

    path: list[Path]  # closed borders; of a road, the open line in its middle
    is_line: bool
    spot: complex


@dataclass(slots=True)
class Layout:
    """Where everything on a tile lies."""

    cities: list[Path] = field(default_factory=list)  # closed
    walls: list[list[Path]] = field(default_factory=list)  # of each city
    roads: list[Path] = field(default_factory=list)
    arms: list[Path] = field(default_factory=list)  # what joins the hub to a road of three or more edges
    river: Path | None = None
    hedges: list[Path] = field(default_factory=list)
    gates: list[tuple[complex, complex]] = field(default_factory=list)  # where a road meets a wall, and its direction
    bars: list[tuple[complex, complex]] = field(default_factory=list)  # where a road ends on another one
    hub: complex = CENTRE
    is_village: bool = False  # several roads end at the hub
    items: list[Item] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)  # in the order of the segments
    ground: list[Mask] = field(default_factory=list)  # cells of each segment, for what is strewn over them


def _edge(edge: str) -> complex:
    """Return the middle of an edge."""
    return turn(50 + 0j, EDGES.index(edge))


@lru_cache(maxsize=1024)
def layout(tile: Tile) -> Layout:
    """Return where everything on a tile lies, at rotation 0. Shared: not to be changed."""
    return _Plan(tile).done()


@dataclass(frozen=True, slots=True)
class _Split:
    """A place on the tile's border where two fields meet that must be kept apart."""

    order: float  # clockwise: 0 is the middle of N, 0.5 the corner NE
    at: complex
    road: int | None  # None: a corner
    is_river: bool = False


class _Plan:
    """Draw up a layout."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.out = Layout()
        self.field_of = {half: i for i, part in enumerate(tile.fields) for half in part.halves}
        self.arcs: dict[int, list[tuple[int, Path]]] = {}  # city -> (first edge beyond its start, wall)
        self.ends: dict[int, complex] = {}  # a road of one edge -> where it ends
        self.through: list[tuple[str, bool]] = [(road, False) for road in tile.roads if len(road) == 2]
        if len(tile.river) == 2:
            self.through.append((tile.river, True))
        self.is_open = not (tile.monastery or tile.watchtower or tile.foundation)

    def done(self) -> Layout:
        self._lay_cities()
        self._lay_ways()
        self._measure_ground()
        self._put_items()
        self._name_regions()
        return self.out

    # -- cities

    def _lay_cities(self) -> None:
        """Lay each city along its edges; between them a wall swings over the tile."""
        for i, city in enumerate(self.tile.cities):
            numbers = sorted(map(EDGES.index, city.edges))
            starts = [n for n in numbers if (n - 1) % 4 not in numbers]
            path: Path = []
            walls: list[tuple[int, Path]] = []
            for start in starts or [0]:
                stop = start  # the last edge of this run
                while (stop + 1) % 4 in numbers and stop < start + 3:
                    stop += 1
                path += [(turn(0j, n),) for n in range(start, stop + 2)]
                gap = next((n for n in range(1, 4) if (stop + n) % 4 in numbers), 4) - 1
                if starts:
                    wall = self._wall(stop + 1, gap)
                    walls.append(((stop + 1) % 4, wall))
                    path += wall[1:]
            self.arcs[i] = walls
            self.out.cities.append(path or [(35 + 35j,), (65 + 35j,), (65 + 65j,), (35 + 65j,), (35 + 35j,)])
            self.out.walls.append([wall for _, wall in walls] if path else [self.out.cities[-1]])

    def _wall(self, start: int, gap: int) -> Path:
        """Return the wall from the corner before edge `start` clockwise over a gap of 0 to 3 edges without the city."""
        is_beside = any((start + n) % 4 == EDGES.index(edge) for n in range(gap) for city in self.tile.cities
                        for edge in city.edges)
        if gap == 3:  # the city has one edge
            is_small = any(len(city.edges) == 3 for city in self.tile.cities)
            deep, wide = (20, 34) if is_small else (36, 41)
            points = [100 + 0j, 100 - wide + deep * 1j, wide + deep * 1j, 0j]
            return cubic(turn(points[0], start - 1), (*(turn(p, start - 1) for p in points[1:]),))  # type: ignore[arg-type]
        if gap == 2:
            points = [0j, 26 + 30j, 70 + 74j, 100 + 100j]
        else:
            deep = 58 if is_beside else 37
            points = [0j, 38 + deep * 1j, 62 + deep * 1j, 100 + 0j]
        return cubic(turn(points[0], start), (*(turn(p, start) for p in points[1:]),))  # type: ignore[arg-type]

    # -- roads, river, hedges

    def _splits(self) -> list[_Split]:
        """Return what on the border parts two fields and is led on by nothing, clockwise."""
        tile, found = self.tile, []
        for n, edge in enumerate(EDGES):
            single = next((i for i, road in enumerate(tile.roads) if road == edge), None)
            is_river = len(tile.river) == 1 and tile.river == edge
            halves = self.field_of.get(edge + "L"), self.field_of.get(edge + "R")
            if (single is not None or is_river) and halves[0] != halves[1]:
                found.append(_Split(n, _edge(edge), single, is_river))
            after = self.field_of.get(EDGES[(n + 1) % 4] + "L")
            if halves[1] is not None and after is not None and halves[1] != after:
                found.append(_Split(n + 0.5, turn(100 + 0j, n), None))
        return found

    def _contacts(self) -> dict[int, int]:
        """Return, for each city of one wall that several fields touch, how often something must meet the wall."""
        contacts = {}
        for i in range(len(self.tile.cities)):
            n = sum(i in part.cities for part in self.tile.fields) - 1
            if n > 0 and len(self.arcs[i]) == 1:
                contacts[i] = n
        return contacts

    def _lay_ways(self) -> None:
        """Lay roads and the river so that they part the fields that are apart, and hedges where they do not."""
        tile, out = self.tile, self.out
        splits, contacts = self._splits(), self._contacts()
        for i, walls in self.arcs.items():  # a road that runs into a city with several walls
            for edge, wall in walls if len(walls) > 1 else ():
                for split in [split for split in splits if split.order == edge and split.road is not None]:
                    splits.remove(split)
                    self._lead_to_wall(split, wall, 8)
            del i
        is_direct = len(contacts) == 1 and [*contacts.values()] == [len(splits)]
        if is_direct:
            ((city, _),) = contacts.items()
            ((edge, wall),) = self.arcs[city]
            splits.sort(key=lambda split: (split.order - edge) % 4)
            for i, split in enumerate(splits):
                self._lead_to_wall(split, wall, 8 + round(3.5 * (i - (len(splits) - 1) / 2)))
        singles = [road for road in tile.roads if len(road) == 1]
        is_hub = not is_direct and bool(splits or contacts)
        out.hub = self._hub(contacts if is_hub else {}, singles)
        out.is_village = is_hub and not self.through and len(singles) > 1 and self.is_open
        self._lay_roads(is_hub and bool(self.through))
        if tile.river:
            out.river = self._river(is_hub)
        if is_hub:
            out.hedges += [[(split.at,), (out.hub,)] for split in splits if split.road is None and not split.is_river]
            for city in contacts:
                wall = sampled(self.arcs[city][0][1])
                nearest = complex(wall[int(np.abs(wall - out.hub).argmin())])
                out.hedges.append([(out.hub,), (nearest,)])

    def _lead_to_wall(self, split: _Split, wall: Path, step: int) -> None:
        """Lead a road or a hedge to a wall, `step` sixteenths along it."""
        at = complex(sampled(wall)[step])
        if split.road is None:
            self.out.hedges.append([(split.at,), (at,)])
        else:
            self.ends[split.road] = at

    def _hub(self, contacts: dict[int, int], singles: list[str]) -> complex:
        """Return where what leads nowhere meets: on the road or river through the tile, and near walls to touch."""
        hub = CENTRE
        for city in self.tile.cities:
            numbers = sorted(map(EDGES.index, city.edges))
            if len(numbers) == 2 and numbers[1] - numbers[0] != 2:
                hub += 0.2 * (CENTRE - (_edge(city.edges[0]) + _edge(city.edges[1])) / 2)
        if self.tile.monastery and self.tile.river and singles:
            return hub + 0.36 * (CENTRE - _edge(singles[0]))  # room for the monastery between road and river
        middles = [complex(sampled(self.arcs[city][0][1])[8]) for city in contacts]
        if middles:
            near = sum(middles) / len(middles)
            share = (0.5 if len(middles) == 1 else 0.67) if not self.is_open else 0.8
            return hub + share * (near - hub)
        if len(self.through) == 1 and len(set(EDGES.index(edge) % 2 for edge in self.through[0][0])) == 2:
            one, two = (_edge(edge) for edge in self.through[0][0])
            return hub + 0.17 * (one + two - 2 * CENTRE)  # on the bend
        return hub

    def _lay_roads(self, meets_hub: bool) -> None:
        """Lay the roads; `meets_hub`: something else ends on the road through the tile."""
        out = self.out
        for i, road in enumerate(self.tile.roads):
            if not road:
                out.roads.append([(42 + 50j,), (58 + 50j,)])
            elif len(road) == 1:
                end = self.ends.get(i, out.hub)
                start = _edge(road)
                path = cubic(start, (start + 0.5 * (CENTRE - start), end + 0.3 * (start - end), end))
                ahead = end - path[1][1]
                if i in self.ends:
                    out.gates.append((end, ahead))
                elif meets_hub:
                    out.bars.append((end - 9 * ahead / abs(ahead), ahead))
                out.roads.append(path)
            elif len(road) == 2:
                out.roads.append(self._way(road, meets_hub))
            else:
                out.roads.append(self._joined(road[:2]))
                out.arms += [self._joined(edge) for edge in road[2:]]

    def _has_river_hub(self) -> bool:
        """Tell whether the hub lies on the river."""
        return len(self.tile.river) == 2 and not any(len(road) == 2 for road in self.tile.roads)

    def _joined(self, edges: str) -> Path:
        """Return a path from edge to edge, or from an edge, through the hub."""
        hub = self.out.hub
        path = cubic(_edge(edges[0]), ((_edge(edges[0]) + CENTRE) / 2, hub + 0.3 * (_edge(edges[0]) - hub), hub))
        for edge in edges[1:]:
            path.append((hub + 0.3 * (_edge(edge) - hub), (_edge(edge) + CENTRE) / 2, _edge(edge)))
        return path

    def _way(self, edges: str, over_hub: bool, sway: float = 3) -> Path:
        """Return a path from an edge to another; `over_hub`: through the hub."""
        one, two = (_edge(edge) for edge in edges)
        hub = self.out.hub
        if EDGES.index(edges[1]) - EDGES.index(edges[0]) == 2:  # straight across
            along = (two - one) / 100
            if not over_hub:
                hub = CENTRE + along * 1j * sway
            return cubic(
                one,
                (one + 22 * along, hub - 20 * along, hub),
                (hub + 20 * along, two - 22 * along, two),
            )
        if over_hub:
            slope = (two - one) / abs(two - one)
            return cubic(
                one, ((one + CENTRE) / 2, hub - 9 * slope, hub), (hub + 9 * slope, (two + CENTRE) / 2, two)
            )
        return cubic(one, (one + 0.5 * (CENTRE - one), two + 0.5 * (CENTRE - two), two))

    def _river(self, is_hub: bool) -> Path:
        edges = self.tile.river
        if len(edges) == 1:
            start, end = _edge(edges), self.out.hub
            return cubic(start, (start + 0.5 * (CENTRE - start), end + 0.3 * (start - end) + 4j, end))
        over_hub = (is_hub or self.out.hub != CENTRE) and self._has_river_hub()
        return self._way(edges, over_hub, sway=-5)

    # -- areas

    def _measure_ground(self) -> None:
        """Find the cells of each segment: what lies in a city, along a road, and the fields between them."""
        tile, out = self.tile, self.out
        is_city = [is_inside(CELLS, sampled(path)) for path in out.cities]
        is_road = [distances(CELLS, sampled(path)) < ROAD for path in out.roads]
        self.blocked = np.zeros(CELLS.shape, bool)
        for mask in [*is_city, *is_road]:
            self.blocked |= mask
        for path, width in [
            *((path, ROAD) for path in out.arms),
            *((path, HEDGE) for path in out.hedges),
            *(((out.river, WATER),) if out.river else ()),
        ]:
            self.blocked |= distances(CELLS, sampled(path)) < width
        if tile.river_role:
            self.blocked |= np.abs(CELLS - out.hub) < 14
        at_hub = self._hub_radius()
        if at_hub:
            self.blocked |= np.abs(CELLS - out.hub) < at_hub
        areas = _areas(~self.blocked)
        fields = [np.zeros(CELLS.shape, bool) for _ in tile.fields]
        rest = []
        for area in areas:
            numbers = [self.field_of[half] for half in HALVES if half in self.field_of and area[_half_cell(half)]]
            if numbers:
                for number in dict.fromkeys(numbers):
                    fields[number] |= area
            else:
                rest.append(area)
        for number, part in enumerate(tile.fields):  # an inner field is what touches no edge
            if not fields[number].any() and rest and not part.halves:
                fields[number] |= rest.pop(max(range(len(rest)), key=lambda i: int(rest[i].sum())))
        self.areas = areas
        out.ground = [*is_city, *is_road, *fields]

    def _hub_radius(self) -> float:
        """Return how far the building at the hub reaches; 0 where it stands elsewhere or parts nothing."""
        tile = self.tile
        n = len([split for split in self._splits() if split.road not in self.ends])
        if n < 1 or self.through:
            return 0
        return 6 if self.is_open else 8

    # -- what stands there

    def _put_items(self) -> None:
        """Find a place for buildings, pennants and signs, the large ones first."""
        tile, out = self.tile, self.out
        singles = [i for i, road in enumerate(tile.roads) if len(road) == 1]
        has_way = bool(self.through)
        ends = list(self.ends)
        ends = [i for i in ends if length(sampled(out.roads[i])) > 40]
        on_road = complex(sampled(out.roads[ends[0]])[8]) if ends else None
        at_hub = bool(singles) and not self.ends or bool(out.hedges) and not self.ends
        if tile.monastery:
            if tile.river and singles:
                self._put("monastery", (out.hub + _edge(tile.roads[singles[0]])) / 2, MONASTERY)
            elif (at_hub and not has_way) or not (tile.roads or tile.river or tile.cities or tile.foundation):
                self._put("monastery", out.hub, MONASTERY)
            else:
                self._put_free("monastery", MONASTERY, needed=13)
        for kind, radius, wanted in (
            ("watchtower", WATCHTOWER, tile.watchtower is not None),
            ("foundation", FOUNDATION, tile.foundation),
        ):
            if not wanted:
                continue
            if on_road is not None:
                self._put(kind, on_road, radius)
            elif self.ends:
                self._put(kind, self.ends[next(iter(self.ends))], radius)
            elif at_hub or (has_way and self._contacts()):
                self._put(kind, out.hub, radius)
            else:
                self._put_free(kind, radius, needed=radius)
        if tile.garden:
            self._put_free("garden", GARDEN)
        if tile.thief:
            self._put_free("thief", THIEF)
        for i, city in enumerate(tile.cities):
            for _ in range(city.pennants):
                self._put("pennant", self._pole(out.ground[i], edge=6)[0], PENNANT)

    def _put(self, kind: str, at: complex, radius: float) -> None:
        self.out.items.append(Item(kind, at, radius))

    def _put_free(self, kind: str, radius: float, needed: float = 0) -> None:
        """Put something where most room is: on a field, else, if there is not the room needed, anywhere."""
        fields = self.out.ground[len(self.tile.cities) + len(self.tile.roads) :]
        at, room = self._pole(np.any(fields, axis=0) if fields else np.zeros(CELLS.shape, bool), edge=radius)
        if room < needed or not fields:
            everywhere = self.out.ground[: len(self.tile.cities)]
            other, more = self._pole(np.any(everywhere, axis=0), edge=radius) if everywhere else (self.out.hub, 0.0)
            if more > room or not fields:
                at = other
            if more < needed and self.through:  # no room anywhere: on the road
                at = complex(sampled(self.out.roads[0] if self.out.roads else self.out.river or [(CENTRE,)])[8])
        self._put(kind, at, radius)

    def _pole(self, area: Mask, edge: float = 0.0) -> tuple[complex, float]:
        """Return the point of an area with most room around it, and how much; `edge`: keep so far from tile edges."""
        if not area.any():
            return self.out.hub, 0.0
        inside = CELLS[area]
        others = CELLS[~area]
        room = np.min(np.abs(inside[:, None] - others[None, :]), axis=1) if len(others) else np.full(inside.shape, 99.0)
        border = np.minimum.reduce([inside.real, inside.imag, 100 - inside.real, 100 - inside.imag])
        room = np.minimum(room, np.maximum(border - edge, 0) + 1 if edge else border + 8)
        for item in self.out.items:
            room = np.minimum(room, np.abs(inside - item.at) - item.radius)
        best = room - 0.02 * np.abs(inside - CENTRE)  # of equal ones the most central
        i = int(best.argmax())
        return complex(inside[i]), float(room[i])

    # -- segments

    def _name_regions(self) -> None:
        """Tell the area and the spot of each segment."""
        tile, out = self.tile, self.out
        n_cities, n_roads = len(tile.cities), len(tile.roads)
        for i, path in enumerate(out.cities):
            spot = self._pole(out.ground[i] & ~np.any(out.ground[n_cities : n_cities + n_roads], axis=0)
                              if n_roads else out.ground[i], edge=6)[0]
            out.regions.append(Region([path], False, spot))
        for i, path in enumerate(out.roads):
            points = sampled(path)
            is_single = len(tile.roads[i]) == 1
            steps = (6, 8, 5, 10) if is_single else (len(points) // 2, len(points) // 3, 2 * len(points) // 3)
            spots = [complex(points[min(step, len(points) - 1)]) for step in steps]
            free = [spot for spot in spots if all(abs(spot - item.at) > item.radius for item in out.items)]
            arms = out.arms if len(tile.roads[i]) > 2 else []
            out.regions.append(Region([path, *arms], True, (free or spots)[0]))
        for i in range(len(tile.fields)):
            area = out.ground[n_cities + n_roads + i]
            parts = _areas(area)
            spot = self._pole(max(parts, key=lambda part: int(part.sum())) if parts else area)[0]
            grown = _grown(area, self.blocked)
            out.regions.append(Region(outline(grown), False, spot))
        for item in out.items:
            if item.kind in ("monastery", "garden"):
                r = item.radius
                corners = [item.at + r * 1.05 * complex(math.cos(a), math.sin(a)) for a in np.arange(8) * math.pi / 4]
                out.regions.append(Region([[(corner,) for corner in corners]], False, item.at))


def _half_cell(half: str) -> tuple[int, int]:
    """Return the row and column of a cell at a half-edge."""
    n = EDGES.index(half[0])
    at = turn(complex(14 if half[1] == "L" else 86, 0.5 * CELL), n)
    return min(int(at.imag / CELL), len(CELLS) - 1), min(int(at.real / CELL), len(CELLS) - 1)


def _areas(mask: Mask) -> list[Mask]:
    """Return the connected parts of an area, the largest first."""
    labels = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    while True:
        best = labels.copy()
        best[1:] = np.maximum(best[1:], labels[:-1])
        best[:-1] = np.maximum(best[:-1], labels[1:])
        best[:, 1:] = np.maximum(best[:, 1:], labels[:, :-1])
        best[:, :-1] = np.maximum(best[:, :-1], labels[:, 1:])
        best = np.where(mask, best, 0)
        for axis in (0, 1):  # along whole rows and columns at once
            best = _swept(_swept(best, axis), axis, reverse=True)
        if (best == labels).all():
            break
        labels = best
    parts = [labels == label for label in np.unique(labels[labels > 0])]
    return sorted((part for part in parts if part.sum() > 3), key=lambda part: -int(part.sum()))


def _swept(labels: NDArray[np.int64], axis: int, reverse: bool = False) -> NDArray[np.int64]:
    """Let the labels run along an axis as far as there is ground."""
    rows = np.moveaxis(labels, axis, 0)
    rows = rows[::-1] if reverse else rows
    for i in range(1, len(rows)):
        rows[i] = np.where((rows[i] > 0) & (rows[i - 1] > rows[i]), rows[i - 1], rows[i])
    return labels


def _grown(area: Mask, over: Mask) -> Mask:
    """Return an area with the cells beside it that are under a road, a wall or water."""
    grown = area.copy()
    grown[1:] |= area[:-1]
    grown[:-1] |= area[1:]
    grown[:, 1:] |= area[:, :-1]
    grown[:, :-1] |= area[:, 1:]
    return area | (grown & over)


def spots(tile: Tile, quarter_turns: int) -> dict[str, complex]:
    """Return where a figure stands on each segment of a tile as it lies, by the names of docs/actions.md."""
    names = spot_names(tile, quarter_turns)
    return {name: turn(region.spot, quarter_turns) for name, region in zip(names, layout(tile).regions, strict=False)}
