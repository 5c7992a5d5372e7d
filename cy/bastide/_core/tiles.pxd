"""The tables of one game: what every tile type looks like in every rotation, what fits where, and the options.

Filled once from Python (tiles.pyx, `fill`), constant afterwards, shared by all states and threads.
A *type* is a row of these tables; a tile with a bridge (G2) is a type of its own, which is never drawn.
"""

from bastide._core.geometry cimport N_LAYOUTS, layout_t
from bastide._core.types cimport NONE, total_t, u8, u16, u32, u64

cdef enum:
    MAX_TYPE_SEGMENTS = 16    # room in the tables: MAX_SEGMENTS_PER_TILE of bastide.tilefile, and a bridge
    MAX_CONTACTS = 16         # field-city pairs of a type
    LEFT = 16                 # shifts in an edge word
    RIGHT = 32
    TERRAIN = 48

cdef struct rec_t:            # one (type, rotation): a cache line
    u64 edge[4]               # an edge word each: segment (16 bits), left field, right field, terrain (TERRAIN)
    u32 demand                # a byte an edge: what the neighbour there will have to show, in its demand bits
    u8 n_segments
    u8 is_multi               # has several cities or several roads (B7: a tile counts once)
    u8 monastery              # the segment of its monastery or garden, or 255
    u8 bridge                 # 0 none, 1 NS, 2 EW
    u8 corner[4]              # the field segment that fills a corner (NW NE SE SW) alone (G11), or 255
    u8 spare[20]

cdef struct type_t:
    total_t total[MAX_TYPE_SEGMENTS]      # start values of the segments' features
    u8 kind[MAX_TYPE_SEGMENTS]            # terrain of each segment
    u8 contact[MAX_CONTACTS][2]           # (field, city) segments that touch on the tile; city 0, field 0 where unused
    u8 spot[4][MAX_TYPE_SEGMENTS]         # a segment's spot code, by rotation
    u8 same[4]                            # rotation -> the smallest that gives the same tile (B4)
    u8 pennants                           # printed on the tile, all its cities
    u8 has                                # HAS_* bits
    u16 meeple_may                        # segments, a bit each, on which a meeple may stand (B6, B12, B13)
    u16 abbot_may
    u8 n_segments
    u8 max_fits                           # the most rotations that fit any demand
    u8 max_ways                           # the same, bridges included
    u8 is_foundation
    u8 thief                              # value, 0 none
    u8 watchtower                         # 0 none, else subject 1-5 = meeple pennant road monastery city
    u8 watchtower_points
    u8 river_role                         # 0 none, 1 river tile, 2 spring, 3 lake
    u8 river_on[4][4]                     # by the edge the river comes from and its last bend (river.pyx): rotations
    u8 pile
    u16 bridged[2]                        # the type with a bridge NS, EW (as printed), or NONE
    u16 plain                             # the type without a bridge: itself where it has none
    u8 bridge_segment                     # of a type with a bridge: its segment, else 255
    u64 hash                              # a random word of the type for the position key

cdef struct game_t:
    # players and options
    u32 n_players
    u32 boxes                             # bits BOX_*
    u32 n_abbots                          # abbots a player: 0 or 1
    u8 farmers
    u8 small_city_points
    u8 tower_cross                        # option tower_gaps = cross (T5)
    u8 tower_diagonal                     # house rules (T11)
    u8 no_surprise
    u8 eye_for_an_eye
    u8 floors[3]                          # of each player at the start, by colour (T1, K1)
    u8 replace_own                        # option watchman_replace_own (H4)
    u16 shared_floors                     # at the start (H1)
    u16 bridges                           # in the shared supply at the start (G1)
    u16 castles
    u16 barns
    u8 joins_main                         # terrains, a bit each, across whose edges the main segments join
    u8 joins_sides                        # terrains across whose edges the fields of the halves join
    u8 may_grow                           # so many tiles that the first layout may not do
    u8 first_layout                       # of a new state
    # tiles
    u32 n_types                           # rows of the tables
    u32 n_draw                            # types 0 .. n_draw-1 can be drawn; the rest carry bridges
    u16 start                             # type of the start tile, rotation 0
    u16 n_deck                            # tiles in the deck at the start, all piles but the deck aside
    u16 n_river                           # river tiles without spring and lake
    u16 n_lake                            # 0 or 1
    u16 n_tower_pile
    u16 n_contacts                        # the most of any type
    u32 max_tiles                         # on the board, start tile included
    u32 max_nodes                         # segments on the board
    u32 max_cities                        # city segments on the board
    u32 max_towers                        # foundations on the board
    u32 max_actions                       # an upper bound for any list of legal actions
    rec_t* rec                            # [n_types * 4], by type * 4 + rotation
    type_t* type                          # [n_types]
    u8* fits                              # [n_types * 256]: by demand, a bit a distinct rotation that fits
    u8* ways                              # [n_types * 256]: by demand, in how many ways it fits, bridges included
    u16* river_types                      # [n_river_types]: those of the river, without bridges
    u32 n_river_types
    u16* left                             # [n_types]: how many of each type can be drawn in a game
    # constants
    layout_t layout[N_LAYOUTS]
    u32 open_mask[256]                    # by demand: a byte 255 for each edge without demand
    u16 touched[256]                      # by demand: count (3 bits), then 2 bits for each edge with demand
    u8 nth_rotation[64]                   # by mask * 4 + k: the k-th set bit of a 4-bit mask

cdef enum:                                # type_t.has
    HAS_ROAD = 1
    HAS_CITY = 2
    HAS_MONASTERY = 4                     # no garden

cdef enum:                                # game_t.boxes
    ANY_TOWER = 10                        # BOX_TOWER or BOX_THIEVES
    BOX_RIVER = 1
    BOX_TOWER = 2
    BOX_BLACK_TOWER = 4
    BOX_THIEVES = 8
    BOX_WATCHTOWERS = 16
    BOX_BRIDGES_CASTLES = 32
    BOX_ABBOT = 64                        # not a box of its own, but a bit like them


cdef inline u32 count_bits4(u32 mask) noexcept nogil:
    """Count the set bits of a 4-bit mask."""
    return <u32>(<u64>0x4332322132212110 >> (4 * mask)) & 7


cdef int fill(game_t* g, dict tables) except -1
cdef void release(game_t* g) noexcept nogil
