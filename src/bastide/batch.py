"""Games stepped together: `Batch`, for searches, learning and bulk play by own policies.

The games are held and stepped by the core without the GIL (`bastide._core.stepping`); this module makes arrays of them.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide._core import stepping
from bastide._core.api import PHASES
from bastide.actionindex import ActionIndex
from bastide.bulk import whole
from bastide.errors import BastideError, IllegalActionError, show
from bastide.game import Game, State
from bastide.planes import fillable, fillable_pair, plane_names, scalar_names

FORMS = ("action", "choice", "number")
MOST_SLOTS = 1 << 24
LEAST_PART = 4096  # slots a thread: handing over fewer costs more than it gains
Array = NDArray[Any]


class Batch:
    """Hold `n` games of the same rules, in slots 0 .. n-1, and step them together.

    `chance`: "inside" = tiles are drawn at once, so that every slot waits for a player or is over; "outside" = slots
    wait at chance for `draw`. Episode k of slot i draws from `Rng(seed, k * 2**32 + start + i)` and nothing else does,
    so results depend on no other slot and on no number of threads. `auto_reset`: where a step ends a game, the slot
    goes on with its next episode at once; `terminal`, `scores`, `returns`, `rewards` then still tell of the ended one,
    until the next step. `threads`: how many at most step parts of the slots at once, each LEAST_PART slots or more.
    `index`: the numbers of actions for `masks` and `step(form="number")`, by default `ActionIndex(game)`.

    A batch belongs to one thread at a time: used by two at once, one of them gets a BastideError. Questions take
    `out=`, an array to fill (right shape and dtype, C order), or make a new one.

    Errors: BastideError for a number or argument that is none; MemoryError.

    >>> from bastide.game import Game
    >>> batch = Batch(Game(), 3, seed=7)
    >>> actions, offsets = batch.legal_actions()
    >>> batch.step(actions[offsets[:-1]])
    >>> batch.turns(), batch.terminal()
    (array([0, 0, 0], dtype=int32), array([False, False, False]))
    """

    game: Game

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int = 0,
        *,
        chance: str = "inside",
        auto_reset: bool = False,
        threads: int = 1,
        start: int = 0,
        index: ActionIndex | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise BastideError(f"game must be a bastide.Game, got {show(game)}")
        if chance not in ("inside", "outside"):
            raise BastideError(f"chance must be 'inside' or 'outside', got {show(chance)}")
        if index is not None and not isinstance(index, ActionIndex):
            raise BastideError(f"index must be a bastide.ActionIndex, got {show(index)}")
        if index is not None and index.game is not game:
            raise BastideError("the action index is of another game than the batch")
        self.game = game
        self.n = whole("n", n, 1, MOST_SLOTS)
        self.seed = whole("seed", seed, 0, (1 << 64) - 1)
        self.start = whole("start", start, 0, (1 << 32) - self.n)
        self.chance, self.auto_reset = chance, bool(auto_reset)
        self.threads = min(whole("threads", threads, 1, 1024), max(self.n // LEAST_PART, 1))
        self._index = index
        pool = ThreadPoolExecutor(self.threads - 1, "bastide-batch") if self.threads > 1 else None
        self._slots = stepping.Slots(
            game, self.n, self.seed, self.start, chance == "inside", self.auto_reset, self.threads, pool
        )

    # -- decisions

    def legal_actions(self, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
        """Return `(actions, offsets)`: slot i's legal actions are `actions[offsets[i]:offsets[i + 1]]`, ascending.

        actions: int64 (m,); offsets: int64 (n + 1,). A slot at chance or at the end has none. `out` is such a pair,
        its `actions` of any length that suffices (`n * max_actions` always does); what comes back is its beginning.
        """
        actions, offsets = fillable_pair(("actions", "offsets"), out)
        if actions is not None:
            actions = fillable("actions", actions, (np.size(actions),), np.int64)
        offsets = fillable("offsets", offsets, (self.n + 1,), np.int64)
        m = self._slots._list(offsets)
        if actions is None:
            actions = np.empty(m, np.int64)
        elif len(actions) < m:
            raise BastideError(f"out: {m} actions have no room in an array of {len(actions)}")
        if m and not self._slots._take_lists(actions):
            raise BastideError("this batch was stepped by another thread while its actions were listed")
        return actions[:m], offsets

    @property
    def max_actions(self) -> int:
        """A bound for the length of any list of legal actions in this game."""
        return int(self._slots.max_actions)

    @property
    def index(self) -> ActionIndex:
        """The numbers of actions that `masks` and `step(form="number")` use."""
        if self._index is None:
            self._index = self.game.index
        return self._index

    def masks(self, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
        """Return `(bits, outside)`: the legal actions of each slot as bits, and how many have no number.

        bits: uint8 (n, index.n_bytes), bit k of a row (`np.unpackbits(row, bitorder="little")[k]`) is number k of
        `index`; outside: int32 (n,), the legal actions outside the window, which only `legal_actions` shows.
        """
        shape = (self.n, self.index.n_bytes)
        bits, outside = fillable_pair(("bits", "outside"), out)
        bits = fillable("bits", bits, shape, np.uint8)
        outside = fillable("outside", outside, (self.n,), np.int32)
        self._slots._masks(self.index, bits, outside)
        return bits, outside

    def middles(self, out: Array | None = None) -> Array:
        """Return the cell (x, y) in the middle of each slot's window: int32 (n, 2)."""
        out = fillable("out", out, (self.n, 2), np.int32)
        self._slots._middles(self.index, out)
        return out

    def step(self, actions: Any, form: str = "action", where: Any = None) -> None:
        """Do one action in each slot, and in each the automatic steps and (`chance="inside"`) draws that follow.

        actions: integers (n,); by `form` they are "action" = actions, "choice" = positions in the slots' lists (k of
        the k-th legal action), "number" = numbers of `index`. The entry of a slot without a decision, at chance or
        at the end, is not looked at. `where`: bool (n,), which slots step; None = all.

        Errors: IllegalActionError that names the first slot whose entry is not legal; then no game is stepped.
        """
        if form not in FORMS:
            raise BastideError(f"form must be one of {', '.join(FORMS)}, got {show(form)}")
        values = _values("actions", actions, self.n)
        self._slots._step(values, self._where(where), form, self.index if form == "number" else None)

    # -- chance from outside

    def is_chance(self, out: Array | None = None) -> Array:
        """Return which slots wait for a draw: bool (n,)."""
        out = fillable("out", out, (self.n,), np.bool_)
        self._slots._flags("chance", out.view(np.uint8))
        return out

    def draws(self, out: Array | None = None) -> Array:
        """Return how many of each tile can be drawn now: uint16 (n, len(game.tiles)), 0 where no draw is due.

        All of a row are equally likely: the probabilities are the row over its sum.
        """
        out = fillable("out", out, (self.n, len(self.game.tiles)), np.uint16)
        self._slots._draws(out)
        return out

    def draw(self, tiles: Any) -> None:
        """Draw a tile in each slot that waits for one; one that fits nowhere leaves its slot at chance (B5).

        tiles: integers (n,), indexes into `game.tiles`; those of other slots are not looked at.

        Errors: IllegalActionError that names the first slot whose tile cannot be drawn; then no tile is drawn.
        """
        if self.chance == "inside":
            raise BastideError("tiles are drawn inside: make the batch with chance='outside' to draw them yourself")
        self._slots._draw(_values("tiles", tiles, self.n))

    # -- what the last step (and the draws since) brought

    def terminal(self, out: Array | None = None) -> Array:
        """Return where the game is over: bool (n,); with `auto_reset` where the last step ended an episode."""
        out = fillable("out", out, (self.n,), np.bool_)
        self._slots._flags("end", out.view(np.uint8))
        return out

    def scores(self, out: Array | None = None) -> Array:
        """Return the points of each player, int32 (n, players); the final ones where the last step ended an episode."""
        out = fillable("out", out, (self.n, self.game.rules.players), np.int32)
        self._slots._scores(False, out)
        return out

    def rewards(self, out: Array | None = None) -> Array:
        """Return the points that each player got by the last step and the draws since: int32 (n, players)."""
        out = fillable("out", out, (self.n, self.game.rules.players), np.int32)
        self._slots._scores(True, out)
        return out

    def returns(self, out: Array | None = None) -> Array:
        """Return the results as `State.returns`: float64 (n, players), 0 except where `terminal`."""
        out = fillable("out", out, (self.n, self.game.rules.players), np.float64)
        self._slots._returns(out)
        return out

    # -- the positions as they are now

    def current_player(self, out: Array | None = None) -> Array:
        """Return who decides: int32 (n,); at chance the turn's player, at the end -1."""
        return self._facts("player", out)

    def phases(self, out: Array | None = None) -> Array:
        """Return the phases as indexes into `PHASES`: int32 (n,)."""
        return self._facts("phase", out)

    def drawn_tiles(self, out: Array | None = None) -> Array:
        """Return the tiles in hand, indexes into `game.tiles`: int32 (n,), -1 where there is none."""
        return self._facts("drawn", out)

    def turns(self, out: Array | None = None) -> Array:
        """Return how many turns are finished: int32 (n,)."""
        return self._facts("turn", out)

    def episodes(self, out: Array | None = None) -> Array:
        """Return the numbers of the episodes that the slots are in: int64 (n,)."""
        out = fillable("out", out, (self.n,), np.int64)
        self._slots._episodes(out)
        return out

    def observations(self, out: Array | None = None) -> Array:
        """Return the planes of each position as `State.observation`, over the window of `index`.

        uint8 (n, len(plane_names), size, size).
        """
        shape = (self.n, len(plane_names(self.game)), self.index.size, self.index.size)
        out = fillable("out", out, shape, np.uint8)
        self._slots._observations(self.index, out)
        return out

    def scalars(self, out: Array | None = None) -> Array:
        """Return the scalars of each position as `State.scalars`: float32 (n, len(scalar_names))."""
        out = fillable("out", out, (self.n, len(scalar_names(self.game))), np.float32)
        self._slots._scalars(out)
        return out

    @property
    def states(self) -> "Slots":
        """The positions: `states[i]` is a copy of slot i as a State; `states[i] = state` or bytes sets it."""
        return Slots(self)

    def put(self, positions: Any, slots: Any = None) -> None:
        """Set slots to positions, States or bytes: one for all, or one each. `slots`: integers, by default 0 .. n-1.

        The slots' streams and episodes go on; draws inside are made at once.

        Errors: SnapshotError or BastideError for what is no position of this game, or for another number of them than
        slots; then no slot is changed. IndexError for a slot that is none.
        """
        if slots is not None and not isinstance(slots, Iterable):
            raise BastideError(f"slots must be integers in a sequence, got {show(slots)}")
        chosen = [self.states._slot(i) for i in (range(self.n) if slots is None else slots)]
        if isinstance(positions, (State, bytes, bytearray, memoryview)):
            found = [self.states._position(positions)] * len(chosen)
        elif isinstance(positions, Iterable):
            found = [self.states._position(position) for position in positions]
        else:
            raise BastideError(f"positions must be States or bytes, got {show(positions)}")
        if len(found) != len(chosen):
            raise BastideError(f"{len(found)} positions for {len(chosen)} slots")
        for i, state in zip(chosen, found, strict=True):
            self._slots._set(i, state)

    def reset(self, where: Any = None) -> None:
        """Begin the next episode, in all slots or where `where`, bool (n,), says so."""
        self._slots._reset(self._where(where))

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch of {self.n}, seed {self.seed}, chance {self.chance}, {self.game!r}>"

    def _facts(self, what: str, out: Array | None) -> Array:
        out = fillable("out", out, (self.n,), np.int32)
        self._slots._facts(what, out)
        return out

    def _where(self, where: Any) -> Array | None:
        if where is None:
            return None
        mask = np.ascontiguousarray(where)
        if mask.dtype != np.bool_ or mask.shape != (self.n,):
            raise BastideError(f"where must be bool ({self.n},), got {mask.dtype} {mask.shape}")
        return mask.view(np.uint8)


