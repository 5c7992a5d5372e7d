"""Games stepped together, the choice made by NumPy: list or mask, choose, step. Tiles are drawn inside."""

import numpy as np
import pytest

from bastide import Batch

STEPS = 20


class Player:
    """Steps a batch by random choices of a fixed seed."""

    def __init__(self, game, n, threads):
        self.batch = Batch(game, n, seed=1, auto_reset=True, threads=threads)
        self.n = n
        self.rng = np.random.default_rng(1)
        self.room = np.empty(n * 256, np.int64), np.empty(n + 1, np.int64)
        self.masks = self.batch.masks()
        self.steps(STEPS)

    def steps(self, n):
        for _ in range(n):
            actions, offsets = self.batch.legal_actions(out=self.room)
            chosen = offsets[:-1] + (self.rng.random(self.n) * np.diff(offsets)).astype(np.int64)
            self.batch.step(actions[chosen])

    def masked_steps(self, n):
        """Take the first number of each mask: choosing costs next to nothing, so what is timed is the batch."""
        for _ in range(n):
            bits, _ = self.batch.masks(out=self.masks)
            byte = (bits != 0).argmax(1)
            low = bits[np.arange(self.n), byte]
            bit = np.log2(low & -low.astype(np.int16)).astype(np.int64)
            self.batch.step(8 * byte + bit, "number")

    def scores(self):
        return int(self.batch.scores().sum()), int(self.batch.turns().sum()), int(self.batch.episodes().sum())


@pytest.mark.parametrize(("n", "threads"), [(1024, 1), (16_384, 1), (16_384, 2)])
@pytest.mark.parametrize("form", ["steps", "masked_steps"])
def test_batch_step(benchmark, games, check, form, n, threads):
    player = Player(games["base"], n, threads)
    getattr(player, form)(100)
    check(list(player.scores()))
    benchmark.pedantic(getattr(player, form), (STEPS,), rounds=20)
    benchmark.extra_info["decisions_per_second"] = round(n * STEPS / benchmark.stats.stats.min)
