"""Monte Carlo tree search with chance nodes: descend, expand, play on, back up. Values are vectors, one a player.

An iteration copies the root's position and walks down: at a draw a tile is drawn by its probability, at a decision an
edge is chosen by UCT (with an evaluator by PUCT). It ends at a new node, at a placement that has too few visits to be
expanded, or at the end of a game; from there the policy plays on, and the values go to all nodes and edges of the path.

Decisions are split as the game splits them (placement, building, figure, capture): each is a node of its own, and
each player maximises his own value there.
"""

from libc.math cimport ceil, log, pow, sqrt
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memset

from bastide._core.playout cimport SOME_STEPS, STEPS_PER_TILE
from bastide._core.policy cimport play_on, room_free, room_new, squash, stand_after, stand_after_turn, values_of
from bastide._core.rng cimport below
from bastide._core.state cimport state_copy, state_free, state_key, state_new
from bastide._core.tree cimport (
    CHANCE, DECISION, NO_ROOM, TERMINAL, edge_t, mcnode_t, tree_cut, tree_edges, tree_find, tree_free, tree_node,
)
from bastide._core.turn cimport turn_apply, turn_draw, turn_draws, turn_list
from bastide._core.types cimport MAX_PLAYERS, MAX_TILES, PHASE_DRAW, PHASE_END, PHASE_PLACE, u16

cdef int search_new(search_t* s, const state_t* root, const options_t* o, size_t limit) noexcept nogil:
    """Make a search of a position; -1 if memory is short (then what there is can be freed)."""
    memset(s, 0, sizeof(search_t))
    s.o = o[0]
    s.tree.n_players, s.tree.limit = root.g.n_players, limit
    s.max_depth = STEPS_PER_TILE * root.g.max_tiles + SOME_STEPS
    s.root, s.state = state_new(root.g), state_new(root.g)
    s.path = <u32*>malloc((s.max_depth + 1) * sizeof(u32))
    s.via = <u32*>malloc(s.max_depth * sizeof(u32))
    if s.root == NULL or s.state == NULL or s.path == NULL or s.via == NULL or room_new(&s.room, root.g) < 0:
        return -1
    return search_restart(s, root)


cdef void search_free(search_t* s) noexcept nogil:
    tree_free(&s.tree)
    room_free(&s.room)
    state_free(s.root)
    state_free(s.state)
    free(s.path)
    free(s.via)
    memset(s, 0, sizeof(search_t))


cdef int search_restart(search_t* s, const state_t* root) noexcept nogil:
    """Make a position the root: with what the tree knows of it, else with a new tree; -1 if memory is short."""
    cdef u32 node = tree_find(&s.tree, state_key(root)) if s.tree.n_nodes else NO_ROOM
    if state_copy(s.root, root) < 0:
        return -1
    if node != NO_ROOM and (node == 0 or tree_cut(&s.tree, node) == 0):
        if s.o.has_priors and not s.o.asks and s.tree.node[0].kind == DECISION and s.tree.node[0].n:
            if state_copy(s.state, s.root) < 0:
                return -1
            put_in_order(s, 0)
        return 0
    tree_free(&s.tree)
    s.tree.is_full = False
    return -1 if add_node(s, s.root) == NO_ROOM else 0


cdef u32 add_node(search_t* s, const state_t* state) noexcept nogil:
    cdef u32 kind = DECISION
    if state.h.phase == PHASE_END:
        kind = TERMINAL
    elif state.h.phase == PHASE_DRAW:
        kind = CHANCE
    return tree_node(&s.tree, state_key(state), kind, state.h.player)


cdef int search_run(search_t* s, u64 n) noexcept nogil:
    """Do n iterations by the policy; -1 if memory for a growing board is short."""
    cdef double[MAX_PLAYERS] values
    cdef u64 i
    for i in range(n):
        if search_descend(s) < 0 or play_on(s.state, &s.o.policy, &s.rng, &s.room) < 0:
            return NO_MEMORY
        values_of(s.state, &s.o.policy, values)
        search_back_up(s, values)
    return DONE


