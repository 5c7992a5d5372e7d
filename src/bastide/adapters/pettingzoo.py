"""The game as an environment of PettingZoo, in which agents act one after another (AEC).

`env()` makes it with PettingZoo's usual wrappers, under which an illegal action loses the game; `raw_env()` without
them raises IllegalActionError instead. Needs the extra `pettingzoo`.
"""

from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("bastide.adapters.pettingzoo needs PettingZoo: pip install 'bastide[pettingzoo]'") from error

from bastide._core.api import Rng
from bastide.adapters.encoding import Encoding, game_of
from bastide.adapters.episode import RENDER_MODES, Episode
from bastide.game import Game
from bastide.rules import Rules

__all__ = ["CarcassonneEnv", "env", "raw_env"]


class CarcassonneEnv(AECEnv):
    """Let agents "player_0", "player_1", ... play one game, each asked whenever it is its turn to decide.

    `rules`: the name of a preset, Rules or a Game; `players` with the name of a preset. `rewards`: "returns", "points"
    or "margin" (`Episode`). `window`: cells a side of what has fixed numbers and is observed, odd.

    An observation is a dict: "observation" = planes, uint8 (planes, window, window); "scalars", float32; "action_mask",
    int8, 1 for each legal number and all 0 for agents that are not asked. Every agent sees itself as player 0.

    Errors: RulesError, BastideError for a value that is none; IllegalActionError in `step`, and nothing is changed.

    >>> env = CarcassonneEnv("river", players=3, window=21)
    >>> env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> env.agent_selection, observation["observation"].shape, info["phase"], info["outside"]
    ('player_0', (98, 21, 21), 'place', 0)
    """

    def __init__(
        self,
        rules: Game | Rules | str = "base",
        players: int | None = None,
        *,
        rewards: str = "returns",
        window: int = 41,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        encoding = Encoding(game_of(rules, players), window)
        self.episode = Episode(encoding, rewards, render_mode)
        self.render_mode = render_mode
        # Of the instance: wrappers and users write into it.
        self.metadata = {"name": "carcassonne_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(encoding.n_players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: encoding.observation_space(with_mask=True) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(encoding.n) for agent in self.possible_agents}
        self._np_random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; a seed begins a sequence of games, without one the sequence goes on. No options are known."""
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        self.episode.begin(Rng(int(self._np_random.integers(1 << 63))))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._show()

    def step(self, action: Any) -> None:
        """Do the action with this number for the agent that is asked; None for an agent whose game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        rewards = self.episode.step(self.episode.action(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        if self.episode.state.is_terminal:
            self.terminations = dict.fromkeys(self.agents, True)
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, asked or not."""
        episode, seat = self.episode, self._seat_of[agent]
        asked = agent == self.agent_selection and not episode.state.is_terminal
        mask = episode.mask() if asked else np.zeros(episode.encoding.n, np.int8)
        return {**episode.encoding.observation(episode.state, seat), "action_mask": mask}

    def render(self) -> str | None:
        """Return the position as text (render_mode "ansi") or print it ("human")."""
        return self.episode.render()

    def close(self) -> None:
        """Do nothing: there is no window to be closed. PettingZoo wants the method where there is `render`."""

    def _show(self) -> None:
        """Point at the agent that is asked, and show the position."""
        self.agent_selection = self.possible_agents[self.episode.state.current_player]
        self.infos = {agent: self.episode.info() for agent in self.agents}
        if self.render_mode == "human":
            self.render()


def env(*args: Any, illegal_reward: float = -1.0, **options: Any) -> Any:
    """Return a `CarcassonneEnv` in which an illegal action ends the game with `illegal_reward` for its agent.

    The order of calls and the range of actions are checked too, as in PettingZoo's own games.
    """
    wrapped = wrappers.TerminateIllegalWrapper(CarcassonneEnv(*args, **options), illegal_reward)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


raw_env = CarcassonneEnv
