"""Rules: options, boxes, presets, their texts and their faults."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bastide.errors import BastideError, RulesError
from bastide.rules import BOXES, OPTIONS, PRESETS, RULES_VERSION, Rules


def fault(**options):
    with pytest.raises(RulesError) as caught:
        Rules(**options)
    return str(caught.value)


def test_the_defaults_are_the_base_game_for_two_in_edition_c3():
    rules = Rules()
    assert rules.boxes == ("base",)
    assert (rules.players, rules.edition, rules.abbot, rules.farmers) == (2, "c3", False, True)
    assert (rules.small_city_points, rules.copies, rules.river_start_tile) == (2, (), "out")
    assert (rules.tower_gaps, rules.watchman_replace_own, rules.watchtower_c3_tile) == ("block", True, "J")
    assert [rules.tower_eye_for_an_eye, rules.tower_no_surprise, rules.tower_diagonal] == [False] * 3
    assert rules.version == Rules.version == RULES_VERSION == 1


def test_rules_are_immutable_hashable_and_can_be_copied_and_pickled():
    rules = Rules(boxes=("tower",), copies=2)
    with pytest.raises(FrozenInstanceError):
        rules.players = 3
    for same in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules), replace(rules)):
        assert same == rules
        assert hash(same) == hash(rules)
    assert rules != Rules(boxes=("tower",))
    assert replace(rules, players=4).players == 4


def test_boxes_come_in_one_order_each_once_with_the_base_game():
    assert Rules(boxes=["watchtowers", "river", "river"]).boxes == ("base", "river", "watchtowers")
    assert Rules(boxes=()).boxes == ("base",)
    assert Rules(boxes=("river",)) == Rules(boxes=iter(["base", "river"]))


def test_the_edition_is_c1_where_the_tower_is_in_play():
    assert Rules(boxes=("tower",)).edition == "c1"
    assert Rules(boxes=("tower",), edition="c3").edition == "c3"
    assert Rules(boxes=("thieves",)).edition == "c3"


def test_the_base_start_tile_is_in_the_deck_for_edition_c1_r1():
    assert Rules(boxes=("river",), edition="c1").river_start_tile == "deck"
    assert Rules(boxes=("river",), edition="c2").river_start_tile == "out"
    assert Rules(boxes=("river", "tower")).river_start_tile == "deck"


def test_copies_are_kept_by_box_where_they_are_not_1_b14():
    tower = ("tower", "black-tower")
    assert Rules(boxes=tower, copies=3).copies == (("base", 3), ("tower", 3))
    assert Rules(boxes=tower, copies={"tower": 2, "base": 1}).copies == (("tower", 2),)
    assert Rules(boxes=("river",), copies=1) == Rules(boxes=("river",), copies={"river": 1})
    rules = Rules(boxes=("river",), copies={"base": 2})
    assert [rules.copies_of(box) for box in ("base", "river", "tower")] == [2, 1, 0]


CHOICES = "(expected "
FAULTS = {
    "H9: two editions of one box": (
        {"boxes": ("tower", "thieves")},
        "boxes 'tower' and 'thieves' are two editions of one box and cannot be played together (H9): "
        "leave out one of them",
    ),
    "H9: black tower alone": (
        {"boxes": ("black-tower",)},
        "box 'black-tower' needs the box 'tower' (H9): add it, or leave out 'black-tower'",
    ),
    "unknown box": (
        {"boxes": ("watchtower",)},
        "unknown box 'watchtower': the boxes are base, river, tower, black-tower, thieves, watchtowers, "
        "bridges-castles",
    ),
    "box of another type": ({"boxes": (1,)}, "unknown box 1: the boxes are base, "),
    "boxes as text": (
        {"boxes": "base"},
        "boxes='base' is not a sequence of names (expected e.g. ('base', 'tower'))",
    ),
    "boxes as number": ({"boxes": 3}, "boxes=3 is not a sequence of names (expected e.g. ('base', 'tower'))"),
    "unknown option": (
        {"player": 2},
        "unknown option 'player': the options are boxes, players, edition, abbot, ",
    ),
    "B1: no player": ({"players": 0}, "players=0 is not possible (expected 1 to 6)"),
    "B1: seven players": ({"players": 7}, "players=7 is not possible (expected 1 to 6)"),
    "players as bool": ({"players": True}, "players=True is not possible (expected 1 to 6)"),
    "players as float": ({"players": 2.0}, "players=2.0 is not possible (expected 1 to 6)"),
    "players as text": ({"players": "2"}, "players='2' is not possible (expected 1 to 6)"),
    "players too long": ({"players": 10**5000}, "players=<int> is not possible (expected 1 to 6)"),
    "edition": ({"edition": "c4"}, "edition='c4' is not possible (expected 'c3' or 'c2' or 'c1')"),
    "edition as list": ({"edition": []}, "edition=[] is not possible (expected 'c3' or 'c2' or 'c1')"),
    "B13: abbot in edition c1": (
        {"abbot": True, "edition": "c1"},
        "abbot=True needs garden tiles, and edition 'c1' has none (B13): choose edition='c2' or 'c3'",
    ),
    "B13: abbot with the tower": (
        {"abbot": True, "boxes": ("tower",)},
        "abbot=True needs garden tiles, and edition 'c1' has none (B13): choose edition='c2' or 'c3'",
    ),
    "abbot as number": ({"abbot": 1}, "abbot=1 is not possible (expected True or False)"),
    "farmers as None": ({"farmers": None}, "farmers=None is not possible (expected True or False)"),
    "B7: small city points": (
        {"small_city_points": 3},
        "small_city_points=3 is not possible (expected 2 or 1)",
    ),
    "small city points as bool": (
        {"small_city_points": True},
        "small_city_points=True is not possible (expected 2",
    ),
    "B14: copies of nothing": (
        {"copies": 0},
        "copies=0 for the box 'base' is not possible (expected 1 to 10)",
    ),
    "B14: copies above 10": (
        {"copies": {"base": 11}},
        "copies=11 for the box 'base' is not possible (expected 1 to",
    ),
    "copies as bool": (
        {"copies": True},
        "copies=True is neither a number nor a number a box (expected 1 to 10, or",
    ),
    "copies as float": (
        {"copies": {"base": 2.0}},
        "copies=2.0 for the box 'base' is not possible (expected 1 to 10)",
    ),
    "copies as text": (
        {"copies": "base:2"},
        "copies='base:2' is neither a number nor a number a box (expected 1",
    ),
    "copies as numbers": (
        {"copies": (2,)},
        "copies=(2,) is neither a number nor a number a box (expected 1 to 10",
    ),
    "copies twice": (
        {"copies": (("base", 2), ("base", 3))},
        "copies names the box 'base' twice (expected each box",
    ),
    "copies of an unknown box": (
        {"copies": {"x": 2}},
        "copies: unknown box 'x': the boxes are base, river, ",
    ),
    "B14: copies of the river": (
        {"boxes": ("river",), "copies": 2},
        "copies=2 is not possible for the box 'river', which is there once (B14): "
        "name the boxes to multiply, e.g. copies={'base': 2}",
    ),
    "B14: copies of the river by name": (
        {"boxes": ("river",), "copies": {"river": 2}},
        "copies=2 is not possible for the box 'river', which is there once (B14)",
    ),
    "B14: copies of the black tower": (
        {"boxes": ("tower", "black-tower"), "copies": {"black-tower": 2}},
        "copies=2 is not possible for the box 'black-tower', which has no tiles (B14): leave it out",
    ),
    "copies of a box not in play": (
        {"copies": {"tower": 2}},
        "copies=2 for the box 'tower' needs that box: add it to boxes",
    ),
    "R1: start tile": (
        {"boxes": ("river",), "river_start_tile": "box"},
        "river_start_tile='box' is not possible (expected 'out' or 'deck')",
    ),
    "start tile without the river": (
        {"river_start_tile": "deck"},
        "river_start_tile='deck' needs the box 'river': add that to boxes, or omit the option",
    ),
    "T5: gaps": (
        {"boxes": ("tower",), "tower_gaps": "jump"},
        "tower_gaps='jump' is not possible (expected 'block' or 'cross')",
    ),
    "gaps without the tower": ({"tower_gaps": "cross"}, "tower_gaps='cross' needs the box 'tower': add that"),
    "T11 without the tower": (
        {"tower_diagonal": True},
        "tower_diagonal=True needs the box 'tower': add that",
    ),
    "T11 with the thieves": (
        {"boxes": ("thieves",), "tower_no_surprise": True},
        "tower_no_surprise=True needs the box 'tower': add that to boxes, or omit the option",
    ),
    "T11 as number": (
        {"boxes": ("tower",), "tower_eye_for_an_eye": 1},
        "tower_eye_for_an_eye=1 is not possible (expected True or False)",
    ),
    "H4 without the thieves": (
        {"watchman_replace_own": False},
        "watchman_replace_own=False needs the box 'thieves': add that to boxes, or omit the option",
    ),
    "W1: tile": (
        {"boxes": ("watchtowers",), "watchtower_c3_tile": "K"},
        "watchtower_c3_tile='K' is not possible (expected 'J' or 'G')",
    ),
    "W1 without the watchtowers": (
        {"watchtower_c3_tile": "G"},
        "watchtower_c3_tile='G' needs the box 'watchtowers'",
    ),
    "W1 in edition c2": (
        {"boxes": ("watchtowers",), "watchtower_c3_tile": "G", "edition": "c2"},
        "watchtower_c3_tile='G' chooses between tiles of edition 'c3', not of 'c2': "
        "choose edition='c3', or leave the option out",
    ),
}


@pytest.mark.parametrize(("options", "message"), FAULTS.values(), ids=FAULTS)
def test_a_fault_names_the_value_what_was_expected_and_the_way_out(options, message):
    assert fault(**options).startswith(message)


def test_options_of_a_box_not_in_play_may_have_their_defaults():
    assert Rules(tower_gaps="block", watchman_replace_own=True, river_start_tile="out", copies={"tower": 1}) == Rules()


def test_options_are_given_by_keyword():
    with pytest.raises(TypeError):
        Rules(("base",))


def test_rules_errors_are_value_errors_of_the_package():
    assert issubclass(RulesError, BastideError)
    assert issubclass(BastideError, ValueError)


# Presets and tables.


def test_the_presets_are_each_box_and_everything():
    assert list(PRESETS) == [*BOXES, "everything-c1", "everything-c3"]
    for name in BOXES:
        boxes = ("base", "tower", name) if name == "black-tower" else ("base", name)
        assert Rules.preset(name) == Rules(boxes=boxes)
    c1 = Rules.preset("everything-c1")
    assert c1.boxes == ("base", "river", "tower", "black-tower", "watchtowers", "bridges-castles")
    assert (c1.edition, c1.abbot) == ("c1", False)
    c3 = Rules.preset("everything-c3")
    assert c3.boxes == ("base", "river", "thieves", "watchtowers", "bridges-castles")
    assert (c3.edition, c3.abbot) == ("c3", True)


def test_options_override_a_preset():
    assert Rules.preset("tower", players=4, tower_gaps="cross") == Rules(
        boxes=("tower",), players=4, tower_gaps="cross"
    )
    assert not Rules.preset("everything-c3", abbot=False).abbot


@pytest.mark.parametrize("name", ["all", 3, None, []])
def test_an_unknown_preset_is_refused(name):
    with pytest.raises(RulesError, match=r"unknown preset .*: the presets are base, river, tower, "):
        Rules.preset(name)
    with pytest.raises(RulesError, match="unknown option 'player'"):
        Rules.preset("base", player=3)


def test_the_table_of_options_has_every_option_once_with_its_default_and_rules():
    assert ["boxes", *OPTIONS] == [field.name for field in fields(Rules)]
    rules = Rules()
    for option in OPTIONS.values():
        if option.name == "copies":
            assert (option.default, option.values) == (1, tuple(range(1, 11)))
        elif option.default is None:
            assert option.default_text
            assert getattr(rules, option.name) in option.values
        else:
            assert getattr(rules, option.name) == option.default
            assert option.default in option.values
        assert option.box in BOXES
        assert option.rules
        assert option.text


# Texts and canonical form.


def test_repr_shows_what_differs_and_can_be_pasted_back():
    assert repr(Rules()) == "Rules()"
    rules = Rules(boxes=("tower",), edition="c2", abbot=True, copies={"tower": 2})
    assert repr(rules) == "Rules(boxes=('base', 'tower'), edition='c2', abbot=True, copies={'tower': 2})"


@st.composite
def any_rules(draw):
    boxes = draw(st.sets(st.sampled_from(list(BOXES))))
    if "thieves" in boxes:
        boxes -= {"tower", "black-tower"}
    if "black-tower" in boxes:
        boxes |= {"tower"}
    options = {"boxes": boxes}
    for option in OPTIONS.values():
        if option.box in boxes | {"base"} and option.name != "copies" and draw(st.booleans()):
            options[option.name] = draw(st.sampled_from(option.values))
    multiplied = [box for box in boxes | {"base"} if box not in {"river", "black-tower"}]
    options["copies"] = draw(st.dictionaries(st.sampled_from(sorted(multiplied)), st.integers(1, 10)))
    edition = options.get("edition") or ("c1" if "tower" in boxes else "c3")
    if edition == "c1":  # B13
        options["abbot"] = False
    if edition != "c3":  # W1
        options.pop("watchtower_c3_tile", None)
    return Rules(**options)


@given(any_rules())
def test_repr_canonical_form_and_texts_give_the_same_rules_back(rules):
    assert eval(repr(rules), {"Rules": Rules}) == rules
    assert Rules.from_canonical(json.loads(json.dumps(rules.canonical()))) == rules
    texts = {}
    for name in OPTIONS:
        value = getattr(rules, name)
        texts[name] = ("off", "on")[value] if isinstance(value, bool) else str(value)
    texts["copies"] = ",".join(f"{box}:{n}" for box, n in rules.copies) or "1"
    assert Rules.from_text(",".join(rules.boxes), texts) == rules


def test_the_canonical_form_has_every_option_as_json():
    data = Rules(boxes=("tower",), copies={"base": 2}).canonical()
    assert list(data) == ["boxes", *OPTIONS]
    assert (data["boxes"], data["edition"], data["copies"]) == (["base", "tower"], "c1", {"base": 2})
    assert data["river_start_tile"] == "deck"


CANONICAL_FAULTS = {
    "no table": (lambda data: [], "rules: [] is not an object (expected one with boxes, players, "),
    "missing": (
        lambda data: {k: v for k, v in data.items() if k != "boxes"},
        "rules: boxes is missing (expected ",
    ),
    "unknown": (
        lambda data: {**data, "dragon": 1},
        "rules: 'dragon' is not an option (expected boxes, players, ",
    ),
    "no text": (lambda data: {**data, 3: 1}, "rules: 3 is not an option (expected boxes, players, "),
    "wrong type": (lambda data: {**data, "players": 2.0}, "players=2.0 is not possible (expected 1 to 6)"),
    "unordered": (
        lambda data: {**data, "boxes": ["tower", "base"]},
        "rules: boxes=['tower', 'base'] is not in its one form (expected ['base', 'tower'])",
    ),
    "unresolved": (
        lambda data: {**data, "edition": None},
        "rules: edition=None is not in its one form (expected 'c1')",
    ),
    "copies of 1": (
        lambda data: {**data, "copies": {"base": 1}},
        "rules: copies={'base': 1} is not in its one form",
    ),
    "copies as number": (
        lambda data: {**data, "copies": 2},
        "rules: copies=2 is not in its one form (expected {",
    ),
}


@pytest.mark.parametrize(("change", "message"), CANONICAL_FAULTS.values(), ids=CANONICAL_FAULTS)
def test_only_the_canonical_form_itself_is_read_back(change, message):
    with pytest.raises(RulesError) as caught:
        Rules.from_canonical(change(Rules(boxes=("tower",)).canonical()))
    assert str(caught.value).startswith(message)


def test_an_option_that_an_earlier_version_did_not_know_has_its_default():
    rules = Rules(boxes=("river",), edition="c1", players=3)
    data = rules.canonical()
    del data["farmers"], data["river_start_tile"]
    assert Rules.from_canonical(data) == rules
    assert rules.chosen() == {"boxes": ["base", "river"], "players": 3, "edition": "c1"}


def test_texts_of_options_are_read_as_values():
    rules = Rules.from_text(
        "base, tower",
        {
            "players": "4",
            "farmers": "OFF",
            "tower_no_surprise": "true",
            "small_city_points": "1",
            "copies": "3",
        },
    )
    assert rules == Rules(
        boxes=("tower",), players=4, farmers=False, tower_no_surprise=True, small_city_points=1, copies=3
    )
    assert Rules.from_text("tower", {"copies": "base:2, tower:3"}).copies == (("base", 2), ("tower", 3))
    assert Rules.from_text() == Rules()
    assert Rules.from_text(["river"]) == Rules(boxes=("river",))
    assert Rules.from_text(preset="everything-c3", options={"abbot": "off"}) == Rules.preset(
        "everything-c3", abbot=False
    )
    assert Rules.from_text("base,tower", preset="river") == Rules(boxes=("tower",))


TEXT_FAULTS = {
    "switch": ("farmers", "maybe", "farmers='maybe' is not possible (expected on, off, true or false)"),
    "number": ("players", "two", "players='two' is not possible (expected 1 to 6)"),
    "number with a sign": ("players", "+2", "players='+2' is not possible (expected 1 to 6)"),
    "foreign digit": ("players", "٣", "players='٣' is not possible (expected 1 to 6)"),
    "choice": ("edition", "C3", "edition='C3' is not possible (expected 'c3' or 'c2' or 'c1')"),
    "copies": (
        "copies",
        "many",
        "copies='many' is not possible (expected a number from 1 to 10, or one a box, e.g.",
    ),
    "copies 0": (
        "copies",
        "0",
        "copies='0' is not possible (expected a number from 1 to 10, or one a box, e.g.",
    ),
    "copies twice": (
        "copies",
        "base:2,base:3",
        "copies='base:2,base:3' is not possible (expected a number from 1",
    ),
    "copies of a box": ("copies", "x:2", "copies: unknown box 'x': the boxes are base, "),
    "boxes": ("boxes", "tower", "boxes is not given as an option: name the boxes in a list of their own"),
    "unknown": ("dragon", "on", "unknown option 'dragon': the options are players, "),
    "no text": ("players", 3, "players=3 is not a text (expected one, e.g. '2')"),
    "copies no text": ("copies", 3, "copies=3 is neither a number nor a number a box (expected 1 to 10"),
}


@pytest.mark.parametrize(("name", "text", "message"), TEXT_FAULTS.values(), ids=TEXT_FAULTS)
def test_a_text_that_means_no_value_is_refused(name, text, message):
    with pytest.raises(RulesError) as caught:
        Rules.from_text(None, {name: text})
    assert str(caught.value).startswith(message)


def test_an_empty_box_name_in_a_list_is_refused():
    with pytest.raises(RulesError, match="unknown box '': the boxes are"):
        Rules.from_text("base,,tower")
