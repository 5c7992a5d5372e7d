"""Castles and barns (G1, G8-G14). See castles.pyx."""

from bastide._core.state cimport castle_t, state_t
from bastide._core.types cimport action_t, u32

cdef void buildings_begin(state_t* s) noexcept nogil
cdef u32 list_buildings(const state_t* s, action_t* out) noexcept nogil
cdef void build_castle(state_t* s, action_t action) noexcept nogil
cdef void build_barn(state_t* s, action_t action) noexcept nogil
cdef u32 list_maidens(const state_t* s, action_t* out) noexcept nogil
cdef void deploy_maiden(state_t* s) noexcept nogil
cdef void take_back_maiden(state_t* s, action_t action) noexcept nogil
cdef void score_barn(state_t* s) noexcept nogil
cdef void buildings_finish_turn(state_t* s) noexcept nogil
cdef bint add_castle(state_t* s, u32 tile, u32 segment) noexcept nogil
cdef u32 barn_node(const state_t* s, u32 tile) noexcept nogil
