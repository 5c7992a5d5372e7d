"""Listing, checking and stepping a range of a batch's slots. No Python here, no rules either: those are in turn."""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from bastide._core.geometry cimport index_of
from bastide._core.rng cimport rng_t, seed_rng, unlikely
from bastide._core.state cimport figure_t, state_copy, state_free, state_new, state_t
from bastide._core.turn cimport (
    turn_apply, turn_can_draw, turn_choose_draw, turn_draw, turn_is_legal, turn_list_in_order, turn_start,
)
from bastide._core.types cimport (
    MAX_FIGURES, PHASE_DRAW, PHASE_END, action_t, int32_t, int64_t, u8, u32, u64,
)
from bastide._core.window cimport number_of, window_middle

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define BS_PREFETCH(p) __builtin_prefetch(p)
    #else
    #define BS_PREFETCH(p) ((void)(p))
    #endif
    """
    void prefetch "BS_PREFETCH" (const void* p) noexcept nogil


cdef int slots_new(slots_t* b) noexcept nogil:
    """Allocate the slots of `b`, whose game and numbers are set, and begin their first episodes; -1 if memory is short."""
    cdef size_t n = b.n
    cdef u32 i
    b.n_players = b.g.n_players
    b.state = <state_t**>calloc(n, sizeof(state_t*))
    b.rng = <rng_t*>calloc(n, sizeof(rng_t))
    b.episode = <u64*>calloc(n, sizeof(u64))
    b.todo = <int64_t*>calloc(n, sizeof(int64_t))
    b.n_legal = <u32*>calloc(n, sizeof(u32))
    b.at = <size_t*>calloc(n, sizeof(size_t))
    b.ended = <u8*>calloc(n, sizeof(u8))
    b.score = <int32_t*>calloc(n * b.n_players, sizeof(int32_t))
    b.before = <int32_t*>calloc(n * b.n_players, sizeof(int32_t))
    if (b.state == NULL or b.rng == NULL or b.episode == NULL or b.todo == NULL or b.n_legal == NULL or b.at == NULL
            or b.ended == NULL or b.score == NULL or b.before == NULL):
        return -1
    for i in range(b.n):
        b.state[i] = state_new(b.g)
        if b.state[i] == NULL or slots_reset(b, i) < 0:
            return -1
    return 0


cdef void slots_free(slots_t* b) noexcept nogil:
    cdef u32 i
    if b.state != NULL:
        for i in range(b.n):
            state_free(b.state[i])
    free(b.state)
    free(b.rng)
    free(b.episode)
    free(b.todo)
    free(b.n_legal)
    free(b.at)
    free(b.ended)
    free(b.score)
    free(b.before)
    memset(b, 0, sizeof(slots_t))


cdef int slots_reset(slots_t* b, u32 i) noexcept nogil:
    """Begin the episode whose number stands in b.episode, from outside a step; -1 if memory is short."""
    if begin(b, i) < 0:
        return -1
    note_result(b, i)
    note_before(b, i)
    return 0


cdef inline int begin(slots_t* b, u32 i) noexcept nogil:
    seed_rng(&b.rng[i], b.seed, b.episode[i] << 32 | (b.first + i))
    turn_start(b.state[i])
    return draw_inside(b, i)


cdef int slots_put(slots_t* b, u32 i, const state_t* s) noexcept nogil:
    """Make slot i the position `s`; its stream and episode go on. -1 if memory is short."""
    if state_copy(b.state[i], s) < 0:
        return -1
    if draw_inside(b, i) < 0:
        return -1
    note_result(b, i)
    note_before(b, i)
    return 0


cdef int draw_inside(slots_t* b, u32 i) noexcept nogil:
    """Draw until a player must decide or the game is over, unless draws come from outside."""
    cdef state_t* s = b.state[i]
    while b.draws_inside and s.h.phase == PHASE_DRAW:
        if turn_draw(s, turn_choose_draw(s, &b.rng[i])) < 0:
            return -1
    return 0


cdef inline void note_before(slots_t* b, u32 i) noexcept nogil:
    cdef u32 k
    for k in range(b.n_players):
        b.before[i * b.n_players + k] = b.state[i].h.score[k]


cdef inline void note_result(slots_t* b, u32 i) noexcept nogil:
    cdef u32 k
    for k in range(b.n_players):
        b.score[i * b.n_players + k] = b.state[i].h.score[k]
    b.ended[i] = b.state[i].h.phase == PHASE_END


cdef inline int go_on(slots_t* b, u32 i) noexcept nogil:
    """After an action or draw: draw, note what it brought, begin the next episode where one ended."""
    if draw_inside(b, i) < 0:
        return -1
    note_result(b, i)
    if b.resets and b.ended[i]:
        b.episode[i] += 1
        return begin(b, i)
    return 0


cdef inline int add_list(slots_t* b, u32 i, lists_t* lists) noexcept nogil:
    """Append the legal actions of slot i, ascending; -1 if memory is short."""
    cdef size_t most = b.g.max_actions
    cdef size_t room
    cdef action_t* more
    if unlikely(lists.n + most > lists.room):
        room = 2 * lists.room + most + 1024
        more = <action_t*>realloc(lists.action, room * sizeof(action_t))
        if more == NULL:
            return -1
        lists.action, lists.room = more, room
    b.at[i] = lists.n
    b.n_legal[i] = turn_list_in_order(b.state[i], lists.action + lists.n)
    lists.n += b.n_legal[i]
    return 0


cdef int64_t slots_list(slots_t* b, u32 lo, u32 hi, lists_t* lists) noexcept nogil:
    """List the legal actions of slots lo .. hi-1, each ascending; ALL_DONE or NO_MEMORY."""
    cdef u32 i
    lists.n = 0
    for i in range(lo, hi):
        if add_list(b, i, lists) < 0:
            return NO_MEMORY
    return ALL_DONE


cdef int64_t slots_check(slots_t* b, u32 lo, u32 hi, const u8* where, int by, const lists_t* lists,
                         action_t* work) noexcept nogil:
    """Turn the entries in b.todo into actions; the first slot whose entry is not legal, or ALL_DONE.

    Slots that are not to step (`where`), at chance or at the end get -1. `lists` are those of the present positions;
    NULL will do for BY_ACTION, with room for g.max_actions in `work`.
    """
    cdef int64_t action
    cdef u32 i
    for i in range(lo, hi):
        if where != NULL and not where[i]:
            b.todo[i] = -1
            continue
        if lists != NULL:
            if b.n_legal[i] == 0:
                b.todo[i] = -1
                continue
            action = find_listed(b, i, b.todo[i], by, lists.action + b.at[i])
        elif b.state[i].h.phase == PHASE_DRAW or b.state[i].h.phase == PHASE_END:
            b.todo[i] = -1
            continue
        else:
            action = b.todo[i] if b.todo[i] >= 0 and turn_is_legal(b.state[i], b.todo[i], work) else -1
        if unlikely(action < 0):
            return i
        b.todo[i] = action
    return ALL_DONE


cdef inline action_t find_listed(const slots_t* b, u32 i, int64_t value, int by, const action_t* list) noexcept nogil:
    """Return the action of slot i's list that an entry means, or -1."""
    cdef u32 n = b.n_legal[i]
    cdef u32 k
    cdef int x, y
    if by == BY_CHOICE:
        return list[value] if 0 <= value < n else -1
    if by == BY_ACTION:
        for k in range(n):
            if list[k] == value:
                return value
        return -1
    window_middle(&b.window, b.state[i], &x, &y)
    for k in range(n):
        if number_of(&b.window, list[k], x, y) == value and value >= 0:
            return list[k]
    return -1


