"""Bridges (G2-G7). A tile with a bridge is a type of its own (type_t.bridged) with its own edges and segments, so that
joins, undo and bytes need nothing new; here is only what the tables cannot say. The river asks it too (R4, G6)."""

from bastide._core.geometry cimport index_of, neighbour
from bastide._core.rng cimport unlikely
from bastide._core.state cimport CELL_DEMAND, CELL_TAKEN, CELL_TILE, state_t
from bastide._core.types cimport NONE, place_t, u32


cdef inline bint has_edge(u32 bridge, u32 edge) noexcept nogil:
    """Tell whether a bridge (1 NS, 2 EW) ends at an edge."""
    return bridge != 0 and (edge & 1) == bridge - 1


cdef inline bint bridge_may_stand(const state_t* s, place_t at, u32 rec) noexcept nogil:
    """Tell whether a tile with a bridge, whose edges match at a cell, may have it there.

    One end at least meets a road (G2; what it meets is a road is the tables' part), none meets a bridge's end (G4).
    """
    cdef u32 bridge = s.g.rec[rec].bridge
    cdef u32 e, cell
    cdef bint meets_road = False
    for e in range(bridge - 1, 4, 2):
        cell = s.cells[index_of(neighbour(s.lay, at, e))]
        if cell & CELL_TAKEN:
            meets_road = True
            if has_edge(s.g.rec[s.tile[cell & CELL_TILE].rec].bridge, e):
                return False
    return meets_road


cdef inline u32 bridged_fitting(const state_t* s, place_t at, u32 type, u32 axis) noexcept nogil:
    """Return the distinct rotations in which a type with a bridge (axis 0 NS, 1 EW as printed) fits an empty cell."""
    cdef u32 bridged = s.g.type[type].bridged[axis]
    cdef u32 mask, q
    if bridged == NONE or s.buildings.bridges == 0:
        return 0
    mask = s.g.fits[bridged * 256 + (s.cells[index_of(at)] & CELL_DEMAND)]
    if unlikely(mask != 0):
        for q in range(4):
            if mask >> q & 1 and not bridge_may_stand(s, at, bridged * 4 + q):
                mask &= ~(<u32>1 << q)
    return mask


cdef inline u32 bridged_rec(const state_t* s, u32 type, u32 rotation, u32 bridge) noexcept nogil:
    """Return the record of a type laid in a rotation with a bridge (1 NS, 2 EW as it lies), or NONE."""
    cdef u32 bridged = s.g.type[type].bridged[(bridge - 1 + rotation) & 1]
    return NONE if bridged == NONE else bridged * 4 + rotation
