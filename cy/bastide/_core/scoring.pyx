"""Closed features, monasteries and gardens, the final scoring. See scoring.pxd."""

from libc.string cimport memset

from bastide._core.features cimport (
    FIGURE_BITS, FIGURE_MASK, FIGURES_BELOW, FIGURES_SHIFT, MULTI_MASK, MULTI_SHIFT, is_occupied, worth,
)
from bastide._core.geometry cimport index_of
from bastide._core.meeples cimport send_home
from bastide._core.state cimport (
    CELL_NEAR, CELL_TAKEN, CELL_TILE, ON_BARN, ON_SEGMENT, award, figure_t, state_t, terrain_under, tile_t,
)
from bastide._core.tiles cimport type_t
from bastide._core.types cimport (
    CITY, FIELD, GARDEN, MAX_FIGURES, ROAD, SOURCE_CITY, SOURCE_FIELD, SOURCE_GARDEN, SOURCE_MONASTERY, SOURCE_ROAD,
    node_t, place_t, total_t, u32, u64,
)


cdef u32 tiles_twice(const state_t* s, u32 label, u32 terrain) noexcept nogil:
    """Return how often the feature's worth counts a tile that it counted already (B7: a tile counts once)."""
    cdef u32 twice = 0
    cdef u32 i, k, n
    cdef const tile_t* t
    cdef const type_t* K
    for i in range(s.h.n_tiles):
        t = &s.tile[i]
        if not s.g.rec[t.rec].is_multi:
            continue
        K = &s.g.type[t.rec >> 2]
        n = 0
        for k in range(K.n_segments):
            n += (s.label[t.base + k] == label) & (K.kind[k] == terrain) & (k != K.bridge_segment)   # G7
        twice += n - 1 if n > 1 else 0
    return twice


cdef u32 n_tiles_of(const state_t* s, u32 label, u32 terrain) noexcept nogil:
    """Count the tiles of a feature. Walks the board: for rare questions only."""
    cdef u32 count = 0
    cdef u32 i, k
    cdef const tile_t* t
    for i in range(s.h.n_tiles):
        t = &s.tile[i]
        for k in range(s.g.type[t.rec >> 2].n_segments):
            if s.label[t.base + k] == label:
                count += 1
                break
    return count


cdef u32 feature_points(const state_t* s, u32 label, u32 terrain, bint final) noexcept nogil:
    """Return what a road or city pays: by B7 where it is closed, by B11 (`final`) where it is open."""
    cdef total_t v = s.total[label]
    cdef u32 points = worth(v)
    if (v >> MULTI_SHIFT & MULTI_MASK) > 1:
        points -= tiles_twice(s, label, terrain)
    if terrain == ROAD:
        # G7: a tile crossed by a bridge of a closed road counts 3; what runs under the bridge counts beside it.
        return points if final or s.g.bridges == 0 else points + 2 * n_bridges_of(s, label)
    if final:
        return points
    # B7, first printing: a closed city of two tiles pays 1 a tile and pennant.
    if s.g.small_city_points == 1 and n_tiles_of(s, label, CITY) == 2:
        return points
    return 2 * points


cdef u32 n_bridges_of(const state_t* s, u32 label) noexcept nogil:
    """Count the bridges of a road."""
    cdef u32 n = 0
    cdef u32 i, k
    for i in range(s.h.n_tiles):
        k = s.g.type[s.tile[i].rec >> 2].bridge_segment
        n += k != 255 and s.label[s.tile[i].base + k] == label
    return n


cdef void pay_majority(state_t* s, u32 label, int points, u32 source) noexcept nogil:
    """Pay all players with the most figures on a feature the full points (B9)."""
    cdef total_t figures = s.total[label] >> FIGURES_SHIFT
    cdef total_t v = figures
    cdef u32 most = 0
    cdef u32 player = 0
    while v:
        most = max(most, <u32>v & FIGURE_MASK)
        v >>= FIGURE_BITS
    while figures:
        if (<u32>figures & FIGURE_MASK) == most:
            award(s, player, points, source, label)
        figures >>= FIGURE_BITS
        player += 1


cdef void send_all_home(state_t* s, u32 label) noexcept nogil:
    """Give the figures on a scored feature back to their owners (B9)."""
    cdef u32 i = s.h.n_figures
    while i:
        i -= 1
        if s.h.figure[i].place == ON_SEGMENT and s.label[s.h.figure[i].node] == label:
            send_home(s, i)


cdef u32 surrounding_tiles(const state_t* s, u32 tile) noexcept nogil:
    """Count the placed tiles among the eight neighbours of a placed tile (B8)."""
    cdef u32 n = 0
    cdef u32 i
    for i in range(8):
        n += s.cells[index_of((s.tile[tile].at + s.lay.around[i]) & s.lay.mask)] >> 15
    return n


cdef void score_surrounded(state_t* s, u32 cell) noexcept nogil:
    """Score the monastery or garden on the tile at a grid cell, if it is occupied and complete (B8, B13)."""
    cdef u32 number = cell & CELL_TILE
    cdef const tile_t* t = &s.tile[number]
    cdef u32 k = s.g.rec[t.rec].monastery
    cdef u32 label
    if k == 255:
        return
    label = t.base + k
    if is_occupied(s.total[label]) and surrounding_tiles(s, number) == 8:
        pay_majority(s, label, 9, surrounded_source(s, number))
        send_all_home(s, label)


