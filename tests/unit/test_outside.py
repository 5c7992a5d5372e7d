"""Agents of one's own: a class in a file, a program that speaks lines of JSON, and what happens when they fail."""

import json
import os
import subprocess
import sys
import time

import pytest

from bastide import AgentError, BastideError, Game, Rng, Rules, TileSet
from bastide.agents import agent, are_native, close_idle, play_game, seated
from bastide.agents.check import check_agent
from bastide.agents.loader import load_agent
from bastide.agents.outside import OutsideAgent, borrowed, outside_agent
from bastide.cli.app import run

BASE = Game(Rules())

# A program in plain Python, which knows nothing of the package; {} is what it does with a question.
PROGRAM = """
import json, sys, time, os
hello = {{"type": "hello", "protocol": 1, "name": "first", "wants": {wants}}}
def say(message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    answer = {{"type": "action", "id": message.get("id"), "action": message.get("legal", [""])[0]}}
    if message["type"] == "hello":
        say(hello)
    elif message["type"] == "choose":
        {answer}
    elif message["type"] == "quit":
        break
"""
FAULTS = {
    "crash": ("sys.exit('no idea')", "crash", "exit code 1: no idea"),
    "killed": ("os.kill(os.getpid(), 9)", "crash", "exit code -9"),
    "hang": ("time.sleep(1000)", "timeout", "not answered within"),
    "closed": ("os.close(1); time.sleep(1000)", "crash", "closed its stdout"),
    "no json": ("print('place it somewhere', flush=True)", "nonsense", "not JSON"),
    "no object": ("say([1])", "nonsense", r"its answer is \[1\]"),
    "another type": ("say({**answer, 'type': 'hello'})", "nonsense", "of type 'action'"),
    "another question": ("say({**answer, 'id': -3})", "nonsense", "answers question -3"),
    "two answers": ("say(answer); say(answer)", "nonsense", "answers question"),
    "no action": ("say({**answer, 'action': None})", "nonsense", "its action is None"),
    "illegal": ("say({**answer, 'action': 'place 900,900 0'})", "illegal", "'place 900,900 0' is not legal"),
    "endless line": ("[sys.stdout.write('x' * 65536) for _ in range(1000)]", "nonsense", "longer than"),
    "deep nesting": ("print('[' * 100000, flush=True)", "nonsense", "not JSON"),
    "not text": ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "nonsense", "not JSON"),
}


@pytest.fixture(autouse=True)
def _no_program_is_left():
    yield
    close_idle()


@pytest.fixture
def program(tmp_path):
    """The code of a program that answers as told."""

    def made(answer="say(answer)", wants=()):
        path = tmp_path / f"program{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PROGRAM.format(answer=answer, wants=list(wants)))
        return f"cmd:{sys.executable} {path}"

    return made


def file_code(tmp_path, text, name="Mine"):
    path = tmp_path / "mine.py"
    path.write_text(text)
    return f"{path}:{name}"


FIRST = "class Mine:\n    def __init__(self, k=0):\n        self.k = k\n"
FIRST += "    def choose(self, state, rng):\n        return state.legal_actions()[self.k]\n"


def first_choice(agent):
    """What an agent answers in the first position of a game."""
    state = BASE.new_state()
    state.draw(state.sample_draw(Rng(1)))
    agent.begin(state, 0)
    return state.action_text(agent.choose(state, Rng(2))), [state.action_text(a) for a in state.legal_actions()]


# -- files


