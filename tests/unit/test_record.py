"""Game records: there and back, every wrong step noticed, and any text a record or a RecordError."""

import copy
import json
import os
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bastide
from bastide import Game, IllegalActionError, RecordError, Rng, Rules, TileSet
from bastide import record as record_module
from bastide.record import Record, Recorder

GAMES = {name: Game(Rules.preset(name)) for name in ("base", "river", "watchtowers")}
GAMES["abbot"] = Game(Rules(abbot=True, players=3))
BASE = GAMES["base"]
OWN = TileSet.loads(
    'format = 1\nbox = "base"\n[sets.base_c2c3]\n"base.D" = 3\n"base.U" = 4\n"base.C" = 2\n', "own.toml"
)


def recorded(game=BASE, start=1, steps=None, **options):
    """A record of a random game, stopped after some steps."""
    recorder, rng = Recorder(game, **options), Rng(start)
    state = recorder.state
    while not state.is_terminal and steps != len(recorder.moves):
        if state.is_chance:
            recorder.draw(state.sample_draw(rng))
        else:
            actions = state.legal_actions()
            recorder.apply(actions[rng.below(len(actions))])
    return recorder.record()


WHOLE = recorded(start=3, players=["Ann", "Bö"])


def changed(record=WHOLE, **values):
    """The text of a record with other values in its document."""
    return json.dumps({**record.document(), **values})


def fault(text, **options):
    """The message of the RecordError that reading raises: one line, not too long."""
    with pytest.raises(RecordError) as caught:
        Record.loads(text, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    return message


# -- there and back


@given(st.sampled_from(list(GAMES)), st.integers(0, 2**64 - 1), st.none() | st.integers(0, 160))
@settings(max_examples=40, deadline=None)
def test_a_record_reads_back_as_it_was_written(name, seed, steps):
    record = recorded(GAMES[name], seed, steps, seed=seed)
    again = Record.loads(record.to_json())
    assert again == record
    assert again.to_json() == record.to_json() == Record.loads(record.to_json().encode()).to_json()
    assert again.package == bastide.__version__


def test_replay_ends_in_the_position_that_was_played():
    recorder, rng = Recorder(BASE), Rng(8)
    while not recorder.state.is_terminal:
        if recorder.state.is_chance:
            recorder.draw(recorder.state.sample_draw(rng))
        else:
            recorder.apply(recorder.state.legal_actions()[-1])
        if recorder.state.turn % 20 == 0:
            assert recorder.record().replay() == recorder.state
    assert recorder.record().replay() == recorder.state


def test_states_are_the_position_before_the_first_move_and_after_each():
    keys = [state.key for state in WHOLE.states()]
    assert len(keys) == len(WHOLE.moves) + 1
    assert keys[0] == BASE.new_state().key
    assert keys[-1] == WHOLE.replay().key


def test_a_game_may_stop_in_the_middle_with_the_scores_of_then():
    record = recorded(start=3, steps=100)
    assert not record.replay().is_terminal
    assert Record.loads(record.to_json()).scores == record.replay().scores
    assert Record.loads(recorded(steps=0).to_json()).moves == ()


def test_the_document_says_what_the_record_belongs_to():
    document = json.loads(WHOLE.to_json())
    assert document["format"] == "bastide-game"
    assert document["version"] == 1
    assert document["rules"] == BASE.rules.canonical()
    assert document["fingerprint"] == BASE.fingerprint
    assert document["rules_version"] == bastide.RULES_VERSION
    assert document["action_version"] == bastide.ACTION_VERSION
    assert document["players"] == ["Ann", "Bö"]
    assert document["moves"][0].startswith("draw base.")
    assert document["scores"] == document["scores_after"][-1] == list(WHOLE.replay().scores)


def test_files_are_utf8_and_compare_line_by_line(tmp_path):
    WHOLE.save(tmp_path / "game.json")
    data = (tmp_path / "game.json").read_bytes()
    assert "Bö".encode() in data
    assert b"\r" not in data
    assert data.count(b"\n") > len(WHOLE.moves)
    assert Record.load(tmp_path / "game.json") == Record.load(str(tmp_path / "game.json")) == WHOLE


def test_search_statistics_are_kept():
    recorder = Recorder(BASE)
    recorder.draw(0)
    statistics = {"iterations": 10, "visits": {"place 0,1 0": 7}, "value": 0.25, "line": ["pass"], "ö": None}
    recorder.apply(recorder.state.legal_actions()[0], statistics)
    record = recorder.record()
    assert record.search == (None, statistics)
    assert Record.loads(record.to_json()) == record


def test_records_are_hashable_and_can_be_pickled_and_copied():
    record = recorded(steps=9)
    assert pickle.loads(pickle.dumps(record)) == copy.deepcopy(record) == record
    assert hash(record) == hash(recorded(steps=9))
    assert record != recorded(steps=10)


# -- one form


def test_an_equivalent_rotation_is_read_as_the_smallest_b4():
    text = changed(recorded(steps=0), moves=["draw base.U", "place 0,1 180"], scores_after=[[0, 0]] * 2)
    assert Record.loads(text).moves == ("draw base.U", "place 0,1 0")


def test_a_part_of_a_segments_name_is_read_as_the_whole():
    moves = ["draw base.V", "place 1,0 0", "deploy meeple 1,0 road S"]
    record = Record.loads(changed(recorded(steps=0), moves=moves, scores_after=[[0, 0]] * 3))
    assert record.moves[-1] == "deploy meeple 1,0 road SW"


# -- wrong steps


def test_a_wrong_step_is_named_with_file_ply_text_and_reason(tmp_path):
    moves = list(WHOLE.moves)
    moves[1] = "place 50,50 0"
    path = tmp_path / "wrong.json"
    path.write_text(changed(moves=moves), encoding="utf-8")
    with pytest.raises(RecordError, match=r"wrong.json: ply 2 .moves.1.., 'place 50,50 0': .* not legal") as caught:
        Record.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("at", "text", "why"),
    [
        (0, "draw base.ZZ", "the game has no tile 'base.ZZ'"),
        (0, "draw", "no tile ''"),
        (0, "draw river.A", "no tile 'river.A'"),
        (0, "pass", "a tile must be drawn first"),
        (1, "draw base.V", "phase 'place'"),
        (1, "place 0,1", "is no action"),
        (1, "pass", "not legal"),
        (1, "PLACE 0,1 0", "is no action"),
        (1, " place 0,1 0", "is no action"),
        (1, "place 0,1 45", "is no action"),
        (2, "deploy meeple 7,7 city N", "no tile lies at 7,7"),
        (2, "", "is no action"),
    ],
)
def test_each_kind_of_wrong_step_has_its_reason(at, text, why):
    moves = list(WHOLE.moves)
    moves[at] = text
    message = fault(changed(moves=moves))
    assert f"ply {at + 1} (moves[{at}]), {text!r}: " in message
    assert why in message


