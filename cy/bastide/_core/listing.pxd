"""Listing where a tile fits (B4): see listing.pyx."""

from bastide._core.state cimport state_t
from bastide._core.types cimport action_t, u32

cdef u32 list_where_it_fits(const state_t* s, u32 type, action_t* out) noexcept nogil
cdef u32 list_where_it_fits_in_order(const state_t* s, u32 type, action_t* out) noexcept nogil
