"""The compiled core. Its doors are `api`, `bulk`, `stepping`, `windows`, `mcts` and `bench`, the rest is its own."""
