"""The turn: draw, legal actions, apply. Of the rules it alone calls the boxes. See turn.pyx."""

from bastide._core.expansions.thieves cimport thief_outcome
from bastide._core.rng cimport rng_t
from bastide._core.state cimport state_t
from bastide._core.types cimport action_t, u16, u32

cdef void turn_start(state_t* s) noexcept nogil
cdef u32 turn_draws(const state_t* s, u16* type, u32* count) noexcept nogil
cdef bint turn_can_draw(const state_t* s, u32 type) noexcept nogil
cdef u32 turn_choose_draw(const state_t* s, rng_t* rng) noexcept nogil
cdef void turn_lay_start(state_t* s) noexcept nogil
cdef bint turn_settle(state_t* s) noexcept nogil
cdef void turn_note_tile(state_t* s) noexcept nogil
cdef bint turn_fits_anywhere(const state_t* s, u32 type) noexcept nogil
cdef void turn_end(state_t* s) noexcept nogil
cdef void turn_discard(state_t* s) noexcept nogil
cdef void turn_thief(state_t* s, thief_outcome outcome) noexcept nogil
cdef void turn_placed(state_t* s) noexcept nogil
cdef void turn_lay(state_t* s, u32 slot, u32 rec) noexcept nogil
cdef u32 turn_fits(const state_t* s, u32 type, u32 slot) noexcept nogil
cdef int turn_draw(state_t* s, u32 type) noexcept nogil
cdef u32 turn_list(const state_t* s, action_t* out) noexcept nogil
cdef u32 turn_list_in_order(const state_t* s, action_t* out) noexcept nogil
cdef action_t turn_choose_figure(const state_t* s, rng_t* rng, action_t* work) noexcept nogil
cdef bint turn_is_legal(const state_t* s, action_t action, action_t* work) noexcept nogil
cdef void turn_apply(state_t* s, action_t action) noexcept nogil
cdef bint turn_can_use_figure(const state_t* s) noexcept nogil
cdef void turn_score_now(state_t* s) noexcept nogil
