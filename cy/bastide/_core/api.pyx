"""The main door to the core: tables, states, generators. Checks arguments, raises, converts; no rules.

The classes here own memory and know only numbers. `bastide.game` derives from them and adds names and views.
Of the package's Python modules only `bastide.errors` is imported, the lowest of them.
"""

from cpython.list cimport PyList_New
from cpython.object cimport PyObject
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bastide._core.actions cimport ACTION_VERSION
from bastide._core.faults cimport faults
from bastide._core.history cimport history_after, history_before, history_clear, history_free, history_undo
from bastide._core.integers cimport (
    IS_INT64, NO_INTEGER, TOO_LARGE, int64_of, integer, known_free, known_new, new_number,
)
from bastide._core.playout cimport SOME_STEPS, STEPS_PER_TILE, play_out, play_out_traced, trace_t, work_free, work_new, work_t
from bastide._core.rng cimport RANDOM_VERSION, below, next_u64, seed_rng, uniform
from bastide._core.scoring cimport zero_sum
from bastide._core.state cimport (
    log_t, state_bytes, state_bytes_used, state_copy, state_free, state_key, state_new, state_t,
)
from bastide._core.snapshot cimport load, save
from bastide._core.tiles cimport BOX_THIEVES, BOX_TOWER, fill, game_t, release
from bastide._core.turn cimport (
    turn_apply, turn_can_draw, turn_choose_draw, turn_draw, turn_is_legal, turn_list_in_order,
    turn_score_now, turn_start,
)
from bastide._core.types cimport (
    MAX_PLAYERS, NONE, PHASE_DRAW, PHASE_END, action_t, int64_t, u32, u64,
)
from bastide._core.views cimport (
    view_castles, view_events, view_features, view_figures, view_prisoners, view_supply, view_tiles, view_towers, view_turn,
)

from bastide._core.views import SOURCES
from bastide.errors import BastideError, IllegalActionError, show

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        object (*tp_new)(PyTypeObject* kind, object args, PyObject* names)
    void PyList_SET_ITEM(list out, Py_ssize_t i, PyObject* item)     # takes the reference

ACTION_VERSION_ = ACTION_VERSION
RANDOM_VERSION_ = RANDOM_VERSION
PHASES = ("draw", "grow", "place", "build", "figure", "capture", "exchange", "end")


cdef class Tables:
    """The compiled tables of one game. Constant, shared by states and threads."""

    def __cinit__(self, *args, **kwargs):
        memset(&self.g, 0, sizeof(game_t))

    def _fill(self, dict tables not None):
        """Fill the tables once."""
        if self.g.n_types:
            raise BastideError("the tables of a game are filled once")
        fill(&self.g, tables)

    def __dealloc__(self):
        cdef u32 i
        for i in range(self.n_spare):
            state_free(self.spare[i])
        known_free(self.known)
        release(&self.g)

    cdef state_t* take_state(self) except NULL:
        """Return a state to be made some position: an empty one, or one that was used before, as it was left."""
        cdef state_t* s
        if self.g.n_types == 0:
            raise BastideError("the game's tables are empty")
        if self.n_spare:
            self.n_spare -= 1
            s = self.spare[self.n_spare]
            return s
        s = state_new(&self.g)
        if s == NULL:
            raise MemoryError("no memory for a state")
        s.h.drawn = NONE
        return s

    cdef void give_state(self, state_t* s) noexcept:
        """Take back a state: it is kept if it is small and few are kept."""
        if self.n_spare == MAX_SPARE or s.n_cells > MAX_SPARE_CELLS:
            state_free(s)
            return
        s.log = NULL
        self.spare[self.n_spare] = s
        self.n_spare += 1


cdef class Rng:
    """Generate random numbers, a function of (seed, stream). Not for two threads at once.

    Both numbers are 0 .. 2**64 - 1. The sequence of a seed stays the same within a random-stream version.

    >>> rng = Rng(7)
    >>> 0 <= rng.below(6) < 6
    True
    """

    def __init__(self, seed=0, stream=0):
        seed_rng(&self.r, word("seed", seed), word("stream", stream))

    def below(self, n):
        """Draw an integer of 0 .. n-1, each exactly equally likely; ValueError unless 1 <= n < 2**64."""
        cdef u64 most = word("n", n)
        if most == 0:
            raise BastideError("n must be 1 or more, got 0")
        return below(&self.r, most)

    def next(self):
        """Draw an integer of 0 .. 2**64 - 1."""
        return next_u64(&self.r)

    def random(self):
        """Draw a float of [0, 1) with 53 random bits."""
        return uniform(&self.r)

    def copy(self):
        """Return a generator that goes on as this one does."""
        cdef Rng other = Rng.__new__(Rng)
        other.r = self.r
        return other

    def __reduce__(self):
        return _restore_rng, (self.r.high, self.r.low)

    def __eq__(self, other):
        if not isinstance(other, Rng):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    __hash__ = None

    def __repr__(self):
        return f"<Rng {self.r.high:016x}{self.r.low:016x}>"


