"""Random numbers: a 128-bit multiplicative generator (Lehmer) of which the high word is given.

Multiplier 0xda942042e4dd58b5 and its statistical tests: Steele and Vigna, "Computationally easy, spectrally good
multipliers for congruential pseudorandom number generators", 2021. Two words of state leave registers to the playout
loop; xoshiro256++ in its place cost 6 % of a game's instructions.

A stream is a function of (seed, stream number) alone: its 127 free bits come from splitmix64 started at a mix of both,
so streams of one seed do not meet in practice (period 2^126). The numbers that a (seed, stream) gives, and with them
every playout, stay the same while `RANDOM_VERSION` does; a change of it is a new minor version at least.
"""

from bastide._core.types cimport u32, u64

cdef extern from *:
    """
    #include <stdint.h>
    #define BS_MULTIPLIER 0xda942042e4dd58b5ULL
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline uint64_t bs_mulhi(uint64_t a, uint64_t b, uint64_t *lo) {
        uint64_t hi; *lo = _umul128(a, b, &hi); return hi;
    }
    #define BS_LIKELY(x) (x)
    #define BS_UNLIKELY(x) (x)
    #else
    static inline uint64_t bs_mulhi(uint64_t a, uint64_t b, uint64_t *lo) {
        __uint128_t m = (__uint128_t)a * b; *lo = (uint64_t)m; return (uint64_t)(m >> 64);
    }
    #define BS_LIKELY(x) __builtin_expect(!!(x), 1)
    #define BS_UNLIKELY(x) __builtin_expect(!!(x), 0)
    #endif
    """
    u64 mulhi "bs_mulhi" (u64 a, u64 b, u64* lo) noexcept nogil
    u64 MULTIPLIER "BS_MULTIPLIER"
    bint likely "BS_LIKELY" (bint x) noexcept nogil
    bint unlikely "BS_UNLIKELY" (bint x) noexcept nogil

cdef enum:
    RANDOM_VERSION = 1

cdef struct rng_t:
    u64 high
    u64 low                   # odd


cdef inline u64 splitmix(u64* x) noexcept nogil:
    x[0] += <u64>0x9E3779B97F4A7C15
    cdef u64 z = x[0]
    z = (z ^ z >> 30) * <u64>0xBF58476D1CE4E5B9
    z = (z ^ z >> 27) * <u64>0x94D049BB133111EB
    return z ^ z >> 31


cdef inline void seed_rng(rng_t* r, u64 seed, u64 stream) noexcept nogil:
    cdef u64 a = seed
    cdef u64 b = stream ^ <u64>0x6A09E667F3BCC909
    cdef u64 x = splitmix(&a)
    x = x * <u64>0xD1342543DE82EF95 + splitmix(&b)
    r.high = splitmix(&x)
    r.low = splitmix(&x) | 1


cdef inline u64 next_u64(rng_t* r) noexcept nogil:
    cdef u64 low
    cdef u64 high = mulhi(r.low, MULTIPLIER, &low)
    r.high = r.high * MULTIPLIER + high
    r.low = low
    return r.high


cdef inline u64 below(rng_t* r, u64 n) noexcept nogil:
    """Draw a number of 0..n-1, each exactly equally likely (Lemire's multiplication with rejection); n > 0."""
    cdef u64 lo
    cdef u64 hi = mulhi(next_u64(r), n, &lo)
    if unlikely(lo < n):
        while lo < (0 - n) % n:
            hi = mulhi(next_u64(r), n, &lo)
    return hi


cdef inline u32 choose(rng_t* r, u32 n) noexcept nogil:
    """Draw a number of 0..n-1; uneven by at most n * 2^-64."""
    cdef u64 lo
    return <u32>mulhi(next_u64(r), n, &lo)


cdef inline double uniform(rng_t* r) noexcept nogil:
    """Draw a number of [0, 1) with 53 bits."""
    return <double>(next_u64(r) >> 11) * (1.0 / 9007199254740992.0)
