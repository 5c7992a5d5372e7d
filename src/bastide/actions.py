"""Actions as text and as integers (docs/actions.md): both directions, for all kinds.

Text needs a state, since segments are named by the edges of tiles on the board, and so does reading it back.
"""

import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bastide._core import api
from bastide.errors import InvalidActionError, show
from bastide.spots import BARN, CASTLE, HALF, TOWER
from bastide.tile import EDGES

if TYPE_CHECKING:
    from bastide.game import State

ACTION_VERSION: int = api.ACTION_VERSION_
(PASS, PLACE, NO_BUILDING, CASTLE_BUILT, BARN_BUILT, RANSOM, DEPLOY) = range(7)
(FLOOR, TOWER_FOLLOWER, WATCHMAN, TAKE_BACK, CAPTURE, EXCHANGE, GROW) = range(7, 14)
FIGURES = ("meeple", "abbot", "maiden")
COLOURS = ("normal", "black", "white")
CORNERS = ("NW", "NE", "SE", "SW")
AXES = ("", "NS", "EW")
OFFSET = 1024  # of coordinates


def pack(kind: int, x: int = 0, y: int = 0, spot: int = 0, figure: int = 0, player: int = 0) -> int:
    """Return the integer of an action; pass, no building, ransom and exchange have no cell and leave 0 there."""
    has_cell = kind not in (PASS, NO_BUILDING, RANSOM, EXCHANGE)
    cell = (x + OFFSET | (y + OFFSET) << 11) if has_cell else 0
    return kind << 59 | cell << 12 | spot << 6 | figure << 3 | player


def action_text(state: "State", action: int) -> str:
    """Return the text of an action in this position; InvalidActionError if it names nothing that there is."""
    number = -1 if isinstance(action, (bool, type)) or not hasattr(action, "__index__") else _index(action)
    if not 0 <= number < 1 << 63:
        raise InvalidActionError(f"an action is an integer of 0 .. 2**63 - 1, got {show(action)}")
    try:
        text = _text(state, number)
        if _pack_text(state, text) == number:
            return text
    except (KeyError, IndexError, StopIteration, InvalidActionError):
        pass
    raise InvalidActionError(f"action {number} names nothing that there is in this position")


def _index(value: Any) -> int:
    """Return an object's integer, -1 if it has none after all (an array of several numbers)."""
    try:
        return operator.index(value)
    except TypeError:
        return -1


def _text(state: "State", action: int) -> str:
    """Return what the bit fields say; KeyError, IndexError or StopIteration if they say nothing."""
    kind = action >> 59
    x, y = (action >> 12 & 2047) - OFFSET, (action >> 23 & 2047) - OFFSET
    spot, figure, player = action >> 6 & 63, action >> 3 & 7, action & 7
    cell = f"{x},{y}"
    forms: dict[int, Callable[[], str]] = {
        PASS: lambda: "pass",
        PLACE: lambda: f"place {cell} {90 * (spot & 3)}" + (f" bridge {AXES[spot >> 2]}" if spot > 3 else ""),
        NO_BUILDING: lambda: "no building",
        CASTLE_BUILT: lambda: f"castle {cell} {_spot_text(state, x, y, spot)}",
        BARN_BUILT: lambda: _barn_text(state, action, cell, spot),
        RANSOM: lambda: f"ransom {FIGURES[figure]} from {player}",
        DEPLOY: lambda: f"deploy {FIGURES[figure]} {cell} {_spot_text(state, x, y, spot)}",
        FLOOR: lambda: f"floor {COLOURS[spot]} {cell}",
        TOWER_FOLLOWER: lambda: f"tower {FIGURES[figure]} {cell}",
        WATCHMAN: lambda: f"watchman {cell}",
        TAKE_BACK: lambda: f"take back {FIGURES[figure]} {cell} {_spot_text(state, x, y, spot)}",
        CAPTURE: lambda: f"capture {cell} {FIGURES[figure]} of {player} {_spot_text(state, x, y, spot)}",
        EXCHANGE: lambda: f"exchange {FIGURES[figure]} from {player}",
        GROW: lambda: f"grow {cell}",
    }
    return forms[kind]()


def _barn_text(state: "State", action: int, cell: str, corner: int) -> str:
    x2, y2 = (action >> 34 & 2047) - OFFSET, (action >> 45 & 2047) - OFFSET
    farmer = _spot_text(state, x2, y2, HALF + (action >> 56 & 7))
    return f"barn {cell} {CORNERS[corner]} from {x2},{y2} {farmer}"


def _segments_at(state: "State", x: int, y: int) -> list[tuple[int, str]]:
    """Return (spot code, name) of the segments of the tile at a cell; StopIteration if it is empty."""
    tile, q = next((t, q) for t, q, tx, ty in state._tiles() if (tx, ty) == (x, y))
    return list(zip(state.game._codes[tile][q], state.game._spots[tile][q], strict=True))


def _spot_text(state: "State", x: int, y: int, spot: int) -> str:
    if spot == TOWER:
        return "tower"
    if spot == BARN:
        return "barn"
    if CASTLE <= spot < CASTLE + 4:
        return f"castle {EDGES[spot - CASTLE]}"
    return next(name for code, name in _segments_at(state, x, y) if code == spot)


