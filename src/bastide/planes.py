"""Names of what an observation holds, in order: planes over a window of cells, and scalars (docs/search.md).

The core fills them (`bastide._core.observe`); this makes the arrays. Players are counted from the one who decides:
player 0 is the own seat, player 1 the next in order of play.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bastide._core import api, windows
from bastide.errors import BastideError, show
from bastide.tile import EDGES, HALVES

if TYPE_CHECKING:
    from bastide.actionindex import ActionIndex
    from bastide.game import Game, State

__all__ = ["fillable", "fillable_pair", "observation", "plane_names", "scalar_names", "scalars"]

Array = NDArray[Any]
PAIRS = ("NE", "NS", "NW", "ES", "EW", "SW")
PHASES = api.PHASES


def plane_names(game: "Game") -> tuple[str, ...]:
    """Return the names of the planes; what each holds for a cell is said in docs/search.md.

    >>> from bastide.game import Game
    >>> names = plane_names(Game())
    >>> len(names), names[:4]
    (80, ('tile', 'frontier', 'last', 'field N'))
    """
    names = ["tile", "frontier", "last"]
    names += [f"{terrain} {edge}" for terrain in ("field", "road", "city", "river") for edge in EDGES]
    names += [f"joined {pair}" for pair in PAIRS]
    names += [f"{what} {edge}" for what in ("open", "points") for edge in EDGES]
    names += ["pennants", "monastery", "garden", "watchtower", "watchtower points", "foundation", "floors"]
    names += ["black top", "white top", "bridge", "castle"]
    for player in range(game.rules.players):
        own = [f"road or city {edge}" for edge in EDGES] + [f"field {half}" for half in HALVES]
        own += ["meeple", "abbot", "monastery", "tower", "maiden", "barn"]
        names += [f"player {player} {name}" for name in own]
    return tuple(names)


def scalar_names(game: "Game") -> tuple[str, ...]:
    """Return the names of the scalars."""
    names = []
    for player in range(game.rules.players):
        own = ["score", "meeples", "abbots", "normal floors", "black floors", "white floors"]
        own += [f"holds {kind} of {owner}" for owner in range(game.rules.players) for kind in ("meeples", "abbots")]
        names += [f"player {player} {name}" for name in own]
    names += [f"phase {phase}" for phase in PHASES]
    names += ["turn", "tiles left", "whose turn", "shared floors", "bridges", "castles", "barns"]
    for what in ("left", "drawn", "stolen"):
        names += [f"{what} {tile.id}" for tile in game.tiles]
    return tuple(names)


def observation(state: "State", index: "ActionIndex", out: Array | None) -> Array:
    """Return the planes of a position, uint8 (planes, size, size)."""
    if not isinstance(index, windows.Window):
        raise BastideError(f"index must be an ActionIndex, got {show(index)}")
    out = fillable("out", out, (windows.observation_sizes(state)[0], index.size, index.size), np.uint8)
    windows.observation(state, index, out)
    return out


def scalars(state: "State", out: Array | None) -> Array:
    """Return the scalars of a position, float32 (n,)."""
    out = fillable("out", out, (windows.observation_sizes(state)[1],), np.float32)
    windows.scalars(state, out)
    return out


def fillable_pair(names: tuple[str, str], out: Any) -> tuple[Any, Any]:
    """Return the caller's two arrays to fill, or None for each."""
    if out is None:
        return None, None
    if not isinstance(out, (tuple, list)) or len(out) != 2:
        raise BastideError(f"out must be two arrays ({', '.join(names)}), got {show(out)}")
    return out[0], out[1]


def fillable(name: str, out: Any, shape: tuple[int, ...], dtype: Any) -> Array:
    """Return an array to fill: a new one, or the caller's if it suits."""
    if out is None:
        return np.empty(shape, dtype)
    if (
        not isinstance(out, np.ndarray)
        or out.dtype != dtype
        or out.shape != shape
        or not (out.flags.c_contiguous and out.flags.writeable)
    ):
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else show(out)
        raise BastideError(f"{name} must be a writeable array {np.dtype(dtype)} {shape} in C order, got {got}")
    return out
