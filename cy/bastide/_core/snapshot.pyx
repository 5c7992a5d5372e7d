"""Snapshots: what is on the board and in the head, in the order of play; all the rest is built again when loading.

Little endian throughout:

    4  magic "BSTS"        2  version        2  zero
    8  identity: a hash of fingerprint, rules version and random-stream version
    4  length of the body  4  zero
    .. body                8  checksum of all before

Body: phase, turn player, player, players (1 each) · turn, discards, drawn type, tiles, figures (2 each) · scores (4 each) ·
for each tile, in the order of placing: type (2), rotation (1), x + 1024 (2), y + 1024 (2) · for each type: left (2) ·
with a tower box: save_towers, with Bridges & Castles: save_buildings below · for each figure, in the list's order: tile (2), segment, owner, kind, place (1 each).

Laying the tiles again in their order gives the same nodes, labels, sums and frontier (place_tile is a function of the
order alone), so a loaded state behaves as the saved one did, random playouts included.
"""


from bastide._core.expansions.castles cimport add_castle, barn_node, buildings_begin, list_buildings
from bastide._core.expansions.river cimport LAKE
from bastide._core.expansions.thieves cimport list_grow
from bastide._core.expansions.towers cimport MAX_HEIGHT
from bastide._core.expansions.tower cimport list_captures, list_exchanges, tower_count_open
from bastide._core.features cimport OPEN_MASK, one_figure
from bastide._core.geometry cimport XY_BITS, XY_MASK, XY_OFFSET, x_of, y_of
from bastide._core.meeples cimport places_for, watch_surroundings
from bastide._core.scoring cimport n_tiles_of, surrounding_tiles
from bastide._core.state cimport (
    BUILT_BARN, BUILT_BRIDGE, BUILT_CASTLE, BUILT_NOTHING, ON_BARN, ON_CASTLE, ON_SEGMENT, ON_TOWER, castle_t,
    figure_t, figure_word, find_slot, mix, state_clear, state_room, state_t, terrain_under, tile_t, tower_t,
    towers_t,
)
from bastide._core.tiles cimport ANY_TOWER, BOX_BRIDGES_CASTLES, BOX_THIEVES, BOX_TOWER
from bastide._core.turn cimport turn_can_use_figure, turn_fits, turn_fits_anywhere, turn_lay, turn_lay_start, turn_settle
from bastide._core.types cimport (
    ABBOT, BLACK, CITY, FIELD, MAX_FIGURES, MAX_TILES, MEEPLE, N_COLOURS, N_FIGURE_KINDS, NONE, NORMAL, PHASE_BUILD, PHASE_CAPTURE, PHASE_DRAW, PHASE_END,
    PHASE_EXCHANGE, PHASE_FIGURE, PHASE_GROW, PHASE_PLACE, PILE_DECK, PILE_TOWER, ROAD, WHITE, action_t, int32_t, u8, u16, u32, u64,
)

from bastide.errors import SnapshotError

cdef enum:
    HEADER = 24
    MAX_SCORE = 1000000       # far beyond any game
    FOOTER = 8

cdef struct cursor_t:
    const unsigned char* data
    size_t at
    size_t end
    bint is_short             # something was read beyond the end


cdef int put(list out, u64 value, int size) except -1:
    out.append((<object>value).to_bytes(8, "little")[:size])
    return 0


cdef u64 get(cursor_t* c, int size) noexcept:
    cdef u64 value = 0
    cdef int i
    if c.at + size > c.end:
        c.is_short = True
        return 0
    for i in range(size):
        value |= <u64>c.data[c.at + i] << (8 * i)
    c.at += size
    return value


cdef u64 checksum(const unsigned char* data, size_t length) noexcept:
    cdef u64 h = length
    cdef size_t i
    for i in range(length):
        h = (h ^ data[i]) * <u64>0x100000001B3
    return mix(h)


