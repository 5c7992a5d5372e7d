"""The door to the numbers of actions over a window of cells (window.pxd), and to what a search sees there (observe.pyx)."""

from libc.string cimport memset

from bastide._core.api cimport State, Tables
from bastide._core.observe cimport n_planes, n_scalars, observe, observe_scalars
from bastide._core.state cimport state_t
from bastide._core.types cimport int64_t, u8, u32
from bastide._core.window cimport N_ACTION_KINDS, number_of, window_middle

from bastide.errors import BastideError


cdef class Window:
    """The numbers of a game's actions over a window of cells (window.pxd); filled by bastide.actionindex."""

    def __init__(self, Tables game not None, int size, bint follows, u32 n, list blocks not None):
        """blocks: (kind, first, n_sub, has_cell) of each kind of action that the game can have."""
        self.game = game
        memset(&self.w, 0, sizeof(window_t))
        self.w.size, self.w.follows, self.w.n, self.w.n_holders = size, follows, n, game.g.n_players
        for kind, first, n_sub, has_cell in blocks:
            if not 0 <= kind < N_ACTION_KINDS:
                raise BastideError(f"no kind of action {kind}")
            self.w.first[<u32>kind], self.w.n_sub[<u32>kind] = first, n_sub
            self.w.has_cell[<u32>kind] = has_cell

    def _middle(self, State state not None):
        cdef int x, y
        window_middle(&self.w, state.s, &x, &y)
        return x, y

    def _numbers(self, State state not None, const int64_t[::1] actions, int64_t[::1] out):
        """Write the numbers of actions in a position, -1 for those without."""
        cdef int x, y
        cdef Py_ssize_t i
        window_middle(&self.w, state.s, &x, &y)
        for i in range(actions.shape[0]):
            out[i] = -1 if actions[i] < 0 else number_of(&self.w, actions[i], x, y)


def observation(State state not None, Window window not None, u8[:, :, ::1] planes not None):
    """Fill the planes of a position (observe.pyx): uint8 (planes, size, size)."""
    cdef int x, y
    if window.game is not state.game or not suits(window, state.s, planes.shape[0], planes.shape[1], planes.shape[2]):
        raise BastideError("the array or the action index does not suit the position")
    window_middle(&window.w, state.s, &x, &y)
    observe(state.s, window.w.size, x, y, &planes[0, 0, 0])


def scalars(State state not None, float[::1] out not None):
    """Fill the scalars of a position: float32 (n,)."""
    if out.shape[0] != n_scalars(state.s):
        raise BastideError("the array does not suit the position")
    observe_scalars(state.s, &out[0])


cdef bint suits(Window window, const state_t* s, Py_ssize_t planes, Py_ssize_t rows, Py_ssize_t columns):
    return planes == n_planes(s) and rows == window.w.size and columns == rows


def observation_sizes(State state not None):
    """Return how many planes and scalars an observation has in the state's game."""
    return n_planes(state.s), n_scalars(state.s)
