"""Playing a position to its end by the uniform policy, as fast as it goes. See playout.pyx."""

from bastide._core.rng cimport rng_t
from bastide._core.state cimport state_t
from bastide._core.tiles cimport game_t
from bastide._core.types cimport action_t, int64_t, u16, u32

cdef enum:
    STEPS_PER_TILE = 24       # draws and decisions of a game, at most: that many a tile
    SOME_STEPS = 64           # and some

cdef struct trace_t:          # what was drawn and done: draws as -1 - type
    int64_t* step
    u32 n
    u32 room

cdef struct work_t:           # room for one playout at a time, of states of one game
    u16* deck                 # [max_tiles] types that are left, in no order
    action_t* actions         # [max_actions]

cdef int work_new(work_t* w, const game_t* g) noexcept nogil
cdef void work_free(work_t* w) noexcept nogil
cdef int play_out(state_t* s, work_t* w, rng_t* rng) noexcept nogil
cdef int play_out_traced(state_t* s, work_t* w, rng_t* rng, trace_t* trace) noexcept nogil
cdef u32 sample_placement(const state_t* s, work_t* w, rng_t* rng, u32 type) noexcept nogil
cdef u32 sample_record(const state_t* s, work_t* w, rng_t* rng, u32 type, u32* slot) noexcept nogil
cdef void place_meeple(state_t* s, rng_t* rng, trace_t* trace) noexcept nogil
