"""Who meets whom."""

import random
from collections import Counter

import pytest

from bastide import BastideError, Rules
from bastide.tournament.pairings import Standing, deals, lineups, swiss_tables
from bastide.tournament.plan import Limits, Plan
from bastide.tournament.sprt import Sprt


def plan(n, seats=2, **more):
    return Plan(Rules(players=seats), None, 1, tuple(f"greedy:price={i}" for i in range(n)), **more)


def test_a_round_robin_has_every_table_once():
    assert lineups(plan(4)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert len(lineups(plan(6, 3))) == 20


def test_a_gauntlet_has_the_first_entrant_at_every_table():
    assert lineups(plan(4, format="gauntlet")) == [(0, 1), (0, 2), (0, 3)]
    assert len(lineups(plan(5, 3, format="gauntlet"))) == 6


def test_with_fewer_entrants_than_seats_some_have_several():
    assert lineups(plan(2, 3)) == [(0, 0, 1), (0, 1, 1)]
    for table in lineups(plan(4, 6)):
        assert set(table) == {0, 1, 2, 3}


def test_deals_are_numbered_on_from_round_to_round():
    plan_of_two = plan(3, deals=2)
    tables = lineups(plan_of_two)
    found = [deal for i in range(3) for deal in deals(plan_of_two, i, tables)]
    assert [deal.number for deal in found] == list(range(18))
    assert Counter(deal.lineup for deal in found) == dict.fromkeys(tables, 6)
    assert [deal.round for deal in found] == [0] * 6 + [1] * 6 + [2] * 6


@pytest.mark.parametrize("n", [2, 3, 5, 8, 17, 64])
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_swiss_tournament_seats_all_once_and_shares_out_the_byes(n, seats):
    if n < seats:
        with pytest.raises(BastideError, match="as many entrants"):
            plan(n, seats, format="swiss")
        return
    rng = random.Random(n)
    standings = [Standing(i, 0.0) for i in range(n)]
    for _ in range(6):
        tables, byes = swiss_tables(standings, seats)
        seated = [entrant for table in tables for entrant in table]
        assert sorted(seated + byes) == list(range(n))
        assert len(byes) == n % seats
        met = {i: {other for table in tables if i in table for other in table if other != i} for i in range(n)}
        standings = [
            Standing(s.entrant, s.points + rng.random(), s.met | met[s.entrant], s.byes + (s.entrant in byes))
            for s in standings
        ]
    counts = [standing.byes for standing in standings]
    assert max(counts) - min(counts) <= 1


def test_two_meet_again_in_a_swiss_tournament_only_when_they_must():
    standings = [Standing(i, 0.0) for i in range(8)]
    for _ in range(7):
        tables, _ = swiss_tables(standings, 2)
        for a, b in tables:
            assert b not in standings[a].met
        met = dict([*tables, *(table[::-1] for table in tables)])
        # The lower number wins, so that points do not ask for rematches.
        standings = [
            Standing(s.entrant, s.points + (s.entrant < met[s.entrant]), s.met | {met[s.entrant]}) for s in standings
        ]
    assert all(len(standing.met) == 7 for standing in standings)
    assert len(swiss_tables(standings, 2)[0]) == 4


def test_the_leaders_of_a_swiss_tournament_meet():
    standings = [Standing(0, 1.0), Standing(1, 3.0), Standing(2, 2.0), Standing(3, 3.0)]
    assert swiss_tables(standings, 2)[0] == [(1, 3), (2, 0)]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"entrants": ("random",)}, "needs 2 .. 64 entrants, got 1"),
        ({"entrants": ("random",) * 65}, "got 65"),
        ({"entrants": ("random", "random")}, "a name of its own"),
        ({"names": ("one",)}, "a name of its own"),
        ({"rules": Rules(players=1)}, "2 .. 6 players, got 1"),
        ({"format": "knockout"}, "format must be"),
        ({"rounds": 0}, "rounds must be"),
        ({"deals": -1}, "deals must be"),
        ({"rules": Rules(players=3), "sprt": Sprt(0, 5)}, "games for 3"),
    ],
)
def test_a_plan_that_is_no_tournament_is_an_error(change, why):
    values = {"rules": Rules(), "tiles": None, "seed": 1, "entrants": ("random", "greedy"), **change}
    with pytest.raises(BastideError, match=why):
        Plan(**values)


@pytest.mark.parametrize("values", [(0, None, None), (None, -1, None), (float("nan"), None, None), (None, None, 0)])
def test_limits_that_are_none_are_an_error(values):
    with pytest.raises(BastideError, match="must be"):
        Limits(*values)


def test_a_plan_knows_whether_clocks_have_a_say():
    assert plan(2).is_reproducible
    assert plan(2, limits=Limits(decisions=5)).is_reproducible
    assert not plan(2, limits=Limits(move_seconds=1)).is_reproducible
    assert not plan(2, limits=Limits(game_seconds=1)).is_reproducible
