"""Making nodes and edges, finding a position, and keeping one node's descendants only. See tree.pxd."""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

cdef enum:
    FIRST_NODES = 64
    FIRST_EDGES = 512


cdef void tree_free(tree_t* t) noexcept nogil:
    free(t.node)
    free(t.sum)
    free(t.edge)
    t.node, t.sum, t.edge = NULL, NULL, NULL
    t.n_nodes = t.n_edges = t.room_nodes = t.room_edges = 0


cdef inline size_t node_bytes(const tree_t* t) noexcept nogil:
    return sizeof(mcnode_t) + t.n_players * sizeof(double)


cdef size_t tree_bytes(const tree_t* t) noexcept nogil:
    """Return the bytes that the tree holds allocated."""
    return t.room_nodes * node_bytes(t) + t.room_edges * sizeof(edge_t)


cdef u32 more_room(const tree_t* t, u32 room, u32 wanted, size_t size) noexcept nogil:
    """Return the next room for `wanted` entries of a size, doubled if the limit lets it; 0 if it does not."""
    cdef size_t left = t.limit - tree_bytes(t) if t.limit > tree_bytes(t) else 0
    cdef u64 most = room + left // size
    cdef u64 room_then = max(2 * <u64>room, <u64>wanted)
    if wanted > most:
        return 0
    return <u32>min(min(room_then, most), <u64>NO_ROOM - 1)


cdef u32 tree_node(tree_t* t, u64 key, u32 kind, u32 player) noexcept nogil:
    """Add a node without edges or visits; NO_ROOM if it finds none."""
    cdef u32 room
    cdef void* more
    cdef mcnode_t* node
    if t.n_nodes == t.room_nodes:
        room = more_room(t, t.room_nodes, max(<u32>FIRST_NODES, t.n_nodes + 1), node_bytes(t))
        if room == 0:
            t.is_full = True
            return NO_ROOM
        more = realloc(t.node, room * sizeof(mcnode_t))
        if more == NULL:
            t.is_full = True
            return NO_ROOM
        t.node = <mcnode_t*>more
        more = realloc(t.sum, <size_t>room * t.n_players * sizeof(double))
        if more == NULL:
            t.is_full = True
            return NO_ROOM
        t.sum = <double*>more
        t.room_nodes = room
    node = &t.node[t.n_nodes]
    memset(node, 0, sizeof(mcnode_t))
    memset(t.sum + <size_t>t.n_nodes * t.n_players, 0, t.n_players * sizeof(double))
    node.key, node.kind, node.player = key, <u8>kind, <u8>player
    t.n_nodes += 1
    return t.n_nodes - 1


cdef u32 tree_edges(tree_t* t, u32 n) noexcept nogil:
    """Add n edges in one piece, to be filled by the caller; return the first one's number, or NO_ROOM."""
    cdef u32 room
    cdef void* more
    cdef u32 first = t.n_edges
    if n > t.room_edges - first:
        room = more_room(t, t.room_edges, max(<u32>FIRST_EDGES, first + n), sizeof(edge_t))
        more = realloc(t.edge, <size_t>room * sizeof(edge_t)) if room else NULL
        if more == NULL:
            t.is_full = True
            return NO_ROOM
        t.edge = <edge_t*>more
        t.room_edges = room
    t.n_edges += n
    return first


cdef u32 tree_find(const tree_t* t, u64 key) noexcept nogil:
    """Return the node of a position that has the most visits; NO_ROOM if none has any."""
    cdef u32 best = NO_ROOM
    cdef u32 i
    for i in range(t.n_nodes):
        if t.node[i].key == key and t.node[i].visits > (0 if best == NO_ROOM else t.node[best].visits):
            best = i
    return best


cdef int tree_cut(tree_t* t, u32 root) noexcept nogil:
    """Make a node the root (number 0) and drop what is not below it; -1 and unchanged if memory is short.

    Nodes come to stand in the order of a breadth-first walk.
    """
    cdef tree_t fresh = t[0]
    cdef u32 done = 0
    cdef u32 i, child
    cdef edge_t* edge
    cdef mcnode_t* node
    cdef u32* old = <u32*>malloc(t.n_nodes * sizeof(u32))        # by new number
    fresh.node = <mcnode_t*>malloc(t.room_nodes * sizeof(mcnode_t))
    fresh.sum = <double*>malloc(<size_t>t.room_nodes * t.n_players * sizeof(double))
    fresh.edge = <edge_t*>malloc(<size_t>t.room_edges * sizeof(edge_t))
    if old == NULL or fresh.node == NULL or fresh.sum == NULL or (fresh.edge == NULL and t.room_edges):
        free(old)
        tree_free(&fresh)
        return -1
    fresh.n_edges = 0
    fresh.is_full = False
    old[0] = root
    fresh.n_nodes = 1
    while done < fresh.n_nodes:
        node = &fresh.node[done]
        node[0] = t.node[old[done]]
        memcpy(fresh.sum + <size_t>done * t.n_players, t.sum + <size_t>old[done] * t.n_players, t.n_players * sizeof(double))
        if node.n:
            edge = fresh.edge + fresh.n_edges
            memcpy(edge, t.edge + node.first, node.n * sizeof(edge_t))
            node.first = fresh.n_edges
            fresh.n_edges += node.n
            for i in range(node.n):
                child = edge[i].child
                if child != NO_ROOM:
                    old[fresh.n_nodes] = child
                    edge[i].child = fresh.n_nodes
                    fresh.n_nodes += 1
        done += 1
    free(old)
    tree_free(t)
    t[0] = fresh
    return 0
