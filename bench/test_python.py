"""The Python loop, and single calls from Python."""

from bastide import Deck, Rng, perft


def play(game, seed):
    """Play a game through Python; return its scores and the number of decisions."""
    rng, state, n = Rng(seed), game.new_state(), 0
    while not state.is_terminal:
        if state.is_chance:
            state.draw(state.sample_draw(rng))
        else:
            actions = state.legal_actions()
            state.apply(actions[rng.below(len(actions))])
            n += 1
    return state.scores, n


def test_python_loop(benchmark, games):
    expected = [play(games["base"], seed) for seed in range(5)]
    assert benchmark(lambda: [play(games["base"], seed) for seed in range(5)]) == expected


def test_copy_from_python(benchmark, positions):
    state = positions["base"]
    assert benchmark(state.copy) == state


def test_apply_and_undo_from_python(benchmark, positions):
    state = positions["base"].copy()
    action, key = state.legal_actions()[0], state.key

    def apply_undo():
        state.apply(action)
        state.undo()

    benchmark(apply_undo)
    assert state.key == key


def test_legal_actions_from_python(benchmark, positions):
    state = positions["base"]
    assert benchmark(state.legal_actions) == sorted(state.legal_actions())


def test_perft(benchmark, games):
    state = games["base"].new_state()
    deck = Deck.shuffled(games["base"], Rng(4))
    expected = perft(state, 4, deck)
    assert benchmark(lambda: perft(state, 4, deck)) == expected
