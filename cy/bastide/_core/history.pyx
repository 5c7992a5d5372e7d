"""Undo by comparison: a shadow of the state is kept, and after each step the blocks that differ are written down.

No rule and no box needs to know that it can be undone, and the bytes come back exactly. Sections that only grow at
their end (tiles, cities) need no record but their length in the head. A step that moved the grid to
another layout keeps the whole old state.
"""

from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from bastide._core.geometry cimport index_of, place_at, x_of, y_of
from bastide._core.rng cimport likely, unlikely
from bastide._core.state cimport buildings_bytes, state_copy, state_free, state_new, state_t, towers_bytes
from bastide._core.types cimport PHASE_DRAW, node_t, place_t, total_t, u16, u32, u64

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #define BS_BLOCK 64
    static inline int bs_differs(const char *a, const char *b) {
    #if defined(__GNUC__)
        typedef uint64_t pair __attribute__((vector_size(16), aligned(1), may_alias));
        const pair *x = (const pair *)a, *y = (const pair *)b;
        pair all = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
        return (all[0] | all[1]) != 0;
    #else
        return memcmp(a, b, BS_BLOCK) != 0;
    #endif
    }
    """
    enum: BLOCK "BS_BLOCK"    # bytes
    bint differs "bs_differs" (const char* a, const char* b) noexcept nogil

cdef enum:
    SECTION_HEAD = 0
    SECTION_FRONT = 1
    SECTION_LABEL = 2
    SECTION_TOTAL = 3
    SECTION_LEFT = 4
    SECTION_TOWERS = 5
    SECTION_BUILDINGS = 6
    N_BLOCK_SECTIONS = 7
    SECTION_CELLS = 7
    SECTION_WHOLE = 8         # data: the pointer of the whole old state

cdef struct entry_t:
    u32 section
    u32 offset                # bytes
    u32 size                  # bytes of old contents behind this, padded to 8
    u32 spare


cdef char* contents(const state_t* s, u32 section) noexcept nogil:
    if section == SECTION_HEAD: return <char*>&s.h
    if section == SECTION_FRONT: return <char*>s.front
    if section == SECTION_LABEL: return <char*>s.label
    if section == SECTION_TOTAL: return <char*>s.total
    if section == SECTION_LEFT: return <char*>s.left
    if section == SECTION_TOWERS: return <char*>s.towers
    if section == SECTION_BUILDINGS: return <char*>s.buildings
    return <char*>s.cells


cdef size_t used_bytes(const state_t* s, u32 section) noexcept nogil:
    if section == SECTION_HEAD: return <char*>&s.h.figure[s.h.n_figures] - <char*>&s.h
    if section == SECTION_FRONT: return s.h.n_front * sizeof(place_t)
    if section == SECTION_LABEL: return s.h.n_nodes * sizeof(node_t)
    if section == SECTION_TOTAL: return s.h.n_nodes * sizeof(total_t)
    if section == SECTION_LEFT: return s.g.n_types * sizeof(u16)
    if section == SECTION_TOWERS: return towers_bytes(s)
    return buildings_bytes(s)


cdef int reserve(history_t* h, size_t more) noexcept nogil:
    cdef size_t room = h.room
    cdef char* data
    if h.used + more <= room:
        return 0
    room = 2 * room + more + 4096
    data = <char*>realloc(h.data, room)
    if data == NULL:
        return -1
    h.data = data
    h.room = room
    return 0


cdef int history_before(history_t* h, const state_t* s) noexcept nogil:
    """Get ready to record a step: afterwards nothing can fail but a grid that moves. -1 if memory is short."""
    cdef size_t most = sizeof(u64)
    cdef u32 k
    for k in range(N_BLOCK_SECTIONS):
        # what one step can add beyond its old length: a tile's segments and frontier cells
        most += (used_bytes(s, k) // BLOCK + 4) * (sizeof(entry_t) + BLOCK)
    most += 10 * (sizeof(entry_t) + BLOCK)
    if reserve(h, most) < 0:
        return -1
    if h.shadow == NULL:
        h.shadow = state_new(s.g)
        if h.shadow == NULL:
            return -1
        h.is_behind = True
    if h.is_behind:
        if state_copy(h.shadow, s) < 0:
            return -1
        h.is_behind = False
    return 0


cdef inline size_t padded(size_t size) noexcept nogil:
    return (size + 7) & ~<size_t>7


cdef inline void put(history_t* h, u32 section, u32 offset, const void* old, u32 size) noexcept nogil:
    cdef entry_t* e = <entry_t*>(h.data + h.used)
    e.section, e.offset, e.size, e.spare = section, offset, size, 0
    memcpy(h.data + h.used + sizeof(entry_t), old, size)
    h.used += sizeof(entry_t) + padded(size)


cdef inline void record_section(history_t* h, const state_t* s, u32 section) noexcept nogil:
    """Write down the old blocks of a section and bring the shadow up to date."""
    cdef char* new = contents(s, section)
    cdef char* old = contents(h.shadow, section)
    cdef size_t had = used_bytes(h.shadow, section)
    cdef size_t has = used_bytes(s, section)
    cdef size_t common = min(had, has)
    cdef size_t at = 0
    while at + BLOCK <= common:
        if unlikely(differs(new + at, old + at)):
            put(h, section, <u32>at, old + at, BLOCK)
            memcpy(old + at, new + at, BLOCK)
        at += BLOCK
    if at < had and (had != has or memcmp(old + at, new + at, had - at) != 0):
        put(h, section, <u32>at, old + at, <u32>(had - at))
    if at < has:
        memcpy(old + at, new + at, has - at)


cdef void record_cells(history_t* h, const state_t* s) noexcept nogil:
    """Write down the grid's old cells around the tile laid last: no others change."""
    cdef u16* cells = h.shadow.cells
    cdef place_t at = s.tile[s.h.n_tiles - 1].at
    cdef u32 k, p
    for k in range(9):
        p = index_of(at if k == 8 else (at + s.lay.around[k]) & s.lay.mask)
        if s.cells[p] != cells[p]:
            put(h, SECTION_CELLS, p * <u32>sizeof(u16), &cells[p], sizeof(u16))
            cells[p] = s.cells[p]


