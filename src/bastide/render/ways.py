"""Where walls, roads, the river and hedges of a tile run, at rotation 0.

Everything is made from the tile's segments alone. A road of one edge ends at the tile's hub or at a city's wall,
whichever keeps apart the fields that the data keeps apart; where nothing else does, a hedge is planted. What lies
between is measured in `layout`.
"""

from dataclasses import dataclass

import numpy as np

from bastide.render.curves import CENTRE, Path, cubic, sampled, turn
from bastide.tile import EDGES, Tile

__all__ = ["Split", "Ways", "middle_of"]


def middle_of(edge: str) -> complex:
    """Return the middle of an edge."""
    return turn(50 + 0j, EDGES.index(edge))


@dataclass(frozen=True, slots=True)
class Split:
    """A place on the tile's border where two fields meet that must be kept apart."""

    order: float  # clockwise: 0 is the middle of N, 0.5 the corner NE
    at: complex
    road: int | None  # None: a corner, or the river
    is_river: bool = False


class Ways:
    """Hold the lines of a tile."""

    cities: list[Path]  # closed
    walls: list[list[tuple[int, Path]]]  # of each city: the first edge that the wall passes, and the wall
    roads: list[Path]
    arms: list[Path]  # what joins further edges to a road of more than two
    river: Path | None = None
    ford: Path | None = None  # where a field goes on across the river
    hedges: list[Path]
    gates: list[tuple[complex, complex]]  # where a road meets a wall, and its direction
    bars: list[tuple[complex, complex]]  # where a road ends on another one, and its direction
    hub: complex  # where what leads nowhere meets
    is_hub: bool  # something is kept apart by what meets there
    is_village: bool  # several roads end at the hub, and nothing stands there
    ends: dict[int, complex]  # a road of one edge that leads to a wall -> where it does
    splits: list[Split]  # clockwise
    contacts: dict[int, int]  # a city of one wall that several fields touch -> how often something must meet the wall

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.field_of = {half: i for i, part in enumerate(tile.fields) for half in part.halves}
        self.cities, self.walls, self.roads, self.arms, self.hedges = [], [], [], [], []
        self.gates, self.bars, self.ends = [], [], {}
        self.singles = [road for road in tile.roads if len(road) == 1]
        self.through = [road for road in tile.roads if len(road) == 2]
        self.has_river_through = len(tile.river) == 2
        self.is_built = tile.monastery or tile.foundation or tile.watchtower is not None
        for i in range(len(tile.cities)):
            self._lay_city(i)
        self.splits, self.contacts = self._find_splits(), self._find_contacts()
        is_direct = self._lead_to_walls()
        self.is_hub = not is_direct and bool(self._loose() or self.contacts)
        self.hub = self._find_hub()
        self.is_village = self.is_hub and not self.has_through and len(self.singles) > 1 and not self.is_built
        for i in range(len(tile.roads)):
            self._lay_road(i)
        if tile.river:
            self._lay_river()
        if self.is_hub:
            self._plant_hedges()

    @property
    def has_through(self) -> bool:
        """Tell whether a road or the river runs through the tile."""
        return bool(self.through) or self.has_river_through

    # -- cities

    def _lay_city(self, i: int) -> None:
        """Lay a city along its edges; between them a wall swings over the tile."""
        numbers = sorted(map(EDGES.index, self.tile.cities[i].edges))
        starts = [n for n in numbers if (n - 1) % 4 not in numbers]
        path: Path = []
        walls: list[tuple[int, Path]] = []
        for start in starts:
            stop = start  # the last edge of this run
            while (stop + 1) % 4 in numbers:
                stop += 1
            gap = next((n for n in range(1, 4) if (stop + n) % 4 in numbers), 4) - 1
            wall = self._wall(stop + 1, gap)
            path += [(turn(0j, n),) for n in range(start, stop + 2)] + wall[1:]
            walls.append(((stop + 1) % 4, wall))
        if not starts and numbers:  # all four edges
            path = [(turn(0j, n),) for n in range(4)]
        elif not starts:  # none
            path = [(35 + 35j,), (65 + 35j,), (65 + 65j,), (35 + 65j,), (35 + 35j,)]
            walls.append((0, path))
        self.cities.append(path)
        self.walls.append(walls)

    def _wall(self, start: int, gap: int) -> Path:
        """Return the wall that passes `gap` edges without the city, from the corner before edge `start` clockwise."""
        cities = self.tile.cities
        if gap == 3:  # a city of one edge; small where it lies before the open side of a large one
            deep, wide = (20, 34) if any(len(city.edges) == 3 for city in cities) else (36, 41)
            points = [100 + 0j, 100 - wide + deep * 1j, wide + deep * 1j, 0j]
            start -= 1
        elif gap == 2:
            points = [0j, 26 + 30j, 70 + 74j, 100 + 100j]
        else:
            is_faced = any(EDGES[start % 4] in city.edges for city in cities)
            deep = 58 if is_faced else 37
            points = [0j, 38 + deep * 1j, 62 + deep * 1j, 100 + 0j]
        first, one, two, last = (turn(point, start) for point in points)
        return cubic(first, (one, two, last))

    # -- what must be kept apart

    def _find_splits(self) -> list[Split]:
        tile, found = self.tile, []
        for n, edge in enumerate(EDGES):
            road = next((i for i, road in enumerate(tile.roads) if road == edge), None)
            is_river = tile.river == edge
            left, right = self.field_of.get(edge + "L"), self.field_of.get(edge + "R")
            if (road is not None or is_river) and left != right:
                found.append(Split(n, middle_of(edge), road, is_river))
            after = self.field_of.get(EDGES[(n + 1) % 4] + "L")
            if right is not None and after is not None and right != after:
                found.append(Split(n + 0.5, turn(100 + 0j, n), None))
        return found

    def _find_contacts(self) -> dict[int, int]:
        contacts = {}
        for i, walls in enumerate(self.walls):
            n = sum(i in part.cities for part in self.tile.fields) - 1
            if n > 0 and len(walls) == 1:
                contacts[i] = n
        return contacts

    def _loose(self) -> list[Split]:
        """Return the splits that are not led to a wall."""
        return [split for split in self.splits if split.road is None or split.road not in self.ends]

    def _lead_to_walls(self) -> bool:
        """Lead roads and hedges to walls where that keeps the fields apart; tell whether that is all of them."""
        for walls in self.walls:  # a road that runs into a city with several walls
            for edge, wall in walls if len(walls) > 1 else ():
                for split in self._loose():
                    if split.order == edge and split.road is not None:
                        self._lead(split, wall, 8)
        loose = self._loose()
        if [*self.contacts.values()] != [len(loose)]:
            return False
        ((edge, wall),) = self.walls[next(iter(self.contacts))]
        loose.sort(key=lambda split: (split.order - edge) % 4)
        for i, split in enumerate(loose):
            self._lead(split, wall, 8 + round(3.5 * (i - (len(loose) - 1) / 2)))
        return True

    def _lead(self, split: Split, wall: Path, step: int) -> None:
        """Lead a road or a hedge to a wall, `step` sixteenths along it."""
        at = complex(sampled(wall)[step])
        if split.road is None:
            self.hedges.append([(split.at,), (at,)])
        else:
            self.ends[split.road] = at

    def _find_hub(self) -> complex:
        """Return the hub: on what runs through the tile, away from cities, but near walls that are to be met."""
        hub = CENTRE
        for city in self.tile.cities:
            if city.edges in ("NE", "ES", "SW", "NW"):
                hub += 0.2 * (CENTRE - (middle_of(city.edges[0]) + middle_of(city.edges[1])) / 2)
        if self.tile.monastery and self.tile.river and self.singles:
            return hub + 0.36 * (CENTRE - middle_of(self.singles[0]))  # room for the monastery beside the river
        if self.is_hub and self.contacts:
            middles = [complex(sampled(self.walls[city][0][1])[8]) for city in self.contacts]
            share = 0.8 if not self.is_built else 0.5 if len(middles) == 1 else 0.67
            return hub + share * (sum(middles) / len(middles) - hub)
        ways = [*self.through, *([self.tile.river] if self.has_river_through else [])]
        if len(ways) == 1 and ways[0] not in ("NS", "EW"):
            return hub + 0.17 * (middle_of(ways[0][0]) + middle_of(ways[0][1]) - 2 * CENTRE)  # on the bend
        return hub

    # -- roads, river, hedges

    def _lay_road(self, i: int) -> None:
        road = self.tile.roads[i]
        if not road:
            self.roads.append([(42 + 50j,), (58 + 50j,)])
        elif len(road) == 1:
            start, end = middle_of(road), self.ends.get(i, self.hub)
            path = cubic(start, (start + 0.5 * (CENTRE - start), end + 0.3 * (start - end), end))
            ahead = end - path[1][1]
            if i in self.ends:
                self.gates.append((end, ahead))
            elif self.is_hub and self.through:
                self.bars.append((end - 9 * ahead / abs(ahead), ahead))
            self.roads.append(path)
        elif len(road) == 2:
            self.roads.append(self._way(road, self.is_hub, sway=3))
        else:
            self.roads.append(self._over_hub(road[:2]))
            self.arms += [self._over_hub(edge) for edge in road[2:]]

    def _over_hub(self, edges: str) -> Path:
        """Return a path from an edge to the hub, and on to another edge if there is one."""
        ends = [middle_of(edge) for edge in edges]
        path = cubic(ends[0], ((ends[0] + CENTRE) / 2, self.hub + 0.3 * (ends[0] - self.hub), self.hub))
        for end in ends[1:]:
            path.append((self.hub + 0.3 * (end - self.hub), (end + CENTRE) / 2, end))
        return path

    def _way(self, edges: str, over_hub: bool, sway: float) -> Path:
        """Return a path from an edge to another, through the hub if asked; straight ones sway a little."""
        one, two = (middle_of(edge) for edge in edges)
        if edges in ("NS", "EW"):
            along = (two - one) / 100
            hub = self.hub if over_hub else CENTRE + along * 1j * sway
            return cubic(one, (one + 22 * along, hub - 20 * along, hub), (hub + 20 * along, two - 22 * along, two))
        if over_hub:
            slope = (two - one) / abs(two - one)
            return cubic(
                one,
                ((one + CENTRE) / 2, self.hub - 9 * slope, self.hub),
                (self.hub + 9 * slope, (two + CENTRE) / 2, two),
            )
        return cubic(one, ((one + CENTRE) / 2, (two + CENTRE) / 2, two))

    def _lay_river(self) -> None:
        edges = self.tile.river
        if len(edges) == 1:
            start, end = middle_of(edges), self.hub
            self.river = cubic(start, ((start + CENTRE) / 2, end + 0.3 * (start - end) + 4j, end))
            return
        self.river = self._way(edges, (self.is_hub or self.hub != CENTRE) and not self.through, sway=-5)
        if self.field_of.get(edges[0] + "L") == self.field_of.get(edges[0] + "R"):
            points = sampled(self.river)
            across = 0.11j * (middle_of(edges[1]) - middle_of(edges[0]))
            middle = complex(points[len(points) // 2])
            self.ford = [(middle - across,), (middle + across,)]

    def _plant_hedges(self) -> None:
        """Join the hub with corners where fields meet, and with the walls that are to be met."""
        self.hedges += [
            [(split.at,), (self.hub,)] for split in self.splits if split.road is None and not split.is_river
        ]
        for city in self.contacts:
            wall = sampled(self.walls[city][0][1])
            nearest = complex(wall[int(np.abs(wall - self.hub).argmin())])
            self.hedges.append([(self.hub,), (nearest,)])