cdef int search_descend(search_t* s) noexcept nogil:
    """Walk from the root to a leaf: path, via and state say where that led."""
    cdef tree_t* t = &s.tree
    cdef u32 at = 0
    cdef u32 e, child
    s.depth, s.is_outside = 0, False
    s.path[0] = 0
    if state_copy(s.state, s.root) < 0:
        return NO_MEMORY
    while t.node[at].kind != TERMINAL and s.depth < s.max_depth:
        if t.node[at].is_pending:
            return COLLISION
        if t.node[at].n == 0:
            if s.o.asks and t.node[at].kind == DECISION:
                return LEAF
            if not s.o.asks and t.node[at].visits < visits_before_expanding(s, at) or not expand(s, at):
                return DONE
        if t.node[at].kind == CHANCE:
            e = choose_tile(s, &t.node[at])
            if turn_draw(s.state, <u32>t.edge[e].action) < 0:
                return NO_MEMORY
        else:
            e = choose_by_prior(s, at) if s.o.asks else choose(s, at)
            turn_apply(s.state, t.edge[e].action)
        s.via[s.depth] = e
        s.depth += 1
        child = t.edge[e].child
        if child == NO_ROOM:
            child = add_node(s, s.state)
            t.edge[e].child = child
            if child == NO_ROOM:
                s.is_outside = True
                return DONE
            s.path[s.depth] = child
            if not s.o.asks:
                return DONE
        s.path[s.depth] = child
        at = child
    return DONE


cdef inline u32 visits_before_expanding(const search_t* s, u32 at) noexcept nogil:
    """Return how many visits a node waits for its edges: placements are many, and looking at all of them costs more."""
    if at == 0:
        return 0
    return s.o.expand_at if s.state.h.phase == PHASE_PLACE else 1


cdef bint expand(search_t* s, u32 at) noexcept nogil:
    """Make the edges of a node whose position is `s.state`; tell whether there was memory for them."""
    if s.tree.node[at].kind == CHANCE:
        return expand_chance(s, at)
    cdef u32 n = turn_list(s.state, s.room.w.actions)
    cdef u32 first = tree_edges(&s.tree, n)
    cdef edge_t* edge
    cdef u32 i, k
    cdef action_t action
    if first == NO_ROOM:
        return False
    edge = s.tree.edge + first
    memset(edge, 0, n * sizeof(edge_t))
    for i in range(n):                                # a random order, which decides between equals
        k = i + <u32>below(&s.rng, n - i)
        action = s.room.w.actions[k]
        s.room.w.actions[k] = s.room.w.actions[i]
        edge[i].action, edge[i].child = action, NO_ROOM
    s.tree.node[at].first, s.tree.node[at].n = first, n
    if s.o.has_priors and n > 1:
        put_in_order(s, at)
    return True


cdef void put_in_order(search_t* s, u32 at) noexcept nogil:
    """Put the edges of a decision, whose position is `s.state`, in the order of their priors, the best first.

    A placement at the root is worth what it is with the best figure action after it; below the root, where that would
    cost too much, as it is.
    """
    cdef edge_t* edge = s.tree.edge + s.tree.node[at].first
    cdef u32 n = s.tree.node[at].n
    cdef double price = s.o.policy.price
    cdef double value, best
    cdef u32 i
    for i in range(n):
        if at == 0:
            value = stand_after_turn(s.state, edge[i].action, price, &s.room)
        else:
            value = stand_after(s.state, edge[i].action, price, &s.room)
        edge[i].prior, edge[i].count = <float>squash(&s.o.policy, value), i
    qsort(edge, n, sizeof(edge_t), best_prior_first)
    best = edge[0].prior
    for i in range(n):
        edge[i].prior -= <float>best
        edge[i].count = 0


cdef int best_prior_first(const void* a, const void* b) noexcept nogil:
    """Compare for qsort; `count` is where an edge stood before, so that the order is the same everywhere."""
    cdef const edge_t* x = <const edge_t*>a
    cdef const edge_t* y = <const edge_t*>b
    if x.prior != y.prior:
        return -1 if x.prior > y.prior else 1
    return -1 if x.count < y.count else 1


cdef bint expand_chance(search_t* s, u32 at) noexcept nogil:
    cdef u16[MAX_TILES] type
    cdef u32[MAX_TILES] count
    cdef u32 n = turn_draws(s.state, type, count)
    cdef u32 first = tree_edges(&s.tree, n)
    cdef u32 total = 0
    cdef edge_t* edge
    cdef u32 i
    if first == NO_ROOM:
        return False
    edge = s.tree.edge + first
    memset(edge, 0, n * sizeof(edge_t))
    for i in range(n):
        edge[i].action, edge[i].child, edge[i].count = type[i], NO_ROOM, count[i]
        total += count[i]
    for i in range(n):
        edge[i].prior = <float>count[i] / <float>total
    s.tree.node[at].first, s.tree.node[at].n = first, n
    return True


cdef inline u32 choose_tile(search_t* s, const mcnode_t* node) noexcept nogil:
    """Choose an edge of a draw by its probability: every tile that can come up is equally likely."""
    cdef const edge_t* edge = s.tree.edge + node.first
    cdef u32 total = 0
    cdef u32 i = 0
    cdef u64 k
    for i in range(node.n):
        total += edge[i].count
    k = below(&s.rng, total)
    i = 0
    while k >= edge[i].count:
        k -= edge[i].count
        i += 1
    return node.first + i


