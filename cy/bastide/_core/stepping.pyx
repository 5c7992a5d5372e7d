"""The door to the games of a batch, which are stepped together. Checks arguments, raises, converts.

Nothing here is a rule. The GIL is released while games are stepped, so everything that another thread could change
meanwhile is copied first: actions, draws. A batch itself is held by an in-use flag.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from bastide._core.api cimport State, Tables, word
from bastide._core.inuse cimport add_users, flag_t, take
from bastide._core.observe cimport n_scalars, observe, observe_scalars
from bastide._core.scoring cimport zero_sum
from bastide._core.slots cimport (
    ALL_DONE, BY_ACTION, BY_CHOICE, BY_NUMBER, NO_MEMORY, lists_t, slots_apply, slots_check, slots_check_draws,
    slots_draw, slots_free, slots_list, slots_masks, slots_new, slots_put, slots_reset, slots_t,
)
from bastide._core.state cimport state_copy, state_t
from bastide._core.types cimport MAX_PLAYERS, NONE, PHASE_DRAW, PHASE_END, action_t, int32_t, int64_t, u8, u16, u32, u64
from bastide._core.turn cimport turn_can_draw
from bastide._core.window cimport window_middle
from bastide._core.windows cimport Window, suits

from bastide._core.api import PHASES
from bastide.errors import BastideError, IllegalActionError

cdef enum:                    # what a range of slots is to do
    DO_LIST = 0
    DO_CHECK = 1
    DO_APPLY = 2
    DO_CHECK_DRAWS = 3
    DO_DRAW = 4
    DO_MASKS = 5

FORMS = {"action": BY_ACTION, "choice": BY_CHOICE, "number": BY_NUMBER}


cdef class Slots:
    """The games of a batch and what may be asked of them all; bastide.batch makes arrays of it.

    `pool`, if not None, runs `cuts` - 1 ranges at once (submit(function, ...) -> future with result()).
    """

    cdef readonly Tables game
    cdef readonly Py_ssize_t n
    cdef slots_t b
    cdef flag_t users
    cdef bint is_broken           # memory ran out in the middle of a step
    cdef object pool
    cdef u32 n_ranges
    cdef lists_t* lists           # [n_ranges] the lists of the present positions, if is_listed
    cdef bint is_listed
    cdef bint wants_lists         # since the last step they were asked for: step lists the next ones at once
    cdef u8* where                # [n] which slots step; used if has_where
    cdef bint has_where
    cdef int by
    cdef u8* bits                 # the caller's arrays during `masks`
    cdef size_t row
    cdef int32_t* outside

    def __cinit__(self, *args, **kwargs):
        memset(&self.b, 0, sizeof(slots_t))

    def __init__(self, Tables game not None, u32 n, seed, start, bint draws_inside, bint resets, u32 n_ranges, pool):
        if self.b.state != NULL or n == 0 or n_ranges == 0 or game.g.n_types == 0:
            raise BastideError("a batch is made once, of one game or more, over filled tables")
        self.game, self.n, self.n_ranges, self.pool = game, n, n_ranges, pool
        self.b.g, self.b.n, self.b.seed, self.b.first = &game.g, n, word("seed", seed), word("start", start)
        self.b.draws_inside, self.b.resets = draws_inside, resets
        self.lists = <lists_t*>calloc(n_ranges, sizeof(lists_t))
        self.where = <u8*>calloc(n, 1)
        if self.lists == NULL or self.where == NULL or slots_new(&self.b) < 0:
            self.is_broken = True
            raise MemoryError("no memory for the games of a batch")

    def __dealloc__(self):
        cdef u32 i
        slots_free(&self.b)
        if self.lists != NULL:
            for i in range(self.n_ranges):
                free(self.lists[i].action)
        free(self.lists)
        free(self.where)

    @property
    def max_actions(self):
        """A bound for the length of any list of legal actions."""
        return self.game.g.max_actions

    # -- one user at a time

    cdef int enter(self) except -1:
        if not take(&self.users):
            raise BastideError("this batch is in use by another thread: a batch belongs to one thread at a time")
        if self.is_broken or self.b.state == NULL:
            self.leave()
            raise BastideError("this batch cannot be used: memory ran out in the middle of a step, or it was not made")
        return 0

    cdef void leave(self) noexcept:
        add_users(&self.users, -1)

    # -- ranges of slots, over threads

    cdef u32 cut(self, u32 k) noexcept nogil:
        return <u32>(<u64>self.b.n * k // self.n_ranges)

    cdef int64_t run(self, int what, u32 k) noexcept nogil:
        """Do something with range k of the slots; ALL_DONE, NO_MEMORY or a slot."""
        cdef u32 lo = self.cut(k)
        cdef u32 hi = self.cut(k + 1)
        cdef const u8* where = self.where if self.has_where else NULL
        cdef lists_t* lists = &self.lists[k]
        cdef action_t* work
        cdef int64_t result = ALL_DONE
        if what == DO_LIST:
            result = slots_list(&self.b, lo, hi, lists)
        elif what == DO_CHECK and self.is_listed:
            result = slots_check(&self.b, lo, hi, where, self.by, lists, NULL)
        elif what == DO_CHECK:
            work = <action_t*>malloc(self.b.g.max_actions * sizeof(action_t))
            if work == NULL:
                return NO_MEMORY
            result = slots_check(&self.b, lo, hi, where, self.by, NULL, work)
            free(work)
        elif what == DO_APPLY:
            result = slots_apply(&self.b, lo, hi, where, lists if self.wants_lists else NULL)
        elif what == DO_CHECK_DRAWS:
            result = slots_check_draws(&self.b, lo, hi)
        elif what == DO_DRAW:
            result = slots_draw(&self.b, lo, hi)
        elif what == DO_MASKS:
            slots_masks(&self.b, lo, hi, lists, self.bits, self.row, self.outside)
        return result

    def _run(self, int what, u32 k):
        """Run a range in a thread of the pool. The batch stays in use until the last of them is through."""
        cdef int64_t result
        try:
            with nogil:
                result = self.run(what, k)
        finally:
            self.leave()
        return result

    cdef int64_t run_all(self, int what) except -3:
        """Run all ranges; the first result that is not ALL_DONE (the lowest slot), NO_MEMORY before all else."""
        cdef int64_t result = ALL_DONE
        cdef int64_t one
        cdef list futures = []
        cdef u32 k
        if self.n_ranges == 1:
            with nogil:
                result = self.run(what, 0)
            return result
        for k in range(1, self.n_ranges):
            add_users(&self.users, 1)
            try:
                futures.append(self.pool.submit(self._run, what, k))
            except BaseException:
                self.leave()
                self.is_broken = True
                raise
        with nogil:
            result = self.run(what, 0)
        for future in futures:
            one = future.result()
            if one == NO_MEMORY or (result == ALL_DONE and one != ALL_DONE):
                result = one
        return result

    # -- decisions

    def _list(self, int64_t[::1] offsets):
        """List the legal actions inside, ascending; offsets: int64 (n + 1,), filled. Returns how many there are."""
        cdef u32 i
        self.enter()
        try:
            self.need_lists()
            offsets[0] = 0
            for i in range(self.b.n):
                offsets[i + 1] = offsets[i] + self.b.n_legal[i]
            return offsets[self.n]
        finally:
            self.leave()

    def _take_lists(self, int64_t[::1] out):
        """Copy the actions that were listed last, one list after another; False if the batch has moved since."""
        cdef size_t at = 0
        cdef u32 k
        self.enter()
        try:
            for k in range(self.n_ranges):
                if not self.is_listed or at + self.lists[k].n > <size_t>out.shape[0]:
                    return False
                if self.lists[k].n:
                    memcpy(&out[at], self.lists[k].action, self.lists[k].n * sizeof(action_t))
                at += self.lists[k].n
            return True
        finally:
            self.leave()

    cdef int need_lists(self) except -1:
        self.wants_lists = True
        if not self.is_listed:
            if self.run_all(DO_LIST) != ALL_DONE:
                raise MemoryError("no memory for lists of actions")
            self.is_listed = True
        return 0

    def _masks(self, Window window not None, u8[:, ::1] bits, int32_t[::1] outside):
        """Fill the bits of the legal actions' numbers; bits: uint8 (n, bytes), outside: int32 (n,)."""
        if bits.shape[0] != self.n or outside.shape[0] != self.n or 8 * bits.shape[1] < window.w.n:
            raise BastideError("the arrays do not suit the batch")
        self.enter()
        try:
            self.set_window(window)
            self.need_lists()
            self.bits, self.row, self.outside = &bits[0, 0], bits.shape[1], &outside[0]
            self.run_all(DO_MASKS)
        finally:
            self.leave()

    cdef int set_window(self, Window window) except -1:
        if window.game is not self.game:
            raise BastideError("the action index is of another game")
        self.b.window = window.w
        return 0

    def _step(self, const int64_t[::1] values, const u8[::1] where, str form, Window window):
        """Check what the entries mean, then do it; IllegalActionError names the first wrong slot, and nothing is done."""
        cdef int64_t result
        self.enter()
        try:
            memcpy(self.b.todo, &values[0], self.b.n * sizeof(int64_t))
            self.has_where = where is not None
            if self.has_where:
                memcpy(self.where, &where[0], self.b.n)
            self.by = FORMS[form]
            if window is not None:
                self.set_window(window)
            if self.by != BY_ACTION:
                self.need_lists()
            result = self.run_all(DO_CHECK)
            if result >= 0:
                raise self.why_wrong(<u32>result, form)
            if result == NO_MEMORY:
                raise MemoryError("no memory for a list of actions")
            self.is_listed = False
            if self.run_all(DO_APPLY) != ALL_DONE:
                self.is_broken = True
                raise MemoryError("no memory for a board to grow, in the middle of a step")
            self.is_listed = self.wants_lists
            self.wants_lists = False
        finally:
            self.leave()

    cdef object why_wrong(self, u32 i, str form):
        cdef const state_t* s = self.b.state[i]
        return IllegalActionError(f"slot {i}: {form} {self.b.todo[i]} is not legal in phase {PHASES[s.h.phase]!r} of player "
                                  f"{s.h.player}; no game was stepped")

    # -- chance from outside

    def _draw(self, const int64_t[::1] tiles):
        """Draw a tile in each slot that is at chance; IllegalActionError names the first wrong slot, and nothing is done."""
        cdef int64_t result
        self.enter()
        try:
            memcpy(self.b.todo, &tiles[0], self.b.n * sizeof(int64_t))
            result = self.run_all(DO_CHECK_DRAWS)
            if result >= 0:
                raise IllegalActionError(f"slot {result}: tile {self.b.todo[result]} cannot be drawn now; no tile was drawn")
            self.is_listed = False
            if self.run_all(DO_DRAW) != ALL_DONE:
                self.is_broken = True
                raise MemoryError("no memory for a board to grow, in the middle of the draws")
        finally:
            self.leave()

    def _draws(self, u16[:, ::1] out):
        """Fill how many of each tile can be drawn now; out: uint16 (n, tiles)."""
        cdef u32 i, t
        self.enter()
        try:
            for i in range(self.b.n):
                for t in range(self.b.g.n_draw):
                    out[i, t] = self.b.state[i].left[t] if turn_can_draw(self.b.state[i], t) else 0
        finally:
            self.leave()

    # -- positions

    def _get(self, u32 i, State into not None):
        """Make a new state the position of slot i."""
        if i >= self.b.n or into.game is not self.game:
            raise BastideError("no such slot, or a state of another game")
        self.enter()
        try:
            if state_copy(into.s, self.b.state[i]) < 0:
                raise MemoryError("no memory for a copy")
        finally:
            self.leave()

    def _set(self, u32 i, State source not None):
        """Make slot i a position; its stream and episode go on, and draws inside are made at once."""
        if i >= self.b.n or source.game is not self.game:
            raise BastideError("no such slot, or a state of another game")
        self.enter()
        try:
            self.is_listed = False
            if slots_put(&self.b, i, source.s) < 0:
                self.is_broken = True
                raise MemoryError("no memory for a copy")
        finally:
            self.leave()

    def _reset(self, const u8[::1] where):
        """Begin the next episode in the slots of `where` (None: all)."""
        cdef u32 i
        self.enter()
        try:
            self.is_listed = False
            for i in range(self.b.n):
                if where is not None and not where[i]:
                    continue
                self.b.episode[i] += 1
                if slots_reset(&self.b, i) < 0:
                    self.is_broken = True
                    raise MemoryError("no memory for a board to grow")
        finally:
            self.leave()

    # -- questions, answered into the caller's arrays

    def _facts(self, str what not None, int32_t[::1] out):
        """Fill one number a slot: phase, player (-1 at the end), drawn tile (-1: none) or turn."""
        cdef const state_t* s
        cdef u32 fact = ("phase", "player", "drawn", "turn").index(what)
        cdef u32 i
        self.enter()
        try:
            for i in range(self.b.n):
                s = self.b.state[i]
                if fact == 0:
                    out[i] = s.h.phase
                elif fact == 1:
                    out[i] = -1 if s.h.phase == PHASE_END else s.h.player
                elif fact == 2:
                    out[i] = -1 if s.h.drawn == NONE else s.h.drawn
                else:
                    out[i] = s.h.turn
        finally:
            self.leave()

    def _flags(self, str what not None, u8[::1] out):
        """Fill one flag a slot: the game is over, or a tile must be drawn."""
        cdef bint is_end = what == "end"
        cdef u32 i
        self.enter()
        try:
            for i in range(self.b.n):
                out[i] = self.b.ended[i] if is_end else self.b.state[i].h.phase == PHASE_DRAW
        finally:
            self.leave()

    def _episodes(self, int64_t[::1] out):
        cdef u32 i
        self.enter()
        try:
            for i in range(self.b.n):
                out[i] = <int64_t>self.b.episode[i]
        finally:
            self.leave()

    def _scores(self, bint gained, int32_t[:, ::1] out):
        """Fill the scores after the last step, or what it brought; out: int32 (n, players)."""
        cdef u32 i
        cdef u32 k
        self.enter()
        try:
            for i in range(self.b.n):
                for k in range(self.b.n_players):
                    out[i, k] = self.b.score[i * self.b.n_players + k]
                    if gained:
                        out[i, k] -= self.b.before[i * self.b.n_players + k]
        finally:
            self.leave()

    def _returns(self, double[:, ::1] out):
        """Fill the zero-sum results of the games that ended, else 0; out: float64 (n, players)."""
        cdef double[MAX_PLAYERS] points
        cdef u32 i, k
        cdef u32 n = self.b.n_players
        self.enter()
        try:
            for i in range(self.b.n):
                for k in range(n):
                    points[k] = self.b.score[i * n + k] if self.b.ended[i] else 0
                zero_sum(points, n, &out[i, 0])
        finally:
            self.leave()

    def _middles(self, Window window not None, int32_t[:, ::1] out):
        """Fill the window's middle cell of each slot; out: int32 (n, 2), x and y."""
        cdef u32 i
        cdef int x, y
        self.enter()
        try:
            self.set_window(window)
            for i in range(self.b.n):
                window_middle(&self.b.window, self.b.state[i], &x, &y)
                out[i, 0], out[i, 1] = x, y
        finally:
            self.leave()

    def _observations(self, Window window not None, u8[:, :, :, ::1] out not None):
        """Fill the planes of each slot: uint8 (n, planes, size, size)."""
        cdef u32 i
        cdef int x, y
        self.enter()
        try:
            self.set_window(window)
            if out.shape[0] != self.n or not suits(window, self.b.state[0], out.shape[1], out.shape[2], out.shape[3]):
                raise BastideError("the array does not suit the batch")
            with nogil:
                for i in range(self.b.n):
                    window_middle(&self.b.window, self.b.state[i], &x, &y)
                    observe(self.b.state[i], self.b.window.size, x, y, &out[i, 0, 0, 0])
        finally:
            self.leave()

    def _scalars(self, float[:, ::1] out not None):
        """Fill the scalars of each slot: float32 (n, m)."""
        cdef u32 i
        self.enter()
        try:
            if out.shape[0] != self.n or out.shape[1] != n_scalars(self.b.state[0]):
                raise BastideError("the array does not suit the batch")
            for i in range(self.b.n):
                observe_scalars(self.b.state[i], &out[i, 0])
        finally:
            self.leave()
