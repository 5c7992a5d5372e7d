"""Watchtowers (W1-W5): reads what the placed tile closed (h.closed), before anything of it is scored (W3)."""

from bastide._core.features cimport CASTLE, worth
from bastide._core.geometry cimport index_of, x_of, y_of
from bastide._core.state cimport (
    CELL_TAKEN, CELL_TILE, ON_BARN, ON_CASTLE, ON_SEGMENT, award, figure_t, spot_under, state_t,
)
from bastide._core.tiles cimport HAS_CITY, HAS_MONASTERY, HAS_ROAD, type_t
from bastide._core.types cimport CITY, SOURCE_WATCHTOWER, place_t, u32

cdef enum:                    # type_t.watchtower
    PER_MEEPLE = 1
    PER_PENNANT = 2
    PER_ROAD = 3
    PER_MONASTERY = 4
    PER_CITY = 5


cdef void watchtower_bonuses(state_t* s) noexcept nogil:
    """Pay each follower of a closed road or city that stands on a watchtower tile (W2). No majority is asked."""
    cdef u32 i, k, label
    cdef const figure_t* f
    cdef const type_t* K
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        K = &s.g.type[s.tile[f.tile].rec >> 2]
        if K.watchtower == 0 or f.place != ON_SEGMENT:
            continue
        label = s.label[f.node]
        for k in range(s.h.n_closed):
            if s.h.closed[k] == label:
                award(s, f.owner, K.watchtower_points * count_around(s, f.tile, K.watchtower), SOURCE_WATCHTOWER, f.node)


cdef u32 count_around(const state_t* s, u32 tile, u32 subject) noexcept nogil:
    """Count what a watchtower counts on its own tile and the eight around it (W4)."""
    cdef place_t at = s.tile[tile].at
    cdef const type_t* K
    cdef u32 n = 0
    cdef u32 i, cell
    if subject == PER_MEEPLE:
        for i in range(s.h.n_figures):
            n += figure_is_near(s, &s.h.figure[i], at)
        return n
    for i in range(9):
        cell = s.cells[index_of(at if i == 8 else (at + s.lay.around[i]) & s.lay.mask)]
        if not cell & CELL_TAKEN:
            continue
        K = &s.g.type[s.tile[cell & CELL_TILE].rec >> 2]
        if s.g.castles and (subject == PER_PENNANT or subject == PER_CITY):
            n += count_cities(s, cell & CELL_TILE, subject)
        elif subject == PER_PENNANT:
            n += K.pennants
        elif subject == PER_ROAD:
            n += (K.has & HAS_ROAD) != 0
        elif subject == PER_MONASTERY:
            n += (K.has & HAS_MONASTERY) != 0
        else:
            n += (K.has & HAS_CITY) != 0
    return n


cdef u32 count_cities(const state_t* s, u32 tile, u32 subject) noexcept nogil:
    """Count a tile's pennants, or 1 if it has a city: castles are none (W4)."""
    cdef const type_t* K = &s.g.type[s.tile[tile].rec >> 2]
    cdef u32 n = 0
    cdef u32 k
    for k in range(K.n_segments):
        if K.kind[k] == CITY and not s.total[s.label[s.tile[tile].base + k]] & CASTLE:
            if subject == PER_PENNANT:
                n += worth(K.total[k]) - 1
            else:
                n = 1
    return n


cdef bint figure_is_near(const state_t* s, const figure_t* f, place_t at) noexcept nogil:
    """Tell whether a figure stands in the area; a maiden or a barn's farmer on any of its castle's or barn's tiles (W4)."""
    cdef place_t where = s.tile[f.tile].at
    if is_near(where, at):
        return True
    if f.place == ON_CASTLE:
        return is_near(where + s.lay.step[spot_under(s, f)], at)
    return f.place == ON_BARN and (is_near(where + s.lay.around[2], at) or is_near(where + s.lay.around[3], at)
                                   or is_near(where + s.lay.around[4], at))


cdef bint is_near(place_t a, place_t b) noexcept nogil:
    cdef int dx = x_of(a) - x_of(b)
    cdef int dy = y_of(a) - y_of(b)
    return -1 <= dx <= 1 and -1 <= dy <= 1
