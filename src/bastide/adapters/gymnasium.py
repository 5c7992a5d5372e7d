"""The game as an environment of Gymnasium: one seat decides, given opponents have the others.

Importing this module registers "bastide/Carcassonne-v0"; the id "bastide.adapters.gymnasium:bastide/Carcassonne-v0"
makes `gymnasium.make` import it. Needs the extra `gymnasium`.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError("bastide.adapters.gymnasium needs Gymnasium: pip install 'bastide[gymnasium]'") from error

from bastide._core.api import Rng
from bastide.adapters.encoding import Encoding, game_of
from bastide.adapters.episode import RENDER_MODES, Episode
from bastide.agents import Agent, check_codes, close_idle, seated
from bastide.agents.play import tell_begin, tell_end
from bastide.errors import BastideError, IllegalActionError, show
from bastide.game import Game
from bastide.rules import Rules

__all__ = ["ID", "CarcassonneEnv"]

ID = "bastide/Carcassonne-v0"


class CarcassonneEnv(gymnasium.Env[dict[str, Any], Any]):
    """Play one seat of a game against opponents.

    `rules`: the name of a preset, Rules or a Game; `players` with the name of a preset. `opponents`: an agent or its
    code for all other seats, or a list, one each in order of play after the own seat; of a code a new one is made for
    each game, but programs run on from game to game until `close`. `seat`: the own one, or "random" for one drawn in
    each `reset`. `rewards`: "returns", "points" or "margin" (`Episode`), of all that happened until the own next
    decision. `window`: cells a side of what has fixed numbers and is observed, odd. `illegal`: "lose" = an illegal
    number ends the game with `illegal_reward`, "raise" = it raises IllegalActionError and changes nothing.

    An observation is a dict: "observation" = planes, uint8 (planes, window, window); "scalars", float32. The mask of
    legal numbers is `info["action_mask"]`, int8, and `action_masks()`, bool.

    Errors: RulesError, BastideError for a value that is none.

    >>> env = CarcassonneEnv("river", opponents="random", seat=1, window=21)
    >>> observation, info = env.reset(seed=7)
    >>> observation["observation"].shape, info["seat"], info["phase"]
    ((80, 21, 21), 1, 'place')
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        rules: Game | Rules | str = "base",
        players: int | None = None,
        *,
        opponents: str | Agent | Sequence[str | Agent] = "greedy",
        seat: int | str = 0,
        rewards: str = "returns",
        window: int = 41,
        illegal: str = "lose",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        encoding = Encoding(game_of(rules, players), window)
        n = encoding.n_players
        if seat != "random" and (isinstance(seat, bool) or seat not in range(n)):
            raise BastideError(f"seat must be 0 .. {n - 1} or 'random', got {show(seat)}")
        if illegal not in ("lose", "raise"):
            raise BastideError(f"illegal must be 'lose' or 'raise', got {show(illegal)}")
        self.episode = Episode(encoding, rewards, render_mode)
        self.render_mode = render_mode
        self.illegal, self.illegal_reward = illegal, float(illegal_reward)
        self.opponents = _opponents(opponents, n - 1)
        self._seat = seat
        self._seating = ExitStack()  # gives programs back after their game
        self._is_over = True  # before the first reset
        self.action_space = spaces.Discrete(encoding.n)
        self.observation_space = encoding.observation_space(with_mask=False)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game and go to the own first decision. No options are known."""
        super().reset(seed=seed)
        n = self.episode.encoding.n_players
        self.seat = int(self.np_random.integers(n)) if self._seat == "random" else int(self._seat)
        game_seed = int(self.np_random.integers(1 << 63))
        self._is_over = True  # until all have begun
        self._seating.close()
        others = self._seating.enter_context(seated(self.opponents))
        self._others = {(self.seat + 1 + i) % n: (other, Rng(game_seed, 1 + i)) for i, other in enumerate(others)}
        for seat, (other, _) in self._others.items():
            tell_begin(other, self.episode.encoding.game.new_state(), seat)
        self.episode.begin(Rng(game_seed))
        self._play_others()
        self._is_over = False
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do the action with this number, and let the opponents play until the own next decision or the end."""
        if self._is_over:
            raise BastideError("no game is going on: reset() begins one")
        is_illegal = False
        try:
            chosen = self.episode.action(action)
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            is_illegal, reward = True, self.illegal_reward
        else:
            reward = self.episode.step(chosen)[self.seat] + self._play_others()
        self._is_over = is_illegal or self.episode.state.is_terminal
        if self._is_over:
            for other, _ in self._others.values():
                tell_end(other, self.episode.state.scores_now())
        return self._observation(), reward, self._is_over, False, self._info(is_illegal)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which numbers are legal now: bool (n,)."""
        return self.episode.mask().astype(bool)

    def render(self) -> str | None:
        """Return the position as text (render_mode "ansi") or print it ("human")."""
        return self.episode.render()

    def close(self) -> None:
        """End the programs among the opponents; `reset` would start them again."""
        self._is_over = True
        self._seating.close()
        close_idle()

    def _play_others(self) -> float:
        """Let the opponents decide while it is theirs, and return the own reward of it."""
        state, reward = self.episode.state, 0.0
        while not state.is_terminal and state.current_player != self.seat:
            other, rng = self._others[state.current_player]
            try:
                reward += self.episode.step(other.choose(state.copy(), rng))[self.seat]
            except IllegalActionError as error:
                raise IllegalActionError(f"opponent {other!r} in seat {state.current_player}: {error}") from error
        if self.render_mode == "human":
            self.render()
        return reward

    def _observation(self) -> dict[str, Any]:
        return self.episode.encoding.observation(self.episode.state, self.seat)

    def _info(self, is_illegal: bool = False) -> dict[str, Any]:
        return self.episode.info() | {"seat": self.seat, "illegal": is_illegal, "action_mask": self.episode.mask()}


def _opponents(given: str | Agent | Sequence[str | Agent], n: int) -> list[str | Agent]:
    """Return the opponents as one for each other seat, checked."""
    each = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given] * n
    for one in each:
        if not isinstance(one, (str, Agent)):
            raise BastideError(f"an opponent is an agent with a method choose, or its code, got {show(one)}")
    if len(each) != n:
        raise BastideError(f"{len(each)} opponents for {n} other seats")
    check_codes(one for one in each if isinstance(one, str))
    return each


if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point=f"{__name__}:{CarcassonneEnv.__name__}")