def test_a_class_in_a_file_is_an_agent_with_its_parameters(tmp_path):
    code = file_code(tmp_path, FIRST)
    assert load_agent(code).k == 0
    assert agent(f"{code}:k=2").k == 2
    assert load_agent(f"{code}:k=true").k is True
    assert load_agent(f"{code}:k=some text").k == "some text"


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("x = 1", "Mine", "has no 'Mine'"),
        ("class Mine: pass", "Mine", "no method choose"),
        ("Mine = 3", "Mine", "not callable"),
        ("1 / 0", "Mine", "ZeroDivisionError"),
        ("class Mine:", "Mine", "SyntaxError|IndentationError"),
        ("import sys\nsys.exit(3)", "Mine", "SystemExit: 3"),
        (FIRST, "Mine:j=1", "unexpected keyword"),
        (FIRST, "Mine:k", "bad parameter 'k'"),
    ],
)
def test_a_file_that_makes_no_agent_is_an_error_that_says_why(tmp_path, text, name, why):
    with pytest.raises(BastideError, match=why):
        agent(file_code(tmp_path, text, name))


def test_a_file_that_is_not_there_is_an_error():
    with pytest.raises(BastideError, match=r"nothing\.py cannot be read"):
        agent("nothing.py:Mine")


def test_a_file_agent_plays_the_same_in_a_program_of_its_own(tmp_path):
    code = file_code(tmp_path, FIRST)
    here = play_game(BASE, [agent(code), agent("greedy")], Rng(3))
    with seated([code, "greedy"]) as agents:
        assert isinstance(agents[0], OutsideAgent)
        there = play_game(BASE, agents, Rng(3))
    assert here.moves == there.moves


def test_a_file_agent_knows_begin_end_and_own_tiles(tmp_path):
    log = f"open({str(tmp_path / 'log')!r}, 'a').write"
    text = FIRST + f"    def begin(self, state, seat):\n        {log}(f'begin {{seat}}\\n')\n"
    text += f"    def end(self, scores):\n        {log}(f'end {{scores}}\\n')\n"
    tiles = TileSet.loads('format = 1\nbox = "base"\n[sets.base_c2c3]\n"base.D" = 3\n"base.U" = 9\n', "own")
    game = Game(Rules(players=3), tiles)
    with seated([file_code(tmp_path, text), "random", "random"]) as agents:
        record = play_game(game, agents, Rng(3))
    close_idle()
    assert (tmp_path / "log").read_text() == f"begin 0\nend {record.scores}\n"


LOUD = """
import os
print("hello from the module")
os.system("echo hello from a child")
class Mine:
    def __init__(self):
        print("hello from init")
        {init}
    def choose(self, state, rng):
        print("thinking")
        return state.legal_actions()[0]
"""
EVERYWHERE = {
    "play": ["play", "--json", "--agents"],
    "simulate": ["simulate", "-n", "1", "--json", "--agents"],
    "tournament": ["tournament", "run", "--rounds", "1", "--max-decisions", "4", "--json", "--agents"],
    "check-agent": ["check-agent", "-n", "1", "--json"],
}


def bastide(args, code, tmp_path):
    """Run a command of EVERYWHERE as people do, with the agent of a code."""
    args = [*args, code if args[0] == "check-agent" else f"{code},random", "--seed", "1"]
    args += ["--journal", str(tmp_path / "t.db")] if args[0] == "tournament" else []
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-m", "bastide", *args], env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("args", EVERYWHERE.values(), ids=EVERYWHERE)
def test_what_a_class_in_a_file_prints_is_in_nobodys_way(tmp_path, args):
    result = bastide(args, file_code(tmp_path, LOUD.format(init="")), tmp_path)
    assert (result.returncode, result.stderr) == (0, "seed 1\n")
    assert json.loads(result.stdout)["format"].startswith("bastide-")


