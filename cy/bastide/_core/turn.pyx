"""The state machine of a game (B3): DRAW (chance) -> PLACE -> FIGURE -> scoring -> the next player's DRAW -> END.

Chance is explicit: `turn_draw` is told the tile, and nothing here draws. A player phase lists its actions without
duplicates, in no order, never none; a phase in which only a pass would be possible is not entered.
"""

from bastide._core.actions cimport (
    ACT_BARN, ACT_CAPTURE, ACT_CASTLE, ACT_DEPLOY, ACT_EXCHANGE, ACT_FLOOR, ACT_GROW, ACT_NO_BUILDING, ACT_PASS, ACT_PLACE, ACT_RANSOM, ACT_TAKE_BACK, ACT_TOWER, ACT_WATCHMAN,
    SPOT_BARN, SPOT_CASTLE, cell_of, figure_of, kind_of, pack_action, spot_of,
)
from bastide._core.expansions.abbot cimport list_take_back_abbot, own_abbot, take_back_abbot
from bastide._core.expansions.bridges cimport bridge_may_stand, bridged_fitting, bridged_rec
from bastide._core.expansions.castles cimport (
    build_barn, build_castle, buildings_begin, buildings_finish_turn, deploy_maiden, list_buildings, list_maidens,
    score_barn, take_back_maiden,
)
from bastide._core.expansions.river cimport (
    LAKE, river_begin, river_bridged_fits, river_can_draw, river_fits, river_fits_somehow, river_place, river_settle,
)
from bastide._core.expansions.thieves cimport (
    THIEF_GROWS, THIEF_STEALS, can_place_watchman, grow, list_grow, list_watchmen, place_watchman, score_watchmen_final,
    thief_drawn, thief_outcome, thieves_begin, thieves_found,
)
from bastide._core.expansions.tower cimport (
    capture, climb_tower, count_floors, count_tower_followers, exchange, list_captures, list_exchanges, list_floors,
    list_ransoms, list_tower_followers, nth_floor, nth_tower_follower, put_floor, ransom, tower_begin, tower_can_act, tower_finish_turn, tower_found,
)
from bastide._core.expansions.watchtowers cimport watchtower_bonuses
from bastide._core.geometry cimport place_at
from bastide._core.rng cimport below, choose, rng_t
from bastide._core.listing cimport list_where_it_fits, list_where_it_fits_in_order
from bastide._core.meeples cimport deploy, free_segments, places_for
from bastide._core.placement cimport extend_box, fits_anywhere, fitting, fitting_at, place_tile
from bastide._core.scoring cimport score_closed, score_final
from bastide._core.state cimport BUILT_BRIDGE, find_slot, state_clear, state_room, state_t, tile_t, tile_word
from bastide._core.tiles cimport (
    BOX_ABBOT, BOX_BRIDGES_CASTLES, BOX_RIVER, BOX_THIEVES, BOX_TOWER, BOX_WATCHTOWERS, game_t, type_t,
)
from bastide._core.types cimport (
    ABBOT, MAIDEN, MAX_TILES, MEEPLE, NONE, PHASE_BUILD, PHASE_CAPTURE, PHASE_DRAW, PHASE_END, PHASE_EXCHANGE, PHASE_FIGURE, PHASE_GROW, PHASE_PLACE,
    PILE_DECK, PILE_RIVER, PILE_TOWER, action_t, place_t, u8, u16, u32, u64,
)

cdef enum:
    MAX_BUILDINGS = 48        # no building, 4 castles, 4 corners x 7 farmers; maidens: 1 + 7


cdef void turn_start(state_t* s) noexcept nogil:
    """Begin a game: the start tile on the board (B2), full supplies (B1), the first player at the draw."""
    cdef const game_t* g = s.g
    cdef u32 i
    state_clear(s)
    for i in range(g.n_players):
        s.h.supply[i][MEEPLE] = 7
        s.h.supply[i][ABBOT] = <u8>g.n_abbots
    s.h.n_deck, s.h.n_river, s.h.n_lake = g.n_deck, g.n_river, <u8>g.n_lake
    s.h.drawn = NONE
    s.h.n_tower_pile = g.n_tower_pile
    if g.boxes & BOX_TOWER:
        tower_begin(s)
    if g.boxes & BOX_THIEVES:
        thieves_begin(s)
    if g.boxes & BOX_BRIDGES_CASTLES:
        buildings_begin(s)
    turn_lay_start(s)
    begin_draw(s)