cdef bytes save(const state_t* s, u64 identity):
    """Return the snapshot of a state."""
    cdef list body = []
    cdef list out = [b"BSTS"]
    cdef bytes joined
    cdef const tile_t* t
    cdef const figure_t* f
    cdef u32 i
    for value in (s.h.phase, s.h.turn_player, s.h.player, s.g.n_players):
        put(body, value, 1)
    for value in (s.h.turn, s.h.discards, s.h.drawn, s.h.n_tiles, s.h.n_figures):
        put(body, value, 2)
    for i in range(s.g.n_players):
        put(body, <u32>s.h.score[i], 4)
    for i in range(s.h.n_tiles):
        t = &s.tile[i]
        put(body, t.rec >> 2, 2)
        put(body, t.rec & 3, 1)
        put(body, x_of(t.at) + XY_OFFSET, 2)
        put(body, y_of(t.at) + XY_OFFSET, 2)
    for i in range(s.g.n_draw):
        put(body, s.left[i], 2)
    if s.g.boxes & ANY_TOWER:
        save_towers(s, body)
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        save_buildings(s, body)
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        put(body, f.tile, 2)
        for value in (f.node - s.tile[f.tile].base, f.owner, f.kind, f.place):
            put(body, value, 1)
    put(out, SNAPSHOT_VERSION, 2)
    put(out, 0, 2)
    put(out, identity, 8)
    joined = b"".join(body)
    put(out, len(joined), 4)
    put(out, 0, 4)
    out.append(joined)
    joined = b"".join(out)
    return joined + checksum(joined, len(joined)).to_bytes(8, "little")


cdef int save_towers(const state_t* s, list body) except -1:
    cdef const towers_t* b = s.towers
    cdef u32 i, j, kind
    for value in (b.has_ransomed, b.captured_owner, b.captured_kind, b.floor, s.h.owes_tower, b.pool, b.stolen, b.n_stolen,
                  b.grow_from):
        put(body, value, 2)
    for i in range(s.g.n_players):
        for j in range(N_COLOURS):
            put(body, b.floors[i][j], 1)
        for j in range(s.g.n_players):
            for kind in range(N_FIGURE_KINDS):
                put(body, b.prisoners[i][j][kind], 1)
    for i in range(b.n):
        put(body, b.tower[i].height, 1)
        put(body, b.tower[i].black, 8)
        put(body, b.tower[i].height > 0 and b.tower[i].top == WHITE, 1)
    return 0


cdef int save_buildings(const state_t* s, list body) except -1:
    cdef const castle_t* c
    cdef u32 i
    for value in (s.buildings.castles, s.buildings.barns, s.buildings.built, s.buildings.n):
        put(body, value, 2)
    for i in range(s.buildings.n):
        c = &s.buildings.castle[i]
        put(body, c.node, 2)
        put(body, c.is_new, 1)
    return 0


cdef int load(state_t* s, const unsigned char* data, size_t length, u64 identity) except -1:
    """Make `s`, a new state, the position of a snapshot; SnapshotError (and `s` is worthless) if it is not one."""
    cdef cursor_t c
    cdef u64 version, found, zero
    if length < HEADER + FOOTER or data[:4] != b"BSTS":
        raise SnapshotError(f"not a snapshot: {length} bytes that do not begin with BSTS")
    c.data, c.at, c.end, c.is_short = data, 4, length - FOOTER, False
    version = get(&c, 2)
    if version != SNAPSHOT_VERSION:
        raise SnapshotError(f"snapshot of format version {version}; this is version {SNAPSHOT_VERSION}")
    zero = get(&c, 2)
    found = get(&c, 8)
    if get(&c, 4) != length - HEADER - FOOTER:
        raise SnapshotError(f"snapshot is cut or too long: {length} bytes")
    if get(&c, 4) or zero:
        raise SnapshotError("snapshot is damaged: its header has bits that no version sets")
    c.at, c.end = length - FOOTER, length
    if get(&c, 8) != checksum(data, length - FOOTER):
        raise SnapshotError("snapshot is damaged: its checksum does not match")
    if found != identity:
        raise SnapshotError(
            f"snapshot of another game: identity {found:016x} (rules, tiles, versions), this game has {identity:016x}")
    c.at, c.end = HEADER, length - FOOTER
    load_body(s, &c)
    return 0


