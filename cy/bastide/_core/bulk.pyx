"""The door to many games at once: playouts over a range, and the leaves of a tree. Checks arguments, raises, converts.

Nothing here is a rule. The GIL is released while games are played, so the position they start from, which another
thread could change meanwhile, is copied first.
"""

from libc.stdlib cimport free, malloc

from bastide._core.api cimport State, Tables
from bastide._core.batch cimport batch_t, play_batch
from bastide._core.perft cimport COUNTED, count_leaves
from bastide._core.state cimport state_copy, state_free, state_new, state_t
from bastide._core.types cimport N_COUNTS, N_SOURCES, int32_t, int64_t, u16, u32, u64

from bastide.errors import IllegalActionError

COUNTS = ("captures", "bridges", "castles", "barns")


def play_range(Tables game not None, State start, u64 seed, u64 first, int32_t[:, ::1] scores,
               int32_t[::1] turns, int32_t[::1] discards, int64_t[:, ::1] sums, int64_t[::1] counts):
    """Play the games first .. first + len(scores) - 1 into the rows of `scores`, without the GIL.

    scores: int32 (n, players). turns, discards: int32 (n,) or None; sums: int64 (players, sources), counts: int64
    (COUNTS,), added to, or None.
    `start` is the position to play from, or None for new games.
    """
    cdef batch_t b
    cdef int result
    cdef state_t* copy = NULL
    b.g, b.seed, b.first, b.n = &game.g, seed, first, scores.shape[0]
    b.scores = &scores[0, 0] if b.n else NULL
    b.turns = &turns[0] if turns is not None and b.n else NULL
    b.discards = &discards[0] if turns is not None and b.n else NULL
    if start is not None:
        copy = state_new(&game.g)             # so that another thread may go on with `start`
        if copy == NULL or state_copy(copy, start.s) < 0:
            state_free(copy)
            raise MemoryError("no memory for a copy")
    b.start = copy
    with nogil:
        result = play_batch(&b)
    state_free(copy)
    if result < 0:
        raise MemoryError("no memory for playouts")
    if sums is not None and b.turns != NULL:
        for player in range(game.g.n_players):
            for source in range(N_SOURCES):
                sums[player, source] += b.sum[player][source]
    if counts is not None and b.turns != NULL:
        for i in range(N_COUNTS):
            counts[i] += b.count[i]


def perft(State state not None, u32 depth, list order not None):
    """Count the leaves of the tree of decisions of a depth; tiles come from `order` (types), one a draw.

    The game's end and the end of the order are leaves. IllegalActionError if a tile cannot be drawn.
    """
    cdef u64 n
    cdef int result
    cdef u32 i
    cdef u32 n_order = len(order)
    cdef state_t* copy = state_new(state.s.g)          # so that another thread may go on with `state`
    cdef u16* types = <u16*>malloc((n_order + 1) * sizeof(u16))
    try:
        if copy == NULL or types == NULL or state_copy(copy, state.s) < 0:
            raise MemoryError("no memory for perft")
        for i in range(n_order):
            types[i] = order[i]
        with nogil:
            result = count_leaves(copy, depth, types, n_order, &n)
    finally:
        state_free(copy)
        free(types)
    if result >= 0:
        raise IllegalActionError(f"tile {result} cannot be drawn now: none of it is left")
    if result != COUNTED:
        raise MemoryError("no memory for perft")
    return n
