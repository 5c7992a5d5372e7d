"""Agents: who decides in a game. `agent("greedy")` makes one from its code, `play_game` lets them play.

What an agent is and the table of codes are in `registry`, the simple agents in `simple`, the one that searches in
`search`, games in `play`; agents of your own are in `loader` (a class in a file), `outside` (a program) and `host`.
"""

from bastide.agents.outside import close_idle
from bastide.agents.play import play_game, play_steps, seated
from bastide.agents.registry import (
    AGENTS,
    Agent,
    AgentKind,
    Parameter,
    agent,
    are_native,
    check_codes,
    register,
    split_codes,
)
from bastide.agents.search import MctsAgent
from bastide.agents.simple import GreedyAgent, RandomAgent

__all__ = [
    "AGENTS",
    "Agent",
    "AgentKind",
    "GreedyAgent",
    "MctsAgent",
    "Parameter",
    "RandomAgent",
    "agent",
    "are_native",
    "check_codes",
    "close_idle",
    "play_game",
    "play_steps",
    "register",
    "seated",
    "split_codes",
]
