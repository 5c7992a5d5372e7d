"""Integer types, limits and enumerations that every core module shares. No code, no state."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint8_t u8
ctypedef uint16_t u16
ctypedef uint32_t u32
ctypedef uint64_t u64
ctypedef uint16_t node_t      # a segment on the board: 0 .. n_nodes-1, in the order tiles were placed
ctypedef uint64_t place_t     # a cell with its coordinates, see geometry.pxd
ctypedef uint64_t total_t     # a feature's packed sums, see features.pxd
ctypedef int64_t action_t     # see actions.pxd

cdef enum:
    MAX_PLAYERS = 6
    MAX_TILES = 1000          # placed tiles, start tile included; a cell holds 10 bits of tile number
    MAX_FIGURES = 48          # 6 players x (7 meeples + 1 abbot)
    MAX_CLOSED = 6            # room for the features that one tile can close: one an edge, and slack
    N_FIGURE_KINDS = 2        # kinds with a supply: meeple, abbot
    NONE = 0xFFFF             # no node, no tile, no type

cdef enum:                    # what an edge shows, and what a segment is
    NOTHING = 0
    FIELD = 1
    ROAD = 2
    CITY = 3
    RIVER = 4                 # edges only
    MONASTERY = 5             # segments only
    GARDEN = 6                # segments only

cdef enum:                    # figure kinds
    MEEPLE = 0
    ABBOT = 1
    MAIDEN = 2                # a meeple on a castle; in actions only

cdef enum:                    # colours of tower floors
    NORMAL = 0
    BLACK = 1
    WHITE = 2
    N_COLOURS = 3

cdef enum:                    # phases, in the order of a turn
    PHASE_DRAW = 0            # chance
    PHASE_GROW = 1
    PHASE_PLACE = 2
    PHASE_BUILD = 3
    PHASE_FIGURE = 4
    PHASE_CAPTURE = 5
    PHASE_EXCHANGE = 6
    PHASE_END = 7

cdef enum:                    # piles a tile type can belong to
    PILE_DECK = 0
    PILE_RIVER = 1
    PILE_TOWER = 2

cdef enum:                    # sources of points
    SOURCE_ROAD = 0
    SOURCE_CITY = 1
    SOURCE_MONASTERY = 2
    SOURCE_GARDEN = 3
    SOURCE_FIELD = 4
    SOURCE_WATCHTOWER = 5
    SOURCE_RANSOM = 6
    SOURCE_MAIDEN = 7
    SOURCE_BARN = 8
    SOURCE_WATCHMAN = 9
    SOURCE_THIEF = 10
    N_SOURCES = 11

cdef enum:                    # what else is counted over many games
    COUNT_CAPTURES = 0
    COUNT_BRIDGES = 1
    COUNT_CASTLES = 2
    COUNT_BARNS = 3
    N_COUNTS = 4
