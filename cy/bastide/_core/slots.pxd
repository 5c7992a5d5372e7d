"""Games stepped together: what a batch holds for each of its slots, and a range of slots done without the GIL."""

from bastide._core.rng cimport rng_t
from bastide._core.state cimport state_t
from bastide._core.tiles cimport game_t
from bastide._core.types cimport action_t, int32_t, int64_t, u8, u32, u64
from bastide._core.window cimport window_t

cdef enum:                    # what the entries of a step are
    BY_ACTION = 0
    BY_CHOICE = 1             # k: the k-th of the slot's legal actions
    BY_NUMBER = 2             # the action's number in the window

cdef enum:                    # how a range ended; otherwise the number of the first wrong slot
    ALL_DONE = -1
    NO_MEMORY = -2

cdef struct lists_t:          # legal actions of a range of slots, one list after another
    action_t* action
    size_t n
    size_t room

cdef struct slots_t:
    const game_t* g
    u32 n
    u32 n_players
    u64 seed
    u64 first                 # number of slot 0: episode k of slot i has the stream k << 32 | first + i
    bint draws_inside
    bint resets               # a finished game is followed by the slot's next episode
    window_t window
    state_t** state           # [n]
    rng_t* rng                # [n]
    u64* episode              # [n]
    int64_t* todo             # [n] the actions or draws of this step once they are checked; -1: none
    u32* n_legal              # [n] length of each list, as last listed
    size_t* at                # [n] where in its range's lists_t a list begins
    u8* ended                 # [n] the game is over, with `resets`: the last step ended an episode
    int32_t* score            # [n][n_players] after the last step, before an automatic reset
    int32_t* before           # [n][n_players] before it

cdef int slots_new(slots_t* b) noexcept nogil
cdef void slots_free(slots_t* b) noexcept nogil
cdef int slots_reset(slots_t* b, u32 i) noexcept nogil
cdef int slots_put(slots_t* b, u32 i, const state_t* s) noexcept nogil
cdef int64_t slots_list(slots_t* b, u32 lo, u32 hi, lists_t* lists) noexcept nogil
cdef int64_t slots_check(slots_t* b, u32 lo, u32 hi, const u8* where, int by, const lists_t* lists,
                         action_t* work) noexcept nogil
cdef int64_t slots_apply(slots_t* b, u32 lo, u32 hi, const u8* where, lists_t* lists) noexcept nogil
cdef int64_t slots_check_draws(slots_t* b, u32 lo, u32 hi) noexcept nogil
cdef int64_t slots_draw(slots_t* b, u32 lo, u32 hi) noexcept nogil
cdef void slots_masks(slots_t* b, u32 lo, u32 hi, const lists_t* lists, u8* bits, size_t row,
                      int32_t* outside) noexcept nogil
