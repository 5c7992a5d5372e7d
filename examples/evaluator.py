"""A search whose positions are valued from outside, a batch at a time: where a neural net would stand, some NumPy.

The core grows the tree and asks about its leaves; the evaluator gets them as a `bastide.Batch`, makes of them what it
likes (planes, scalars, masks, scores), and says what each is worth to each player and which actions look good.
"""

import numpy as np

import bastide as bs
from bastide.agents import RandomAgent, play_game


class Linear:
    """A net of one layer over the scalars; weights as they might have been learned."""

    def __init__(self, game):
        names = bs.scalar_names(game)
        self.weights = np.zeros(len(names), np.float32)
        self.weights[names.index("player 0 score")] = 1  # player 0 is the one who decides
        self.weights[names.index("player 0 meeples")] = 2
        self.weights[names.index("player 1 score")] = -1
        self.weights[names.index("player 1 meeples")] = -2

    def __call__(self, batch):
        own = np.tanh(batch.scalars() @ self.weights / 20)
        seats = np.arange(2) == batch.current_player()[:, None]
        values = np.where(seats, own[:, None], -own[:, None])
        actions, _ = batch.legal_actions()
        return values, np.where(actions == 0, 0.2, 1.0)  # 0 is the pass, rarely the best


class EvaluatedAgent:
    def __init__(self, game, iterations=200):
        self.iterations = iterations
        self.trees = bs.Search(evaluator=Linear(game), batch_size=16)

    def choose(self, state, rng):
        return self.trees.run(state, self.iterations, seed=rng.next()).action


if __name__ == "__main__":
    game = bs.Game()
    print(play_game(game, [EvaluatedAgent(game), RandomAgent()], bs.Rng(7)).scores)
