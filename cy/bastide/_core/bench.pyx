"""The door for benches: hot paths in a C loop, each returns (nanoseconds of this thread, checksum).

The checksum is a function of the results alone, so that a faster wrong engine cannot win; nothing here is a rule.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bastide._core.api cimport Rng, State, Tables, word
from bastide._core.history cimport history_after, history_before, history_clear, history_free, history_t, history_undo
from bastide._core.playout cimport play_out, sample_placement, work_free, work_new, work_t
from bastide._core.rng cimport below, rng_t, seed_rng
from bastide._core.state cimport mix, state_copy, state_free, state_key, state_new, state_t
from bastide._core.turn cimport (
    turn_apply, turn_choose_draw, turn_draw, turn_is_legal, turn_list, turn_list_in_order, turn_start,
)
from bastide._core.types cimport PHASE_DRAW, PHASE_END, PHASE_PLACE, action_t, u32, u64

from time import thread_time_ns

from bastide.errors import BastideError


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
        self.at.log = self.s.log = NULL
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


cdef u64 scores_word(const state_t* s) noexcept nogil:
    cdef u64 word = s.h.turn
    cdef u32 k
    for k in range(s.g.n_players):
        word = mix(word ^ <u64>s.h.score[k])
    return word


def machine(Tables game not None, u64 n, seed=0):
    """Play `n` games through the phase machine: draw, list, choose uniformly, apply checked. (ns, checksum, decisions)"""
    cdef work_t w
    cdef rng_t rng
    cdef state_t* s = state_new(&game.g)
    cdef u64 sum = 0
    cdef u64 n_decisions = 0
    cdef u64 i
    cdef action_t action
    cdef bint failed = s == NULL
    memset(&w, 0, sizeof(w))
    seed_rng(&rng, word("seed", seed), 0)
    start = thread_time_ns()
    try:
        if failed or work_new(&w, &game.g) < 0:
            raise MemoryError("no memory for a game")
        with nogil:
            for i in range(n):
                turn_start(s)
                while s.h.phase != PHASE_END and not failed:
                    if s.h.phase == PHASE_DRAW:
                        failed = turn_draw(s, turn_choose_draw(s, &rng)) < 0
                        continue
                    action = w.actions[below(&rng, turn_list(s, w.actions))]
                    if not turn_is_legal(s, action, w.actions):
                        failed = True
                        break
                    turn_apply(s, action)
                    n_decisions += 1
                sum = sum * 31 + scores_word(s)
        if failed:
            raise MemoryError("no memory for the board to grow, or an action that was listed is not legal")
    finally:
        work_free(&w)
        state_free(s)
    return thread_time_ns() - start, sum, n_decisions
