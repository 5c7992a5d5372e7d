"""Towers & Thieves (H1-H8). What the box keeps stands in towers_t (state.pxd); a watchman is a figure ON_TOWER."""

from bastide._core.actions cimport ACT_GROW, ACT_WATCHMAN, cell_of, pack_action
from bastide._core.expansions.towers cimport climb, figure_on, new_tower, tower_at, tower_on
from bastide._core.geometry cimport x_of, y_of
from bastide._core.meeples cimport send_home
from bastide._core.state cimport ON_TOWER, award, state_t, tile_t, tower_t
from bastide._core.types cimport (
    MEEPLE, NONE, SOURCE_THIEF, SOURCE_WATCHMAN, action_t, u16, u32,
)

cdef enum:
    MAX_GROWN = 5             # a thief lets towers below this height grow (H5)
    REPLACED_POINTS = 2       # H4
    FINAL_POINTS = 5          # H8


cdef void thieves_begin(state_t* s) noexcept nogil:
    """Fill the shared supply of floors (H1); no tile is stolen."""
    s.towers.pool = s.g.shared_floors
    s.towers.stolen = NONE


cdef void thieves_found(state_t* s) noexcept nogil:
    """Put a floor on the foundation of the tile placed last, if it has one and the supply a floor (H2)."""
    cdef tower_t* t = new_tower(s)
    if t != NULL and s.towers.pool:
        s.towers.pool -= 1
        t.height = 1


# -- thieves

cdef inline bint can_grow(const tower_t* t) noexcept nogil:
    return 0 < t.height < MAX_GROWN and not t.has_figure


cdef u32 n_growing(const state_t* s, u32 first) noexcept nogil:
    """Count the towers from `first` on that a thief lets grow (H5)."""
    cdef u32 n = 0
    cdef u32 i
    for i in range(first, s.towers.n):
        n += can_grow(&s.towers.tower[i])
    return n


cdef thief_outcome thief_drawn(state_t* s, u32 type) noexcept nogil:
    """Begin what a drawn thief does (H5, H6)."""
    cdef u32 i
    cdef u32 n = n_growing(s, 0)
    s.h.drawn = <u16>type
    s.towers.grow_from = 0
    if n > s.towers.pool and s.towers.pool > 0:
        return THIEF_GROWS
    if n <= s.towers.pool:
        for i in range(s.towers.n):
            if can_grow(&s.towers.tower[i]):
                s.towers.tower[i].height += 1
                s.towers.pool -= 1
    return finish_thief(s)


cdef u32 list_grow(const state_t* s, action_t* out) noexcept nogil:
    """List which tower gets the next floor: later ones than the last choice, so many left that all floors find one."""
    cdef u32 n = 0
    cdef u32 left = n_growing(s, s.towers.grow_from)
    cdef u32 i
    for i in range(s.towers.grow_from, s.towers.n):
        if not can_grow(&s.towers.tower[i]):
            continue
        if left < s.towers.pool:
            break
        out[n] = pack_action(ACT_GROW, s.tile[s.towers.tower[i].tile].at, 0, 0, 0)
        n += 1
        left -= 1
    return n


cdef thief_outcome grow(state_t* s, action_t action) noexcept nogil:
    """Give a chosen tower its floor, and go on."""
    cdef tower_t* t = tower_at(s, cell_of(action))
    t.height += 1
    s.towers.pool -= 1
    s.towers.grow_from = <u16>(t - s.towers.tower + 1)
    return THIEF_GROWS if s.towers.pool else finish_thief(s)


cdef thief_outcome finish_thief(state_t* s) noexcept nogil:
    """Let the watchmen score and go home (H5 II), or the thief steal the tile (H6)."""
    cdef u32 i = s.h.n_figures
    cdef u32 value = s.g.type[s.h.drawn].thief + stolen_value(s)
    cdef bint any_watchman = False
    s.towers.grow_from = 0
    while i:
        i -= 1
        if s.h.figure[i].place == ON_TOWER:
            any_watchman = True
            award(s, s.h.figure[i].owner, value, SOURCE_THIEF, NONE)
            tower_on(s, s.h.figure[i].tile).has_figure = False
            send_home(s, i)
    if any_watchman:
        s.towers.stolen = NONE
        return THIEF_PLACED
    s.towers.stolen = s.h.drawn
    s.towers.n_stolen += 1
    s.h.drawn = NONE
    return THIEF_STEALS


cdef u32 stolen_value(const state_t* s) noexcept nogil:
    return s.g.type[s.towers.stolen].thief if s.towers.stolen != NONE else 0


# -- watchmen

cdef bint is_in_sight(const state_t* s, const tower_t* t) noexcept nogil:
    """Tell whether a tower is in sight of the tile placed last: in its row or column, not farther than it is high (H3)."""
    cdef const tile_t* last = &s.tile[s.h.n_tiles - 1]
    cdef int dx = x_of(last.at) - x_of(s.tile[t.tile].at)
    cdef int dy = y_of(last.at) - y_of(s.tile[t.tile].at)
    if dx and dy:
        return False
    return dx + dy <= t.height and -dx - dy <= t.height


cdef bint may_watch(const state_t* s, const tower_t* t) noexcept nogil:
    """Tell whether the player may put a watchman on a tower (H2, H3, H4)."""
    if t.height == 0 or not is_in_sight(s, t):
        return False
    return not t.has_figure or s.g.replace_own or s.h.figure[figure_on(s, t)].owner != s.h.player


cdef bint can_place_watchman(const state_t* s) noexcept nogil:
    cdef u32 i
    if s.h.supply[s.h.player][MEEPLE]:
        for i in range(s.towers.n):
            if may_watch(s, &s.towers.tower[i]):
                return True
    return False


cdef u32 list_watchmen(const state_t* s, action_t* out) noexcept nogil:
    cdef u32 n = 0
    cdef u32 i
    if s.h.supply[s.h.player][MEEPLE] == 0:
        return 0
    for i in range(s.towers.n):
        if may_watch(s, &s.towers.tower[i]):
            out[n] = pack_action(ACT_WATCHMAN, s.tile[s.towers.tower[i].tile].at, 0, 0, 0)
            n += 1
    return n


cdef void place_watchman(state_t* s, action_t action) noexcept nogil:
    """Put a standard meeple on a tower; a watchman already there goes home with 2 points (H3, H4)."""
    cdef tower_t* t = tower_at(s, cell_of(action))
    cdef u32 i
    if t.has_figure:
        i = figure_on(s, t)
        award(s, s.h.figure[i].owner, REPLACED_POINTS, SOURCE_WATCHMAN, NONE)
        send_home(s, i)
    climb(s, t)


cdef void score_watchmen_final(state_t* s) noexcept nogil:
    """Pay each watchman 5 and the value of the stolen tile (H8)."""
    cdef u32 i
    for i in range(s.h.n_figures):
        if s.h.figure[i].place == ON_TOWER:
            award(s, s.h.figure[i].owner, FINAL_POINTS + stolen_value(s), SOURCE_WATCHMAN, NONE)
