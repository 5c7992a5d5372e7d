"""Inputs changed at random are refused with a BastideError or are right: nothing else happens.

The short run tries some inputs of each kind, always the same ones; `--long N` tries N. A longer search led by coverage:
`python tests/fuzz TARGET --seconds 600`. What was once found stands in data/fuzz/TARGET and is tried first.
"""

import random
from pathlib import Path

import pytest
from fuzz.targets import TARGETS

FINDS = Path(__file__).parent / "data" / "fuzz"
SHORT = 400


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_changed_at_random_are_refused_or_right(name, long_run):
    target, rng = TARGETS[name], random.Random(7)
    accepted = sum(target.judge(target.make(rng.randrange)) for _ in range(long_run or SHORT))
    assert 0 < accepted < (long_run or SHORT)


def test_what_was_once_found():
    for path in sorted(FINDS.glob("*/*")):
        TARGETS[path.parent.name].judge(path.read_bytes())
