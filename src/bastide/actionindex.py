"""Fixed numbers for actions: the same number for the same choice in every position of a game, e.g. for neural nets.

A square window of cells, by default in the middle of the board, is the part of the plane that has numbers; a number
stands for a kind of action, its figure and spot, and a cell of the window where the kind names one. What lies outside
has no number and is counted, never lost: `Batch.masks` and `ActionIndex.numbers`. docs/batches.md has the table.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bastide._core import windows
from bastide._core.api import Tables
from bastide.errors import BastideError, IllegalActionError, show

if TYPE_CHECKING:
    from bastide.game import Game, State

N_SPOTS = 23  # spot codes, see docs/actions.md
MOST_CELLS = 999  # a side of the window
KINDS = (
    *("pass", "place", "no building", "castle", "barn", "ransom", "deploy", "floor", "tower", "watchman"),
    *("take back", "capture", "exchange", "grow"),
)
WITH_CELL = ("place", "barn", "floor", "tower", "watchman", "take back", "capture", "grow")


@dataclass(frozen=True, slots=True)
class Block:
    """The numbers of one kind of action: `first` .. `first` + `n_subs` * `n_cells` - 1."""

    kind: str  # as in docs/actions.md
    first: int
    n_subs: int  # choices of figure and spot: a plane of the window each, or a number each
    n_cells: int  # cells of the window; 1 for a kind that needs no cell


class ActionIndex(windows.Window):
    """Number the actions of a game over a window of `size` x `size` cells (odd).

    The window's middle is that of the board's bounding box, rounded down (`centre="board"`), or the start tile
    (`centre="start"`). Numbers are 0 .. n-1; they depend on the game's boxes, players and options, on `size` and on
    nothing else, and stay the same while `ACTION_VERSION` does. Immutable; shared by threads.

    Errors: BastideError for a size or centre that is none.

    >>> from bastide.game import Game
    >>> index = ActionIndex(Game(), size=3)
    >>> index.n, [(block.kind, block.first) for block in index.blocks]
    (60, [('pass', 0), ('deploy', 1), ('place', 24)])
    """

    game: "Game"
    size: int
    centre: str
    blocks: tuple[Block, ...]
    n: int

    def __init__(self, game: "Game", size: int = 41, centre: str = "board") -> None:
        if not isinstance(game, Tables):
            raise BastideError(f"game must be a bastide.Game, got {show(game)}")
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MOST_CELLS or size % 2 == 0:
            raise BastideError(f"size must be an odd number of 1 .. {MOST_CELLS}, got {show(size)}")
        if centre not in ("board", "start"):
            raise BastideError(f"centre must be 'board' or 'start', got {show(centre)}")
        blocks = []
        n = 0
        for kind, n_subs in _kinds(game):
            blocks.append(Block(kind, n, n_subs, size * size if kind in WITH_CELL else 1))
            n += blocks[-1].n_subs * blocks[-1].n_cells
        rows = [(KINDS.index(b.kind), b.first, b.n_subs, int(b.n_cells > 1 or b.kind in WITH_CELL)) for b in blocks]
        super().__init__(game, size, centre == "board", n, rows)
        self.size, self.centre, self.blocks, self.n = size, centre, tuple(blocks), n
        self.n_bytes = (n + 7) // 8  # of a mask

    def middle(self, state: "State") -> tuple[int, int]:
        """Return the cell (x, y) in the window's middle."""
        self._check(state)
        middle: tuple[int, int] = self._middle(state)
        return middle

    def numbers(self, state: "State", actions: Any) -> NDArray[np.int64]:
        """Return the numbers of actions in a position, int64, as many; -1 for those that have none."""
        self._check(state)
        values = np.ascontiguousarray(actions, np.int64).reshape(-1)
        out = np.empty(len(values), np.int64)
        self._numbers(state, values, out)
        return out

    def mask(self, state: "State") -> NDArray[np.bool_]:
        """Return which numbers are legal actions in a position, bool (n,); none at chance."""
        out = np.zeros(self.n, bool)
        if not state.is_chance:
            numbers = self.numbers(state, state.legal_actions())
            out[numbers[numbers >= 0]] = True
        return out

    def action(self, state: "State", number: int) -> int:
        """Return the legal action that a number means in a position; IllegalActionError if there is none."""
        legal = [] if state.is_chance else state.legal_actions()
        for action, other in zip(legal, self.numbers(state, legal).tolist(), strict=True):
            if other == number >= 0:
                return int(action)
        raise IllegalActionError(f"number {show(number)} is no legal action in phase {state.phase!r}")

    def _check(self, state: "State") -> None:
        if state.game is not self.game:
            raise BastideError("the state is of another game than the action index")

    def __repr__(self) -> str:
        return f"ActionIndex({self.game!r}, size={self.size}, centre={self.centre!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return ActionIndex, (self.game, self.size, self.centre)


def _kinds(game: "Game") -> list[tuple[str, int]]:
    """Return the kinds of action that a game can have, those without a cell first, with their numbers of choices."""
    rules, boxes = game.rules, game.rules.boxes
    castles, tower, thieves = "bridges-castles" in boxes, "tower" in boxes, "thieves" in boxes
    figures = 3 if castles else 2 if rules.abbot else 1
    captives = 2 if rules.abbot else 1  # a maiden is never captured
    ransoms = tower and not rules.tower_eye_for_an_eye
    kinds = {
        "pass": 1,
        "no building": int(castles),
        "castle": 5 * castles,
        "ransom": captives * rules.players * ransoms,
        "deploy": figures * N_SPOTS,
        "exchange": captives * rules.players * tower,
        "place": 12 if castles else 4,
        "barn": 32 * castles,
        "floor": 3 if "black-tower" in boxes else int(tower),
        "tower": int(tower),
        "watchman": int(thieves),
        "take back": 8 * (castles or rules.abbot),
        "capture": N_SPOTS * tower,
        "grow": int(thieves),
    }
    return [(kind, n) for kind, n in kinds.items() if n]
