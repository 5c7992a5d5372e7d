"""Tournaments between agents: paired deals, a journal that survives any kill, ratings with intervals.

`plan` says what a tournament is, `pairings` who meets whom, `match` plays games, `journal` keeps them, `run` hands
them out, `ratings` and `sprt` judge them, `report` tells. The agents are in `bastide.agents`.
"""

from bastide.tournament.journal import Journal, JournalError, merge
from bastide.tournament.match import GameResult
from bastide.tournament.plan import Limits, Plan
from bastide.tournament.report import report
from bastide.tournament.run import run
from bastide.tournament.sprt import Sprt

__all__ = ["GameResult", "Journal", "JournalError", "Limits", "Plan", "Sprt", "merge", "report", "run"]
