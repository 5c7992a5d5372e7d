"""The commands that draw: render, replay, plot, tiles --svg."""

import json
import sys
import xml.etree.ElementTree as ET

import pytest

from bastide import Game, Record, Rng, Rules, TileSet
from bastide.agents import agent, play_game
from bastide.cli.app import run
from bastide.render.page import replay_page

GAME = Game(Rules.preset("river", players=2))


@pytest.fixture(scope="module")
def game_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "game.json"
    play_game(GAME, [agent("random")] * 2, Rng(1)).save(path)
    return path


def test_render_writes_svg_to_stdout_or_a_file(cli, game_file, tmp_path):
    state = Record.load(game_file).replay()
    code, out, err = cli("render", game_file, "--format", "svg")
    assert (code, err) == (0, "")
    assert out == state.to_svg() + "\n"
    assert cli("render", game_file, "--out", tmp_path / "board.svg", "--width", 500) == (0, "", "")
    assert (tmp_path / "board.svg").read_text() == state.to_svg(width=500) + "\n"
    assert cli("render", game_file, "--out", tmp_path / "plain.svg", "--plain")[0] == 0
    plain = state.to_svg(coordinates=False, last=False, legal=False, owned=False)
    assert (tmp_path / "plain.svg").read_text() == plain + "\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.svg", "plain.svg"]


def test_render_writes_png(cli, game_file, tmp_path):
    assert cli("render", game_file, "--ply", 30, "--out", tmp_path / "board.png", "--width", 300) == (0, "", "")
    data = (tmp_path / "board.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 300


def test_render_writes_text_to_a_file_without_colours(cli, game_file, tmp_path):
    assert cli("render", game_file, "--out", tmp_path / "board.txt")[0] == 0
    assert (tmp_path / "board.txt").read_text() == cli("render", game_file)[1]


def test_replay_writes_the_page(cli, game_file, tmp_path):
    page = replay_page(Record.load(game_file))
    assert cli("replay", game_file, "--html", tmp_path / "game.html") == (0, "", "")
    assert (tmp_path / "game.html").read_text() == page
    assert cli("replay", game_file, "--html", "-")[1] == page


def test_tiles_draws_each_tile_into_a_directory(cli, tmp_path):
    code, out, _ = cli("tiles", "--svg", tmp_path / "pictures")
    tiles = TileSet.builtin().tiles
    assert code == 0
    assert out.count("; source ") == len(tiles)
    assert sorted(path.stem for path in (tmp_path / "pictures").iterdir()) == sorted(tiles)
    root = ET.parse(tmp_path / "pictures" / "castle.A.svg").getroot()
    assert root.get("aria-label") == "tile castle.A, source reconstruction"
    assert cli("tiles", "base.D", "--svg", tmp_path / "one", "--json")[0] == 0
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["base.D.svg"]


# -- plot


@pytest.fixture(scope="module")
def results(tmp_path_factory, game_file):
    """A directory with one file of each kind."""
    folder = tmp_path_factory.mktemp("results")
    for name in ("rows.csv", "rows.ndjson"):
        assert run(["simulate", "-n", "50", "--seed", "1", "--players", "3", "--out", str(folder / name)]) == 0
    summary = {"format": "bastide-simulation", "mean_points": {"road": [3.5, 2.5], "city": [8, 9.5], "barn": [0, 0]}}
    (folder / "summary.json").write_text(json.dumps(summary))
    (folder / "game.json").write_bytes(game_file.read_bytes())
    ratings = [{"name": "a", "rating": 1500, "low": 1480, "high": 1530}, {"name": "b", "rating": 1400.5, "error": 9}]
    (folder / "ratings.json").write_text(json.dumps(ratings))
    (folder / "more.json").write_text(
        json.dumps({"ratings": [{"name": "c", "rating": 1, "interval": [0, 2]}], "format": "x"})
    )
    return folder


PLOTS = [
    ("scores", ["rows.csv", "rows.ndjson", "game.json"]),
    ("seats", ["rows.csv"]),
    ("sources", ["summary.json", "game.json"]),
    ("placements", ["game.json", "game.json"]),
    ("ratings", ["ratings.json"]),
    ("ratings", ["more.json"]),
]


@pytest.mark.parametrize(("kind", "names"), PLOTS)
@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_plot_draws_each_kind_of_chart_in_each_form(cli, results, tmp_path, kind, names, form):
    out = tmp_path / f"chart.{form}"
    assert cli("plot", kind, *(results / name for name in names), "--out", out) == (0, "", "")
    data = out.read_bytes()
    assert data.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[form])
    assert cli("plot", kind, *(results / name for name in names), "--out", out)[0] == 0
    assert out.read_bytes() == data


