"""Draw one tile as it lies: fields, water, cities, roads, walls, and what stands there.

Where things lie is told by `layout`. Houses, trees and acres are strewn by a generator that starts from the tile's id,
so a tile always looks the same; what stands upright stays so however the tile is turned.
"""

import random
from functools import lru_cache

import numpy as np

from bastide.render.curves import CELL, CELLS, Mask, Path, Points, distances, length, path_text, room, sampled, turn
from bastide.render.glyphs import digits, glyph
from bastide.render.layout import FIGURE, Item, Layout, layout
from bastide.tile import Tile

__all__ = ["drawing"]

Acre = tuple[complex, complex, complex]  # a corner and two sides


@lru_cache(maxsize=4096)
def drawing(tile: Tile, quarter_turns: int = 0) -> tuple[str, str]:
    """Return the ground of a tile as it lies, and what is above it, as the inside of two SVG groups.

    Between the two the owners of fields can be shown.
    """
    plan = layout(tile)
    acres, tufts, things = _strewn(tile)
    ground = ['<path class="bs-f" d="M0 0H100V100H0Z"/>', *(_acre(acre, quarter_turns) for acre in acres)]
    if tufts:
        marks = "".join(path_text([(turn(at, quarter_turns) - 1,)]) + "l1-1.6 1 1.6" for at in tufts)
        ground.append(f'<path class="bs-t" d="{marks}"/>')
    above = [
        *_water(tile, plan, quarter_turns),
        *_stroked([path for path in plan.ways.hedges if length(sampled(path)) > 10], quarter_turns, "h1", "h2"),
        *(f'<path class="bs-c" d="{path_text(path, quarter_turns, closed=True)}"/>' for path in plan.ways.cities),
        *_ways(tile, plan, quarter_turns),
        *_stroked([wall for walls in plan.ways.walls for _, wall in walls], quarter_turns, "w1", "w2", "w3"),
        *_gates(plan, quarter_turns),
    ]
    upright = [(turn(at, quarter_turns), name) for name, at in things]
    standing = [(at.imag, glyph(name, complex(round(at.real), round(at.imag)))) for at, name in upright]
    for item in plan.items:
        at = turn(item.at, quarter_turns)
        front = 18 if item.kind == "watchtower" else 0  # its sign reaches so far south
        standing.append((at.imag + front, _item(tile, item, at)))
    above += [text for _, text in sorted(standing, key=lambda entry: entry[0])]
    return "".join(ground), "".join(above)


def _stroked(paths: list[Path], quarter_turns: int, *classes: str) -> list[str]:
    """Return lines drawn several times, each class over all of the one before."""
    text = "".join(path_text(path, quarter_turns) for path in paths)
    return [f'<path class="bs-{name}" d="{text}"/>' for name in classes] if text else []


def _water(tile: Tile, plan: Layout, quarter_turns: int) -> list[str]:
    if plan.ways.river is None:
        return []
    text = path_text(plan.ways.river, quarter_turns)
    parts = [f'<path class="bs-v1" d="{text}"/>']
    if tile.river_role:
        at = turn(plan.ways.hub, quarter_turns)
        rx, ry = (17, 13) if tile.river_role == "lake" else (11, 9)
        pool = f'<ellipse cx="{at.real:.1f}" cy="{at.imag:.1f}" rx="{{}}" ry="{{}}" fill="{{}}"/>'
        parts.append(pool.format(rx + 1.5, ry + 1.5, "#6a9a86") + f'<path class="bs-v2" d="{text}"/>')
        parts.append(pool.format(rx, ry, "#7fb6d2") + pool.format(rx * 0.6, ry * 0.5, "#9acbe2"))
    else:
        parts.append(f'<path class="bs-v2" d="{text}"/>')
    parts.append(f'<path class="bs-v3" d="{text}"/>')
    return parts if plan.ways.ford is None else [*parts, *_stroked([plan.ways.ford], quarter_turns, "b1", "b2", "r2")]


def _ways(tile: Tile, plan: Layout, quarter_turns: int) -> list[str]:
    """Return the roads, where they cross the river with a bridge of stone."""
    parts = []
    if plan.ways.river is not None and not tile.river_role:
        water = sampled(plan.ways.river)
        for road in plan.ways.roads:
            points = _fine(sampled(road))
            away = distances(points, water)
            near = points[away < 10]
            if away.min() < 2 and len(near) > 1 and away[0] > 9 and away[-1] > 9:
                over: Path = [(complex(near[0]),), (complex(near[-1]),)]
                parts += _stroked([over], quarter_turns, "b1", "b2")
    roads = [*plan.ways.roads, *plan.ways.arms]
    parts += _stroked(roads, quarter_turns, "r1")
    if plan.ways.is_village:
        at = turn(plan.ways.hub, quarter_turns)
        parts.append(f'<circle cx="{at.real:.1f}" cy="{at.imag:.1f}" r="9.6" fill="#95805c"/>')
    parts += _stroked(roads, quarter_turns, "r2", "r3")
    if plan.ways.is_village:
        parts.append(f'<circle cx="{at.real:.1f}" cy="{at.imag:.1f}" r="8.5" fill="#f5ebd2"/>')
    return parts


def _fine(points: Points) -> Points:
    """Return points along a line, about one each unit."""
    steps = np.concatenate([[0], np.cumsum(np.abs(np.diff(points)))])
    wanted = np.linspace(0, steps[-1], int(steps[-1]) + 2)
    return np.interp(wanted, steps, points.real) + 1j * np.interp(wanted, steps, points.imag)


