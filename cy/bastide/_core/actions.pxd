"""One action = one non-negative 64-bit integer. The fields are public (docs/actions.md) and stay within ACTION_VERSION."""

from bastide._core.types cimport action_t, place_t, u32

cdef enum:
    ACTION_VERSION = 1

cdef enum:                    # action kinds, bits 59-62
    ACT_PASS = 0
    ACT_PLACE = 1
    ACT_NO_BUILDING = 2
    ACT_CASTLE = 3
    ACT_BARN = 4
    ACT_RANSOM = 5
    ACT_DEPLOY = 6
    ACT_FLOOR = 7
    ACT_TOWER = 8
    ACT_WATCHMAN = 9
    ACT_TAKE_BACK = 10
    ACT_CAPTURE = 11
    ACT_EXCHANGE = 12
    ACT_GROW = 13

cdef enum:                    # where the fields stand
    PLAYER_SHIFT = 0
    FIGURE_SHIFT = 3
    SPOT_SHIFT = 6
    CELL_SHIFT = 12           # x at 12, y at 23: the upper half of a place_t
    CELL2_SHIFT = 34          # barn: the farmer's cell
    HALF_SHIFT = 56           # barn: the farmer's field
    KIND_SHIFT = 59

cdef enum:                    # spot codes: 0-3 first edge, 4-11 first half-edge, then
    SPOT_HALF = 4
    SPOT_MONASTERY = 12
    SPOT_GARDEN = 13
    SPOT_TOWER = 14
    SPOT_FIELD_INSIDE = 15
    SPOT_CASTLE = 16          # + edge
    SPOT_BARN = 20
    SPOT_CITY_INSIDE = 21
    SPOT_ROAD_INSIDE = 22


cdef inline action_t pack_action(u32 kind, place_t cell, u32 spot, u32 figure, u32 player) noexcept nogil:
    return (<action_t>kind << KIND_SHIFT | <action_t>(cell >> 32) << CELL_SHIFT | <action_t>spot << SPOT_SHIFT
            | <action_t>figure << FIGURE_SHIFT | <action_t>player)


cdef inline u32 kind_of(action_t a) noexcept nogil:
    return <u32>(a >> KIND_SHIFT)


cdef inline u32 spot_of(action_t a) noexcept nogil:
    return <u32>(a >> SPOT_SHIFT & 63)


cdef inline u32 figure_of(action_t a) noexcept nogil:
    return <u32>(a >> FIGURE_SHIFT & 7)


cdef inline u32 player_of(action_t a) noexcept nogil:
    return <u32>(a & 7)


cdef inline u32 cell_of(action_t a) noexcept nogil:
    """Return x and y as they stand in the upper half of a place_t."""
    return <u32>(a >> CELL_SHIFT & 0x3FFFFF)
