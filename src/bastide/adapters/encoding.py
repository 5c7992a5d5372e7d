"""Positions and decisions as numbers: what all adapters hand out. Which game, which numbers, seen by which seat."""

import re
from operator import index as as_index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide.actionindex import ActionIndex
from bastide.batch import Batch
from bastide.errors import BastideError, IllegalActionError, show
from bastide.game import Game, State
from bastide.planes import plane_names, scalar_names
from bastide.rules import Rules

__all__ = ["Encoding", "game_of"]

SCALAR_BOUND = float(1 << 24)  # of a scalar's size; points can be negative


class Encoding:
    """Number the decisions of a game, and show its positions to each seat.

    Numbers 0 .. `index.n` - 1 are those of `ActionIndex(game, window)`. After them stand `Batch.max_actions` spare
    numbers: the legal actions outside the window, in ascending order, have `index.n`, `index.n` + 1, ... So each legal
    action has one number in each position, but a spare number means something else in each.

    Errors: BastideError for a window that is none.

    >>> encoding = Encoding(Game(), window=3)
    >>> encoding.index.n, encoding.n, encoding.planes_shape, encoding.n_scalars
    (60, 780, (80, 3, 3), 131)
    """

    def __init__(self, game: Game, window: int = 41) -> None:
        self.game = game
        self.index = game.index if window == game.index.size else ActionIndex(game, window)
        self.n = self.index.n + Batch(game, 1).max_actions
        self.n_players = game.rules.players
        names, own_scalars = plane_names(game), scalar_names(game)
        self.planes_shape = (len(names), self.index.size, self.index.size)
        self.n_scalars = len(own_scalars)
        self._whose_turn = own_scalars.index("whose turn")
        # For each step from the player who decides to the one who looks: where a plane or scalar is taken from.
        self._views = [
            (_order(names, step, self.n_players), _order(own_scalars, step, self.n_players))
            for step in range(self.n_players)
        ]

    def legal(self, state: State) -> tuple[NDArray[np.int64], list[int]]:
        """Return the numbers of the legal actions, and these, in the same order; none at chance and at the end."""
        actions = [] if state.is_chance or state.is_terminal else state.legal_actions()
        numbers = self.index.numbers(state, actions)
        outside = numbers < 0
        numbers[outside] = self.index.n + np.arange(np.count_nonzero(outside))
        return numbers, actions

    def action(self, state: State, number: Any) -> int:
        """Return the legal action that a number means in a position.

        Errors: IllegalActionError if there is none.
        """
        return self.find(number, *self.legal(state), state.phase)

    def find(self, number: Any, numbers: NDArray[np.int64], actions: list[int], phase: str) -> int:
        """Return the action of a number among those of `legal`; IllegalActionError if it is not there."""
        try:
            found = np.flatnonzero(numbers == as_index(number))
        except TypeError:
            raise IllegalActionError(f"an action is a number of 0 .. {self.n - 1}, got {show(number)}") from None
        if not len(found):
            raise IllegalActionError(f"number {show(number)} is no legal action in phase {phase!r}")
        return actions[int(found[0])]

    def mask(self, numbers: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return which numbers are among the given ones: int8 (n,), 1 or 0."""
        mask = np.zeros(self.n, np.int8)
        mask[numbers] = 1
        return mask

    def observation(self, state: State, seat: int) -> dict[str, NDArray[Any]]:
        """Return the position as a seat sees it: "observation", its planes, and "scalars"."""
        return {"observation": self.planes(state, seat), "scalars": self.scalars(state, seat)}

    def observation_space(self, with_mask: bool) -> Any:
        """Return the space of `observation`, a `gymnasium.spaces.Dict`; with a mask that has "action_mask" too."""
        from gymnasium import spaces  # of an extra

        parts = {
            "observation": spaces.Box(0, 255, self.planes_shape, np.uint8),
            "scalars": spaces.Box(-SCALAR_BOUND, SCALAR_BOUND, (self.n_scalars,), np.float32),
        }
        return spaces.Dict(parts | ({"action_mask": spaces.Box(0, 1, (self.n,), np.int8)} if with_mask else {}))

    def planes(self, state: State, seat: int) -> NDArray[np.uint8]:
        """Return the planes of `State.observation` with `seat` as player 0: uint8, of shape `planes_shape`."""
        planes: NDArray[np.uint8] = state.observation(index=self.index)
        step = (seat - state.current_player) % self.n_players
        return planes[self._views[step][0]] if step else planes

    def scalars(self, state: State, seat: int) -> NDArray[np.float32]:
        """Return the numbers of `State.scalars` with `seat` as player 0: float32 (n_scalars,)."""
        scalars: NDArray[np.float32] = state.scalars()
        step = (seat - state.current_player) % self.n_players
        if step:
            scalars = scalars[self._views[step][1]]
            scalars[self._whose_turn] = (state.turn_player - seat) % self.n_players
        return scalars


def game_of(rules: Game | Rules | str, players: int | None = None) -> Game:
    """Return the game that an adapter was asked for: a Game, Rules, or the name of a preset, for so many players.

    Errors: RulesError for rules that are none; BastideError for `players` beside rules that have theirs.

    >>> game_of("tower", players=3)
    Game(Rules(boxes=('base', 'tower'), players=3))
    """
    if isinstance(rules, str):
        return Game(Rules.preset(rules) if players is None else Rules.preset(rules, players=players))
    if players is not None:
        raise BastideError(f"players={show(players)} goes with the name of a preset; {show(rules)} has its own number")
    return rules if isinstance(rules, Game) else Game(rules)


def _order(names: tuple[str, ...], step: int, n_players: int) -> list[int]:
    """Return where each named thing is found if players are counted from `step` seats further."""
    place = {name: i for i, name in enumerate(names)}
    player = re.compile(r"(?<=^player )\d|(?<=s of )\d$")  # "player 1 holds meeples of 0"
    return [place[player.sub(lambda found: str((int(found[0]) + step) % n_players), name)] for name in names]
