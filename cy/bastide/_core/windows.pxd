"""What other doors may use of a window. See windows.pyx."""

from bastide._core.api cimport Tables
from bastide._core.state cimport state_t
from bastide._core.window cimport window_t


cdef class Window:
    cdef window_t w
    cdef readonly Tables game


cdef bint suits(Window window, const state_t* s, Py_ssize_t planes, Py_ssize_t rows, Py_ssize_t columns)