cdef void turn_lay_start(state_t* s) noexcept nogil:
    """Lay the start tile at (0, 0), unrotated (B2, R1)."""
    s.front[0] = place_at(s.lay, 0, 0)
    s.h.n_front = 1
    place_tile(s, 0, s.g.start * 4)
    s.h.key += tile_word(s, s.tile[0].at, s.tile[0].rec)
    if s.g.boxes & BOX_RIVER:
        river_begin(s)
    turn_note_tile(s)


cdef void turn_note_tile(state_t* s) noexcept nogil:
    """Take into account what stands on the tile placed last."""
    if s.g.boxes & BOX_TOWER:
        tower_found(s)
    if s.g.boxes & BOX_THIEVES:
        thieves_found(s)
    if s.g.rec[s.tile[s.h.n_tiles - 1].rec].bridge:
        s.buildings.bridges -= 1
        s.buildings.built = BUILT_BRIDGE


cdef bint turn_settle(state_t* s) noexcept nogil:
    """See which pile the next tile comes from; tell whether there is one (B5)."""
    s.h.pile = PILE_DECK
    if s.g.boxes & BOX_RIVER:
        river_settle(s)
    if s.h.pile == PILE_DECK and s.h.owes_tower and s.h.n_tower_pile:
        s.h.pile = PILE_TOWER                         # H6, H7
    return s.h.n_deck > 0 or s.h.pile != PILE_DECK


cdef void begin_draw(state_t* s) noexcept nogil:
    """A tile must be drawn next; the game ends if none is left (B5)."""
    s.h.player = s.h.turn_player
    s.h.phase = PHASE_DRAW
    if not turn_settle(s):
        turn_end(s)


cdef void turn_end(state_t* s) noexcept nogil:
    """End the game with the final scoring (B11, B12, H8)."""
    score_final(s)
    if s.g.boxes & BOX_THIEVES:
        score_watchmen_final(s)
    s.h.phase = PHASE_END


cdef bint can_draw(const state_t* s, u32 type) noexcept nogil:
    """Tell whether a type is in the pile that is drawn from, and can come up."""
    if s.h.pile == PILE_RIVER:
        return river_can_draw(s, type)
    return s.left[type] > 0 and s.g.type[type].pile == s.h.pile


cdef u32 turn_draws(const state_t* s, u16* type, u32* count) noexcept nogil:
    """List what can be drawn now: types and how many of each; all tiles are equally likely. Returns how many types."""
    cdef u32 n = 0
    cdef u32 i, t
    cdef bint is_river = s.h.pile == PILE_RIVER
    for i in range(s.g.n_river_types if is_river else s.g.n_draw):
        t = s.g.river_types[i] if is_river else i
        if can_draw(s, t):
            type[n], count[n] = <u16>t, s.left[t]
            n += 1
    return n


cdef bint turn_can_draw(const state_t* s, u32 type) noexcept nogil:
    return s.h.phase == PHASE_DRAW and type < s.g.n_draw and can_draw(s, type)


cdef u32 turn_choose_draw(const state_t* s, rng_t* rng) noexcept nogil:
    """Choose what to draw by the probabilities: every tile that can come up is equally likely."""
    cdef u16[MAX_TILES] type
    cdef u32[MAX_TILES] count
    cdef u32 total = 0
    cdef u32 i = 0
    cdef u32 n
    cdef u64 k
    if not (s.g.n_river or s.g.n_lake or s.g.n_tower_pile):      # one pile
        k = below(rng, s.h.n_deck)
        while k >= s.left[i]:
            k -= s.left[i]
            i += 1
        return i
    n = turn_draws(s, type, count)
    for i in range(n):
        total += count[i]
    k = below(rng, total)
    i = 0
    while k >= count[i]:
        k -= count[i]
        i += 1
    return type[i]


