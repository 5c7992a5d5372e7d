"""Castles and barns (G1, G8-G14). What the box keeps stands in buildings_t (state.pxd).

A castle is a mark in its city's sums (CASTLE): the city counts as occupied, so nothing is deployed there, and it leaves
h.closed, so neither scoring nor watchtowers see it. Maidens and farmers on barns are figures of the common list.
"""

from bastide._core.actions cimport (
    ACT_BARN, ACT_CASTLE, ACT_DEPLOY, ACT_NO_BUILDING, ACT_TAKE_BACK, CELL2_SHIFT, HALF_SHIFT, SPOT_CASTLE, SPOT_HALF, cell_of,
    pack_action, spot_of,
)
from bastide._core.features cimport CASTLE, figures_of, one_figure, worth
from bastide._core.geometry cimport index_of
from bastide._core.meeples cimport send_home
from bastide._core.state cimport (
    BUILT_BARN, BUILT_CASTLE, BUILT_NOTHING, CELL_TAKEN, CELL_TILE, ON_BARN, ON_CASTLE, ON_SEGMENT, award, castle_t,
    figure_t, figure_word, spot_under, state_t, terrain_under, tile_t,
)
from bastide._core.tiles cimport type_t
from bastide._core.types cimport (
    CITY, FIELD, MAIDEN, MEEPLE, NONE, SOURCE_BARN, SOURCE_MAIDEN, action_t, node_t, u8, u16, u32,
)

cdef enum:                    # corners, clockwise; corner c lies between the right half of edge c-1 and the left of edge c
    SE = 2                    # NW NE SE SW = 0-3


cdef void buildings_begin(state_t* s) noexcept nogil:
    """Fill the shared supply (G1)."""
    s.buildings.bridges, s.buildings.castles, s.buildings.barns = s.g.bridges, s.g.castles, s.g.barns


# -- step 1: at most one building

cdef u32 list_buildings(const state_t* s, action_t* out) noexcept nogil:
    """List "no building" and the castles and barns that can be built after a placement without a bridge (G1)."""
    cdef u32 n = 1
    out[0] = pack_action(ACT_NO_BUILDING, 0, 0, 0, 0)
    if s.buildings.castles:
        n += list_castles(s, out + n)
    if s.buildings.barns:
        n += list_barns(s, out + n)
    return n


