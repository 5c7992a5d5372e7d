"""Tournaments: paired games, agents that fail, and a journal from which any killed run goes on to the same table."""

import base64
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from bastide import RULES_VERSION, BastideError, RecordError, Rng, Rules, TileSet
from bastide._core import api
from bastide.agents import AGENTS, AgentKind, RandomAgent, agent, play_game, register
from bastide.cli.common import Progress
from bastide.tournament import GameResult, Journal, JournalError, Limits, Plan, Sprt, merge, report, run
from bastide.tournament.match import play_deals
from bastide.tournament.pairings import Deal
from bastide.tournament.report import chart, page, table
from bastide.tournament.run import n_games as n_planned
from bastide.tournament.run import n_played
from bastide.workers import local_workers

ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
BASE = Rules()


def plan(*entrants, players=2, **more):
    return Plan(
        Rules(players=players), None, 7, entrants, tuple(f"{i} {code}" for i, code in enumerate(entrants)), **more
    )


def played(path, plan, threads=1, processes=False, **more):
    """Play a tournament and return its report without what depends on the clock."""
    with Journal.create(path, plan) as journal, local_workers(threads, processes) as workers:
        assert run(journal, workers, **more)
        return without_times(report(journal))


def without_times(facts):
    facts = json.loads(json.dumps(facts))
    for entrant in facts["entrants"]:
        del entrant["seconds"]
    return facts


def games(path):
    with Journal.open(path) as journal:
        return [replace(game, seconds=()) for game in journal.games()]


def n_games(path):
    """How many games a journal that may not be there yet holds."""
    try:
        return len(games(path))
    except RecordError:
        return 0


# -- games


def test_a_deal_is_played_in_every_rotation_with_the_same_deck():
    for players in (2, 3, 6):
        entrants = tuple(f"greedy:price={i}" for i in range(players))
        lineup = tuple(range(players))
        results, seconds = play_deals(plan(*entrants, players=players), [Deal(5, 1, lineup)])
        assert [game.number for game in results] == [5 * players + r for r in range(players)]
        for seat in range(players):
            assert sorted(game.lineup[seat] for game in results) == list(lineup)
        assert all(game.round == 1 and game.fault is None for game in results)
        assert seconds > 0


def test_games_are_those_of_play_game_with_the_documented_generators():
    own = plan("greedy", "random")
    (game, back), _ = play_deals(own, [Deal(3, 0, (0, 1))])
    deck = own.game.shuffled_deck(Rng(7, 3))
    record = play_game(own.game, [agent("greedy"), agent("random")], Rng(7, 2**63 + 6), deck)
    assert game.scores == record.scores
    record = play_game(own.game, [agent("random"), agent("greedy")], Rng(7, 2**63 + 7), deck)
    assert back.scores == record.scores
    assert sum(back.decisions) == sum(not move.startswith("draw") for move in record.moves)


def test_a_game_with_a_limit_of_decisions_is_scored_as_it_stands():
    (game, _), _ = play_deals(plan("greedy", "random", limits=Limits(decisions=10)), [Deal(0, 0, (0, 1))])
    assert sum(game.decisions) == 10
    assert game.fault is None
    assert game.turns < 20
    assert sum(game.scores) > 0


class Failing(RandomAgent):
    """Plays at random until its fifth decision."""

    def __init__(self, kind):
        self.kind, self.n = kind, 0

    def choose(self, state, rng):
        self.n += 1
        if self.n < 5:
            return super().choose(state, rng)
        if self.kind == "crash":
            raise RuntimeError("no idea")
        if self.kind == "slow":
            time.sleep(0.5)
            return super().choose(state, rng)
        return {"illegal": -1, "text": "pass", "none": None, "float": 0.5}[self.kind]


@pytest.fixture
def failing():
    from bastide.agents import Parameter

    register("failing", AgentKind(Failing, "for tests", {"kind": Parameter(str, "crash", "a kind")}))
    yield
    del AGENTS["failing"]


