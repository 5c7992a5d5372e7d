"""Towers & Thieves (H1-H8): growing towers, watchmen, thieves and the stolen tile. See thieves.pyx."""

from bastide._core.state cimport state_t
from bastide._core.types cimport action_t, u32

cdef enum thief_outcome:
    THIEF_GROWS = 0           # the player chooses towers (phase GROW)
    THIEF_PLACED = 1          # the tile is placed like any other
    THIEF_STEALS = 2          # the tile is the stolen one now; another is drawn

cdef void thieves_begin(state_t* s) noexcept nogil
cdef void thieves_found(state_t* s) noexcept nogil
cdef thief_outcome thief_drawn(state_t* s, u32 type) noexcept nogil
cdef u32 list_grow(const state_t* s, action_t* out) noexcept nogil
cdef thief_outcome grow(state_t* s, action_t action) noexcept nogil
cdef u32 list_watchmen(const state_t* s, action_t* out) noexcept nogil
cdef bint can_place_watchman(const state_t* s) noexcept nogil
cdef void place_watchman(state_t* s, action_t action) noexcept nogil
cdef void score_watchmen_final(state_t* s) noexcept nogil
