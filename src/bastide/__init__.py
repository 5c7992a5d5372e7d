"""Carcassonne, simulated by a compiled core: rules, states, playouts. See the README for a game in a dozen lines.

Names are imported when they are first used, so that `import bastide` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bastide._core.api import Rng
    from bastide.actionindex import ActionIndex
    from bastide.actions import ACTION_VERSION
    from bastide.batch import Batch
    from bastide.deck import Deck, perft
    from bastide.errors import (
        AgentError,
        BastideError,
        IllegalActionError,
        InvalidActionError,
        RecordError,
        RulesError,
        SnapshotError,
        TileDataError,
    )
    from bastide.game import Feature, Figure, Game, PlacedTile, ScoreEvent, State
    from bastide.planes import plane_names, scalar_names
    from bastide.record import Record
    from bastide.rules import RULES_VERSION, Rules
    from bastide.search import Search, SearchResult, mcts
    from bastide.searchoptions import SearchOptions
    from bastide.tile import Tile
    from bastide.tiles import TileSet

__version__ = "0.1.0"

_HOMES = {
    "_core.api": ["Rng"],
    "actionindex": ["ActionIndex"],
    "actions": ["ACTION_VERSION"],
    "batch": ["Batch"],
    "deck": ["Deck", "perft"],
    "errors": [
        "AgentError",
        "BastideError",
        "IllegalActionError",
        "InvalidActionError",
        "RecordError",
        "RulesError",
        "SnapshotError",
        "TileDataError",
    ],
    "game": ["Feature", "Figure", "Game", "PlacedTile", "ScoreEvent", "State"],
    "planes": ["plane_names", "scalar_names"],
    "record": ["Record"],
    "rules": ["RULES_VERSION", "Rules"],
    "search": ["Search", "SearchResult", "mcts"],
    "searchoptions": ["SearchOptions"],
    "tile": ["Tile"],
    "tiles": ["TileSet"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [*sorted(_HOME), "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'bastide' has no attribute {name!r}")
    value = getattr(import_module(f"bastide.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