def _gates(plan: Layout, quarter_turns: int) -> list[str]:
    parts = []
    for at, ahead in plan.ways.gates:
        step = ahead / abs(ahead)
        parts += _stroked([[(at - 3.4 * step,), (at + 3.4 * step,)]], quarter_turns, "g")
    for at, ahead in plan.ways.bars:
        across = 4.6j * ahead / abs(ahead)
        parts += _stroked([[(at - across,), (at + across,)]], quarter_turns, "x1", "x2")
    return parts


def _acre(acre: Acre, quarter_turns: int) -> str:
    """Return a ploughed piece of a field."""
    corner, one, two = acre
    points = [corner, corner + one, corner + one + two, corner + two]
    border = path_text([(point,) for point in points], quarter_turns, closed=True)
    lines = "".join(
        path_text([(corner + one * k / 5,), (corner + one * k / 5 + two,)], quarter_turns) for k in range(1, 5)
    )
    return f'<path class="bs-a" d="{border}"/><path class="bs-al" d="{lines}"/>'


def _item(tile: Tile, item: Item, at: complex) -> str:
    """Return a building or a sign, upright."""
    text = glyph(item.kind, at, 1.25 if item.kind == "pennant" else 1)
    if item.kind == "thief":
        text += digits(tile.thief, at + 6.6 + 6.2j, 0.8)
    elif item.kind == "watchtower" and tile.watchtower is not None:
        text += glyph("badge", at + 13j) + digits(tile.watchtower.points, at - 5 + 13j)
        text += glyph(f"i-{tile.watchtower.subject}", at + 4.5 + 13j)
    return text


@lru_cache(maxsize=1024)
def _strewn(tile: Tile) -> tuple[list[Acre], list[complex], list[tuple[str, complex]]]:
    """Return acres, tufts of grass, and (glyph, point) of houses, trees and towers, all at rotation 0."""
    plan = layout(tile)
    rng = random.Random(tile.id)
    n_cities, n_roads = len(tile.cities), len(tile.roads)
    taken: list[tuple[complex, float]] = [(item.at, item.radius) for item in plan.items]
    taken += [(item.at + 13j, 9) for item in plan.items if item.kind == "watchtower"]
    taken += [(region.spot, FIGURE - 3) for region in plan.regions if not region.is_line]
    things: list[tuple[str, complex]] = []

    def free(at: complex, needed: float) -> bool:
        return all(abs(at - other) > needed + radius for other, radius in taken)

    for walls in plan.ways.walls:
        for _, wall in walls:
            points = sampled(wall)
            for step in (3, 8, 13) if length(points) > 80 else (8,):
                at = complex(points[min(step, len(points) - 1)])
                if all(abs(at - gate) > 9 for gate, _ in plan.ways.gates) and free(at, 1):
                    things.append(("tw", at - 2j))
    for at, ahead in plan.ways.gates:
        side = 5.6j * ahead / abs(ahead)
        things += [("tw", at + side - 1j), ("tw", at - side - 1j)]
    nowhere = np.zeros(CELLS.shape, bool)
    roads = np.any([nowhere, *plan.ground[n_cities : n_cities + n_roads]], axis=0)
    for area in plan.ground[:n_cities]:
        for at in _places(rng, area & ~roads, 5.5, 90):
            if free(at, 4.2):
                taken.append((at, 4.2))
                things.append((rng.choice(("h0", "h0", "h1", "h2", "h2", "h3", "h4", "h5")), at))
    if plan.ways.is_village:
        streets = np.concatenate([sampled(road) for road in plan.ways.roads])
        for at in _places(rng, np.abs(CELLS - plan.ways.hub) < 21, 0, 40):
            if np.abs(streets - at).min() > 10 and free(at, 4):
                taken.append((at, 5))
                things.append((rng.choice(("h0", "h2", "h4")), at))
        things.append(("well", plan.ways.hub))
    open_ground = np.any([nowhere, *plan.ground[n_cities + n_roads :]], axis=0)
    acres = _acres(rng, open_ground, taken)
    for at in _places(rng, open_ground, 5.2, 22):
        if free(at, 3.4):
            taken.append((at, 3.4))
            things.append((rng.choice(("t0", "t0", "t0", "t1", "t1", "t2", "t2", "sh")), at))
    tufts = [at for at in _places(rng, open_ground, 3, 16) if free(at, 1.5)]
    return acres, tufts, things


def _places(rng: random.Random, area: Mask, needed: float, n: int) -> list[complex]:
    """Return random points of an area that are so far away from what is not in it, and from tile edges."""
    inside = CELLS[area]
    border = np.minimum.reduce([inside.real, inside.imag, 100 - inside.real, 100 - inside.imag])
    good = inside[(room(area) > needed) & (border > needed)]
    if not len(good):
        return []
    return [complex(good[rng.randrange(len(good))]) + complex(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(n)]


def _acres(rng: random.Random, area: Mask, taken: list[tuple[complex, float]]) -> list[Acre]:
    """Return up to two acres that lie wholly on open ground, and add them to what is taken."""
    acres: list[Acre] = []
    if area.sum() < 300:
        return acres
    for at in _places(rng, area, 9, 8):
        slope = complex(1, rng.uniform(-0.35, 0.35))
        one, two = slope * rng.uniform(13, 19), slope * 1j * rng.uniform(9, 13)
        corner = at - (one + two) / 2
        corners = [corner + a * one + b * two for a in (0, 0.5, 1) for b in (0, 0.5, 1)]
        if not all(_holds(area, point) for point in corners) or len(acres) == 2:
            continue
        reach = abs(one + two) / 2
        if all(abs(at - other) > reach + radius - 3 for other, radius in taken):
            acres.append((corner, one, two))
            taken.append((at, reach - 3))
    return acres


def _holds(area: Mask, at: complex) -> bool:
    row, column = int(at.imag / CELL), int(at.real / CELL)
    return 1 <= row < len(area) - 1 and 1 <= column < len(area) - 1 and bool(area[row, column])