@pytest.mark.parametrize("args", list(EVERYWHERE.values())[:3], ids=list(EVERYWHERE)[:3])
def test_a_class_in_a_file_that_exits_while_it_is_made_is_an_error_that_says_so(tmp_path, args):
    code = file_code(tmp_path, LOUD.format(init="raise SystemExit(3)"))
    result = bastide(args, code, tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"error: agent {code!r}: it has ended with exit code 1: SystemExit: 3\n"


@pytest.mark.parametrize("args", list(EVERYWHERE.values())[:3], ids=list(EVERYWHERE)[:3])
def test_a_command_runs_no_file_in_its_own_process(tmp_path, args, capsys):
    code = file_code(tmp_path, f"import os\nassert os.getpid() != {os.getpid()}\n{FIRST}")
    more = ["--journal", str(tmp_path / "t.db")] if args[0] == "tournament" else []
    assert run([*args, f"{code},random", "--threads", "1", *more] if args[0] != "play" else [*args, code]) == 0
    assert are_native([code])
    capsys.readouterr()


# -- programs


def test_a_program_is_told_what_it_asks_for_and_answers_with_the_text_of_an_action(program, tmp_path):
    say = f"open({str(tmp_path / 'told')!r}, 'w').write(line); say(answer)"
    for wants in ([], ["board"], ["snapshot"]):
        outside = outside_agent(program(say, wants))
        try:
            chosen, legal = first_choice(outside)
        finally:
            assert outside.close() == 0
        told = json.loads((tmp_path / "told").read_text())
        assert (told["legal"], told["phase"], told["seat"], chosen) == (legal, "place", 0, legal[0])
        assert ("board" in told, "snapshot" in told) == ("board" in wants, "snapshot" in wants)
        assert outside.name == "first"
    assert told["tile"] in {tile.id for tile in BASE.tiles}


def test_a_program_plays_whole_games_of_every_box(program):
    code = program(wants=["board"])
    for preset in ("base", "everything-c1", "everything-c3"):
        game = Game(Rules.preset(preset, players=3))
        with seated([code, "random", code]) as agents:
            assert agents[0] is not agents[2]
            assert play_game(game, agents, Rng(3)).replay().is_terminal


def test_a_program_runs_on_from_game_to_game(program):
    code = program()
    with borrowed(code) as one:
        first_choice(one)
        running = one._process
    with borrowed(code) as other:
        assert other is one
        first_choice(other)
        assert other._process is running


@pytest.mark.parametrize("name", FAULTS)
def test_a_program_that_fails_is_told_apart_killed_and_started_anew(program, name):
    answer, fault, why = FAULTS[name]
    outside = outside_agent(program(answer))
    outside.seconds = 1.0 if fault == "timeout" else 20
    try:
        with pytest.raises(AgentError, match=why) as caught:
            _ = first_choice(outside), first_choice(outside)
        assert caught.value.fault == fault
        assert outside._process is None
        outside.start()
        assert outside._process.poll() is None
    finally:
        outside.kill()


@pytest.mark.parametrize(
    ("command", "fault", "why"),
    [
        ("cmd:/no/such/program", "crash", "cannot be started: No such file"),
        ("cmd:true", "crash", "exit code 0|does not read"),
        ("cmd:echo hello", "nonsense", "not JSON"),
        ("""cmd:echo '{"type": "hello", "protocol": 2}'""", "nonsense", "protocol is 2"),
        ("""cmd:echo '{"type": "hello", "protocol": 1, "wants": ["all"]}'""", "nonsense", r"wants \['all'\]"),
    ],
)
def test_a_program_that_cannot_even_say_hello_is_told_apart(command, fault, why):
    outside = outside_agent(command)
    with pytest.raises(AgentError, match=why) as caught:
        outside.start()
    assert caught.value.fault == fault


def test_a_program_that_reads_nothing_is_a_timeout_and_not_a_hang(program):
    outside = outside_agent(program("time.sleep(1000)"))
    outside.start()
    outside.tell({"type": "choose"})
    began = time.monotonic()
    with pytest.raises(AgentError, match="does not read what it is told"):
        outside.tell({"type": "note", "text": "x" * 1_000_000}, time.monotonic() + 0.5)
    assert time.monotonic() - began < 20


def test_what_a_program_has_started_is_killed_with_it(program, tmp_path):
    mark = tmp_path / "alive"
    child = f"import time, pathlib\nwhile True:\n    pathlib.Path({str(mark)!r}).touch(); time.sleep(0.05)"
    outside = outside_agent(
        program(f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(9)")
    )
    outside.seconds = 2.0
    with pytest.raises(AgentError, match="not answered"):
        first_choice(outside)
    assert mark.exists()
    mark.unlink()
    time.sleep(0.3)
    assert not mark.exists()


def test_a_file_agent_that_hangs_ends_when_the_game_is_killed(tmp_path):
    mark = tmp_path / "alive"
    text = "import time, pathlib\nclass Mine:\n    def choose(self, state, rng):\n        while True:\n"
    code = file_code(tmp_path, f"{text}            pathlib.Path({str(mark)!r}).touch(); time.sleep(0.05)\n")
    args = [sys.executable, "-m", "bastide", "play", "--agents", f"{code},random"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(args, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as game:
        deadline = time.monotonic() + 60
        while not mark.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        game.kill()
    gone = False
    while not gone:
        assert time.monotonic() < deadline
        mark.unlink(missing_ok=True)
        time.sleep(0.5)
        gone = not mark.exists()


@pytest.mark.parametrize("code", ["cmd:", "cmd:  ", "cmd:'unclosed"])
def test_a_code_without_a_program_is_an_error(code):
    with pytest.raises(BastideError, match=r"no program|closing quotation"):
        agent(code)


# -- check-agent


def checked(code, game=BASE, seconds=20.0):
    return {check.name: check for check in check_agent(code, game, 1, 1, seconds)}


def test_check_agent_passes_those_that_keep_the_protocol(program, tmp_path):
    for code in (program(), file_code(tmp_path, FIRST), "random"):
        found = checked(code)
        assert len(found) == 7
        assert all(check.passed for check in found.values()), found


@pytest.mark.parametrize("name", ["crash", "hang"])
def test_check_agent_finds_what_is_wrong(program, name):
    answer, fault, _ = FAULTS[name]
    check = checked(program(answer), seconds=1.0)["answers every question with a legal action"]
    assert not check.passed
    assert check.detail.startswith(f"{fault}: ")


def test_check_agent_finds_those_that_do_not_end_or_play_the_same_again(program, tmp_path):
    path = tmp_path / "stay.py"
    loose = "import random; answer['action'] = random.choice(message['legal']); say(answer)"
    path.write_text(PROGRAM.format(answer=loose, wants=[]) + "time.sleep(60)\n")
    found = checked(f"cmd:{sys.executable} {path}")
    assert [check.passed for check in found.values()] == [True, True, True, True, False, False, False]
    assert [check.is_required for check in found.values()] == [True, True, True, True, False, True, True]


def test_the_command_prints_each_check_and_fails_if_one_does(program, capsys):
    assert run(["check-agent", program(), "--seed", "1", "-n", "1"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 7
    assert all(line.startswith("ok ") for line in out)
    assert run(["check-agent", program("sys.exit(1)"), "--seed", "1", "--json"]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["passed"] is False
    assert captured.err.splitlines()[-1].startswith("error: agent ")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("nobody", "unknown agent 'nobody'"),
        ("greedy:price=x", "price='x' is not a number"),
        ("nothing.py:Mine", "agent 'nothing.py:Mine': nothing.py: there is no such file"),
        ("cmd:", "no program"),
    ],
)
def test_the_command_says_what_is_no_agent_at_all(capsys, code, why):
    assert run(["check-agent", code]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert why in captured.err


def test_a_program_of_ones_own_ends_with_serve(tmp_path):
    (tmp_path / "mine.py").write_text(f"from bastide.agents.host import serve\n{FIRST}serve(Mine())\n")
    env = f"env PYTHONPATH={os.pathsep.join(sys.path)}"
    assert all(check.passed for check in checked(f"cmd:{env} {sys.executable} {tmp_path / 'mine.py'}").values())