cdef int turn_draw(state_t* s, u32 type) noexcept nogil:
    """Draw a tile that can be drawn, with all that follows at once. -1 and unchanged if memory is short."""
    if state_room(s) < 0:
        return -1
    s.left[type] -= 1
    if s.g.type[type].pile == PILE_RIVER:
        s.h.n_river -= s.h.n_river > 0            # the lake is drawn when the others are gone
        s.h.n_lake -= s.g.type[type].river_role == LAKE
    elif s.g.type[type].pile == PILE_TOWER:
        s.h.n_tower_pile -= 1
    else:
        s.h.n_deck -= 1
    if s.g.type[type].thief and s.g.boxes & BOX_THIEVES:
        turn_thief(s, thief_drawn(s, type))
    else:
        take_in_hand(s, type)
    return 0


cdef void take_in_hand(state_t* s, u32 type) noexcept nogil:
    """Go on with a drawn tile: to its placing, or on with another where it fits nowhere (B5, H7)."""
    if turn_fits_anywhere(s, type):
        s.h.drawn = <u16>type
        s.h.phase = PHASE_PLACE
    else:
        turn_discard(s)


cdef bint turn_fits_anywhere(const state_t* s, u32 type) noexcept nogil:
    """Tell whether a type can be placed, with a bridge if need be (B5, G6)."""
    cdef u32 i
    if s.g.type[type].pile == PILE_RIVER:
        return river_fits_somehow(s, type)
    if fits_anywhere(s, type):
        return True
    if s.g.type[type].bridged[0] != NONE or s.g.type[type].bridged[1] != NONE:
        for i in range(s.h.n_front):
            if bridged_fitting(s, s.front[i], type, 0) or bridged_fitting(s, s.front[i], type, 1):
                return True
    return False


cdef void turn_discard(state_t* s) noexcept nogil:
    """Let the drawn tile, which fits nowhere, leave the game; another is drawn (B5)."""
    s.h.drawn = NONE
    s.h.discards += 1
    begin_draw(s)


cdef void turn_thief(state_t* s, thief_outcome outcome) noexcept nogil:
    """Go on after a step of a thief (H5, H6)."""
    if outcome == THIEF_GROWS:
        s.h.phase = PHASE_GROW
        return
    s.h.owes_tower = outcome == THIEF_STEALS
    if outcome == THIEF_STEALS:
        begin_draw(s)
    else:
        take_in_hand(s, s.h.drawn)


cdef u32 turn_list(const state_t* s, action_t* out) noexcept nogil:
    """List the legal actions of the phase into `out` (room for g.max_actions); none at chance and at the end."""
    if s.h.phase == PHASE_PLACE:
        return list_placements(s, out)
    if s.h.phase == PHASE_FIGURE:
        return list_figures(s, out)
    if s.h.phase == PHASE_BUILD:
        return list_buildings(s, out)
    if s.h.phase == PHASE_GROW:
        return list_grow(s, out)
    if s.h.phase == PHASE_CAPTURE:
        return list_captures(s, out)
    if s.h.phase == PHASE_EXCHANGE:
        return list_exchanges(s, out)
    return 0


cdef u32 list_placements(const state_t* s, action_t* out) noexcept nogil:
    """List where the drawn tile fits (B4), with a bridge too (G2)."""
    cdef u32 drawn = s.h.drawn
    cdef u32 n = 0
    cdef u32 i, axis
    if s.g.type[drawn].pile == PILE_RIVER:
        n = put_rotations(s, out, s.h.river_cell, drawn, river_fits(s, drawn))
        for axis in range(2):
            n += put_rotations(s, out + n, s.h.river_cell, s.g.type[drawn].bridged[axis], river_bridged_fits(s, drawn, axis))
        return n
    n = list_where_it_fits(s, drawn, out)
    for axis in range(2):
        if s.g.type[drawn].bridged[axis] != NONE and s.buildings.bridges:
            for i in range(s.h.n_front):
                n += put_rotations(s, out + n, s.front[i], s.g.type[drawn].bridged[axis],
                                   bridged_fitting(s, s.front[i], drawn, axis))
    return n


