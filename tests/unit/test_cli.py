"""The command line: what it prints and where, its exit codes, and that errors are one line."""

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

import bastide
from bastide import Game, Record, Rng, Rules
from bastide.agents import agent, play_game
from bastide.cli import COMMANDS
from bastide.cli.app import app
from bastide.deck import Deck, perft
from bastide.render.text import board_text

BASE = Game(Rules())
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100"}
COMMAND = [sys.executable, "-m", "bastide"]


def process(*args, **options):
    """Run a command as people do."""
    return subprocess.run([*COMMAND, *args], env=ENV, capture_output=True, text=True, timeout=60, **options)


def is_one_line(err):
    """Tell whether this is the line of an error, and no more."""
    return err.startswith("error: ") and err.count("\n") == 1 and err.endswith("\n") and len(err) < 500


# -- the group


def test_help_lists_every_command():
    result = process("--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert all(f"  {name} " in result.stdout for name in COMMANDS)


@pytest.mark.skipif(sys.platform == "win32", reason="no times of children")
def test_help_costs_less_than_a_tenth_of_a_second():
    seconds = []
    for _ in range(5):
        before = sum(os.times()[2:4])  # processor time of children, so that a busy machine does not matter
        process("--help")
        seconds.append(sum(os.times()[2:4]) - before)
    assert min(seconds) < 0.1


def test_help_needs_neither_click_nor_the_core():
    code = "import sys; from bastide.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "print(sorted(name for name in ('click', 'numpy', 'bastide._core.api') if name in sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True, timeout=60)
    assert result.stdout.splitlines()[-1] == "[]"


def test_no_arguments_print_the_help_and_version_the_version():
    assert process().stdout == process("--help").stdout
    assert process("--version").stdout == f"bastide {bastide.__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_shows_examples_and_imports_no_core(name):
    code = f"import sys; from bastide.cli.app import run; run(['{name}', '--help'])\n"
    code += "print([name for name in ('numpy', 'bastide._core.api', 'bastide.game') if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True, timeout=60)
    assert f"Usage: bastide {name}" in result.stdout
    assert f"Examples:\n    bastide {name}" in result.stdout
    assert result.stdout.splitlines()[-1] == "[]"


def test_the_group_names_the_commands_of_the_table():
    assert app.list_commands(None) == list(COMMANDS)


# -- bad input: exit code 2, one line


BAD = {
    "unknown command": "nothing",
    "unknown option": "simulate --nothing",
    "unknown option before the command": "--nothing simulate",
    "missing argument": "render",
    "no value": "simulate --seed",
    "no number": "simulate -n many",
    "no games": "simulate -n 0",
    "games beyond the last number": "simulate -n 5 --start 18446744073709551614",
    "negative seed": "simulate --seed -1",
    "huge seed": "play --seed 18446744073709551616",
    "no threads": "simulate --threads 0",
    "unknown preset": "play --preset nothing",
    "unknown box": "simulate --boxes base,nothing",
    "impossible boxes": "perft --boxes tower,thieves",
    "unknown rule": "simulate --option nothing=1",
    "rule without a value": "rules --option players",
    "rule twice": "tiles --option players=2 --players 3",
    "bad value of a rule": "rules --option farmers=maybe",
    "too many players": "simulate --players 7",
    "no tile file": "simulate --tiles nothing.toml",
    "both forms": "simulate --json --ndjson",
    "unknown agent": "play --agents nobody",
    "bad parameter": "play --agents greedy:price=x",
    "too many agents": "play --agents random,random,random --players 2",
    "seven agents": "simulate --agents random,random,random,random,random,random,random",
    "bad ending": "simulate --out games.txt",
    "resume without a file": "simulate --resume --seed 1",
    "shard beyond the last": "simulate --seed 1 --shard 3/2",
    "shard before the first": "simulate --seed 1 --shard 0/2",
    "shard without a number": "simulate --seed 1 --shard half",
    "shard without a seed": "simulate --shard 1/2",
    "unknown cluster": "simulate --cluster nowhere",
    "no workers": "simulate --cluster local:0",
    "nothing to merge": "merge",
    "parts that are not there": "merge nothing",
    "no folder for results": "simulate --out nothing/games.csv",
    "no folder for the record": "play --save nothing/game.json",
    "a folder for the record": "play --save .",
    "no deck": "play --deck nothing.txt",
    "no deck of perft": "perft --deck nothing.txt",
    "negative depth": "perft --depth -1",
    "nothing to divide": "perft --depth 0 --divide",
    "unknown tile": "tiles nothing",
    "no record": "render nothing.json",
    "unknown colour": "render nothing.json --colour maybe",
    "unknown format": "render nothing.json --format nothing",
    "unexpected argument": "rules nothing",
    "nothing to convert": "convert nothing.jcz",
    "too many to convert": "convert a.jcz b.json c.json",
    "a form without a check": "convert a.jcz --json",
    "no folder for what is converted": "convert a.jcz nothing/b.json",
}


@pytest.mark.parametrize("args", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_exit_code_2(cli, args, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*args.split())
    assert (code, out) == (2, "")
    assert is_one_line(err), err
    assert list(tmp_path.iterdir()) == []


def test_bad_files_are_one_line_and_exit_code_2(cli, tmp_path):
    path = tmp_path / "file"
    for data in (
        b"",
        b"{",
        b"\xff\xfe",
        b"BSTS\1\0\0\0",
        b"BSTDECK\n",
        b"deck base.ZZ",
        b"\0" * 100,
        b"deck base.V",
    ):
        path.write_bytes(data)
        for args in (
            ["render", path],
            ["play", "--deck", path],
            ["perft", "--deck", path],
            ["rules", "--tiles", path],
        ):
            code, out, err = cli(*args)
            assert (code, is_one_line(err)) == (2, True), (data, args, err)
            assert not out.startswith("{")


def test_a_failed_run_is_one_line_and_exit_code_1(cli, monkeypatch):
    def choose(self, state, rng):
        return -1

    monkeypatch.setattr("bastide.agents.simple.RandomAgent.choose", choose)
    for args in (["play", "--agents", "random"], ["simulate", "--agents", "random"]):
        code, _, err = cli(*args, "--seed", 1)
        assert code == 1
        assert err.startswith("seed 1\n")
        assert is_one_line(err.removeprefix("seed 1\n"))


def test_a_record_that_cannot_be_written_after_all_is_a_failed_run(cli, monkeypatch, tmp_path):
    monkeypatch.setattr("bastide.record.MAX_BYTES", 10)
    code, _, err = cli("play", "--seed", 1, "--json", "--save", tmp_path / "game.json")
    assert (code, "cannot be written" in err) == (1, True)


def test_every_json_document_says_what_it_is_and_of_which_versions_and_game(cli, tmp_path):
    (tmp_path / "mine.py").write_text("class Mine:\n    def choose(self, state, rng):\n        return 0\n")
    river = Game(Rules.preset("river")).fingerprint
    documents = {
        "play --preset river": ("bastide-game", river),
        "simulate -n 5 --preset river": ("bastide-simulation", river),
        "perft --depth 1 --preset river": ("bastide-perft", river),
        "rules": ("bastide-rules", None),
        "rules --preset river": ("bastide-rules", river),
        "tiles": ("bastide-tiles", None),
        "tiles --preset river": ("bastide-tiles", river),
        f"tournament run --agents random,greedy --max-decisions 2 --preset river --journal {tmp_path / 't.db'}": (
            "bastide-tournament",
            river,
        ),
        f"tournament report {tmp_path / 't.db'}": ("bastide-tournament", river),
        f"check-agent {tmp_path / 'mine.py'}:Mine -n 1 --preset river": ("bastide-check-agent", river),
        f"convert --check {tmp_path / 'nothing.jcz'}": ("bastide-convert-check", None),
        "bench -n 10 --rounds 1 --preset river": ("bastide-bench", None),
    }
    for args, (kind, fingerprint) in documents.items():
        found = json.loads(cli(*args.split(), "--json")[1])
        assert (found["format"], found["version"], found.get("fingerprint")) == (kind, 1, fingerprint), args
        assert (found["rules_version"], found["random_version"]) == (bastide.RULES_VERSION, 1), args


def test_help_tells_which_agents_there_are_and_every_option_what_it_does(cli):
    for command in ("play", "simulate", "tournament run"):
        out = " ".join(cli(*command.split(), "--help")[1].split())
        assert "random, greedy, mcts:iterations=500, file.py:Class, 'cmd:program args'" in out, command
    for name in (*COMMANDS, "tournament run", "tournament resume", "tournament report", "tournament merge"):
        command = app
        for word in name.split():
            command = command.get_command(None, word)
        for option in command.params:
            assert option.param_type_name == "argument" or option.help, (name, option.name)


def test_help_tells_how_many_threads_and_which_seed_there_are_without_the_option(cli):
    def text(*args):
        return " ".join(cli(*args, "--help")[1].split())

    assert "if not given all processors, for agents one." in text("simulate")
    assert "if not given all processors. No" in text("tournament", "run")
    assert "if not given all processors. No" in text("tournament", "resume")
    assert "random one if not given" not in text("bench")
    assert "[default: 1; 0<=x<=18446744073709551615]" in text("bench")


# -- simulate


def facts(cli, *args):
    code, out, err = cli("simulate", "--json", *args)
    assert code == 0
    return json.loads(out), err


def test_simulate_prints_statistics_to_stdout_and_the_seed_to_stderr(cli):
    code, out, err = cli("simulate", "-n", 500, "--seed", 7)
    assert (code, err) == (0, "seed 7\n")
    for text in (
        "500 games",
        "mean score",
        "standard error",
        "from city",
        "first seat wins",
        "checksum",
        "games/s",
    ):
        assert text in out


def test_simulate_chooses_a_seed_and_prints_it(cli):
    found, err = facts(cli, "-n", 10)
    assert err == f"seed {found['seed']}\n"
    assert facts(cli, "-n", 10, "--seed", found["seed"])[0]["checksum"] == found["checksum"]


def test_simulate_json_has_what_programs_need(cli):
    found, _ = facts(cli, "-n", 2000, "--seed", 7, "--threads", 2)
    scores = BASE.playouts(2000, seed=7)
    assert (found["games"], found["threads"], found["seed"], found["start"]) == (2000, 2, 7, 0)
    assert found["mean_scores"] == scores.mean(axis=0).tolist()
    assert found["fingerprint"] == BASE.fingerprint
    assert found["games_per_second"] == pytest.approx(2000 / found["seconds"])
    assert found["mean_turns"] == pytest.approx(71, abs=0.2)
    assert found["rules_version"] == bastide.RULES_VERSION
    assert found["is_complete"] is True


def test_simulate_gives_the_same_for_any_number_of_threads(cli):
    for args in (["-n", 3000], ["-n", 6, "--agents", "greedy,random"]):
        runs = [facts(cli, *args, "--seed", 3, "--threads", threads)[0] for threads in (1, 2, 3)]
        for run_facts in runs:
            for key in ("seconds", "games_per_second", "threads"):
                del run_facts[key]
        assert runs[0] == runs[1] == runs[2]


def test_the_checksums_of_parts_add_up(cli):
    parts = [facts(cli, "-n", n, "--seed", 3, "--start", start)[0] for start, n in ((700, 300), (0, 700))]
    whole = facts(cli, "-n", 1000, "--seed", 3)[0]
    assert sum(part["checksum"] for part in parts) % 2**64 == whole["checksum"]


def test_simulate_with_agents_plays_the_games_of_play_game(cli):
    found, _ = facts(cli, "--agents", "greedy,random,random", "-n", 2, "--seed", 5)
    game = Game(Rules(players=3))
    agents = [agent(code) for code in found["agents"]]
    scores = [play_game(game, agents, Rng(5, i)).scores for i in range(2)]
    assert found["mean_scores"] == [sum(seat) / 2 for seat in zip(*scores, strict=True)]
    assert facts(cli, "--agents", "random", "-n", 1, "--players", 4)[0]["agents"] == ["random"] * 4


@pytest.mark.parametrize(
    "args",
    [
        ["--preset", "river", "--players", "4"],
        ["--boxes", "base,watchtowers", "--option", "edition=c2"],
        ["--option", "abbot=on", "--option", "farmers=off"],
        ["--option", "players=1"],
    ],
)
def test_the_options_choose_the_game(cli, args):
    found, _ = facts(cli, "-n", 5, *args)
    rules = Rules.from_canonical(found["rules"])
    assert found["fingerprint"] == Game(rules).fingerprint
    assert rules != Rules()


def test_simulate_writes_one_row_a_game(cli, tmp_path):
    code, out, _ = cli("simulate", "-n", 300, "--seed", 3, "--out", tmp_path / "games.csv", "--ndjson")
    assert code == 0
    with open(tmp_path / "games.csv", newline="") as stream:
        rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(stream)]
    assert rows == [json.loads(line) for line in out.splitlines()]
    assert [[row["score_0"], row["score_1"]] for row in rows] == BASE.playouts(300, seed=3).tolist()


# -- play, render, perft


def test_play_prints_moves_board_and_scores(cli, tmp_path):
    code, out, err = cli("play", "--agents", "greedy,random", "--seed", 3, "--save", tmp_path / "game.json")
    record = Record.load(tmp_path / "game.json")
    assert (code, err) == (0, "seed 3\n")
    assert record == play_game(BASE, [agent("greedy"), agent("random")], Rng(3), names=["greedy", "random"], seed=3)
    lines = out.splitlines()
    for n, move in enumerate(record.moves, 1):
        assert lines[n - 1].split(maxsplit=2)[2].startswith(move)
    assert board_text(record.replay()) in out
    assert f"player 0 (greedy): {record.scores[0]}" in out


def test_agents_may_have_long_codes(cli):
    code = "mcts:iterations=10,exploration=0.5" + "0" * 100
    _, out, _ = cli("play", "--agents", code, "--seed", 3, "--json")
    assert Record.loads(out).players == (code[:100],) * 2
    assert facts(cli, "--agents", code, "-n", 1)[0]["agents"] == [code] * 2


def test_play_prints_a_record_or_lines_for_programs(cli):
    _, out, _ = cli("play", "--seed", 3, "--json")
    record = Record.loads(out)
    assert record.players == ("greedy", "greedy")
    _, lines, _ = cli("play", "--seed", 3, "--ndjson")
    rows = [json.loads(line) for line in lines.splitlines()]
    assert [row["move"] for row in rows] == list(record.moves)
    assert [tuple(row["scores"]) for row in rows] == list(record.scores_after)
    assert [row["ply"] for row in rows] == list(range(1, len(rows) + 1))
    total = [sum(part["points"] for row in rows for part in row["scored"] if part["player"] == i) for i in (0, 1)]
    assert total == list(record.scores)


@pytest.mark.parametrize("form", [str, Deck.to_bytes], ids=["text", "bytes"])
def test_play_takes_the_tiles_of_a_deck(cli, tmp_path, form):
    deck = Deck.shuffled(BASE, Rng(99))
    data = form(deck)
    (tmp_path / "deck").write_bytes(data.encode() if isinstance(data, str) else data)
    _, out, _ = cli("play", "--seed", 1, "--deck", tmp_path / "deck", "--json")
    moves = [move for move in Record.loads(out).moves if move.startswith("draw")]
    assert moves == [f"draw {BASE.tiles[tile].id}" for tile in deck.deck]


def test_render_draws_a_record_at_any_ply(cli, tmp_path):
    record = play_game(BASE, [agent("random")] * 2, Rng(1))
    record.save(tmp_path / "game.json")
    for ply, state in enumerate(record.states()):
        if ply % 50 == 0:
            assert cli("render", tmp_path / "game.json", "--ply", ply)[1].startswith(board_text(state))
    assert cli("render", tmp_path / "game.json")[1].startswith(board_text(record.replay()))
    code, _, err = cli("render", tmp_path / "game.json", "--ply", 1000)
    assert (code, is_one_line(err)) == (2, True)
    code, _, err = cli("render", tmp_path / "game.json", "--players", 2)
    assert (code, "its own rules" in err) == (2, True)
    assert "\x1b[" in cli("render", tmp_path / "game.json", "--colour", "always")[1]


def test_render_draws_a_position(cli, tmp_path):
    game = Game(Rules(players=3))
    state = next(state for n, state in enumerate(play_game(game, [agent("random")] * 3, Rng(1)).states()) if n == 60)
    (tmp_path / "position").write_bytes(state.to_bytes())
    assert cli("render", tmp_path / "position", "--players", 3)[1].startswith(board_text(state))
    for args in ([], ["--players", 3, "--ply", 3]):
        code, _, err = cli("render", tmp_path / "position", *args)
        assert (code, is_one_line(err)) == (2, True)


OWN = 'format = 1\nbox = "base"\n[sets.base_c2c3]\n"base.D" = 3\n"base.U" = 9\n'


def test_own_tiles_are_played_shown_and_rendered(cli, tmp_path):
    path, game = tmp_path / "own.toml", tmp_path / "game.json"
    path.write_text(OWN)
    assert cli("play", "--tiles", path, "--seed", 1, "--save", game)[0] == 0
    assert cli("render", game)[0] == 2
    code, out, _ = cli("render", game, "--tiles", path)
    assert (code, "the end" in out) == (0, True)
    rows = json.loads(cli("tiles", "--tiles", path, "--json")[1])["tiles"]
    assert [(row["id"], row["counts"]) for row in rows] == [
        ("base.D", {"deck": 2, "start": 1}),
        ("base.U", {"deck": 9}),
    ]


def test_perft_counts_every_depth(cli):
    deck = Deck.shuffled(BASE, Rng(3))
    counts = [perft(BASE.new_state(), depth, deck) for depth in range(4)]
    code, out, err = cli("perft", "--depth", 3, "--seed", 3, "--json", "--divide")
    found = json.loads(out)
    assert (code, err) == (0, "seed 3\n")
    assert [row["count"] for row in found["counts"]] == counts
    assert found["count"] == sum(found["divide"].values()) == counts[-1]
    table = cli("perft", "--depth", 3, "--seed", 3)[1]
    assert [int(line.split()[1].replace(",", "")) for line in table.splitlines()[1:]] == counts


def test_perft_takes_a_deck(cli, tmp_path):
    (tmp_path / "deck").write_text(str(Deck.shuffled(BASE, Rng(3))))
    _, out, err = cli("perft", "--depth", 2, "--deck", tmp_path / "deck", "--ndjson")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["count"] for row in rows] == [perft(BASE.new_state(), n, Deck.shuffled(BASE, Rng(3))) for n in range(3)]
    assert err == ""


# -- rules and tiles


def test_rules_lists_everything_there_is(cli):
    code, out, err = cli("rules")
    assert (code, err) == (0, "")
    for names in (bastide.rules.BOXES, bastide.rules.OPTIONS, bastide.rules.PRESETS):
        assert all(f"  {name} " in out for name in names)
    found = json.loads(cli("rules", "--json")[1])
    assert [box["name"] for box in found["boxes"]] == list(bastide.rules.BOXES)
    assert [option["name"] for option in found["options"]] == list(bastide.rules.OPTIONS)
    assert list(found["presets"]) == list(bastide.rules.PRESETS)


def test_rules_shows_the_rules_of_a_game(cli):
    found = json.loads(cli("rules", "--preset", "everything-c3", "--json")[1])
    game = Game(Rules.preset("everything-c3"))
    assert found["rules"] == game.rules.canonical()
    assert (found["fingerprint"], found["tiles"]) == (game.fingerprint, game.selection.n_tiles)
    assert "abbot                 on" in cli("rules", "--preset", "everything-c3")[1]


def test_tiles_shows_each_tile_with_its_source(cli):
    tiles = bastide.TileSet.builtin().tiles
    found = json.loads(cli("tiles", "--json")[1])["tiles"]
    assert [(row["id"], row["source"]) for row in found] == [(tile.id, tile.source) for tile in tiles.values()]
    out = cli("tiles")[1]
    assert all(f"\n{tile_id} " in f"\n{out}" for tile_id in tiles)
    assert out.count("; source ") == len(tiles)


def test_tiles_shows_one_or_those_of_a_game(cli):
    out = cli("tiles", "base.D")[1]
    assert out.splitlines()[:2] == [
        "base.D      .#####.   city N; road EW",
        "            -------   field EL-WR by city N; field ER-SL-SR-WL",
    ]
    rows = [json.loads(line) for line in cli("tiles", "--preset", "river", "--ndjson")[1].splitlines()]
    counts = {row["id"]: row["counts"] for row in rows}
    assert sum(n for pile in counts.values() for n in pile.values()) == Game(Rules.preset("river")).selection.n_tiles
    assert len(rows) == len(counts)


# -- as a process


def test_a_closed_pipe_ends_quietly():
    for args in (["tiles"], ["simulate", "-n", "200000", "--ndjson"], ["play", "--seed", "1"], ["--help"]):
        child = subprocess.Popen([*COMMAND, *args], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.read(10)
        child.stdout.close()
        err = child.stderr.read().decode()
        child.stderr.close()
        assert child.wait(timeout=60) == 0
        assert err == "" or (err.startswith("seed ") and err.count("\n") == 1)


def interrupted(*args, until):
    """Run a command, press Ctrl-C when `until` is true, and return its exit code and output."""
    child = subprocess.Popen([*COMMAND, *args], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stderr.readline().startswith("seed ")
    deadline = time.monotonic() + 30
    while not until() and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    return child.returncode, out, err


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child alone")
@pytest.mark.parametrize("agents", [[], ["--agents", "greedy"]])
def test_ctrl_c_keeps_the_games_that_are_done(tmp_path, agents):
    def has_rows():
        return any(path.stat().st_size > 500 for path in tmp_path.rglob("*.tmp"))

    args = [
        "simulate",
        "-n",
        "100000000",
        "--seed",
        "3",
        "--json",
        "--out",
        str(tmp_path / "games.csv"),
        *agents,
    ]
    code, out, err = interrupted(*args, until=has_rows)
    found = json.loads(out)
    assert code == 130
    assert found["is_complete"] is False
    assert "Traceback" not in err
    assert 0 < found["games"] == (tmp_path / "games.csv").read_text().count("\n") - 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv", "games.csv.parts"]  # to go on


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child alone")
def test_ctrl_c_ends_a_command_that_has_nothing_to_keep():
    code, out, err = interrupted("perft", "--depth", "30", "--seed", "1", until=lambda: time.sleep(1.5) or True)
    assert code == 130
    assert "Traceback" not in err
    assert out.startswith("depth")


def test_no_progress_is_shown_where_there_is_no_terminal():
    result = process("simulate", "-n", "60000", "--seed", "1")
    assert (result.returncode, result.stderr) == (0, "seed 1\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
def test_progress_is_shown_on_a_terminal():
    import pty

    main, child = pty.openpty()
    args = [*COMMAND, "simulate", "-n", "100000", "--seed", "1", "--threads", "1"]
    with subprocess.Popen(args, env=ENV, stdout=subprocess.PIPE, stderr=child) as running:
        os.close(child)
        text = b""
        while True:
            try:
                data = os.read(main, 1000)
            except OSError:
                break
            if not data:
                break
            text += data
        running.stdout.read()
    os.close(main)
    assert b"/100,000 games" in text
    assert b"/s  0:0" in text
    assert text.endswith(b"\r\x1b[K")


def test_the_group_ends_the_same_way_in_clicks_own_runner():
    runner = CliRunner()
    assert runner.invoke(app, ["rules"]).exit_code == 0
    result = runner.invoke(app, ["simulate", "-n", "0"])
    assert (result.exit_code, is_one_line(result.stderr)) == (2, True)
    assert runner.invoke(app, ["--help"]).stdout == process("--help").stdout
