"""Bad arguments of every public call: the error's class, what it says, and that nothing changed."""

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from boards import Table, play
from games import C1, finish, position
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bastide
from bastide import (
    BastideError,
    Game,
    IllegalActionError,
    InvalidActionError,
    Rng,
    Rules,
    RulesError,
    SnapshotError,
    State,
    TileDataError,
    TileSet,
)

HUGE = 10**5000  # more digits than Python writes out
LONGEST = 400  # characters of a message, whatever it is about

NO_INTEGERS = {
    "None": None,
    "True": True,
    "False": False,
    "float": 1.0,
    "nan": float("nan"),
    "complex": 1j,
    "text": "1",
    "long text": "1" * 100_000,
    "bytes": b"1",
    "list": [1],
    "long list": list(range(50_000)),
    "dict": {1: 1},
    "object": object(),
    "class": int,
    "Fraction": Fraction(1),
    "Decimal": Decimal(1),
    "numpy float": np.float64(1),
    "numpy bool": np.True_,
    "numpy array": np.array([1, 2]),
    "numpy array of one": np.array([1]),
    "numpy array of floats": np.array(1.0),
}
NO_WORDS = {  # integers, but not of 0 .. 2**64 - 1
    "-1": -1,
    "-2**63 - 1": -(2**63) - 1,
    "2**64": 2**64,
    "2**70": 2**70,
    "huge": HUGE,
    "-huge": -HUGE,
    "numpy -1": np.int64(-1),
    "numpy int8": np.int8(-128),
}


def states():
    """A state in each phase."""
    chance = position(seed=2, steps=0)
    place = chance.copy()
    play(place, "draw U")
    figure = place.copy()
    play(figure, "place 1,0 0")
    return {"draw": chance, "place": place, "figure": figure, "end": finish(chance.copy(), Rng(1))}


STATES = states()


def refused(error, fragment, call, *args):
    """Call with bad arguments; check the error's class and message."""
    with pytest.raises(error) as caught:
        call(*args)
    message = str(caught.value)
    assert re.search(fragment, message), message[:LONGEST]
    assert len(message) <= LONGEST
    assert "\n" not in message


def refused_by(state, error, fragment, name, *args):
    """The same for a method of a state, which stays as it is."""
    before = state.to_bytes(), state.key, state.scores, state.score_events
    refused(error, fragment, getattr(state, name), *args)
    assert (state.to_bytes(), state.key, state.scores, state.score_events) == before


# -- integers


@pytest.mark.parametrize("name", NO_INTEGERS)
def test_what_is_no_integer_is_no_tile(name):
    refused_by(
        STATES["draw"],
        IllegalActionError,
        r"a tile is an index into game\.tiles, got",
        "draw",
        NO_INTEGERS[name],
    )


@pytest.mark.parametrize("name", [*NO_WORDS, "24"])
def test_integers_that_are_no_index_are_no_tile(name):
    number = NO_WORDS.get(name, 24)
    refused_by(STATES["draw"], IllegalActionError, r"none of 0 \.\. 23", "draw", number)


@pytest.mark.parametrize("phase", ["place", "figure", "end"])
@pytest.mark.parametrize("value", [0, 3, -1, None, "x"])
def test_no_tile_is_drawn_when_none_must_be(phase, value):
    refused_by(STATES[phase], IllegalActionError, f"no tile is drawn in phase '{phase}'", "draw", value)


@pytest.mark.parametrize("name", NO_INTEGERS)
def test_what_is_no_integer_is_no_action(name):
    for phase in ("place", "figure", "end"):
        refused_by(STATES[phase], IllegalActionError, "an action is an integer, got", "apply", NO_INTEGERS[name])


@pytest.mark.parametrize("name", [*NO_WORDS, "2**63", "2**63 - 1", "1"])
def test_integers_that_are_no_legal_action_are_refused(name):
    number = NO_WORDS.get(name, {"2**63": 2**63, "2**63 - 1": 2**63 - 1, "1": 1}.get(name))
    for phase in ("place", "figure", "end"):
        refused_by(STATES[phase], IllegalActionError, f"not legal in phase '{phase}' of player", "apply", number)


@pytest.mark.parametrize("value", [0, None, HUGE], ids=["0", "None", "huge"])
def test_no_action_is_done_at_chance(value):
    refused_by(STATES["draw"], IllegalActionError, "", "apply", value)


@pytest.mark.parametrize("name", [*NO_INTEGERS, *NO_WORDS, "2**63"])
def test_what_is_no_action_has_no_text(name):
    value = {**NO_INTEGERS, **NO_WORDS, "2**63": 2**63}[name]
    expected = r"an action is an integer of 0 \.\. 2\*\*63 - 1, got"
    refused_by(STATES["figure"], InvalidActionError, expected, "action_text", value)


