"""The classes of the door as other doors and other packages may use them: what they own. See api.pyx."""

from bastide._core.history cimport history_t
from bastide._core.integers cimport known_t
from bastide._core.rng cimport rng_t
from bastide._core.state cimport log_t, state_t
from bastide._core.tiles cimport game_t
from bastide._core.types cimport action_t, u32, u64

cdef enum:
    MAX_SPARE = 8             # states kept for the next ones
    MAX_SPARE_CELLS = 1 << 15 # cells of the largest that is kept


cdef class Tables:
    cdef game_t g
    cdef known_t* known           # actions that were handed out as Python integers; NULL: none yet
    cdef state_t* spare[MAX_SPARE]
    cdef u32 n_spare

    cdef state_t* take_state(self) except NULL
    cdef void give_state(self, state_t* s) noexcept


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
