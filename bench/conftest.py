"""Positions and checksums for the benches: `pytest bench --benchmark-json=out.json`."""

import pytest
from rows import ROWS, rules_of

from bastide.game import Game
from bastide.measure import mid_game


@pytest.fixture(scope="session")
def games():
    return {row: Game(rules_of(row)) for row in ROWS}


@pytest.fixture(scope="session")
def positions(games):
    return {row: mid_game(game) for row, game in games.items()}
