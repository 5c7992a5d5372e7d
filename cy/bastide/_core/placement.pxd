"""Where tiles can lie, and laying one: B4, the frontier, and the joins of its segments.

`place_tile` is the one way a tile comes onto the board, for the phase machine and for playouts.
"""

from libc.string cimport memcpy

from bastide._core.features cimport OPEN_MASK, unite, unite_fields
from bastide._core.geometry cimport XY_BITS, XY_MASK, XY_OFFSET, index_of, neighbour, opposite, place_at, x_of, y_of
from bastide._core.rng cimport likely, unlikely
from bastide._core.state cimport (
    CELL_CLOSED, CELL_DEMAND, CELL_KNOWN, CELL_NEAR, CELL_TAKEN, CELL_TILE, state_t, tile_t,
)
from bastide._core.tiles cimport LEFT, RIGHT, TERRAIN, game_t, rec_t, type_t
from bastide._core.types cimport int16_t, node_t, place_t, u8, u16, u32, u64


cdef inline u32 fitting(const state_t* s, u32 type, u32 slot) noexcept nogil:
    """Return the distinct rotations, a bit each, in which a type fits a frontier cell."""
    return s.g.fits[type * 256 + (s.cells[index_of(s.front[slot])] & CELL_DEMAND)]


cdef inline u32 fitting_at(const state_t* s, u32 type, u32 xy) noexcept nogil:
    """Return the same for the cell with these coordinates (as in an action); 0 where no tile can lie."""
    cdef int x = <int>(xy & XY_MASK) - XY_OFFSET
    cdef int y = <int>(xy >> XY_BITS) - XY_OFFSET
    cdef u32 cell
    if x < s.h.x0 - 1 or x > s.h.x1 + 1 or y < s.h.y0 - 1 or y > s.h.y1 + 1:
        return 0
    cell = s.cells[index_of(place_at(s.lay, x, y))]
    return 0 if cell & (CELL_TAKEN | CELL_CLOSED) else s.g.fits[type * 256 + (cell & CELL_DEMAND)]


cdef inline bint fits_anywhere(const state_t* s, u32 type) noexcept nogil:
    cdef u32 i
    for i in range(s.h.n_front):
        if fitting(s, type, i):
            return True
    return False


cdef inline void join_edge(state_t* s, u64 mine, u64 theirs, u32 base) noexcept nogil:
    """Join what meets across an edge; `base` is the laid tile's first node. Notes a feature closed by it."""
    cdef u32 terrain = <u32>(mine >> TERRAIN)
    cdef u32 label, n, closes
    if likely(s.g.joins_main >> terrain & 1):
        label = unite(s, <u32>mine & 0xFFFF, <u32>theirs & 0xFFFF, base, terrain & 2)
        # Without branches: the entries are written, and count if the feature is closed.
        closes = (terrain >> 1) & <u32>(s.total[label] & OPEN_MASK == 0)
        n = s.h.n_closed
        s.h.closed[n] = <node_t>label
        s.h.closed_kind[n] = <u8>terrain
        s.h.n_closed = <u8>(n + closes)
        n = s.h.n_cities
        s.city[n] = <node_t>label
        s.h.n_cities = <u16>(n + (closes & terrain))      # CITY is odd, ROAD even
    if s.g.joins_sides >> terrain & 1:
        unite_fields(s, <u32>(mine >> LEFT) & 0xFFFF, <u32>(theirs >> RIGHT) & 0xFFFF, base)
        unite_fields(s, <u32>(mine >> RIGHT) & 0xFFFF, <u32>(theirs >> LEFT) & 0xFFFF, base)


cdef inline void place_tile(state_t* s, u32 slot, u32 rec) noexcept nogil:
    """Lay a tile (type * 4 + distinct rotation) on a frontier cell where it fits; closed features go to h.closed."""
    cdef const game_t* g = s.g
    cdef const rec_t* T = &g.rec[rec]
    cdef const type_t* K = &g.type[rec >> 2]
    cdef place_t at = s.front[slot]
    cdef place_t q
    cdef u32 demand = s.cells[index_of(at)]
    cdef u32 n_front = s.h.n_front - 1u
    cdef u32 base = s.h.n_nodes
    cdef u32 number = s.h.n_tiles
    cdef tile_t* tile = &s.tile[number]
    cdef u64 shift = base * <u64>0x000100010001
    cdef u64 four
    cdef u32 wanted, touched, n_touched, e, i, cell

    s.front[slot] = s.front[n_front]
    s.h.n_nodes = <u16>(base + T.n_segments)
    s.h.n_tiles = <u16>(number + 1)
    # Eight at a time: there is slack behind the nodes.
    four = base * <u64>0x0001000100010001 + <u64>0x0003000200010000
    memcpy(s.label + base, &four, 8)
    four += <u64>0x0004000400040004
    memcpy(s.label + base + 4, &four, 8)
    memcpy(s.total + base, K.total, 64)
    if unlikely(T.n_segments > 8):
        for i in range(8, T.n_segments):
            s.label[base + i] = <node_t>(base + i)
            s.total[base + i] = K.total[i]
    tile.at, tile.rec, tile.base = at, rec, <node_t>base
    s.cells[index_of(at)] = <u16>(demand & CELL_NEAR | CELL_TAKEN | number)
    for e in range(4):
        tile.edge[e] = T.edge[e] + shift

    # Neighbours without a tile learn what they will have to show; new ones join the frontier.
    wanted = T.demand & g.open_mask[demand & CELL_DEMAND]
    for e in range(4):
        q = neighbour(s.lay, at, e)
        cell = s.cells[index_of(q)]
        i = wanted >> (8 * e) & 0xFF
        s.cells[index_of(q)] = <u16>(cell | i)
        s.front[n_front] = q
        n_front += (((cell & CELL_KNOWN) - 1) & (0 - i)) >> 31      # i != 0 and the cell is new
    s.h.n_front = <u16>n_front

    s.h.n_closed = 0
    touched = g.touched[demand & CELL_DEMAND]
    n_touched = touched & 7
    touched >>= 3
    while n_touched:
        n_touched -= 1
        e = touched & 3
        touched >>= 2
        cell = s.cells[index_of(neighbour(s.lay, at, e))]
        join_edge(s, tile.edge[e], s.tile[cell & CELL_TILE].edge[opposite(e)], base)


cdef inline void extend_box(state_t* s) noexcept nogil:
    """Take the tile placed last into the bounding box."""
    cdef int x = x_of(s.tile[s.h.n_tiles - 1].at)
    cdef int y = y_of(s.tile[s.h.n_tiles - 1].at)
    s.h.x0 = min(s.h.x0, <int16_t>x)
    s.h.x1 = max(s.h.x1, <int16_t>x)
    s.h.y0 = min(s.h.y0, <int16_t>y)
    s.h.y1 = max(s.h.y1, <int16_t>y)
