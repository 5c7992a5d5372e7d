"""Features: union-find over segments in the quick-find form, and the packed sums of a feature.

Every node carries its feature's label, so looking it up is one load; uniting two older features relabels by a scan, which
happens about seven times in a base game. The sums stand in total[label], one 64-bit word:

    bits  0-11  open edges (roads, cities)
    bits 12-23  worth: tiles + pennants of a city, tiles of a road, a tile passed twice counted twice
    bits 24-35  segments on tiles with several cities or roads (only then a tile may be counted twice)
    bits 36-59  figures on it that hold a majority, 4 bits a player
    bit     60  the city is a castle (G8)

so that uniting is one addition, less 2 open edges for each joined pair. The limits of a tile set (bastide.tiles) keep
every field in its bits. A monastery or garden is a feature of its own with figures only; fields use figures only.
"""

from bastide._core.state cimport state_t
from bastide._core.rng cimport unlikely
from bastide._core.types cimport node_t, total_t, u32

cdef enum:
    OPEN_MASK = 0xFFF
    WORTH_SHIFT = 12
    WORTH_MASK = 0xFFF
    MULTI_SHIFT = 24
    MULTI_MASK = 0xFFF
    FIGURES_SHIFT = 36
    FIGURE_BITS = 4
    FIGURE_MASK = 15


cdef extern from *:
    """
    /* beyond what a C enum can hold */
    #define BS_FIGURES_BELOW ((1ULL << 36) - 1)
    #define BS_CASTLE (1ULL << 60)
    """
    total_t FIGURES_BELOW "BS_FIGURES_BELOW"     # the bits below the figures
    total_t CASTLE "BS_CASTLE"


cdef inline u32 worth(total_t v) noexcept nogil:
    return <u32>(v >> WORTH_SHIFT) & WORTH_MASK


cdef inline bint is_occupied(total_t v) noexcept nogil:
    """Tell whether nothing can be deployed there: figures, or a castle (B6, G8)."""
    return v >> FIGURES_SHIFT != 0


cdef inline u32 figures_of(total_t v, u32 player) noexcept nogil:
    return <u32>(v >> (FIGURES_SHIFT + FIGURE_BITS * player)) & FIGURE_MASK


cdef inline total_t one_figure(u32 player) noexcept nogil:
    return <total_t>1 << (FIGURES_SHIFT + FIGURE_BITS * player)


cdef inline void relabel(state_t* s, u32 old, u32 new) noexcept nogil:
    """Give every node of feature `old` the label `new`. Whole vectors: the slack behind the nodes may change too."""
    cdef node_t* label = s.label
    cdef node_t a = <node_t>old
    cdef node_t b = <node_t>new
    cdef u32 n = (s.h.n_nodes + 15u) & ~15u
    cdef u32 i
    for i in range(n):
        label[i] = b if label[i] == a else label[i]


cdef inline u32 unite(state_t* s, u32 node, u32 old, u32 base, u32 shut) noexcept nogil:
    """Join the feature of `node`, a segment of the tile whose first is `base`, to an older one; return its label."""
    cdef u32 a = s.label[node]
    cdef u32 b = s.label[old]
    cdef total_t more = 0 if a == b else s.total[a]
    s.total[b] += more - shut
    s.label[node] = <node_t>b
    if unlikely(a < base and a != b):
        relabel(s, a, b)
    return b


cdef inline void unite_fields(state_t* s, u32 node, u32 old, u32 base) noexcept nogil:
    """Join fields as `unite` does; their sums matter only where an older field with figures is joined."""
    cdef u32 a = s.label[node]
    cdef u32 b = s.label[old]
    s.label[node] = <node_t>b
    if unlikely(a < base and a != b):
        s.total[b] += s.total[a]
        relabel(s, a, b)