@pytest.mark.parametrize("name", [*NO_INTEGERS, *NO_WORDS])
def test_seeds_streams_and_bounds_of_a_generator_are_integers_of_64_bits(name):
    value = {**NO_INTEGERS, **NO_WORDS}[name]
    rng = Rng(5)
    before = rng.copy()
    refused(BastideError, r"seed must be an integer of 0 \.\. 2\*\*64 - 1, got", Rng, value)
    refused(BastideError, r"stream must be an integer of 0 \.\. 2\*\*64 - 1, got", Rng, 1, value)
    refused(BastideError, r"n must be an integer of 0 \.\. 2\*\*64 - 1, got", rng.below, value)
    assert rng == before


def test_a_generator_chooses_among_one_or_more():
    refused(BastideError, "n must be 1 or more, got 0", Rng(1).below, 0)


def test_numpy_integers_are_integers():
    for kind in (np.int8, np.uint8, np.int32, np.int64, np.uint64):
        assert Rng(kind(7), kind(1)).next() == Rng(7, 1).next()
        assert 0 <= Rng(1).below(kind(5)) < 5
        state = C1.new_state()
        state.draw(kind(C1.tile_index("base.U")))
        assert state.phase == "place"
    for kind in (np.int64, np.uint64):
        state, twin = STATES["place"].copy(), STATES["place"].copy()
        action = state.legal_actions()[1]
        state.apply(kind(action))
        twin.apply(action)
        assert state == twin


def test_the_text_of_a_numpy_integer_is_that_of_its_value():
    state = STATES["place"]
    actions = np.array(state.legal_actions())
    assert [state.action_text(action) for action in actions] == [state.action_text(int(a)) for a in actions]