@pytest.mark.parametrize(
    ("kind", "fault", "why"),
    [
        ("crash", "crash", "RuntimeError: no idea"),
        ("slow", "timeout", "it took 0.5"),
        ("illegal", "illegal", "action"),
        ("text", "illegal", "action"),
        ("none", "illegal", "action"),
        ("float", "illegal", "action"),
    ],
)
def test_an_agent_that_fails_loses_that_game_and_the_tournament_goes_on(tmp_path, failing, kind, fault, why):
    own = plan(f"failing:kind={kind}", "random", rounds=2, limits=Limits(move_seconds=0.3 if kind == "slow" else 20))
    found = played(tmp_path / "t.db", own)
    results = games(tmp_path / "t.db")
    assert len(results) == 4
    for game in results:
        assert (game.fault, game.lineup[game.fault_seat], why in game.reason) == (fault, 0, True), game
        assert game.decisions[game.fault_seat] == 5
    best = found["entrants"][0]
    assert (best["name"], best["share"], best["faults"]) == ("1 random", 1.0, {})
    assert found["entrants"][1]["faults"] == {fault: 4}
    assert found["faults"] == 4


def test_the_time_of_a_whole_game_is_limited(tmp_path, failing):
    own = plan("failing:kind=slow", "random", limits=Limits(game_seconds=1.2))
    played(tmp_path / "t.db", own)
    for game in games(tmp_path / "t.db"):
        assert (game.fault, game.lineup[game.fault_seat]) == ("timeout", 0)
        assert 6 <= game.decisions[game.fault_seat] <= 8


BOT = """
import json, os, sys, time
n = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "hello", "protocol": 1}}), flush=True)
    elif message["type"] == "begin":
        n = 0
    elif message["type"] == "choose":
        n += 1
        answer = {{"type": "action", "id": message["id"], "action": message["legal"][0]}}
        if n == 4:
            {fault}
        print(json.dumps(answer), flush=True)
"""
BOT_FAULTS = {
    "crash": "os.abort()",
    "timeout": "time.sleep(100)",
    "nonsense": "print('hm')",
    "illegal": "answer['action'] = 'pass or not'",
}


def test_programs_that_fail_in_every_way_do_not_stop_a_tournament_and_play_again(tmp_path):
    codes = []
    for name, fault in BOT_FAULTS.items():
        (tmp_path / f"{name}.py").write_text(BOT.format(fault=fault))
        codes.append(f"cmd:{sys.executable} {tmp_path / name}.py")
    own = plan("random", *codes, format="gauntlet", limits=Limits(move_seconds=3.0))
    found = played(tmp_path / "t.db", own, threads=2)
    results = games(tmp_path / "t.db")
    assert len(results) == 8
    for game in results:
        failed = game.lineup[game.fault_seat]
        assert game.fault == list(BOT_FAULTS)[failed - 1]
        assert game.decisions[game.fault_seat] == 4  # the second game, too, was played up to there
        assert game.reason
    assert found["entrants"][0]["name"] == "0 random"


# -- the same whoever plays


ENTRANTS = ("greedy", "random", "greedy:price=2")


def test_a_tournament_does_not_depend_on_threads_or_processes(tmp_path):
    own = plan(*ENTRANTS, rounds=2, limits=Limits(decisions=40))
    one = played(tmp_path / "1.db", own)
    assert played(tmp_path / "2.db", own, threads=2) == one
    assert played(tmp_path / "3.db", own, threads=2, processes=True) == one
    assert games(tmp_path / "1.db") == games(tmp_path / "2.db") == games(tmp_path / "3.db")
    assert one["games"] == one["planned"] == 12


def test_a_search_in_the_core_plays_in_threads_the_same(tmp_path):
    own = plan("mcts:iterations=30", "random", limits=Limits(decisions=30))
    assert own.is_native is False  # random holds the interpreter
    alone = plan("mcts:iterations=30", "mcts:iterations=60", limits=Limits(decisions=30))
    assert alone.is_native is True
    for entrants in (own, alone):
        one = played(tmp_path / f"{entrants.is_native}1.db", entrants)
        assert played(tmp_path / f"{entrants.is_native}2.db", entrants, threads=2) == one
    assert not plan("mcts:seconds=0.1", "random").is_reproducible


def test_parts_of_a_tournament_are_merged_to_the_whole(tmp_path, cli):
    own = plan(*ENTRANTS, rounds=3, limits=Limits(decisions=30))
    whole = played(tmp_path / "whole.db", own)
    paths = []
    for number in (1, 2):
        paths.append(str(tmp_path / f"{number}.db"))
        part = played(paths[-1], own, shard=(number, 2))
        assert 0 < part["games"] < whole["games"]
    assert merge(str(tmp_path / "all.db"), [*paths, paths[0]]) == whole["games"]
    with Journal.open(tmp_path / "all.db") as journal:
        assert without_times(report(journal)) == whole
    code, out, _ = cli("tournament", "merge", tmp_path / "again.db", *paths)
    assert (code, out) == (0, f"{whole['games']} games in {tmp_path / 'again.db'}\n")
    assert cli("tournament", "merge", tmp_path / "again.db", *paths)[0] == 2


