"""What must be true of a state between two steps, checked from the placed tiles and figures alone, slowly.

A second, plainer computation of all that the state keeps ready: the grid, the frontier, the features by flood fill,
their sums, supplies, closed cities and the key.
"""

from bastide._core.expansions.towers cimport floor_colour
from bastide._core.features cimport CASTLE, MULTI_MASK, MULTI_SHIFT, OPEN_MASK, WORTH_MASK, WORTH_SHIFT, figures_of
from bastide._core.geometry cimport index_of, place_at, x_of, y_of
from bastide._core.state cimport (
    CELL_CLOSED, CELL_DEMAND, CELL_NEAR, CELL_TAKEN, CELL_TILE, ON_BARN, ON_CASTLE, ON_SEGMENT, ON_TOWER,
    figure_word, state_t, tile_word, tower_t,
)
from bastide._core.tiles cimport ANY_TOWER, BOX_BRIDGES_CASTLES, BOX_TOWER, LEFT, RIGHT, TERRAIN, type_t
from bastide._core.types cimport (
    BLACK, CITY, MEEPLE, N_FIGURE_KINDS, NONE, PHASE_EXCHANGE, PHASE_PLACE, PHASE_GROW, PILE_DECK, PILE_RIVER,
    PILE_TOWER, RIVER, ROAD, WHITE, u32, u64,
)

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


cdef list faults(const state_t* s):
    """List what is wrong with a state, as sentences; empty if nothing is."""
    cdef list out = []
    cdef dict board = {}
    cdef u32 i
    for i in range(s.h.n_tiles):
        cell = (x_of(s.tile[i].at), y_of(s.tile[i].at))
        if cell in board:
            out.append(f"two tiles at {cell}")
        board[cell] = i
        if s.tile[i].at != place_at(s.lay, cell[0], cell[1]):
            out.append(f"tile {i} has the wrong index for its cell {cell}")
    if out or not board:
        return out or ["no tile on the board"]
    check_grid(s, board, out)
    check_features(s, board, out)
    check_figures(s, out)
    check_head(s, board, out)
    if s.g.boxes & ANY_TOWER:
        check_towers(s, out)
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        check_buildings(s, out)
    return out


cdef void check_grid(const state_t* s, dict board, list out) except *:
    """The cells of the tiles, and the demands and the frontier round them."""
    cdef dict demand = {}
    cdef u32 i, e, code, cell
    cdef u64 word
    for (x, y), number in board.items():
        cell = s.cells[index_of(s.tile[<u32>number].at)]
        if not cell & CELL_TAKEN or (cell & CELL_TILE) != <u32>number:
            out.append(f"the grid does not hold tile {number} at {x},{y}")
        for e in range(4):
            dx, dy = STEPS[e]
            code = <u32>(s.g.rec[s.tile[<u32>number].rec].edge[e] >> TERRAIN)
            where = (x + dx, y + dy)
            if where in board:
                other = <u32>(s.g.rec[s.tile[<u32>board[where]].rec].edge[e ^ 2] >> TERRAIN)
                if other != code:
                    out.append(f"edges do not match between {x},{y} and {where}")
            else:
                demand[where] = demand.get(where, 0) | (ROAD if code == RIVER else code) << (2 * (e ^ 2))
    frontier = {}
    for i in range(s.h.n_front):
        where = (x_of(s.front[i]), y_of(s.front[i]))
        if where in frontier:
            out.append(f"{where} stands twice in the frontier")
        frontier[where] = s.cells[index_of(s.front[i])] & CELL_DEMAND
    closed = (x_of(s.h.river_cell), y_of(s.h.river_cell))
    if s.h.river_is_open:
        if closed in frontier or not s.cells[index_of(s.h.river_cell)] & CELL_CLOSED:
            out.append(f"the river's open end {closed} is not closed to other tiles")
        frontier[closed] = s.cells[index_of(s.h.river_cell)] & CELL_DEMAND
    if frontier != demand:
        out.append(f"the frontier is {frontier}, should be {demand}")
    x0, x1 = min(x for x, _ in board), max(x for x, _ in board)
    y0, y1 = min(y for _, y in board), max(y for _, y in board)
    if (s.h.x0, s.h.x1, s.h.y0, s.h.y1) != (x0, x1, y0, y1):
        out.append("the bounding box is wrong")
    for y in range(y0 - 2, y1 + 3):
        for x in range(x0 - 2, x1 + 3):
            cell = s.cells[index_of(place_at(s.lay, x, y))]
            if (x, y) not in board and (cell & CELL_TAKEN or (cell & CELL_DEMAND) != demand.get((x, y), 0)):
                out.append(f"the grid is wrong at {x},{y}")