cdef u32 list_castles(const state_t* s, action_t* out) noexcept nogil:
    """List the cities of two tiles that the placed tile closed (G8, G14), by its segment's edge."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef const type_t* K = &s.g.type[t.rec >> 2]
    cdef u32 n = 0
    cdef u32 i, k
    for i in range(s.h.n_closed):
        if s.h.closed_kind[i] != CITY or not has_two_tiles(s, s.h.closed[i]):
            continue
        for k in range(K.n_segments):
            if s.label[t.base + k] == s.h.closed[i]:
                out[n] = pack_action(ACT_CASTLE, t.at, K.spot[t.rec & 3][k], 0, 0)
                n += 1
                break
    return n


cdef bint has_two_tiles(const state_t* s, u32 label) noexcept nogil:
    """Tell whether a city that the placed tile closed lies on that tile and one neighbour only.

    Its worth is a sum over segments, so none is elsewhere if those on two such tiles make it up.
    """
    cdef u32 last = s.h.n_tiles - 1u
    cdef u32 rest = worth(s.total[label]) - worth_on(s, last, label)
    cdef u32 e, tile
    for e in range(4):
        tile = tile_beside(s, last, 2 * e)
        if tile != NONE and worth_on(s, tile, label) == rest:
            return True
    return False


cdef u32 worth_on(const state_t* s, u32 tile, u32 label) noexcept nogil:
    """Return what the segments of a feature on one tile add to its worth."""
    cdef const tile_t* t = &s.tile[tile]
    cdef const type_t* K = &s.g.type[t.rec >> 2]
    cdef u32 n = 0
    cdef u32 k
    for k in range(K.n_segments):
        if s.label[t.base + k] == label:
            n += worth(K.total[k])
    return n


cdef inline u32 corner_field(const state_t* s, u32 tile, u32 corner) noexcept nogil:
    """Return the field segment's node that fills a tile's corner, or NONE if no field does alone (G11)."""
    cdef u32 k = s.g.rec[s.tile[tile].rec].corner[corner]
    return NONE if k == 255 else s.tile[tile].base + k


cdef inline u32 tile_beside(const state_t* s, u32 tile, u32 direction) noexcept nogil:
    """Return the tile in one of eight directions (N NE E SE S SW W NW), or NONE."""
    cdef u32 cell = s.cells[index_of((s.tile[tile].at + s.lay.around[direction]) & s.lay.mask)]
    return cell & CELL_TILE if cell & CELL_TAKEN else NONE


cdef u32 barn_field(const state_t* s, u32 tile, u32 corner, u32* north_west) noexcept nogil:
    """Return the label of the field in the middle of the 2x2 block at a tile's corner, or NONE if no barn can stand there.

    `north_west` gets the block's north-western tile.
    """
    cdef u32[4] block                         # clockwise from the tile itself; its corner in the block is corner + i
    cdef u32 label = NONE
    cdef u32 i, node
    block[0] = tile
    block[1] = tile_beside(s, tile, 2 * ((corner + 3) & 3))
    block[2] = tile_beside(s, tile, (2 * corner + 7) & 7)
    block[3] = tile_beside(s, tile, 2 * corner)
    for i in range(4):
        if block[i] == NONE:
            return NONE
        node = corner_field(s, block[i], (corner + i) & 3)
        if node == NONE or (i and s.label[node] != label):
            return NONE
        label = s.label[node]
        if ((corner + i) & 3) == SE:
            north_west[0] = block[i]
    return label


cdef u32 barn_node(const state_t* s, u32 tile) noexcept nogil:
    """Return the node on which the farmer of a barn stands whose north-western tile this is, or NONE if there can be none."""
    cdef u32 north_west
    return NONE if barn_field(s, tile, SE, &north_west) == NONE else corner_field(s, tile, SE)


cdef u32 list_barns(const state_t* s, action_t* out) noexcept nogil:
    """List the corners where a barn can be built, with the own farmers that can move there (G11)."""
    cdef u32 last = s.h.n_tiles - 1u
    cdef u32 n = 0
    cdef const u8* field = s.g.rec[s.tile[last].rec].corner
    cdef const node_t* label_of = s.label + s.tile[last].base
    cdef u32 corner, i, label, north_west, half
    cdef const figure_t* f
    cdef const tile_t* t
    for corner in range(4):                                        # what is most often missing first: an own farmer
        if field[corner] == 255 or figures_of(s.total[label_of[field[corner]]], s.h.player) == 0:
            continue
        label = barn_field(s, last, corner, &north_west)
        if label == NONE:
            continue
        for i in range(s.h.n_figures):
            f = &s.h.figure[i]
            if f.place != ON_SEGMENT or f.owner != s.h.player or s.label[f.node] != label:
                continue
            t = &s.tile[f.tile]
            half = spot_under(s, f) - SPOT_HALF
            out[n] = (pack_action(ACT_BARN, s.tile[last].at, corner, 0, 0)
                      | <action_t>(t.at >> 32) << CELL2_SHIFT | <action_t>half << HALF_SHIFT)
            n += 1
    return n


cdef void build_castle(state_t* s, action_t action) noexcept nogil:
    """Put a castle on a city just closed: its meeple becomes a maiden (G8), and the city is never scored."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef u32 k = 0
    cdef u32 label, i
    while s.g.type[t.rec >> 2].spot[t.rec & 3][k] != spot_of(action):
        k += 1
    label = s.label[t.base + k]
    add_castle(s, s.h.n_tiles - 1u, k)
    s.buildings.castles -= 1
    s.buildings.built = BUILT_CASTLE
    s.buildings.castle[s.buildings.n - 1].is_new = True
    for i in range(s.h.n_figures):
        if s.h.figure[i].place == ON_SEGMENT and s.label[s.h.figure[i].node] == label:
            s.total[label] -= one_figure(s.h.figure[i].owner)
            s.h.key -= figure_word(s, &s.h.figure[i])
            make_maiden(s, &s.h.figure[i], &s.buildings.castle[s.buildings.n - 1])


