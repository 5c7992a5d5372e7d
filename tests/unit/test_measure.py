"""`bastide bench`, `bastide doctor` and bench/guard.py: what they tell, and that the guard fails where it must."""

import importlib.util
import json
from pathlib import Path

import pytest

from bastide import Game, Rules, measure
from bastide.checksum import checksum
from bastide.cli.app import run
from bastide.rules import PRESETS

ROOT = Path(__file__).parents[2]
FIGURES = (
    *("games_per_second", "turns_per_second", "decisions_per_second", "state_bytes", "copy_ns", "legal_ns"),
    *("apply_undo_ns", "checksum", "threads", "seed", "games"),
)


@pytest.fixture
def cli(capsys):
    """Run a command in this process; returns exit code, stdout and stderr."""

    def call(*args):
        code = run([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture(scope="module")
def guard():
    spec = importlib.util.spec_from_file_location("guard", ROOT / "bench" / "guard.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_bench_prints_one_json_document(cli):
    code, out, err = cli(
        "bench", "-n", 50, "--rounds", 1, "--preset", "base", "--preset", "tower", "--json", "--threads", 2
    )
    assert (code, err) == (0, "seed 1\n")
    document = json.loads(out)
    assert document["format"] == "bastide-bench"
    assert list(document["presets"]) == ["base", "tower"]
    for name, figures in document["presets"].items():
        assert all(figures[key] >= 0 for key in FIGURES), figures
        assert figures["instructions_per_game"] is None
        assert (figures["threads"], figures["seed"], figures["games"]) == (2, 1, 50)
        game = Game(Rules.preset(name))
        assert figures["checksum"] == checksum(game.playouts(50, seed=1))
        assert figures["state_bytes"] == measure.middle(game).n_bytes[0]
        assert figures["turns_per_second"] > 10 * figures["games_per_second"]
        assert figures["decisions_per_second"] > figures["turns_per_second"]
    machine = document["machine"]
    assert machine["processors"] >= 1
    assert machine["build"]["compiler"]


def test_bench_takes_options_and_seeds(cli):
    code, out, err = cli(
        "bench",
        "-n",
        20,
        "--rounds",
        1,
        "--preset",
        "base",
        "--option",
        "edition=c1",
        "--players",
        3,
        "--seed",
        9,
        "--json",
    )
    assert (code, err) == (0, "seed 9\n")
    figures = json.loads(out)["presets"]["base"]
    assert figures["rules"]["edition"] == "c1"
    assert figures["checksum"] == checksum(Game(Rules(edition="c1", players=3)).playouts(20, seed=9))


def test_bench_prints_a_table_of_all_presets(cli):
    code, out, err = cli("bench", "-n", 2, "--rounds", 1)
    assert (code, err) == (0, "seed 1\n")
    assert [line.split()[0] for line in out.splitlines()[1 : 1 + len(PRESETS)]] == list(PRESETS)


def test_bench_leaves_out_presets_that_the_options_do_not_suit(cli):
    code, out, err = cli("bench", "-n", 2, "--rounds", 1, "--option", "edition=c1", "--json")
    assert code == 0
    assert "everything-c3 is left out" in err
    assert {"base", "tower"} <= json.loads(out)["presets"].keys() < set(PRESETS)


@pytest.mark.parametrize(
    "args",
    [
        ("--preset", "none"),
        ("-n", "0"),
        ("--threads", "0"),
        ("--option", "edition"),
        ("--option", "edition=c9"),
        ("--seed", "-1"),
        ("--preset", "everything-c3", "--option", "edition=c1"),
        ("--players", "7"),
    ],
)
def test_bad_options_of_bench_are_an_error_of_one_line(cli, args):
    code, out, err = cli("bench", *args)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith("error: ")


def test_doctor_finds_this_build_healthy(cli):
    code, out, err = cli("doctor")
    assert (code, err) == (0, "")
    assert out.count(": right") == len(measure.SELF_CHECK)
    code, out, _ = cli("doctor", "--json")
    document = json.loads(out)
    assert document["healthy"] is True
    assert document["checks"].keys() == measure.SELF_CHECK.keys()


def test_doctor_fails_where_other_games_are_played(cli, monkeypatch):
    monkeypatch.setitem(measure.SELF_CHECK, "base", 5)
    code, out, err = cli("doctor")
    assert code == 1
    assert "WRONG, should be 5" in out
    assert err == "error: the games of base are not those that this version plays\n"


def test_the_guard_fails_above_its_limit(guard):
    _, faults = guard.compare({"a": 105, "b": 106, "c": 90, "d": 1}, {"a": 100, "b": 100, "c": 100})
    assert faults == ["b", "d"]  # d is new: it has no baseline


def test_a_baseline_needs_a_line_in_the_changelog(guard):
    document = json.loads(guard.BASELINE.read_text())
    assert guard.is_explained(document["figures"], guard.CHANGELOG.read_text())
    changed = {**document["figures"], "base games instructions": 1}
    assert not guard.is_explained(changed, guard.CHANGELOG.read_text())


def test_the_baseline_is_of_all_presets(guard):
    figures = json.loads(guard.BASELINE.read_text())["figures"]
    assert {f"{name} games instructions" for name in PRESETS} <= figures.keys()


def test_counting_needs_valgrind(monkeypatch):
    monkeypatch.setattr(measure.shutil, "which", lambda name: None)
    assert measure.count_instructions([Rules()], 5) is None
