"""Every box, and the abbot, is tested in all ways there are, every rule by a test that cites its number."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from playthrough import GAMES
from test_lockstep import RULE_SETS

from bastide import Rules
from bastide.rules import BOXES, PRESETS

TESTS = Path(__file__).parent
BASELINE = TESTS.parent / "bench" / "baseline.json"
NAMES = [*BOXES, "abbot"]
RULES = TESTS.parent / "docs" / "rules.md"
N_RULES = Counter(re.findall(r"^### ([a-z])\d+ ", RULES.read_text(encoding="utf-8").lower(), re.MULTILINE))


def cited():
    """The numbers of the rules that names of tests cite, e.g. "b13"."""
    names = [
        name
        for path in sorted((TESTS / "rules").glob("test_*.py"))
        for name in re.findall(r"^def (test_\w+)\(", path.read_text(), re.MULTILINE)
    ]
    assert len(names) > 300
    return {word for name in names for word in name.split("_") if re.fullmatch(r"[a-z]\d+", word)}


def is_in_play(name, options):
    rules = options if isinstance(options, Rules) else Rules(**options)
    return rules.abbot if name == "abbot" else name in rules.boxes


def perft_rules():
    return [
        case["rules"] for path in (TESTS / "data" / "perft").glob("*.json") for case in json.loads(path.read_text())
    ]


def lockstep_rules():
    for _, options, _ in RULE_SETS.values():
        yield from options if isinstance(options, list) else [options]


def gaps(name):
    """The ways in which a box, or the abbot, is not tested."""
    rules = ["b13"] if name == "abbot" else [f"{BOXES[name].section.lower()}{n}" for n in (1, 2, 3, 4)]
    found = {
        "rule tests": set(rules) <= cited(),
        "perft": any(is_in_play(name, options) for options in perft_rules()),
        "playthrough": any(is_in_play(name, options) for options, _ in GAMES.values()),
        "lockstep": any(is_in_play(name, options) for options in lockstep_rules()),
    }
    measured = {row.partition(" ")[0] for row in json.loads(BASELINE.read_text())["figures"]}
    found["bench"] = any(is_in_play(name, Rules.preset(row)) for row in measured if row in PRESETS)
    return [way for way, is_there in found.items() if not is_there]


@pytest.mark.parametrize("name", NAMES)
def test_every_box_is_covered(name):
    assert gaps(name) == []


@pytest.mark.parametrize("section", N_RULES)
def test_every_rule_is_cited_by_a_test(section):
    rules = {f"{section}{n + 1}" for n in range(N_RULES[section])}
    assert rules - cited() == set()


def test_tests_cite_no_rules_that_there_are_not():
    known = {f"{section}{n + 1}" for section, n_rules in N_RULES.items() for n in range(n_rules)}
    words = {"c1", "c2", "c3"}  # also editions
    assert cited() - known - words == set()


def test_the_sections_are_those_of_the_boxes_and_of_combinations():
    assert {box.section.lower() for box in BOXES.values()} | {"c"} == N_RULES.keys()
