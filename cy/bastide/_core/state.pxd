"""The state of a game: a fixed head and flat sections sized by the game's tables. See cy/README.md for the layout.

Sections grow at their end only, so what is in use is a prefix of each, and a copy moves only that. The grid is the one
section that may move (its layout grows with the board). faults.pyx holds the invariants as code.
"""

from bastide._core.geometry cimport layout_t
from bastide._core.tiles cimport game_t
from bastide._core.types cimport (
    MAX_CLOSED, MAX_FIGURES, MAX_PLAYERS, N_COLOURS, N_FIGURE_KINDS, N_SOURCES, int16_t, int32_t, int64_t, node_t, place_t, total_t,
    u8, u16, u32, u64,
)

cdef enum:                    # a grid cell, 16 bits
    CELL_TAKEN = 0x8000       # a tile lies here: bits 0-9 are its number
    CELL_TILE = 0x03FF
    CELL_DEMAND = 0x00FF      # no tile: what its neighbours show towards it, 2 bits an edge (NOTHING FIELD ROAD CITY)
    CELL_CLOSED = 0x0100      # no tile: never in the frontier (the river's open end)
    CELL_KNOWN = 0x01FF       # demand or closed: not to be appended to the frontier (again)
    CELL_NEAR = 0x0400        # taken or not: a figure stands or stood on a monastery or garden at most one cell away

cdef enum:                    # figure_t.place
    ON_SEGMENT = 0
    ON_TOWER = 1
    ON_CASTLE = 2
    ON_BARN = 3

cdef struct tile_t:           # a placed tile, by its number (the order of placing)
    u64 edge[4]               # its edge words (tiles.pxd), segments as nodes
    place_t at                # its cell
    u32 rec                   # type * 4 + rotation
    node_t base               # its first segment's node
    u16 spare

cdef struct figure_t:         # a deployed figure
    node_t node               # the segment it stands on (tower: the tile's first; castle: castle_t.node; barn: the field)
    u16 tile                  # the tile it stands on
    u8 owner
    u8 kind                   # MEEPLE or ABBOT; a maiden is a meeple on a castle
    u8 place                  # ON_*
    u8 spare

cdef struct event_t:          # points that one player got at once
    int32_t points
    u8 player
    u8 source                 # SOURCE_*
    node_t node               # a segment of the scored feature, NONE if it is none
    u16 first_figure          # into log_t.figure
    u16 n_figures

cdef enum:
    MAX_EVENTS = 160          # every event has a figure behind it, twice at most (watchtower and feature), and few have none
    MAX_EVENT_FIGURES = 160

cdef struct log_t:            # what a draw or action scored, for people; or sums per source, for statistics
    int64_t sum[MAX_PLAYERS][N_SOURCES]
    int64_t n_captures
    u32 n_events
    u32 n_figures
    bint keeps_events
    event_t event[MAX_EVENTS]
    figure_t figure[MAX_EVENT_FIGURES]

cdef struct head_t:
    u64 key                   # of tiles and figures on the board: the sum of their words
    int32_t score[MAX_PLAYERS]
    u8 supply[MAX_PLAYERS][N_FIGURE_KINDS]
    u8 phase                  # PHASE_*
    u8 turn_player            # whose turn it is
    u8 player                 # who decides now
    u8 n_figures
    u8 n_closed               # entries of closed
    u8 pile                   # PILE_*: where the next tile comes from
    u16 turn                  # turns finished
    u16 discards              # tiles that left the game unplaced
    u16 drawn                 # type in hand (phases GROW and PLACE), else NONE
    u16 n_tiles
    u16 n_nodes
    u16 n_front
    u16 n_cities              # closed cities
    u16 n_deck                # tiles left in the deck
    u16 n_river               # tiles left of the river, the lake aside
    u8 n_lake
    u8 owes_tower             # a tower tile is to be drawn, from the deck if that pile is empty (H6)
    u16 n_tower_pile          # tiles left there
    u8 river_is_open          # the last river tile leads on to river_cell
    u8 river_edge             # the edge of the last river tile where it does
    u8 river_bend             # how that tile turned (river.pyx)
    place_t river_cell
    node_t closed[MAX_CLOSED] # features that the tile just placed closed
    u8 closed_kind[MAX_CLOSED]
    int16_t x0                # bounding box of the tiles; x0 > x1: not kept up (the end of a playout)
    int16_t x1
    int16_t y0
    int16_t y1
    figure_t figure[MAX_FIGURES]

cdef struct tower_t:          # a tower foundation on the board
    u64 black                 # a bit a floor from the ground, set if it is black; white can only be the top
    u16 tile
    u8 height                 # floors
    u8 top                    # colour of the newest floor
    u8 has_figure             # a figure stands on it
    u8 spare[3]

