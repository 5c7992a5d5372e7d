"""What both editions of the towers share: finding one, and a figure climbing it (tower.pyx, thieves.pyx)."""

from bastide._core.state cimport ON_TOWER, figure_t, figure_word, state_t, tower_t
from bastide._core.types cimport BLACK, MEEPLE, NORMAL, u16, u32

cdef enum:
    MAX_HEIGHT = 48           # more floors than there are in a game: at most 42 (T1, K1), 5 with Towers & Thieves


cdef inline u32 floor_colour(const tower_t* t, u32 floor) noexcept nogil:
    """Return the colour of a tower's floor, 0 being the lowest."""
    if floor == t.height - 1u:
        return t.top
    return BLACK if t.black >> floor & 1 else NORMAL


cdef inline tower_t* new_tower(state_t* s) noexcept nogil:
    """Note the tower foundation of the tile placed last, and return it; NULL if it has none."""
    cdef tower_t* t
    if not s.g.type[s.tile[s.h.n_tiles - 1].rec >> 2].is_foundation:
        return NULL
    t = &s.towers.tower[s.towers.n]
    s.towers.n += 1
    t.black, t.tile, t.height, t.top, t.has_figure = 0, <u16>(s.h.n_tiles - 1), 0, NORMAL, False
    return t


cdef inline tower_t* tower_at(const state_t* s, u32 xy) noexcept nogil:
    """Return the tower on the cell with these coordinates (as in an action); there is one."""
    cdef u32 i = 0
    while <u32>(s.tile[s.towers.tower[i].tile].at >> 32) != xy:
        i += 1
    return &s.towers.tower[i]


cdef inline tower_t* tower_on(const state_t* s, u32 tile) noexcept nogil:
    """Return the tower on a tile; there is one."""
    cdef u32 i = 0
    while s.towers.tower[i].tile != tile:
        i += 1
    return &s.towers.tower[i]


cdef inline u32 figure_on(const state_t* s, const tower_t* t) noexcept nogil:
    """Return the number of the figure on a tower, or n_figures."""
    cdef u32 i
    for i in range(s.h.n_figures):
        if s.h.figure[i].place == ON_TOWER and s.h.figure[i].tile == t.tile:
            return i
    return s.h.n_figures


cdef inline void climb(state_t* s, tower_t* t) noexcept nogil:
    """Put a standard meeple of the deciding player on a tower without a figure."""
    cdef figure_t* f = &s.h.figure[s.h.n_figures]
    f.node, f.tile, f.owner, f.kind = s.tile[t.tile].base, t.tile, s.h.player, MEEPLE
    f.place, f.spare = ON_TOWER, 0
    s.h.n_figures += 1
    s.h.supply[s.h.player][MEEPLE] -= 1
    s.h.key += figure_word(s, f)
    t.has_figure = True
