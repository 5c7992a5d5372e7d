"""The state machine of a game (B3): DRAW (chance) -> PLACE -> FIGURE -> scoring -> the next player's DRAW -> END.

Chance is explicit: `turn_draw` is told the tile, and nothing here draws. A player phase lists its actions without
duplicates, in no order, never none; a phase in which only a pass would be possible is not entered.
"""

from bastide._core.actions cimport (
    ACT_DEPLOY, ACT_PASS, ACT_PLACE, cell_of, figure_of, kind_of, pack_action, spot_of,
)
from bastide._core.geometry cimport place_at
from bastide._core.meeples cimport deploy, free_segments, places_for
from bastide._core.placement cimport extend_box, fits_anywhere, fitting, place_tile
from bastide._core.scoring cimport score_closed, score_final
from bastide._core.state cimport find_slot, state_clear, state_room, state_t, tile_t, tile_word
from bastide._core.tiles cimport game_t, rec_t, type_t
from bastide._core.types cimport (
    ABBOT, FIELD, GARDEN, MEEPLE, MONASTERY, NONE, PHASE_DRAW, PHASE_END, PHASE_FIGURE, PHASE_PLACE, action_t, u8, u16,
    u32,
)


cdef void turn_start(state_t* s) noexcept nogil:
    """Begin a game: the start tile on the board (B2), full supplies (B1), the first player at the draw."""
    cdef const game_t* g = s.g
    cdef u32 i
    state_clear(s)
    for i in range(g.n_players):
        s.h.supply[i][MEEPLE] = 7
        s.h.supply[i][ABBOT] = <u8>g.n_abbots
    s.h.n_deck = g.n_deck
    s.h.drawn = NONE
    s.h.phase = PHASE_DRAW
    s.front[0] = place_at(s.lay, 0, 0)
    s.h.n_front = 1
    place_tile(s, 0, g.start * 4)
    s.h.key += tile_word(s, s.tile[0].at, s.tile[0].rec)
    if s.h.n_deck == 0:
        end_game(s)


cdef u32 turn_draws(const state_t* s, u16* type, u32* count) noexcept nogil:
    """List what can be drawn now: types and how many of each; all tiles are equally likely. Returns how many types."""
    cdef u32 n = 0
    cdef u32 t
    for t in range(s.g.n_draw):
        if s.left[t]:
            type[n], count[n] = <u16>t, s.left[t]
            n += 1
    return n


cdef bint turn_can_draw(const state_t* s, u32 type) noexcept nogil:
    return s.h.phase == PHASE_DRAW and type < s.g.n_draw and s.left[type] > 0


cdef int turn_draw(state_t* s, u32 type) noexcept nogil:
    """Draw a tile that can be drawn; one that fits nowhere leaves the game (B5). -1 and unchanged if memory is short."""
    if state_room(s) < 0:
        return -1
    s.left[type] -= 1
    s.h.n_deck -= 1
    if fits_anywhere(s, type):
        s.h.drawn = <u16>type
        s.h.phase = PHASE_PLACE
    else:
        s.h.discards += 1
        if s.h.n_deck == 0:
            end_game(s)
    return 0


cdef u32 turn_list(const state_t* s, action_t* out) noexcept nogil:
    """List the legal actions of the phase into `out` (room for g.max_actions); none at chance and at the end."""
    if s.h.phase == PHASE_PLACE:
        return list_placements(s, out)
    if s.h.phase == PHASE_FIGURE:
        return list_figures(s, out)
    return 0


cdef u32 list_placements(const state_t* s, action_t* out) noexcept nogil:
    """List where the drawn tile fits (B4)."""
    cdef u32 n = 0
    cdef u32 i, mask, k
    for i in range(s.h.n_front):
        mask = fitting(s, s.h.drawn, i)
        for k in range(4):
            out[n] = pack_action(ACT_PLACE, s.front[i], k, 0, 0)
            n += mask >> k & 1
    return n


cdef u32 list_figures(const state_t* s, action_t* out) noexcept nogil:
    """List pass and what the player may do with a figure (B6, B13)."""
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
        for k in range(K.n_segments):
            if spots >> k & 1:
                out[n] = pack_action(ACT_DEPLOY, t.at, K.spot[t.rec & 3][k], figure, 0)
                n += 1
    return n


cdef bint turn_is_legal(const state_t* s, action_t action, action_t* work) noexcept nogil:
    """Tell whether an action is legal now; `work` has room for g.max_actions."""
    cdef u32 n, i
    if s.h.phase == PHASE_PLACE:
        i = find_slot(s, cell_of(action))
        if i == s.h.n_front or spot_of(action) > 3 or not fitting(s, s.h.drawn, i) >> spot_of(action) & 1:
            return False
        return action == pack_action(ACT_PLACE, s.front[i], spot_of(action), 0, 0)
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
    elif kind == ACT_DEPLOY:
        deploy(s, segment_at(s, spot_of(action)), s.h.player, figure_of(action))
        finish_turn(s)
    else:
        finish_turn(s)


cdef void apply_placement(state_t* s, action_t action) noexcept nogil:
    cdef u32 slot = find_slot(s, cell_of(action))
    place_tile(s, slot, s.h.drawn * 4u + spot_of(action))
    extend_box(s)
    s.h.key += tile_word(s, s.tile[s.h.n_tiles - 1].at, s.tile[s.h.n_tiles - 1].rec)
    s.h.drawn = NONE
    if turn_can_use_figure(s):
        s.h.phase = PHASE_FIGURE
    else:
        finish_turn(s)


cdef bint turn_can_use_figure(const state_t* s) noexcept nogil:
    """Tell whether the figure step offers more than a pass."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef u32 free = free_segments(s)
    cdef u32 figure
    for figure in range(2):
        if s.h.supply[s.h.player][figure] and free & places_for(s, t.rec >> 2, figure):
            return True
    return False


cdef u32 segment_at(const state_t* s, u32 spot) noexcept nogil:
    """Return the segment of the tile placed last with a spot code."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    cdef u32 k = 0
    while s.g.type[t.rec >> 2].spot[t.rec & 3][k] != spot:
        k += 1
    return k


cdef void finish_turn(state_t* s) noexcept nogil:
    """Score (step 3 of B3) and pass the turn; the game ends when nothing is left to draw (B5)."""
    score_closed(s)
    s.h.turn += 1
    s.h.turn_player = <u8>((s.h.turn_player + 1) % s.g.n_players)
    s.h.player = s.h.turn_player
    s.h.phase = PHASE_DRAW
    if s.h.n_deck == 0:
        end_game(s)


cdef void turn_score_now(state_t* s) noexcept nogil:
    """Score a state that nobody goes on with as if the game ended here (closed features of a pending turn included)."""
    if s.h.phase == PHASE_FIGURE:
        score_closed(s)
    if s.h.phase != PHASE_END:
        score_final(s)


cdef void end_game(state_t* s) noexcept nogil:
    score_final(s)
    s.h.phase = PHASE_END


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