cdef int load_body(state_t* s, cursor_t* c) except -1:
    cdef u32 n_tiles, n_figures, i
    cdef int n_gone
    cdef u32 phase = <u32>get(c, 1)
    cdef u32 turn_player = <u32>get(c, 1)
    cdef u32 player = <u32>get(c, 1)
    demand(get(c, 1) == s.g.n_players, "number of players")
    cdef u32 turn = <u32>get(c, 2)
    cdef u32 discards = <u32>get(c, 2)
    cdef u32 drawn = <u32>get(c, 2)
    n_tiles, n_figures = <u32>get(c, 2), <u32>get(c, 2)
    demand(1 <= n_tiles <= s.g.max_tiles and n_figures <= MAX_FIGURES, "number of tiles or figures")
    state_clear(s)
    for i in range(s.g.n_players):
        s.h.score[i] = <int32_t>get(c, 4)
        demand(0 <= s.h.score[i] <= MAX_SCORE, f"score of player {i}")
        s.h.supply[i][MEEPLE], s.h.supply[i][ABBOT] = 7, <u8>s.g.n_abbots
    s.h.phase, s.h.turn_player, s.h.player = <u8>phase, <u8>turn_player, <u8>player
    s.h.turn, s.h.discards, s.h.drawn = <u16>turn, <u16>discards, <u16>drawn
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        buildings_begin(s)
    load_tiles(s, c, n_tiles)
    n_gone = load_left(s, c)
    if s.g.boxes & ANY_TOWER:
        load_towers(s, c)
        n_gone -= <int>s.towers.n_stolen
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        load_buildings(s, c)
    demand(n_gone == <int>s.h.discards, "number of discarded tiles")
    load_figures(s, c, n_figures)
    demand(not c.is_short and c.at == c.end, "length of the body")
    check_turn(s)
    return 0


cdef int demand(bint is_so, str what) except -1:
    if not is_so:
        raise SnapshotError(f"snapshot holds no possible position: {what}")
    return 0


cdef int load_tiles(state_t* s, cursor_t* c, u32 n_tiles) except -1:
    """Lay the tiles again, each where it fits."""
    cdef u32 i, type, q, x, y, slot
    for i in range(n_tiles):
        type, q, x, y = <u32>get(c, 2), <u32>get(c, 1), <u32>get(c, 2), <u32>get(c, 2)
        demand(not c.is_short and type < s.g.n_types and q < 4 and x <= XY_MASK and y <= XY_MASK, f"tile {i}")
        if i == 0:
            demand(type == s.g.start and q == 0 and x == XY_OFFSET and y == XY_OFFSET, "start tile")
            turn_lay_start(s)
            continue
        slot = find_slot(s, x | y << XY_BITS)
        if slot == s.h.n_front:
            demand(s.h.river_is_open and (s.h.river_cell >> 32) == (x | y << XY_BITS), f"cell of tile {i}")
        demand(turn_fits(s, type, slot) >> q & 1, f"tile {i} does not fit")
        turn_lay(s, slot, type * 4 + q)
        if state_room(s) < 0:
            raise MemoryError("no memory for the board to grow")
    return 0


cdef int load_left(state_t* s, cursor_t* c) except -1:
    """Read what is left; with what is placed, in hand and discarded it must be what the game has."""
    cdef u32 i, used
    cdef u32 n_gone = 0
    for i in range(s.g.n_draw):
        s.left[i] = <u16>get(c, 2)
        if s.g.type[i].pile == PILE_DECK:
            s.h.n_deck += s.left[i]
        elif s.g.type[i].pile == PILE_TOWER:
            s.h.n_tower_pile += s.left[i]
        elif s.g.type[i].river_role == LAKE:
            s.h.n_lake += <u8>s.left[i]
        else:
            s.h.n_river += s.left[i]
    for i in range(s.g.n_draw):
        used = s.left[i] + (s.h.drawn == i)
        for k in range(1, s.h.n_tiles):
            used += s.g.type[s.tile[<u32>k].rec >> 2].plain == i
        demand(used <= s.g.left[i], f"tiles of type {i}")
        n_gone += s.g.left[i] - used
    return <int>n_gone


