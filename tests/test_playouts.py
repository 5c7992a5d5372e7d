"""The playout loop plays by the rules of the phase machine, and as uniformly.

Traced playouts are replayed through the phase machine, where every step must be legal, and through the reference; what
the loop samples without a list is compared with the list. The short run replays a few games of each preset, the long
one N:

    pytest tests/test_playouts.py --long 2000
"""

import math
from collections import Counter

import numpy as np
import pytest
from games import walk
from lockstep import reference_for

from bastide import BastideError, Game, Rng, Rules
from bastide._core.bench import Bench
from bastide.rules import PRESETS

RULE_SETS = {
    **{name: Rules.preset(name) for name in PRESETS},
    "c1": Rules(edition="c1"),
    "alone": Rules(players=1),
    "six, small cities": Rules(players=6, small_city_points=1),
    "no farmers": Rules(farmers=False),
    "abbots": Rules(players=3, abbot=True),
    "tower, other rules": Rules(boxes=("tower",), tower_gaps="cross", tower_diagonal=True, tower_eye_for_an_eye=True),
    "everything-c3, four": Rules.preset("everything-c3", players=4),
    "copies": Rules(boxes=("watchtowers",), copies=2),
}
SHORT = 8  # games of each rule set that are replayed
SHORT_REFERENCE = 1  # of them, in the reference too


@pytest.mark.parametrize("name", RULE_SETS)
def test_traced_playouts_are_games_by_the_rules(name, long_run):
    game = Game(RULE_SETS[name])
    n = long_run or SHORT
    rows = game.playouts(n, seed=21)
    for i in range(n):
        state = game.new_state()
        scores, steps = state.playout(Rng(21, i), trace=True)
        assert list(scores) == rows[i].tolist()
        twin = reference_for(game.rules) if long_run or i < SHORT_REFERENCE else None
        for kind, value in steps:
            if kind == "draw":
                assert value in [tile for tile, *_ in state.draws()], (name, i)
                if twin is not None:
                    twin.draw(game.tiles[value].id)
                state.draw(value)
            else:
                assert value in state.legal_actions(), (name, i, state.action_text(value))
                if twin is not None:
                    twin.apply(state.action_text(value))
                state.apply(value)
        assert state.is_terminal
        assert state.scores == scores, (name, i)
        assert state.faults() == []
        if twin is not None:
            assert (twin.phase, tuple(twin.scores)) == ("end", scores), (name, i)


def positions(game, seed, phase, n):
    """Positions of random games in which the loop samples: to place a tile, or to use a figure."""
    found = []
    stream = 0
    while len(found) < n:
        for state in walk(game, seed, stream):
            # about one in six of a game's, so that they are spread over it
            if state.phase == phase and len(state.legal_actions()) > 1 and (state.turn + stream) % 6 == 0:
                found.append(state.copy())
        stream += 1
    return found[:n]


@pytest.mark.parametrize(
    ("preset", "phase", "n"),
    [
        ("base", "place", 150),
        ("base", "figure", 100),
        ("bridges-castles", "place", 50),
        ("black-tower", "figure", 50),
        ("everything-c1", "figure", 50),
    ],
)
def test_what_is_sampled_is_uniform_over_the_list(preset, phase, n):
    """Chi squared on 400 positions: no single one stands out, and neither does their sum."""
    game = Game(Rules.preset(preset, **({"edition": "c1"} if preset == "base" else {})))
    total, freedom = 0.0, 0
    for number, state in enumerate(positions(game, 6, phase, n)):
        actions = state.legal_actions()
        k = len(actions)
        samples = 60 * k
        counts = Counter(Bench(state).sampled_actions(samples, Rng(7, number)))
        if (preset, phase) == ("base", "figure"):
            assert counts.keys() <= set(actions)
        else:
            assert counts.keys() == set(actions)  # 60 expected of each
        chi = sum((counts[action] - 60) ** 2 / 60 for action in actions)
        assert chi < k - 1 + 7 * math.sqrt(2 * (k - 1)) + 7, (preset, phase, number, counts)
        total += chi
        freedom += k - 1
    assert abs(total - freedom) < 4 * math.sqrt(2 * freedom)


def test_what_has_no_actions_is_no_bench_of_actions():
    bench = Bench(Game(Rules()).new_state())
    for measure in (bench.list_actions, bench.apply, bench.apply_undo):
        with pytest.raises(BastideError, match="no legal action"):
            measure(3)


def test_a_tile_that_rarely_fits_is_sampled_by_a_list():
    """Late in a game most proposals fail; the list that follows is uniform too, and finds what fits nowhere."""
    game = Game(Rules(edition="c1"))
    few = [s for s in positions(game, 60, "place", 400) if len(s.legal_actions()) <= 4]
    assert len(few) > 5
    for number, state in enumerate(few):
        k = len(state.legal_actions())
        counts = Counter(Bench(state).sampled_actions(400 * k, Rng(8, number)))
        assert counts.keys() == set(state.legal_actions())
        assert sum((count - 400) ** 2 / 400 for count in counts.values()) < k - 1 + 7 * math.sqrt(2 * (k - 1))


@pytest.mark.parametrize("name", PRESETS)
def test_statistics_are_those_of_the_scores(name):
    game = Game(RULE_SETS[name])
    stats = game.playouts(400, seed=2, stats=True)
    assert (stats.scores == game.playouts(400, seed=2)).all()
    assert (stats.points.sum(axis=1) == stats.scores.sum(axis=0)).all()
    parts = [game.playouts(200, seed=2, start=start, stats=True) for start in (0, 200)]
    assert (parts[0].points + parts[1].points == stats.points).all()
    assert (np.concatenate([part.turns for part in parts]) == stats.turns).all()
    assert (np.concatenate([part.discards for part in parts]) == stats.discards).all()


@pytest.mark.parametrize("name", PRESETS)
def test_streams_and_seeds_differ(name):
    game = Game(RULE_SETS[name])
    rows = {seed: game.playouts(300, seed=seed) for seed in (0, 1, 2, 1 << 63)}
    seen = Counter(row.tobytes() for scores in rows.values() for row in scores)
    assert max(seen.values()) < 10  # equal scores do happen, equal games hardly
    traces = {tuple(game.new_state().playout(Rng(seed, i), trace=True)[1][:20]) for seed in (0, 1) for i in range(50)}
    assert len(traces) == 100
