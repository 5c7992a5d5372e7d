"""Many games: the same whatever the chunks, threads, processes and clusters, and exact sums of them."""

import json
import math
import statistics

import numpy as np
import pytest

from bastide import BastideError, Game, RecordError, Rng, Rules
from bastide.agents import agent, are_native, play_game
from bastide.bulk import COUNTS, SOURCES, Stats
from bastide.checksum import checksum
from bastide.simulation import Run, chunks
from bastide.tally import Tally, wilson_interval
from bastide.tournament import Plan
from bastide.workers import local_workers

BASE = Run(Rules(), None, 5)
AGENTS = Run(Rules(players=3), None, 9, ("greedy", "random", "random"))


def played(run, ranges, threads=1, workers=None):
    if workers is None and run.agents is not None:
        with local_workers(threads) as workers:
            return list(chunks(run, ranges, threads, workers, rows=True))
    return list(chunks(run, ranges, threads, workers, rows=True))


def tallied(parts, players=2):
    tally = Tally(players)
    for part in parts:
        tally.merge(part.tally)
    return tally


def summed(*games):
    """The tally of made-up games with these scores, each a list of rows."""
    tally, first = Tally(len(games[0][0])), 0
    for rows in games:
        tally.add(first, stats(rows))
        first += len(rows)
    return tally


def stats(scores):
    """Made-up games with these scores."""
    scores = np.array(scores, np.int32)
    n, players = scores.shape
    points, counts = np.zeros((players, len(SOURCES)), np.int64), np.arange(len(COUNTS))
    return Stats(scores, np.full(n, 7, np.int32), np.ones(n, np.int32), points, counts)


def test_uniform_games_are_the_playouts_of_the_core_in_order():
    found = played(BASE, [(17, 3000)])
    scores = np.concatenate([part.stats.scores for part in found])
    assert (scores == BASE.game.playouts(3000, seed=5, start=17)).all()
    first = 17
    for part in found:
        assert part.first == first
        first += len(part.stats.scores)


def test_the_sums_do_not_depend_on_threads_processes_or_on_how_a_run_is_cut():
    whole = tallied(played(BASE, [(0, 5000)])).sums()
    assert whole == tallied(played(BASE, [(0, 5000)], threads=2)).sums()
    assert whole == tallied(played(BASE, [(3000, 2000), (0, 3000)])).sums()
    with local_workers(2, processes=True) as workers:
        assert whole == tallied(played(BASE, [(0, 5000)], 2, workers)).sums()
    assert whole["checksum"] == checksum(BASE.game.playouts(5000, seed=5))


def test_agent_games_are_the_games_of_play_game():
    for part in played(AGENTS, [(2, 4)]):
        for i, scores in enumerate(part.stats.scores.tolist()):
            record = play_game(AGENTS.game, [agent(code) for code in AGENTS.agents], Rng(9, part.first + i))
            assert scores == list(record.scores)
        assert part.stats.points.sum() == part.stats.scores.sum()


def test_agent_games_do_not_depend_on_threads_or_processes():
    runs = [tallied(played(AGENTS, [(0, 7)], n), 3).sums() for n in (1, 2, 5)]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0]["games"] == 7
    with local_workers(2, processes=True) as workers:
        found = played(AGENTS, [(0, 7)], 2, workers)
    assert tallied(found, 3).sums() == runs[0]
    assert [part.first for part in found] == sorted(part.first for part in found)


def test_programs_need_no_worker_processes():
    assert are_native(["cmd:./mybot", "mine.py:Mine", "mcts:iterations=5"])
    assert not are_native(["cmd:./mybot", "random"])
    assert Plan(Rules(), None, 1, ("cmd:./mybot", "mine.py:Mine")).is_native


@pytest.mark.parametrize("preset", ["base", "everything-c1", "bridges-castles"])
def test_captures_and_buildings_are_counted_as_the_moves_tell(preset):
    run = Run(Rules.preset(preset), None, 3, ("random", "random"))
    found = tallied(played(run, [(0, 5)])).counts
    moves = [move for i in range(5) for move in play_game(run.game, [agent("random")] * 2, Rng(3, i)).moves]
    firsts = [move.split()[0] for move in moves]
    bridges = sum(" bridge " in move for move in moves)
    assert found == [firsts.count("capture"), bridges, firsts.count("castle"), firsts.count("barn")]
    assert (sum(found) > 0) == (preset != "base")