def test_moves_after_the_end_are_wrong():
    moves = [*WHOLE.moves, "draw base.V"]
    assert "the game is over" in fault(changed(moves=moves, scores_after=[*WHOLE.scores_after, [0, 0]]))


def test_a_tile_drawn_once_too_often_is_wrong():
    moves = ["draw base.C", "place 0,-1 0", "pass", "draw base.C"]  # there is one of it
    message = fault(changed(recorded(steps=0), moves=moves, scores_after=[[0, 0]] * 4))
    assert "ply 4 (moves[3]), 'draw base.C': " in message


@pytest.mark.parametrize("key", ["scores", "scores_after"])
def test_other_scores_than_those_of_the_moves_are_wrong(key):
    value = [99, 0] if key == "scores" else [*WHOLE.scores_after[:20], (98, 0), *WHOLE.scores_after[21:]]
    message = fault(changed(**{key: value}))
    assert str(WHOLE.scores if key == "scores" else WHOLE.scores_after[20]) in message
    assert ("plies" if key == "scores" else "ply 21 (moves[20])") in message


# -- identity


@pytest.mark.parametrize("key", ["version", "rules_version", "action_version", "random_version"])
def test_another_version_is_named_with_that_of_this_program(key):
    assert f"{key} is 77 (this program has {WHOLE.document()[key]})" in fault(changed(**{key: 77}))