cdef int load_towers(state_t* s, cursor_t* c) except -1:
    """Read floors and prisoners; the foundations are those of the tiles."""
    cdef towers_t* b = s.towers
    cdef tower_t* t
    cdef u32 i, j, kind, n, colour, is_white
    cdef u32[N_COLOURS] floors = [0, 0, 0]
    b.has_ransomed, b.captured_owner, b.captured_kind = <u8>get(c, 2), <u8>get(c, 2), <u8>get(c, 2)
    b.floor = <u16>get(c, 2)
    s.h.owes_tower, b.pool, b.stolen = <u8>get(c, 2), <u16>get(c, 2), <u16>get(c, 2)
    b.n_stolen, b.grow_from = <u16>get(c, 2), <u16>get(c, 2)
    if s.g.boxes & BOX_THIEVES:
        demand(b.stolen == NONE or (b.stolen < s.g.n_draw and s.g.type[b.stolen].thief and b.n_stolen), "stolen tile")
        demand(s.h.owes_tower < 2 and (b.grow_from == 0 or (s.h.phase == PHASE_GROW and b.grow_from <= b.n)), "turn")
        demand(b.has_ransomed == 0 and b.captured_owner == 0 and b.captured_kind == 0 and b.floor == 0, "turn")
    else:
        demand(s.h.owes_tower == 0 and b.pool == 0 and b.stolen == 0 and b.n_stolen == 0 and b.grow_from == 0, "turn")
    demand(b.has_ransomed < 2 and b.captured_owner < s.g.n_players and b.captured_kind < N_FIGURE_KINDS, "turn")
    for i in range(s.g.n_players):
        for colour in range(N_COLOURS):
            b.floors[i][colour] = <u8>get(c, 1)
            floors[colour] += b.floors[i][colour]
        for j in range(s.g.n_players):
            for kind in range(N_FIGURE_KINDS):
                n = <u32>get(c, 1)
                demand(n <= s.h.supply[j][kind] and (n == 0 or i != j), f"prisoners of player {i}")
                b.prisoners[i][j][kind] = <u8>n
                s.h.supply[j][kind] -= n
    for i in range(b.n):
        t = &b.tower[i]
        t.height = <u8>get(c, 1)
        t.black = get(c, 8)
        is_white = <u32>get(c, 1)
        demand(t.height < MAX_HEIGHT and t.black >> t.height == 0 and is_white < 2, f"floors of tower {i}")
        demand(not is_white or (t.height > 1 and not t.black >> (t.height - 1) & 1), f"floors of tower {i}")
        for j in range(t.height):
            colour = BLACK if t.black >> j & 1 else NORMAL
            if is_white and j == t.height - 1u:
                colour = WHITE
            floors[colour] += 1
            t.top = <u8>colour
    if s.g.boxes & BOX_THIEVES:
        demand(floors[NORMAL] + b.pool == s.g.shared_floors and floors[BLACK] + floors[WHITE] == 0, "number of floors")
        return 0
    for colour in range(N_COLOURS):
        demand(floors[colour] == s.g.floors[colour] * s.g.n_players, "number of floors")
    return 0


cdef int load_buildings(state_t* s, cursor_t* c) except -1:
    """Read the supply and the castles; the bridges are those of the tiles."""
    cdef u32 i, n, node, is_new, tile
    cdef u32 n_new = 0
    s.buildings.castles, s.buildings.barns = <u16>get(c, 2), <u16>get(c, 2)
    s.buildings.built = <u8>get(c, 2)
    n = <u32>get(c, 2)
    demand(s.buildings.castles + n == s.g.castles and s.buildings.built <= BUILT_BARN, "number of castles")
    for i in range(n):
        node, is_new = <u32>get(c, 2), <u32>get(c, 1)
        demand(not c.is_short and node < s.h.n_nodes, f"castle {i}")
        tile = tile_of(s, node)
        demand(s.g.type[s.tile[tile].rec >> 2].kind[node - s.tile[tile].base] == CITY
               and s.total[s.label[node]] & OPEN_MASK == 0 and n_tiles_of(s, s.label[node], CITY) == 2
               and add_castle(s, tile, node - s.tile[tile].base) and s.buildings.castle[i].node == node
               and is_new <= (i == n - 1), f"castle {i}")
        s.buildings.castle[i].is_new = <u8>is_new
        n_new += is_new
    demand(n_new == (s.buildings.built == BUILT_CASTLE), "new castle")
    return 0


