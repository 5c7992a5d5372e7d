"""The Tower (T1-T11), with the colours of Black Tower (K1-K4) where that is in play.

What the box keeps stands in towers_t (state.pxd): each foundation on the board, floors and prisoners of the players,
and what goes on in the turn. A figure on a tower is a figure of the common list with place ON_TOWER.
"""

from bastide._core.actions cimport (
    ACT_CAPTURE, ACT_EXCHANGE, ACT_FLOOR, ACT_RANSOM, ACT_TOWER, SPOT_TOWER, cell_of, figure_of, pack_action, player_of,
    spot_of,
)
from bastide._core.expansions.towers cimport MAX_HEIGHT, climb, new_tower, tower_at
from bastide._core.geometry cimport XY_BITS, XY_MASK, index_of, x_of, y_of
from bastide._core.meeples cimport drop_figure, send_home
from bastide._core.rng cimport likely
from bastide._core.state cimport CELL_TAKEN, ON_SEGMENT, ON_TOWER, award, figure_t, spot_under, state_t, tile_t, tower_t
from bastide._core.types cimport (
    BLACK, MEEPLE, N_COLOURS, N_FIGURE_KINDS, NONE, NORMAL, SOURCE_RANSOM, WHITE, action_t, place_t, u8, u16, u32, u64,
)

cdef enum:
    RANSOM_PRICE = 3
    MAX_RANSOMS = 12          # holders x kinds


cdef void tower_begin(state_t* s) noexcept nogil:
    """Give the players their floors (T1, K1)."""
    cdef u32 i, colour
    for i in range(s.g.n_players):
        for colour in range(N_COLOURS):
            s.towers.floors[i][colour] = s.g.floors[colour]


cdef void tower_found(state_t* s) noexcept nogil:
    """Note the tower foundation of the tile placed last, if it has one."""
    s.towers.n_open += new_tower(s) != NULL


cdef inline bint is_open(const tower_t* t) noexcept nogil:
    """Tell whether a foundation or tower has no figure and no white floor on top (T2, K3)."""
    return (not t.has_figure) & (t.top != WHITE)


cdef void tower_count_open(state_t* s) noexcept nogil:
    """Count the open foundations anew."""
    cdef u32 i
    s.towers.n_open = s.towers.n_tall = 0
    for i in range(s.towers.n):
        s.towers.n_open += is_open(&s.towers.tower[i])
        s.towers.n_tall += is_open(&s.towers.tower[i]) and s.towers.tower[i].height > 0


# -- the figure step

cdef bint tower_can_act(const state_t* s) noexcept nogil:
    """Tell whether the box adds anything to the figure step."""
    cdef action_t[MAX_RANSOMS] some
    if count_floors(s) or count_tower_followers(s):
        return True
    return s.towers.n > 0 and list_ransoms(s, some) > 0


cdef u32 list_ransoms(const state_t* s, action_t* out) noexcept nogil:
    """List whom the player can buy back (T8)."""
    cdef u32 n = 0
    cdef u32 holder, kind
    if s.towers.has_ransomed or s.g.eye_for_an_eye or s.h.score[s.h.player] < RANSOM_PRICE:
        return 0
    for holder in range(s.g.n_players):
        for kind in range(N_FIGURE_KINDS):
            if s.towers.prisoners[holder][s.h.player][kind]:
                out[n] = pack_action(ACT_RANSOM, 0, 0, kind, holder)
                n += 1
    return n


cdef void ransom(state_t* s, action_t action) noexcept nogil:
    """Buy a figure back; it is in supply at once (T8)."""
    cdef u32 holder = player_of(action)
    cdef u32 kind = figure_of(action)
    s.towers.prisoners[holder][s.h.player][kind] -= 1
    s.h.supply[s.h.player][kind] += 1
    s.towers.has_ransomed = True
    award(s, s.h.player, -RANSOM_PRICE, SOURCE_RANSOM, NONE)
    award(s, holder, RANSOM_PRICE, SOURCE_RANSOM, NONE)


