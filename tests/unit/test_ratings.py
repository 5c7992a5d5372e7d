"""Ratings and the sequential test: right values where they are known, and intervals that hold what they promise."""

import math
import random

import numpy as np
import pytest

from bastide import BastideError
from bastide.tournament.match import GameResult, places, shares
from bastide.tournament.ratings import fit, openskill
from bastide.tournament.sprt import SHARES, Sprt, elo_share


def game(number, lineup, scores, fault_seat=None):
    zeros = (0,) * len(lineup)
    return GameResult(number, 0, tuple(lineup), tuple(scores), 71, zeros, zeros, fault_seat, fault_seat and "crash")


def pair(deal, won, lineup=(0, 1)):
    """Both games of a deal, of which the first entrant won so many (in halves)."""
    results = {0: (0, 0), 1: (0.5, 0), 2: (0, 1), 3: (0.5, 1), 4: (1, 1)}[int(2 * won)]
    for rotation, result in enumerate(results):
        seats = lineup if rotation == 0 else lineup[::-1]
        scores = {0: (0, 9), 0.5: (5, 5), 1: (9, 0)}[result]
        yield game(2 * deal + rotation, seats, scores if rotation == 0 else scores[::-1])


def pairs(counts):
    """Pairs with so many of each result, from 0 to 2 points of the first entrant."""
    results = [half / 2 for half, n in enumerate(counts) for _ in range(n)]
    return [result for deal, won in enumerate(results) for result in pair(deal, won)]


def test_places_and_shares_follow_the_scores_and_who_failed_is_last():
    assert places(game(0, (0, 1, 2), (10, 30, 10))) == [1, 0, 1]
    assert places(game(0, (0, 1, 2), (10, 30, 0), fault_seat=1)) == [0, 2, 1]
    assert shares(game(0, (0, 1, 2), (10, 30, 30))) == [0, 0.5, 0.5]
    assert shares(game(0, (0, 1), (0, 0), fault_seat=0)) == [0, 1]


@pytest.mark.parametrize("share", [0.25, 0.5, 0.6, 0.9])
def test_the_rating_of_many_games_is_the_elo_of_the_share(share):
    n = 4000
    ratings = fit(2, pairs([round(n * (1 - share)), 0, 0, 0, round(n * share)]), 2)
    difference, _ = ratings.difference(0, 1)
    assert difference == pytest.approx(400 * math.log10(share / (1 - share)), abs=1)
    assert ratings.elo.sum() == pytest.approx(0)


def test_pairing_makes_the_interval_smaller_where_seats_matter():
    split, same = fit(2, pairs([0, 0, 400, 0, 0]), 2), fit(2, pairs([200, 0, 0, 0, 200]), 2)
    assert split.difference(0, 1)[0] == pytest.approx(same.difference(0, 1)[0], abs=0.1)
    assert split.difference(0, 1)[1] < same.difference(0, 1)[1] / 5
    # All pairs won or lost as a whole: as many coin tosses as there are pairs, two games each.
    assert same.difference(0, 1)[1] == pytest.approx(400 / math.log(10) * 2 / math.sqrt(400), rel=0.05)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_95_percent_interval_holds_the_truth_in_about_95_of_100_tournaments(seats):
    rng = np.random.default_rng(5)
    truth = np.array([120.0, 20.0, -40.0, -100.0])
    inside = 0
    n_runs, n_deals = 100, 40
    for _ in range(n_runs):
        games = []
        for deal in range(n_deals):
            lineup = rng.choice(4, seats, replace=False)
            luck = rng.normal(0, 50, seats)  # of the seats with this deck
            for rotation in range(seats):
                seated = np.roll(lineup, -rotation)
                scores = truth[seated] * math.log(10) / 400 + luck / 300 + rng.gumbel(size=seats)
                games.append(game(deal * seats + rotation, seated.tolist(), np.argsort(np.argsort(scores)).tolist()))
        ratings = fit(4, games, seats)
        inside += sum(
            low <= true <= high for true, (low, high) in zip(truth, map(ratings.interval, range(4)), strict=True)
        )
    assert 0.91 < inside / (4 * n_runs) < 0.985


def test_who_lost_everything_has_a_rating_and_nobody_is_needed_to_connect_two_groups():
    games = [*pairs([0, 0, 0, 0, 10]), *(result for deal in range(10, 20) for result in pair(deal, 1, (2, 3)))]
    ratings = fit(4, games, 2)
    assert np.isfinite(ratings.elo).all()
    assert ratings.elo[0] > 100 > -100 > ratings.elo[1]
    assert ratings.elo[2] == pytest.approx(ratings.elo[3], abs=1e-6)
    assert ratings.superiority(0, 1) > 0.99
    assert ratings.superiority(2, 3) == pytest.approx(0.5)
    low, high = ratings.interval(0)
    assert low < ratings.elo[0] < high


