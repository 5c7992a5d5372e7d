"""A door for tests: deliberate mistakes, to show that the debug build catches them.

Built with BASTIDE_DEBUG=1 each function does what its name says, and the process must die with a sanitizer's report.
In any other build each raises BastideError before it does anything.
"""

from bastide._core.api cimport Tables
from bastide._core.state cimport state_free, state_new, state_t
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


def overrun_section(Tables game not None, int section):
    """Write behind the end of a section of a new state; `section` is one of 0 .. n_sections() - 1."""
    cdef state_t* s = new_state(game)
    cdef char* first = <char*>sections(s)[section]
    first[usable(first)] = 1
    state_free(s)


def n_sections(Tables game not None):
    """Return how many sections a state has."""
    cdef state_t* s = new_state(game)
    cdef int n = <int>(<void**>&s.log - sections(s))
    state_free(s)
    return n


def overrun_array(Tables game not None, u32 more):
    """Write `more` elements behind the end of a fixed array inside a new state."""
    cdef state_t* s = new_state(game)
    s.h.closed[MAX_CLOSED + more] = 1
    state_free(s)


def read_freed(Tables game not None):
    """Read a state that is freed."""
    cdef state_t* s = new_state(game)
    state_free(s)
    return s.h.turn


def read_misaligned(Tables game not None, u32 by):
    """Read a 64-bit word of a new state at an address that is off by `by` bytes."""
    cdef state_t* s = new_state(game)
    cdef u64 word = (<u64*>(<char*>s.total + by))[0]
    state_free(s)
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


cdef state_t* new_state(Tables game) except NULL:
    cdef state_t* s
    refuse()
    s = state_new(&game.g)
    if s == NULL:
        raise MemoryError("no memory for a state")
    return s


cdef void** sections(state_t* s) noexcept nogil:
    """Return where the pointers to the sections stand: they follow each other from `cells` up to `log`."""
    return <void**>&s.cells
