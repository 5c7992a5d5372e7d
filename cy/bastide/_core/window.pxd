"""Fixed numbers for actions: the same number for the same choice in every position, over a square window of cells.

What the numbers are stands in bastide.actionindex, which fills the table below and says it all again in plain Python.
An action has a block by its kind, a sub-number by figure and spot (`sub_number`), and, where the kind names a cell, that
cell's place in the window. What has no number (a cell outside, no block) is -1, for the caller to count.
"""

from bastide._core.actions cimport (
    ACT_BARN, ACT_CAPTURE, ACT_CASTLE, ACT_DEPLOY, ACT_EXCHANGE, ACT_FLOOR, ACT_PLACE, ACT_RANSOM, ACT_TAKE_BACK,
    ACT_TOWER, CELL2_SHIFT, CELL_SHIFT, HALF_SHIFT, SPOT_CITY_INSIDE, SPOT_MONASTERY, figure_of, kind_of, player_of,
    spot_of,
)
from bastide._core.geometry cimport XY_BITS, XY_MASK, XY_OFFSET
from bastide._core.state cimport state_t
from bastide._core.types cimport action_t, int64_t, u32

cdef enum:
    N_ACTION_KINDS = 16       # room for all that 4 bits can say
    N_SPOTS = 23              # spot codes

cdef struct window_t:
    int size                  # cells a side, odd; 0: no window was made
    bint follows              # the middle is the board's (its bounding box), else the start tile
    u32 n                     # numbers in all
    u32 n_holders             # players
    u32 first[N_ACTION_KINDS] # a kind's first number
    u32 n_sub[N_ACTION_KINDS] # how many sub-numbers the kind has; 0: none of the game's actions is of this kind
    u32 has_cell[N_ACTION_KINDS]


cdef inline int middle(int low, int high) noexcept nogil:
    """Return the middle of a range, rounded down (the offset makes the sum positive)."""
    return (low + high + 2 * XY_OFFSET) // 2 - XY_OFFSET


cdef inline void window_middle(const window_t* w, const state_t* s, int* x, int* y) noexcept nogil:
    x[0] = middle(s.h.x0, s.h.x1) if w.follows else 0
    y[0] = middle(s.h.y0, s.h.y1) if w.follows else 0


cdef inline u32 sub_number(const window_t* w, action_t a, u32 kind) noexcept nogil:
    if kind == ACT_PLACE or kind == ACT_FLOOR or kind == ACT_CAPTURE:
        return spot_of(a)
    if kind == ACT_DEPLOY:
        return figure_of(a) * N_SPOTS + spot_of(a)
    if kind == ACT_RANSOM or kind == ACT_EXCHANGE:
        return figure_of(a) * w.n_holders + player_of(a)
    if kind == ACT_TOWER:
        return figure_of(a)
    if kind == ACT_TAKE_BACK:
        return spot_of(a) - SPOT_MONASTERY
    if kind == ACT_CASTLE:
        return 4 if spot_of(a) == SPOT_CITY_INSIDE else spot_of(a)
    if kind == ACT_BARN:
        return spot_of(a) * 8 + <u32>(a >> HALF_SHIFT & 7)
    return 0


cdef inline int64_t number_of(const window_t* w, action_t a, int x, int y) noexcept nogil:
    """Return the number of an action where the window's middle is (x, y), or -1."""
    cdef u32 kind = kind_of(a)
    cdef u32 sub = sub_number(w, a, kind)
    cdef int shift = CELL2_SHIFT if kind == ACT_BARN else CELL_SHIFT
    cdef int half = w.size // 2
    cdef int dx, dy
    if sub >= w.n_sub[kind]:
        return -1
    if not w.has_cell[kind]:
        return w.first[kind] + sub
    dx = <int>(a >> shift & XY_MASK) - XY_OFFSET - x + half
    dy = <int>(a >> (shift + XY_BITS) & XY_MASK) - XY_OFFSET - y + half
    if dx < 0 or dy < 0 or dx >= w.size or dy >= w.size:
        return -1
    return w.first[kind] + (sub * w.size + dy) * w.size + dx
