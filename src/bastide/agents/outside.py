"""An agent that is a program of its own, asked by lines of JSON over its stdin and stdout (docs/agents.md).

The program runs in a process group of its own. When it hangs, ends or answers nonsense, the group is killed, an
AgentError tells why, and the next question starts it anew. `borrowed` keeps programs running from game to game.
"""

import atexit
import base64
import json
import os
import pickle
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn

from bastide.agents.loader import is_file_code
from bastide.errors import AgentError, BastideError, reason, show

if TYPE_CHECKING:
    from bastide._core.api import Rng
    from bastide.game import State

__all__ = ["HANG_SECONDS", "PROTOCOL", "WANTS", "OutsideAgent", "borrowed", "close_idle", "is_outside", "outside_agent"]

PROTOCOL = 1
WANTS = ("board", "snapshot")  # what a program can ask to be told with each question
HANG_SECONDS = 60.0  # for an answer, where no time limit is set
START_SECONDS = 30.0  # until a program has said hello
QUIT_SECONDS = 2.0  # until it ends when told to
MAX_LINE = 1 << 20  # bytes
MAX_REASON = 200  # characters of what a program said before it ended


def is_outside(code: str) -> bool:
    """Tell whether the agent of a code, in a tournament, is a program of its own."""
    return code.startswith("cmd:") or is_file_code(code)


def outside_agent(code: str) -> "OutsideAgent":
    """Return the program of a code: "cmd:program args", or the host of a class in a Python file.

    Errors: BastideError if the code cannot be read as a command.
    """
    if not code.startswith("cmd:"):
        return OutsideAgent(code, [sys.executable, "-m", "bastide.agents.host", code])
    try:
        command = shlex.split(code.removeprefix("cmd:"))
    except ValueError as error:
        raise BastideError(f"agent {code!r}: {error}") from error
    if not command:
        raise BastideError(f"agent {code!r}: no program (expected e.g. 'cmd:./mybot --fast')")
    return OutsideAgent(code, command)


