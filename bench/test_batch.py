"""Games stepped together, the choice made by NumPy: list or mask, choose, step. 1,024 slots, tiles drawn inside."""

import numpy as np
import pytest

from bastide import Batch

N = 1024
STEPS = 20


class Player:
    """Steps a batch by random choices of a fixed seed."""

    def __init__(self, game, threads):
        self.batch = Batch(game, N, seed=1, auto_reset=True, threads=threads)
        self.rng = np.random.default_rng(1)
        self.room = np.empty(N * 256, np.int64), np.empty(N + 1, np.int64)
        self.masks = self.batch.masks()
        self.steps(STEPS)

    def steps(self, n):
        for _ in range(n):
            actions, offsets = self.batch.legal_actions(out=self.room)
            chosen = offsets[:-1] + (self.rng.random(N) * np.diff(offsets)).astype(np.int64)
            self.batch.step(actions[chosen])

    def masked_steps(self, n):
        """Take the first number of each mask: choosing costs next to nothing, so what is timed is the batch."""
        for _ in range(n):
            bits, _ = self.batch.masks(out=self.masks)
            byte = (bits != 0).argmax(1)
            low = bits[np.arange(N), byte]
            bit = np.log2(low & -low.astype(np.int16)).astype(np.int64)
            self.batch.step(8 * byte + bit, "number")

    def scores(self):
        return int(self.batch.scores().sum()), int(self.batch.turns().sum()), int(self.batch.episodes().sum())


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("form", ["steps", "masked_steps"])
def test_batch_step(benchmark, games, check, form, threads):
    player = Player(games["base"], threads)
    getattr(player, form)(100)
    check(list(player.scores()))
    benchmark.pedantic(getattr(player, form), (STEPS,), rounds=20)
    benchmark.extra_info["decisions_per_second"] = round(N * STEPS / benchmark.stats.stats.min)