cdef u32 tile_of(const state_t* s, u32 node) noexcept:
    """Return the tile of a node."""
    cdef u32 i = 0
    while i + 1 < s.h.n_tiles and s.tile[i + 1].base <= node:
        i += 1
    return i


cdef int load_house_figure(state_t* s, figure_t* f) except -1:
    """Put a figure on a castle, or on a barn."""
    cdef u32 i
    demand(f.kind == MEEPLE and s.g.boxes & BOX_BRIDGES_CASTLES, "figure on a building")
    if f.place == ON_BARN:
        demand(barn_node(s, f.tile) == f.node, "farmer on a barn")
        for i in range(s.h.n_figures):
            demand(s.h.figure[i].place != ON_BARN or s.h.figure[i].tile != f.tile, "two farmers on a barn")
        s.total[s.label[f.node]] += one_figure(f.owner)
        return 0
    for i in range(s.buildings.n):
        if s.buildings.castle[i].node == f.node and not s.buildings.castle[i].has_maiden:
            s.buildings.castle[i].has_maiden = True
            return 0
    return demand(False, "maiden")


cdef int load_tower_figure(state_t* s, u32 tile, u32 segment, u32 kind) except -1:
    """Put a figure on the tower of a tile."""
    cdef u32 i
    for i in range(s.towers.n):
        if s.towers.tower[i].tile == tile:
            demand(s.towers.tower[i].height > 0 and s.towers.tower[i].top != WHITE and kind == MEEPLE and segment == 0
                   and not s.towers.tower[i].has_figure, "figure on a tower")
            s.towers.tower[i].has_figure = True
            return 0
    return demand(False, "figure on a tower")


cdef int load_figures(state_t* s, cursor_t* c, u32 n_figures) except -1:
    cdef u32 i, tile, segment, owner, kind, place
    cdef figure_t* f
    for i in range(n_figures):
        tile, segment, owner = <u32>get(c, 2), <u32>get(c, 1), <u32>get(c, 1)
        kind, place = <u32>get(c, 1), <u32>get(c, 1)
        demand(tile < s.h.n_tiles and segment < s.g.rec[s.tile[tile].rec].n_segments, f"place of figure {i}")
        demand(owner < s.g.n_players and kind <= ABBOT, f"figure {i}")
        demand(s.h.supply[owner][kind] > 0, f"figures of player {owner}")
        if place == ON_TOWER and s.g.boxes & ANY_TOWER:
            load_tower_figure(s, tile, segment, kind)
        elif place != ON_CASTLE and place != ON_BARN:
            demand(place == ON_SEGMENT and places_for(s, s.tile[tile].rec >> 2, kind) >> segment & 1, f"place of figure {i}")
        f = &s.h.figure[i]
        f.node, f.tile, f.owner = s.tile[tile].base + <u16>segment, <u16>tile, <u8>owner
        f.kind, f.place, f.spare = <u8>kind, <u8>place, 0
        if place == ON_CASTLE or place == ON_BARN:
            load_house_figure(s, f)
        s.h.n_figures += 1
        s.h.supply[owner][kind] -= 1
        s.h.key += figure_word(s, f)
        if place != ON_SEGMENT:
            continue
        s.total[s.label[f.node]] += one_figure(owner)
        if segment == s.g.rec[s.tile[tile].rec].monastery:
            watch_surroundings(s, s.tile[tile].at)
    if s.g.boxes & BOX_TOWER:
        tower_count_open(s)
    return 0


