"""What a position shows, as tuples of numbers. See views.pyx."""

from bastide._core.state cimport log_t, state_t
from bastide._core.types cimport u32

cdef list view_tiles(const state_t* s)
cdef list view_figures(const state_t* s)
cdef list view_features(const state_t* s)
cdef list view_towers(const state_t* s)
cdef list view_prisoners(const state_t* s, u32 holder)
cdef dict view_turn(const state_t* s)
cdef dict view_supply(const state_t* s)
cdef list view_castles(const state_t* s)
cdef list view_events(const state_t* s, const log_t* log)
