"""Counting the tree of decisions from a fixed deck."""

from bastide import Deck, Rng, perft


def test_perft(benchmark, games, check):
    game = games["base"]
    deck = Deck.shuffled(game, Rng(1))
    check(benchmark.pedantic(perft, (game.new_state(), 6, deck), rounds=3, warmup_rounds=1))