def test_the_core_counts_what_is_captured_and_built():
    game = Game(Rules.preset("everything-c1"))
    expected = dict.fromkeys(COUNTS, 0)
    for i in range(40):
        state = game.new_state()
        for kind, step in state.playout(Rng(8, i), trace=True)[1]:
            text = "" if kind == "draw" else state.action_text(step)
            state.draw(step) if kind == "draw" else state.apply(step)
            for name, sign in (("captures", "capture "), ("castles", "castle "), ("barns", "barn ")):
                expected[name] += text.startswith(sign)
            expected["bridges"] += " bridge " in text
    assert dict(zip(COUNTS, game.playouts(40, seed=8, stats=True).counts.tolist(), strict=True)) == expected
    assert all(expected.values())


def test_statistics_are_those_of_the_textbook():
    rows = [[10, 20], [30, 30], [5, 1], [7, 7], [50, 2]]
    found = summed(rows[:2], rows[2:]).summary()
    for seat in range(2):
        scores = [row[seat] for row in rows]
        assert found["mean_scores"][seat] == statistics.fmean(scores)
        assert math.isclose(found["score_errors"][seat], statistics.stdev(scores) / math.sqrt(5))
    assert found["win_shares"] == [0.6, 0.4]
    assert found["first_seat_share"] == 0.6
    assert found["first_seat_interval"] == list(wilson_interval(0.6, 5))
    assert (found["games"], found["mean_turns"], found["mean_discards"]) == (5, 7, 1)
    assert set(found["mean_points"]) == set(SOURCES)
    assert found["mean_counts"] == {name: 2 * i / 5 for i, name in enumerate(COUNTS)}


def test_a_game_with_several_winners_counts_for_each_its_part():
    rows = [[9] * 6, [9, 9, 9, 0, 0, 0], [9, 9, 9, 9, 9, 0], [9, 0, 0, 0, 0, 0]]
    shares = summed(rows).summary()["win_shares"]
    assert math.isclose(shares[0], (1 / 6 + 1 / 3 + 1 / 5 + 1) / 4)
    assert math.isclose(sum(shares), 1)


def test_few_games_have_no_error_and_none_have_no_statistics():
    assert summed([[1, 2]]).summary()["score_errors"] == [None, None]
    empty = Tally(2).summary()
    assert (empty["games"], empty["mean_scores"], empty["first_seat_interval"]) == (0, [None, None], None)
    assert json.loads(json.dumps(empty)) == empty


def test_sums_are_kept_as_json_and_damaged_ones_are_not_believed():
    sums = summed([[3, 4], [5, 5]]).sums()
    text = json.dumps(sums)
    assert Tally.from_sums(json.loads(text), "x").sums() == sums
    for key, value in [("games", 1.5), ("games", None), ("wins", [1]), ("points", [[1], [2]]), ("counts", 3)]:
        with pytest.raises(RecordError, match=f"x: {key}"):
            Tally.from_sums({**sums, key: value}, "x")
    for bad in ({}, [], None, {"scores": []}, {"scores": [0] * 7}):
        with pytest.raises(RecordError, match="x: these are no sums"):
            Tally.from_sums(bad, "x")


@pytest.mark.parametrize(
    ("share", "n", "low", "high"), [(0.5, 100, 0.4038, 0.5962), (0, 10, 0, 0.2775), (1, 1, 0.2065, 1)]
)
def test_wilsons_interval_has_the_values_of_the_tables(share, n, low, high):
    assert wilson_interval(share, n) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("codes", "why"), [(("random", "nobody"), "unknown agent"), (("random",), "needs 2 agents")])
def test_bad_agents_are_an_error(codes, why):
    with pytest.raises(BastideError, match=why):
        played(Run(Rules(), None, 1, codes), [(0, 1)])
