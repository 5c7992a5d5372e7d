"""Long runs in shards: whatever happens in the middle, no game is lost, doubled or changed."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bastide import BastideError, Game, RecordError
from bastide.shards import Shard, ShardFolder, WriteError, check_apart, gaps, read_shards
from bastide.tally import Tally

BASE = Game()
RUN = {"seed": 3, "start": 0, "games": 100}
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
# The command with shards so small that a short run has many.
SMALL = """
import sys
from bastide import shards, simulation
from bastide.cli import main
shards.SHARD_GAMES = simulation.MAX_CHUNK = 3000
main(sys.argv[1:])
"""


def add(folder, first, n):
    stats = BASE.playouts(n, 3, first, stats=True)
    tally = Tally(2)
    tally.add(first, stats)
    folder.add(BASE, 3, first, stats, tally)


def names(path):
    return sorted(entry.name for entry in path.iterdir())


# -- the folder


def test_a_folder_holds_rows_and_sums_of_each_shard_and_which_run_it_is(tmp_path):
    with ShardFolder(str(tmp_path / "games.csv"), RUN, resume=False) as folder:
        add(folder, 0, 10)
        add(folder, 10, 5)  # goes on with the shard
        add(folder, 40, 2)  # begins another one
    assert [(shard.first, shard.last) for shard in folder.shards()] == [(0, 14), (40, 41)]
    stem = "00000000000000000000-00000000000000000014"
    assert {f"{stem}.csv", f"{stem}.json", "run.json"} < set(names(tmp_path / "games.csv.parts"))
    assert list(gaps(folder.shards(), 0, 50)) == [(15, 25), (42, 8)]
    folder.join()
    rows = (tmp_path / "games.csv").read_text().splitlines()
    assert [int(row.split(",")[0]) for row in rows[1:]] == [*range(15), 40, 41]
    folder.remove()
    assert names(tmp_path) == ["games.csv"]


def test_an_unfinished_run_is_neither_overwritten_nor_mixed_with_another(tmp_path):
    out = str(tmp_path / "games.csv")
    with ShardFolder(out, RUN, resume=False) as folder:
        add(folder, 0, 10)
    with pytest.raises(BastideError, match="unfinished run: go on with --resume, or remove it"):
        ShardFolder(out, RUN, resume=False)
    with pytest.raises(BastideError, match="seed is 3 there and 4 here"):
        ShardFolder(out, {**RUN, "seed": 4}, resume=True)
    with ShardFolder(out, RUN, resume=True) as folder:
        assert [shard.last for shard in folder.shards()] == [9]


def test_what_a_kill_left_behind_is_no_shard(tmp_path):
    with ShardFolder(str(tmp_path / "games.csv"), RUN, resume=False) as folder:
        add(folder, 0, 10)
    parts = tmp_path / "games.csv.parts"
    (parts / "00000000000000000020.123.tmp").write_text("game,sc")
    (parts / "00000000000000000030-00000000000000000039.csv").write_text("rows without sums")
    (parts / "00000000000000000050-00000000000000000059.json").write_text("sums without rows")
    assert [shard.first for shard in folder.shards()] == [0]


def test_shards_of_an_unknown_run_are_not_taken_up(tmp_path):
    out = str(tmp_path / "games.csv")
    with ShardFolder(out, RUN, resume=False) as folder:
        add(folder, 0, 10)
    (tmp_path / "games.csv.parts" / "run.json").unlink()
    with pytest.raises(BastideError, match=r"there is no run\.json in it"):
        ShardFolder(out, RUN, resume=True)


def test_shards_with_the_same_games_are_an_error_that_names_them():
    with pytest.raises(RecordError, match=r"b\.csv and c\.csv have the same games"):
        check_apart([Shard(0, 4, "a.csv", ""), Shard(5, 9, "b.csv", ""), Shard(9, 12, "c.csv", "")])


def test_a_damaged_folder_is_an_error_that_names_the_file(tmp_path):
    out = str(tmp_path / "games.csv")
    with ShardFolder(out, RUN, resume=False) as folder:
        add(folder, 0, 10)
    for text in ("{", "[]", '{"format": "bastide-shards", "version": 9}'):
        (tmp_path / "games.csv.parts" / "run.json").write_text(text)
        with pytest.raises(RecordError, match=r"run\.json: "):
            ShardFolder(out, RUN, resume=True)
    with pytest.raises(RecordError, match="cannot be read"):
        read_shards(str(tmp_path / "nothing"), ".csv")


def test_a_run_that_fails_before_its_first_shard_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="stop"), ShardFolder(str(tmp_path / "games.csv"), RUN, resume=False):
        raise ValueError("stop")
    assert names(tmp_path) == []


def test_one_who_fails_leaves_the_folder_to_those_he_shares_it_with(tmp_path):
    out = str(tmp_path / "games.csv")
    one = ShardFolder(out, RUN, resume=False, shared=True)
    add(one, 0, 10)  # begun, not finished
    with pytest.raises(ValueError, match="stop"), ShardFolder(out, RUN, resume=False, shared=True):
        raise ValueError("stop")
    one.flush()
    assert [shard.first for shard in one.shards()] == [0]


def test_two_who_begin_at_once_make_one_folder(tmp_path, monkeypatch):
    out = str(tmp_path / "games.csv")
    ShardFolder(out, RUN, resume=False, shared=True)
    monkeypatch.setattr(os.path, "isdir", lambda _path: False)  # as it was a moment ago
    ShardFolder(out, RUN, resume=False, shared=True)
    assert names(tmp_path) == ["games.csv.parts"]


@pytest.mark.parametrize("gap", [[(0, 100)], [(0, 40), (60, 40)], []])
def test_gaps_and_shards_together_are_the_run(gap):
    shards, at = [], 0
    for first, n in gap:
        if first > at:
            shards.append(Shard(at, first - 1, "", ""))
        at = first + n
    if at < 100:
        shards.append(Shard(at, 99, "", ""))
    assert list(gaps(shards, 0, 100)) == gap


# -- the command


def simulate(*args, check=True):
    command = [sys.executable, "-c", SMALL, "simulate", *map(str, args)]
    return subprocess.run(command, env=ENV, capture_output=True, text=True, timeout=120, check=check)


ENDLESS = ["-n", "60000", "--seed", "7", "--preset", "river", "--threads", "1", "--json"]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_run_killed_at_random_moments_ends_as_one_that_was_not(tmp_path, ending, long_run):
    whole = json.loads(simulate(*ENDLESS, "--out", tmp_path / f"whole{ending}").stdout)
    for number in range(20 if long_run else 1):
        out = tmp_path / f"{number}{ending}"
        moments, kills, code = random.Random(number), 0, None
        while code != 0:
            args = [*ENDLESS, "--out", str(out), "--resume"]
            child = subprocess.Popen(
                [sys.executable, "-c", SMALL, "simulate", *args],
                env=ENV,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            if kills < 3:  # after some more shards, so not by time, which a fast machine would end in
                n_shards = finished(out) + moments.randrange(4)
                while finished(out) < n_shards and child.poll() is None:
                    time.sleep(0.01)
                time.sleep(moments.uniform(0, 0.1))
                child.send_signal(signal.SIGKILL)
            text, _ = child.communicate(timeout=120)
            code = child.returncode
            kills += code == -signal.SIGKILL
        assert kills > 0
        found = json.loads(text)
        assert {key: found[key] for key in ("games", "sums", "checksum")} == {
            key: whole[key] for key in ("games", "sums", "checksum")
        }
        assert not os.path.exists(f"{out}.parts")
        check_same_rows(out, tmp_path / f"whole{ending}")


def finished(out):
    """The number of shards of a run that is going on."""
    return len(list(Path(f"{out}.parts").glob("*-*.json")))


def check_same_rows(one, other):
    if one.suffix == ".parquet":
        from pyarrow import parquet

        assert parquet.read_table(one).equals(parquet.read_table(other))
    else:
        assert one.read_bytes() == other.read_bytes()


def test_parts_played_apart_are_merged_to_the_run(tmp_path, cli):
    simulate("-n", 20000, "--seed", 7, "--out", tmp_path / "whole.csv")
    args = ["simulate", "-n", 20000, "--seed", 7, "--json"]
    for number in (1, 2, 3):
        out = tmp_path / ("here.csv" if number < 3 else "there.csv")  # two on one machine, one elsewhere
        code, text, _ = cli(*args, "--shard", f"{number}/3", "--out", out)
        assert code == 0
        (tmp_path / f"{number}.json").write_text(text)
        assert not out.exists()
    folders = [tmp_path / "here.csv.parts", tmp_path / "there.csv.parts"]
    code, text, _ = cli("merge", *folders, "--out", tmp_path / "all.csv", "--json")
    assert code == 0
    check_same_rows(tmp_path / "all.csv", tmp_path / "whole.csv")
    whole = json.loads(cli(*args)[1])
    documents = [tmp_path / f"{number}.json" for number in (2, 3, 1)]
    for found in (json.loads(text), json.loads(cli("merge", *documents, "--json")[1])):
        assert {key: found[key] for key in found} == {key: whole[key] for key in found}
    assert "20,000 games" in cli("merge", *documents)[1]
    code, _, err = cli("merge", folders[0])
    assert (code, "games 13333 .. 19999 are in no part" in err) == (2, True)
    code, _, err = cli("merge", documents[0], documents[0])
    assert (code, "is in another part too" in err) == (2, True)
    assert cli("simulate", "-n", 20000, "--seed", 7, "--out", tmp_path / "here.csv", "--resume")[0] == 0
    check_same_rows(tmp_path / "here.csv", tmp_path / "whole.csv")


def test_parts_of_different_runs_are_not_merged(tmp_path, cli):
    for seed in (1, 2):
        text = cli("simulate", "-n", 10, "--seed", seed, "--start", 10 * seed, "--json")[1]
        (tmp_path / f"{seed}.json").write_text(text)
        cli("simulate", "-n", 10, "--seed", seed, "--shard", "1/2", "--out", tmp_path / f"{seed}.csv")
    (tmp_path / "renamed").mkdir()
    (tmp_path / "deep.json").write_text("[" * 100_000)
    code, _, err = cli("merge", tmp_path / "1.json", tmp_path / "2.json")
    assert (code, "seed is 2" in err) == (2, True)
    code, _, err = cli("merge", tmp_path / "1.csv.parts", tmp_path / "2.csv.parts")
    assert (code, "seed is 2" in err) == (2, True)
    for args in (
        [tmp_path / "1.json", tmp_path / "1.csv.parts"],
        [tmp_path / "1.json", "--out", tmp_path / "x.csv"],
        [tmp_path / "1.csv.parts", "--out", tmp_path / "x.parquet"],
        [tmp_path],
        [tmp_path / "nothing"],
        [tmp_path / "renamed"],
        [tmp_path / "deep.json"],
    ):
        code, out, err = cli("merge", *args)
        assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [("rules_version", 9, "rules_version is 9, here 1"), ("random_version", 9, "random_version is 9, here 1")],
)
def test_parts_of_another_version_are_refused_by_both_numbers(tmp_path, cli, key, value, message):
    document = json.loads(cli("simulate", "-n", 10, "--seed", 1, "--json")[1])
    (tmp_path / "part.json").write_text(json.dumps({**document, key: value}))
    code, _, err = cli("merge", tmp_path / "part.json")
    assert (code, message in err) == (2, True)


@pytest.mark.parametrize("change", [{"games": -3}, {"squares": [0, 0]}, {"wins": [-1, 0]}])
def test_sums_that_no_games_have_are_refused(change):
    tally = Tally(2)
    tally.add(0, BASE.playouts(10, 3, stats=True))
    assert Tally.from_sums(tally.sums(), "part").sums() == tally.sums()
    with pytest.raises(RecordError, match="part: no games have these sums"):
        Tally.from_sums({**tally.sums(), **change}, "part")


@pytest.mark.skipif(sys.platform == "win32", reason="no RLIMIT_FSIZE")
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_full_disk_is_an_error_after_which_the_run_can_go_on(tmp_path, ending):
    out = tmp_path / f"games{ending}"
    args = ["-n", "40000", "--seed", "7", "--threads", "1", "--json", "--out", str(out)]
    limit = 100_000 if ending == ".csv" else 6_500  # less than the shard of this run that is largest
    result = subprocess.run(
        [sys.executable, "-m", "bastide", "simulate", *args],
        env=ENV,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert (result.returncode, result.stdout) == (1, "")
    error = result.stderr.splitlines()[-1]
    assert error.startswith(f"error: {out}.parts: cannot be written: File too large; ")
    assert "--resume" in error
    assert not any(name.endswith(".tmp") for name in names(tmp_path))
    found = json.loads(simulate(*args, "--resume").stdout)
    assert found["checksum"] == json.loads(simulate(*args[:-2]).stdout)["checksum"]
    assert names(tmp_path) == [out.name]


def test_resume_knows_the_seed_and_begins_where_nothing_was_begun(tmp_path, cli):
    args = ["simulate", "-n", 3000, "--json", "--out", tmp_path / "games.csv"]
    first = json.loads(cli(*args, "--resume")[1])
    assert cli(*args, "--seed", first["seed"], "--shard", "1/2")[0] == 0
    code, text, err = cli(*args, "--resume")
    assert (code, err) == (0, f"seed {first['seed']}\n")
    assert json.loads(text)["sums"] == first["sums"]


def test_a_part_can_be_without_games(tmp_path, cli):
    assert cli("simulate", "-n", 3, "--seed", 1, "--shard", "1/5")[:2] == (0, "no games\n")
    code, text, _ = cli("simulate", "-n", 3, "--seed", 1, "--shard", "1/5", "--json", "--out", tmp_path / "games.csv")
    assert (code, json.loads(text)["games"]) == (0, 0)


def test_a_write_error_keeps_the_shards_before_it(tmp_path, monkeypatch):
    folder = ShardFolder(str(tmp_path / "games.csv"), RUN, resume=False)
    add(folder, 0, 10)
    folder.flush()
    add(folder, 10, 10)
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(WriteError, match="No space left"):
        folder.flush()
    assert [(shard.first, shard.last) for shard in folder.shards()] == [(0, 9)]


def test_a_part_is_not_played_over_shards_that_go_beyond_it(tmp_path, cli):
    args = ["simulate", "-n", 3000, "--seed", 7, "--out", tmp_path / "games.csv"]
    assert cli(*args, "--shard", "1/1")[0] == 0
    code, _, err = cli(*args, "--shard", "1/2")
    assert (code, "goes beyond --shard" in err) == (2, True)


def test_a_failed_game_keeps_those_before_it(tmp_path, cli, monkeypatch):
    seen = []

    def choose(self, state, rng):
        seen.append(state.turn)
        return -1 if len(seen) > 400 else state.legal_actions()[0]

    monkeypatch.setattr("bastide.agents.simple.RandomAgent.choose", choose)
    out = tmp_path / "games.csv"
    code, _, err = cli("simulate", "-n", 50, "--seed", 7, "--agents", "random", "--threads", 1, "--out", out)
    assert (code, "IllegalAction" in err or "seat" in err) == (1, True)
    kept = read_shards(f"{out}.parts", ".csv")
    assert [shard.first for shard in kept] == [0]
    assert not out.exists()
