"""Random games through the phase machine, as a search plays them: draw, list, choose, check, apply."""

from bastide._core.playout cimport work_t
from bastide._core.rng cimport below, rng_t
from bastide._core.state cimport mix, state_t
from bastide._core.turn cimport turn_apply, turn_choose_draw, turn_draw, turn_is_legal, turn_list, turn_start
from bastide._core.types cimport PHASE_DRAW, PHASE_END, action_t, u32, u64


cdef int play_by_machine(state_t* s, work_t* w, rng_t* rng, u64 n, u64* sum, u64* n_decisions) noexcept nogil:
    """Play `n` games in `s`; adds up a hash of the scores and the decisions. -1 if memory for a board is short."""
    cdef action_t action
    cdef u64 i
    for i in range(n):
        turn_start(s)
        while s.h.phase != PHASE_END:
            if s.h.phase == PHASE_DRAW:
                if turn_draw(s, turn_choose_draw(s, rng)) < 0:
                    return -1
                continue
            action = w.actions[below(rng, turn_list(s, w.actions))]
            if turn_is_legal(s, action, w.actions):            # a listed action that is not would never end this
                turn_apply(s, action)
                n_decisions[0] += 1
        sum[0] = sum[0] * 31 + scores_word(s)
    return 0


cdef u64 scores_word(const state_t* s) noexcept nogil:
    """Hash the turns and scores."""
    cdef u64 word = s.h.turn
    cdef u32 k
    for k in range(s.g.n_players):
        word = mix(word ^ <u64>s.h.score[k])
    return word
