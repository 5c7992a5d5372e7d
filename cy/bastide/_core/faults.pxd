"""The invariants of a state as code. See faults.pyx."""

from bastide._core.state cimport state_t

cdef list faults(const state_t* s)
