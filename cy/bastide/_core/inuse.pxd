"""A flag that one user at a time holds, also where threads run without the GIL."""

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    typedef volatile long bs_flag;
    static __inline long bs_add(bs_flag *flag, long n) { return _InterlockedExchangeAdd(flag, n); }
    static __inline int bs_take(bs_flag *flag) { return _InterlockedCompareExchange(flag, 1, 0) == 0; }
    #else
    typedef long bs_flag;
    static inline long bs_add(bs_flag *flag, long n) { return __atomic_fetch_add(flag, n, __ATOMIC_ACQ_REL); }
    static inline int bs_take(bs_flag *flag) {
        long free = 0;
        return __atomic_compare_exchange_n(flag, &free, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    #endif
    """
    ctypedef long flag_t "bs_flag"                                # how many use it; 0: nobody
    long add_users "bs_add" (flag_t* flag, long n) noexcept nogil
    bint take "bs_take" (flag_t* flag) noexcept nogil             # only if nobody uses it