cdef u32 list_floors(const state_t* s, action_t* out) noexcept nogil:
    """List where the player can put which floor (T2, K2, K3)."""
    cdef action_t[N_COLOURS] colour                   # in hand, as bits of the action
    cdef action_t action, least
    cdef const tower_t* t
    cdef u32 n_colours = 0
    cdef u32 n = 0
    cdef u32 i, k
    for k in range(N_COLOURS):
        colour[n_colours] = pack_action(0, 0, k, 0, 0)
        n_colours += s.towers.floors[s.h.player][k] > 0
    for i in range(s.towers.n if n_colours else 0):
        t = &s.towers.tower[i]
        action = pack_action(ACT_FLOOR, s.tile[t.tile].at, 0, 0, 0)
        least = pack_action(0, 0, WHITE + (t.height > 0), 0, 0)
        for k in range(n_colours):                    # no branch: it could not be foreseen
            out[n] = action | colour[k]
            n += is_open(t) & (colour[k] < least)
    return n


cdef u32 count_floors(const state_t* s) noexcept nogil:
    """Count what `list_floors` lists."""
    cdef const u8* floors = s.towers.floors[s.h.player]
    return s.towers.n_open * ((floors[NORMAL] > 0) + (floors[BLACK] > 0)) + s.towers.n_tall * (floors[WHITE] > 0)


cdef action_t nth_floor(const state_t* s, u32 k) noexcept nogil:
    """Return the action number k of those that `list_floors` lists."""
    cdef const u8* floors = s.towers.floors[s.h.player]
    cdef u32 n_low = (floors[NORMAL] > 0) + (floors[BLACK] > 0)          # colours that can stand on the ground
    cdef u32 n_white = floors[WHITE] > 0
    cdef const tower_t* t = s.towers.tower
    cdef u32 colour
    cdef u32 here = 0
    while True:
        here = is_open(t) * (n_low + n_white * (t.height > 0))
        if k < here:
            break
        k -= here
        t += 1
    if k == n_low:
        colour = WHITE
    else:
        colour = NORMAL if k == 0 and floors[NORMAL] else BLACK
    return pack_action(ACT_FLOOR, s.tile[t.tile].at, colour, 0, 0)


cdef bint put_floor(state_t* s, action_t action) noexcept nogil:
    """Put a floor on a tower; tell whether a follower can be captured now (T3, K3)."""
    cdef tower_t* t = tower_at(s, cell_of(action))
    cdef u32 colour = spot_of(action)
    s.towers.floors[s.h.player][colour] -= 1
    s.towers.n_tall += t.height == 0
    s.towers.n_open -= colour == WHITE
    s.towers.n_tall -= colour == WHITE
    t.black |= <u64>(colour == BLACK) << t.height
    t.height += 1
    t.top = <u8>colour
    s.towers.floor = <u16>(t - s.towers.tower)
    return colour != WHITE and can_capture(s)


cdef u32 list_tower_followers(const state_t* s, action_t* out) noexcept nogil:
    """List the towers that a standard meeple can climb (T2)."""
    cdef const tower_t* t
    cdef u32 n = 0
    cdef u32 i
    if s.h.supply[s.h.player][MEEPLE] == 0:
        return 0
    for i in range(s.towers.n):
        t = &s.towers.tower[i]
        out[n] = pack_action(ACT_TOWER, s.tile[t.tile].at, 0, MEEPLE, 0)
        n += is_open(t) & (t.height > 0)
    return n


cdef u32 count_tower_followers(const state_t* s) noexcept nogil:
    """Count what `list_tower_followers` lists."""
    return s.towers.n_tall if s.h.supply[s.h.player][MEEPLE] else 0


cdef action_t nth_tower_follower(const state_t* s, u32 k) noexcept nogil:
    """Return the action number k of those that `list_tower_followers` lists."""
    cdef const tower_t* t = s.towers.tower
    while True:
        if is_open(t) & (t.height > 0):
            if k == 0:
                return pack_action(ACT_TOWER, s.tile[t.tile].at, 0, MEEPLE, 0)
            k -= 1
        t += 1


cdef void climb_tower(state_t* s, action_t action) noexcept nogil:
    """Put a standard meeple on a tower, which closes it (T2, T9)."""
    climb(s, tower_at(s, cell_of(action)))
    s.towers.n_open -= 1
    s.towers.n_tall -= 1