def _restore_rng(high, low):
    cdef Rng rng = Rng.__new__(Rng)
    rng.r.high, rng.r.low = word("high", high), word("low", low) | 1
    return rng


cdef u64 word(str name, value) except? 0xDEAD:
    """Return a 64-bit word, or say what is wrong with the value."""
    cdef int wrong
    cdef int64_t number = int64_of(value, &wrong)
    if wrong == IS_INT64 and number >= 0:
        return <u64>number
    if wrong == TOO_LARGE and 0 < integer(value) < 1 << 64:
        return integer(value)
    raise BastideError(f"{name} must be an integer of 0 .. 2**64 - 1, got {show(value)}")


cdef class State:
    """A position of one game, before the first draw when new. See bastide.game.State."""

    def __cinit__(self, Tables game not None, *args):
        self.game = game
        self.s = game.take_state()

    def __init__(self, game):
        history_clear(&self.history)
        turn_start(self.s)
        self.forget_events()

    def __dealloc__(self):
        if self.s != NULL:
            history_free(&self.history)
            if self.game is None:             # a cycle was collected, the game before the state
                state_free(self.s)
            else:
                self.game.give_state(self.s)
        free(self.log)
        free(self.work)

    # -- questions

    @property
    def phase(self):
        """The phase: draw (chance), place, build, figure, capture, exchange, grow or end."""
        return PHASES[self.s.h.phase]

    @property
    def is_terminal(self):
        """Whether the game is over."""
        return self.s.h.phase == PHASE_END

    @property
    def is_chance(self):
        """Whether a tile must be drawn next."""
        return self.s.h.phase == PHASE_DRAW

    @property
    def current_player(self):
        """Who decides now; at chance the turn's player."""
        return self.s.h.player

    @property
    def turn_player(self):
        """Whose turn it is."""
        return self.s.h.turn_player

    @property
    def turn(self):
        """How many turns are finished."""
        return self.s.h.turn

    @property
    def discards(self):
        """How many drawn tiles left the game because they fitted nowhere (B5)."""
        return self.s.h.discards

    @property
    def drawn_tile(self):
        """The tile in hand, as an index into `game.tiles`; None if there is none."""
        return None if self.s.h.drawn == NONE else self.s.h.drawn

    @property
    def tiles_left(self):
        """How many tiles can still be drawn, over all piles."""
        cdef u32 n = 0
        for t in range(self.s.g.n_draw):
            n += self.s.left[t]
        return n

    @property
    def scores(self):
        """The points of each player, as a tuple."""
        return tuple([self.s.h.score[i] for i in range(self.s.g.n_players)])

    @property
    def returns(self):
        """Zero-sum result for each player: 1/k for each of k winners, -1/(n-k) for the others; 0 before the end."""
        cdef double[MAX_PLAYERS] points, out
        cdef u32 n = self.s.g.n_players
        cdef u32 i
        for i in range(n):
            points[i] = self.s.h.score[i] if self.s.h.phase == PHASE_END else 0
        zero_sum(points, n, out)
        return tuple([out[i] for i in range(n)])

    @property
    def key(self):
        """A 64-bit hash of the position: equal positions have equal keys, whatever moves led to them."""
        return state_key(self.s)

    @property
    def n_bytes(self):
        """Bytes held by this state, and bytes that a copy moves now, as a tuple."""
        return state_bytes(self.s), state_bytes_used(self.s)

    # -- chance

    def draws(self):
        """List what can be drawn now: tuples (tile, count, probability); the probabilities sum to 1.

        Tiles that fit nowhere are included. IllegalActionError unless `is_chance`.
        """
        cdef list counts
        if self.s.h.phase != PHASE_DRAW:
            raise IllegalActionError(f"no tile is drawn in phase {self.phase!r}")
        counts = [(t, self.s.left[t]) for t in range(self.s.g.n_draw) if turn_can_draw(self.s, t)]
        total = sum([n for _, n in counts])
        return [(t, n, n / total) for t, n in counts]

    def sample_draw(self, Rng rng not None):
        """Choose one of `draws()` by its probability; the state stays as it is."""
        if self.s.h.phase != PHASE_DRAW:
            raise IllegalActionError(f"no tile is drawn in phase {self.phase!r}")
        return turn_choose_draw(self.s, &rng.r)

    def draw(self, tile):
        """Draw a tile (index into `game.tiles`). One that fits nowhere leaves the game: still at chance (B5).

        IllegalActionError if it cannot be drawn now.
        """
        cdef int wrong
        cdef int64_t t
        if self.s.h.phase != PHASE_DRAW:
            raise IllegalActionError(f"no tile is drawn in phase {self.phase!r}")
        t = int64_of(tile, &wrong)
        if wrong == NO_INTEGER:
            raise IllegalActionError(f"a tile is an index into game.tiles, got {show(tile)}")
        if wrong or t < 0 or t >= self.s.g.n_draw:
            raise IllegalActionError(f"tile {show(tile)} is none of 0 .. {self.s.g.n_draw - 1}")
        if not turn_can_draw(self.s, <u32>t):
            raise IllegalActionError(f"tile {t} cannot be drawn now: none of it is left")
        self.before()
        if turn_draw(self.s, <u32>t) < 0:
            raise MemoryError("no memory for the board to grow")
        history_after(&self.history, self.s)

    # -- decisions

    def legal_actions(self):
        """List the legal actions as integers, ascending; none at the end. IllegalActionError at chance."""
        cdef action_t* work = self.work_room()
        cdef u32 n, i
        cdef list out
        if self.s.h.phase == PHASE_DRAW:
            raise IllegalActionError("a tile must be drawn first")
        n = turn_list_in_order(self.s, work)
        if self.game.known == NULL:
            self.game.known = known_new()
        out = PyList_New(n)
        for i in range(n):
            PyList_SET_ITEM(out, i, new_number(self.game.known, work[i]))
        return out

    def apply(self, action):
        """Do an action and every automatic step that follows; IllegalActionError, and nothing done, if not legal now."""
        cdef int wrong
        cdef action_t a = int64_of(action, &wrong)
        if wrong == NO_INTEGER:
            raise IllegalActionError(f"an action is an integer, got {show(action)}")
        if wrong or a < 0 or self.s.h.phase == PHASE_DRAW or not turn_is_legal(self.s, a, self.work_room()):
            raise IllegalActionError(self._why_illegal(action))
        self.before()
        turn_apply(self.s, a)
        history_after(&self.history, self.s)

    def _why_illegal(self, action):
        return f"action {show(action)} is not legal in phase {self.phase!r} of player {self.current_player}"

    def undo(self):
        """Take back the last draw or action; IllegalActionError if this object has done none."""
        if not history_undo(&self.history, self.s):
            raise IllegalActionError("nothing to undo: this state has no earlier step")
        self.forget_events()

    # -- copies

    def copy(self):
        """Return an equal state with an empty history."""
        kind = type(self)
        cdef State other = (<PyTypeObject*>kind).tp_new(<PyTypeObject*>kind, (self.game,), NULL)
        if state_copy(other.s, self.s) < 0:
            raise MemoryError("no memory for a copy")
        return other

    def copy_from(self, State other not None):
        """Make this state equal to another of the same game; its history is emptied."""
        if other.game is not self.game:
            raise BastideError("copy_from needs a state of the same game")
        if state_copy(self.s, other.s) < 0:
            raise MemoryError("no memory for a copy")
        history_clear(&self.history)
        self.forget_events()

    def scores_now(self):
        """Return the scores if the game were scored in this position (fields included), as a tuple."""
        cdef state_t* copy = state_new(self.s.g)
        if copy == NULL or state_copy(copy, self.s) < 0:
            state_free(copy)
            raise MemoryError("no memory for a copy")
        turn_score_now(copy)
        scores = tuple([copy.h.score[i] for i in range(self.s.g.n_players)])
        state_free(copy)
        return scores

    def _to_bytes(self, u64 identity):
        return save(self.s, identity)

    def _load(self, bytes data not None, u64 identity):
        """Become the position of a snapshot: for a new state only."""
        load(self.s, data, len(data), identity)

    def faults(self):
        """List what is wrong inside this state, as sentences: always empty, or there is a bug. Slow."""
        return faults(self.s)

    # -- what the views of bastide.game are made of

    def _tiles(self):
        """Return (type, rotation, x, y) of the placed tiles in the order of placing."""
        return view_tiles(self.s)

    def _figures(self):
        """Return (owner, kind, tile, segment, place) of the figures on the board."""
        return view_figures(self.s)

    def _features(self):
        """Return (label, list of (tile, segment), kind, is closed, points, open edges) of each feature."""
        return view_features(self.s)

    def _left(self):
        """Return how many of each type can still be drawn."""
        return [self.s.left[t] for t in range(self.s.g.n_draw)]

    def _towers(self):
        """Return (tile, colours of the floors from the ground, has a figure) of the tower foundations on the board, in the order of placing."""
        return view_towers(self.s)

    def _prisoners(self, u32 holder):
        """Return (owner, kind, how many) of a player's prisoners."""
        return view_prisoners(self.s, holder)

    def _floors(self, u32 player):
        """Return a player's floors in hand: normal, black, white."""
        return [self.s.towers.floors[player][i] if self.s.g.boxes & BOX_TOWER else 0 for i in range(3)]

    def _in_turn(self):
        """Return what else goes on in the turn: name -> number; "floor" is a tile."""
        return view_turn(self.s)

    def _shared(self):
        """Return the pieces in the shared supply, by kind."""
        return view_supply(self.s)

    def _castles(self):
        """Return (tile, segment) of the castles, each on the cell that comes first by (y, x)."""
        return view_castles(self.s)

    @property
    def stolen_tile(self):
        """Towers & Thieves: the stolen tile, as an index into `game.tiles`; None if there is none (H6)."""
        if self.s.g.boxes & BOX_THIEVES == 0 or self.s.towers.stolen == NONE:
            return None
        return self.s.towers.stolen

    def _supply(self, u32 player):
        return self.s.h.supply[player][0], self.s.h.supply[player][1]

    def _events(self):
        """Return (player, points, source, label or None, figures) of what the last step scored."""
        return view_events(self.s, self.log)

    # -- inside

    cdef action_t* work_room(self) except NULL:
        """Return room for a list of legal actions."""
        if self.work == NULL:
            self.work = <action_t*>malloc(self.s.g.max_actions * sizeof(action_t))
            if self.work == NULL:
                raise MemoryError("no memory for a list of actions")
        return self.work

    cdef int before(self) except -1:
        """Get ready for a step: history and events."""
        if self.log == NULL:
            self.log = <log_t*>malloc(sizeof(log_t))
            if self.log == NULL:
                raise MemoryError("no memory for events")
            memset(self.log, 0, sizeof(log_t))
            self.log.keeps_events = True
            self.s.log = self.log
        if history_before(&self.history, self.s) < 0:
            raise MemoryError("no memory for the history")
        self.forget_events()
        return 0

    cdef void forget_events(self) noexcept:
        if self.log != NULL:
            self.log.n_events = 0
            self.log.n_figures = 0

    def _playout(self, Rng rng not None, bint trace):
        """Play a copy to its end; return its scores and, if asked, the list of steps (a draw is -1 - type)."""
        cdef work_t w
        cdef trace_t t
        cdef int result
        cdef state_t* s = state_new(self.s.g)
        t.step, t.n, t.room = NULL, 0, 0
        memset(&w, 0, sizeof(w))
        if trace:
            t.room = STEPS_PER_TILE * self.s.g.max_tiles + SOME_STEPS
            t.step = <int64_t*>malloc(t.room * sizeof(int64_t))
        try:
            if s == NULL or (trace and t.step == NULL) or work_new(&w, self.s.g) < 0 or state_copy(s, self.s) < 0:
                raise MemoryError("no memory for a playout")
            result = play_out_traced(s, &w, &rng.r, &t) if trace else play_out(s, &w, &rng.r)
            if result < 0:
                raise MemoryError("no memory for the board to grow")
            scores = tuple([s.h.score[i] for i in range(s.g.n_players)])
            return scores, [t.step[i] for i in range(t.n)] if trace else None
        finally:
            free(t.step)
            work_free(&w)
            state_free(s)
