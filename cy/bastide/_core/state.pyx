"""Making, copying, growing and comparing states. What the fields mean stands in state.pxd."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from bastide._core.geometry cimport index_of, layout_t, place_at, x_of, y_of
from bastide._core.rng cimport unlikely
from bastide._core.tiles cimport ANY_TOWER, BOX_BRIDGES_CASTLES
from bastide._core.types cimport NONE, PHASE_CAPTURE, PHASE_END, PHASE_PLACE, SOURCE_WATCHTOWER, int64_t, node_t, place_t, total_t, u8, u16, u32, u64

cdef enum:
    N_SECTIONS = 9
    ALIGN = 64
    MARGIN = 2                # cells round the bounding box that may be read or flagged

cdef extern from *:
    """
    #ifdef BASTIDE_DEBUG
    #define BS_SEPARATE 1     /* each section its own allocation, so that AddressSanitizer knows its bounds */
    #else
    #define BS_SEPARATE 0
    #endif
    """
    bint SEPARATE "BS_SEPARATE"


cdef void section_sizes(const game_t* g, size_t* size) noexcept nogil:
    """Bytes of the sections in the order of state_t, the grid aside; slack lets stores write whole vectors."""
    size[0] = (2 * g.max_tiles + 4) * sizeof(place_t)
    size[1] = (g.max_nodes + 16) * sizeof(node_t)
    size[2] = (g.max_nodes + 16) * sizeof(total_t)
    size[3] = (g.max_tiles + 1) * sizeof(tile_t)
    size[4] = (g.max_cities + 4) * sizeof(node_t)
    size[5] = g.n_types * sizeof(u16)
    size[6] = sizeof(towers_t) + g.max_towers * sizeof(tower_t) if g.boxes & ANY_TOWER else 1
    size[7] = sizeof(buildings_t) + (g.castles + 1) * sizeof(castle_t) if g.boxes & BOX_BRIDGES_CASTLES else 1
    size[8] = (2 * g.max_nodes + 32) * sizeof(u64)


cdef void** section(state_t* s, int i) noexcept nogil:
    """Return where the i-th section's pointer stands: they follow each other in state_t."""
    return <void**>&s.front + i


cdef size_t rounded(size_t size) noexcept nogil:
    return (size + ALIGN - 1) // ALIGN * ALIGN


cdef state_t* state_new(const game_t* g) noexcept nogil:
    """Allocate an empty state, or return NULL. The caller starts it (turn_start)."""
    cdef size_t[N_SECTIONS] size
    cdef size_t total = 0
    cdef int i
    cdef char* at
    cdef state_t* s = <state_t*>malloc(sizeof(state_t))
    if s == NULL:
        return NULL
    memset(s, 0, sizeof(state_t))
    s.g = g
    s.lay = &g.layout[g.first_layout]
    section_sizes(g, size)
    for i in range(N_SECTIONS):
        total += rounded(size[i])
    s.n_cells = s.lay.n
    s.cells = <u16*>malloc(s.n_cells * sizeof(u16))
    if SEPARATE:
        for i in range(N_SECTIONS):
            section(s, i)[0] = malloc(size[i])
            if section(s, i)[0] == NULL:
                state_free(s)
                return NULL
    else:
        s.block = malloc(total + ALIGN)
        if s.block != NULL:
            at = <char*>rounded(<size_t>s.block)
            for i in range(N_SECTIONS):
                section(s, i)[0] = at
                at += rounded(size[i])
    if s.cells == NULL or (s.block == NULL and not SEPARATE):
        state_free(s)
        return NULL
    memset(s.cells, 0, s.n_cells * sizeof(u16))
    # Slack is read by vector code (never used): give it a value once.
    memset(s.label, 0, size[1])
    memset(s.total, 0, size[2])
    return s


cdef void state_free(state_t* s) noexcept nogil:
    if s == NULL:
        return
    if SEPARATE:
        for i in range(N_SECTIONS):
            free(section(s, i)[0])
    free(s.block)
    free(s.cells)
    free(s)