cdef inline u32 put_rotations(const state_t* s, action_t* out, place_t at, u32 type, u32 mask) noexcept nogil:
    """Append the placements of a type at a cell, one for each set bit of a mask of rotations. `out` has room for four."""
    cdef u32 n = 0
    cdef u32 q
    if mask == 0:                                     # then there may be no such type
        return 0
    for q in range(4):
        out[n] = pack_action(ACT_PLACE, at, q | <u32>s.g.rec[type * 4 + q].bridge << 2, 0, 0)
        n += mask >> q & 1
    return n


cdef u32 list_figures(const state_t* s, action_t* out) noexcept nogil:
    """List pass and what the player may do with a figure (B6, B13)."""
    cdef u32 n = list_figures_on_tile(s, out)
    if s.g.boxes & BOX_TOWER:
        n += list_floors(s, out + n)
        n += list_tower_followers(s, out + n)
    return n + list_figures_of_boxes(s, out + n)


cdef action_t turn_choose_figure(const state_t* s, rng_t* rng, action_t* work) noexcept nogil:
    """Choose one of the actions of `list_figures`, with The Tower: floors and towers to climb, which are many, are counted
    and not listed. `work` has room for g.max_actions.
    """
    cdef u32 n_before = list_figures_on_tile(s, work)
    cdef u32 n_after = list_figures_of_boxes(s, work + n_before)
    cdef u32 n_floors = count_floors(s)
    cdef u32 n_followers = count_tower_followers(s)
    cdef u32 k = choose(rng, n_before + n_floors + n_followers + n_after)
    if k < n_before:
        return work[k]
    k -= n_before
    if k < n_floors:
        return nth_floor(s, k)
    k -= n_floors
    if k < n_followers:
        return nth_tower_follower(s, k)
    return work[n_before + k - n_followers]


