"""Another package that cimports the installed core: .ci/run builds it against the wheel."""

from libc.stddef cimport size_t

from bastide._core.rng cimport below, rng_t, seed_rng
from bastide._core.state cimport state_t
from bastide._core.turn cimport turn_start
from bastide._core.types cimport MAX_PLAYERS

import bastide as bs


def check():
    cdef rng_t r
    cdef size_t size = sizeof(state_t)
    seed_rng(&r, 7, 0)
    rng = bs.Rng(7)
    for n in range(1, 1000):
        assert below(&r, n) == rng.below(n)
    assert size > MAX_PLAYERS
    assert <void*>turn_start != NULL
    print("a module that cimports the core builds and agrees with it")