def test_no_games_and_one_deal_are_no_error():
    assert fit(3, [], 2).elo.tolist() == [0, 0, 0]
    ratings = fit(2, pairs([0, 0, 1, 0, 0]), 2)
    assert ratings.difference(0, 1)[1] > 50


def test_openskill_ranks_as_the_results_do(monkeypatch):
    rng = random.Random(3)
    games = []
    for number in range(60):
        lineup = rng.sample(range(4), 3)
        games.append(game(number, lineup, [10 * (4 - i) + rng.randrange(8) for i in lineup]))
    found = openskill(5, games)
    assert [mu for mu, _ in found[:4]] == sorted((mu for mu, _ in found[:4]), reverse=True)
    assert found[4] == (25.0, 25 / 3)
    assert all(sigma < 25 / 3 for _, sigma in found[:4])

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("bastide.tournament.ratings.import_module", missing)
    with pytest.raises(BastideError, match=r"pip install 'bastide\[openskill\]'"):
        openskill(5, games)


# -- the sequential test


def verdict(test, shares):
    found = test.begin()
    for share in shares:
        found = test.after(found, share)
    return found


@pytest.mark.parametrize(("share", "accepted"), [(0, "elo0"), (0.25, "elo0"), (0.75, "elo1"), (1, "elo1")])
def test_a_match_of_equal_pairs_is_decided_soon(share, accepted):
    found = verdict(Sprt(0, 20), [share] * 2000)
    assert found.accepted == accepted
    assert found.pairs < 100


@pytest.mark.parametrize("elo", [(0, 5), (-1000, 1000), (999, 1000), (-1000, -999), (0, 0.001)])
def test_the_test_never_hangs_or_fails_whatever_the_counts(elo):
    test = Sprt(*elo)
    rng = random.Random(1)
    for counts in (
        [0] * 5,
        [10**12] * 5,
        [10**12, 0, 0, 0, 0],
        [0, 0, 0, 0, 10**12],
        [0, 0, 1, 0, 0],
        [1, 0, 0, 0, 10**9],
    ):
        assert math.isfinite(test.llr(counts))
    for _ in range(300):
        assert math.isfinite(test.llr([rng.choice([0, 1, rng.randrange(10**6)]) for _ in range(5)]))


def test_the_errors_of_the_test_are_those_it_was_asked_for():
    test = Sprt(0, 120, alpha=0.1, beta=0.1)
    rng = random.Random(2)
    wrong = {}
    for name, elo in (("elo1", 0), ("elo0", 120)):
        share = elo_share(elo)
        runs = 150
        n = 0
        for _ in range(runs):
            found = test.begin()
            while found.accepted is None and found.pairs < 5000:
                found = test.after(found, ((rng.random() < share) + (rng.random() < share)) / 2)
            n += found.accepted == name
        wrong[name] = n / runs
    assert 0.02 < wrong["elo1"] < 0.14
    assert 0.02 < wrong["elo0"] < 0.14


def test_the_ratio_is_the_one_of_the_textbook_for_pairs_without_draws():
    counts = [300, 0, 0, 0, 340]
    p0, p1 = elo_share(0), elo_share(20)
    expected = counts[4] * math.log(p1 / p0) + counts[0] * math.log((1 - p1) / (1 - p0))
    assert Sprt(0, 20).llr(counts) == pytest.approx(expected, rel=0.01)


def test_a_decided_test_stays_decided():
    found = verdict(Sprt(0, 20), [1] * 500 + [0] * 500)
    assert found == verdict(Sprt(0, 20), [1] * 500)
    assert sum(found.counts) == found.pairs
    assert len(found.counts) == len(SHARES)


@pytest.mark.parametrize(
    "text", ["", "5", "20,0", "0,0", "0,20,0.05", "0,20,0,0.05", "0,20,0.05,0.7", "x,y", "0,nan", "0,1001", "inf,inf"]
)
def test_a_bad_test_is_an_error(text):
    with pytest.raises(BastideError, match="sprt"):
        Sprt.parse(text)


def test_a_test_is_read_from_its_text():
    assert Sprt.parse("-5, 5") == Sprt(-5, 5, 0.05, 0.05)
    assert Sprt.parse("0,10,0.1,0.2") == Sprt(0, 10, 0.1, 0.2)