cdef inline u32 list_figures_on_tile(const state_t* s, action_t* out) noexcept nogil:
    """List pass, figures on the tile placed last, abbots to take back, prisoners to buy back."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef const type_t* K = &s.g.type[t.rec >> 2]
    cdef u32 free = free_segments(s)
    cdef u32 n = 1
    cdef u32 k, figure, spots
    out[0] = pack_action(ACT_PASS, 0, 0, 0, 0)
    for figure in range(2):
        if s.h.supply[s.h.player][figure] == 0:
            continue
        spots = free & places_for(s, t.rec >> 2, figure)
        if spots == 0:
            continue
        for k in range(K.n_segments):
            out[n] = pack_action(ACT_DEPLOY, t.at, K.spot[t.rec & 3][k], figure, 0)
            n += spots >> k & 1
    if s.g.boxes & BOX_ABBOT:
        n += list_take_back_abbot(s, out + n)
    if s.g.boxes & BOX_TOWER:
        n += list_ransoms(s, out + n)
    return n


cdef inline u32 list_figures_of_boxes(const state_t* s, action_t* out) noexcept nogil:
    """List watchmen, and maidens to take back."""
    cdef u32 n = 0
    if s.g.boxes & BOX_THIEVES:
        n += list_watchmen(s, out)
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        n += list_maidens(s, out + n)
    return n


cdef u32 turn_list_in_order(const state_t* s, action_t* out) noexcept nogil:
    """List the legal actions as `turn_list` does, ascending."""
    cdef u32 n
    if s.h.phase == PHASE_PLACE and s.g.type[s.h.drawn].pile != PILE_RIVER and not s.g.boxes & BOX_BRIDGES_CASTLES:
        return list_where_it_fits_in_order(s, s.h.drawn, out)
    n = turn_list(s, out)
    sort_actions(out, n)
    return n


cdef bint turn_is_legal(const state_t* s, action_t action, action_t* work) noexcept nogil:
    """Tell whether an action is legal now; `work` has room for g.max_actions."""
    cdef u32 n, i
    if s.h.phase == PHASE_PLACE and s.g.type[s.h.drawn].pile != PILE_RIVER:
        if spot_of(action) <= 3:
            return (action == pack_action(ACT_PLACE, <place_t>cell_of(action) << 32, spot_of(action), 0, 0)
                    and fitting_at(s, s.h.drawn, cell_of(action)) >> spot_of(action) & 1)
        i = find_slot(s, cell_of(action))
        if i == s.h.n_front or action != pack_action(ACT_PLACE, s.front[i], spot_of(action), 0, 0):
            return False
        return rec_of(s, action) != NONE and turn_fits(s, rec_of(s, action) >> 2, i) >> (spot_of(action) & 3) & 1
    n = turn_list(s, work)
    for i in range(n):
        if work[i] == action:
            return True
    return False


cdef void turn_apply(state_t* s, action_t action) noexcept nogil:
    """Do a legal action and every automatic step that follows."""
    cdef u32 kind = kind_of(action)
    if kind == ACT_PLACE:
        apply_placement(s, action)
    elif kind == ACT_NO_BUILDING:
        enter_figure(s)
    elif kind == ACT_CASTLE:
        build_castle(s, action)
        enter_figure(s)
    elif kind == ACT_BARN:
        build_barn(s, action)
        enter_figure(s)
    elif kind == ACT_GROW:
        turn_thief(s, grow(s, action))
    elif kind == ACT_RANSOM:
        ransom(s, action)
        enter_figure(s)                               # T8: the figure action is still to come
    elif kind == ACT_FLOOR and put_floor(s, action):
        s.h.phase = PHASE_CAPTURE
    elif kind == ACT_CAPTURE and capture(s, action):
        s.h.phase = PHASE_EXCHANGE
    else:
        if kind == ACT_DEPLOY and spot_of(action) >= SPOT_CASTLE and spot_of(action) < SPOT_BARN:
            deploy_maiden(s)
        elif kind == ACT_DEPLOY:
            deploy(s, segment_at(s, spot_of(action)), s.h.player, figure_of(action))
        elif kind == ACT_TAKE_BACK and figure_of(action) == MAIDEN:
            take_back_maiden(s, action)
        elif kind == ACT_TAKE_BACK:
            take_back_abbot(s)
        elif kind == ACT_TOWER:
            climb_tower(s, action)
        elif kind == ACT_WATCHMAN:
            place_watchman(s, action)
        elif kind == ACT_EXCHANGE:
            exchange(s, figure_of(action))
        finish_turn(s)


cdef u32 turn_fits(const state_t* s, u32 type, u32 slot) noexcept nogil:
    """Return the distinct rotations, a bit each, in which a type, also one with a bridge, fits a frontier cell.

    Slot n_front is the river's end, for river tiles only.
    """
    cdef u32 mask, q
    if s.g.type[type].pile == PILE_RIVER:
        mask = river_fits(s, type) if slot == s.h.n_front else 0
    else:
        mask = fitting(s, type, slot) if slot < s.h.n_front else 0
        for q in range(4):
            if s.g.rec[type * 4].bridge and not bridge_may_stand(s, s.front[slot], type * 4 + q):
                mask &= ~(<u32>1 << q)
    if s.g.rec[type * 4].bridge and s.buildings.bridges == 0:
        return 0
    return mask


cdef u32 rec_of(const state_t* s, action_t action) noexcept nogil:
    """Return the record (type * 4 + rotation) that a placement lays, or NONE if the drawn tile has no such bridge."""
    cdef u32 q = spot_of(action) & 3
    cdef u32 bridge = spot_of(action) >> 2
    if bridge == 0:
        return s.h.drawn * 4u + q
    return bridged_rec(s, s.h.drawn, q, bridge) if bridge < 3 else <u32>NONE


cdef void turn_lay(state_t* s, u32 slot, u32 rec) noexcept nogil:
    """Lay a tile where it fits: on a frontier cell, or a river tile on the river's end."""
    if s.g.type[rec >> 2].pile == PILE_RIVER:
        river_place(s, rec)
    else:
        place_tile(s, slot, rec)
    extend_box(s)
    turn_note_tile(s)
    s.h.key += tile_word(s, s.tile[s.h.n_tiles - 1].at, s.tile[s.h.n_tiles - 1].rec)


