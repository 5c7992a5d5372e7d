"""Figures: where one can be deployed (B6, B12, B13), deploying it, and taking it from the board."""

from bastide._core.features cimport is_occupied, one_figure
from bastide._core.geometry cimport index_of
from bastide._core.state cimport CELL_NEAR, ON_SEGMENT, figure_t, figure_word, state_t, tile_t
from bastide._core.types cimport ABBOT, node_t, place_t, u8, u16, u32


cdef inline u32 free_segments(const state_t* s) noexcept nogil:
    """Return the segments, a bit each, of the tile placed last whose features hold no follower of anyone (B6)."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef u32 n = s.g.rec[t.rec].n_segments
    cdef u32 mask = 0
    cdef u32 i
    for i in range(n):
        mask |= <u32>(not is_occupied(s.total[s.label[t.base + i]])) << i
    return mask


cdef inline u32 places_for(const state_t* s, u32 type, u32 figure) noexcept nogil:
    """Return the segments of a type, a bit each, on which a kind of figure may stand at all (B6, B12, B13)."""
    return s.g.type[type].abbot_may if figure == ABBOT else s.g.type[type].meeple_may


cdef inline void deploy(state_t* s, u32 segment, u32 player, u32 figure) noexcept nogil:
    """Put a figure from supply on a free segment of the tile placed last."""
    cdef u32 number = s.h.n_tiles - 1u
    cdef const tile_t* t = &s.tile[number]
    cdef u32 node = t.base + segment
    cdef figure_t* f = &s.h.figure[s.h.n_figures]
    f.node, f.tile, f.owner, f.kind, f.place, f.spare = <node_t>node, <u16>number, <u8>player, <u8>figure, ON_SEGMENT, 0
    s.h.n_figures += 1
    s.h.supply[player][figure] -= 1
    s.total[s.label[node]] += one_figure(player)
    s.h.key += figure_word(s, f)
    if segment == s.g.rec[t.rec].monastery:
        watch_surroundings(s, t.at)


cdef inline void watch_surroundings(state_t* s, place_t at) noexcept nogil:
    """Flag the cell and its eight neighbours: a tile laid there may complete a monastery or garden."""
    cdef u32 i
    s.cells[index_of(at)] |= CELL_NEAR
    for i in range(8):
        s.cells[index_of((at + s.lay.around[i]) & s.lay.mask)] |= CELL_NEAR


cdef inline void drop_figure(state_t* s, u32 i) noexcept nogil:
    """Take figure i off the board (its feature's count too); where it goes is the caller's. The last one gets number i."""
    cdef figure_t* f = &s.h.figure[i]
    s.h.key -= figure_word(s, f)
    if f.place == ON_SEGMENT:
        s.total[s.label[f.node]] -= one_figure(f.owner)
    s.h.n_figures -= 1
    s.h.figure[i] = s.h.figure[s.h.n_figures]


cdef inline void send_home(state_t* s, u32 i) noexcept nogil:
    """Give figure i back to its owner's supply."""
    s.h.supply[s.h.figure[i].owner][s.h.figure[i].kind] += 1
    drop_figure(s, i)
