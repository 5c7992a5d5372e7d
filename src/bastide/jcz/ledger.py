"""Keep account of figures by their ids in JCloisterZone: "0.small.3" is the third standard meeple of player 0.

The states of this package count figures and do not tell them apart. The ledger follows a state and knows of each
id whether it is in supply, on the board or in prison, and which prisoners came first.
"""

from typing import TYPE_CHECKING

from bastide.errors import RecordError, show

if TYPE_CHECKING:
    from bastide.game import State
    from bastide.rules import Rules

__all__ = ["Ledger", "Spot"]

Spot = tuple[int, int, str]  # x, y, and the place as figures have it
_KINDS = {"small": "meeple", "abbot": "abbot"}  # kind in ids -> here


class Ledger:
    """Hold where each figure is. All methods that take an id raise RecordError for one that the game does not have."""

    def __init__(self, rules: "Rules") -> None:
        counts = {"small": 7, "abbot": 1 if rules.abbot else 0}
        self._figures = {  # id -> owner, kind
            f"{player}.{name}.{i + 1}": (player, _KINDS[name])
            for player in range(rules.players)
            for name, n in counts.items()
            for i in range(n)
        }
        self._board: dict[str, Spot] = {}
        self._prisons: list[list[str]] = [[] for _ in range(rules.players)]  # by holder, the first captured first

    def owner_and_kind(self, figure: str) -> tuple[int, str]:
        """Return the owner of a figure, and its kind as actions name it."""
        if figure not in self._figures:
            raise RecordError(f"meeple {show(figure)} is not in this game (supported: small, abbot)")
        return self._figures[figure]

    def deploy(self, figure: str, spot: Spot) -> None:
        """Put a figure from supply on the board; RecordError if it is not in supply."""
        self.owner_and_kind(figure)
        if figure in self._board or any(figure in prison for prison in self._prisons):
            raise RecordError(f"meeple {figure} is not in supply")
        self._board[figure] = spot

    def capture(self, figure: str, captor: int) -> None:
        """Take a figure off the board; it is a prisoner unless it is the captor's own (T6)."""
        del self._board[figure]
        if self.owner_and_kind(figure)[0] != captor:
            self._prisons[captor].append(figure)

    def release(self, figure: str) -> None:
        """Take a figure out of prison."""
        self._prisons[self.holder(figure)].remove(figure)

    def holder(self, figure: str) -> int:
        """Return who holds a figure prisoner; RecordError if nobody does."""
        self.owner_and_kind(figure)
        for holder, prison in enumerate(self._prisons):
            if figure in prison:
                return holder
        raise RecordError(f"meeple {figure} is nobody's prisoner")

    def at(self, figure: str) -> Spot | None:
        """Return where on the board a figure stands."""
        self.owner_and_kind(figure)
        return self._board.get(figure)

    def standing(self, owner: int, kind: str, spot: Spot) -> str:
        """Return the id of a figure on the board."""
        return next(id_ for id_ in self._named(owner, kind) if self._board.get(id_) == spot)

    def free(self, owner: int, kind: str) -> str:
        """Return the first id that is in supply."""
        taken = {*self._board, *(id_ for prison in self._prisons for id_ in prison)}
        return next(id_ for id_ in self._named(owner, kind) if id_ not in taken)

    def prisoner(self, holder: int, owner: int, kind: str) -> str:
        """Return the id of that figure which was captured first."""
        return next(id_ for id_ in self._prisons[holder] if self._figures[id_] == (owner, kind))

    def follow(self, state: "State") -> None:
        """Send home whoever the state no longer has on the board or in prison; of equal prisoners the first."""
        board = {(figure.owner, figure.kind, (figure.x, figure.y, figure.place)) for figure in state.figures}
        for id_, spot in list(self._board.items()):
            if (*self._figures[id_], spot) not in board:
                del self._board[id_]
        for prison, counts in zip(self._prisons, state.prisoners, strict=True):
            for owner, kind in {self._figures[id_] for id_ in prison}:
                held = [id_ for id_ in prison if self._figures[id_] == (owner, kind)]
                for id_ in held[: len(held) - counts.get((kind, owner), 0)]:
                    prison.remove(id_)

    def _named(self, owner: int, kind: str) -> list[str]:
        """Return the ids of a player's figures of a kind, in their order."""
        return [id_ for id_, figure in self._figures.items() if figure == (owner, kind)]