cdef inline void come_near(const slots_t* b, u32 i, u32 hi) noexcept nogil:
    """Fetch what the slots after i will touch, in three stages: each needs what the one before fetched."""
    cdef const state_t* s
    cdef u32 k
    if i + 3 < hi:
        s = b.state[i + 3]
        for k in range(0, sizeof(state_t) - sizeof(figure_t) * MAX_FIGURES, 64):
            prefetch(<const char*>s + k)
    if i + 2 < hi:
        s = b.state[i + 2]
        for k in range(0, s.h.n_front, 8):
            prefetch(s.front + k)
        prefetch(s.label + s.h.n_nodes)
        prefetch(s.total + s.h.n_nodes)
        prefetch(s.tile + s.h.n_tiles)
    if i + 1 < hi:
        s = b.state[i + 1]
        for k in range(s.h.n_front):
            prefetch(s.cells + index_of(s.front[k]))


cdef int64_t slots_apply(slots_t* b, u32 lo, u32 hi, const u8* where, lists_t* lists) noexcept nogil:
    """Do the checked actions in b.todo; ALL_DONE, or NO_MEMORY (then some slots are stepped and some not).

    With `lists`, each slot's next actions are listed at once, while its memory is near.
    """
    cdef u32 i
    if lists != NULL:
        lists.n = 0
    for i in range(lo, hi):
        come_near(b, i, hi)
        note_before(b, i)
        if b.todo[i] >= 0:
            turn_apply(b.state[i], b.todo[i])
            if unlikely(go_on(b, i) < 0):
                return NO_MEMORY
        elif where == NULL or where[i]:
            note_result(b, i)
            if b.resets and b.ended[i]:        # a finished game that was put here, or one that ended without a choice
                b.episode[i] += 1
                if begin(b, i) < 0:
                    return NO_MEMORY
        else:
            note_result(b, i)
        if lists != NULL and add_list(b, i, lists) < 0:
            return NO_MEMORY
    return ALL_DONE