cdef struct span_t:           # a range of grid indexes, unwrapped: first may be negative
    int64_t first
    int64_t count


cdef span_t used_cells(const state_t* s) noexcept nogil:
    """Return the range of indexes that holds every cell of the bounding box and its margin (none without a box)."""
    cdef span_t span
    cdef int64_t b = s.lay.b
    if s.h.n_tiles == 0 or s.h.x0 > s.h.x1:
        span.first, span.count = 0, 0
        return span
    span.first = s.lay.n // 2 + (s.h.x0 - MARGIN) + b * (s.h.y0 - MARGIN)
    span.count = (s.h.x1 - s.h.x0 + 2 * MARGIN) + b * (s.h.y1 - s.h.y0 + 2 * MARGIN) + 1
    if span.first < 0 or span.first + span.count > s.lay.n:
        span.first, span.count = 0, s.lay.n
    return span


cdef void wipe_cells(state_t* s) noexcept nogil:
    """Empty the grid: the tiles' cells, the frontier, and what monasteries flagged around them."""
    cdef u32 i, k
    cdef place_t at
    for i in range(s.h.n_tiles):
        at = s.tile[i].at
        s.cells[index_of(at)] = 0
        if unlikely(s.g.rec[s.tile[i].rec].monastery != 255):
            for k in range(8):
                s.cells[index_of((at + s.lay.around[k]) & s.lay.mask)] = 0
    for i in range(s.h.n_front):
        s.cells[index_of(s.front[i])] = 0
    if s.h.river_is_open:
        s.cells[index_of(s.h.river_cell)] = 0


cdef void state_clear(state_t* s) noexcept nogil:
    """Empty the board and the head; the caller fills what a new game has."""
    wipe_cells(s)
    s.lay = &s.g.layout[s.g.first_layout]
    memset(&s.h, 0, sizeof(head_t))
    memcpy(s.left, s.g.left, s.g.n_types * sizeof(u16))
    if s.g.boxes & ANY_TOWER:
        memset(s.towers, 0, sizeof(towers_t))
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        memset(s.buildings, 0, sizeof(buildings_t))


cdef size_t buildings_bytes(const state_t* s) noexcept nogil:
    """Return how much of the buildings' section is in use."""
    return sizeof(buildings_t) + s.buildings.n * sizeof(castle_t) if s.g.boxes & BOX_BRIDGES_CASTLES else 0


cdef size_t towers_bytes(const state_t* s) noexcept nogil:
    """Return how much of the towers' section is in use."""
    return sizeof(towers_t) + s.towers.n * sizeof(tower_t) if s.g.boxes & ANY_TOWER else 0


cdef int state_copy(state_t* dst, const state_t* src) noexcept nogil:
    """Make `dst` (of the same game) the same position as `src`, bytes included; -1 and unchanged if memory is short."""
    cdef span_t a = used_cells(dst)
    cdef span_t b = used_cells(src)
    cdef u16* cells
    cdef int64_t last
    if dst.n_cells < src.lay.n:
        cells = <u16*>malloc(src.lay.n * sizeof(u16))
        if cells == NULL:
            return -1
        memset(cells, 0, src.lay.n * sizeof(u16))
        free(dst.cells)
        dst.cells = cells
        dst.n_cells = src.lay.n
        a.count = 0
    elif dst.h.n_tiles and a.count == 0:
        wipe_cells(dst)
    elif dst.lay != src.lay:
        memset(dst.cells + a.first, 0, a.count * sizeof(u16))
        a.count = 0
    dst.lay = src.lay
    # Outside src's range its cells are 0, so one copy of both ranges' hull clears as well.
    if a.count and b.count:
        last = max(a.first + a.count, b.first + b.count)
        b.first = min(a.first, b.first)
        b.count = last - b.first
    elif a.count:
        b = a
    memcpy(dst.cells + b.first, src.cells + b.first, b.count * sizeof(u16))
    dst.h = src.h
    memcpy(dst.front, src.front, src.h.n_front * sizeof(place_t))
    memcpy(dst.label, src.label, src.h.n_nodes * sizeof(node_t))
    memcpy(dst.total, src.total, src.h.n_nodes * sizeof(total_t))
    memcpy(dst.tile, src.tile, src.h.n_tiles * sizeof(tile_t))
    memcpy(dst.city, src.city, src.h.n_cities * sizeof(node_t))
    memcpy(dst.left, src.left, src.g.n_types * sizeof(u16))
    if src.g.boxes & ANY_TOWER:
        memcpy(dst.towers, src.towers, towers_bytes(src))
    if src.g.boxes & BOX_BRIDGES_CASTLES:
        memcpy(dst.buildings, src.buildings, buildings_bytes(src))
    return 0


