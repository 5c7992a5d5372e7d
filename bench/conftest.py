"""What the benches share: positions, a timer for loops in the core, and the checksums that results must have.

    pytest bench                                      # all; --benchmark-json=FILE keeps the figures
    pytest bench/test_playouts.py --accept-checksums  # when results are meant to change: writes checksums.json anew

A bench that has the wrong checksum fails: a faster wrong engine cannot win. Seeds are fixed.
"""

import json
from pathlib import Path

import pytest

from bastide import Game, Rng, Rules, measure

CHECKSUMS = Path(__file__).parent / "checksums.json"
GAMES = {
    "base": {"edition": "c1"},
    "everything-c1": {"preset": "everything-c1"},
    "everything-c3": {"preset": "everything-c3"},
    "720 tiles": {"edition": "c1", "copies": 10},
}


def pytest_addoption(parser):
    parser.addoption("--accept-checksums", action="store_true", help="write bench/checksums.json anew")


@pytest.fixture(scope="session")
def games():
    """The games of the benches, by name."""

    def game(preset=None, **options):
        return Game(Rules.preset(preset, **options) if preset else Rules(**options))

    return {name: game(**options) for name, options in GAMES.items()}


@pytest.fixture(scope="session")
def middles(games):
    """A position in the middle of a game of each, a tile in hand."""
    return {name: measure.middle(game) for name, game in games.items()}


@pytest.fixture
def check(request):
    """Compare a result with the checksum that this bench had before."""
    name = f"{request.path.stem}::{request.node.name}"

    def compare(value):
        known = json.loads(CHECKSUMS.read_text()) if CHECKSUMS.exists() else {}
        if request.config.getoption("--accept-checksums"):
            known[name] = value
            CHECKSUMS.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n")
        assert value == known.get(name), f"{name}: the results have changed"

    return compare


@pytest.fixture
def loop(benchmark, check):
    """Time a loop in the core: `loop(call, n)` where `call(n)` returns (nanoseconds, checksum)."""

    def run(call, n, rounds=20):
        check(call(n)[1])
        benchmark.pedantic(call, (n,), rounds=rounds, warmup_rounds=1)
        benchmark.extra_info["ns"] = round(benchmark.stats.stats.min / n * 1e9, 1)

    return run


@pytest.fixture
def rng():
    return Rng(1)