cdef void apply_placement(state_t* s, action_t action) noexcept nogil:
    turn_lay(s, find_slot(s, cell_of(action)), rec_of(s, action))
    s.h.drawn = NONE
    turn_placed(s)


cdef void turn_placed(state_t* s) noexcept nogil:
    """Go on after a tile was laid."""
    cdef action_t[MAX_BUILDINGS] some
    s.h.owes_tower = 0
    if s.g.boxes & BOX_BRIDGES_CASTLES and s.buildings.built != BUILT_BRIDGE and list_buildings(s, some) > 1:
        s.h.phase = PHASE_BUILD
        return
    enter_figure(s)


cdef void enter_figure(state_t* s) noexcept nogil:
    """Enter the figure step if it offers more than a pass."""
    if turn_can_use_figure(s):
        s.h.phase = PHASE_FIGURE
    else:
        finish_turn(s)


cdef bint turn_can_use_figure(const state_t* s) noexcept nogil:
    """Tell whether the figure step offers more than a pass."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef action_t[MAX_BUILDINGS] some
    cdef u32 free, figure
    if s.g.boxes & BOX_TOWER and tower_can_act(s):    # nearly always, so it is asked first
        return True
    free = free_segments(s)
    for figure in range(2):
        if s.h.supply[s.h.player][figure] and free & places_for(s, t.rec >> 2, figure):
            return True
    if s.g.boxes & BOX_ABBOT and own_abbot(s) < s.h.n_figures:
        return True
    if s.g.boxes & BOX_THIEVES and can_place_watchman(s):
        return True
    return s.g.boxes & BOX_BRIDGES_CASTLES and list_maidens(s, some) > 0


cdef u32 segment_at(const state_t* s, u32 spot) noexcept nogil:
    """Return the segment of the tile placed last with a spot code."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef u32 k = 0
    while s.g.type[t.rec >> 2].spot[t.rec & 3][k] != spot:
        k += 1
    return k


cdef void finish_turn(state_t* s) noexcept nogil:
    """Score (step 3 of B3, in the order of C1) and pass the turn."""
    score_turn(s)
    if s.g.boxes & BOX_TOWER:
        tower_finish_turn(s)
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        buildings_finish_turn(s)
    s.h.turn += 1
    s.h.turn_player = <u8>((s.h.turn_player + 1) % s.g.n_players)
    begin_draw(s)


cdef void score_turn(state_t* s) noexcept nogil:
    if s.g.boxes & BOX_BRIDGES_CASTLES:
        score_barn(s)
    if s.g.boxes & BOX_WATCHTOWERS and s.h.n_closed:
        watchtower_bonuses(s)
    score_closed(s)


cdef void turn_score_now(state_t* s) noexcept nogil:
    """Score a state that nobody goes on with as if the game ended here (closed features of a pending turn included)."""
    if s.h.phase > PHASE_PLACE and s.h.phase != PHASE_END:
        score_turn(s)
    if s.h.phase != PHASE_END:
        turn_end(s)


cdef void sort_actions(action_t* a, u32 n) noexcept nogil:
    """Sort ascending in place: insertion below 48, else shell sort; lists are short."""
    cdef u32[6] gaps = [701, 132, 57, 23, 10, 4]
    cdef u32 k, i, j, gap
    cdef action_t x
    for k in range(7):
        gap = gaps[k] if k < 6 else 1
        if gap >= n or (n < 48 and gap > 1):
            continue
        for i in range(gap, n):
            x = a[i]
            j = i
            while j >= gap and a[j - gap] > x:
                a[j] = a[j - gap]
                j -= gap
            a[j] = x
