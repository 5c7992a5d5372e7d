"""The door for benches: hot paths in a C loop, each returns (nanoseconds of this thread, checksum).

The checksum is a function of the results alone, so that a faster wrong engine cannot win; nothing here is a rule.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bastide._core.actions cimport ACT_PLACE, pack_action
from bastide._core.api cimport Rng, State, Tables, word
from bastide._core.batch cimport batch_t, play_batch
from bastide._core.history cimport history_after, history_before, history_clear, history_free, history_t, history_undo
from bastide._core.machine cimport play_by_machine, scores_word
from bastide._core.playout cimport (
    place_meeple, play_out, sample_placement, sample_record, trace_t, work_free, work_new, work_t,
)
from bastide._core.rng cimport rng_t, seed_rng
from bastide._core.state cimport state_copy, state_free, state_key, state_new, state_t
from bastide._core.tiles cimport BOX_RIVER, BOX_TOWER, BOX_WATCHTOWERS
from bastide._core.turn cimport turn_apply, turn_choose_figure, turn_is_legal, turn_list_in_order
from bastide._core.types cimport (
    PHASE_FIGURE, PHASE_PLACE, PILE_RIVER, action_t, int32_t, int64_t, u32, u64,
)

from time import thread_time_ns

from bastide.errors import BastideError

cdef extern from *:
    """
    #if defined(__clang__)
    #define BS_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define BS_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_VER)
    #define BS_STRING_(x) #x
    #define BS_STRING(x) BS_STRING_(x)
    #define BS_COMPILER "MSVC " BS_STRING(_MSC_VER)
    #else
    #define BS_COMPILER "unknown"
    #endif
    #ifndef BASTIDE_FLAGS
    #define BASTIDE_FLAGS ""
    #endif
    #if defined(__OPTIMIZE__) || (defined(_MSC_VER) && !defined(_DEBUG))
    #define BS_OPTIMIZED 1
    #else
    #define BS_OPTIMIZED 0
    #endif
    #if defined(__SANITIZE_ADDRESS__)
    #define BS_SANITIZED 1
    #elif defined(__has_feature)
    #if __has_feature(address_sanitizer)
    #define BS_SANITIZED 1
    #endif
    #endif
    #ifndef BS_SANITIZED
    #define BS_SANITIZED 0
    #endif
    #ifdef BASTIDE_DEBUG
    #define BS_IS_DEBUG 1
    #else
    #define BS_IS_DEBUG 0
    #endif
    #if defined(__AVX512F__)
    #define BS_INSTRUCTIONS "AVX-512"
    #elif defined(__AVX2__)
    #define BS_INSTRUCTIONS "AVX2"
    #elif defined(__SSE4_2__)
    #define BS_INSTRUCTIONS "SSE4.2"
    #else
    #define BS_INSTRUCTIONS "baseline"
    #endif
    """
    const char* COMPILER "BS_COMPILER"
    const char* FLAGS "BASTIDE_FLAGS"
    const char* CYTHON "CYTHON_ABI"
    const char* INSTRUCTIONS "BS_INSTRUCTIONS"
    int OPTIMIZED "BS_OPTIMIZED"
    int SANITIZED "BS_SANITIZED"
    int DEBUG "BS_IS_DEBUG"


cdef class Bench:
    """Room for the loops: a position, and a state and lists to work with."""

    cdef Tables game
    cdef state_t* at
    cdef state_t* s
    cdef work_t w
    cdef history_t history
    cdef action_t* list
    cdef u32 n_list

    def __init__(self, State position not None):
        """Begin at a position; it stays as it is."""
        if self.at != NULL:
            raise BastideError("a bench is made once")
        self.game = position.game
        self.at = state_new(&self.game.g)
        self.s = state_new(&self.game.g)
        self.list = <action_t*>malloc(self.game.g.max_actions * sizeof(action_t))
        if (self.at == NULL or self.s == NULL or self.list == NULL or work_new(&self.w, &self.game.g) < 0
                or state_copy(self.at, position.s) < 0 or state_copy(self.s, position.s) < 0):
            raise MemoryError("no memory for a bench")
        self.n_list = turn_list_in_order(self.at, self.list)

    def __dealloc__(self):
        history_free(&self.history)
        work_free(&self.w)
        state_free(self.at)
        state_free(self.s)
        free(self.list)

    def copy(self, u64 n):
        """Copy the position into an existing state."""
        cdef u64 i
        cdef u64 sum = 0
        start = thread_time_ns()
        with nogil:
            for i in range(n):
                state_copy(self.s, self.at)
                sum += self.s.h.key
        return thread_time_ns() - start, sum

    def list_actions(self, u64 n):
        """List the legal actions, ascending."""
        cdef u64 i
        cdef u32 m
        cdef u64 sum = 0
        self.need_actions()
        start = thread_time_ns()
        with nogil:
            for i in range(n):
                m = turn_list_in_order(self.at, self.w.actions)
                sum = sum * 31 + <u64>self.w.actions[i % m] + m
        return thread_time_ns() - start, sum

    def apply(self, u64 n):
        """Copy the position and apply each legal action in turn, unchecked."""
        cdef u64 i
        cdef u64 sum = 0
        self.need_actions()
        start = thread_time_ns()
        with nogil:
            for i in range(n):
                state_copy(self.s, self.at)
                turn_apply(self.s, self.list[i % self.n_list])
                sum += self.s.h.key
        return thread_time_ns() - start, sum

    def apply_undo(self, u64 n):
        """Apply each legal action in turn, checked, with history, and undo it."""
        cdef u64 i
        cdef u64 sum = 0
        cdef action_t action
        self.need_actions()
        state_copy(self.s, self.at)
        history_clear(&self.history)
        start = thread_time_ns()
        with nogil:
            for i in range(n):
                action = self.list[i % self.n_list]
                if not turn_is_legal(self.s, action, self.w.actions) or history_before(&self.history, self.s) < 0:
                    break
                turn_apply(self.s, action)
                history_after(&self.history, self.s)
                sum += self.s.h.key
                history_undo(&self.history, self.s)
        ns = thread_time_ns() - start
        if state_key(self.s) != state_key(self.at):
            raise BastideError("undo does not lead back")
        return ns, sum

    def sample(self, u64 n, Rng rng not None):
        """Sample a placement of the tile in hand."""
        cdef u64 i
        cdef u64 sum = 0
        if self.at.h.phase != PHASE_PLACE:
            raise BastideError("no tile in hand")
        start = thread_time_ns()
        with nogil:
            for i in range(n):
                sum = sum * 31 + sample_placement(self.at, &self.w, &rng.r, self.at.h.drawn)
        return thread_time_ns() - start, sum

    def sampled_actions(self, u32 n, Rng rng not None):
        """Return what the playout loop samples here, `n` times, as actions: placements, or figures in the plain figure step
        and with The Tower.

        For tests of the sampler, not timed. BastideError where the loop does not sample but lists.
        """
        cdef list out = []
        cdef int64_t step
        cdef trace_t trace
        cdef u32 i, slot, rec
        if self.at.h.phase == PHASE_FIGURE and self.game.g.boxes & ~(BOX_RIVER | BOX_WATCHTOWERS) == 0:
            for i in range(n):
                trace.step, trace.n, trace.room = &step, 0, 1
                state_copy(self.s, self.at)
                place_meeple(self.s, &rng.r, &trace)
                out.append(step)
        elif self.at.h.phase == PHASE_FIGURE and self.game.g.boxes & BOX_TOWER:
            for i in range(n):
                out.append(turn_choose_figure(self.at, &rng.r, self.w.actions))
        elif self.at.h.phase == PHASE_PLACE and self.game.g.type[self.at.h.drawn].pile != PILE_RIVER:
            for i in range(n):
                rec = sample_record(self.at, &self.w, &rng.r, self.at.h.drawn, &slot)
                out.append(pack_action(
                    ACT_PLACE, self.at.front[slot], (rec & 3) | <u32>self.game.g.rec[rec].bridge << 2, 0, 0))
        else:
            raise BastideError("nothing is sampled in this position")
        return out

    def playouts(self, u64 n, Rng rng not None):
        """Play the position to its end."""
        cdef u64 i
        cdef u64 sum = 0
        cdef bint failed = False
        start = thread_time_ns()
        with nogil:
            for i in range(n):
                if state_copy(self.s, self.at) < 0 or play_out(self.s, &self.w, &rng.r) < 0:
                    failed = True
                    break
                sum = sum * 31 + scores_word(self.s)
        if failed:
            raise MemoryError("no memory for the board to grow")
        return thread_time_ns() - start, sum

    cdef int need_actions(self) except -1:
        if self.n_list == 0:
            raise BastideError("no legal action")
        return 0


def games(Tables game not None, u64 n, seed=0):
    """Play `n` games by uniform playouts, as `bulk.play_range` does. (ns, checksum)"""
    cdef batch_t b
    cdef int result = -1
    cdef u64 sum = 0
    cdef u64 i
    cdef u32 k
    cdef u32 n_players = game.g.n_players
    cdef int32_t* scores = <int32_t*>malloc((n * n_players + 1) * sizeof(int32_t))
    b.g, b.start, b.seed, b.first, b.n = &game.g, NULL, word("seed", seed), 0, n
    b.scores, b.turns, b.discards = scores, NULL, NULL
    start = thread_time_ns()
    if scores != NULL:
        with nogil:
            result = play_batch(&b)
    ns = thread_time_ns() - start
    if result == 0:
        for i in range(n * n_players):
            sum = sum * 31 + <u64>scores[i]
    free(scores)
    if result < 0:
        raise MemoryError("no memory for games")
    return ns, sum


def build():
    """Return how the core was built: compiler, flags, Cython, and what the compiler says of itself."""
    return {
        "compiler": (<bytes>COMPILER).decode(),
        "flags": (<bytes>FLAGS).decode(),
        "cython": (<bytes>CYTHON).decode().replace("_", "."),
        "optimized": bool(OPTIMIZED),
        "sanitizers": bool(SANITIZED),
        "debug": bool(DEBUG),
        "instructions": (<bytes>INSTRUCTIONS).decode(),
    }


def machine(Tables game not None, u64 n, seed=0):
    """Play `n` games through the phase machine: draw, list, choose uniformly, apply checked. (ns, checksum, decisions)"""
    cdef work_t w
    cdef rng_t rng
    cdef state_t* s = state_new(&game.g)
    cdef u64 sum = 0
    cdef u64 n_decisions = 0
    cdef int result = -1
    memset(&w, 0, sizeof(w))
    seed_rng(&rng, word("seed", seed), 0)
    start = thread_time_ns()
    if s != NULL and work_new(&w, &game.g) == 0:
        with nogil:
            result = play_by_machine(s, &w, &rng, n, &sum, &n_decisions)
    ns = thread_time_ns() - start
    work_free(&w)
    state_free(s)
    if result < 0:
        raise MemoryError("no memory for a game or its board to grow")
    return ns, sum, n_decisions
