"""Cells, edges and rotations.

Edges are 0-3 = N E S W; half-edges 0-7 = NL NR EL ER SL SR WL WR (left and right as seen from the tile's centre
looking out); rotations are quarter turns clockwise.

The grid is a torus without aliases: cell (x, y) has the index p = N/2 + x + b*y mod N, so a neighbour is one addition
and one mask. Two cells share an index only where their L1 distance is at least d of the layout; a layout is used only
while the board with a margin of 2 fits, so that never happens to cells in use. Layouts grow with the board (state.pyx).

A `place_t` carries both forms of a cell: bits 0-31 the index p, bits 32-42 x + 1024, bits 43-53 y + 1024. The upper half
is the action's (x, y) as it stands there (actions.pxd), and one addition moves both halves.
"""

from bastide._core.types cimport place_t, u32

cdef enum:
    N_LAYOUTS = 7
    XY_BITS = 11
    XY_OFFSET = 1024
    XY_MASK = 2047

cdef struct layout_t:
    u32 n                 # cells, a power of two
    u32 b                 # index step from a row to the next
    u32 d                 # least L1 distance of two cells with the same index
    place_t mask          # keeps the index inside 0..n-1 and the coordinates as they are
    place_t step[4]       # what to add for the neighbour at edge 0-3
    place_t around[8]     # the eight neighbours, N NE E SE S SW W NW


cdef inline u32 index_of(place_t c) noexcept nogil:
    return <u32>c


cdef inline int x_of(place_t c) noexcept nogil:
    return <int>(c >> 32 & XY_MASK) - XY_OFFSET


cdef inline int y_of(place_t c) noexcept nogil:
    return <int>(c >> (32 + XY_BITS) & XY_MASK) - XY_OFFSET


cdef inline place_t place_at(const layout_t* lay, int x, int y) noexcept nogil:
    cdef u32 p = (<u32>(lay.n // 2) + <u32>x + lay.b * <u32>y) & (lay.n - 1)
    return <place_t>p | <place_t>(x + XY_OFFSET) << 32 | <place_t>(y + XY_OFFSET) << (32 + XY_BITS)


cdef inline place_t neighbour(const layout_t* lay, place_t c, u32 edge) noexcept nogil:
    return (c + lay.step[edge]) & lay.mask


cdef inline u32 opposite(u32 edge) noexcept nogil:
    return edge ^ 2