# -- bad input: exit code 2, one line, no file

BAD = {
    "no kind": "plot nothing x.csv --out x.svg",
    "no file": "plot scores --out x.svg",
    "no output": "plot scores rows.csv",
    "unknown ending": "plot scores rows.csv --out x.gif",
    "missing file": "plot scores nothing.csv --out x.svg",
    "unknown rows": "plot scores ratings.txt --out x.svg",
    "rows without scores": "plot seats bad.csv --out x.svg",
    "rows that are no numbers": "plot seats words.csv --out x.svg",
    "no rows": "plot seats empty.csv --out x.svg",
    "a broken line": "plot scores bad.ndjson --out x.svg",
    "no parquet": "plot scores bad.parquet --out x.svg",
    "no record": "plot placements summary.json --out x.svg",
    "no summary": "plot sources list.json --out x.svg",
    "points of no kind": "plot sources points.json --out x.svg",
    "no ratings": "plot ratings summary.json --out x.svg",
    "ratings that cannot be": "plot ratings upside.json --out x.svg",
    "two files of ratings": "plot ratings list.json list.json --out x.svg",
    "a page of no record": "replay summary.json --html x.html",
    "no page": "replay game.json",
    "a page in no folder": "replay game.json --html nothing/x.html",
    "a picture in no folder": "render game.json --out nothing/x.svg",
    "a form that is not known": "render game.json --out x.gif",
    "text in pixels": "render game.json --width 300",
    "a picture too wide": "render game.json --out x.svg --width 20000",
    "a text made plain": "render game.json --plain",
    "no folder for tiles": "tiles --svg game.json",
}


@pytest.mark.parametrize("args", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_leaves_no_file(cli, args, results, tmp_path, monkeypatch):
    for name in ("rows.csv", "summary.json", "game.json"):
        (tmp_path / name).write_bytes((results / name).read_bytes())
    texts = {
        "ratings.txt": "x",
        "bad.csv": "a,b\n1,2\n",
        "words.csv": "score_0,score_1\n1,two\n",
        "empty.csv": "score_0,score_1\n",
        "bad.ndjson": '{"score_0": 1}\n[]\n',
        "bad.parquet": "PAR1",
        "list.json": "[]",
        "points.json": '{"format": "bastide-simulation", "mean_points": [1]}',
        "upside.json": '[{"name": "a", "rating": 5, "low": 6, "high": 7}]',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*args.split())
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert len(err) < 500
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("module", "extra", "args"),
    [
        ("matplotlib", "plot", "plot ratings ratings.json --out x.svg"),
        ("resvg_py", "png", "render game.json --out x.png"),
    ],
)
def test_a_missing_extra_is_named(cli, results, monkeypatch, module, extra, args):
    monkeypatch.chdir(results)
    monkeypatch.setitem(sys.modules, module, None)
    code, _, err = cli(*args.split())
    assert code == 2
    assert f"pip install 'bastide[{extra}]'" in err
    assert not (results / args.split()[-1]).exists()


def test_an_output_that_cannot_be_written_after_all_is_a_failed_run(cli, game_file, monkeypatch, tmp_path):
    def replace(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", replace)
    code, _, err = cli("render", game_file, "--out", tmp_path / "x.svg")
    assert (code, "No space left" in err) == (1, True)
    assert list(tmp_path.iterdir()) == []
