"""Turn rules and tiles into the plain tables that the core is filled with.

A *type* is one row: a tile, or a tile with a bridge on it (those come last and are never drawn). Codes are those of
cy/bastide/_core/types.pxd and actions.pxd.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bastide.rules import Rules
from bastide.spots import spot_codes
from bastide.tile import EDGES, Tile
from bastide.tiles import Selection

TERRAIN = {"F": 1, "R": 2, "C": 3, "V": 4}
FIELD, ROAD, CITY, RIVER, MONASTERY, GARDEN = 1, 2, 3, 4, 5, 6
WORTH, MULTI = 1 << 12, 1 << 24  # a feature's packed sums, see features.pxd
PILES = {"deck": 0, "river": 1, "tower": 2}
SUBJECTS = {"meeple": 1, "pennant": 2, "road": 3, "monastery": 4, "city": 5}
RIVER_ROLES = {"": 0, "spring": 2, "lake": 3}
BOX_BITS = {"river": 1, "tower": 2, "black-tower": 4, "thieves": 8, "watchtowers": 16, "bridges-castles": 32}
BOX_ABBOT = 64
NONE = 0xFFFF


def type_tiles(selection: Selection) -> tuple[tuple[Tile, int], ...]:
    """Return (tile, how many can be drawn) of each type that has no bridge, in the order of the core's types."""
    if any(tile.id == selection.start.id for tile, _ in selection.entries):
        return selection.entries
    return (*selection.entries, (selection.start, 0))


def compile_tables(rules: Rules, selection: Selection) -> dict[str, Any]:
    """Return the tables of a game as plain numbers and lists, for the core's `Tables`."""
    tiles = type_tiles(selection)
    types = [_type(tile, count) | {"plain": i} for i, (tile, count) in enumerate(tiles)]
    if "bridges-castles" in rules.boxes:
        types += _bridged_types(tiles, types)
    buildings = rules.copies_of("bridges-castles") if "bridges-castles" in rules.boxes else 0  # B14
    start = next(i for i, (tile, _) in enumerate(tiles) if tile.id == selection.start.id)
    placed = [(types[start], 1), *((entry, entry["count"]) for entry in types)]
    piles = {pile: sum(n for tile, n in tiles if tile.pile == pile and tile.river_role != "lake") for pile in PILES}
    return {
        "types": types,
        "floors": _floors(rules),
        "tower_cross": int(rules.tower_gaps == "cross"),
        "tower_diagonal": int(rules.tower_diagonal),
        "no_surprise": int(rules.tower_no_surprise),
        "eye_for_an_eye": int(rules.tower_eye_for_an_eye),
        "replace_own": int(rules.watchman_replace_own),
        "shared_floors": 20 * rules.copies_of("thieves") if "thieves" in rules.boxes else 0,  # H1, B14
        "bridges": 12 * buildings,  # G1
        "castles": 6 * buildings,
        "barns": 6 * buildings,
        "max_towers": sum(entry["foundation"] * n for entry, n in placed),
        "n_players": rules.players,
        "boxes": sum(BOX_BITS.get(box, 0) for box in rules.boxes) + BOX_ABBOT * rules.abbot,
        "n_abbots": int(rules.abbot),
        "farmers": int(rules.farmers),
        "small_city_points": rules.small_city_points,
        "split_fields": int(any(_has_split_field(tile) for tile, _ in tiles)),
        "n_draw": len(tiles),
        "start": start,
        "n_deck": piles["deck"],
        "n_river": piles["river"],
        "n_lake": sum(n for tile, n in tiles if tile.river_role == "lake"),
        "n_tower_pile": piles["tower"],
        "max_tiles": selection.n_tiles,
        "max_nodes": sum(len(entry["kinds"]) * n for entry, n in placed) + 12 * buildings,
        "max_cities": sum(entry["kinds"].count(CITY) * n for entry, n in placed),
    }


def bridged(tile: Tile, axis: int) -> Tile | None:
    """Return the tile with a bridge (axis 0 NS, 1 EW) as one more road, or None if its edges are not fields (G2)."""
    ends = ("NS", "EW")[axis]
    if any(tile.edges[EDGES.index(end)] != "F" for end in ends):
        return None
    edges = "".join("R" if edge in ends else terrain for edge, terrain in zip(EDGES, tile.edges, strict=True))
    return replace(tile, edges=edges, roads=(*tile.roads, ends))


