"""An agent is any object with `choose(state, rng)`; here one that plays at random."""

import bastide as bs
from bastide.agents import agent, play_game


class RandomAgent:
    def choose(self, state, rng):
        actions = state.legal_actions()
        return actions[rng.below(len(actions))]


if __name__ == "__main__":
    print(play_game(bs.Game(), [RandomAgent(), agent("greedy")], bs.Rng(7)).scores)