cdef void check_features(const state_t* s, dict board, list out) except *:
    """Labels and sums, against a flood fill over the edges."""
    cdef dict links = {}
    cdef u32 i, e, k, node, label
    cdef u64 mine, theirs
    cdef const type_t* K
    for (x, y), number in board.items():
        i = number
        for e in range(4):
            other = board.get((x + STEPS[e][0], y + STEPS[e][1]))
            if other is None:
                continue
            mine, theirs = s.tile[i].edge[e], s.tile[<u32>other].edge[e ^ 2]
            code = mine >> TERRAIN
            if code == CITY or code == ROAD:
                links.setdefault(mine & 0xFFFF, []).append(theirs & 0xFFFF)
            if code != CITY:
                links.setdefault(mine >> LEFT & 0xFFFF, []).append(theirs >> RIGHT & 0xFFFF)
                links.setdefault(mine >> RIGHT & 0xFFFF, []).append(theirs >> LEFT & 0xFFFF)
    seen = {}
    closed_cities = set()
    for i in range(s.h.n_tiles):
        K = &s.g.type[s.tile[i].rec >> 2]
        for k in range(K.n_segments):
            node = s.tile[i].base + k
            label = s.label[node]
            if node in seen:
                continue
            todo = [node]
            members = set()
            while todo:
                member = todo.pop()
                if member not in members:
                    members.add(member)
                    todo.extend(links.get(member, ()))
            for member in members:
                seen[member] = node
                if s.label[<u32>member] != label:
                    out.append(f"nodes {node} and {member} are one feature with two labels")
            if label not in members:
                out.append(f"the label of node {node} is {label}, none of its feature")
            check_sums(s, board, label, members, K.kind[k], closed_cities, out)
    cities = [s.label[s.city[i]] for i in range(s.h.n_cities)]
    if len(cities) != len(set(cities)) or set(cities) != closed_cities:
        out.append(f"closed cities are {cities}, should be {sorted(closed_cities)}")


cdef void check_sums(const state_t* s, dict board, u32 label, set members, u32 kind, set closed, list out) except *:
    cdef u32 i, k, e, node
    cdef u32 n_open = 0
    cdef u32 worth = 0
    cdef u32 multi = 0
    cdef u64 total = s.total[label]
    cdef list figures = [0] * s.g.n_players
    if kind == ROAD or kind == CITY:
        for (x, y), number in board.items():
            i = number
            for k in range(s.g.type[s.tile[i].rec >> 2].n_segments):
                if s.tile[i].base + k in members:
                    worth += s.g.type[s.tile[i].rec >> 2].total[k] >> WORTH_SHIFT & WORTH_MASK
                    multi += s.g.rec[s.tile[i].rec].is_multi and (s.g.type[s.tile[i].rec >> 2].total[k] >> MULTI_SHIFT & MULTI_MASK)
            for e in range(4):
                node = <u32>(s.tile[i].edge[e] & 0xFFFF)
                if (s.tile[i].edge[e] >> TERRAIN == kind and node in members
                        and (x + STEPS[e][0], y + STEPS[e][1]) not in board):
                    n_open += 1
        if (total & OPEN_MASK, total >> WORTH_SHIFT & WORTH_MASK, total >> MULTI_SHIFT & MULTI_MASK) != (n_open, worth, multi):
            out.append(f"the sums of feature {label} are wrong")
        if kind == CITY and n_open == 0:
            closed.add(label)
    for i in range(s.h.n_figures):
        if (s.h.figure[i].place == ON_SEGMENT or s.h.figure[i].place == ON_BARN) and s.h.figure[i].node in members:
            figures[s.h.figure[i].owner] += 1
    if [figures_of(total, i) for i in range(s.g.n_players)] != figures:
        out.append(f"the figures on feature {label} are not counted right")


cdef void check_figures(const state_t* s, list out) except *:
    """Figures in hand and on the board are all there are."""
    cdef u32 i, kind
    for i in range(s.g.n_players):
        for kind in range(N_FIGURE_KINDS):
            n = s.h.supply[i][kind]
            if s.g.boxes & ANY_TOWER:
                n += sum([s.towers.prisoners[<u32>j][i][kind] for j in range(s.g.n_players)])
            for k in range(s.h.n_figures):
                n += s.h.figure[<u32>k].owner == i and s.h.figure[<u32>k].kind == kind
            if n != (7 if kind == MEEPLE else s.g.n_abbots):
                out.append(f"player {i} has {n} figures of kind {kind}")
    for i in range(s.h.n_figures):
        if s.h.figure[i].place == ON_SEGMENT and s.g.rec[s.tile[s.h.figure[i].tile].rec].monastery == (
                s.h.figure[i].node - s.tile[s.h.figure[i].tile].base):
            if not s.cells[index_of(s.tile[s.h.figure[i].tile].at)] & CELL_NEAR:
                out.append(f"figure {i} stands on a monastery whose surroundings are not watched")


