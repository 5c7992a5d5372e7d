"""Playouts: rows that depend on seed and number alone, traces that replay, choices that are uniform."""

import numpy as np
import pytest
from boards import own_game
from games import C1, finish, position

from bastide import BastideError, Game, Rng, Rules

GAMES = {
    "c1": C1,
    "c3, 5 players": Game(Rules(players=5)),
    "alone, no farmers": Game(Rules(players=1, farmers=False)),
    "small cities": Game(Rules(edition="c1", players=3, small_city_points=1)),
    "two copies": Game(Rules(edition="c2", copies=2)),
    "tiny": own_game({"plain": 2, "B": 2, "E": 3, "city": 1, "V": 3}, "plain", players=6),
    "nothing to draw": own_game({"plain": 1}, "plain"),
}


@pytest.mark.parametrize("name", GAMES)
def test_scores_are_one_row_a_game(name):
    game = GAMES[name]
    scores = game.playouts(40, seed=1)
    assert (scores.dtype, scores.shape) == (np.int32, (40, game.rules.players))
    assert (scores >= 0).all()
    assert game.playouts(0).shape == (0, game.rules.players)


@pytest.mark.parametrize("name", GAMES)
def test_a_row_is_a_function_of_seed_and_number(name):
    game = GAMES[name]
    whole = game.playouts(600, seed=9)
    for threads in (1, 2, 3, 8, None):
        assert (game.playouts(600, seed=9, threads=threads) == whole).all()
    parts = [game.playouts(n, seed=9, start=start) for start, n in ((0, 1), (1, 299), (300, 300))]
    assert (np.concatenate(parts) == whole).all()
    if game.tiles[0].id.startswith("base"):
        assert (game.playouts(600, seed=10) != whole).any()


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 80, 81, 82, 1000])
def test_playouts_of_a_position_leave_it_as_it_is(steps):
    state = position(seed=5, steps=steps)
    before, key = state.to_bytes(), state.key
    whole = state.playouts(520, seed=4, threads=2)
    assert (state.playouts(20, seed=4, start=500) == whole[500:]).all()
    state.playout(Rng(1))
    state.playout(Rng(1), trace=True)
    assert (state.to_bytes(), state.key, state.faults()) == (before, key, [])
    assert (whole >= np.array(state.scores)).all()  # points are not lost
    if state.is_terminal:
        assert (whole == np.array(state.scores)).all()


@pytest.mark.parametrize("name", GAMES)
def test_a_trace_can_be_replayed_by_the_rules(name):
    game = GAMES[name]
    for seed in range(6):
        for state in (game.new_state(), position(game, seed, 50 + seed), position(game, seed, 2000)):
            scores, steps = state.playout(Rng(seed, 2), trace=True)
            assert state.playout(Rng(seed, 2)) == scores
            for kind, value in steps:
                if kind == "draw":
                    assert value in [tile for tile, *_ in state.draws()]
                    state.draw(value)
                else:
                    assert kind == "action"
                    assert value in state.legal_actions()
                    state.apply(value)
            assert state.is_terminal
            assert state.scores == tuple(scores)
            assert state.faults() == []


@pytest.mark.parametrize("name", GAMES)
def test_statistics_add_up(name):
    game = GAMES[name]
    stats = game.playouts(300, seed=2, stats=True)
    assert (stats.scores == game.playouts(300, seed=2)).all()
    assert (stats.turns + stats.discards == game.new_state().tiles_left).all()
    assert (stats.points.sum(axis=1) == stats.scores.sum(axis=0)).all()


@pytest.mark.parametrize("steps", [61, 62, 100, 101, 102, 103])
def test_the_first_choice_is_uniform(steps):
    state, n = position(seed=12, steps=steps), 4000
    while state.is_chance:
        state.draw(state.draws()[0][0])
    counts = dict.fromkeys(state.legal_actions(), 0)
    assert len(counts) > 1
    for stream in range(n):
        counts[state.playout(Rng(3, stream), trace=True)[1][0][1]] += 1
    # Chi squared: mean k - 1, deviation sqrt(2 (k - 1)); six deviations.
    k, expected = len(counts), n / len(counts)
    chi = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi < k - 1 + 6 * (2 * (k - 1)) ** 0.5


def test_the_first_draw_follows_the_counts():
    state, n = C1.new_state(), 6000
    counts = {tile: 0 for tile, *_ in state.draws()}
    for stream in range(n):
        counts[state.playout(Rng(8, stream), trace=True)[1][0][1]] += 1
    value = sum((counts[tile] - n * p) ** 2 / (n * p) for tile, _, p in state.draws())
    assert value < len(counts) - 1 + 6 * (2 * (len(counts) - 1)) ** 0.5


def test_playouts_score_as_the_phase_machine_does():
    # Two independent samples of final scores: means and spreads agree.
    native = C1.playouts(6000, seed=31).astype(float)
    played = np.array([finish(C1.new_state(), Rng(32, stream)).scores for stream in range(3000)], float)
    for player in (0, 1):
        a, b = native[:, player], played[:, player]
        error = (a.var() / len(a) + b.var() / len(b)) ** 0.5
        assert abs(a.mean() - b.mean()) < 5 * error
        assert 0.9 < a.std() / b.std() < 1.1


BAD = {
    "n": (-1, (1 << 31) + 1, True, 1.0, "5", None, [1]),
    "seed": (-1, 1 << 64, False, 0.5, "x", None),
    "start": (-1, 1 << 64, 2.0, None),
    "threads": (0, -1, 1025, True, 1.0, "2"),
    "policy": ("best", "", 3, None),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments_are_refused(name):
    state = position(steps=20)
    before = state.to_bytes()
    for value in BAD[name]:
        for owner in (C1, state):
            with pytest.raises(BastideError, match=f"^{name} must be"):
                owner.playouts(**{"n": 5, name: value})
    assert state.to_bytes() == before


@pytest.mark.parametrize("value", [None, 3, "rng", Rng])
def test_a_playout_needs_a_generator(value):
    with pytest.raises((BastideError, TypeError), match="rng"):
        C1.new_state().playout(value)