cdef int64_t slots_check_draws(slots_t* b, u32 lo, u32 hi) noexcept nogil:
    """Check the tiles in b.todo; the first slot whose tile cannot be drawn, or ALL_DONE. -1 where none is due."""
    cdef u32 i
    for i in range(lo, hi):
        if b.state[i].h.phase != PHASE_DRAW:
            b.todo[i] = -1
        elif b.todo[i] < 0 or b.todo[i] >= b.g.n_draw or not turn_can_draw(b.state[i], <u32>b.todo[i]):
            return i
    return ALL_DONE


cdef int64_t slots_draw(slots_t* b, u32 lo, u32 hi) noexcept nogil:
    """Draw the checked tiles in b.todo; ALL_DONE, or NO_MEMORY (then some slots have drawn and some not)."""
    cdef u32 i
    for i in range(lo, hi):
        if b.todo[i] < 0:
            continue
        if turn_draw(b.state[i], <u32>b.todo[i]) < 0:
            return NO_MEMORY
        if b.resets and b.ended[i]:
            continue                           # what is noted is the episode before, which the last step ended
        if go_on(b, i) < 0:
            return NO_MEMORY
    return ALL_DONE


cdef void slots_masks(slots_t* b, u32 lo, u32 hi, const lists_t* lists, u8* bits, size_t row,
                      int32_t* outside) noexcept nogil:
    """Set the bits of the listed actions' numbers in a slot's row of bytes, and count those that have none."""
    cdef const action_t* list
    cdef int64_t number
    cdef u8* mine
    cdef u32 i, k
    cdef int x, y
    for i in range(lo, hi):
        mine = bits + i * row
        list = lists.action + b.at[i]
        memset(mine, 0, row)
        window_middle(&b.window, b.state[i], &x, &y)
        outside[i] = 0
        for k in range(b.n_legal[i]):
            number = number_of(&b.window, list[k], x, y)
            if unlikely(number < 0):
                outside[i] += 1
            else:
                mine[number >> 3] |= <u8>(1 << (number & 7))
