"""The abbot (B13): taken back from a garden or monastery as a figure action. Gardens score as monasteries (scoring)."""

from bastide._core.actions cimport ACT_TAKE_BACK, pack_action
from bastide._core.meeples cimport send_home
from bastide._core.scoring cimport surrounded_source, surrounding_tiles
from bastide._core.state cimport award, figure_t, spot_under, state_t
from bastide._core.types cimport ABBOT, action_t, u32


cdef inline u32 own_abbot(const state_t* s) noexcept nogil:
    """Return the number of the deciding player's abbot among the figures, or n_figures."""
    cdef u32 i
    for i in range(s.h.n_figures):
        if s.h.figure[i].kind == ABBOT and s.h.figure[i].owner == s.h.player:
            return i
    return s.h.n_figures


cdef inline u32 list_take_back_abbot(const state_t* s, action_t* out) noexcept nogil:
    cdef u32 i = own_abbot(s)
    cdef const figure_t* f = &s.h.figure[i]
    if i == s.h.n_figures:
        return 0
    out[0] = pack_action(ACT_TAKE_BACK, s.tile[f.tile].at, spot_under(s, f), ABBOT, 0)
    return 1


cdef inline void take_back_abbot(state_t* s) noexcept nogil:
    """Score the own abbot as its garden or monastery is now, and take it home: off the board before step 3."""
    cdef u32 i = own_abbot(s)
    cdef const figure_t* f = &s.h.figure[i]
    award(s, s.h.player, 1 + surrounding_tiles(s, f.tile), surrounded_source(s, f.tile), f.node)
    send_home(s, i)
