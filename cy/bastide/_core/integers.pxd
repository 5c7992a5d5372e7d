"""Python integers at the door: reading arguments, and making the same results again and again cheaply. With the GIL."""

from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from libc.stdlib cimport calloc, free

from bastide._core.types cimport int64_t, u32, u64

cdef enum:                    # what is wrong with an argument
    IS_INT64 = 0
    TOO_LARGE = 1             # an integer beyond 64 bits
    NO_INTEGER = 2

cdef enum:
    N_KNOWN_BITS = 12

cdef struct known_t:          # an int object that was made before
    int64_t value
    PyObject* number          # owned; NULL: the place is free


cdef inline object integer(object value):
    """Return the int that a value stands for (`operator.index`; a bool is none), or None."""
    if PyLong_CheckExact(value):
        return value
    if isinstance(value, bool):
        return None
    try:
        return PyNumber_Index(value)
    except TypeError:
        return None


cdef inline int64_t int64_of(object value, int* wrong) except? -1:
    """Return an integer argument; `wrong` says what it is not. Errors of the value's own `__index__` pass through."""
    cdef int overflow = 0
    cdef int64_t number
    if not PyLong_CheckExact(value):
        value = integer(value)
        if value is None:
            wrong[0] = NO_INTEGER
            return 0
    number = PyLong_AsLongLongAndOverflow(value, &overflow)
    wrong[0] = TOO_LARGE if overflow else IS_INT64
    return number


cdef inline PyObject* new_number(known_t* known, int64_t value) except NULL:
    """Return a new reference to an int: one made before, if it was not displaced. `known` may be NULL."""
    cdef known_t* k
    cdef object number
    if known == NULL:
        number = value
        Py_INCREF(number)
        return <PyObject*>number
    k = known + (<u64>value * <u64>0x9E3779B97F4A7C15 >> (64 - N_KNOWN_BITS))
    if k.number == NULL or k.value != value:
        number = value
        Py_INCREF(number)
        Py_XDECREF(k.number)
        k.value, k.number = value, <PyObject*>number
    Py_INCREF(<object>k.number)
    return k.number


cdef inline known_t* known_new() noexcept:
    """Return room for numbers, or NULL."""
    return <known_t*>calloc(1 << N_KNOWN_BITS, sizeof(known_t))


cdef inline void known_free(known_t* known) noexcept:
    cdef u32 i
    if known != NULL:
        for i in range(1 << N_KNOWN_BITS):
            Py_XDECREF(known[i].number)
    free(known)
