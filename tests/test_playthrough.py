"""Playthroughs: what can be observed in the kept games is what it was (`python -m tests.playthrough`)."""

import difflib

import pytest
from playthrough import FOLDER, GAMES, current


@pytest.mark.parametrize("name", GAMES)
def test_a_kept_game_looks_as_it_did(name):
    text, new = current(name)
    if text != new:
        diff = difflib.unified_diff(text.splitlines(), new.splitlines(), "kept", "now", lineterm="", n=2)
        pytest.fail("see tests/playthrough.py if this is meant:\n" + "\n".join(list(diff)[:40]), pytrace=False)


def test_every_kept_game_is_known():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