def bridged_tiles(tiles: Iterable[Tile]) -> list[tuple[int, int, Tile]]:
    """Return (index of the plain tile, axis, tile with the bridge) of all that can carry one, in the core's order."""
    found = [(i, axis, bridged(tile, axis)) for i, tile in enumerate(tiles) for axis in (0, 1)]
    return [(i, axis, tile) for i, axis, tile in found if tile is not None]


def _bridged_types(tiles: tuple[tuple[Tile, int], ...], types: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of the types with a bridge, and note them in those without."""
    rows: list[dict[str, Any]] = []
    for i, axis, tile in bridged_tiles(tile for tile, _ in tiles):
        types[i]["bridged"][axis] = len(types) + len(rows)
        row = _type(tile, 0)
        row["bridge_segment"] = len(tile.cities) + len(tile.roads) - 1
        row["bridge"] = [1 + (axis + q) % 2 for q in range(4)]
        row["same"] = types[i]["same"]
        row["plain"] = i
        rows.append(row)
    return rows


def _floors(rules: Rules) -> list[int]:
    """Return each player's normal, black and white floors at the start (T1, K1; one player has those of two)."""
    i = max(rules.players, 2) - 2
    if "black-tower" in rules.boxes:
        return [(8, 7, 6, 5, 4)[i], (4, 3, 3, 2, 2)[i], (2, 2, 1, 1, 1)[i]]
    return [(10, 9, 7, 6, 5)[i] if "tower" in rules.boxes else 0, 0, 0]


def _has_split_field(tile: Tile) -> bool:
    """Tell whether a field edge's two halves belong to different fields."""
    owner = {half: i for i, field in enumerate(tile.fields) for half in field.halves}
    return any(
        terrain == "F" and owner[edge + "L"] != owner[edge + "R"]
        for edge, terrain in zip(EDGES, tile.edges, strict=True)
    )


def _type(tile: Tile, count: int) -> dict[str, Any]:
    """Return one type's row: segments are its cities, roads, fields, then monastery or garden."""
    n_cities, n_roads = len(tile.cities), len(tile.roads)
    kinds = [CITY] * n_cities + [ROAD] * n_roads + [FIELD] * len(tile.fields)
    multi_city, multi_road = MULTI * (n_cities > 1), MULTI * (n_roads > 1)
    totals = [len(city.edges) + WORTH * (1 + city.pennants) + multi_city for city in tile.cities]
    totals += [len(road) + WORTH + multi_road for road in tile.roads]
    totals += [0] * len(tile.fields)
    if tile.monastery or tile.garden:
        kinds.append(MONASTERY if tile.monastery else GARDEN)
        totals.append(0)
    first_field = n_cities + n_roads
    return {
        "count": count,
        "kinds": kinds,
        "totals": totals,
        "spots": [list(spot_codes(tile, q)) for q in range(4)],
        "contacts": [(first_field + i, c) for i, field in enumerate(tile.fields) for c in field.cities],
        "edges": [_edge(tile, edge) for edge in EDGES],
        "is_multi": int(n_cities > 1 or n_roads > 1),
        "same": list(tile.rotations()[1]),
        "pennants": sum(city.pennants for city in tile.cities),
        "foundation": int(tile.foundation),
        "thief": tile.thief,
        "watchtower": SUBJECTS[tile.watchtower.subject] if tile.watchtower else 0,
        "watchtower_points": tile.watchtower.points if tile.watchtower else 0,
        "river_role": RIVER_ROLES[tile.river_role] or int(bool(tile.river)),
        "pile": PILES[tile.pile],
        "bridge": [0, 0, 0, 0],
        "bridge_segment": 255,
        "bridged": [NONE, NONE],
    }


def _edge(tile: Tile, edge: str) -> tuple[int, int, int, int]:
    """Return an edge's segment, its left and right field (segments too), and its terrain code."""
    owner = {half: i for i, field in enumerate(tile.fields) for half in field.halves}
    first_road, first_field = len(tile.cities), len(tile.cities) + len(tile.roads)
    terrain = tile.edges[EDGES.index(edge)]
    if terrain == "C":
        return next(i for i, city in enumerate(tile.cities) if edge in city.edges), 0, 0, CITY
    left, right = first_field + owner[edge + "L"], first_field + owner[edge + "R"]
    if terrain == "R":
        return first_road + next(i for i, road in enumerate(tile.roads) if edge in road), left, right, ROAD
    return left, left, right, TERRAIN[terrain]
