"""Counting the tree of decisions below a position, for `bastide.perft`. See perft.pyx."""

from bastide._core.state cimport state_t
from bastide._core.types cimport u16, u32, u64

cdef enum:                    # how a count ended; otherwise the order's tile that could not be drawn
    COUNTED = -1
    NO_MEMORY = -2

cdef int count_leaves(const state_t* s, u32 depth, const u16* order, u32 n_order, u64* n) noexcept nogil
