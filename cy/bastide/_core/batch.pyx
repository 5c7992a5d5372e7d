"""Playing a range of games into the caller's buffers: result i is a function of (seed, i) alone."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from bastide._core.playout cimport play_out, work_free, work_new, work_t
from bastide._core.rng cimport rng_t, seed_rng
from bastide._core.state cimport log_t, state_copy, state_free, state_new, state_t
from bastide._core.tiles cimport BOX_BRIDGES_CASTLES
from bastide._core.turn cimport turn_start
from bastide._core.types cimport COUNT_BARNS, COUNT_BRIDGES, COUNT_CAPTURES, COUNT_CASTLES, u32, u64


cdef int play_batch(batch_t* b) noexcept nogil:
    """Play the games of a range one after another; -1 if memory is short."""
    cdef work_t w
    cdef log_t* log = NULL
    cdef state_t* s = state_new(b.g)
    cdef int result = -1
    memset(b.count, 0, sizeof(b.count))
    if work_new(&w, b.g) < 0 or s == NULL:
        work_free(&w)
        state_free(s)
        return -1
    if b.turns != NULL:
        log = <log_t*>malloc(sizeof(log_t))
        if log != NULL:
            memset(log, 0, sizeof(log_t))
    s.log = log
    if b.turns == NULL or log != NULL:
        result = play_games(b, s, &w)
    if log != NULL:
        memcpy(b.sum, log.sum, sizeof(b.sum))
        b.count[COUNT_CAPTURES] = log.n_captures
    free(log)
    work_free(&w)
    state_free(s)
    return result


cdef int play_games(batch_t* b, state_t* s, work_t* w) noexcept nogil:
    cdef rng_t rng
    cdef u64 i
    cdef u32 k
    cdef u32 n_players = b.g.n_players
    for i in range(b.n):
        if b.start == NULL:
            turn_start(s)
        elif state_copy(s, b.start) < 0:
            return -1
        seed_rng(&rng, b.seed, b.first + i)
        count_buildings(b, s, 1)
        if play_out(s, w, &rng) < 0:
            return -1
        count_buildings(b, s, -1)
        for k in range(n_players):
            b.scores[i * n_players + k] = s.h.score[k]
        if b.turns != NULL:
            b.turns[i] = s.h.turn
            b.discards[i] = s.h.discards
    return 0


cdef inline void count_buildings(batch_t* b, const state_t* s, int sign) noexcept nogil:
    """Add what the shared supply holds, with its sign: before a game and after it, so that the difference is built."""
    if b.turns != NULL and s.g.boxes & BOX_BRIDGES_CASTLES:
        b.count[COUNT_BRIDGES] += sign * s.buildings.bridges
        b.count[COUNT_CASTLES] += sign * s.buildings.castles
        b.count[COUNT_BARNS] += sign * s.buildings.barns