def test_another_fingerprint_is_named_with_that_of_the_rules():
    message = fault(changed(fingerprint=5))
    assert "fingerprint 5," in message
    assert str(BASE.fingerprint) in message
    with pytest.raises(RecordError, match=str(GAMES["river"].fingerprint)):
        WHOLE.replay(GAMES["river"])


def test_a_record_of_own_tiles_needs_the_game_that_has_them():
    game = Game(Rules(), OWN)
    record = recorded(game, 1)
    assert record.tiles == "own.toml"
    with pytest.raises(RecordError, match=r"own tiles 'own.toml'"):
        record.replay()
    assert Record.loads(record.to_json()) == record == Record.loads(record.to_json(), game)
    assert record.replay(game).is_terminal
    wrong = changed(record, moves=["pass"], scores_after=[[0, 0]])
    assert Record.loads(wrong).moves == ("pass",)
    assert "must be drawn first" in fault(wrong, game=game)
    assert "fingerprint" in fault(record.to_json(), game=BASE)


# -- texts that are no records


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[1]", "not a game record"),
        ("{}", "not a game record"),
        ('{"format": "bastide-perft"}', "'bastide-perft' (expected format 'bastide-game')"),
        ('{"format": "bastide-game", "format": "bastide-game"}', "twice"),
        (b"\xff\xfe{", "not JSON"),
        (b'{"format": "\xff"}', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format": ' + "[" * 50_000 + "]" * 50_000 + "}", "nested too deeply"),
        ('{"format": NaN}', "NaN"),
        ('{"format": 1e999}', "out of range"),
        ('{"format": ' + "9" * 5000 + "}", "5000 digits"),
        ('{"format": ' + "9" * 50 + "}", "50 digits"),
        (None, "text or bytes"),
        (7, "text or bytes"),
    ],
)
def test_a_text_that_is_no_record_says_so(text, why):
    assert why in fault(text)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"format": None}, "not a game record"),
        ({"extra": 1}, "unknown key 'extra'"),
        ({"moves": "draw base.V"}, "of the wrong type"),
        ({"moves": [1]}, "printable text"),
        ({"moves": ["x" * 300]}, "printable text of at most 200"),
        ({"moves": ["pass"] * 30_001}, "at most 30000"),
        ({"moves": ["draw base.V\n"]}, "printable text"),
        ({"players": ["a"]}, "1 names (expected 2)"),
        ({"players": ["a", "b", "c"]}, "at most 2"),
        ({"players": ["a", "\x1b[31m"]}, "printable text"),
        ({"players": ["a", "\ud800"]}, "printable text"),
        ({"players": ["a", 1]}, "printable text"),
        ({"players": ["a", "b" * 101]}, "at most 100 characters"),
        ({"scores": [1]}, "expected 2 numbers"),
        ({"scores": [1, True]}, "expected 2 numbers"),
        ({"scores": [1, -1]}, "expected 2 numbers"),
        ({"scores": [1, 1.0]}, "expected 2 numbers"),
        ({"scores_after": [[0, 0]]}, "scores_after has 1 entries"),
        ({"scores_after": [0]}, "not a list of lists"),
        ({"search": [None]}, "search has 1 entries"),
        ({"search": {}}, "of the wrong type"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**64}, "seed is 18446744073709551616"),
        ({"seed": True}, "of the wrong type"),
        ({"seed": 1.0}, "of the wrong type"),
        ({"fingerprint": "x"}, "of the wrong type"),
        ({"fingerprint": -1}, "fingerprint is -1"),
        ({"rules": {}}, "rules: boxes is missing"),
        ({"rules": {**BASE.rules.canonical(), "players": 9}}, "players=9"),
        ({"rules": {**BASE.rules.canonical(), "boxes": ["tower", "thieves"]}}, "H9"),
        ({"tiles": 5}, "of the wrong type"),
        ({"tiles": "x\0"}, "printable text"),
        ({"package": None}, "of the wrong type"),
    ],
)
def test_a_value_that_no_record_has_is_named(values, why):
    assert why in fault(changed(**values))


@pytest.mark.parametrize("key", [key for key in WHOLE.document() if key != "scores_after"])
def test_a_missing_key_is_named(key):
    document = WHOLE.document()
    del document[key]
    message = fault(json.dumps(document))
    assert key in message or key == "format"


