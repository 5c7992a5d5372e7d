"""The store of a search tree: nodes and edges in two growing blocks, named by 32-bit numbers.

A node is a position that the search has met: a decision, a draw (chance) or the end of a game. Its edges, in one piece, are
made when it is expanded: the legal actions, best prior first, or the tiles that can be drawn. An edge keeps what a choice
among its siblings asks for; the node it leads to keeps the sums of all players. Memory that is full stays full: `tree_edges`
and `tree_node` then give NO_ROOM, and the search goes on with the tree as it is.
"""

from bastide._core.types cimport action_t, u8, u32, u64

cdef enum:                    # mcnode_t.kind
    DECISION = 0
    CHANCE = 1
    TERMINAL = 2

cdef extern from *:
    """
    #define BS_NO_ROOM 0xFFFFFFFFu
    """
    u32 NO_ROOM "BS_NO_ROOM"  # no such node: not made yet, or no memory for it

cdef struct edge_t:
    action_t action           # chance: the tile
    double sum                # of the values to the player who decides; chance: 0
    u32 child                 # a node, or NO_ROOM
    u32 visits
    float prior               # by evaluator: its probability; else how much worse than the best, <= 0; chance: probability
    u32 count                 # chance: how many of the tile

cdef struct mcnode_t:
    u64 key                   # of the position
    u32 first                 # its edges: first .. first + n - 1
    u32 n                     # 0: not expanded
    u32 visits
    u8 kind
    u8 player                 # who decides; chance: whose turn it is
    u8 is_pending             # an evaluator is being asked
    u8 spare

cdef struct tree_t:
    u32 n_players
    size_t limit              # bytes that may be allocated
    mcnode_t* node
    double* sum               # [n_nodes][n_players] of the values
    edge_t* edge
    u32 n_nodes
    u32 n_edges
    u32 room_nodes
    u32 room_edges
    bint is_full              # something found no room

cdef void tree_free(tree_t* t) noexcept nogil
cdef size_t tree_bytes(const tree_t* t) noexcept nogil
cdef u32 tree_node(tree_t* t, u64 key, u32 kind, u32 player) noexcept nogil
cdef u32 tree_edges(tree_t* t, u32 n) noexcept nogil
cdef u32 tree_find(const tree_t* t, u64 key) noexcept nogil
cdef int tree_cut(tree_t* t, u32 root) noexcept nogil