class Index:
    """Stands for an integer."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        if self.value is None:
            raise RuntimeError("no integer after all")
        return self.value


def test_objects_with_an_index_are_integers():
    state = C1.new_state()
    state.draw(Index(C1.tile_index("base.U")))
    assert state.drawn_tile == C1.tile_index("base.U")
    assert Rng(Index(7)).below(Index(100)) == Rng(7).below(100)
    action = state.legal_actions()[0]
    assert state.action_text(Index(action)) == state.action_text(action)
    state.apply(Index(action))
    assert state.phase == "figure"


def test_an_error_of_an_objects_index_leaves_the_state_as_it_is():
    for state, name in (
        (STATES["draw"], "draw"),
        (STATES["place"], "apply"),
        (STATES["place"], "action_text"),
    ):
        refused_by(state, (RuntimeError, BastideError), "", name, Index(None))


# -- other objects

WRONG = {
    "None": None,
    "True": True,
    "1": 1,
    "text": "x",
    "bytes": b"x",
    "list": [],
    "class": State,
    "rules": Rules(),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_draw_is_sampled_with_a_generator(name):
    refused_by(STATES["draw"], (BastideError, TypeError), "rng", "sample_draw", WRONG[name])


@pytest.mark.parametrize("name", [*WRONG, "game"])
def test_a_state_is_copied_from_a_state(name):
    value = {**WRONG, "game": C1}[name]
    refused_by(STATES["figure"].copy(), (BastideError, TypeError), "other", "copy_from", value)


@pytest.mark.parametrize("name", WRONG)
def test_a_state_is_made_of_a_game(name):
    refused((BastideError, TypeError), "game", State, WRONG[name])


@pytest.mark.parametrize("name", [name for name in WRONG if name not in ("None", "rules")])
def test_a_game_is_made_of_rules_and_tiles(name):
    refused(RulesError, r"rules must be a bastide\.Rules, got .*preset", Game, WRONG[name])
    refused(RulesError, r"tiles must be a bastide\.TileSet, got .*load", Game, Rules(), WRONG[name])


@pytest.mark.parametrize("value", ["1" * 100_000, list(range(50_000)), HUGE], ids=["text", "list", "integer"])
def test_messages_about_huge_values_are_short(value):
    refused(RulesError, "rules must be", Game, value)
    refused(RulesError, "tiles must be", Game, None, value)
    refused(RulesError, "unknown preset", Rules.preset, value)
    refused_by(STATES["place"], InvalidActionError, "", "parse_action", value)


def test_a_game_without_its_tables_makes_no_state():
    refused(BastideError, "empty", State, Game.__new__(Game))


def test_a_game_is_made_once():
    game = Game(Rules(edition="c1"))
    refused(BastideError, "once", game.__init__, Rules())
    assert game.rules == Rules(edition="c1")


def test_a_game_cannot_be_changed():
    game = Game(Rules(edition="c1"))
    for name in ("rules", "tiles", "fingerprint"):
        before = getattr(game, name)
        with pytest.raises(AttributeError):
            setattr(game, name, None)
        assert getattr(game, name) == before


@pytest.mark.parametrize("value", ["base.Y", "D", "", None, 3])
def test_a_tile_index_is_that_of_a_tile_of_the_game(value):
    with pytest.raises(KeyError):
        C1.tile_index(value)


@pytest.mark.parametrize("value", [None, 3, 1.0, b"format = 1", ["format = 1"]])
def test_the_text_of_a_tile_file_is_text(value):
    with pytest.raises((TileDataError, TypeError)):
        TileSet.loads(value)


@pytest.mark.parametrize("value", [None, 3, 1.0, ["x"]])
def test_a_tile_file_has_a_path(value):
    with pytest.raises((TileDataError, TypeError)):
        TileSet.load(value)


def test_unknown_names_of_the_package_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'Gamen'"):
        bastide.Gamen  # noqa: B018
    assert set(bastide.__all__) <= set(dir(bastide))


# -- texts of actions

NO_TEXTS = {
    "": "is no action",
    "PASS": "is no action",
    "pass ": "is no action",
    " pass": "is no action",
    "pass\n": "is no action",
    "pas": "is no action",
    "place": "is no action",
    "place 1,0": "is no action",
    "place 1,0 45": "is no action",
    "place 1,0 360": "is no action",
    "place 1,0 -90": "is no action",
    "place 1, 0 90": "is no action",
    "place 1,0  90": "is no action",
    "place +1,0 90": "is no action",
    "place 1.0,0 90": "is no action",
    "place 1 0 90": "is no action",
    "place x,0 90": "is no action",
    "place 1,0 90 bridge": "is no action",
    "place 1,0 90 bridge SN": "is no action",
    "place 99999,0 90": "is no action",
    "place 1024,0 90": "beyond any board",
    "place 0,-1024 90": "beyond any board",
    "draw base.U": "is no action",
    "deploy 1,0 road EW": "is no action",
    "deploy knight 1,0 road EW": "is no action",
    "deploy meeple 1,0": "is no action",
    "deploy meeple 1,0 road": "is no action",
    "deploy meeple 1,0 road ": "is no action",
    "deploy meeple 1,0 roadEW": "is no action",
    "deploy meeple 1,0 road XY": "is no action",
    "deploy meeple 1,0 river EW": "is no action",
    "deploy meeple 1,0 city N": "has no city N; it has road EW, field NL-NR-EL-WR, field ER-SL-SR-WL",
    "deploy meeple 1,0 road N": "has no road N",
    "deploy meeple 1,0 road NE": "has no road NE",
    "deploy meeple 1,0 field NL-SL": "has no field NL-SL",
    "deploy meeple 1,0 field N": "has no field N",
    "deploy meeple 1,0 field inside": "has no field inside",
    "deploy meeple 2,0 road EW": "no tile lies at 2,0",
    "deploy meeple 1023,1023 city N": "no tile lies at 1023,1023",
    "ransom meeple from 6": "is no action",
    "ransom meeple from -1": "is no action",
    "floor red 0,0": "is no action",
    "x" * 100_000: "is no action",
    "pass\0": "is no action",
}


@pytest.mark.parametrize("phase", ["draw", "place", "figure", "end"])
def test_texts_of_no_action(phase):
    state = STATES[phase]
    for text, fragment in NO_TEXTS.items():
        if phase == "figure" or not re.search("has no|no tile", fragment):
            refused_by(state, InvalidActionError, re.escape(fragment), "parse_action", text)


@pytest.mark.parametrize("name", [name for name in NO_INTEGERS if "text" not in name])
def test_what_is_no_text_is_no_action(name):
    value = NO_INTEGERS[name]
    refused_by(STATES["place"], InvalidActionError, "an action's text is a string, got", "parse_action", value)


@pytest.mark.parametrize(
    "text",
    [
        "deploy meeple 1,0 road EE",
        "deploy meeple 1,0 road EWE",
        "deploy meeple 1,0 field NN-NL",
        "deploy meeple 1,0 field -NL-",
        "deploy meeple 1,0 field NLNR-NL",
        "deploy meeple 1,0 field NL--NR",
        "deploy meeple 1,0 field NL-NL",
        "place \u0661,0 0",  # an Arabic digit one
    ],
)
def test_a_text_that_only_looks_like_an_action_is_refused(text):
    refused_by(STATES["figure"], InvalidActionError, "", "parse_action", text)


@pytest.mark.parametrize("spot", ["monastery", "garden"])
@pytest.mark.parametrize("cell", ["1,0", "5,5"])
def test_a_spot_that_is_not_there_is_refused(spot, cell):
    refused_by(STATES["figure"], InvalidActionError, "", "parse_action", f"deploy meeple {cell} {spot}")


CELLS = st.sampled_from(["0,0", "1,0", "0,1", "-1,0", "7,-7", "-1023,1023"])
ON_TILES = [
    "city N",
    "city NW",
    "road EW",
    "road E",
    "field NL-NR",
    "field ER-SL-SR-WL",
    "monastery",
    "garden",
]
ELSEWHERE = ["tower", "barn", "castle N", "city inside", "road inside", "field inside"]
SPOTS = st.sampled_from([*ON_TILES, *ELSEWHERE])
TEXTS = st.one_of(
    st.sampled_from(["pass", "no building"]),
    st.builds("place {} {}".format, CELLS, st.sampled_from([0, 90, 180, 270, 1])),
    st.builds("place {} 0 bridge {}".format, CELLS, st.sampled_from(["NS", "EW", ""])),
    st.builds("deploy {} {} {}".format, st.sampled_from(["meeple", "abbot", "maiden"]), CELLS, SPOTS),
    st.builds("take back {} {} {}".format, st.sampled_from(["abbot", "maiden"]), CELLS, SPOTS),
    st.builds("capture {} meeple of {} {}".format, CELLS, st.integers(0, 6), SPOTS),
    st.builds("barn {} {} from {} {}".format, CELLS, st.sampled_from(["NW", "SE", "N"]), CELLS, SPOTS),
    st.builds("castle {} {}".format, CELLS, SPOTS),
    st.builds("{} {}".format, st.sampled_from(["watchman", "grow", "floor black", "tower meeple"]), CELLS),
    st.builds("{} abbot from {}".format, st.sampled_from(["ransom", "exchange"]), st.integers(0, 6)),
    st.text(max_size=30),
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(text=TEXTS, phase=st.sampled_from(list(STATES)))
def test_a_text_either_cannot_be_parsed_or_names_one_action(text, phase):
    state = STATES[phase]
    try:
        action = state.parse_action(text)
    except InvalidActionError:
        return
    assert 0 <= action < 1 << 63
    assert state.parse_action(state.action_text(action)) == action


SMALL = st.builds(
    lambda kind, x, y, spot, figure, player: kind << 59 | y << 23 | x << 12 | spot << 6 | figure << 3 | player,
    st.integers(0, 15),
    st.sampled_from([0, 1023, 1024, 1025, 2047]),
    st.sampled_from([0, 1023, 1024, 1025, 2047]),
    st.integers(0, 63),
    st.integers(0, 7),
    st.integers(0, 7),
)


@settings(max_examples=600, deadline=None, derandomize=True)
@given(action=st.one_of(st.integers(0, 2**63 - 1), SMALL), phase=st.sampled_from(list(STATES)))
@example(action=1, phase="figure")  # a pass has no player
@example(action=12 << 59 | 7, phase="figure")  # there is no player 7
def test_an_integer_either_has_no_text_or_one_that_says_it(action, phase):
    state = STATES[phase]
    try:
        text = state.action_text(action)
    except InvalidActionError:
        return
    assert state.parse_action(text) == action


# -- bytes

NO_BYTES = {
    "None": None,
    "text": "BSTS",
    "1": 1,
    "list": [66],
    "float": 1.0,
    "state": STATES["draw"],
    "array": np.ones(3),
}


@pytest.mark.parametrize("name", NO_BYTES)
def test_a_snapshot_is_bytes(name):
    refused(SnapshotError, "a snapshot is bytes, got", C1.state_from_bytes, NO_BYTES[name])


@pytest.mark.parametrize("data", [b"", b"B", b"BSTS", b"BSTX" + bytes(60), bytes(1000)], ids=len)
def test_other_bytes_are_no_snapshot(data):
    refused(SnapshotError, f"not a snapshot: {len(data)} bytes", C1.state_from_bytes, data)


def test_a_snapshot_of_another_game_is_refused_and_both_are_named():
    data = STATES["figure"].to_bytes()
    for game in (Game(Rules()), Game(Rules(edition="c1", players=3)), Table("*D").game):
        identity = int.from_bytes(game.new_state().to_bytes()[8:16], "little")
        named = f"{int.from_bytes(data[8:16], 'little'):016x}.*{identity:016x}"
        refused(SnapshotError, named, game.state_from_bytes, data)


def test_bytearrays_and_memoryviews_are_bytes():
    state = STATES["figure"]
    data = state.to_bytes()
    for same in (bytearray(data), memoryview(data), memoryview(bytearray(2 * data))[: len(data)]):
        assert C1.state_from_bytes(same) == state