@pytest.mark.parametrize("entry", [1, [], "x", {"a": "\ud800"}])
def test_search_statistics_are_null_or_objects(entry):
    record = recorded(steps=1)
    assert "search[0]" in fault(changed(record, search=[entry]))


def test_a_huge_file_is_not_read_to_its_end(tmp_path, monkeypatch):
    WHOLE.save(tmp_path / "game.json")
    monkeypatch.setattr(record_module, "MAX_BYTES", 1000)
    with pytest.raises(RecordError, match="cannot be written: it would be longer"):
        WHOLE.save(tmp_path / "other.json")
    with pytest.raises(RecordError, match="longer than 1000 bytes"):
        Record.load(tmp_path / "game.json")
    assert "longer than" in fault(" " * 1001)


# -- damaged texts: an error or a valid record, nothing else


def is_record_or_error(text):
    """Read a text; what comes out must be a whole record."""
    try:
        record = Record.loads(text)
    except RecordError:
        return False
    assert Record.loads(record.to_json()) == record
    if record.tiles is None:
        assert record.replay().scores == record.scores
    return True


SHORT = recorded(GAMES["abbot"], start=5, steps=24).to_json()


@given(st.integers(0, len(SHORT) - 2))
@settings(deadline=None)
def test_a_cut_text_is_an_error(n):
    assert not is_record_or_error(SHORT[:n])


@given(st.integers(0, len(SHORT) - 1), st.characters())
@settings(max_examples=300, deadline=None)
def test_a_changed_character_is_an_error_or_a_record(i, character):
    is_record_or_error(SHORT[:i] + character + SHORT[i + 1 :])


@given(st.integers(0, len(SHORT) - 1), st.binary(max_size=4), st.integers(0, 40))
@settings(max_examples=200, deadline=None)
def test_changed_bytes_are_an_error_or_a_record(i, replacement, n):
    data = SHORT.encode()
    is_record_or_error(data[:i] + replacement + data[i + n :])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_another_value_in_any_place_is_an_error_or_a_record(data):
    document = json.loads(SHORT)
    place, key = document, data.draw(st.sampled_from(list(document)))
    while isinstance(place[key], (list, dict)) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(JSON)
    is_record_or_error(json.dumps(document))


@given(st.permutations(range(24)))
@settings(max_examples=50, deadline=None)
def test_moves_in_another_order_are_an_error_or_a_record(order):
    document = json.loads(SHORT)
    document["moves"] = [document["moves"][i] for i in order]
    is_record_or_error(json.dumps(document))


# -- files


def test_a_file_that_cannot_be_read_is_a_record_error(tmp_path):
    for path in (tmp_path / "none.json", tmp_path, f"{tmp_path}/a\0b"):
        with pytest.raises(RecordError, match="cannot be read"):
            Record.load(path)


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    path.write_text("before")

    def no_room(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(RecordError, match=r"game\.json: cannot be written: No space"):
        WHOLE.save(path)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["game.json"]


def test_a_file_that_cannot_be_written_is_a_record_error(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "game.json", f"{tmp_path}/a\0b"):
        with pytest.raises(RecordError, match="cannot be written"):
            WHOLE.save(path)
    assert os.listdir(tmp_path) == []


# -- the recorder


def test_an_illegal_step_is_not_recorded():
    recorder = Recorder(BASE)
    with pytest.raises(IllegalActionError):
        recorder.apply(0)
    recorder.draw(0)
    with pytest.raises(IllegalActionError):
        recorder.draw(0)
    with pytest.raises(IllegalActionError):
        recorder.apply(10**30)
    assert recorder.record().moves == ("draw base.A",)


@pytest.mark.parametrize(
    "options",
    [{"players": ["a"]}, {"players": ["a", "\n"]}, {"seed": -1}, {"seed": "1"}, {"players": [1, 2]}],
)
def test_names_and_seed_are_checked_before_anything_is_played(options):
    with pytest.raises(RecordError):
        Recorder(BASE, **options)


@pytest.mark.parametrize("game", [None, 1, Rules()])
def test_a_recorder_needs_a_game(game):
    with pytest.raises(RecordError):
        Recorder(game)
    if game is not None:
        with pytest.raises(RecordError):
            WHOLE.replay(game)
