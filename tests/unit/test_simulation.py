"""Many games: the same whatever the chunks and threads, and exact sums of them."""

import csv
import json
import math
import statistics

import numpy as np
import pytest

from bastide import BastideError, Game, Rng, Rules
from bastide.agents import agent, play_game
from bastide.bulk import SOURCES, Stats
from bastide.checksum import checksum
from bastide.resultfile import ResultFile, ndjson_rows
from bastide.simulation import Tally, agent_games, uniform_games, wilson_interval

BASE = Game(Rules())
THREE = Game(Rules(players=3))


def tallied(game, chunks):
    tally = Tally(game)
    for chunk in chunks:
        tally.add(chunk)
    return tally.summary()


def stats(scores):
    """Made-up games with these scores."""
    scores = np.array(scores, np.int32)
    n, players = scores.shape
    return Stats(scores, np.full(n, 7, np.int32), np.ones(n, np.int32), np.zeros((players, len(SOURCES)), np.int64))


def test_uniform_games_are_the_playouts_of_the_core_in_order():
    chunks = list(uniform_games(BASE, 3000, seed=5, start=17, threads=1))
    scores = np.concatenate([part.scores for _, part in chunks])
    assert (scores == BASE.playouts(3000, seed=5, start=17)).all()
    first = 17
    for number, part in chunks:
        assert number == first
        first += len(part.scores)


def test_the_summary_does_not_depend_on_threads_or_on_how_a_run_is_cut():
    whole = tallied(BASE, uniform_games(BASE, 5000, seed=5, threads=1))
    assert whole == tallied(BASE, uniform_games(BASE, 5000, seed=5, threads=2))
    halves = [*uniform_games(BASE, 2000, 5, 3000), *uniform_games(BASE, 3000, 5)]
    assert whole == tallied(BASE, halves)
    assert whole["checksum"] == checksum(BASE.playouts(5000, seed=5))


def test_agent_games_are_the_games_of_play_game():
    codes = ["greedy", "random", "random"]
    for first, part in agent_games(THREE, codes, 4, seed=9, start=2):
        record = play_game(THREE, [agent(code) for code in codes], Rng(9, first))
        assert part.scores.tolist() == [list(record.scores)]
        state = record.replay()
        assert (part.turns.tolist(), part.discards.tolist()) == ([state.turn], [state.discards])
        assert part.points.sum(axis=1).tolist() == list(record.scores)


def test_agent_games_do_not_depend_on_threads():
    runs = [tallied(BASE, agent_games(BASE, ["greedy", "random"], 7, 3, threads=n)) for n in (1, 2, 5)]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0]["games"] == 7


def test_statistics_are_those_of_the_textbook():
    rows = [[10, 20], [30, 30], [5, 1], [7, 7], [50, 2]]
    found = tallied(BASE, [(0, stats(rows[:2])), (2, stats(rows[2:]))])
    for seat in range(2):
        scores = [row[seat] for row in rows]
        assert found["mean_scores"][seat] == statistics.fmean(scores)
        assert math.isclose(found["score_errors"][seat], statistics.stdev(scores) / math.sqrt(5))
    assert found["win_shares"] == [0.6, 0.4]
    assert found["first_seat_share"] == 0.6
    assert found["first_seat_interval"] == list(wilson_interval(0.6, 5))
    assert (found["games"], found["mean_turns"], found["mean_discards"]) == (5, 7, 1)
    assert set(found["mean_points"]) == set(SOURCES)


def test_a_game_with_several_winners_counts_for_each_its_part():
    rows = [[9] * 6, [9, 9, 9, 0, 0, 0], [9, 9, 9, 9, 9, 0], [9, 0, 0, 0, 0, 0]]
    shares = tallied(Game(Rules(players=6)), [(0, stats(rows))])["win_shares"]
    assert math.isclose(shares[0], (1 / 6 + 1 / 3 + 1 / 5 + 1) / 4)
    assert math.isclose(sum(shares), 1)


def test_few_games_have_no_error_and_none_have_no_statistics():
    assert tallied(BASE, [(0, stats([[1, 2]]))])["score_errors"] == [None, None]
    empty = tallied(BASE, [])
    assert (empty["games"], empty["mean_scores"], empty["first_seat_interval"]) == (0, [None, None], None)
    assert json.loads(json.dumps(empty)) == empty


@pytest.mark.parametrize(
    ("share", "n", "low", "high"), [(0.5, 100, 0.4038, 0.5962), (0, 10, 0, 0.2775), (1, 1, 0.2065, 1)]
)
def test_wilsons_interval_has_the_values_of_the_tables(share, n, low, high):
    assert wilson_interval(share, n) == pytest.approx((low, high), abs=1e-4)


def test_bad_agents_are_noticed_before_the_first_game():
    with pytest.raises(BastideError, match="unknown agent"):
        next(agent_games(BASE, ["random", "nobody"], 1, 1))
    with pytest.raises(BastideError, match="1 names"):
        next(agent_games(BASE, ["random"], 1, 1))


# -- files


def test_csv_and_ndjson_have_the_same_rows(tmp_path):
    games = list(uniform_games(THREE, 1500, seed=4, start=9))
    for name in ("games.csv", "games.ndjson"):
        with ResultFile(tmp_path / name, THREE, 4) as file:
            for chunk in games:
                file.add(*chunk)
    with open(tmp_path / "games.csv", newline="") as stream:
        rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(stream)]
    lines = (tmp_path / "games.ndjson").read_text().splitlines()
    assert rows == [json.loads(line) for line in lines]
    assert [row["game"] for row in rows] == list(range(9, 1509))
    assert [[row[f"score_{i}"] for i in range(3)] for row in rows] == THREE.playouts(1500, 4, 9).tolist()
    assert {(row["seed"], row["fingerprint"]) for row in rows} == {(4, THREE.fingerprint)}
    assert "".join(ndjson_rows(THREE, 4, *chunk) for chunk in games).splitlines() == lines


def test_an_interrupted_file_keeps_its_rows_and_a_failed_one_is_not_there(tmp_path):
    chunk = next(uniform_games(BASE, 10, seed=4))
    for name, error in (("kept.csv", KeyboardInterrupt), ("gone.csv", ValueError)):
        file = ResultFile(tmp_path / name, BASE, 4)
        file.add(*chunk)
        file.__exit__(error, error(), None)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.csv"]
    assert (tmp_path / "kept.csv").read_text().count("\n") == 11


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("games.parquet", r"bastide\[parquet\]"),
        ("games.txt", "unknown ending '.txt'"),
        ("games", "unknown ending ''"),
        ("none/games.csv", "cannot be written"),
        ("folder.csv", "is a directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_an_error_at_once(tmp_path, name, why):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(BastideError, match=why):
        ResultFile(tmp_path / name, BASE, 1)
