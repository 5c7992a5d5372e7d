"""Filling feature planes and scalars. What they are stands in docs/search.md and observe.pxd.

Players are counted from the one who decides: 0 is the own seat, 1 the next in order of play. Numbers above 255 are 255.
"""

from libc.string cimport memset

from bastide._core.features cimport CASTLE, OPEN_MASK, figures_of
from bastide._core.geometry cimport x_of, y_of
from bastide._core.scoring cimport feature_points
from bastide._core.state cimport ON_BARN, ON_CASTLE, ON_TOWER, figure_t, state_t, terrain_under, tile_t
from bastide._core.tiles cimport ANY_TOWER, BOX_BRIDGES_CASTLES, BOX_THIEVES, BOX_TOWER, LEFT, RIGHT, TERRAIN, type_t
from bastide._core.types cimport (
    ABBOT, BLACK, CITY, FIELD, GARDEN, MONASTERY, NONE, NORMAL, N_COLOURS, N_FIGURE_KINDS, PHASE_END, PHASE_PLACE,
    ROAD, WHITE, place_t, u8, u32,
)

cdef struct view_t:
    const state_t* s
    u8* out
    int size
    int x                     # of the window's north-west cell
    int y


cdef u32 n_planes(const state_t* s) noexcept nogil:
    return N_PLANES + N_PLAYER_PLANES * s.g.n_players


cdef u32 n_scalars(const state_t* s) noexcept nogil:
    cdef u32 n = s.g.n_players
    return n * (SCALARS_OF_PLAYER + N_FIGURE_KINDS * n) + SCALARS_OF_GAME + 3 * s.g.n_draw


cdef inline u32 seat_of(const state_t* s, u32 player) noexcept nogil:
    """Return a player's number counted from the one who decides."""
    return (player + s.g.n_players - s.h.player) % s.g.n_players


cdef inline u8* cell_at(const view_t* v, place_t at) noexcept nogil:
    """Return where a cell stands in the first plane; NULL outside the window."""
    cdef int column = x_of(at) - v.x
    cdef int row = y_of(at) - v.y
    if column < 0 or row < 0 or column >= v.size or row >= v.size:
        return NULL
    return v.out + row * v.size + column


cdef inline void put(const view_t* v, u8* cell, u32 plane, u32 number) noexcept nogil:
    if cell != NULL:
        cell[plane * v.size * v.size] = <u8>min(number, <u32>255)


cdef inline void put_at(const view_t* v, place_t at, u32 plane) noexcept nogil:
    cdef u8* cell = cell_at(v, at)
    put(v, cell, plane, 1)


cdef inline void add_one(const view_t* v, u8* cell, u32 plane) noexcept nogil:
    if cell != NULL:
        cell[plane * v.size * v.size] += 1


cdef void observe(const state_t* s, int size, int middle_x, int middle_y, u8* out) noexcept nogil:
    """Fill the planes, out: [n_planes][size][size], row 0 in the north, column 0 in the west."""
    cdef view_t v
    cdef u8* cell
    cdef u32 i
    cdef u8 top
    v.s, v.out, v.size, v.x, v.y = s, out, size, middle_x - size // 2, middle_y - size // 2
    memset(out, 0, <size_t>n_planes(s) * size * size)
    for i in range(s.h.n_front):
        put_at(&v, s.front[i], PLANE_FRONTIER)
    if s.h.river_is_open:
        put_at(&v, s.h.river_cell, PLANE_FRONTIER)
    for i in range(s.h.n_tiles):
        cell = cell_at(&v, s.tile[i].at)
        if cell != NULL:
            observe_tile(&v, &s.tile[i], cell)
    if s.h.phase > PHASE_PLACE and s.h.phase != PHASE_END:
        put_at(&v, s.tile[s.h.n_tiles - 1].at, PLANE_LAST)
    for i in range(s.h.n_figures):
        observe_figure(&v, &s.h.figure[i])
    if s.g.boxes & ANY_TOWER:
        for i in range(s.towers.n):
            cell = cell_at(&v, s.tile[s.towers.tower[i].tile].at)
            put(&v, cell, PLANE_FOUNDATION, 1)
            put(&v, cell, PLANE_FLOORS, s.towers.tower[i].height)
            top = s.towers.tower[i].top if s.towers.tower[i].height else <u8>NORMAL
            put(&v, cell, PLANE_BLACK_TOP, top == BLACK)
            put(&v, cell, PLANE_WHITE_TOP, top == WHITE)
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        for i in range(s.buildings.n):
            put_at(&v, s.tile[s.buildings.castle[i].tile].at, PLANE_CASTLE)
            put_at(&v, s.tile[s.buildings.castle[i].other_tile].at, PLANE_CASTLE)


