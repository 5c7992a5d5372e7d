"""The classes of the door as other doors and other packages may use them: what they own. See api.pyx."""

from bastide._core.history cimport history_t
from bastide._core.rng cimport rng_t
from bastide._core.state cimport log_t, state_t
from bastide._core.tiles cimport game_t
from bastide._core.types cimport action_t, u64


cdef class Tables:
    cdef game_t g


cdef class Rng:
    cdef rng_t r


cdef class State:
    cdef readonly Tables game
    cdef state_t* s               # never NULL
    cdef history_t history        # since this object was made
    cdef log_t* log               # events of the last step; NULL before the first
    cdef action_t* work           # room for a list of legal actions; NULL before the first

    cdef action_t* work_room(self) except NULL
    cdef int before(self) except -1
    cdef void forget_events(self) noexcept


cdef u64 word(str name, value) except? 0xDEAD
