"""Bad input gets a clear error that names the value and the place: a table of calls and commands with what each says.

data/bad_inputs.txt has an input a paragraph: a Python expression or a command, and below it, indented, the class of the
error or the exit code, and the message (`...`: whatever stands there).
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import bastide
from bastide import ActionIndex, Batch, Deck, Game, Rng, Rules, TileSet, jcz, perft
from bastide.agents import agent, play_game
from bastide.cli.app import run
from bastide.record import Record, Recorder

TABLE = Path(__file__).parent / "data" / "bad_inputs.txt"


def entries():
    """The table: (input, class or exit code, message)."""
    found = []
    for paragraph in TABLE.read_text().split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line and not line.startswith("#")]
        if lines:
            kind, _, message = lines[-1].strip().partition(": ")
            found.append(("\n".join(lines[:-1]), kind, message))
    return found


@pytest.fixture(scope="module")
def names():
    """What the expressions of the table may use."""
    game, tower = Game(Rules(edition="c1")), Game(Rules(boxes=("tower",)))
    state, chance, over, rng = game.new_state(), game.new_state(), game.new_state(), Rng(1)
    state.draw(state.sample_draw(rng))
    while not over.is_terminal:
        if over.is_chance:
            over.draw(over.sample_draw(rng))
        else:
            over.apply(over.legal_actions()[0])

    def changed(**values):
        """The text of a record with other values at its top level."""
        recorder = Recorder(game, seed=1)
        recorder.draw(recorder.state.draws()[0][0])
        return json.dumps(recorder.record().document() | values)

    return {
        **{thing.__name__: thing for thing in (ActionIndex, Batch, Deck, Game, Record, Recorder, Rng, Rules, TileSet)},
        **{"agent": agent, "bastide": bastide, "jcz": jcz, "np": np, "perft": perft, "play_game": play_game},
        **{"game": game, "tower": tower, "state": state.copy(), "chance": chance, "over": over},
        **{"deck": game.shuffled_deck(Rng(1)), "batch": Batch(game, 3), "changed": changed},
    }


def outcome(text, names, capsys):
    """What an input gives: the class of its error or its exit code, and the message."""
    if text.startswith("bastide "):
        capsys.readouterr()
        code = run(text.split()[1:])
        return str(code), capsys.readouterr().err.strip()
    try:
        eval(text, names)
    except Exception as error:
        return type(error).__name__, str(error)
    return "nothing", "no error"


def test_bad_inputs_say_what_is_wrong_and_where(names, capsys):
    table = entries()
    assert len(table) >= 200
    assert len({text for text, *_ in table}) == len(table)
    wrong = []
    before = [names[name].to_bytes() for name in ("state", "chance", "over")]
    for text, kind, message in table:
        got = outcome(text, names, capsys)
        pattern = re.escape(message).replace(r"\.\.\.", ".*")
        if got[0] != kind or not re.fullmatch(pattern, got[1]):
            wrong.append(f"{text}\n    {got[0]}: {got[1]}")
    assert not wrong, "\n\n".join(wrong)
    assert [names[name].to_bytes() for name in ("state", "chance", "over")] == before
