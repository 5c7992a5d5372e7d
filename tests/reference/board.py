"""The board: placed tiles in a dictionary by cell, and features found by flood fill over their segments.

A segment on the board is named by (x, y, i): the cell and the position in the placed tile's segment list. The
features of the current position are kept until the next tile is placed; nothing else is remembered.
"""

from typing import NamedTuple

from .tiles import OPPOSITE, OPPOSITE_HALF, SIDES, STEP, make_segment

AXIS_SIDES = {"NS": ("N", "S"), "EW": ("E", "W")}


def neighbour(x, y, side):
    """The cell across a side."""
    dx, dy = STEP[side]
    return x + dx, y + dy


def around(x, y):
    """The 8 cells around a cell."""
    return [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Placed:
    """A tile on the board, with a bridge ("NS", "EW") or None."""

    def __init__(self, tile, x, y, rotation, bridge):
        self.tile, self.x, self.y, self.rotation, self.bridge = tile, x, y, rotation, bridge
        face = tile.faces[rotation]
        self.edges = dict(face.edges)
        self.segments = list(face.segments)
        if bridge:  # G2: a road segment of the tile; both edges count as road edges from now on
            self.segments.append(make_segment("road", AXIS_SIDES[bridge], bridge=True))
            for side in AXIS_SIDES[bridge]:
                self.edges[side] = "R"
        self.next_cell = {side: neighbour(x, y, side) for side in SIDES}
        # Which segment lies at a side (city, road, river) and at a half-edge (field).
        self.at_side = {side: i for i, s in enumerate(self.segments) for side in s.edges}
        self.at_half = {half: i for i, s in enumerate(self.segments) for half in s.halves}

    def has_bridge_edge(self, side):
        """True if a bridge ends at this side."""
        return self.bridge is not None and side in self.bridge


class Feature(NamedTuple):
    """A feature: the segments that hang together."""

    kind: str  # city road field monastery garden
    segments: frozenset  # of (x, y, i)
    cells: frozenset  # of (x, y)
    open_edges: int  # sides without a neighbour; monastery and garden: empty cells around
    names: tuple  # of (x, y, text), sorted

    @property
    def closed(self):
        """Closed = without an open edge; a monastery when all 8 neighbours are placed (B8)."""
        return self.open_edges == 0


class Board:
    """Placed tiles by cell."""

    def __init__(self):
        self.cells = {}  # (x, y) -> Placed, in the order of placing
        self._features = {}  # segment (x, y, i) -> its Feature, but for the cells of `_changed`
        self._changed = []

    def place(self, tile, x, y, rotation, bridge=None):
        """Lay a tile; whether it fits is asked elsewhere (placing.py)."""
        self.cells[x, y] = Placed(tile, x, y, rotation, bridge)
        self._changed.append((x, y))

    def segment(self, ref):
        """The segment that a (x, y, i) names."""
        x, y, i = ref
        return self.cells[x, y].segments[i]

    def frontier(self):
        """Empty cells that touch a placed tile by an edge (B4)."""
        cells = {cell for placed in self.cells.values() for cell in placed.next_cell.values()}
        return sorted(cells - self.cells.keys())

    def neighbours_placed(self, x, y):
        """How many of the 8 cells around are filled (B8, B11)."""
        return sum(cell in self.cells for cell in around(x, y))

    # Features

    def joined(self, ref):
        """Segments of neighbouring tiles that continue this one, and the number of its open sides.

        Fields go on across half-edges, everything else across whole sides. A bridge hinders no field (G5):
        its edges have the same half-edges as before.
        """
        x, y, i = ref
        placed = self.cells[x, y]
        found, open_sides = [], set()
        for side in placed.segments[i].edges:
            cell = placed.next_cell[side]
            if cell in self.cells:
                found.append((*cell, self.cells[cell].at_side[OPPOSITE[side]]))
            else:
                open_sides.add(side)
        for half in placed.segments[i].halves:
            cell = placed.next_cell[half[0]]
            if cell in self.cells:
                found.append((*cell, self.cells[cell].at_half[OPPOSITE_HALF[half]]))
            else:
                open_sides.add(half[0])
        return found, len(open_sides)

    def flood(self, start):
        """The feature that holds the segment `start`."""
        kind = self.segment(start).kind
        if kind in ("monastery", "garden"):  # a feature of its own (B6)
            x, y, _ = start
            empty = 8 - self.neighbours_placed(x, y)
            return Feature(kind, frozenset([start]), frozenset([(x, y)]), empty, ((x, y, kind),))
        seen, todo, open_edges = {start}, [start], 0
        while todo:
            found, open_sides = self.joined(todo.pop())
            open_edges += open_sides
            for ref in found:
                if ref not in seen:
                    seen.add(ref)
                    todo.append(ref)
        names = tuple(sorted((x, y, self.cells[x, y].segments[i].text) for x, y, i in seen))
        return Feature(kind, frozenset(seen), frozenset((x, y) for x, y, _ in seen), open_edges, names)

    def features_by_segment(self):
        """Segment (x, y, i) -> its Feature, for all but the river (R3: nothing stands on it).

        A tile changes the features that it is part of, and the monasteries and gardens around it (B8).
        """
        for x, y in self._changed:
            for i, segment in enumerate(self.cells[x, y].segments):
                if segment.kind != "river":
                    self._renew((x, y, i))
            for cell in around(x, y):
                if cell in self.cells:
                    for i, segment in enumerate(self.cells[cell].segments):
                        if segment.kind in ("monastery", "garden"):
                            self._renew((*cell, i))
        self._changed.clear()
        return self._features

    def _renew(self, start):
        feature = self.flood(start)
        for ref in feature.segments:
            self._features[ref] = feature

    def feature(self, ref):
        """The feature of a segment."""
        return self.features_by_segment()[ref]

    def all_features(self):
        """Every feature once."""
        return list({id(feature): feature for feature in self.features_by_segment().values()}.values())
