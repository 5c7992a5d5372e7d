"""What a position shows, as tuples of numbers: what the views of bastide.game are made of. No rules, no checks."""

from bastide._core.expansions.towers cimport floor_colour
from bastide._core.features cimport CASTLE, OPEN_MASK
from bastide._core.geometry cimport x_of, y_of
from bastide._core.scoring cimport count_closed_cities, feature_points, surrounding_tiles
from bastide._core.state cimport event_t, figure_t, log_t, state_t, tile_t, tower_t
from bastide._core.tiles cimport ANY_TOWER, BOX_BRIDGES_CASTLES, BOX_THIEVES, BOX_TOWER
from bastide._core.types cimport CITY, FIELD, N_FIGURE_KINDS, NONE, PHASE_CAPTURE, ROAD, u32

SOURCES = ("road", "city", "monastery", "garden", "field", "watchtower", "ransom", "maiden", "barn", "watchman", "thief")


cdef list view_tiles(const state_t* s):
    """Return (type, rotation, x, y) of the placed tiles in the order of placing."""
    cdef list out = []
    cdef const tile_t* t
    for i in range(s.h.n_tiles):
        t = &s.tile[i]
        out.append((t.rec >> 2, t.rec & 3, x_of(t.at), y_of(t.at)))
    return out


cdef list view_figures(const state_t* s):
    """Return (owner, kind, tile, segment, place) of the figures on the board."""
    cdef const figure_t* f
    cdef list out = []
    for i in range(s.h.n_figures):
        f = &s.h.figure[i]
        out.append((f.owner, f.kind, f.tile, f.node - s.tile[f.tile].base, f.place))
    return out


cdef list view_features(const state_t* s):
    """Return (label, list of (tile, segment), kind, is closed, points, open edges) of each feature."""
    cdef dict members = {}
    cdef u32 i, k, label, kind, is_closed, points, n
    cdef u32[1] field
    cdef u32[1] n_cities
    cdef const tile_t* t
    for i in range(s.h.n_tiles):
        t = &s.tile[i]
        for k in range(s.g.type[t.rec >> 2].n_segments):
            members.setdefault(s.label[t.base + k], []).append((i, k))
    cdef list out = []
    for label, segments in members.items():
        i, k = segments[0]
        kind = s.g.type[s.tile[i].rec >> 2].kind[k]
        n = 0
        if kind == FIELD:
            field[0] = label
            count_closed_cities(s, field, 1, n_cities)
            is_closed, points = False, 3 * n_cities[0]
        elif kind == ROAD or kind == CITY:
            n = <u32>s.total[label] & OPEN_MASK
            is_closed = n == 0
            points = feature_points(s, label, kind, not is_closed)
            if s.total[label] & CASTLE:
                points = 0
        else:
            n = 8 - surrounding_tiles(s, i)
            is_closed, points = n == 0, 9 - n
        out.append((label, segments, kind, bool(is_closed), points, n))
    return out


cdef list view_towers(const state_t* s):
    """Return (tile, colours of the floors from the ground, has a figure) of the tower foundations on the board, in the order of placing."""
    cdef const tower_t* t
    cdef list out = []
    if s.g.boxes & ANY_TOWER:
        for i in range(s.towers.n):
            t = &s.towers.tower[i]
            colours = tuple([floor_colour(t, floor) for floor in range(t.height)])
            out.append((t.tile, colours, bool(t.has_figure)))
    return out


cdef list view_prisoners(const state_t* s, u32 holder):
    """Return (owner, kind, how many) of a player's prisoners."""
    cdef list out = []
    if s.g.boxes & BOX_TOWER:
        for owner in range(s.g.n_players):
            for kind in range(N_FIGURE_KINDS):
                if s.towers.prisoners[holder][owner][kind]:
                    out.append((owner, kind, s.towers.prisoners[holder][owner][kind]))
    return out


cdef dict view_turn(const state_t* s):
    """Return what else goes on in the turn: name -> number; "floor" is a tile."""
    cdef dict out = {}
    if s.g.boxes & BOX_TOWER:
        out["ransomed"] = s.towers.has_ransomed
        out["owner"], out["kind"] = s.towers.captured_owner, s.towers.captured_kind
        if s.h.phase == PHASE_CAPTURE:
            out["floor"] = s.towers.tower[s.towers.floor].tile
    if s.g.boxes & BOX_THIEVES:
        out["stolen"], out["owes tower"] = s.towers.stolen, s.h.owes_tower
        out["grow from"] = s.towers.grow_from
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        out["built"] = s.buildings.built
    return out


cdef dict view_supply(const state_t* s):
    """Return the pieces in the shared supply, by kind."""
    cdef dict out = {}
    if s.g.boxes & BOX_THIEVES:
        out["floors"] = s.towers.pool
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        out["bridges"], out["castles"] = s.buildings.bridges, s.buildings.castles
        out["barns"] = s.buildings.barns
    return out


cdef list view_castles(const state_t* s):
    """Return (tile, segment) of the castles, each on the cell that comes first by (y, x)."""
    cdef list out = []
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        for i in range(s.buildings.n):
            tile = s.buildings.castle[i].tile
            out.append((tile, s.buildings.castle[i].node - s.tile[<u32>tile].base))
    return out


cdef list view_events(const state_t* s, const log_t* log):
    """Return (player, points, source, label or None, figures) of what the last step scored."""
    cdef list out = []
    cdef const event_t* e
    cdef const figure_t* f
    if log == NULL:
        return out
    for i in range(log.n_events):
        e = &log.event[i]
        figures = []
        for k in range(e.n_figures):
            f = &log.figure[e.first_figure + k]
            figures.append((f.owner, f.kind, f.tile, f.node - s.tile[f.tile].base, f.place))
        out.append((e.player, e.points, SOURCES[e.source], None if e.node == NONE else s.label[e.node], figures))
    return out