cdef void check_towers(const state_t* s, list out) except *:
    """Foundations, floors and figures on towers."""
    cdef u32 i, j
    cdef const tower_t* t
    foundations = [i for i in range(s.h.n_tiles) if s.g.type[s.tile[<u32>i].rec >> 2].is_foundation]
    if foundations != [s.towers.tower[<u32>i].tile for i in range(s.towers.n)]:
        out.append("the towers are not the foundations on the board")
    occupied = sorted([s.h.figure[<u32>i].tile for i in range(s.h.n_figures) if s.h.figure[<u32>i].place == ON_TOWER])
    if occupied != [s.towers.tower[<u32>i].tile for i in range(s.towers.n) if s.towers.tower[<u32>i].has_figure]:
        out.append("the figures on towers are not those on the board")
    is_open = [not s.towers.tower[<u32>i].has_figure and s.towers.tower[<u32>i].top != WHITE for i in range(s.towers.n)]
    is_tall = [is_open[i] and s.towers.tower[<u32>i].height > 0 for i in range(s.towers.n)]
    if s.g.boxes & BOX_TOWER and (s.towers.n_open, s.towers.n_tall) != (sum(is_open), sum(is_tall)):
        out.append("the open towers are counted wrongly")
    floors = [0, 0, 0]
    for i in range(s.towers.n):
        t = &s.towers.tower[i]
        for j in range(t.height):
            floors[floor_colour(t, j)] += 1
        if t.height and (t.black >> t.height or (t.black >> (t.height - 1) & 1) != (t.top == BLACK)):
            out.append(f"tower {i} has the wrong top")
    for i in range(s.g.n_players):
        for j in range(3):
            floors[j] += s.towers.floors[i][j]
    floors[0] += s.towers.pool
    if floors != [s.g.floors[<u32>i] * s.g.n_players + (s.g.shared_floors if i == 0 else 0) for i in range(3)]:
        out.append("floors were lost or made")
    if s.h.phase != PHASE_EXCHANGE:
        for i in range(s.g.n_players):
            for j in range(i):
                if sum(s.towers.prisoners[i][j]) and sum(s.towers.prisoners[j][i]):
                    out.append(f"players {i} and {j} hold prisoners of each other")


cdef void check_buildings(const state_t* s, list out) except *:
    """Bridges, castles with their maidens, and barns are all there are."""
    cdef u32 i
    bridges = sum([s.g.rec[s.tile[<u32>i].rec].bridge != 0 for i in range(s.h.n_tiles)])
    barns = [s.h.figure[<u32>i].tile for i in range(s.h.n_figures) if s.h.figure[<u32>i].place == ON_BARN]
    maidens = sorted([s.h.figure[<u32>i].node for i in range(s.h.n_figures) if s.h.figure[<u32>i].place == ON_CASTLE])
    castles = [s.buildings.castle[<u32>i].node for i in range(s.buildings.n)]
    if (s.buildings.bridges + bridges, s.buildings.castles + len(castles), s.buildings.barns + len(barns)) != (
            s.g.bridges, s.g.castles, s.g.barns):
        out.append("bridges, castles or barns were lost or made")
    if maidens != sorted([s.buildings.castle[<u32>i].node for i in range(s.buildings.n) if s.buildings.castle[<u32>i].has_maiden]):
        out.append("the maidens are not those of the castles")
    for i in range(s.buildings.n):
        if not s.total[s.label[s.buildings.castle[i].node]] & CASTLE or s.total[s.label[s.buildings.castle[i].node]] & OPEN_MASK:
            out.append(f"castle {i} stands on no closed city")


cdef void check_head(const state_t* s, dict board, list out) except *:
    """Phase, turn, tiles left and the key."""
    cdef u32 i
    cdef u64 key = 0
    left = [0, 0, 0]
    for i in range(s.g.n_draw):
        left[s.g.type[i].pile] += s.left[i]
    if left[PILE_DECK] != s.h.n_deck or left[PILE_RIVER] != s.h.n_river + s.h.n_lake or left[PILE_TOWER] != s.h.n_tower_pile:
        out.append(f"{s.h.n_deck} tiles left in the deck and {s.h.n_river + s.h.n_lake} of the river, should be {left}")
    if (s.h.drawn != NONE) != (s.h.phase == PHASE_PLACE or s.h.phase == PHASE_GROW):
        out.append("a tile is in hand in the wrong phase")
    if s.h.turn_player != s.h.turn % s.g.n_players:
        out.append("it is the wrong player's turn")
    for i in range(s.h.n_tiles):
        key += tile_word(s, s.tile[i].at, s.tile[i].rec)
    for i in range(s.h.n_figures):
        key += figure_word(s, &s.h.figure[i])
    if key != s.h.key:
        out.append("the key is wrong")
