"""Define the errors of the package, one class for each way in which something can be wrong.

All are subclasses of `BastideError`, which is a ValueError. A message names the value, what was expected and
the place (file and tile, ply, phase). An object is unchanged after an operation on it has raised an error.
"""

__all__ = [
    "AgentError",
    "BastideError",
    "IllegalActionError",
    "InvalidActionError",
    "RecordError",
    "RulesError",
    "SnapshotError",
    "TileDataError",
    "reason",
    "show",
]


class BastideError(ValueError):
    """Base class of every error of this package.

    Raised itself only where no subclass fits, e.g. for one state used by two threads at once.
    """


class RulesError(BastideError):
    """Raised when rules cannot be made.

    An unknown box, preset or option, a wrong value, an impossible combination.
    """


class TileDataError(BastideError):
    """Raised when a tile file cannot be read or is at fault, or when its tiles do not suit the rules."""


class InvalidActionError(BastideError):
    """Raised when an action cannot be parsed: it is not an action in any position."""


class IllegalActionError(BastideError):
    """Raised when an action, draw or undo is well formed but not possible in the state it was given to."""


class RecordError(BastideError):
    """Raised when a game record or journal cannot be read, or when replaying it meets a wrong step."""


class AgentError(BastideError):
    """Raised when an agent does not do its part: `fault` is "crash", "timeout", "nonsense" or "illegal"."""

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(fault, message)
        self.fault = fault

    def __str__(self) -> str:
        return str(self.args[1])


class SnapshotError(BastideError):
    """Raised when the bytes of a state or deck are damaged, of another version, or of another game."""


def reason(error: Exception) -> str:
    """Return why something failed, without the path that the system's errors repeat."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def show(value: object) -> str:
    """Return the repr of a value for a message, cut where it is long.

    >>> show("base")
    "'base'"
    """
    try:
        text = repr(value)
    except ValueError:  # an int of thousands of digits
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."
