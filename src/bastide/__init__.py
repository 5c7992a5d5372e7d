"""Carcassonne, simulated by a compiled core: rules, states, playouts. See the README for a game in a dozen lines."""

from bastide.errors import (
    BastideError,
    IllegalActionError,
    InvalidActionError,
    RecordError,
    RulesError,
    SnapshotError,
    TileDataError,
)

__version__ = "0.1.0"
