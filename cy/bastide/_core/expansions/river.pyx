"""The river (R1-R5).

Its open end is a cell of its own, kept out of the frontier (CELL_CLOSED), so that no other tile is ever offered there;
in the cell's demand a river counts as a road, which is only read to see that a neighbour is there. A river tile goes
through `river_place`. When the lake does not fit, the cell stays closed for good (R4).
"""

from bastide._core.expansions.bridges cimport bridge_may_stand
from bastide._core.geometry cimport index_of, neighbour, opposite
from bastide._core.placement cimport place_tile
from bastide._core.state cimport CELL_CLOSED, CELL_DEMAND, state_t
from bastide._core.tiles cimport TERRAIN, rec_t
from bastide._core.types cimport NONE, NOTHING, PILE_DECK, PILE_RIVER, RIVER, u8, u32

cdef enum:                    # h.river_bend: the outgoing less the incoming edge of the last river tile, mod 4
    NO_BEND = 0               # spring

cdef enum:
    NOWHERE = 4               # no edge


cdef void river_begin(state_t* s) noexcept nogil:
    """Take up the river after the spring was laid as the start tile (R1)."""
    s.h.river_bend = NO_BEND
    open_end(s, NOWHERE)


cdef void open_end(state_t* s, u32 came_from) noexcept nogil:
    """Note the cell to which the tile placed last leads the river, and close it to other tiles."""
    cdef const rec_t* T = &s.g.rec[s.tile[s.h.n_tiles - 1].rec]
    cdef u32 e, i
    s.h.river_is_open = 0
    for e in range(4):
        if <u32>(T.edge[e] >> TERRAIN) != RIVER or e == came_from:
            continue
        s.h.river_is_open = 1
        s.h.river_edge = <u8>e
        s.h.river_cell = neighbour(s.lay, s.tile[s.h.n_tiles - 1].at, e)
        s.h.river_bend = <u8>((e - came_from) & 3 if came_from != NOWHERE else NO_BEND)
        for i in range(s.h.n_front):
            if s.front[i] == s.h.river_cell:
                s.h.n_front -= 1
                s.front[i] = s.front[s.h.n_front]
                break
        s.cells[index_of(s.h.river_cell)] |= CELL_CLOSED


cdef u32 river_fits(const state_t* s, u32 type) noexcept nogil:
    """Return the distinct rotations, a bit each, in which a river tile continues the river (B4, R1, R2).

    The type may be one with a bridge (G3): then also where the bridge may stand.
    """
    cdef u32 came_from = opposite(s.h.river_edge)
    cdef u32 mask = s.g.type[type].river_on[came_from][s.h.river_bend] if s.h.river_is_open else 0
    cdef u32 others = s.cells[index_of(s.h.river_cell)] & CELL_DEMAND & ~(<u32>3 << 2 * came_from)
    cdef u32 q, e, want
    if mask == 0 or (others == 0 and s.g.rec[type * 4].bridge == 0):
        return mask
    for q in range(4):
        for e in range(4):
            want = others >> (2 * e) & 3
            if want != NOTHING and want != <u32>(s.g.rec[type * 4 + q].edge[e] >> TERRAIN):
                mask &= ~(<u32>1 << q)
        if s.g.rec[type * 4 + q].bridge and not bridge_may_stand(s, s.h.river_cell, type * 4 + q):
            mask &= ~(<u32>1 << q)
    return mask


cdef u32 river_bridged_fits(const state_t* s, u32 type, u32 axis) noexcept nogil:
    """Return the rotations in which a type fits with a bridge (axis 0 NS, 1 EW as printed)."""
    cdef u32 bridged = s.g.type[type].bridged[axis]
    return 0 if bridged == NONE or s.buildings.bridges == 0 else river_fits(s, bridged)


cdef bint river_fits_somehow(const state_t* s, u32 type) noexcept nogil:
    """Tell whether a river tile continues the river, with a bridge if need be (R4, G6)."""
    return river_fits(s, type) or river_bridged_fits(s, type, 0) or river_bridged_fits(s, type, 1)


cdef bint river_can_draw(const state_t* s, u32 type) noexcept nogil:
    """Tell whether a type is among what can be drawn from the river now (R4): the lake comes last."""
    if s.left[type] == 0 or s.g.type[type].pile != PILE_RIVER:
        return False
    return (s.g.type[type].river_role == LAKE) == (s.h.n_river == 0) and river_fits_somehow(s, type)


cdef void river_settle(state_t* s) noexcept nogil:
    """Before a draw: river tiles none of which fits leave the game, and so does the lake (R4); then the deck follows."""
    cdef u32 i, t
    s.h.pile = PILE_RIVER
    while s.h.n_river or s.h.n_lake:
        for i in range(s.g.n_river_types):
            if river_can_draw(s, s.g.river_types[i]):
                return
        for i in range(s.g.n_river_types):
            t = s.g.river_types[i]
            if s.left[t] and (s.g.type[t].river_role == LAKE) == (s.h.n_river == 0):
                s.h.discards += s.left[t]
                s.left[t] = 0
        if s.h.n_river:
            s.h.n_river = 0
        else:
            s.h.n_lake = 0
    s.h.pile = PILE_DECK


cdef void river_place(state_t* s, u32 rec) noexcept nogil:
    """Lay a river tile (type * 4 + rotation) on the open end, where it fits."""
    cdef u32 came_from = opposite(s.h.river_edge)
    s.front[s.h.n_front] = s.h.river_cell
    s.h.n_front += 1
    place_tile(s, s.h.n_front - 1u, rec)
    open_end(s, came_from)
