"""Filling the tables of a game from plain Python values (made and checked by bastide.tables)."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bastide._core.geometry cimport N_LAYOUTS, XY_BITS, layout_t
from bastide._core.rng cimport splitmix
from bastide._core.types cimport (
    CITY, FIELD, GARDEN, MONASTERY, NONE, NOTHING, PILE_RIVER, RIVER, ROAD, place_t, u8, u16, u32, u64,
)

# Cells, row step and least distance of cells that share an index; each step is the best for its size (by search).
cdef u32[N_LAYOUTS][3] LAYOUTS = [
    [1 << 12, 90, 90], [1 << 13, 127, 128], [1 << 14, 181, 178], [1 << 15, 255, 256],
    [1 << 16, 361, 348], [1 << 17, 511, 512], [1 << 19, 1023, 1024],
]
cdef enum:
    MAX_FIXED = 1 << 15

cdef int[8] AROUND_X = [0, 1, 1, 1, 0, -1, -1, -1]
cdef int[8] AROUND_Y = [-1, -1, 0, 1, 1, 1, 0, -1]


cdef int fill(game_t* g, dict tables) except -1:
    """Allocate and fill `g` from `tables` (bastide.tables.compile_tables). MemoryError leaves it released."""
    memset(g, 0, sizeof(game_t))
    cdef list types = tables["types"]
    g.n_types = len(types)
    g.rec = <rec_t*>calloc(g.n_types * 4, sizeof(rec_t))
    g.type = <type_t*>calloc(g.n_types, sizeof(type_t))
    g.fits = <u8*>calloc(g.n_types * 256, 1)
    g.ways = <u8*>calloc(g.n_types * 256, 1)
    g.left = <u16*>calloc(g.n_types, sizeof(u16))
    g.river_types = <u16*>calloc(g.n_types, sizeof(u16))
    if g.rec == NULL or g.type == NULL or g.fits == NULL or g.ways == NULL or g.left == NULL or g.river_types == NULL:
        release(g)
        raise MemoryError("no memory for the tables of the game")
    for name in ("n_players", "boxes", "n_abbots", "farmers", "small_city_points", "split_fields", "n_draw", "start",
                 "n_deck", "n_river", "n_lake", "n_tower_pile", "max_tiles", "max_nodes", "max_cities",
                 "max_towers", "tower_cross", "tower_diagonal", "no_surprise", "eye_for_an_eye", "replace_own",
                 "shared_floors", "bridges", "castles", "barns"):
        set_number(g, name, tables[name])
    for i in range(3):
        g.floors[<u32>i] = tables["floors"][i]
    cdef u32 t
    for t in range(g.n_types):
        fill_type(g, t, types[t])
    for t in range(g.n_types):
        fill_fits(g, t)
    for t in range(g.n_draw):
        count_fits(g, t)
        if g.type[t].pile == PILE_RIVER:
            g.river_types[g.n_river_types] = <u16>t
            g.n_river_types += 1
    fill_constants(g)
    # state_room(): a board of n connected tiles asks for at most n + 9.
    # Up to MAX_FIXED cells a game starts with a grid that will do; beyond, the grid grows with the board.
    while g.layout[g.first_layout].d <= g.max_tiles + 9 and g.layout[g.first_layout].n < MAX_FIXED:
        g.first_layout += 1
    if g.layout[g.first_layout].d <= g.max_tiles + 9:
        g.first_layout = 0
        g.may_grow = True
    # A connected board of n tiles has at most 2n + 2 empty neighbours; a cell takes a tile in at most 4 ways, or 12.
    g.max_actions = max((2 * g.max_tiles + 4) * (12 if g.bridges else 4), 4 * g.max_towers) + 128
    return 0


cdef int set_number(game_t* g, str name, value) except -1:
    cdef u32 v = value
    if name == "n_players": g.n_players = v
    elif name == "boxes": g.boxes = v
    elif name == "n_abbots": g.n_abbots = v
    elif name == "farmers": g.farmers = <u8>v
    elif name == "small_city_points": g.small_city_points = <u8>v
    elif name == "split_fields":
        # Where a field edge may have two fields, they join by halves as those beside a road do.
        g.joins_main = 1 << ROAD | 1 << CITY | (0 if v else 1 << FIELD)
        g.joins_sides = 1 << ROAD | 1 << RIVER | (1 << FIELD if v else 0)
    elif name == "n_draw": g.n_draw = v
    elif name == "start": g.start = <u16>v
    elif name == "n_deck": g.n_deck = <u16>v
    elif name == "n_river": g.n_river = <u16>v
    elif name == "n_lake": g.n_lake = <u16>v
    elif name == "n_tower_pile": g.n_tower_pile = <u16>v
    elif name == "max_tiles": g.max_tiles = v
    elif name == "max_nodes": g.max_nodes = v
    elif name == "max_cities": g.max_cities = v
    elif name == "max_towers": g.max_towers = v
    elif name == "tower_cross": g.tower_cross = <u8>v
    elif name == "tower_diagonal": g.tower_diagonal = <u8>v
    elif name == "no_surprise": g.no_surprise = <u8>v
    elif name == "replace_own": g.replace_own = <u8>v
    elif name == "shared_floors": g.shared_floors = <u16>v
    elif name == "bridges": g.bridges = <u16>v
    elif name == "castles": g.castles = <u16>v
    elif name == "barns": g.barns = <u16>v
    elif name == "eye_for_an_eye": g.eye_for_an_eye = <u8>v
    return 0


cdef int fill_type(game_t* g, u32 t, dict d) except -1:
    """Fill the rows of type `t`: its segments, and its edges in the four rotations."""
    cdef type_t* T = &g.type[t]
    cdef rec_t* r
    cdef u32 q, e, i, m, l, k, code
    cdef u64 seed = <u64>t + 1
    T.n_segments = <u8>len(d["kinds"])
    for i in range(T.n_segments):
        T.kind[i] = d["kinds"][i]
        T.total[i] = d["totals"][i]
        for q in range(4):
            T.spot[q][i] = d["spots"][q][i]
        T.meeple_may |= (T.kind[i] != GARDEN and (T.kind[i] != FIELD or g.farmers)) << i
        T.has |= (HAS_ROAD if T.kind[i] == ROAD else HAS_CITY if T.kind[i] == CITY
                  else HAS_MONASTERY if T.kind[i] == MONASTERY else 0)
        T.abbot_may |= (T.kind[i] == MONASTERY or T.kind[i] == GARDEN) << i
    cdef u32 n_contacts = len(d["contacts"])
    for i in range(n_contacts):
        T.contact[i][0] = d["contacts"][i][0]
        T.contact[i][1] = d["contacts"][i][1]
    g.n_contacts = max(g.n_contacts, <u16>n_contacts)
    T.pennants = d["pennants"]
    T.is_foundation = d["foundation"]
    T.thief = d["thief"]
    T.watchtower = d["watchtower"]
    T.watchtower_points = d["watchtower_points"]
    T.river_role = d["river_role"]
    T.pile = d["pile"]
    T.bridged[0], T.bridged[1] = d["bridged"]
    T.bridge_segment = d["bridge_segment"]
    T.plain = d["plain"]
    T.hash = splitmix(&seed)
    g.left[t] = d["count"]
    cdef u32 monastery = 255
    for i in range(T.n_segments):
        if T.kind[i] == MONASTERY or T.kind[i] == GARDEN:
            monastery = i
    for q in range(4):
        T.same[q] = d["same"][q]
        r = &g.rec[t * 4 + q]
        r.n_segments = T.n_segments
        r.is_multi = d["is_multi"]
        r.monastery = <u8>monastery
        r.bridge = d["bridge"][q]
        for e in range(4):
            # edge e of the rotated tile is edge e - q of the tile as printed
            m, l, k, code = d["edges"][(e - q) & 3]
            r.edge[e] = <u64>m | <u64>l << LEFT | <u64>k << RIGHT | <u64>code << TERRAIN
            r.demand |= (min(code, <u32>CITY) if code != RIVER else <u32>ROAD) << (8 * e + 2 * (e ^ 2))
        for e in range(4):
            r.corner[e] = corner_of(r.edge[(e + 3) & 3], r.edge[e])
    fill_river(g, t)
    return 0


cdef u8 corner_of(u64 before, u64 after) noexcept:
    """Return the field segment that two neighbouring edges (clockwise) share at their corner, or 255."""
    if before >> TERRAIN == CITY or after >> TERRAIN == CITY or <u16>(before >> RIGHT) != <u16>(after >> LEFT):
        return 255
    return <u8>(after >> LEFT)


cdef void fill_river(game_t* g, u32 t) noexcept:
    """Fill the distinct rotations in which a tile leads the river on from an edge, by its last bend (R1, R2)."""
    cdef const rec_t* r
    cdef u32 q, came_from, bend
    for q in range(4):
        r = &g.rec[t * 4 + q]
        for came_from in range(4):
            if g.type[t].same[q] != q or r.edge[came_from] >> TERRAIN != RIVER:
                continue
            for bend in range(4):                  # where the river would bend the same way again; 2 is straight on
                if not (bend & 1 and r.edge[(came_from + bend) & 3] >> TERRAIN == RIVER):
                    g.type[t].river_on[came_from][bend] |= 1 << q


cdef void fill_fits(game_t* g, u32 t) noexcept:
    """Fill the mask of fitting distinct rotations for each demand (B4), and the largest number of them."""
    cdef type_t* T = &g.type[t]
    cdef u32 demand, q, e, want, have, mask, bridge
    for demand in range(1, 256):
        mask = 0
        for q in range(4):
            if T.same[q] != q:
                continue
            bridge = g.rec[t * 4 + q].bridge       # one of its ends at least has a neighbour (G2)
            for e in range(4):
                want = demand >> (2 * e) & 3
                have = <u32>(g.rec[t * 4 + q].edge[e] >> TERRAIN)
                if want != NOTHING and want != have:
                    break
            else:
                if bridge == 0 or demand >> (2 * (bridge - 1)) & 0x33 != 0:
                    mask |= 1 << q
        g.fits[t * 256 + demand] = <u8>mask
        T.max_fits = max(T.max_fits, <u8>count_bits4(mask))


cdef void count_fits(game_t* g, u32 t) noexcept:
    """Count the ways, bridges included, in which a type fits each demand, and find the most."""
    cdef u32 demand, axis, n
    for demand in range(256):
        n = count_bits4(g.fits[t * 256 + demand])
        for axis in range(2):
            if g.type[t].bridged[axis] != NONE:
                n += count_bits4(g.fits[g.type[t].bridged[axis] * 256 + demand])
        g.ways[t * 256 + demand] = <u8>n
        g.type[t].max_ways = max(g.type[t].max_ways, <u8>n)


cdef void fill_constants(game_t* g) noexcept:
    cdef u32 k, i, demand, e, n, mask
    cdef layout_t* lay
    cdef u64 cells
    for k in range(N_LAYOUTS):
        lay = &g.layout[k]
        lay.n, lay.b, lay.d = LAYOUTS[k][0], LAYOUTS[k][1], LAYOUTS[k][2]
        lay.mask = (~<place_t>0) << 32 | (lay.n - 1)
        for i in range(8):
            lay.around[i] = offset_of(lay, AROUND_X[i], AROUND_Y[i])
        for e in range(4):
            lay.step[e] = lay.around[2 * e]
    for demand in range(256):
        n = 0
        for e in range(4):
            if demand >> (2 * e) & 3 == NOTHING:
                g.open_mask[demand] |= <u32>255 << (8 * e)
            else:
                g.touched[demand] |= <u16>(e << (3 + 2 * n))
                n += 1
        g.touched[demand] |= <u16>n
    for mask in range(16):
        n = 0
        for e in range(4):
            if mask >> e & 1:
                g.nth_rotation[mask * 4 + n] = <u8>e
                n += 1


cdef place_t offset_of(const layout_t* lay, int dx, int dy) noexcept nogil:
    """Return what to add to a place_t to go (dx, dy), before masking: both halves at once."""
    cdef u32 p = (<u32>dx + lay.b * <u32>dy) & (lay.n - 1)
    return <place_t>p + (<place_t>dx << 32) + (<place_t>dy << (32 + XY_BITS))


cdef void release(game_t* g) noexcept nogil:
    free(g.rec)
    free(g.type)
    free(g.fits)
    free(g.ways)
    free(g.left)
    free(g.river_types)
    memset(g, 0, sizeof(game_t))
