"""The uniform policy: in every player phase uniform over what `turn_list` lists, draws by their probability.

The loop samples where the phase machine lists: a placement by proposing (frontier cell, k-th fitting rotation) and
rejecting, a figure by proposing a segment or none. Both are uniform over the legal choices, since every choice is
proposed with the same chance; after some failures the choices are listed. Placing, joining and scoring are shared with
the machine. The choice of an index by a 64-bit product is uneven by less than 2^-50.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bastide._core.actions cimport ACT_DEPLOY, ACT_PASS, ACT_PLACE, pack_action
from bastide._core.expansions.bridges cimport bridge_may_stand, bridged_fitting
from bastide._core.expansions.thieves cimport thief_drawn
from bastide._core.expansions.watchtowers cimport watchtower_bonuses
from bastide._core.features cimport is_occupied
from bastide._core.geometry cimport index_of
from bastide._core.meeples cimport deploy, free_segments
from bastide._core.placement cimport extend_box, fitting, place_tile
from bastide._core.rng cimport choose, likely, mulhi, next_u64, rng_t, unlikely
from bastide._core.scoring cimport score_closed
from bastide._core.state cimport CELL_DEMAND, CELL_NEAR, state_room, state_t, tile_t
from bastide._core.tiles cimport (
    ANY_TOWER, BOX_ABBOT, BOX_BRIDGES_CASTLES, BOX_THIEVES, BOX_TOWER, BOX_WATCHTOWERS, count_bits4, game_t, type_t,
)
from bastide._core.turn cimport (
    turn_apply, turn_choose_draw, turn_choose_figure, turn_draw, turn_discard, turn_end, turn_list,
    turn_note_tile, turn_placed, turn_thief,
)
from bastide._core.types cimport (
    MEEPLE, NONE, PHASE_DRAW, PHASE_END, PHASE_FIGURE, PHASE_GROW, PHASE_PLACE, PILE_DECK, PILE_TOWER, action_t, int64_t, place_t, u8, u16, u32, u64,
)

cdef enum:
    MAX_TRIES = 24            # proposals before the placements are listed


cdef int work_new(work_t* w, const game_t* g) noexcept nogil:
    """Allocate; -1 if memory is short."""
    w.deck = <u16*>malloc((g.max_tiles + 1) * sizeof(u16))
    w.actions = <action_t*>malloc(g.max_actions * sizeof(action_t))
    if w.deck == NULL or w.actions == NULL:
        work_free(w)
        return -1
    return 0


cdef void work_free(work_t* w) noexcept nogil:
    free(w.deck)
    free(w.actions)
    memset(w, 0, sizeof(work_t))


cdef int play_out(state_t* s, work_t* w, rng_t* rng) noexcept nogil:
    """Play `s` to the end; -1 if memory for a growing board is short (then `s` is a position on the way)."""
    cdef rng_t r = rng[0]
    cdef int result = play(s, w, &r, NULL)         # inlined, so that nothing asks for the trace
    rng[0] = r
    return result


cdef int play_out_traced(state_t* s, work_t* w, rng_t* rng, trace_t* trace) noexcept nogil:
    """Play to the end as `play_out` does, with the same numbers, and write down what was drawn and done."""
    cdef rng_t r = rng[0]
    cdef int result = play(s, w, &r, trace)
    rng[0] = r
    return result


cdef inline void note(trace_t* trace, int64_t step) noexcept nogil:
    if unlikely(trace != NULL) and trace.n < trace.room:
        trace.step[trace.n] = step
        trace.n += 1


cdef inline int play(state_t* s, work_t* w, rng_t* rng, trace_t* trace) noexcept nogil:
    # Whatever is begun, and the river, is played by the phase machine.
    cdef u32 type
    while s.h.phase != PHASE_END and (s.h.phase != PHASE_DRAW or s.h.pile != PILE_DECK):
        if s.h.phase != PHASE_DRAW:
            decide(s, w, rng, trace)
            continue
        type = turn_choose_draw(s, rng)
        note(trace, -1 - <int64_t>type)
        if turn_draw(s, type) < 0:
            return -1
    if s.h.phase == PHASE_END:
        return 0
    if s.g.boxes & (BOX_ABBOT | ANY_TOWER | BOX_BRIDGES_CASTLES):
        return play_boxes(s, w, rng, trace)
    return play_plain(s, w, rng, trace)


cdef inline int play_plain(state_t* s, work_t* w, rng_t* rng, trace_t* trace) noexcept nogil:
    """Play from a draw from the deck, where the figure step is: a meeple on the placed tile, or none."""
    cdef u32 type, choice
    cdef const tile_t* tile
    cdef place_t at
    cdef bint needs_box = s.g.may_grow
    fill_deck(s, w)
    while s.h.n_deck:
        if unlikely(needs_box) and state_room(s) < 0:
            return -1
        type = take_from_deck(s, w, rng)
        note(trace, -1 - <int64_t>type)
        choice = sample_placement(s, w, rng, type)
        if unlikely(choice == NONE):
            s.h.discards += 1                                  # B5
            continue
        note(trace, pack_action(ACT_PLACE, s.front[choice >> 2], choice & 3, 0, 0))
        at = s.front[choice >> 2]
        tile = &s.tile[s.h.n_tiles]
        place_tile(s, choice >> 2, type * 4 + (choice & 3))
        if unlikely(needs_box):
            extend_box(s)
        place_meeple_on(s, tile, &s.g.type[type], rng, trace)
        finish_turn(s, at)
    if not needs_box:
        forget_box(s)
    turn_end(s)
    return 0


cdef int play_boxes(state_t* s, work_t* w, rng_t* rng, trace_t* trace) noexcept nogil:
    """Play from a draw from the deck: tiles are sampled as in `play_plain`, all else goes through the phase machine."""
    cdef u32 type, slot, rec
    fill_deck(s, w)
    while s.h.phase != PHASE_END:
        if s.h.phase != PHASE_DRAW:
            decide(s, w, rng, trace)
            continue
        if unlikely(s.g.may_grow) and state_room(s) < 0:
            return -1
        if s.h.pile == PILE_TOWER:
            type = turn_choose_draw(s, rng)
            s.left[type] -= 1
            s.h.n_tower_pile -= 1
        else:
            type = take_from_deck(s, w, rng)
        note(trace, -1 - <int64_t>type)
        if s.g.type[type].thief and s.g.boxes & BOX_THIEVES:
            turn_thief(s, thief_drawn(s, type))
            while s.h.phase == PHASE_GROW:
                decide(s, w, rng, trace)
            if s.h.phase != PHASE_PLACE:
                continue
        rec = sample_record(s, w, rng, type, &slot)
        if unlikely(rec == NONE):
            turn_discard(s)
            continue
        note(trace, pack_action(ACT_PLACE, s.front[slot], rec & 3 | <u32>s.g.rec[rec].bridge << 2, 0, 0))
        place_tile(s, slot, rec)
        extend_box(s)
        s.h.drawn = NONE
        turn_note_tile(s)
        turn_placed(s)
    return 0


cdef inline void decide(state_t* s, work_t* w, rng_t* rng, trace_t* trace) noexcept nogil:
    """Take one of the phase's legal actions."""
    cdef action_t action
    if s.h.phase == PHASE_FIGURE and s.g.boxes & BOX_TOWER:
        action = turn_choose_figure(s, rng, w.actions)
    else:
        action = w.actions[choose(rng, turn_list(s, w.actions))]
    note(trace, action)
    turn_apply(s, action)