@pytest.mark.parametrize(("shard", "n"), [((1, 2), 4), ((2, 2), 2), ((1, 1), 6), ((3, 5), 2), ((4, 5), 0)])
def test_the_games_of_a_part_are_counted(tmp_path, shard, n):
    own = plan("greedy", "random", rounds=3, limits=Limits(decisions=4))
    assert n_planned(own, shard) == n
    played(tmp_path / "t.db", own, shard=shard)
    with Journal.open(tmp_path / "t.db") as journal:
        assert (len(journal.numbers()), n_played(journal, shard), n_played(journal, (1, 1))) == (n, n, n)
        assert n_played(journal, (1, 2)) + n_played(journal, (2, 2)) == n


def test_progress_knows_how_much_a_part_has(tmp_path, cli, monkeypatch):
    seen = []

    class Seen(Progress):
        def __init__(self, total, unit, done=0):
            super().__init__(total, unit, done)
            self.is_wanted, self.shown = True, self.shown - 1
            seen.append(self)

    monkeypatch.setattr("bastide.cli.tournament.Progress", Seen)
    args = ["run", "--agents", "random,greedy", "--rounds", 3, "--max-decisions", 4, "--seed", 7, "--threads", 1]
    for shard in ("1/2", "5/5"):
        assert cli("tournament", *args, "--shard", shard, "--journal", tmp_path / f"{shard[0]}.db")[0] == 0
    assert cli("tournament", "resume", tmp_path / "1.db", "--shard", "1/1")[0] == 0
    assert [(progress.total, progress.done) for progress in seen] == [(4, 4), (0, 0), (6, 6)]


def test_progress_of_nothing_is_no_division_by_zero(capsys):
    with Progress(0, "games") as progress:
        progress.is_wanted, progress.shown = True, progress.shown - 1
        progress.add(2)
    assert "2/0 games  100%" in capsys.readouterr().err


def test_the_part_that_a_journal_is_for_goes_on_unless_another_is_named(tmp_path, cli):
    args = ["--agents", "random,greedy", "--rounds", 3, "--max-decisions", 4, "--seed", 7, "--shard", "1/2"]
    path = tmp_path / "t.db"
    assert cli("tournament", "run", *args, "--journal", path)[0] == 0
    with Journal.open(path) as journal, journal.connection:
        assert journal.shard == (1, 2)
        journal.connection.execute("DELETE FROM games WHERE number > 1")
    assert cli("tournament", "resume", path)[0] == 0
    assert [game.number for game in games(path)] == [0, 1, 4, 5]
    assert cli("tournament", "resume", path, "--shard", "2/2")[0] == 0
    assert n_games(path) == 6
    with Journal.open(path) as journal, journal.connection:
        journal.connection.execute("UPDATE run SET value = '[3, 2]' WHERE key = 'shard'")
    with pytest.raises(RecordError, match=r"t\.db: shard is \[3, 2\] .expected"):
        Journal.open(path)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM run WHERE key = 'shard'")  # as in journals of versions before
    connection.close()
    with Journal.open(path) as journal:
        assert journal.shard == (1, 1)


def test_a_merge_that_fails_leaves_nothing_behind(tmp_path, cli, monkeypatch):
    own = plan("greedy", "random", rounds=60, limits=Limits(move_seconds=20, decisions=1))
    paths = [tmp_path / "1.db", tmp_path / "2.db"]
    for number, path in enumerate(paths, 1):
        played(path, own, shard=(number, 2))
    with Journal.open(paths[1]) as journal, journal.connection:
        journal.connection.execute("UPDATE games SET scores = 'none'")
    code, _, err = cli("tournament", "merge", tmp_path / "all.db", *paths)
    assert (code, "2.db: cannot be read" in err) == (2, True)
    with Journal.open(paths[1]) as journal, journal.connection:
        journal.connection.execute("UPDATE games SET scores = '[1, 2]'")

    create = Journal.create

    def full(out, plan):
        journal = create(out, plan)
        (pages,) = journal.connection.execute("PRAGMA page_count").fetchone()
        journal.connection.execute(f"PRAGMA max_page_count = {pages}")
        return journal

    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.db", "2.db"]
    monkeypatch.setattr(Journal, "create", staticmethod(full))
    code, _, err = cli("tournament", "merge", tmp_path / "all.db", *paths)
    assert (code, err) == (1, f"error: {tmp_path / 'all.db'}: cannot be written: database or disk is full\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.db", "2.db"]
    monkeypatch.undo()
    assert cli("tournament", "merge", tmp_path / "all.db", *paths)[0] == 0