cdef inline u32 choose(search_t* s, u32 at) noexcept nogil:
    """Choose an edge of a decision by UCT, among those that progressive widening admits.

    Its mean counts `prior_visits` visits more, with the node's own mean and the edge's prior.
    """
    cdef const mcnode_t* node = &s.tree.node[at]
    cdef const edge_t* edge = s.tree.edge + node.first
    cdef double extra = s.o.prior_visits
    cdef double mean, score, n
    cdef double best_score = 0
    cdef double log_visits = log(node.visits + 1.0)
    cdef u32 admitted = node.n
    cdef u32 best = 0
    cdef u32 i
    if s.o.widening:
        admitted = <u32>max(1.0, min(<double>admitted, ceil(s.o.widening * pow(node.visits + 1.0, s.o.widening_power))))
    mean = s.tree.sum[<size_t>at * s.tree.n_players + node.player] / node.visits if node.visits else 0
    for i in range(admitted):
        n = edge[i].visits + extra
        if n == 0:
            best = i
            break
        score = (edge[i].sum + extra * (mean + edge[i].prior)) / n + s.o.exploration * sqrt(log_visits / n)
        if i == 0 or score > best_score:
            best, best_score = i, score
    return node.first + best


cdef inline u32 choose_by_prior(search_t* s, u32 at) noexcept nogil:
    """Choose an edge of a decision by PUCT: mean + exploration * prior * sqrt(visits) / (1 + edge's visits).

    An edge without visits has the node's own mean.
    """
    cdef const mcnode_t* node = &s.tree.node[at]
    cdef const edge_t* edge = s.tree.edge + node.first
    cdef double root = sqrt(max(1.0, <double>node.visits))
    cdef double mean = s.tree.sum[<size_t>at * s.tree.n_players + node.player] / node.visits if node.visits else 0
    cdef double score
    cdef double best_score = 0
    cdef u32 best = 0
    cdef u32 i
    for i in range(node.n):
        score = edge[i].sum / edge[i].visits if edge[i].visits else mean
        score += s.o.exploration * edge[i].prior * root / (1.0 + edge[i].visits)
        if i == 0 or score > best_score:
            best, best_score = i, score
    return node.first + best


cdef void search_back_up(search_t* s, const double* values) noexcept nogil:
    """Count the descent: its values to all nodes and edges of the path."""
    cdef tree_t* t = &s.tree
    cdef u32 n = t.n_players
    cdef u32 i, k, at
    cdef edge_t* edge
    for i in range(s.depth + 1):
        if i < s.depth or not s.is_outside:
            at = s.path[i]
            t.node[at].visits += 1
            for k in range(n):
                t.sum[<size_t>at * n + k] += values[k]
        if i < s.depth:
            edge = &t.edge[s.via[i]]
            edge.visits += 1
            if t.node[at].kind == DECISION:
                edge.sum += values[t.node[at].player]
    s.iterations += 1


# -- leaves for an evaluator

cdef void search_weigh(search_t* s, int sign) noexcept nogil:
    """Count the descent as lost to everyone who decided on its way (+1), or take that back (-1).

    So that the next descent goes elsewhere while an evaluator is being asked. Marks its leaf as pending.
    """
    cdef tree_t* t = &s.tree
    cdef u32 i
    for i in range(s.depth):
        t.edge[s.via[i]].visits += <u32>sign
        t.edge[s.via[i]].sum -= sign if t.node[s.path[i]].kind == DECISION else 0
        t.node[s.path[i]].visits += <u32>sign
    t.node[s.path[s.depth]].is_pending = sign > 0


cdef void search_answer(search_t* s, const double* values, const action_t* actions, const double* priors, u32 n) noexcept nogil:
    """Expand the leaf of a descent with what an evaluator says of its n actions, and back up its values.

    `priors`: weights, not negative, with a positive sum; NULL: all alike.
    """
    cdef u32 at = s.path[s.depth]
    cdef u32 first = tree_edges(&s.tree, n)
    cdef double total = 0
    cdef edge_t* edge
    cdef u32 i
    search_weigh(s, -1)
    if first != NO_ROOM:
        edge = s.tree.edge + first
        memset(edge, 0, n * sizeof(edge_t))
        for i in range(n):
            total += priors[i] if priors != NULL else 1
        for i in range(n):
            edge[i].action, edge[i].child, edge[i].count = actions[i], NO_ROOM, i
            edge[i].prior = <float>((priors[i] if priors != NULL else 1) / total)
        qsort(edge, n, sizeof(edge_t), best_prior_first)
        s.tree.node[at].first, s.tree.node[at].n = first, n
    search_back_up(s, values)