cdef void forget_box(state_t* s) noexcept nogil:
    """Say that the bounding box was not kept up: a playout's end is never copied, only cleared."""
    s.h.x0, s.h.x1 = 1, 0


cdef void fill_deck(state_t* s, work_t* w) noexcept nogil:
    """Spread what is left of the deck over w.deck, and take it out of `left`."""
    cdef u32 n = 0
    cdef u32 t
    for t in range(s.g.n_draw):
        if s.g.type[t].pile != PILE_DECK:
            continue
        for _ in range(s.left[t]):
            w.deck[n] = <u16>t
            n += 1
        s.left[t] = 0


cdef inline u32 take_from_deck(state_t* s, work_t* w, rng_t* rng) noexcept nogil:
    """Draw one of the n_deck tiles of w.deck."""
    cdef u32 n = s.h.n_deck - 1u
    cdef u32 i = choose(rng, n + 1)
    cdef u32 type = w.deck[i]
    w.deck[i] = w.deck[n]
    s.h.n_deck = <u16>n
    return type


cdef inline u32 sample_placement(const state_t* s, work_t* w, rng_t* rng, u32 type) noexcept nogil:
    """Choose a legal placement: frontier slot * 4 + rotation, or NONE if the tile fits nowhere."""
    cdef const u8* fits = s.g.fits + type * 256
    cdef u64 most = s.g.type[type].max_fits
    cdef u64 lo, u
    cdef u32 i, mask
    for _ in range(MAX_TRIES):
        i = <u32>mulhi(next_u64(rng), s.h.n_front, &lo)
        u = (lo >> 32) * most >> 32
        mask = fits[s.cells[index_of(s.front[i])] & CELL_DEMAND]
        if u < count_bits4(mask):
            return i << 2 | s.g.nth_rotation[mask * 4 + u]
    return list_and_choose(s, w, rng, type)