cdef struct towers_t:         # what The Tower and Black Tower, or Towers & Thieves keep
    u8 prisoners[MAX_PLAYERS][MAX_PLAYERS][N_FIGURE_KINDS]    # by holder, owner, kind
    u8 floors[MAX_PLAYERS][N_COLOURS]                         # in hand
    u8 has_ransomed           # this turn
    u8 captured_owner         # phase EXCHANGE: of the follower just captured
    u8 captured_kind
    u8 spare
    u16 pool                  # Towers & Thieves: floors in the shared supply
    u16 stolen                # type of the stolen tile, or NONE
    u16 n_stolen              # tiles stolen so far
    u16 grow_from             # phase GROW: towers from here on can be chosen
    u16 floor                 # phases CAPTURE, EXCHANGE: the tower that got a floor this turn
    u16 n_open                # The Tower: foundations that take a floor or a follower
    u16 n_tall                # those of them that have a floor
    u16 n                     # foundations on the board
    tower_t tower[1]          # [max_towers], in the order of placing

cdef enum:                    # buildings_t.built
    BUILT_NOTHING = 0
    BUILT_BRIDGE = 1
    BUILT_CASTLE = 2
    BUILT_BARN = 3

cdef struct castle_t:         # a city of two tiles turned castle
    node_t node               # its segment on the cell that comes first by (y, x)
    u16 tile                  # that cell's tile
    u16 other_tile
    u8 is_new                 # built this turn
    u8 has_maiden

cdef struct buildings_t:      # what Bridges & Castles keeps
    u16 bridges               # in the shared supply
    u16 castles
    u16 barns
    u8 built                  # this turn: BUILT_*
    u8 spare
    u16 n                     # castles on the board
    castle_t castle[1]        # [g.castles], in the order of building

cdef struct state_t:
    const game_t* g
    const layout_t* lay       # into g
    u16* cells                # [lay.n] the grid
    place_t* front            # [2 * max_tiles + 4] empty cells beside tiles, in no order
    node_t* label             # [max_nodes + 16] a node's feature, named by one of its nodes
    total_t* total            # [max_nodes + 16] by label: the feature's sums
    tile_t* tile              # [max_tiles + 1]
    node_t* city              # [max_cities + 4] a node of each closed city
    u16* left                 # [n_types] how many of each type can still be drawn
    towers_t* towers          # with a tower box only, else not to be touched
    buildings_t* buildings    # with Bridges & Castles only, else not to be touched
    u64* scratch              # [2 * max_nodes + 32] for final scoring; never copied
    log_t* log                # NULL: nobody wants to know
    u32 n_cells               # allocated
    void* block               # what to free
    head_t h

cdef state_t* state_new(const game_t* g) noexcept nogil
cdef void state_free(state_t* s) noexcept nogil
cdef int state_copy(state_t* dst, const state_t* src) noexcept nogil
cdef void state_clear(state_t* s) noexcept nogil
cdef int state_room(state_t* s) noexcept nogil
cdef size_t state_bytes(const state_t* s) noexcept nogil
cdef size_t state_bytes_used(const state_t* s) noexcept nogil
cdef size_t buildings_bytes(const state_t* s) noexcept nogil
cdef size_t towers_bytes(const state_t* s) noexcept nogil
cdef u64 state_key(const state_t* s) noexcept nogil
cdef u32 find_slot(const state_t* s, u32 xy) noexcept nogil


cdef inline u64 mix(u64 x) noexcept nogil:
    x = (x ^ x >> 32) * <u64>0xD6E8FEB86659FD93
    x = (x ^ x >> 32) * <u64>0xD6E8FEB86659FD93
    return x ^ x >> 32


cdef inline u64 tile_word(const state_t* s, place_t at, u32 rec) noexcept nogil:
    """Return the key's word for a tile (type and distinct rotation) at a cell."""
    return mix(s.g.type[rec >> 2].hash + (rec & 3) + (at >> 32) * <u64>0x9E3779B97F4A7C15)


cdef inline u32 spot_under(const state_t* s, const figure_t* f) noexcept nogil:
    """Return the spot code of the segment that a figure stands on (not of one on a tower)."""
    cdef const tile_t* t = &s.tile[f.tile]
    return s.g.type[t.rec >> 2].spot[t.rec & 3][f.node - t.base]


cdef inline u32 terrain_under(const state_t* s, const figure_t* f) noexcept nogil:
    """Return what the segment is that a figure stands on (not of one on a tower)."""
    cdef const tile_t* t = &s.tile[f.tile]
    return s.g.type[t.rec >> 2].kind[f.node - t.base]


cdef inline u64 figure_word(const state_t* s, const figure_t* f) noexcept nogil:
    """Return the key's word for a figure: owner, kind, cell and spot."""
    cdef const tile_t* t = &s.tile[f.tile]
    cdef u32 spot = 128 + f.place
    if f.place == ON_SEGMENT or f.place == ON_CASTLE:
        spot = spot_under(s, f) + (32 if f.place == ON_CASTLE else 0)
    return mix((t.at >> 32 << 16 | <u64>spot << 8 | <u64>f.kind << 4 | f.owner) * <u64>0xC2B2AE3D27D4EB4F)


cdef inline void award(state_t* s, u32 player, int points, u32 source, u32 node) noexcept nogil:
    """Give points to a player, and write it down if somebody wants to know."""
    s.h.score[player] += points
    if s.log != NULL and points:
        note_award(s, player, points, source, node)


cdef void note_award(state_t* s, u32 player, int points, u32 source, u32 node) noexcept nogil
