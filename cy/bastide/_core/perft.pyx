"""Perft: the leaves of the tree of decisions of a depth, the tiles coming from a given order.

The game's end, and a draw where the order is exhausted, are leaves.
"""

from libc.stdlib cimport calloc, free, malloc

from bastide._core.state cimport state_copy, state_free, state_new, state_t
from bastide._core.turn cimport turn_apply, turn_can_draw, turn_draw, turn_list
from bastide._core.types cimport PHASE_DRAW, PHASE_END, action_t, u16, u32, u64

cdef struct count_t:
    const u16* order
    u32 n_order
    state_t** state           # [depth + 1], one a level
    action_t** action         # [depth + 1] room for a list each
    u64 n


cdef int count_leaves(const state_t* s, u32 depth, const u16* order, u32 n_order, u64* n) noexcept nogil:
    """Count the leaves of a depth below `s`, which stays as it is; `order` holds types, one a draw."""
    cdef count_t tree
    cdef u32 i
    cdef int result = NO_MEMORY
    tree.order, tree.n_order, tree.n = order, n_order, 0
    tree.state = <state_t**>calloc(depth + 1, sizeof(state_t*))
    tree.action = <action_t**>calloc(depth + 1, sizeof(action_t*))
    if tree.state != NULL and tree.action != NULL and make_room(&tree, s, depth) == 0:
        result = NO_MEMORY if state_copy(tree.state[0], s) < 0 else walk(&tree, 0, depth, 0)
    for i in range(depth + 1):
        if tree.state != NULL:
            state_free(tree.state[i])
        if tree.action != NULL:
            free(tree.action[i])
    free(tree.state)
    free(tree.action)
    n[0] = tree.n
    return result


cdef int make_room(count_t* tree, const state_t* s, u32 depth) noexcept nogil:
    cdef u32 i
    for i in range(depth + 1):
        tree.state[i] = state_new(s.g)
        tree.action[i] = <action_t*>malloc(s.g.max_actions * sizeof(action_t))
        if tree.state[i] == NULL or tree.action[i] == NULL:
            return -1
    return 0


cdef int walk(count_t* tree, u32 level, u32 depth, u32 next_tile) noexcept nogil:
    """Count below the state of a level, which may be changed, `depth` decisions deep."""
    cdef state_t* s = tree.state[level]
    cdef u32 n, i
    cdef int result
    while s.h.phase == PHASE_DRAW and next_tile < tree.n_order:
        if not turn_can_draw(s, tree.order[next_tile]):
            return tree.order[next_tile]
        if turn_draw(s, tree.order[next_tile]) < 0:
            return NO_MEMORY
        next_tile += 1
    if depth == 0 or s.h.phase == PHASE_END or s.h.phase == PHASE_DRAW:
        tree.n += 1
        return COUNTED
    n = turn_list(s, tree.action[level])
    if depth == 1:
        tree.n += n
        return COUNTED
    for i in range(n):
        if state_copy(tree.state[level + 1], s) < 0:
            return NO_MEMORY
        turn_apply(tree.state[level + 1], tree.action[level][i])
        result = walk(tree, level + 1, depth - 1, next_tile)
        if result != COUNTED:
            return result
    return COUNTED
