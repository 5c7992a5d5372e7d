"""Random games through the phase machine, for benches. See machine.pyx."""

from bastide._core.playout cimport work_t
from bastide._core.rng cimport rng_t
from bastide._core.state cimport state_t
from bastide._core.types cimport u64

cdef int play_by_machine(state_t* s, work_t* w, rng_t* rng, u64 n, u64* sum, u64* n_decisions) noexcept nogil
cdef u64 scores_word(const state_t* s) noexcept nogil