def test_journals_of_different_tournaments_or_results_are_not_merged(tmp_path):
    own = plan("greedy", "random")
    played(tmp_path / "1.db", own)
    played(tmp_path / "2.db", replace(own, seed=8))
    with pytest.raises(RecordError, match=r"2\.db: seed is 8, in .*1\.db 7"):
        merge(str(tmp_path / "all.db"), [str(tmp_path / "1.db"), str(tmp_path / "2.db")])
    played(tmp_path / "3.db", own)
    with Journal.open(tmp_path / "3.db") as journal, journal.connection:
        journal.connection.execute("UPDATE games SET scores = '[1, 2]' WHERE number = 1")
    with pytest.raises(RecordError, match="game 1 is not the one of"):
        merge(str(tmp_path / "all.db"), [str(tmp_path / "1.db"), str(tmp_path / "3.db")])
    assert not (tmp_path / "all.db").exists()


@pytest.mark.parametrize("change", [{"format": "swiss"}, {"sprt": Sprt(0, 20)}])
def test_tournaments_whose_deals_depend_on_results_have_no_parts(tmp_path, change):
    own = plan("greedy", "random", **change)
    with pytest.raises(BastideError, match="cannot be played in parts"):
        played(tmp_path / "t.db", own, shard=(1, 2))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seed": "x"}, "seed must be an integer of 0 .. 18446744073709551615, got 'x'"),
        ({"seed": -1}, "seed must be .* got -1"),
        ({"rounds": 1.5}, "rounds must be an integer of 1 .. 10000000, got 1.5"),
        ({"deals": True}, "deals must be .* got True"),
        ({"names": ("a", "a")}, r"a name of its own, got a, a \(give them with --names\)"),
    ],
)
def test_a_plan_that_is_none_says_why(change, why):
    with pytest.raises(BastideError, match=why):
        replace(plan("greedy", "random"), **change)


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"decisions": 0}, "decisions must be an integer of 1 .. 1000000, got 0"),
        ({"decisions": 1.5}, "decisions must be .* got 1.5"),
        ({"move_seconds": "1"}, "move_seconds must be a number above 0 and at most a million, got '1'"),
        ({"game_seconds": float("nan")}, "game_seconds must be .* got nan"),
        ({"game_seconds": True}, "game_seconds must be .* got True"),
    ],
)
def test_limits_that_are_none_say_why(limits, why):
    with pytest.raises(BastideError, match=why):
        Limits(**limits)


@pytest.mark.parametrize("option", ["--max-decisions", "--move-seconds", "--game-seconds", "--rounds", "--deals"])
def test_a_bad_number_is_named_as_it_was_given(tmp_path, cli, option):
    args = ["run", "--agents", "random,greedy", "--journal", tmp_path / "t.db", option, 0]
    code, _, err = cli("tournament", *args)
    assert (code, f"'{option}': 0" in err) == (2, True)


# -- journals


def stopped(path, plan, after):
    """Play some games of a tournament only."""
    with Journal.create(path, plan) as journal, local_workers(1) as workers:
        n = [0]

        def go_on(new):
            n[0] += new
            return n[0] < after

        assert not run(journal, workers, go_on)


@pytest.mark.parametrize(
    "own",
    [
        plan(*ENTRANTS, rounds=3, limits=Limits(decisions=30)),
        plan(*ENTRANTS, "greedy:price=3", "greedy:price=1.5", format="swiss", rounds=3, limits=Limits(decisions=30)),
        plan("greedy", "random", rounds=100, sprt=Sprt(0, 200)),
        plan(*ENTRANTS, players=4),
    ],
    ids=["round-robin", "swiss", "sprt", "four seats"],
)
def test_a_stopped_tournament_goes_on_to_the_same_table(tmp_path, own):
    whole = played(tmp_path / "whole.db", own)
    stopped(tmp_path / "t.db", own, 3)
    with Journal.open(tmp_path / "t.db") as journal, local_workers(2) as workers:
        assert 0 < len(journal.numbers()) < whole["games"]
        assert run(journal, workers)
        assert without_times(report(journal)) == whole