CELL = r"(-?[0-9]{1,4}),(-?[0-9]{1,4})"
FIGURE = r"(meeple|abbot|maiden)"
SPOT = r"((?:city|road) [NESW]+|field [NESWLR-]+|(?:city|road|field) inside|monastery|garden|tower|barn|castle [NESW])"
GRAMMAR = [
    (kind, re.compile(pattern))
    for kind, pattern in [
        (PASS, "pass"),
        (PLACE, rf"place {CELL} (0|90|180|270)(?: bridge (NS|EW))?"),
        (NO_BUILDING, "no building"),
        (CASTLE_BUILT, rf"castle {CELL} (city [NESW]+)"),
        (BARN_BUILT, rf"barn {CELL} (NW|NE|SE|SW) from {CELL} (field [NESWLR-]+)"),
        (RANSOM, rf"ransom {FIGURE} from ([0-5])"),
        (DEPLOY, rf"deploy {FIGURE} {CELL} {SPOT}"),
        (FLOOR, rf"floor (normal|black|white) {CELL}"),
        (TOWER_FOLLOWER, rf"tower {FIGURE} {CELL}"),
        (WATCHMAN, rf"watchman {CELL}"),
        (TAKE_BACK, rf"take back {FIGURE} {CELL} {SPOT}"),
        (CAPTURE, rf"capture {CELL} {FIGURE} of ([0-5]) {SPOT}"),
        (EXCHANGE, rf"exchange {FIGURE} from ([0-5])"),
        (GROW, rf"grow {CELL}"),
    ]
]


def parse_action(state: "State", text: str) -> int:
    """Return the integer of an action's text in this position; InvalidActionError says what is wrong with it.

    The drawn tile's rotation is normalised to the smallest that gives the same tile (B4).
    """
    if not isinstance(text, str):
        raise InvalidActionError(f"an action's text is a string, got {show(text)}")
    return _pack_text(state, text, normalise=True)


def split_text(text: str) -> tuple[int, tuple[str, ...]]:
    """Return the kind of an action's text and its words as GRAMMAR has them; InvalidActionError if it has no form."""
    for kind, pattern in GRAMMAR:
        if match := pattern.fullmatch(text):
            return kind, match.groups()
    raise InvalidActionError(f"{show(text)} is no action; the forms are in the documentation of actions")


def _pack_text(state: "State", text: str, normalise: bool = False) -> int:
    kind, parts = split_text(text)
    return _pack_parts(state, text, kind, parts, normalise)


def _pack_parts(state: "State", text: str, kind: int, parts: tuple[str, ...], normalise: bool) -> int:
    if kind in (PASS, NO_BUILDING):
        return pack(kind)
    if kind in (RANSOM, EXCHANGE):
        return pack(kind, figure=FIGURES.index(parts[0]), player=int(parts[1]))
    if kind == PLACE:
        q = int(parts[2]) // 90
        if normalise and state.drawn_tile is not None:
            q = state.game._rotations[state.drawn_tile][q]
        return pack(kind, *_cell(text, parts[0:2]), spot=q + 4 * AXES.index(parts[3] or ""))
    if kind == FLOOR:
        return pack(kind, *_cell(text, parts[1:3]), spot=COLOURS.index(parts[0]))
    if kind == TOWER_FOLLOWER:
        return pack(kind, *_cell(text, parts[1:3]), figure=FIGURES.index(parts[0]))
    if kind in (WATCHMAN, GROW):
        return pack(kind, *_cell(text, parts))
    if kind == CASTLE_BUILT:
        x, y = _cell(text, parts[0:2])
        return pack(kind, x, y, _spot_code(state, text, x, y, parts[2]))
    if kind == CAPTURE:
        x, y = _cell(text, parts[0:2])
        return pack(kind, x, y, _spot_code(state, text, x, y, parts[4]), FIGURES.index(parts[2]), int(parts[3]))
    if kind == BARN_BUILT:
        x2, y2 = _cell(text, parts[3:5])
        half = _spot_code(state, text, x2, y2, parts[5]) - HALF
        farmer = x2 + OFFSET | (y2 + OFFSET) << 11 | half << 22
        return pack(kind, *_cell(text, parts[0:2]), spot=CORNERS.index(parts[2])) | farmer << 34
    x, y = _cell(text, parts[1:3])  # deploy, take back
    return pack(kind, x, y, _spot_code(state, text, x, y, parts[3]), FIGURES.index(parts[0]))


def _cell(text: str, parts: tuple[str, ...]) -> tuple[int, int]:
    x, y = int(parts[0]), int(parts[1])
    if not (abs(x) < OFFSET and abs(y) < OFFSET):
        raise InvalidActionError(f"{show(text)}: cell {x},{y} is beyond any board (-1023 .. 1023)")
    return x, y


def _spot_code(state: "State", text: str, x: int, y: int, spot: str) -> int:
    """Return the code of a spot's name; edges or half-edges may be any part of the segment's."""
    if spot in ("tower", "barn"):
        return TOWER if spot == "tower" else BARN
    terrain, _, names = spot.partition(" ")
    if terrain == "castle":
        return CASTLE + EDGES.index(names)
    try:
        segments = _segments_at(state, x, y)
    except StopIteration:
        raise InvalidActionError(f"{show(text)}: no tile lies at {x},{y}") from None
    wanted = _parts(terrain, names)
    for code, name in segments:
        kind, _, own = name.partition(" ")
        if kind == terrain and len(set(wanted)) == len(wanted) and set(wanted) <= set(_parts(terrain, own)):
            return int(code)
    there = ", ".join(name for _, name in segments)
    raise InvalidActionError(f"{show(text)}: the tile at {x},{y} has no {spot}; it has {there}")


def _parts(terrain: str, names: str) -> list[str]:
    """Return the edges or half-edges of a spot's name as they stand there."""
    if names in ("", "inside"):
        return [names]
    return names.split("-") if terrain == "field" else list(names)