cdef void observe_tile(const view_t* v, const tile_t* t, u8* cell) noexcept nogil:
    """Fill what is printed on a tile, and what is known of the features at its edges."""
    cdef const state_t* s = v.s
    cdef const type_t* K = &s.g.type[t.rec >> 2]
    cdef u32[4] label                                  # of the road or city at an edge, else NONE
    cdef u32 pair = 0
    cdef u32 e, k, terrain, plane
    put(v, cell, PLANE_TILE, 1)
    for e in range(4):
        terrain = <u32>(t.edge[e] >> TERRAIN)
        put(v, cell, PLANE_EDGE + 4 * (terrain - FIELD) + e, 1)
        label[e] = NONE
        if terrain == ROAD or terrain == CITY:
            label[e] = s.label[t.edge[e] & 0xFFFF]
            observe_feature(v, cell, e, label[e], terrain)
        if terrain != CITY:
            for k in range(s.g.n_players):
                plane = of_player(s, k, PLAYER_FIELD + 2 * e)
                put(v, cell, plane, figures_of(s.total[s.label[t.edge[e] >> LEFT & 0xFFFF]], k))
                put(v, cell, plane + 1, figures_of(s.total[s.label[t.edge[e] >> RIGHT & 0xFFFF]], k))
    for e in range(4):
        for k in range(e + 1, 4):
            put(v, cell, PLANE_JOINED + pair, (label[e] == label[k]) & (label[e] != NONE))
            pair += 1
    put(v, cell, PLANE_PENNANTS, K.pennants)
    put(v, cell, PLANE_WATCHTOWER, K.watchtower)
    put(v, cell, PLANE_WATCHTOWER_POINTS, K.watchtower_points)
    put(v, cell, PLANE_BRIDGE, s.g.rec[t.rec].bridge)
    if s.g.rec[t.rec].monastery != 255:
        put(v, cell, PLANE_GARDEN if K.kind[s.g.rec[t.rec].monastery] == GARDEN else PLANE_MONASTERY, 1)


cdef inline u32 of_player(const state_t* s, u32 player, u32 plane) noexcept nogil:
    return N_PLANES + N_PLAYER_PLANES * seat_of(s, player) + plane


cdef void observe_feature(const view_t* v, u8* cell, u32 edge, u32 label, u32 terrain) noexcept nogil:
    """Fill what is known of the road or city at an edge."""
    cdef const state_t* s = v.s
    cdef u32 n_open = <u32>s.total[label] & OPEN_MASK
    cdef u32 points = 0 if s.total[label] & CASTLE else feature_points(s, label, terrain, n_open > 0)
    cdef u32 k, plane
    put(v, cell, PLANE_OPEN + edge, n_open)
    put(v, cell, PLANE_POINTS + edge, points)
    for k in range(s.g.n_players):
        plane = of_player(s, k, PLAYER_ROAD_CITY + edge)
        put(v, cell, plane, figures_of(s.total[label], k))


cdef void observe_figure(const view_t* v, const figure_t* f) noexcept nogil:
    """Count a figure where it stands."""
    cdef const tile_t* t = &v.s.tile[f.tile]
    cdef u8* cell = cell_at(v, t.at)
    cdef u32 first = of_player(v.s, f.owner, 0)
    cdef u32 kind
    if f.place == ON_TOWER:
        add_one(v, cell, first + PLAYER_TOWER)
    elif f.place == ON_CASTLE:
        add_one(v, cell, first + PLAYER_MAIDEN)
    elif f.place == ON_BARN:
        add_one(v, cell, first + PLAYER_BARN)
    else:
        add_one(v, cell, first + (PLAYER_ABBOT if f.kind == ABBOT else PLAYER_MEEPLE))
        kind = terrain_under(v.s, f)
        if kind == MONASTERY or kind == GARDEN:
            add_one(v, cell, first + PLAYER_MONASTERY)


cdef void observe_scalars(const state_t* s, float* out) noexcept nogil:
    """Fill the scalars, out: [n_scalars]."""
    cdef u32 n = s.g.n_players
    cdef u32 types = s.g.n_draw
    cdef u32 i, k, kind, player, owner
    cdef float* at = out
    memset(out, 0, n_scalars(s) * sizeof(float))
    for i in range(n):
        player = (s.h.player + i) % n
        at[0], at[1], at[2] = s.h.score[player], s.h.supply[player][0], s.h.supply[player][1]
        at += 3
        for k in range(N_COLOURS):
            at[k] = s.towers.floors[player][k] if s.g.boxes & BOX_TOWER else 0
        at += N_COLOURS
        for k in range(n):
            owner = (s.h.player + k) % n
            for kind in range(N_FIGURE_KINDS):
                at[0] = s.towers.prisoners[player][owner][kind] if s.g.boxes & BOX_TOWER else 0
                at += 1
    at[s.h.phase] = 1
    at[8] = s.h.turn
    for i in range(types):
        at[9] += s.left[i]
    at[10] = seat_of(s, s.h.turn_player)
    at[11] = s.towers.pool if s.g.boxes & BOX_THIEVES else 0
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        at[12], at[13], at[14] = s.buildings.bridges, s.buildings.castles, s.buildings.barns
    at += SCALARS_OF_GAME
    for i in range(types):
        at[i] = s.left[i]
    at += types
    if s.h.drawn != NONE:
        at[s.h.drawn] = 1
    at += types
    if s.g.boxes & BOX_THIEVES and s.towers.stolen != NONE:
        at[s.towers.stolen] = 1
