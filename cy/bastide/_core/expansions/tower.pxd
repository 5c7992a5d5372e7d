"""The Tower (T1-T11) and Black Tower (K1-K4): floors, range, captures, prisoners, ransom. See tower.pyx."""

from bastide._core.state cimport state_t
from bastide._core.types cimport action_t, u32

cdef void tower_begin(state_t* s) noexcept nogil
cdef void tower_found(state_t* s) noexcept nogil
cdef void tower_count_open(state_t* s) noexcept nogil
cdef u32 list_ransoms(const state_t* s, action_t* out) noexcept nogil
cdef u32 list_floors(const state_t* s, action_t* out) noexcept nogil
cdef u32 list_tower_followers(const state_t* s, action_t* out) noexcept nogil
cdef u32 count_floors(const state_t* s) noexcept nogil
cdef u32 count_tower_followers(const state_t* s) noexcept nogil
cdef action_t nth_floor(const state_t* s, u32 k) noexcept nogil
cdef action_t nth_tower_follower(const state_t* s, u32 k) noexcept nogil
cdef u32 list_captures(const state_t* s, action_t* out) noexcept nogil
cdef u32 list_exchanges(const state_t* s, action_t* out) noexcept nogil
cdef bint tower_can_act(const state_t* s) noexcept nogil
cdef void ransom(state_t* s, action_t action) noexcept nogil
cdef bint put_floor(state_t* s, action_t action) noexcept nogil
cdef void climb_tower(state_t* s, action_t action) noexcept nogil
cdef bint capture(state_t* s, action_t action) noexcept nogil
cdef void exchange(state_t* s, u32 kind) noexcept nogil
cdef void tower_finish_turn(state_t* s) noexcept nogil
