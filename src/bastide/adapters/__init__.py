"""The game as other packages want it, a module each; docs/adapters.md. Each needs the extra of its name.

`pettingzoo`: an environment of several agents · `gymnasium`: one of a single agent against opponents · `openspiel`: a
game of OpenSpiel. They share `encoding` (numbers of actions, observations) and `episode` (one game at a time).
"""
