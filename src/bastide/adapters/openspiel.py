"""The game as a game of OpenSpiel, "python_carcassonne": sequential, chance explicit, perfect information, zero-sum.

Importing this module registers it, after which `pyspiel.load_game` knows it. Needs the extra `openspiel`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError("bastide.adapters.openspiel needs OpenSpiel: pip install 'bastide[openspiel]'") from error

from bastide.adapters.encoding import Encoding
from bastide.errors import BastideError, RulesError, show
from bastide.game import Game, State
from bastide.render.text import board_text
from bastide.rules import MAX_PLAYERS, Rules

__all__ = ["NAME", "CarcassonneGame", "CarcassonneObserver", "CarcassonneState"]

NAME = "python_carcassonne"
DECISIONS_A_TILE = 8  # placement, building, ransom, figure, capture, exchange, with room

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Carcassonne",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=1,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"preset": "base", "boxes": "", "players": 2, "options": "", "window": 41},
)


class CarcassonneGame(pyspiel.Game):
    """Rules as a game of OpenSpiel.

    Parameters: `preset`, or `boxes` ("base+tower"); `players`; `options` ("abbot on; copies base:2+tower:3", as on the
    command line with + for commas, which OpenSpiel's own text form needs for itself); `window`, cells a side of what
    has fixed numbers and is observed, odd. Actions are numbers as in `Encoding`, chance outcomes are indexes into
    `game.tiles`.

    Errors: RulesError, BastideError for a value that is none.

    >>> state = pyspiel.load_game("python_carcassonne(preset=river,players=3)").new_initial_state()
    >>> state.is_chance_node(), state.action_to_string(state.chance_outcomes()[0][0])
    (True, 'draw river.B')
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_TYPE.parameter_specification, **(params or {})}
        self.encoding = _encoding(_rules(given), given["window"])
        state = self.encoding.game.new_state()
        n_tiles = sum(state._left())
        self._n_chance = n_tiles
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.n,
            max_chance_outcomes=len(self.encoding.game.tiles),
            num_players=self.encoding.n_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=DECISIONS_A_TILE * n_tiles + sum(state.pieces.shared.values()),
        )
        super().__init__(_TYPE, info, dict(given))

    def new_initial_state(self, *_: Any) -> "CarcassonneState":
        """Return the position before the first draw."""
        return CarcassonneState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound for the number of draws: each tile is drawn at most once."""
        return self._n_chance

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "CarcassonneObserver":
        """Return what fills observation tensors and strings."""
        return CarcassonneObserver(self.encoding, iig_obs_type, params)


class CarcassonneState(pyspiel.State):
    """A position, with draws as chance nodes."""

    def __init__(self, game: CarcassonneGame) -> None:
        super().__init__(game)
        self.held = _Held(game.encoding.game.new_state(), game.encoding)  # OpenSpiel copies and pickles the attributes

    @property
    def position(self) -> State:
        """The position as a `bastide.State`; it is this state's own, not a copy."""
        return self.held.state

    def current_player(self) -> int:
        """Return who decides, or that chance does, or that the game is over."""
        if self.position.is_terminal:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.is_chance else self.position.current_player

    def _legal_actions(self, player: int) -> list[int]:
        numbers, _ = self.held.encoding.legal(self.position)
        return sorted(numbers.tolist())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the tiles that can be drawn, with their probabilities."""
        return [(tile, probability) for tile, _, probability in self.position.draws()]

    def _apply_action(self, action: int) -> None:
        if self.position.is_chance:
            self.position.draw(action)
        else:
            self.position.apply(self.held.encoding.action(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {self.position.game.tiles[action].id}"
        return self.position.action_text(self.held.encoding.action(self.position, action))

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.position.is_terminal

    def returns(self) -> list[float]:
        """Return the results as `State.returns`, 0 before the end."""
        return list(self.position.returns)

    def __str__(self) -> str:
        state = self.position
        drawn, stolen = (
            "-" if tile is None else state.game.tiles[tile].id for tile in (state.drawn_tile, state.stolen_tile)
        )
        facts = f"turn {state.turn}, {state.phase}, player {state.current_player}, scores {state.scores}"
        return f"{board_text(state)}\n{facts}, tile {drawn}, stolen {stolen}, key {state.key:016x}"


class CarcassonneObserver:
    """Fill `tensor`, float32, with its parts in `dict`: "planes" and "scalars", seen by a player.

    Errors: BastideError for an observation with perfect recall, or without public information.
    """

    def __init__(self, encoding: Encoding, iig_obs_type: Any = None, params: Any = None) -> None:
        if params:
            raise BastideError(f"an observer has no parameters, got {show(params)}")
        if iig_obs_type is not None and (iig_obs_type.perfect_recall or not iig_obs_type.public_info):
            raise BastideError("what is observed is the position: public information without perfect recall")
        n_planes = int(np.prod(encoding.planes_shape))
        self.encoding = encoding
        self.tensor = np.zeros(n_planes + encoding.n_scalars, np.float32)
        self.dict = {
            "planes": self.tensor[:n_planes].reshape(encoding.planes_shape),
            "scalars": self.tensor[n_planes:],
        }

    def set_from(self, state: CarcassonneState, player: int) -> None:
        """Fill the tensor with a position as a player sees it."""
        self.dict["planes"][:] = self.encoding.planes(state.position, player)
        self.dict["scalars"][:] = self.encoding.scalars(state.position, player)

    def string_from(self, state: CarcassonneState, player: int) -> str:
        """Return the position as text; all players see the same."""
        return str(state)


class _Held:
    """A position that is copied as such, and pickled without its game."""

    def __init__(self, state: State, encoding: Encoding) -> None:
        self.state, self.encoding = state, encoding

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Held":
        return _Held(self.state.copy(), self.encoding)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.encoding.game.rules, self.encoding.index.size, self.state.to_bytes())


def _restored(rules: Rules, window: int, data: bytes) -> _Held:
    encoding = _encoding(rules, window)
    return _Held(encoding.game.state_from_bytes(data), encoding)


@lru_cache(maxsize=32)
def _encoding(rules: Rules, window: int) -> Encoding:
    """Return the one encoding of these rules, which all their states share."""
    return Encoding(Game(rules), window)


def _rules(given: Mapping[str, Any]) -> Rules:
    """Return the rules that a game's parameters describe."""
    options = {"players": str(given["players"])}
    for part in filter(None, (part.strip() for part in given["options"].split(";"))):
        name, space, value = part.partition(" ")
        if not space or name in options:
            raise RulesError(f"options: {show(part)} is not 'NAME VALUE', once (expected e.g. 'abbot on; edition c2')")
        options[name] = value.replace("+", ",")
    boxes = given["boxes"].replace("+", ",") or None
    return Rules.from_text(boxes, options, preset=None if boxes else given["preset"])


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_TYPE, CarcassonneGame)