cdef u32 list_and_choose(const state_t* s, work_t* w, rng_t* rng, u32 type) noexcept nogil:
    cdef u32 n = 0
    cdef u32 i, q, mask
    for i in range(s.h.n_front):
        mask = fitting(s, type, i)
        for q in range(4):
            w.actions[n] = i << 2 | q
            n += mask >> q & 1
    return <u32>w.actions[choose(rng, n)] if n else NONE


cdef u32 sample_record(const state_t* s, work_t* w, rng_t* rng, u32 type, u32* slot) noexcept nogil:
    """Choose a legal placement, bridges included: its record (type * 4 + rotation) and slot, or NONE."""
    cdef const type_t* K = &s.g.type[type]
    cdef u32 choice, demand, mask, u, axis, rec
    cdef u64 lo
    if s.g.bridges == 0 or s.buildings.bridges == 0 or (K.bridged[0] == NONE and K.bridged[1] == NONE):
        choice = sample_placement(s, w, rng, type)
        slot[0] = choice >> 2
        return NONE if choice == NONE else type * 4 + (choice & 3)
    for _ in range(MAX_TRIES):
        slot[0] = <u32>mulhi(next_u64(rng), s.h.n_front, &lo)
        u = <u32>((lo >> 32) * K.max_ways >> 32)
        demand = s.cells[index_of(s.front[slot[0]])] & CELL_DEMAND
        if likely(u >= s.g.ways[type * 256 + demand]):
            continue
        mask = s.g.fits[type * 256 + demand]
        if u < count_bits4(mask):
            return type * 4 + s.g.nth_rotation[mask * 4 + u]
        u -= count_bits4(mask)
        for axis in range(2):
            if K.bridged[axis] == NONE:
                continue
            mask = s.g.fits[K.bridged[axis] * 256 + demand]
            if u < count_bits4(mask):
                rec = K.bridged[axis] * 4u + s.g.nth_rotation[mask * 4 + u]
                if bridge_may_stand(s, s.front[slot[0]], rec):
                    return rec
                break
            u -= count_bits4(mask)
    return list_and_choose_record(s, w, rng, type, slot)


cdef u32 list_and_choose_record(const state_t* s, work_t* w, rng_t* rng, u32 type, u32* slot) noexcept nogil:
    cdef u32 n = 0
    cdef u32 i, q, axis, mask
    for i in range(s.h.n_front):
        for axis in range(3):
            mask = bridged_fitting(s, s.front[i], type, axis) if axis < 2 else fitting(s, type, i)
            for q in range(4):
                w.actions[n] = <action_t>i << 32 | ((s.g.type[type].bridged[axis] if axis < 2 else type) * 4 + q)
                n += mask >> q & 1
    if n == 0:
        return NONE
    n = choose(rng, n)
    slot[0] = <u32>(w.actions[n] >> 32)
    return <u32>w.actions[n]


cdef void place_meeple(state_t* s, rng_t* rng, trace_t* trace) noexcept nogil:
    """Put a meeple on one of the free segments of the tile placed last or none, all equally likely."""
    cdef const tile_t* t = &s.tile[s.h.n_tiles - 1]
    place_meeple_on(s, t, &s.g.type[t.rec >> 2], rng, trace)


cdef inline void place_meeple_on(state_t* s, const tile_t* t, const type_t* K, rng_t* rng, trace_t* trace) noexcept nogil:
    cdef u32 player = s.h.turn_player
    cdef u32 n, k
    if s.h.supply[player][MEEPLE] == 0:
        return
    n = K.n_segments
    while True:
        k = choose(rng, n + 1)
        if k == n:
            if unlikely(trace != NULL) and free_segments(s) & K.meeple_may:
                note(trace, pack_action(ACT_PASS, 0, 0, 0, 0))
            return
        if K.meeple_may >> k & 1 and not is_occupied(s.total[s.label[t.base + k]]):
            break
    note(trace, pack_action(ACT_DEPLOY, t.at, K.spot[t.rec & 3][k], MEEPLE, 0))
    deploy(s, k, player, MEEPLE)


cdef inline void finish_turn(state_t* s, place_t at) noexcept nogil:
    """Score what the tile placed at a cell completed, and pass the turn."""
    if unlikely(s.h.n_closed and s.g.boxes & BOX_WATCHTOWERS):
        watchtower_bonuses(s)
    if s.h.n_closed or unlikely(s.cells[index_of(at)] & CELL_NEAR):
        score_closed(s)
    s.h.turn += 1
    s.h.turn_player = <u8>(0 if s.h.turn_player + 1u == s.g.n_players else s.h.turn_player + 1)
