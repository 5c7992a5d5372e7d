"""Perft: the core counts what is known (data/perft), and the reference counts the same where it is quick."""

import json
from pathlib import Path

import pytest
from perft import core_perft, reference_perft, start_of

CASES = [
    pytest.param(case, id=f"{path.stem}: {case['about']}")
    for path in sorted((Path(__file__).parent / "data" / "perft").glob("*.json"))
    for case in json.loads(path.read_text())
]
MOST = 3000  # leaves that the reference counts in this test; more by `python -m tests.perft`


@pytest.mark.parametrize("case", CASES)
def test_the_core_counts_the_known_numbers(case):
    for depth, number in case["counts"].items():
        assert core_perft(case, int(depth)) == number, depth
    assert "tests/reference" in case["source"]


@pytest.mark.parametrize("case", CASES)
def test_the_reference_counts_the_known_numbers(case):
    for depth, number in case["counts"].items():
        if int(depth) <= case["reference_depth"] and number <= MOST:
            assert reference_perft(case, int(depth)) == number, depth


@pytest.mark.parametrize("case", CASES)
def test_perft_leaves_the_state_as_it_is(case):
    state = start_of(case)
    before = state.to_bytes()
    core_perft(case, 2, state)
    assert state.to_bytes() == before
