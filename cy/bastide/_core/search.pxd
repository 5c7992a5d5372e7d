"""Monte Carlo tree search from one position, in one thread. See search.pyx."""

from bastide._core.policy cimport policy_t, room_t
from bastide._core.rng cimport rng_t
from bastide._core.state cimport state_t
from bastide._core.tree cimport tree_t
from bastide._core.types cimport action_t, u32, u64

cdef struct options_t:
    policy_t policy
    double exploration
    double widening           # of N visits, the best max(1, widening * N ** widening_power) actions are looked at; 0: all
    double widening_power
    double prior_visits       # how many visits a prior is worth; 0: priors only put the actions in order
    bint has_priors           # actions are put in order by how their player would stand; else at random
    u32 expand_at             # visits after which a placement below the root is expanded; other nodes: 1
    bint asks                 # leaves are for an evaluator

cdef enum:                    # what a descent led to
    NO_MEMORY = -1            # for a growing board
    DONE = 0
    LEAF = 1                  # `state` is a position for the evaluator
    COLLISION = 2             # a position that the evaluator is being asked for already

cdef struct search_t:
    options_t o
    tree_t tree
    rng_t rng
    u64 iterations            # since the last restart
    state_t* root             # position of node 0
    state_t* state            # the position of the descent
    room_t room
    u32* path                 # [max_depth] nodes of the descent, the root first
    u32* via                  # [max_depth] edges: via[i] leads from path[i]
    u32 depth                 # entries of via; path has one more unless `is_outside`
    u32 max_depth
    bint is_outside           # the descent left the tree at the last edge: there was no memory for a node

cdef int search_new(search_t* s, const state_t* root, const options_t* o, size_t limit) noexcept nogil
cdef void search_free(search_t* s) noexcept nogil
cdef int search_restart(search_t* s, const state_t* root) noexcept nogil
cdef int search_run(search_t* s, u64 n) noexcept nogil
cdef int search_descend(search_t* s) noexcept nogil
cdef void search_weigh(search_t* s, int sign) noexcept nogil
cdef void search_answer(search_t* s, const double* values, const action_t* actions, const double* priors, u32 n) noexcept nogil
cdef void search_back_up(search_t* s, const double* values) noexcept nogil
