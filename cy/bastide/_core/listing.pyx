"""Listing where a tile fits (B4), in the frontier's order or ascending. Sorted are the cells, far fewer than the actions.

A fitting cell is one word: its place_t, and the mask of rotations in the highest 4 bits.
"""

from bastide._core.actions cimport ACT_PLACE, CELL_SHIFT, KIND_SHIFT
from bastide._core.geometry cimport XY_BITS, index_of, place_at
from bastide._core.rng cimport likely
from bastide._core.state cimport CELL_DEMAND, state_t
from bastide._core.tiles cimport count_bits4
from bastide._core.types cimport MAX_TILES, action_t, int16_t, place_t, u8, u16, u32, u64

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    /* How many of n keys are smaller than each of the 32 from i on (of the first 16 only, where that is all there are). */
    #if defined(__GNUC__)
    typedef int16_t bs_lanes __attribute__((vector_size(16)));
    static inline void bs_ranks(const int16_t *key, uint32_t n, uint32_t i, int16_t *rank) {
        bs_lanes mine[4], count[4] = {{0}};
        memcpy(mine, key + i, sizeof mine);
        if (n - i <= 16)
            for (uint32_t j = 0; j < n; j++) {
                bs_lanes other = (bs_lanes){0} + key[j];
                count[0] -= mine[0] > other; count[1] -= mine[1] > other;
            }
        else
            for (uint32_t j = 0; j < n; j++) {
                bs_lanes other = (bs_lanes){0} + key[j];
                count[0] -= mine[0] > other; count[1] -= mine[1] > other;
                count[2] -= mine[2] > other; count[3] -= mine[3] > other;
            }
        memcpy(rank, count, sizeof count);
    }
    #else
    static void bs_ranks(const int16_t *key, uint32_t n, uint32_t i, int16_t *rank) {
        for (uint32_t k = 0; k < 32; k++) {
            rank[k] = 0;
            for (uint32_t j = 0; j < n; j++) rank[k] += key[i + k] > key[j];
        }
    }
    #endif
    /* The spots of a mask of rotations, in order, as they stand in an action. */
    #define R(k) ((int64_t)(k) << 6)
    static const int64_t bs_spots[16][4] = {
        {0}, {R(0)}, {R(1)}, {R(0), R(1)}, {R(2)}, {R(0), R(2)}, {R(1), R(2)}, {R(0), R(1), R(2)},
        {R(3)}, {R(0), R(3)}, {R(1), R(3)}, {R(0), R(1), R(3)}, {R(2), R(3)}, {R(0), R(2), R(3)},
        {R(1), R(2), R(3)}, {R(0), R(1), R(2), R(3)}};
    #undef R
    static inline void bs_put_spots(int64_t *out, int64_t action, uint32_t mask) {
        const int64_t *spot = bs_spots[mask];
        int64_t a = action | spot[0], b = action | spot[1], c = action | spot[2], d = action | spot[3];
        out[0] = a; out[1] = b; out[2] = c; out[3] = d;
    }
    """
    void ranks "bs_ranks" (const int16_t* key, u32 n, u32 i, int16_t* rank) noexcept nogil
    void put_spots "bs_put_spots" (action_t* out, action_t action, u32 mask) noexcept nogil

cdef enum:
    LANES = 32                # of `ranks`
    FEW = 64                  # cells that are sorted by counting the smaller ones
    MANY = 2 * MAX_TILES + 4  # cells of the largest frontier
    MASK_SHIFT = 60
    XY = (1 << 2 * XY_BITS) - 1


cdef u32 list_where_it_fits(const state_t* s, u32 type, action_t* out) noexcept nogil:
    """List the placements of a type on the frontier, in no order; returns how many. Writes up to 3 entries more."""
    cdef u64[MANY] cell
    return put_actions(cell, find_cells(s, type, cell), out)


cdef u32 list_where_it_fits_in_order(const state_t* s, u32 type, action_t* out) noexcept nogil:
    """List the placements of a type on the frontier, ascending; returns how many. Writes up to 3 entries more."""
    cdef u64[MANY] cell
    cdef u64[FEW] in_order
    cdef u32 n = find_cells(s, type, cell)
    if likely(n <= FEW and grid_is_in_order(s)):
        put_in_order(s, cell, n, in_order)
        return put_actions(in_order, n, out)
    sort_many(cell, n)
    return put_actions(cell, n, out)


cdef inline u32 find_cells(const state_t* s, u32 type, u64* cell) noexcept nogil:
    """Write down the cells where a type fits; returns how many."""
    cdef const u8* fits = s.g.fits + type * 256
    cdef const place_t* front = s.front
    cdef const u16* cells = s.cells
    cdef u32 n_front = s.h.n_front
    cdef u32 n = 0
    cdef u32 i
    cdef u64 mask
    for i in range(n_front):
        mask = fits[cells[index_of(front[i])] & CELL_DEMAND]
        cell[n] = front[i] | mask << MASK_SHIFT
        n += mask != 0
    return n


cdef inline u32 put_actions(const u64* cell, u32 n_cells, action_t* out) noexcept nogil:
    """Write the actions of fitting cells; returns how many."""
    cdef u32 n = 0
    cdef u32 i, mask
    for i in range(n_cells):
        mask = <u32>(cell[i] >> MASK_SHIFT)
        put_spots(out + n, <action_t>ACT_PLACE << KIND_SHIFT | <action_t>(cell[i] >> 32 & XY) << CELL_SHIFT, mask)
        n += count_bits4(mask)
    return n


cdef inline bint grid_is_in_order(const state_t* s) noexcept nogil:
    """Tell whether indexes counted from the board's north-west corner ascend as (y, x) do, and are 16-bit numbers."""
    return s.lay.n <= 1 << 15 and (s.h.y1 - s.h.y0 + 3) * <int>s.lay.b <= <int>s.lay.n and s.h.x1 - s.h.x0 + 3 <= <int>s.lay.b


cdef inline void put_in_order(const state_t* s, const u64* cell, u32 n, u64* out) noexcept nogil:
    """Put at most FEW fitting cells in the order of their indexes, counted from the board's north-west corner."""
    cdef int16_t[FEW + LANES] key
    cdef int16_t[LANES] rank
    cdef u32 first = index_of(place_at(s.lay, s.h.x0 - 1, s.h.y0 - 1))
    cdef u32 within = s.lay.n - 1
    cdef u32 i, k
    for i in range(n):
        key[i] = <int16_t>(index_of(cell[i]) - first & within)
    for i in range(0, n, 32):                          # LANES; the step must be a literal
        ranks(key, n, i, rank)
        for k in range(min(<u32>LANES, n - i)):
            out[rank[k]] = cell[i + k]


cdef void sort_many(u64* cell, u32 n) noexcept nogil:
    """Sort fitting cells by y and x, by shell sort."""
    cdef u32[7] gaps = [701, 301, 132, 57, 23, 10, 4]
    cdef u32 k, i, j, gap
    cdef u64 x
    for k in range(8):
        gap = gaps[k] if k < 7 else 1
        for i in range(gap, n):
            x = cell[i]
            j = i
            while j >= gap and (cell[j - gap] >> 32 & XY) > (x >> 32 & XY):
                cell[j] = cell[j - gap]
                j -= gap
            cell[j] = x