class Slots:
    """The positions of a batch, as a sequence of copies; assigning sets a slot."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def __len__(self) -> int:
        return self._batch.n

    def __getitem__(self, i: int) -> State:
        state = State(self._batch.game)
        self._batch._slots._get(self._slot(i), state)
        return state

    def __setitem__(self, i: int, value: State | bytes) -> None:
        """Make slot i a position; its stream and episode go on, draws inside are made at once.

        Errors: SnapshotError for bytes that are no position of this game, BastideError for anything else.
        """
        slot = self._slot(i)
        self._batch._slots._set(slot, self._position(value))

    def __iter__(self) -> Iterator[State]:
        return (self[i] for i in range(len(self)))

    def _position(self, value: State | bytes | bytearray | memoryview) -> State:
        game = self._batch.game
        if isinstance(value, State) and value.game is not game:
            value = value.to_bytes()
        if isinstance(value, (bytes, bytearray, memoryview)):
            return game.state_from_bytes(bytes(value))
        if not isinstance(value, State):
            raise BastideError(f"a slot is set from a State or its bytes, got {show(value)}")
        return value

    def _slot(self, i: int) -> int:
        n = self._batch.n
        if isinstance(i, bool) or not hasattr(i, "__index__"):
            raise BastideError(f"a slot is an integer of 0 .. {n - 1}, got {show(i)}")
        slot: int = i.__index__()
        if not -n <= slot < n:
            raise IndexError(f"slot {slot} is none of 0 .. {n - 1}")
        return slot % n


def _values(name: str, values: Any, n: int) -> Array:
    """Return integers (n,) as int64."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu" or array.shape != (n,):
        raise IllegalActionError(f"{name} must be integers ({n},), got {array.dtype} {array.shape}")
    return np.ascontiguousarray(array, np.int64)


__all__ = ["PHASES", "ActionIndex", "Batch"]