cdef int state_room(state_t* s) noexcept nogil:
    """See that the next tile finds a grid without aliases, growing it if needed; -1 and unchanged if memory is short."""
    cdef int span = (s.h.x1 - s.h.x0) + (s.h.y1 - s.h.y0) + 2 + 2 * MARGIN + 4
    cdef const layout_t* old = s.lay
    cdef const layout_t* new = old
    cdef u16* cells
    cdef int x, y
    cdef u32 i
    if not s.g.may_grow or <int>old.d > span:
        return 0
    while <int>new.d <= span:
        new += 1                      # the last layout holds any board of MAX_TILES
    cells = <u16*>malloc(new.n * sizeof(u16))
    if cells == NULL:
        return -1
    memset(cells, 0, new.n * sizeof(u16))
    for y in range(s.h.y0 - MARGIN, s.h.y1 + MARGIN + 1):
        for x in range(s.h.x0 - MARGIN, s.h.x1 + MARGIN + 1):
            cells[index_of(place_at(new, x, y))] = s.cells[index_of(place_at(old, x, y))]
    free(s.cells)
    s.cells = cells
    s.n_cells = new.n
    s.lay = new
    for i in range(s.h.n_tiles):
        s.tile[i].at = place_at(new, x_of(s.tile[i].at), y_of(s.tile[i].at))
    for i in range(s.h.n_front):
        s.front[i] = place_at(new, x_of(s.front[i]), y_of(s.front[i]))
    s.h.river_cell = place_at(new, x_of(s.h.river_cell), y_of(s.h.river_cell))
    return 0


cdef size_t state_bytes(const state_t* s) noexcept nogil:
    """Return the bytes that the state holds allocated."""
    cdef size_t[N_SECTIONS] size
    cdef size_t total = sizeof(state_t) + s.n_cells * sizeof(u16)
    section_sizes(s.g, size)
    for i in range(N_SECTIONS):
        total += rounded(size[i])
    return total


cdef size_t state_bytes_used(const state_t* s) noexcept nogil:
    """Return the bytes that a copy moves."""
    return (sizeof(head_t) + used_cells(s).count * sizeof(u16) + s.h.n_front * sizeof(place_t)
            + s.h.n_nodes * (sizeof(node_t) + sizeof(total_t)) + s.h.n_tiles * sizeof(tile_t)
            + (s.h.n_cities + s.g.n_types) * sizeof(u16) + towers_bytes(s) + buildings_bytes(s))


cdef u32 find_slot(const state_t* s, u32 xy) noexcept nogil:
    """Return where in the frontier the cell with these coordinates (as in an action) stands, or n_front."""
    cdef const place_t* front = s.front
    cdef u32 n = s.h.n_front
    cdef u32 i = 0
    while i + 4 <= n and not ((<u32>(front[i] >> 32) == xy) | (<u32>(front[i + 1] >> 32) == xy)
                              | (<u32>(front[i + 2] >> 32) == xy) | (<u32>(front[i + 3] >> 32) == xy)):
        i += 4
    while i < n and <u32>(front[i] >> 32) != xy:
        i += 1
    return i


