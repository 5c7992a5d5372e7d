"""Many games at once: playouts from the start and from the middle, on one and two threads, large games, batches."""

import numpy as np
import pytest
from rows import ROWS

from bastide import Batch, Game, Rules
from bastide.checksum import checksum

# Checksums of the first 300 games with seed 11: they change only with rules, tiles or the random stream.
EXPECTED = {
    "base": 0xE6D87FF41C0EB995,
    "river": 0x8EBA18DD062BCCF1,
    "tower": 0xB663CEE70ACCE678,
    "black-tower": 0xAEAFC2A92E66926D,
    "thieves": 0x874A1955B1398EA1,
    "watchtowers": 0x1C906DF5968EB024,
    "bridges-castles": 0x93F0BEF714258909,
    "everything-c1": 0x3B9EF5CE7DA12001,
    "everything-c3": 0xA749DCA881123E67,
    "base-c1": 0xB3E1E5CF20F9DF61,
}


@pytest.mark.parametrize("row", ROWS)
def test_playouts_from_the_start(benchmark, games, row):
    assert benchmark(lambda: checksum(games[row].playouts(300, seed=11, threads=1))) == EXPECTED[row]


@pytest.mark.parametrize("row", ROWS)
def test_playouts_from_the_middle(benchmark, positions, row):
    expected = checksum(positions[row].playouts(300, seed=11, threads=1))
    assert benchmark(lambda: checksum(positions[row].playouts(300, seed=11, threads=1))) == expected


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(benchmark, games, threads):
    expected = checksum(games["base"].playouts(20_000, seed=11, threads=1))
    assert benchmark(lambda: checksum(games["base"].playouts(20_000, seed=11, threads=threads))) == expected


def test_720_tiles(benchmark):
    game = Game(Rules(copies=10))
    expected = checksum(game.playouts(20, seed=11, threads=1))
    assert benchmark(lambda: checksum(game.playouts(20, seed=11, threads=1))) == expected


def steps_of_batch(game, n_slots, n_steps):
    """Play by the last legal action of each slot; return a sum over what was done."""
    batch = Batch(game, n_slots, 5)
    total = 0
    for _ in range(n_steps):
        actions, offsets = batch.legal_actions()
        chosen = np.where(offsets[1:] > offsets[:-1], actions[np.maximum(offsets[1:] - 1, 0)], -1)
        total += int(chosen.sum() & 0xFFFFFFFF)
        batch.step(chosen)
    return total


def test_batch_steps(benchmark, games):
    expected = steps_of_batch(games["base"], 256, 40)
    assert benchmark(lambda: steps_of_batch(games["base"], 256, 40)) == expected