cdef bint add_castle(state_t* s, u32 tile, u32 segment) noexcept nogil:
    """Make the closed city of two tiles with this segment a castle; False if it is one already.

    Such a segment has one edge, and the other tile lies across it.
    """
    cdef castle_t* c = &s.buildings.castle[s.buildings.n]
    cdef u32 edge = s.g.type[s.tile[tile].rec >> 2].spot[s.tile[tile].rec & 3][segment]
    cdef u32 other = tile_beside(s, tile, 2 * edge)
    cdef u32 label = s.label[s.tile[tile].base + segment]
    cdef u32 i
    if s.total[label] & CASTLE:
        return False
    c.node, c.tile, c.other_tile = <node_t>(s.tile[tile].base + segment), <u16>tile, <u16>other
    if s.tile[other].at >> 32 < s.tile[tile].at >> 32:     # the castle's cell is the one that comes first by (y, x)
        c.node, c.tile, c.other_tile = <node_t>s.tile[other].edge[edge ^ 2], <u16>other, <u16>tile
    c.is_new, c.has_maiden = False, False
    s.buildings.n += 1
    s.total[label] |= CASTLE
    for i in range(s.h.n_closed):
        if s.h.closed[i] == label:
            s.h.n_closed -= 1
            s.h.closed[i] = s.h.closed[s.h.n_closed]
            s.h.closed_kind[i] = s.h.closed_kind[s.h.n_closed]
            break
    return True


cdef void make_maiden(state_t* s, figure_t* f, castle_t* c) noexcept nogil:
    """Put a figure that is on no feature's count on a castle."""
    f.node, f.tile, f.place = c.node, c.tile, ON_CASTLE
    s.h.key += figure_word(s, f)
    c.has_maiden = True


cdef void build_barn(state_t* s, action_t action) noexcept nogil:
    """Build a barn and move the farmer onto it (G11); the field's count of figures stays."""
    cdef u32 corner = spot_of(action)
    cdef u32 from_cell = <u32>(action >> CELL2_SHIFT) & 0x3FFFFF
    cdef u32 spot = SPOT_HALF + (<u32>(action >> HALF_SHIFT) & 7)
    cdef u32 north_west = 0
    cdef u32 i
    cdef figure_t* f
    cdef const tile_t* t
    barn_field(s, s.h.n_tiles - 1u, corner, &north_west)
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        t = &s.tile[f.tile]
        if (f.place == ON_SEGMENT and f.owner == s.h.player and <u32>(t.at >> 32) == from_cell
                and spot_under(s, f) == spot):
            s.h.key -= figure_word(s, f)
            f.node, f.tile, f.place = <node_t>corner_field(s, north_west, SE), <u16>north_west, ON_BARN
            s.h.key += figure_word(s, f)
            break
    s.buildings.barns -= 1
    s.buildings.built = BUILT_BARN


# -- the figure step

cdef castle_t* empty_new_castle(const state_t* s) noexcept nogil:
    """Return this turn's castle if it holds no maiden, or NULL (G8)."""
    cdef castle_t* c
    if s.buildings.built != BUILT_CASTLE:
        return NULL
    c = &s.buildings.castle[s.buildings.n - 1]
    return NULL if c.has_maiden else c


