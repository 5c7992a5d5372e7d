"""A position as numbers for a neural net: planes over a window of cells, and scalars. See observe.pyx."""

from bastide._core.state cimport state_t
from bastide._core.types cimport u8, u32

cdef enum:                    # planes, in their order; those of a player come once a player, own first
    PLANE_TILE = 0            # a tile lies here
    PLANE_FRONTIER = 1        # an empty cell beside a tile
    PLANE_LAST = 2            # the tile just placed, until its turn is over
    PLANE_EDGE = 3            # + 4 * (terrain - FIELD) + edge: field, road, city, river
    PLANE_JOINED = 19         # + pair: the roads or cities at two edges are one feature; NE NS NW ES EW SW
    PLANE_OPEN = 25           # + edge: open edges of the road or city there
    PLANE_POINTS = 29         # + edge: what it would pay now
    PLANE_PENNANTS = 33
    PLANE_MONASTERY = 34
    PLANE_GARDEN = 35
    PLANE_WATCHTOWER = 36     # 1-5 = it pays by meeple, pennant, road, monastery, city
    PLANE_WATCHTOWER_POINTS = 37
    PLANE_FOUNDATION = 38
    PLANE_FLOORS = 39
    PLANE_BLACK_TOP = 40
    PLANE_WHITE_TOP = 41
    PLANE_BRIDGE = 42         # 1 north to south, 2 west to east
    PLANE_CASTLE = 43         # a part of a castle
    N_PLANES = 44
    PLAYER_ROAD_CITY = 0      # + edge: figures on the road or city there
    PLAYER_FIELD = 4          # + half-edge: figures on the field there
    PLAYER_MEEPLE = 12        # figures that stand on this tile: on segments,
    PLAYER_ABBOT = 13
    PLAYER_MONASTERY = 14     # of either kind on a monastery or garden,
    PLAYER_TOWER = 15
    PLAYER_MAIDEN = 16
    PLAYER_BARN = 17
    N_PLAYER_PLANES = 18

cdef enum:                    # scalars
    SCALARS_OF_PLAYER = 6     # score, meeples, abbots, floors by colour; then prisoners by owner and kind
    SCALARS_OF_GAME = 15      # 8 phases, turn, tiles left, whose turn, shared floors, bridges, castles, barns

cdef u32 n_planes(const state_t* s) noexcept nogil
cdef u32 n_scalars(const state_t* s) noexcept nogil
cdef void observe(const state_t* s, int size, int middle_x, int middle_y, u8* out) noexcept nogil
cdef void observe_scalars(const state_t* s, float* out) noexcept nogil
