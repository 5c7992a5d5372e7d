"""`bastide convert`: both directions, the table of checks, exit codes."""

import json

import pytest
from jczfiles import COMMIT, deploy, place, save

CITY = [place("BA/C", 180, 0, -1), deploy("0.small.1", 0, -1, "City", "S"), COMMIT]


@pytest.fixture
def files(tmp_path):
    """Write saves: one whose assertions hold, one of which one does not, one that is refused."""
    texts = {
        "good.jcz": save(*CITY, claims=["Ann has 4 points", "Undo is allowed"]),
        "bad.jcz": save(*CITY, claims=["Ann has 5 points", "Bob has 0 points"]),
        "other.jcz": save(*CITY, elements={"small-follower": 7, "phantom": 1}),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_record_becomes_a_save_and_the_same_record_again(cli, tmp_path):
    game, jcz, again = tmp_path / "game.json", tmp_path / "game.jcz", tmp_path / "again.json"
    assert cli("play", "--preset", "tower", "--agents", "random", "--seed", 5, "--save", game)[0] == 0
    assert cli("convert", game, jcz) == (0, "", "")
    assert cli("convert", jcz, again) == (0, "", "")
    assert again.read_text() == game.read_text()
    assert cli("convert", jcz) == (0, game.read_text(), "")
    assert cli("convert", game) == (0, jcz.read_text(), "")


def test_a_river_that_the_other_program_refuses_is_noted(cli, tmp_path):
    game = tmp_path / "game.json"
    notes = {}
    for seed in (30, 31):
        cli("play", "--preset", "river", "--option", "edition=c1", "--agents", "random", "--seed", seed, "--save", game)
        code, out, notes[seed] = cli("convert", game)
        assert (code, out.startswith("{")) == (0, True)
    assert notes[30].startswith("note: JCloisterZone will not replay it: ply ")
    assert (notes[30].count("\n"), notes[31]) == (1, "")


def test_a_table_tells_what_holds(cli, files):
    code, out, err = cli("convert", "--check", files / "good.jcz", files / "bad.jcz", files / "other.jcz")
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].split() == ["file", "agree", "differ", "not", "understood"]
    assert lines[1].split() == [str(files / "good.jcz"), "1", "0", "1"]
    assert lines[2:] == [
        "  not understood: Undo is allowed",
        f"{files / 'bad.jcz'}{' ' * (len('other') - len('bad'))}      1       1               0",
        "  differs: Ann has 5 points: Ann has 4",
        f"{files / 'other.jcz'}  refused: setup.elements.phantom: the element 'phantom' is not supported (supported: "
        "small-follower, abbot, tower, black-tower, farmers, garden, river, watchtower)",
    ]


def test_the_exit_code_tells_a_difference_from_a_refusal(cli, files):
    for names, code in [
        (["good"], 0),
        (["good", "bad"], 1),
        (["good", "other"], 2),
        (["bad", "other"], 1),
        (["missing"], 2),
    ]:
        assert cli("convert", "--check", *(files / f"{name}.jcz" for name in names))[0] == code


def test_checks_are_told_to_programs_too(cli, files):
    names = [files / name for name in ("good.jcz", "bad.jcz", "other.jcz")]
    code, out, _ = cli("convert", "--check", "--json", *names)
    rows = json.loads(out)["files"]
    assert code == 1
    assert [(row["agree"], row["differ"], row["not_understood"]) for row in rows] == [(1, 0, 1), (1, 1, 0), (0, 0, 0)]
    assert rows[1]["assertions"][0] == {"text": "Ann has 5 points", "holds": False, "found": "Ann has 4"}
    assert "phantom" in rows[2]["error"]
    assert [json.loads(line) for line in cli("convert", "--check", "--ndjson", *names)[1].splitlines()] == rows


def test_what_cannot_be_converted_leaves_no_file(cli, files, tmp_path):
    out = tmp_path / "out.json"
    for args, said in [
        ([files / "other.jcz", out], "the element 'phantom' is not supported"),
        ([files / "missing.jcz", out], "cannot be read"),
        ([files / "good.jcz", tmp_path / "out.jcz"], "what would be written is a game record"),
        ([files / "good.jcz", files / "good.jcz"], "what would be written is a game record"),
    ]:
        before = sorted(tmp_path.iterdir())
        code, printed, err = cli("convert", *args)
        assert (code, printed, err.count("\n")) == (2, "", 1)
        assert said in err
        assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_cannot_be_written_after_all_is_a_failed_run(cli, files, tmp_path, monkeypatch):
    def fail(*args):
        raise OSError(28, "no space left")

    monkeypatch.setattr("os.replace", fail)
    code, _, err = cli("convert", files / "good.jcz", tmp_path / "out.json")
    assert (code, "cannot be written" in err) == (1, True)
    assert not list(tmp_path.glob("out.json*"))
