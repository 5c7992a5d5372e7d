"""A state as bytes and back. See snapshot.pyx for the format."""

from bastide._core.state cimport state_t
from bastide._core.types cimport u64

cdef enum:
    SNAPSHOT_VERSION = 1

cdef bytes save(const state_t* s, u64 identity)
cdef int load(state_t* s, const unsigned char* data, size_t length, u64 identity) except -1
