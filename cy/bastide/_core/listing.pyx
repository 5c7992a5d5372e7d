"""Listing where a tile fits (B4). The cells are sorted first, then each gives its rotations: far fewer to sort.

A fitting cell is one word: y and x as in an action (actions.pxd), then the mask of rotations in the lowest 4 bits.
"""

from bastide._core.actions cimport ACT_PLACE, CELL_SHIFT, KIND_SHIFT, SPOT_SHIFT
from bastide._core.geometry cimport index_of, place_at
from bastide._core.rng cimport likely
from bastide._core.state cimport CELL_DEMAND, state_t
from bastide._core.tiles cimport count_bits4
from bastide._core.types cimport MAX_TILES, action_t, int16_t, u8, u32, u64

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #define BS_LANES 8
    /* How many of n keys are smaller than each of the 8 from i on. */
    #if defined(__GNUC__)
    typedef int16_t bs_lanes __attribute__((vector_size(16)));
    static inline void bs_ranks(const int16_t *key, uint32_t n, uint32_t i, int16_t *rank) {
        bs_lanes mine, count = {0};
        memcpy(&mine, key + i, sizeof mine);
        for (uint32_t j = 0; j < n; j++) count -= mine > key[j];
        memcpy(rank, &count, sizeof count);
    }
    #else
    static void bs_ranks(const int16_t *key, uint32_t n, uint32_t i, int16_t *rank) {
        for (uint32_t k = 0; k < BS_LANES; k++) {
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
    """
    enum: LANES "BS_LANES"
    void ranks "bs_ranks" (const int16_t* key, u32 n, u32 i, int16_t* rank) noexcept nogil
    const action_t SPOTS "bs_spots" [16][4]

cdef enum:
    FEW = 64                  # cells that are sorted by counting the smaller ones
    MANY = 2 * MAX_TILES + 4  # cells of the largest frontier


cdef u32 list_where_it_fits(const state_t* s, u32 type, action_t* out) noexcept nogil:
    """List the placements of a type on the frontier, ascending; returns how many. Writes up to 3 entries more."""
    cdef u32[MANY] cell
    cdef u32[FEW] in_order
    cdef int16_t[MANY + LANES] key
    cdef const u8* fits = s.g.fits + type * 256
    cdef const u32* at = cell
    cdef u32 first = index_of(place_at(s.lay, s.h.x0 - 1, s.h.y0 - 1))
    cdef u32 within = s.lay.n - 1
    cdef u32 n_cells = 0
    cdef u32 n = 0
    cdef u32 i, k, p, mask
    cdef action_t action
    for i in range(s.h.n_front):
        p = index_of(s.front[i])
        mask = fits[s.cells[p] & CELL_DEMAND]
        cell[n_cells] = <u32>(s.front[i] >> 32) << 4 | mask
        key[n_cells] = <int16_t>(p - first & within)
        n_cells += mask != 0
    if likely(n_cells <= FEW and grid_is_in_order(s)):
        for i in range(0, n_cells, 8):
            put_in_order(cell, key, n_cells, i, in_order)
        at = in_order
    else:
        sort_many(cell, n_cells)
    for i in range(n_cells):
        mask = at[i] & 15
        action = <action_t>ACT_PLACE << KIND_SHIFT | <action_t>(at[i] >> 4) << CELL_SHIFT
        for k in range(4):
            out[n + k] = action | SPOTS[mask][k]
        n += count_bits4(mask)
    return n


cdef inline bint grid_is_in_order(const state_t* s) noexcept nogil:
    """Tell whether indexes counted from the board's north-west corner ascend as (y, x) do, and are 16-bit numbers."""
    return s.lay.n <= 1 << 15 and (s.h.y1 - s.h.y0 + 3) * <int>s.lay.b <= <int>s.lay.n and s.h.x1 - s.h.x0 + 3 <= <int>s.lay.b


cdef inline void put_in_order(const u32* cell, const int16_t* key, u32 n, u32 i, u32* out) noexcept nogil:
    """Put the LANES cells from i on where they belong. The room for keys goes LANES beyond n."""
    cdef int16_t[LANES] rank
    cdef u32 k
    ranks(key, n, i, rank)
    for k in range(min(<u32>LANES, n - i)):
        out[rank[k]] = cell[i + k]


cdef void sort_many(u32* cell, u32 n) noexcept nogil:
    """Sort in place by shell sort."""
    cdef u32[7] gaps = [701, 301, 132, 57, 23, 10, 4]
    cdef u32 k, i, j, gap, x
    for k in range(8):
        gap = gaps[k] if k < 7 else 1
        for i in range(gap, n):
            x = cell[i]
            j = i
            while j >= gap and cell[j - gap] > x:
                cell[j] = cell[j - gap]
                j -= gap
            cell[j] = x