cdef void complete(state_t* old, const state_t* new) noexcept nogil:
    """Fill the sections that a shadow does not keep up, from a later state whose grid has another layout."""
    cdef u32 i
    memcpy(old.city, new.city, old.h.n_cities * sizeof(node_t))
    for i in range(old.h.n_tiles):
        old.tile[i] = new.tile[i]
        old.tile[i].at = place_at(old.lay, x_of(new.tile[i].at), y_of(new.tile[i].at))


cdef void history_after(history_t* h, state_t* s) noexcept nogil:
    """Record the step that was just done."""
    cdef size_t start = h.used
    cdef state_t* old = h.shadow
    if unlikely(old.lay != s.lay):
        complete(old, s)
        h.shadow = NULL
        put(h, SECTION_WHOLE, 0, &old, sizeof(old))
    else:
        if old.h.phase != PHASE_DRAW:              # a draw changes nothing on the board
            record_cells(h, s)
            record_section(h, s, SECTION_TOTAL)
        if old.h.n_tiles != s.h.n_tiles:           # only a laid tile changes frontier and labels
            record_section(h, s, SECTION_FRONT)
            record_section(h, s, SECTION_LABEL)
        record_section(h, s, SECTION_LEFT)
        if s.g.boxes:
            record_section(h, s, SECTION_TOWERS)
            record_section(h, s, SECTION_BUILDINGS)
        record_section(h, s, SECTION_HEAD)         # last: the lengths of the others stand in it
    memcpy(h.data + h.used, &start, sizeof(size_t))
    h.used += sizeof(size_t)
    h.n_records += 1


cdef inline void put_back(state_t* s, const entry_t* e, const char* data) noexcept nogil:
    if likely(e.size == BLOCK):
        memcpy(contents(s, e.section) + e.offset, data, BLOCK)
    elif e.size == sizeof(u16):
        memcpy(contents(s, e.section) + e.offset, data, sizeof(u16))
    else:
        memcpy(contents(s, e.section) + e.offset, data, e.size)


cdef bint history_undo(history_t* h, state_t* s) noexcept nogil:
    """Take back the last step; False if there is none."""
    cdef size_t start, at
    cdef entry_t* e
    cdef state_t* whole
    if h.n_records == 0:
        return False
    memcpy(&start, h.data + h.used - sizeof(size_t), sizeof(size_t))
    at = start
    while at < h.used - sizeof(size_t):
        e = <entry_t*>(h.data + at)
        at += sizeof(entry_t)
        if e.section == SECTION_WHOLE:
            memcpy(&whole, h.data + at, sizeof(whole))
            state_copy(s, whole)                   # cannot fail: s has the larger grid
            state_free(h.shadow)
            h.shadow, h.is_behind = whole, False
        else:
            put_back(s, e, h.data + at)
            if h.shadow != NULL:
                put_back(h.shadow, e, h.data + at)
        at += padded(e.size)
    h.used = start
    h.n_records -= 1
    return True


cdef void history_clear(history_t* h) noexcept nogil:
    """Forget all steps; the memory is kept for the next ones."""
    cdef size_t start
    cdef entry_t* e
    cdef state_t* whole
    while h.n_records:
        memcpy(&start, h.data + h.used - sizeof(size_t), sizeof(size_t))
        e = <entry_t*>(h.data + start)
        if e.section == SECTION_WHOLE:
            memcpy(&whole, h.data + start + sizeof(entry_t), sizeof(whole))
            state_free(whole)
        h.used = start
        h.n_records -= 1
    h.is_behind = True


cdef void history_free(history_t* h) noexcept nogil:
    """Forget all steps and free what they hold."""
    history_clear(h)
    state_free(h.shadow)
    free(h.data)
    h.data, h.shadow, h.used, h.room = NULL, NULL, 0, 0