# -- captures

cdef struct range_t:          # what a tower reaches
    place_t at                # its cell
    bint is_ball              # option tower_diagonal: all tiles at Manhattan distance 0..h
    bint is_black             # diagonals instead of rows and columns
    int reach[4]              # steps N E S W, or NE SE SW NW
    u64 rows[4][MAX_HEIGHT]   # ball: by quadrant and |dy|, a bit a |dx|


cdef void find_range(const state_t* s, range_t* r) noexcept nogil:
    """Find what the tower that got the newest floor reaches (T4, T5, T11, K2)."""
    cdef const tower_t* t = &s.towers.tower[s.towers.floor]
    cdef int h = t.height - s.g.no_surprise
    cdef u32 k
    r.at = s.tile[t.tile].at
    r.is_black = t.top == BLACK
    r.is_ball = s.g.tower_diagonal and not r.is_black
    if r.is_ball:
        for k in range(4):
            find_quadrant(s, r, k, h)
        return
    find_reach(s, r, h)


cdef void find_reach(const state_t* s, range_t* r, int h) noexcept nogil:
    """Count the tiles up to the first gap, at most h, in the four directions at once. A gap comes before the grid wraps."""
    cdef place_t[4] at = [r.at, r.at, r.at, r.at]
    cdef int[4] goes_on = [1, 1, 1, 1]
    cdef u32 k
    for k in range(4):
        r.reach[k] = h if s.g.tower_cross else 0
    for _ in range(0 if s.g.tower_cross else h):
        for k in range(4):
            at[k] = (at[k] + s.lay.around[2 * k + r.is_black]) & s.lay.mask
            goes_on[k] &= s.cells[index_of(at[k])] >> 15
            r.reach[k] += goes_on[k]


cdef void find_quadrant(const state_t* s, range_t* r, u32 k, int h) noexcept nogil:
    """Mark what is reached in a quadrant of the ball: with gaps blocking, over shortest paths of placed tiles."""
    cdef int dx = 1 if k < 2 else -1
    cdef int dy = 1 if k & 1 else -1
    cdef u64 row, before
    cdef int x, y
    for y in range(h + 1):
        row = 0
        before = r.rows[k][y - 1] if y else 1
        for x in range(h + 1 - y):
            if not s.g.tower_cross and (not (before >> x & 1 or (x and row >> (x - 1) & 1)) or not is_placed(s, r.at, dx * x, dy * y)):
                continue
            row |= <u64>1 << x
        r.rows[k][y] = row
    for y in range(h + 1, MAX_HEIGHT):
        r.rows[k][y] = 0


cdef bint is_placed(const state_t* s, place_t at, int dx, int dy) noexcept nogil:
    """Tell whether a tile lies at an offset; beyond the bounding box there is none (the grid may wrap there)."""
    cdef int x = x_of(at) + dx
    cdef int y = y_of(at) + dy
    if x < s.h.x0 or x > s.h.x1 or y < s.h.y0 or y > s.h.y1:
        return False
    return s.cells[(index_of(at) + <u32>dx + s.lay.b * <u32>dy) & (s.lay.n - 1)] & CELL_TAKEN != 0


cdef inline bint is_in_range(const range_t* r, place_t where) noexcept nogil:
    cdef u32 differs = <u32>((where ^ r.at) >> 32)
    if likely(not r.is_ball and not r.is_black and differs & XY_MASK and differs >> XY_BITS):     # neither row nor column
        return False
    cdef int dx = x_of(where) - x_of(r.at)
    cdef int dy = y_of(where) - y_of(r.at)
    cdef int ax = dx if dx >= 0 else -dx
    cdef int ay = dy if dy >= 0 else -dy
    if r.is_ball:
        return ax < MAX_HEIGHT and ay < MAX_HEIGHT and r.rows[(0 if dx >= 0 else 2) + (dy >= 0)][ay] >> ax & 1
    if ax == 0 and ay == 0:
        return True
    if r.is_black:
        return ax == ay and ax <= r.reach[(0 if dy < 0 else 1) if dx > 0 else (3 if dy < 0 else 2)]
    if ax == 0:
        return ay <= r.reach[0 if dy < 0 else 2]
    return ay == 0 and ax <= r.reach[1 if dx > 0 else 3]