class OutsideAgent:
    """Ask a program what to do; it is started when it is first asked.

    `seconds`: how long an answer may take. Errors of all methods: AgentError, after which the program is gone
    and will be started anew.
    """

    def __init__(self, code: str, command: Sequence[str], seconds: float = HANG_SECONDS) -> None:
        self.code = code
        self.command = tuple(command)
        self.seconds = seconds
        self.name = ""  # what the program calls itself
        self.wants: tuple[str, ...] = ()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: Any = None  # a file with what the program wrote to stderr
        self._read = b""
        self._id = 0

    def start(self) -> None:
        """Start the program, unless it runs, and exchange hellos."""
        if self._process is not None:
            return
        # A file and not a pipe, so that a program that writes much cannot fill it and hang.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self.kill()
            raise AgentError("crash", f"agent {self.code!r} cannot be started: {reason(error)}") from error
        for stream in (self._process.stdin, self._process.stdout):
            os.set_blocking(stream.fileno(), False)  # type: ignore[union-attr]
        self._read = b""
        hello = self._ask({"type": "hello", "protocol": PROTOCOL}, "hello", START_SECONDS)
        if hello.get("protocol") != PROTOCOL:
            self._fail("nonsense", f"its protocol is {show(hello.get('protocol'))} (expected {PROTOCOL})")
        wants = hello.get("wants", [])
        if not isinstance(wants, list) or not all(want in WANTS for want in wants):
            self._fail("nonsense", f"it wants {show(wants)} (expected a list of {', '.join(WANTS)})")
        self.name, self.wants = str(hello.get("name", ""))[:100], tuple(wants)

    def begin(self, state: "State", seat: int) -> None:
        """Tell the program that a game begins in which it has this seat."""
        self.start()
        game = state.game
        told = {"type": "begin", "seat": seat, "players": game.rules.players, "rules": game.rules.canonical()}
        if "snapshot" in self.wants and game.tile_set is not None:
            told["tile_set"] = base64.b64encode(pickle.dumps(game.tile_set)).decode()
        self.tell(told)

    def choose(self, state: "State", rng: "Rng", extra: Mapping[str, object] | None = None) -> int:
        """Return the action that the program chooses; `extra` is said with the question."""
        self.start()
        actions = state.legal_actions()
        legal = [state.action_text(action) for action in actions]
        self._id += 1
        question = {"type": "choose", "id": self._id, "seconds": self.seconds, "seed": rng.next()}
        answer = self._ask(
            {**question, **position(state, self.wants), "legal": legal, **(extra or {})}, "action", self.seconds
        )
        if answer.get("id") != self._id:
            self._fail("nonsense", f"it answers question {show(answer.get('id'))} (expected {self._id})")
        chosen = answer.get("action")
        if not isinstance(chosen, str):
            self._fail("nonsense", f"its action is {show(chosen)} (expected a text of the list 'legal')")
        if chosen not in legal:
            self._fail("illegal", f"its action {show(chosen)} is not legal")
        return actions[legal.index(chosen)]

    def end(self, scores: Sequence[int]) -> None:
        """Tell the program that the game is over, if it still runs."""
        if self._process is not None:
            self.tell({"type": "end", "scores": list(scores)})

    def close(self, say_quit: bool = True) -> int | None:
        """Let the program end, and kill it if it does not; return its exit code, None if it had to be killed."""
        code = None
        if self._process is not None:
            if say_quit:
                with suppress(AgentError):
                    self.tell({"type": "quit"})
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
                with suppress(subprocess.TimeoutExpired):
                    code = self._process.wait(QUIT_SECONDS)
        self.kill()
        return code

    def kill(self) -> None:
        """End the program and whatever it has started."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def __repr__(self) -> str:
        return f"<OutsideAgent {self.code!r}>"

    # -- lines

    def _ask(self, question: dict[str, Any], kind: str, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        self.tell(question, deadline)
        line = self._line(deadline, seconds)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            self._fail("nonsense", f"its answer is not JSON: {show(line)}")
        if not isinstance(answer, dict) or answer.get("type") != kind:
            self._fail("nonsense", f"its answer is {show(answer)} (expected an object of type {kind!r})")
        found: dict[str, Any] = answer
        return found

    def tell(self, message: dict[str, Any], deadline: float | None = None) -> None:
        """Send a message that the program does not answer."""
        assert self._process is not None
        assert self._process.stdin is not None
        data = memoryview(json.dumps(message).encode() + b"\n")
        stream = self._process.stdin.fileno()
        limit = deadline or time.monotonic() + self.seconds
        while data:
            if not select.select([], [stream], [], max(0.0, limit - time.monotonic()))[1]:
                self._fail("timeout", "it does not read what it is told")
            try:
                data = data[os.write(stream, data) :]
            except BlockingIOError:
                continue
            except OSError:  # it has ended; what it said before can still be read
                if deadline is None:
                    self._fail("crash", self._last_words())
                return

    def _line(self, deadline: float, seconds: float) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        stream = self._process.stdout.fileno()
        while b"\n" not in self._read:
            if len(self._read) > MAX_LINE:
                self._fail("nonsense", f"its line is longer than {MAX_LINE} bytes")
            if not select.select([stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
                self._fail("timeout", f"it has not answered within {seconds:g} s")
            try:
                data = os.read(stream, 1 << 16)
            except BlockingIOError:
                continue
            if not data:
                self._fail("crash", self._last_words())
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _last_words(self) -> str:
        """Say how the program ended, with the last line that it wrote to stderr."""
        assert self._process is not None
        try:
            how = f"it has ended with exit code {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            how = "it has closed its stdout"
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 4096))
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{how}: {last[:MAX_REASON]}" if last else how

    def _fail(self, fault: str, why: str) -> NoReturn:
        self.kill()
        raise AgentError(fault, f"agent {self.code!r}: {why}")


def position(state: "State", wants: Sequence[str]) -> dict[str, Any]:
    """Return what a program is told of a position."""
    tile = state.drawn_tile
    told: dict[str, Any] = {
        "seat": state.current_player,
        "phase": state.phase,
        "turn": state.turn,
        "turn_seat": state.turn_player,
        "tile": None if tile is None else state.game.tiles[tile].id,
        "scores": list(state.scores),
        "tiles_left": state.tiles_left,
    }
    if "board" in wants:
        tiles = state.game.tiles
        told["board"] = [
            {
                "tile": tiles[t.tile].id,
                "x": t.x,
                "y": t.y,
                "rotation": t.rotation,
                "bridge": t.bridge,
                "floors": t.floors,
            }
            for t in state.board
        ]
        told["figures"] = [
            {"owner": f.owner, "kind": f.kind, "x": f.x, "y": f.y, "place": f.place} for f in state.figures
        ]
        told["supply"] = state.supply
        told["left"] = {tiles[i].id: n for i, n in enumerate(state._left()) if n}
    if "snapshot" in wants:
        told["snapshot"] = base64.b64encode(state.to_bytes()).decode()
    return told


# -- programs that wait for their next game

_idle: dict[str, list[OutsideAgent]] = {}
_lock = Lock()


@contextmanager
def borrowed(code: str) -> Iterator[OutsideAgent]:
    """Give a program that nobody else uses meanwhile: one that ran before, or a new one."""
    with _lock:
        waiting = _idle.setdefault(code, [])
        agent = waiting.pop() if waiting else None
    agent = agent or outside_agent(code)
    try:
        yield agent
    finally:
        with _lock:
            _idle.setdefault(code, []).append(agent)


def close_idle() -> None:
    """End all programs that wait for their next game."""
    with _lock:
        agents = [agent for waiting in _idle.values() for agent in waiting]
        _idle.clear()
    for agent in agents:
        agent.close()


atexit.register(close_idle)
