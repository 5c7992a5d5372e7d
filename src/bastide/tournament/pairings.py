"""Who meets whom: the deals of a tournament, in order.

A deal is a deck and the entrants at its table. It is played once for each rotation of the seats, so that every
entrant has every seat with the same tiles. Deals have numbers, and a number says which deck and which round it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from bastide.tournament.plan import Plan

__all__ = ["Deal", "Standing", "deals", "lineups", "swiss_tables"]

MAX_TRIES = 20_000  # pairings looked at before two may meet again


class Deal(NamedTuple):
    """A deck and its table."""

    number: int
    round: int
    lineup: tuple[int, ...]  # entrants; in rotation r seat s is lineup[(s + r) % seats]


@dataclass(frozen=True, slots=True)
class Standing:
    """How an entrant stands before a round of a Swiss tournament."""

    entrant: int
    points: float  # games won, 1/k where k share a win
    met: frozenset[int] = frozenset()
    byes: int = 0


def lineups(plan: Plan) -> list[tuple[int, ...]]:
    """Return the tables of each round of a round-robin or gauntlet.

    With fewer entrants than seats some have several seats: all tables with each entrant at least once.
    """
    n, seats = len(plan.entrants), plan.seats
    if n < seats:
        every = set(range(n))
        return [table for table in combinations_with_replacement(range(n), seats) if set(table) == every]
    tables = list(combinations(range(n), seats))
    return [table for table in tables if table[0] == 0] if plan.format == "gauntlet" else tables


def deals(plan: Plan, round_number: int, tables: Sequence[tuple[int, ...]]) -> Iterator[Deal]:
    """Yield the deals of a round with these tables; all rounds have equally many."""
    first = round_number * len(tables) * plan.deals
    for k in range(plan.deals):
        for i, table in enumerate(tables):
            yield Deal(first + k * len(tables) + i, round_number, table)


def swiss_tables(standings: Sequence[Standing], seats: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the tables of the next round, and who has a bye.

    Entrants sit with those next to them in points, two players a table not twice with the same one while that can
    be avoided. The last ones who had the fewest byes have one where the number does not divide.
    """
    order = sorted(standings, key=lambda standing: (-standing.points, standing.entrant))
    byes: list[int] = []
    for _ in range(len(order) % seats):
        out = min(reversed(order), key=lambda standing: standing.byes)
        order.remove(out)
        byes.append(out.entrant)
    if seats == 2:
        pairs = _pairs(order, [MAX_TRIES])
        if pairs is not None:
            return pairs, byes
    ids = [standing.entrant for standing in order]
    return [tuple(ids[i : i + seats]) for i in range(0, len(ids), seats)], byes


def _pairs(order: list[Standing], tries: list[int]) -> list[tuple[int, ...]] | None:
    """Return pairs without a second meeting, the first with the next possible one; None if there are none."""
    if not order:
        return []
    first = order[0]
    for i, other in enumerate(order[1:], 1):
        tries[0] -= 1
        if tries[0] < 0:
            return None
        if other.entrant not in first.met:
            rest = _pairs(order[1:i] + order[i + 1 :], tries)
            if rest is not None:
                return [(first.entrant, other.entrant), *rest]
    return None
