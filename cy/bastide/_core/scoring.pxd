"""Points: closed features, monasteries and gardens, the final scoring (B7-B13). Majorities by B9.

Scoring asks what was closed (h.closed, written by placement) and never who listens.
"""

from bastide._core.state cimport state_t
from bastide._core.types cimport total_t, u32

cdef u32 n_tiles_of(const state_t* s, u32 label, u32 terrain) noexcept nogil
cdef u32 feature_points(const state_t* s, u32 label, u32 terrain, bint final) noexcept nogil
cdef u32 surrounding_tiles(const state_t* s, u32 tile) noexcept nogil
cdef u32 surrounded_source(const state_t* s, u32 number) noexcept nogil
cdef void score_closed(state_t* s) noexcept nogil
cdef void score_final(state_t* s) noexcept nogil
cdef void zero_sum(const double* points, u32 n, double* out) noexcept nogil
cdef void count_closed_cities(const state_t* s, const u32* field, u32 n_fields, u32* n_cities) noexcept nogil
