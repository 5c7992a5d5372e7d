"""The river (R1-R5): one open end that each river tile must continue. See river.pyx."""

from bastide._core.state cimport state_t
from bastide._core.types cimport u32

cdef enum:                    # type_t.river_role
    SPRING = 2
    LAKE = 3

cdef void river_begin(state_t* s) noexcept nogil
cdef void river_settle(state_t* s) noexcept nogil
cdef u32 river_fits(const state_t* s, u32 type) noexcept nogil
cdef u32 river_bridged_fits(const state_t* s, u32 type, u32 axis) noexcept nogil
cdef bint river_fits_somehow(const state_t* s, u32 type) noexcept nogil
cdef bint river_can_draw(const state_t* s, u32 type) noexcept nogil
cdef void river_place(state_t* s, u32 rec) noexcept nogil