def test_games_after_the_decision_of_a_test_do_not_count(tmp_path):
    own = plan("greedy", "random", rounds=500, sprt=Sprt(0, 200))
    found = played(tmp_path / "t.db", own, threads=2)
    assert found["sprt"]["accepted"] == "elo1"
    assert found["games"] == 2 * found["sprt"]["pairs"] < found["planned"]
    with Journal.open(tmp_path / "t.db") as journal:
        more = play_deals(own, [Deal(found["sprt"]["pairs"] + i, 9, (0, 1)) for i in range(3)])[0]
        journal.add(more)
        assert len(journal.numbers()) > found["games"]
        assert without_times(report(journal)) == found


def test_a_journal_is_neither_overwritten_nor_read_as_another(tmp_path):
    path = tmp_path / "t.db"
    own = plan("greedy", "random")
    with Journal.create(path, own) as journal:
        assert journal.plan == own
    with pytest.raises(RecordError, match="is there already"):
        Journal.create(path, own)
    for name, data in (("empty", b""), ("text", b"SQLite format 4\0" * 100), ("other", None)):
        other = tmp_path / name
        if data is None:
            sqlite3.connect(other).execute("CREATE TABLE games (x)").connection.close()
        else:
            other.write_bytes(data)
        with pytest.raises(RecordError, match=f"{name}: "):
            Journal.open(other)
    with pytest.raises(RecordError, match="no such file"):
        Journal.open(tmp_path / "nothing")
    with pytest.raises(RecordError, match="cannot be written"):
        Journal.create(tmp_path / "no" / "folder.db", own)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE run SET value = '99' WHERE key = 'rules_version'")
    connection.close()
    with pytest.raises(RecordError, match=r"rules_version is 99 .this program has"):
        Journal.open(path)


def test_own_tiles_are_asked_for_again(tmp_path):
    tiles = TileSet.loads('format = 1\nbox = "base"\n[sets.base_c2c3]\n"base.D" = 3\n"base.U" = 9\n', "own")
    own = replace(plan("greedy", "random"), tiles=tiles)
    with Journal.create(tmp_path / "t.db", own) as journal, local_workers(1) as workers:
        run(journal, workers)
        assert next(journal.games()).turns < 15
    with pytest.raises(RecordError, match="own --tiles"):
        Journal.open(tmp_path / "t.db")
    with Journal.open(tmp_path / "t.db", tiles) as journal:
        assert report(journal)["games"] == 2


def test_a_full_database_is_an_error_after_which_the_tournament_goes_on(tmp_path):
    own = plan("random", "greedy:price=2", rounds=100, limits=Limits(decisions=4))
    whole = played(tmp_path / "whole.db", own)
    path = tmp_path / "t.db"
    with Journal.create(path, own) as journal, local_workers(1) as workers:
        (pages,) = journal.connection.execute("PRAGMA page_count").fetchone()
        journal.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(JournalError, match=r"t\.db: cannot be written: database or disk is full; what is done"):
            run(journal, workers)
    with Journal.open(path) as journal, local_workers(1) as workers:
        assert 0 < len(journal.numbers()) < whole["games"]
        assert run(journal, workers)
        assert without_times(report(journal)) == whole


# -- the command


def command(*args, **more):
    return [sys.executable, "-m", "bastide", "tournament", *map(str, args)]


LONGER = ["--agents", "random,greedy:price=2,greedy:price=-1", "--rounds", 400, "--seed", 7, "--max-decisions", 20]
QUICK = ["--agents", "random,greedy:price=2,greedy:price=-1", "--rounds", 25, "--seed", 7, "--max-decisions", 20]