cdef int check_buildings(const state_t* s, bint in_turn) except -1:
    """Check barns against their farmers, and what was built this turn against the tile placed last."""
    cdef u32 i
    cdef u32 n = s.buildings.barns
    cdef bint has_bridge = s.g.rec[s.tile[s.h.n_tiles - 1].rec].bridge != 0
    for i in range(s.h.n_figures):
        n += s.h.figure[i].place == ON_BARN
    demand(n == s.g.barns, "number of barns")
    demand(s.buildings.built == BUILT_NOTHING if not in_turn or s.h.phase == PHASE_BUILD
           else (s.buildings.built == BUILT_BRIDGE) == has_bridge, "building of the turn")
    if in_turn and s.buildings.built == BUILT_CASTLE:
        n = s.buildings.castle[s.buildings.n - 1].tile
        demand(n == s.h.n_tiles - 1u or s.buildings.castle[s.buildings.n - 1].other_tile == s.h.n_tiles - 1u, "new castle")
    return 0


cdef int check_floor(const state_t* s) except -1:
    """Check the phases after a floor: something in range, or different own figures among the owner's prisoners."""
    cdef action_t[MAX_FIGURES + 1] some
    demand(s.g.boxes & BOX_TOWER and s.towers.floor < s.towers.n, "phase")
    demand(s.towers.tower[s.towers.floor].height > 0 and s.towers.tower[s.towers.floor].top != WHITE, "floor")
    if s.h.phase == PHASE_CAPTURE:
        demand(list_captures(s, some) > 1, "capture")
        return 0
    return demand(s.towers.prisoners[s.h.player][s.towers.captured_owner][s.towers.captured_kind]
                  and list_exchanges(s, some) > 1, "exchange")


cdef int check_turn(state_t* s) except -1:
    """Check that phase, turn and figures suit each other."""
    cdef action_t[MAX_TILES] some
    cdef u32 i, terrain, discards
    cdef const figure_t* f
    cdef u32 in_turn = PHASE_PLACE < s.h.phase < PHASE_END     # the tile is placed, its turn not finished
    demand(s.h.turn + 1u + in_turn == s.h.n_tiles, "number of the turn")
    demand(s.h.turn_player == s.h.turn % s.g.n_players and s.h.player == s.h.turn_player, "player")
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        check_buildings(s, in_turn)
    demand((s.h.drawn != NONE) == (s.h.phase == PHASE_PLACE or s.h.phase == PHASE_GROW), "drawn tile")
    if s.h.phase == PHASE_PLACE:
        demand(s.h.drawn < s.g.n_draw and turn_fits_anywhere(s, s.h.drawn), "drawn tile")
    elif s.h.phase == PHASE_GROW:
        demand(s.g.boxes & BOX_THIEVES and s.h.drawn < s.g.n_draw and s.g.type[s.h.drawn].thief and list_grow(s, some) > 0
               and s.towers.pool > 0, "phase")
    elif s.h.phase == PHASE_BUILD:
        demand(s.g.boxes & BOX_BRIDGES_CASTLES and s.buildings.built == BUILT_NOTHING and list_buildings(s, some) > 1, "phase")
    elif s.h.phase == PHASE_FIGURE:
        demand(turn_can_use_figure(s), "phase")
    elif s.h.phase == PHASE_CAPTURE or s.h.phase == PHASE_EXCHANGE:
        check_floor(s)
    else:
        discards = s.h.discards
        demand(s.h.phase == (PHASE_DRAW if turn_settle(s) else PHASE_END) and s.h.discards == discards, "phase")
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        if f.place != ON_SEGMENT:
            continue
        terrain = terrain_under(s, f)
        if in_turn:
            demand(f.tile != s.h.n_tiles - 1, "figure on the tile just placed")
        elif terrain == ROAD or terrain == CITY:
            demand(s.total[s.label[f.node]] & OPEN_MASK, f"figure {i} on a closed feature")
        elif terrain != FIELD:
            demand(surrounding_tiles(s, f.tile) < 8, f"figure {i} on a complete monastery or garden")
    return 0
