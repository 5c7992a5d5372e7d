"""Translate the places of figures: "city NW" here is the feature City at the location NW there.

A location there names edges (N, WE, NWSE, and _S for all but S), half-edges of a field joined by dots, or I for
the inside of a tile. Older files leave the feature out and name monasteries and towers as locations.
"""

import re

from bastide.tile import EDGES, HALVES

__all__ = ["TOWER", "pointer_of", "spots_of"]

TOWER = {"feature": "Tower", "location": "I"}
_EDGES = {  # of a city or road, in the order N E S W -> location
    **{edge: edge for edge in EDGES},
    **{"NE": "NE", "ES": "SE", "SW": "SW", "NW": "NW", "NS": "NS", "EW": "WE", "NESW": "NWSE"},
    **{EDGES.replace(edge, ""): f"_{edge}" for edge in EDGES},
}
_INSIDE = {"field inside": "Field", "monastery": "Monastery", "garden": "Garden", "tower": "Tower"}
_FEATURES = {"City", "Road", "Field", "Monastery", "Garden", "Tower"}
_OLD_FEATURES = {"Cloister": "Monastery", "Farm": "Field"}
_OLD_LOCATIONS = {
    "CLOISTER": "monastery",
    "MONASTERY": "monastery",
    "GARDEN": "garden",
    "TOWER": "tower",
    "INNER_FARM": "field inside",
    "INNER_FIELD": "field inside",
}


def pointer_of(spot: str) -> dict[str, str]:
    """Return feature and location of a spot as actions name it; KeyError if that program has no such place.

    >>> pointer_of("city ESW"), pointer_of("field NL-WR")
    ({'feature': 'City', 'location': '_N'}, {'feature': 'Field', 'location': 'NL.WR'})
    """
    if spot in _INSIDE:
        return {"feature": _INSIDE[spot], "location": "I"}
    terrain, _, names = spot.partition(" ")
    location = names.replace("-", ".") if terrain == "field" else _EDGES[names]
    return {"feature": terrain.capitalize(), "location": location}


def spots_of(feature: str | None, location: str) -> tuple[str, ...]:
    """Return the spots that a feature (None: not said) and a location can mean, empty if they mean none.

    >>> spots_of("Road", "WE"), spots_of(None, "N")
    (('road EW',), ('city N', 'road N'))
    """
    feature = None if feature is None else _OLD_FEATURES.get(feature, feature)
    spots = [spot for spot in _meanings(location) if feature in (None, pointer_of(spot)["feature"])]
    return tuple(spots) if feature is None or feature in _FEATURES else ()


def _meanings(location: str) -> list[str]:
    """Return the spots that a location can mean with any feature."""
    if location in ("I", "_I"):
        return list(_INSIDE)
    if location in _OLD_LOCATIONS:
        return [_OLD_LOCATIONS[location]]
    names = location.split(".")
    if set(names) <= set(HALVES):
        return [f"field {'-'.join(sorted(set(names), key=HALVES.index))}"]
    edges = EDGES.replace(location[1], "") if re.fullmatch("_[NESW]", location) else location
    if not re.fullmatch("[NESW]{1,4}", edges):
        return []
    joined = "".join(edge for edge in EDGES if edge in edges)
    return [f"city {joined}", f"road {joined}"]
