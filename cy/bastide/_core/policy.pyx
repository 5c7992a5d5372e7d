"""Playing on by a policy, to the end or for some turns, and the values of where that led.

The greedy policy draws some of the legal actions and takes the one after which its player would stand best if the game
were scored at once: own points minus the best opponent's, minus a price for each own figure on the board. It is what
bastide.agents.GreedyAgent does with all actions, and as quick as few candidates make it.
"""

from libc.math cimport tanh
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bastide._core.playout cimport play_out, work_free, work_new
from bastide._core.rng cimport below
from bastide._core.scoring cimport zero_sum
from bastide._core.state cimport state_copy, state_free, state_new
from bastide._core.turn cimport turn_apply, turn_choose_draw, turn_draw, turn_list, turn_score_now
from bastide._core.types cimport MAX_PLAYERS, PHASE_DRAW, PHASE_END, PHASE_FIGURE, PHASE_PLACE


cdef int room_new(room_t* r, const game_t* g) noexcept nogil:
    """Allocate; -1 if memory is short (then what there is can be freed)."""
    memset(r, 0, sizeof(room_t))
    r.trial, r.placed = state_new(g), state_new(g)
    r.actions = <action_t*>malloc(g.max_actions * sizeof(action_t))
    return -1 if work_new(&r.w, g) < 0 or r.trial == NULL or r.placed == NULL or r.actions == NULL else 0


cdef void room_free(room_t* r) noexcept nogil:
    work_free(&r.w)
    state_free(r.trial)
    state_free(r.placed)
    free(r.actions)
    memset(r, 0, sizeof(room_t))


cdef double squash(const policy_t* p, double points) noexcept nogil:
    """Map points to (-1, 1)."""
    return tanh(points / p.scale)


cdef inline int best_other(const state_t* s, u32 player) noexcept nogil:
    """Return the best score of the other players; 0 where there is none."""
    cdef int best = 0
    cdef bint is_first = True
    cdef u32 i
    for i in range(s.g.n_players):
        if i != player and (is_first or s.h.score[i] > best):
            best = s.h.score[i]
            is_first = False
    return best


cdef inline u32 figures_of_player(const state_t* s, u32 player) noexcept nogil:
    cdef u32 n = 0
    cdef u32 i
    for i in range(s.h.n_figures):
        n += s.h.figure[i].owner == player
    return n


cdef double stand_after(const state_t* s, action_t action, double price, room_t* r) noexcept nogil:
    """Return how the player who decides would stand after an action, in points, if the game were scored then."""
    cdef state_t* t = r.trial
    cdef u32 player = s.h.player
    if state_copy(t, s) < 0:                          # no memory for a board that has grown: no opinion
        return 0
    turn_apply(t, action)
    turn_score_now(t)
    return t.h.score[player] - best_other(t, player) - price * figures_of_player(t, player)


cdef double stand_after_turn(const state_t* s, action_t action, double price, room_t* r) noexcept nogil:
    """Return how the player would stand after a placement and the best that he can do with a figure then.

    For other actions, and where no figure step follows at once, as `stand_after`.
    """
    cdef double best, value
    cdef u32 n, i
    if s.h.phase == PHASE_PLACE and state_copy(r.placed, s) == 0:
        turn_apply(r.placed, action)
        if r.placed.h.phase == PHASE_FIGURE:
            n = turn_list(r.placed, r.actions)
            best = stand_after(r.placed, r.actions[0], price, r)
            for i in range(1, n):
                value = stand_after(r.placed, r.actions[i], price, r)
                best = max(best, value)
            return best
    return stand_after(s, action, price, r)


cdef int play_on(state_t* s, const policy_t* p, rng_t* rng, room_t* r) noexcept nogil:
    """Play until `p.cut` more turns are finished, or to the end; -1 if memory for a growing board is short."""
    cdef u32 last = s.h.turn + <u32>p.cut
    if p.kind == UNIFORM and p.cut < 0:
        return play_out(s, &r.w, rng)
    while s.h.phase != PHASE_END:
        if s.h.phase != PHASE_DRAW:
            turn_apply(s, pick(s, p, rng, r))
        elif p.cut >= 0 and s.h.turn >= last:
            break
        elif turn_draw(s, turn_choose_draw(s, rng)) < 0:
            return -1
    return 0


cdef action_t pick(const state_t* s, const policy_t* p, rng_t* rng, room_t* r) noexcept nogil:
    """Choose one of the legal actions by the policy."""
    cdef u32 n = turn_list(s, r.actions)
    cdef u32 first = <u32>below(rng, n)
    cdef action_t best = r.actions[first]
    cdef action_t action
    cdef double value, best_value
    cdef u32 i
    if p.kind == UNIFORM or n == 1:
        return best
    best_value = stand_after(s, best, p.price, r)
    for i in range(1, min(n, p.candidates)):
        action = r.actions[(first + i) % n if n <= p.candidates else below(rng, n)]
        value = stand_after(s, action, p.price, r)
        if value > best_value:
            best, best_value = action, value
    return best


cdef void values_of(state_t* s, const policy_t* p, double* out) noexcept nogil:
    """Score a position that nobody goes on with, and write what it is worth to each player, in [-1, 1]."""
    cdef double[MAX_PLAYERS] points
    cdef bint is_over = s.h.phase == PHASE_END
    cdef u32 n = s.g.n_players
    cdef double best
    cdef u32 i, k
    turn_score_now(s)
    for i in range(n):
        points[i] = s.h.score[i]
        if not is_over:
            points[i] -= p.price * figures_of_player(s, i)
    if n == 1:
        out[0] = squash(p, points[0] / 4)
        return
    if p.value == VALUE_MARGIN:
        for i in range(n):
            best = points[1 if i == 0 else 0]
            for k in range(n):
                if k != i and points[k] > best:
                    best = points[k]
            out[i] = squash(p, points[i] - best)
        return
    zero_sum(points, n, out)