@pytest.mark.skipif(sys.platform == "win32", reason="no RLIMIT_FSIZE")
def test_a_full_disk_is_one_line_and_exit_code_1(tmp_path):
    limit = 50_000
    result = subprocess.run(
        command("run", *LONGER, "--threads", 1, "--journal", tmp_path / "t.db"),
        env=ENV,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1].startswith(f"error: {tmp_path / 't.db'}: cannot be written: ")
    done = subprocess.run(command("resume", tmp_path / "t.db", "--json"), env=ENV, capture_output=True, check=True)
    assert json.loads(done.stdout)["games"] == 2400


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_tournament_killed_at_random_moments_ends_with_the_table_of_one_that_was_not(tmp_path, cli, long_run):
    code, out, _ = cli("tournament", "run", *LONGER, "--journal", tmp_path / "whole.db", "--json")
    assert code == 0
    whole = without_times(json.loads(out))
    for number in range(20 if long_run else 1):
        path = tmp_path / f"{number}.db"
        moments, kills, code = random.Random(number), 0, None
        while code != 0:
            args = ["resume", path] if path.exists() else ["run", *LONGER, "--journal", path]
            child = subprocess.Popen(
                command(*args, "--threads", 1 + kills % 2, "--json"),
                env=ENV,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            if kills < 2:
                enough = moments.randrange(1000) + 1000 * kills
                while child.poll() is None and n_games(path) < enough:
                    time.sleep(0.01)
                child.send_signal(signal.SIGKILL)
            text, _ = child.communicate(timeout=120)
            code = child.returncode
            kills += code == -signal.SIGKILL
        assert kills > 0
        assert without_times(json.loads(text)) == whole
        assert games(path) == games(tmp_path / "whole.db")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child alone")
def test_ctrl_c_keeps_the_games_and_prints_the_table(tmp_path):
    args = command("run", *QUICK[:-2], "--rounds", 100_000, "--journal", tmp_path / "t.db", "--threads", 1)
    with subprocess.Popen(args, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr.readline() == "seed 7\n"
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "Traceback" not in err
    assert f"{len(games(tmp_path / 't.db')):,} of 600,000 games" in out


def test_run_resume_and_report_print_the_same_table(tmp_path, cli):
    path = tmp_path / "t.db"
    names = "Ann,Bob,Cleo"
    code, out, err = cli("tournament", "run", *QUICK, "--names", names, "--journal", path)
    assert (code, err) == (0, "seed 7\n")
    assert all(name in out for name in names.split(","))
    assert "150 of 150 games" in out
    assert cli("tournament", "resume", path)[:2] == (0, out)
    assert cli("tournament", "report", path)[:2] == (0, out)
    code, text, _ = cli("tournament", "report", path, "--json", "--openskill", "--html", tmp_path / "t.html")
    facts = json.loads(text)
    assert (facts["format"], facts["version"]) == ("bastide-tournament", 1)
    assert (facts["rules_version"], facts["random_version"]) == (RULES_VERSION, api.RANDOM_VERSION_)
    assert facts["fingerprint"] == facts["plan"]["fingerprint"]
    assert set(facts["entrants"][0]["openskill"]) == {"mu", "sigma"}
    html = (tmp_path / "t.html").read_text()
    assert html.startswith("<!doctype html>")
    pictures = [base64.b64decode(part.split('"')[0]).decode() for part in html.split("data:image/svg+xml;base64,")[1:]]
    assert ["points" in picture or "share of games won" in picture for picture in pictures] == [True, True]
    assert "openskill" in table(facts)


BAD = {
    "no journal": "run --agents random,greedy",
    "one entrant": "run --agents random --journal t.db",
    "unknown agent": "run --agents random,nobody --journal t.db",
    "the same twice": "run --agents random,random --journal t.db",
    "no folder": "run --agents random,greedy --journal nothing/t.db",
    "no rounds": "run --agents random,greedy --rounds 0 --journal t.db",
    "bad test": "run --agents random,greedy --sprt 5 --journal t.db",
    "test of three": "run --agents random,greedy,greedy:price=2 --sprt 0,5 --journal t.db",
    "no time": "run --agents random,greedy --move-seconds 0 --journal t.db",
    "no such program": "run --agents random,cmd:/no/such/program --journal t.db",
    "a program that says nothing": "run --agents random,cmd:true --journal t.db",
    "seven players": "run --agents random,greedy --players 7 --journal t.db",
    "part of a swiss": "run --agents random,greedy --format swiss --shard 1/2 --seed 1 --journal t.db",
    "no decisions": "run --agents random,greedy --max-decisions 0 --journal t.db",
    "shard without a seed": "run --agents random,greedy --shard 1/2 --journal t.db",
    "unknown cluster": "run --agents random,greedy --cluster nowhere --journal t.db",
    "nothing to resume": "resume nothing.db",
    "nothing to report": "report nothing.db",
    "nothing to merge": "merge all.db",
    "journals that are not there": "merge all.db nothing.db",
    "unknown subcommand": "begin",
}


@pytest.mark.parametrize("args", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_exit_code_2(cli, tmp_path, monkeypatch, args):
    monkeypatch.chdir(tmp_path)
    code, out, err = cli("tournament", *args.split())
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["run", "resume", "report", "merge"])
def test_every_subcommand_shows_examples(cli, name):
    code, out, _ = cli("tournament", name, "--help")
    assert code == 0
    assert f"Examples:\n    bastide tournament {name}" in out


# -- reports


def made_up(path, results, entrants=("random", "greedy"), **more):
    """A journal with results that were not played."""
    own = plan(*entrants, **more)
    with Journal.create(path, own) as journal:
        journal.add(
            GameResult(number, 0, lineup, scores, 71, (9,) * len(lineup), (0.5,) * len(lineup), *fault)
            for number, (lineup, scores, *fault) in enumerate(results)
        )
        return report(journal)


def test_a_report_counts_what_the_games_were(tmp_path):
    facts = made_up(
        tmp_path / "t.db",
        [((0, 1), (10, 30)), ((1, 0), (20, 20)), ((0, 1), (50, 0), 0, "crash", "it broke"), ((1, 0), (7, 5))],
        rounds=5,
    )
    assert (facts["games"], facts["planned"], facts["faults"]) == (4, 10, 1)
    first, second = facts["entrants"]
    assert (first["name"], first["won"], first["share"]) == ("1 greedy", 3.5, 0.875)
    assert (first["mean_score"], first["mean_margin"]) == (57 / 4, (20 + 0 - 50 + 2) / 4)
    assert (first["places"], second["places"]) == ({"1": 4}, {"1": 1, "2": 3})
    assert second["faults"] == {"crash": 1}
    assert first["seconds"] == {"decision": 2 / 36, "all": 2.0}
    assert facts["won_against"] == [[None, 0.875], [0.125, None]]
    assert facts["first_seat_share"] == (0 + 0.5 + 0 + 1) / 4
    assert 0.5 < first["better_than_next"] < 1
    assert facts["superiority"][0] == [None, first["better_than_next"]]
    assert sum(row[1 - i] for i, row in enumerate(facts["superiority"])) == pytest.approx(1)
    assert second["better_than_next"] is None
    assert "0 random failed in 1 games: 1 by crash" in table(facts)


def test_a_report_is_read_by_plots(tmp_path):
    from bastide.render.plotdata import ratings

    facts = made_up(tmp_path / "t.db", [((0, 1), (10, 30)), ((1, 0), (20, 20))])
    (tmp_path / "t.json").write_text(json.dumps(facts))
    found = ratings(str(tmp_path / "t.json"))
    assert [(each.name, each.rating, each.low, each.high) for each in found] == [
        (entry["name"], entry["elo"], *entry["interval"]) for entry in facts["entrants"]
    ]


def test_a_journal_without_games_has_a_report_too(tmp_path):
    facts = made_up(tmp_path / "t.db", [])
    assert "0 of 20 games" in table({**facts, "planned": 20})
    assert chart(facts) == ""
    assert "<table>" in page(facts)
    json.dumps(facts, allow_nan=False)


def test_a_half_played_deal_does_not_count(tmp_path):
    assert made_up(tmp_path / "t.db", [((0, 1), (1, 2)), ((1, 0), (1, 2)), ((0, 1), (1, 2))])["games"] == 2


def test_the_page_is_well_formed_needs_no_network_and_escapes_names(tmp_path):
    from xml.etree import ElementTree

    own = Plan(BASE, None, 7, ("random", "greedy", "greedy:price=2"), ("<script>", "a & b", "x" * 80))
    with Journal.create(tmp_path / "t.db", own) as journal, local_workers(1) as workers:
        run(journal, workers)
        facts = report(journal)
    text = page(facts)
    picture = ElementTree.fromstring(chart(facts))
    assert len(picture.findall("circle")) == len(picture.findall("line[@class='bar']")) == 3
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "http" not in text
    body = text.replace("<!doctype html>", "").replace('<meta charset="utf-8">', "")
    ElementTree.fromstring(body.replace('<meta name="viewport" content="width=device-width">', ""))


def test_agents_with_clocks_are_marked_as_not_reproducible(tmp_path):
    facts = made_up(tmp_path / "t.db", [], limits=Limits(move_seconds=1))
    assert facts["reproducible"] is False
    assert "not reproducible" in table(facts)
