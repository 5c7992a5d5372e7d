"""Watchtowers (W1-W5): bonuses for followers on watchtower tiles when their road or city closes. See watchtowers.pyx."""

from bastide._core.state cimport state_t

cdef void watchtower_bonuses(state_t* s) noexcept nogil