cdef u64 towers_key(const state_t* s) noexcept nogil:
    """Hash floors, prisoners and what goes on in the turn; the towers in any order."""
    cdef const towers_t* b = s.towers
    cdef u64 k = mix(<u64>b.pool << 32 | <u64>b.stolen << 16 | b.grow_from) + (<u64>b.has_ransomed << 32) + ( <u64>b.captured_owner << 8 | b.captured_kind)
    cdef u64 sum = 0
    cdef u32 i, j
    for i in range(s.g.n_players):
        for j in range(s.g.n_players):
            k = mix(k + (<u64>b.prisoners[i][j][0] << 8 | b.prisoners[i][j][1]))
        k = mix(k + (<u64>b.floors[i][0] << 16 | <u64>b.floors[i][1] << 8 | b.floors[i][2]))
    for i in range(b.n):
        sum += mix((s.tile[b.tower[i].tile].at >> 32) * <u64>0x9E3779B97F4A7C15 + mix(b.tower[i].black * 4 + b.tower[i].top) + b.tower[i].height)
    if s.h.phase == PHASE_CAPTURE:
        sum += mix(s.tile[b.tower[b.floor].tile].at >> 32)
    return k + sum


cdef u64 buildings_key(const state_t* s) noexcept nogil:
    """Hash the supply, the castles in any order, and what was built this turn."""
    cdef const buildings_t* b = s.buildings
    cdef u64 sum = 0
    cdef u32 i
    for i in range(b.n):
        sum += mix((s.tile[b.castle[i].tile].at >> 32) * <u64>0x9E3779B97F4A7C15
                   + 2 * (b.castle[i].node - s.tile[b.castle[i].tile].base) + b.castle[i].is_new)
    return sum + mix(<u64>b.built << 48 | <u64>b.bridges << 32 | <u64>b.castles << 16 | b.barns)


cdef u64 state_key(const state_t* s) noexcept nogil:
    """Return a 64-bit hash of the position: equal positions have equal keys, whatever moves led to them."""
    cdef const head_t* h = &s.h
    cdef u64 k = h.key
    cdef u32 i
    k = mix(k ^ (<u64>h.owes_tower << 40 | <u64>h.phase << 32 | <u64>h.turn_player << 24 | <u64>h.player << 16 | h.drawn))
    for i in range(s.g.n_players):
        k = mix(k ^ (<u64><u32>h.score[i] << 16 | <u64>h.supply[i][0] << 8 | h.supply[i][1]))
    for i in range(s.g.n_types):
        k = mix(k + s.left[i])
    if s.g.boxes & ANY_TOWER:
        k = mix(k + towers_key(s))
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        k = mix(k + buildings_key(s))
    if h.phase > PHASE_PLACE and h.phase != PHASE_END:
        k = mix(k ^ s.tile[h.n_tiles - 1].at >> 32)
    return k


cdef void note_award(state_t* s, u32 player, int points, u32 source, u32 node) noexcept nogil:
    """Write an award into the log: its sums, and as an event with the player's figures on the feature."""
    cdef log_t* log = s.log
    cdef event_t* e
    cdef u32 i
    log.sum[player][source] += points
    if not log.keeps_events or log.n_events == MAX_EVENTS:
        return
    e = &log.event[log.n_events]
    log.n_events += 1
    e.points, e.player, e.source, e.node = points, <u8>player, <u8>source, <node_t>node
    e.first_figure, e.n_figures = <u16>log.n_figures, 0
    if node == NONE:
        return
    for i in range(s.h.n_figures):
        if (s.h.figure[i].owner == player and (s.h.figure[i].place == ON_SEGMENT or s.h.figure[i].place == ON_BARN)
                and s.label[s.h.figure[i].node] == s.label[node] and log.n_figures < MAX_EVENT_FIGURES
                and (source != SOURCE_WATCHTOWER or s.h.figure[i].node == node)):     # W2 pays for each follower
            log.figure[log.n_figures] = s.h.figure[i]
            log.n_figures += 1
            e.n_figures += 1