cdef u32 surrounded_source(const state_t* s, u32 number) noexcept nogil:
    cdef u32 rec = s.tile[number].rec
    return SOURCE_GARDEN if s.g.type[rec >> 2].kind[s.g.rec[rec].monastery] == GARDEN else SOURCE_MONASTERY


cdef void score_closed(state_t* s) noexcept nogil:
    """Score what the tile placed last completed: roads and cities (B7), then monasteries and gardens around (B8)."""
    cdef u32 i, cell, label, terrain, source
    cdef place_t at
    for i in range(s.h.n_closed):
        label = s.h.closed[i]
        terrain = s.h.closed_kind[i]
        if is_occupied(s.total[label]):
            source = SOURCE_CITY if terrain == CITY else SOURCE_ROAD
            pay_majority(s, label, feature_points(s, label, terrain, False), source)
            send_all_home(s, label)
    at = s.tile[s.h.n_tiles - 1].at
    if s.cells[index_of(at)] & CELL_NEAR:
        score_surrounded(s, s.cells[index_of(at)])
        for i in range(8):
            cell = s.cells[index_of((at + s.lay.around[i]) & s.lay.mask)]
            if cell & CELL_TAKEN:
                score_surrounded(s, cell)


cdef void score_final(state_t* s) noexcept nogil:
    """Score what is still on the board at the end (B11, B12). The figures stay where they are."""
    cdef u32[MAX_FIGURES] label                # occupied features, each once, and their sums
    cdef total_t[MAX_FIGURES] total
    cdef u32[MAX_FIGURES] field                # those of them that are fields
    cdef u32[MAX_FIGURES] n_cities
    cdef u32 n = 0
    cdef u32 n_fields = 0
    cdef u32 i, terrain, source
    cdef const figure_t* f
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        if f.place != ON_SEGMENT and f.place != ON_BARN:
            continue
        label[n] = s.label[f.node]
        total[n] = s.total[label[n]]
        if not is_occupied(total[n]):          # emptied below: scored with an earlier figure
            continue
        terrain = terrain_under(s, f)
        if terrain == FIELD:
            field[n_fields] = label[n]
            n_fields += 1
        elif terrain == ROAD or terrain == CITY:
            source = SOURCE_CITY if terrain == CITY else SOURCE_ROAD
            pay_majority(s, label[n], feature_points(s, label[n], terrain, True), source)
        else:
            source = surrounded_source(s, f.tile)
            pay_majority(s, label[n], 1 + surrounding_tiles(s, f.tile), source)
        if terrain != FIELD:
            s.total[label[n]] &= FIGURES_BELOW
            n += 1
    if n_fields:
        count_closed_cities(s, field, n_fields, n_cities)
        for i in range(n_fields):
            if n_cities[i] and is_occupied(s.total[field[i]]):
                label[n], total[n] = field[i], s.total[field[i]]
                pay_majority(s, field[i], 3 * n_cities[i], SOURCE_FIELD)
                s.total[field[i]] &= FIGURES_BELOW
                n += 1
    while n:
        n -= 1
        s.total[label[n]] = total[n]


cdef void count_closed_cities(const state_t* s, const u32* field, u32 n_fields, u32* n_cities) noexcept nogil:
    """Count the different closed cities that each of some fields (labels) touches (B12).

    64 cities at a time: a bit a city, or-ed into the words of the fields over all (field, city) contacts of the tiles.
    """
    cdef u64* bit = s.scratch                          # by label of a city
    cdef u64* seen = s.scratch + s.g.max_nodes + 16    # by label of a field
    cdef u32 first, i, k
    cdef const tile_t* t
    cdef const type_t* K
    cdef const node_t* label
    for i in range(n_fields):
        n_cities[i] = 0
    for first in range(0, s.h.n_cities, 64):
        memset(bit, 0, s.h.n_nodes * sizeof(u64))
        memset(seen, 0, s.h.n_nodes * sizeof(u64))
        for i in range(first, min(first + 64, <u32>s.h.n_cities)):
            bit[s.label[s.city[i]]] = <u64>1 << (i - first)
        for i in range(s.h.n_tiles):
            t = &s.tile[i]
            K = &s.g.type[t.rec >> 2]
            label = s.label + t.base
            for k in range(s.g.n_contacts):            # unused contacts name segment 0 twice: harmless
                seen[label[K.contact[k][0]]] |= bit[label[K.contact[k][1]]]
        for i in range(n_fields):
            n_cities[i] += popcount(seen[field[i]])


cdef u32 popcount(u64 x) noexcept nogil:
    x = x - (x >> 1 & <u64>0x5555555555555555)
    x = (x & <u64>0x3333333333333333) + (x >> 2 & <u64>0x3333333333333333)
    return <u32>(((x + (x >> 4)) & <u64>0x0F0F0F0F0F0F0F0F) * <u64>0x0101010101010101 >> 56)


cdef void zero_sum(const double* points, u32 n, double* out) noexcept nogil:
    """Write the result of a game for each player: 1/k for each of k winners, -1/(n-k) for the others; 0 if all won."""
    cdef double best = points[0]
    cdef u32 n_best = 0
    cdef u32 i
    for i in range(1, n):
        best = max(best, points[i])
    for i in range(n):
        n_best += points[i] == best
    for i in range(n):
        out[i] = 0 if n_best == n else 1.0 / n_best if points[i] == best else -1.0 / (n - n_best)