cdef bint can_capture(const state_t* s) noexcept nogil:
    """Tell whether any follower is in range of the newest floor."""
    cdef range_t r
    cdef u32 i
    find_range(s, &r)
    for i in range(s.h.n_figures):
        if s.h.figure[i].place <= ON_TOWER and is_in_range(&r, s.tile[s.h.figure[i].tile].at):
            return True
    return False


cdef u32 list_captures(const state_t* s, action_t* out) noexcept nogil:
    """List pass and the followers in range of the newest floor, own ones too (T3); not on castles and barns (C3)."""
    cdef range_t r
    cdef const figure_t* f
    cdef const tile_t* t
    cdef u32 n = 1
    cdef u32 i, spot
    find_range(s, &r)
    out[0] = 0
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        t = &s.tile[f.tile]
        if f.place > ON_TOWER or not is_in_range(&r, t.at):
            continue
        spot = SPOT_TOWER if f.place == ON_TOWER else spot_under(s, f)
        out[n] = pack_action(ACT_CAPTURE, t.at, spot, f.kind, f.owner)
        n += 1
    return n


cdef bint capture(state_t* s, action_t action) noexcept nogil:
    """Capture a follower (T3, T6) and exchange prisoners (T7); tell whether the player has to choose which."""
    cdef u32 player = s.h.player
    cdef u32 owner = player_of(action)
    cdef u32 kind = figure_of(action)
    cdef u32 i = find_figure(s, action)
    cdef const u8* held
    if s.log != NULL:
        s.log.n_captures += 1
    if s.h.figure[i].place == ON_TOWER:
        tower_at(s, cell_of(action)).has_figure = False
        s.towers.n_open += 1
        s.towers.n_tall += 1
    if owner == player:
        send_home(s, i)
        return False
    drop_figure(s, i)
    s.towers.prisoners[player][owner][kind] += 1
    s.towers.captured_owner, s.towers.captured_kind = <u8>owner, <u8>kind
    held = s.towers.prisoners[owner][player]
    if held[0] and held[1]:
        return True
    if held[0] or held[1]:
        exchange(s, 0 if held[0] else 1)
    return False


cdef u32 find_figure(const state_t* s, action_t action) noexcept nogil:
    """Return the number of the figure that a capture names; there is one."""
    cdef u32 place = ON_TOWER if spot_of(action) == SPOT_TOWER else ON_SEGMENT
    cdef const figure_t* f
    cdef const tile_t* t
    cdef u32 i
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        t = &s.tile[f.tile]
        if (<u32>(t.at >> 32) == cell_of(action) and f.place == place and f.owner == player_of(action)
                and f.kind == figure_of(action)
                and (place == ON_TOWER or spot_under(s, f) == spot_of(action))):
            break
    return i


cdef u32 list_exchanges(const state_t* s, action_t* out) noexcept nogil:
    """List which own figure can come back from the owner of the one just captured (T7)."""
    cdef u32 kind
    cdef u32 n = 0
    for kind in range(N_FIGURE_KINDS):
        if s.towers.prisoners[s.towers.captured_owner][s.h.player][kind]:
            out[n] = pack_action(ACT_EXCHANGE, 0, 0, kind, s.towers.captured_owner)
            n += 1
    return n


cdef void exchange(state_t* s, u32 kind) noexcept nogil:
    """Exchange the figure just captured for an own one of this kind: both go home (T7)."""
    cdef u32 owner = s.towers.captured_owner
    s.towers.prisoners[s.h.player][owner][s.towers.captured_kind] -= 1
    s.h.supply[owner][s.towers.captured_kind] += 1
    s.towers.prisoners[owner][s.h.player][kind] -= 1
    s.h.supply[s.h.player][kind] += 1


cdef void tower_finish_turn(state_t* s) noexcept nogil:
    """Forget what belonged to the turn."""
    s.towers.has_ransomed = False
    s.towers.floor = s.towers.captured_owner = s.towers.captured_kind = 0
