"""The door to the tree search: one tree, grown without the GIL. bastide.search makes results of it.

What a search does stands in search.pyx. A tree belongs to one thread at a time and is held by an in-use flag.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from bastide._core.api cimport State, Tables, word
from bastide._core.inuse cimport add_users, flag_t, take
from bastide._core.policy cimport GREEDY, UNIFORM, VALUE_MARGIN, VALUE_RETURNS, play_on, values_of
from bastide._core.rng cimport seed_rng
from bastide._core.search cimport (
    COLLISION, LEAF, NO_MEMORY, options_t, search_answer, search_back_up, search_descend, search_free, search_new,
    search_restart, search_run, search_t, search_weigh,
)
from bastide._core.state cimport state_copy, state_free, state_new, state_t
from bastide._core.tree cimport CHANCE, DECISION, NO_ROOM, edge_t, mcnode_t, tree_bytes
from bastide._core.types cimport MAX_PLAYERS, int64_t, u32, u64

from bastide.errors import BastideError

POLICIES = {"uniform": UNIFORM, "greedy": GREEDY}
VALUES = {"returns": VALUE_RETURNS, "margin": VALUE_MARGIN}

cdef struct leaf_t:           # a descent whose position an evaluator is asked about
    state_t* state
    u32* path                 # [depth + 1] nodes, then [depth] edges
    u32 depth


cdef class Tree:
    """A search tree of one position. `options`: what `bastide.searchoptions` has for the core, by name."""

    cdef readonly Tables game
    cdef search_t s
    cdef flag_t users
    cdef leaf_t* leaf         # [room] of which n_leaves wait for an answer
    cdef u32 n_leaves
    cdef u32 room

    def __cinit__(self, *args, **kwargs):
        memset(&self.s, 0, sizeof(search_t))

    def __init__(self, State root not None, size_t memory, u32 most_leaves, dict options not None):
        cdef options_t o
        cdef u32 i
        if self.s.root != NULL:
            raise BastideError("a tree is made once")
        memset(&o, 0, sizeof(o))
        o.policy.kind, o.policy.value = POLICIES[options["policy"]], VALUES[options["value"]]
        o.policy.candidates, o.policy.cut = options["candidates"], options["cut"]
        o.policy.price, o.policy.scale = options["price"], options["scale"]
        o.exploration, o.widening, o.widening_power = options["exploration"], options["widening"], options["widening_power"]
        o.prior_visits, o.has_priors, o.expand_at = options["prior_visits"], options["priors"], options["expand_at"]
        o.asks = most_leaves > 0
        self.game = root.game
        self.leaf = <leaf_t*>calloc(most_leaves + 1, sizeof(leaf_t))
        if self.leaf == NULL or search_new(&self.s, root.s, &o, memory) < 0:
            raise MemoryError("no memory for a search tree")
        for i in range(most_leaves):
            self.leaf[i].state = state_new(&self.game.g)
            self.leaf[i].path = <u32*>malloc((2 * self.s.max_depth + 1) * sizeof(u32))
            self.room += 1
            if self.leaf[i].state == NULL or self.leaf[i].path == NULL:
                raise MemoryError("no memory for an evaluator's positions")

    def __dealloc__(self):
        cdef u32 i
        for i in range(self.room):
            state_free(self.leaf[i].state)
            free(self.leaf[i].path)
        free(self.leaf)
        search_free(&self.s)

    cdef int enter(self) except -1:
        if not take(&self.users):
            raise BastideError("this search is in use by another thread: a search belongs to one thread at a time")
        if self.s.root == NULL or self.s.tree.n_nodes == 0:
            add_users(&self.users, -1)
            raise BastideError("this search cannot be used: it was not made, or memory ran out")
        return 0

    cdef void leave(self) noexcept:
        add_users(&self.users, -1)

    def restart(self, State root not None, seed, number):
        """Go on from a position: with what the tree knows of it, or anew. Random numbers come from (seed, number)."""
        cdef u64 a = word("seed", seed)
        cdef u64 b = word("number", number)
        if root.game is not self.game:
            raise BastideError("the position is of another game than the search")
        self.enter()
        try:
            self.drop_leaves()
            if search_restart(&self.s, root.s) < 0:
                raise MemoryError("no memory for a search tree")
            seed_rng(&self.s.rng, a, b)
            self.s.iterations = 0
        finally:
            self.leave()

    def run(self, u64 n):
        """Do n iterations by the policy, without the GIL."""
        cdef int result
        self.enter()
        try:
            with nogil:
                result = search_run(&self.s, n)
            if result < 0:
                raise MemoryError("no memory for a board to grow")
        finally:
            self.leave()

    # -- leaves for an evaluator

    def gather(self, u64 n):
        """Do at most n iterations, up to those that need answers; return how many need one (at most `most_leaves`)."""
        cdef int result = 0
        self.enter()
        try:
            if self.n_leaves:
                raise BastideError("the positions of the last gather have no answers yet")
            with nogil:
                while n and self.n_leaves < self.room and result != COLLISION:
                    result = search_descend(&self.s)
                    n -= 1
                    if result == LEAF:
                        result = self.keep_leaf()
                    elif result != COLLISION and result >= 0:
                        result = self.finish()
                    if result < 0:
                        break
            if result < 0:
                raise MemoryError("no memory for a board to grow")
            return self.n_leaves
        finally:
            self.leave()

    cdef int keep_leaf(self) noexcept nogil:
        cdef leaf_t* leaf = &self.leaf[self.n_leaves]
        if state_copy(leaf.state, self.s.state) < 0:
            return NO_MEMORY
        leaf.depth = self.s.depth
        memcpy(leaf.path, self.s.path, (leaf.depth + 1) * sizeof(u32))
        memcpy(leaf.path + leaf.depth + 1, self.s.via, leaf.depth * sizeof(u32))
        search_weigh(&self.s, 1)
        self.n_leaves += 1
        return 0

    cdef int finish(self) noexcept nogil:
        """Value a descent that met the end of a game, or the end of the tree's memory."""
        cdef double[MAX_PLAYERS] values
        if play_on(self.s.state, &self.s.o.policy, &self.s.rng, &self.s.room) < 0:
            return NO_MEMORY
        values_of(self.s.state, &self.s.o.policy, values)
        search_back_up(&self.s, values)
        return 0

    cdef void recall(self, u32 i) noexcept nogil:
        """Make a kept descent the present one."""
        cdef const leaf_t* leaf = &self.leaf[i]
        self.s.depth, self.s.is_outside = leaf.depth, False
        memcpy(self.s.path, leaf.path, (leaf.depth + 1) * sizeof(u32))
        memcpy(self.s.via, leaf.path + leaf.depth + 1, leaf.depth * sizeof(u32))

    def leaf_state(self, u32 i, State into not None):
        """Make a state the i-th position that needs an answer."""
        self.enter()
        try:
            if i >= self.n_leaves or into.game is not self.game:
                raise BastideError("no such leaf, or a state of another game")
            if state_copy(into.s, self.leaf[i].state) < 0:
                raise MemoryError("no memory for a copy")
        finally:
            self.leave()

    def answer(self, const double[:, ::1] values, const int64_t[::1] actions, const int64_t[::1] offsets, const double[::1] priors):
        """Take the answers: values (leaves, players); priors None, or as many as actions; leaf i has actions offsets[i] .. ."""
        cdef u32 i, n
        cdef int64_t at
        cdef const double* weights
        self.enter()
        try:
            if values.shape[0] < self.n_leaves or values.shape[1] != self.s.tree.n_players or offsets.shape[0] <= self.n_leaves:
                raise BastideError("the answers do not suit the search")
            if offsets[self.n_leaves] > actions.shape[0] or (priors is not None and priors.shape[0] < offsets[self.n_leaves]):
                raise BastideError("the answers do not suit the search")
            for i in range(self.n_leaves):
                self.recall(i)
                at = offsets[i]
                n = <u32>(offsets[i + 1] - at)
                weights = &priors[at] if priors is not None else NULL
                search_answer(&self.s, &values[i, 0], &actions[at], weights, n)
            self.n_leaves = 0
        finally:
            self.leave()

    def forget_leaves(self):
        """Take back the descents that have no answers: the evaluator failed."""
        self.enter()
        try:
            self.drop_leaves()
        finally:
            self.leave()

    cdef void drop_leaves(self) noexcept nogil:
        cdef u32 i
        for i in range(self.n_leaves):
            self.recall(i)
            search_weigh(&self.s, -1)
        self.n_leaves = 0

    # -- what was found

    def facts(self):
        """Return (iterations since the restart, visits of the root, nodes, bytes of the tree, memory is full)."""
        self.enter()
        try:
            return (self.s.iterations, self.s.tree.node[0].visits, self.s.tree.n_nodes, tree_bytes(&self.s.tree),
                    bool(self.s.tree.is_full))
        finally:
            self.leave()

    def actions(self):
        """Return (action, visits, sums of the values by player, prior) of the root's actions; none before the first visit."""
        cdef const mcnode_t* root
        cdef const edge_t* e
        cdef u32 i
        cdef list out = []
        cdef u32 n = self.s.tree.n_players
        self.enter()
        try:
            root = &self.s.tree.node[0]
            for i in range(root.n if root.kind == DECISION else 0):
                e = &self.s.tree.edge[root.first + i]
                out.append((e.action, e.visits, [self.sum_of(e.child, k) for k in range(n)], e.prior))
        finally:
            self.leave()
        return out

    def sums(self):
        """Return the sums of the values at the root, by player."""
        self.enter()
        try:
            return [self.sum_of(0, k) for k in range(self.s.tree.n_players)]
        finally:
            self.leave()

    cdef double sum_of(self, u32 node, u32 player) noexcept:
        return 0 if node == NO_ROOM else self.s.tree.sum[<size_t>node * self.s.tree.n_players + player]

    def line(self, u32 most):
        """Return the steps, at most `most`, that have the most visits from the root on: (is a draw, tile or action, visits)."""
        cdef list out = []
        cdef const mcnode_t* node
        cdef const edge_t* best
        cdef u32 i
        self.enter()
        try:
            node = &self.s.tree.node[0]
            while node.n and len(out) < <Py_ssize_t>most:
                best = &self.s.tree.edge[node.first]
                for i in range(1, node.n):
                    if self.s.tree.edge[node.first + i].visits > best.visits:
                        best = &self.s.tree.edge[node.first + i]
                if best.visits == 0:
                    break
                out.append((node.kind == CHANCE, best.action, best.visits))
                if best.child == NO_ROOM:
                    break
                node = &self.s.tree.node[best.child]
        finally:
            self.leave()
        return out