cdef u32 list_maidens(const state_t* s, action_t* out) noexcept nogil:
    """List deploying a maiden on this turn's empty castle (G8), and taking own older ones back (G10)."""
    cdef const castle_t* c = empty_new_castle(s)
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef u32 n = 0
    cdef u32 i, k
    if s.buildings.n == 0:
        return 0
    if c != NULL and s.h.supply[s.h.player][MEEPLE]:
        k = 0
        while s.label[t.base + k] != s.label[c.node]:
            k += 1
        out[n] = pack_action(ACT_DEPLOY, t.at, SPOT_CASTLE + s.g.type[t.rec >> 2].spot[t.rec & 3][k], MEEPLE, 0)
        n += 1
    for k in range(s.buildings.n):
        if not s.buildings.castle[k].has_maiden or s.buildings.castle[k].is_new:
            continue
        i = maiden_on(s, &s.buildings.castle[k])
        if s.h.figure[i].owner == s.h.player:
            t = &s.tile[s.h.figure[i].tile]
            out[n] = pack_action(ACT_TAKE_BACK, t.at, castle_spot(s, &s.h.figure[i]), MAIDEN, 0)
            n += 1
    return n


cdef u32 maiden_on(const state_t* s, const castle_t* c) noexcept nogil:
    """Return the number of the figure on a castle; there is one."""
    cdef u32 i = 0
    while s.h.figure[i].place != ON_CASTLE or s.h.figure[i].node != c.node:
        i += 1
    return i


cdef castle_t* castle_of(const state_t* s, const figure_t* f) noexcept nogil:
    """Return the castle of a maiden."""
    cdef u32 i = 0
    while s.buildings.castle[i].node != f.node:
        i += 1
    return &s.buildings.castle[i]


cdef u32 castle_spot(const state_t* s, const figure_t* f) noexcept nogil:
    return SPOT_CASTLE + spot_under(s, f)


cdef void deploy_maiden(state_t* s) noexcept nogil:
    """Put a standard meeple from supply on this turn's castle (G8)."""
    cdef figure_t* f = &s.h.figure[s.h.n_figures]
    f.owner, f.kind, f.spare = s.h.player, MEEPLE, 0
    s.h.n_figures += 1
    s.h.supply[s.h.player][MEEPLE] -= 1
    make_maiden(s, f, empty_new_castle(s))


cdef void take_back_maiden(state_t* s, action_t action) noexcept nogil:
    """Take an own maiden home: 1 point, and 1 for each other maiden and each knight on the board (G10).

    Nothing happens between this and step 3, so it is scored here: first of all (C1).
    """
    cdef u32 points = 0
    cdef u32 which = 0
    cdef u32 i
    cdef const figure_t* f
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        points += f.place == ON_CASTLE or (f.place == ON_SEGMENT and terrain_under(s, f) == CITY)
        if f.place == ON_CASTLE and <u32>(s.tile[f.tile].at >> 32) == cell_of(action) and castle_spot(s, f) == spot_of(action):
            which = i
    award(s, s.h.player, points, SOURCE_MAIDEN, NONE)
    castle_of(s, &s.h.figure[which]).has_maiden = False
    send_home(s, which)


# -- step 3

cdef void score_barn(state_t* s) noexcept nogil:
    """Score the farmer moved this turn: 1 point for each farmer on the board, itself and those on barns included (G12)."""
    cdef u32 points = 0
    cdef u32 i
    cdef const figure_t* f
    if s.buildings.built != BUILT_BARN:
        return
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        points += f.place == ON_BARN or (f.place == ON_SEGMENT and terrain_under(s, f) == FIELD)
    award(s, s.h.turn_player, points, SOURCE_BARN, NONE)


cdef void buildings_finish_turn(state_t* s) noexcept nogil:
    """Forget what belonged to the turn."""
    if s.buildings.built == BUILT_CASTLE:
        s.buildings.castle[s.buildings.n - 1].is_new = False
    s.buildings.built = BUILT_NOTHING
