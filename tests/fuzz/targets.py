"""What is fuzzed: for each kind of input how to make one from a good one, and what must hold whatever it says.

A BastideError is a refusal; every other exception is a find.
"""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

from games import position
from unit.test_snapshot import sealed

from bastide import BastideError, Game, IllegalActionError, Rng, Rules, TileSet, jcz
from bastide.agents.outside import OutsideAgent
from bastide.record import Record, Recorder
from fuzz.mutate import change_bytes, change_document, change_text

PRESETS = ("base", "black-tower", "everything-c1", "everything-c3")


@cache
def game(name):
    return Game(Rules.preset(name))


@cache
def positions():
    """Positions of different games in all phases, each with its game."""
    return [
        position(game(name), seed, steps) for name in PRESETS for seed, steps in enumerate((0, 1, 2, 20, 71, 130, 170))
    ]


@cache
def records():
    """Documents of beginnings of games."""
    found = []
    for name in PRESETS:
        for seed, steps in enumerate((3, 40)):
            recorder, rng = Recorder(game(name), seed=seed), Rng(seed)
            for _ in range(steps):
                state = recorder.state
                if state.is_chance:
                    recorder.draw(state.sample_draw(rng))
                else:
                    actions = state.legal_actions()
                    recorder.apply(actions[rng.below(len(actions))])
            found.append(recorder.record().document())
    return found


class Target:
    """A kind of input: `make(pick)` changes a good one at random, `accept(data)` reads and uses it."""

    def make(self, pick):
        raise NotImplementedError

    def accept(self, data):
        raise NotImplementedError

    def judge(self, data):
        """Tell whether an input is accepted; raise what must not happen."""
        try:
            self.accept(data)
        except BastideError as error:
            message = str(error)
            assert message, "a refusal without a message"
            assert "\n" not in message, f"a message of several lines: {message!r}"
            return False
        return True


class RecordTarget(Target):
    """Records, as JSON text."""

    def make(self, pick):
        documents = records()
        text = json.dumps(change_document(documents[pick(len(documents))], pick))
        return (change_text(text, pick) if not pick(4) else text).encode(errors="surrogatepass")

    def accept(self, data):
        record = Record.loads(data)
        state = record.replay()
        assert state.faults() == []
        assert Record.loads(record.to_json()) == record


class SaveTarget(Target):
    """Saved games of JCloisterZone, as JSON text."""

    def make(self, pick):
        documents = saves()
        return json.dumps(change_document(documents[pick(len(documents))], pick)).encode(errors="surrogatepass")

    def accept(self, data):
        record = jcz.read(data)
        assert record.replay().faults() == []
        assert jcz.read(jcz.write(record)) == record


@cache
def saves():
    """Saved games of the records that can be written so."""
    return [json.loads(jcz.write(Record.loads(json.dumps(document)))) for document in records() if _is_shared(document)]


def _is_shared(document):
    return not {"thieves", "bridges-castles"} & set(document["rules"]["boxes"])


class TileFileTarget(Target):
    """Tile files, as TOML text."""

    def make(self, pick):
        texts = tile_files()
        return change_text(texts[pick(len(texts))], pick).encode(errors="surrogatepass")

    def accept(self, data):
        tiles = TileSet.loads(data.decode(errors="replace"))
        try:
            state = Game(Rules(edition="c1"), tiles=tiles).new_state()
        except BastideError:
            return
        state = state.copy()
        while not state.is_terminal and state.turn < 20:
            if state.is_chance:
                state.draw(state.draws()[0][0])
            else:
                state.apply(state.legal_actions()[-1])
            assert state.faults() == []


@cache
def tile_files():
    """Texts of tile files, built-in and own."""
    built_in = files("bastide") / "data" / "tiles"
    own = Path(__file__).parent.parent / "data" / "tiles"
    paths = [path for folder in (built_in, own) for path in sorted(folder.iterdir(), key=str)]
    return [path.read_text() for path in paths if path.name.endswith(".toml")]


class SnapshotTarget(Target):
    """Snapshots with their checksum put right: the number of a position, and its changed bytes."""

    def make(self, pick):
        number = pick(len(positions()))
        return bytes([number]) + change_bytes(positions()[number].to_bytes(), pick)

    def accept(self, data):
        base = positions()[data[0] % len(positions())] if data else positions()[0]
        state = base.game.state_from_bytes(sealed(data[1:]))
        assert state.faults() == []
        assert state.game.state_from_bytes(state.to_bytes()) == state
        if not state.is_terminal:
            state.playout(Rng(1))
            step = state.copy()
            if step.is_chance:
                step.draw(step.draws()[0][0])
            else:
                step.apply(step.legal_actions()[0])
            assert step.faults() == []
            step.undo()
            assert step == state


class ActionTarget(Target):
    """Texts of actions: the number of a position, and a text."""

    def make(self, pick):
        number = pick(len(positions()))
        state = positions()[number]
        actions = [] if state.is_chance else state.legal_actions()
        text = state.action_text(actions[pick(len(actions))]) if actions else "place 0,1 0"
        return bytes([number]) + change_text(text, pick).encode(errors="surrogatepass")

    def accept(self, data):
        state = positions()[data[0] % len(positions())] if data else positions()[0]
        action = state.parse_action(data[1:].decode(errors="replace"))
        assert state.parse_action(state.action_text(action)) == action
        before = state.to_bytes()
        work = state.copy()
        try:
            work.apply(action)
        except IllegalActionError:
            assert state.is_chance or state.is_terminal or action not in state.legal_actions()
            assert work.to_bytes() == before
        else:
            assert action in state.legal_actions()
            work.undo()
            assert work.to_bytes() == before


class Scripted(OutsideAgent):
    """An agent whose program says given lines, whatever it is asked."""

    def __init__(self, lines):
        super().__init__("cmd:true", ("true",))
        self.lines = list(lines)

    def tell(self, message, deadline=None):
        pass

    def _line(self, deadline, seconds):
        return self.lines.pop(0) if self.lines else self._fail("crash", "it has ended")


class ProtocolTarget(Target):
    """What a program says that plays as an agent: the number of a position, and two lines."""

    HELLO = {"type": "hello", "protocol": 1, "name": "x", "wants": ["board", "snapshot"]}  # noqa: RUF012

    def make(self, pick):
        number = pick(len(positions()))
        state = positions()[number]
        legal = [] if state.is_chance or state.is_terminal else state.legal_actions()
        text = state.action_text(legal[pick(len(legal))]) if legal else "pass"
        said = [self.HELLO, {"type": "action", "id": 1, "action": text}]
        which = pick(3)  # 2: neither
        lines = [json.dumps(change_document(line, pick) if i == which else line) for i, line in enumerate(said)]
        return bytes([number]) + "\n".join(lines).encode(errors="surrogatepass")

    def accept(self, data):
        state = positions()[data[0] % len(positions())] if data else positions()[0]
        if state.is_chance or state.is_terminal:
            return
        agent = Scripted(data[1:].split(b"\n"))
        try:
            assert agent.choose(state, Rng(1)) in state.legal_actions()
        finally:
            agent.kill()


TARGETS = {
    "records": RecordTarget(),
    "saves": SaveTarget(),
    "tile-files": TileFileTarget(),
    "snapshots": SnapshotTarget(),
    "actions": ActionTarget(),
    "protocol": ProtocolTarget(),
}
