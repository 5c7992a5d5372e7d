"""A Monte Carlo tree search of one's own, in Python on `State`: UCT with chance nodes and uniform playouts.

The one in the core (`bastide.mcts`) is some hundred times faster; this one is to be changed.
"""

import math

import bastide as bs
from bastide.agents import RandomAgent, play_game


class Node:
    def __init__(self, state):
        self.player = None if state.is_chance else state.current_player  # None: a draw decides
        self.untried = [] if state.is_chance or state.is_terminal else state.legal_actions()
        self.children = {}  # by action, or by tile where a draw decides
        self.visits = 0
        self.sums = [0.0] * len(state.scores)

    def best(self, exploration):
        def score(action):
            child = self.children[action]
            mean = child.sums[self.player] / child.visits
            return mean + exploration * math.sqrt(math.log(self.visits) / child.visits)

        return max(self.children, key=score)


class OwnMcts:
    def __init__(self, iterations=200, exploration=0.5, scale=20.0):
        self.iterations, self.exploration, self.scale = iterations, exploration, scale

    def choose(self, state, rng):
        root = Node(state)
        child = state.copy()
        for _ in range(self.iterations):
            child.copy_from(state)
            self.iterate(root, child, rng)
        return max(root.children, key=lambda action: root.children[action].visits)

    def iterate(self, node, state, rng):
        path = [node]
        while not state.is_terminal and node.visits:
            if node.player is None:
                step = state.sample_draw(rng)
                state.draw(step)
            else:
                step = node.untried.pop(rng.below(len(node.untried))) if node.untried else node.best(self.exploration)
                state.apply(step)
            if step not in node.children:
                node.children[step] = Node(state)
            node = node.children[step]
            path.append(node)
        scores = state.playout(rng)
        values = [math.tanh((own - self.best_other(scores, i)) / self.scale) for i, own in enumerate(scores)]
        for node in path:
            node.visits += 1
            node.sums = [total + value for total, value in zip(node.sums, values, strict=True)]

    @staticmethod
    def best_other(scores, player):
        return max(score for i, score in enumerate(scores) if i != player)


if __name__ == "__main__":
    print(play_game(bs.Game(), [OwnMcts(100), RandomAgent()], bs.Rng(7)).scores)
