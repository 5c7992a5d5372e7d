"""Names and codes of spots: where on a tile a figure stands (docs/actions.md)."""

from bastide.tile import EDGES, HALVES, Tile, rotate

# Codes from 12 on; 0-3 are the first edge of a city or road, 4-11 the first half-edge of a field.
HALF, MONASTERY, GARDEN, TOWER, FIELD_INSIDE, CASTLE, BARN, CITY_INSIDE, ROAD_INSIDE = 4, 12, 13, 14, 15, 16, 20, 21, 22


def segment_edges(tile: Tile) -> list[tuple[str, tuple[str, ...]]]:
    """Return (terrain, edges or half-edges at rotation 0) of the segments, in the core's order."""
    segments = [("city", tuple(city.edges)) for city in tile.cities]
    segments += [("road", tuple(road)) for road in tile.roads]
    segments += [("field", field.halves) for field in tile.fields]
    if tile.monastery or tile.garden:
        segments.append(("monastery" if tile.monastery else "garden", ()))
    return segments


def turned(names: tuple[str, ...], quarter_turns: int) -> list[str]:
    """Return edges or half-edges after a rotation, clockwise from N."""
    order = HALVES if names and names[0] in HALVES else tuple(EDGES)
    return sorted((rotate(name, quarter_turns) for name in names), key=order.index)


def spot_names(tile: Tile, quarter_turns: int) -> tuple[str, ...]:
    """Return the names of a tile's segments after a rotation, in the core's order.

    >>> spot_names(Tile("v", "FFRR", roads=("SW",)), 1)
    ('road NW',)
    """
    names = []
    for terrain, edges in segment_edges(tile):
        if terrain in ("monastery", "garden"):
            names.append(terrain)
        else:
            joint = "-" if terrain == "field" else ""
            names.append(f"{terrain} {joint.join(turned(edges, quarter_turns)) or 'inside'}")
    return tuple(names)


def spot_codes(tile: Tile, quarter_turns: int) -> tuple[int, ...]:
    """Return the spot codes of a tile's segments after a rotation, in the core's order."""
    codes = []
    for terrain, edges in segment_edges(tile):
        first = next(iter(turned(edges, quarter_turns)), None)
        if terrain == "field":
            codes.append(FIELD_INSIDE if first is None else HALF + HALVES.index(first))
        elif terrain in ("city", "road"):
            inside = CITY_INSIDE if terrain == "city" else ROAD_INSIDE
            codes.append(inside if first is None else EDGES.index(first))
        else:
            codes.append(MONASTERY if terrain == "monastery" else GARDEN)
    return tuple(codes)
