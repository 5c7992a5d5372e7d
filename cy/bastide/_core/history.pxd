"""Undo: for each draw and action, the old contents of the blocks that it changed."""

from bastide._core.state cimport state_t
from bastide._core.types cimport u32

cdef struct history_t:
    char* data                # records one after another, each ending in its own length
    size_t used
    size_t room
    u32 n_records
    state_t* shadow           # the state as it was after the last record, or NULL
    bint is_behind            # the shadow is of something else: to be copied again before the next step

cdef int history_before(history_t* h, const state_t* s) noexcept nogil
cdef void history_after(history_t* h, state_t* s) noexcept nogil
cdef bint history_undo(history_t* h, state_t* s) noexcept nogil
cdef void history_clear(history_t* h) noexcept nogil
cdef void history_free(history_t* h) noexcept nogil
