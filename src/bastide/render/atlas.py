"""Keep the drawings of a game's tiles: each type and rotation is drawn once, when it is first seen.

The core's types are the game's tiles, and after them the same tiles with a bridge; both look alike but for the
segments, since a bridge is drawn as a piece of its own.
"""

import hashlib
import weakref
from dataclasses import dataclass

from bastide.game import Game
from bastide.render.curves import path_text, turn
from bastide.render.layout import layout, spot_beside_bridge
from bastide.render.terrain import drawing
from bastide.spots import spot_names

__all__ = ["Area", "Atlas", "Sheet", "atlas"]


@dataclass(frozen=True, slots=True)
class Area:
    """Hold what of a tile belongs to a segment."""

    kind: str  # city, road, field, monastery, garden
    path: str  # in the notation of SVG
    is_line: bool  # the middle of a road, not a border
    spot: complex  # where its figure stands


@dataclass(frozen=True, slots=True)
class Sheet:
    """Hold a tile as it lies."""

    id: str  # the same for the same drawing only, so that several boards can stand in one document
    ground: str
    above: str
    areas: tuple[Area, ...]  # in the order of the core's segments
    tower: complex  # the middle of its foundation


class Atlas:
    """Hold the sheets of a game."""

    def __init__(self, game: Game) -> None:
        self._types = game._types
        self._tiles = game.tiles
        self._sheets: dict[tuple[int, int], Sheet] = {}

    def sheet(self, core_type: int, quarter_turns: int) -> Sheet:
        """Return a type of the core as it lies after quarter turns clockwise."""
        key = core_type, quarter_turns
        if key not in self._sheets:
            self._sheets[key] = self._drawn(core_type, quarter_turns)
        return self._sheets[key]

    def known(self, core_type: int, quarter_turns: int) -> Sheet | None:
        """Return a type as it lies if it has been drawn already."""
        return self._sheets.get((core_type, quarter_turns))

    def _drawn(self, core_type: int, q: int) -> Sheet:
        index, axis, with_bridge = self._types[core_type]
        tile = self._tiles[index]
        ground, above = drawing(tile, q)
        name = hashlib.blake2b((ground + above).encode(), digest_size=5).hexdigest()
        plan = layout(tile)
        known = {}
        for i, (segment, region) in enumerate(zip(spot_names(tile, q), plan.regions, strict=True)):
            path = "".join(path_text(path, q, closed=not region.is_line) for path in region.paths)
            spot = region.spot if axis is None else spot_beside_bridge(plan, i, axis == 0)
            known[segment] = Area(segment.partition(" ")[0], path, region.is_line, turn(spot, q))
        line = "M50 0V100" if axis is not None and (axis + q) % 2 == 0 else "M0 50H100"
        over = Area("road", line, True, 50 + 50j)
        areas = tuple(known.get(segment, over) for segment in spot_names(with_bridge, q))
        tower = next((item.at for item in plan.items if item.kind == "foundation"), 50 + 50j)
        return Sheet(f"bs-{name}", ground, above, areas, turn(tower, q))


_ATLASES: "weakref.WeakKeyDictionary[Game, Atlas]" = weakref.WeakKeyDictionary()


def atlas(game: Game) -> Atlas:
    """Return the atlas of a game; it lives as long as the game."""
    found = _ATLASES.get(game)
    return _ATLASES.setdefault(game, Atlas(game)) if found is None else found
