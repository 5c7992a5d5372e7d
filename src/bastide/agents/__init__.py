"""Agents: who decides in a game. `agent("greedy")` makes one from its code, `play_game` lets them play.

What an agent is and the table of codes are in `registry`, the simple agents in `simple`, the one that searches in
`search`, games in `play`.
"""

from bastide.agents.play import play_game, play_steps
from bastide.agents.registry import AGENTS, Agent, AgentKind, Parameter, agent, register, split_codes
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
    "play_game",
    "play_steps",
    "register",
    "split_codes",
]
