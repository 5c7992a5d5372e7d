"""How a search plays on from a position, and what a position is worth to each player. See policy.pyx."""

from bastide._core.playout cimport work_t
from bastide._core.rng cimport rng_t
from bastide._core.state cimport state_t
from bastide._core.tiles cimport game_t
from bastide._core.types cimport action_t, int32_t, u32

cdef enum:                    # policy_t.kind
    UNIFORM = 0               # every legal action is equally likely
    GREEDY = 1                # the best of some legal actions drawn at random

cdef enum:                    # policy_t.value
    VALUE_RETURNS = 0         # 1/k for each of k winners, -1/(n-k) for the others
    VALUE_MARGIN = 1          # tanh((own - best other) / scale)

cdef struct policy_t:
    int kind
    u32 candidates            # GREEDY: how many actions are drawn, with replacement
    int32_t cut               # turns to be finished before the position is scored as it stands; -1: play to the end
    double price              # points that an own figure on the board is worth less, where a game is not over
    int value
    double scale              # points

cdef struct room_t:           # memory for one position at a time
    work_t w
    state_t* trial            # what an action would lead to
    state_t* placed           # what a placement would lead to, before a figure is deployed
    action_t* actions         # [max_actions]

cdef int room_new(room_t* r, const game_t* g) noexcept nogil
cdef void room_free(room_t* r) noexcept nogil
cdef double squash(const policy_t* p, double points) noexcept nogil
cdef double stand_after(const state_t* s, action_t action, double price, room_t* r) noexcept nogil
cdef double stand_after_turn(const state_t* s, action_t action, double price, room_t* r) noexcept nogil
cdef int play_on(state_t* s, const policy_t* p, rng_t* rng, room_t* r) noexcept nogil
cdef void values_of(state_t* s, const policy_t* p, double* out) noexcept nogil
