"""Make an agent of this package a program that speaks the protocol of docs/agents.md.

`python -m bastide.agents.host path/to/file.py:Class` does so for a class in a file, and any other code; a
program of your own ends with `serve(Mine())`.
"""

import base64
import json
import os
import pickle
import sys
import threading
import time
from typing import IO, TYPE_CHECKING, Any

from bastide._core.api import Rng
from bastide.agents.outside import PROTOCOL
from bastide.errors import BastideError
from bastide.game import Game
from bastide.rules import Rules

if TYPE_CHECKING:
    from bastide.agents.registry import Agent

__all__ = ["main", "serve"]


def serve(agent: "Agent", name: str = "", answers: IO[str] | None = None) -> None:
    """Answer the questions on stdin until there are no more, on `answers`, which is stdout if not given.

    What the agent prints goes to stderr. It may have `begin(state, seat)`, called with the position before the first
    draw, and `end(scores)`.
    """
    _end_with_parent()
    if answers is None:
        answers, sys.stdout = sys.stdout, sys.stderr
    game = Game()
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            said = {"type": "hello", "protocol": PROTOCOL, "name": name or type(agent).__name__, "wants": ["snapshot"]}
            _say(answers, said)
        elif kind == "begin":
            rules = Rules.from_canonical(message["rules"])
            tiles = pickle.loads(base64.b64decode(message["tile_set"])) if "tile_set" in message else None
            if (game.rules, game.tile_set) != (rules, tiles):
                game = Game(rules, tiles)
            if hasattr(agent, "begin"):
                agent.begin(game.new_state(), message["seat"])
        elif kind == "choose":
            state = game.state_from_bytes(base64.b64decode(message["snapshot"]))
            action = agent.choose(state, Rng(message["seed"]))
            legal = state.legal_actions()
            text = message["legal"][legal.index(action)] if action in legal else repr(action)
            _say(answers, {"type": "action", "id": message["id"], "action": text})
        elif kind == "end":
            if hasattr(agent, "end"):
                agent.end(tuple(message["scores"]))
        elif kind == "quit":
            return


def _say(stream: IO[str], message: dict[str, Any]) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()


def _end_with_parent() -> None:
    """End this process when the one that started it has gone, even while the agent thinks or hangs."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Serve the agent of the code on the command line. All that is written to stdout but answers goes to stderr."""
    from bastide.agents import agent

    code = sys.argv[1]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        made = agent(code)
    except BastideError as error:
        sys.exit(" ".join(str(error).removeprefix(f"agent {code!r}: ").split()))
    serve(made, code, answers)


if __name__ == "__main__":
    main()
