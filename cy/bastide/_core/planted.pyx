"""Deliberate mistakes, to show that the debug build catches them. For the tests only.

Built with BASTIDE_DEBUG=1 each function does what its name says, and the process must die with a sanitizer's report.
In any other build each raises BastideError before it does anything.
"""

from bastide._core.state cimport state_free, state_new, state_t
from bastide._core.tiles cimport fill, game_t, release
from bastide._core.types cimport MAX_CLOSED, u32, u64

from bastide.errors import BastideError

cdef extern from *:
    """
    #ifdef BASTIDE_DEBUG
    #include <malloc.h>
    #define BS_PLANTED 1
    #define BS_USABLE(p) malloc_usable_size(p)     /* AddressSanitizer's tells exactly what was asked for */
    #else
    #define BS_PLANTED 0
    #define BS_USABLE(p) 0
    #endif
    """
    bint PLANTED "BS_PLANTED"
    size_t usable "BS_USABLE"(void* p) noexcept nogil

DEBUG = bool(PLANTED)         # whether this is the debug build


def overrun_section(dict tables not None, int section):
    """Write behind the end of a section of a new state; `section` is one of 0 .. n_sections() - 1."""
    cdef game_t g
    cdef state_t* s = new_state(&g, tables)
    cdef char* first = <char*>sections(s)[section]
    first[usable(first)] = 1
    drop(s, &g)


def n_sections(dict tables not None):
    """Return how many sections a state has."""
    cdef game_t g
    cdef state_t* s = new_state(&g, tables)
    cdef int n = <int>(<void**>&s.log - sections(s))
    drop(s, &g)
    return n


def overrun_array(dict tables not None, u32 more):
    """Write `more` elements behind the end of a fixed array inside a new state."""
    cdef game_t g
    cdef state_t* s = new_state(&g, tables)
    s.h.closed[MAX_CLOSED + more] = 1
    drop(s, &g)


def read_freed(dict tables not None):
    """Read a state that is freed."""
    cdef game_t g
    cdef state_t* s = new_state(&g, tables)
    drop(s, &g)
    return s.h.turn


def read_misaligned(dict tables not None, u32 by):
    """Read a 64-bit word of a new state at an address that is off by `by` bytes."""
    cdef game_t g
    cdef state_t* s = new_state(&g, tables)
    cdef u64 word = (<u64*>(<char*>s.total + by))[0]
    drop(s, &g)
    return word


def overflow(int a, int b):
    """Add two ints whose sum is none."""
    refuse()
    return a + b


def shift(int a, int by):
    """Shift an int by more bits than it has."""
    refuse()
    return a << by


def divide(int a, int b):
    """Divide an int by zero."""
    refuse()
    return a // b


cdef int refuse() except -1:
    if not PLANTED:
        raise BastideError("deliberate mistakes are made only in the debug build (BASTIDE_DEBUG=1)")
    return 0


cdef state_t* new_state(game_t* g, dict tables) except NULL:
    cdef state_t* s
    refuse()
    fill(g, tables)
    s = state_new(g)
    if s == NULL:
        release(g)
        raise MemoryError("no memory for a state")
    return s


cdef void** sections(state_t* s) noexcept nogil:
    """Return where the pointers to the sections stand: they follow each other from `cells` up to `log`."""
    return <void**>&s.cells


cdef void drop(state_t* s, game_t* g) noexcept nogil:
    state_free(s)
    release(g)
