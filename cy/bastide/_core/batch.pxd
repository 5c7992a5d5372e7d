"""Many playouts at once, without the GIL. See batch.pyx."""

from bastide._core.state cimport state_t
from bastide._core.tiles cimport game_t
from bastide._core.types cimport N_COUNTS, N_SOURCES, MAX_PLAYERS, int32_t, int64_t, u64

cdef struct batch_t:          # one range of games, and where its results go (rows of the whole run)
    const game_t* g
    const state_t* start      # the position to play from, NULL: new games
    u64 seed
    u64 first                 # number of the first game = its stream
    u64 n
    int32_t* scores           # [n][n_players]
    int32_t* turns            # [n], or NULL: no statistics
    int32_t* discards         # [n]
    int64_t sum[MAX_PLAYERS][N_SOURCES]
    int64_t count[N_COUNTS]

cdef int play_batch(batch_t* b) noexcept nogil
