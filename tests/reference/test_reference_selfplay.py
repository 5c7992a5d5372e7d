"""The reference itself: random games of every preset keep what must be kept."""

import random
from collections import Counter

import pytest

from . import Game
from .tower import starting_floors

PRESETS = {
    "base": {},
    "river": {"boxes": ["river"]},
    "tower": {"boxes": ["tower"]},
    "black-tower": {"boxes": ["tower", "black-tower"]},
    "thieves": {"boxes": ["thieves"]},
    "watchtowers": {"boxes": ["watchtowers"]},
    "bridges-castles": {"boxes": ["bridges-castles"]},
    "everything-c1": {"boxes": ["river", "tower", "black-tower", "watchtowers", "bridges-castles"]},
    "everything-c3": {"boxes": ["river", "thieves", "watchtowers", "bridges-castles"], "abbot": True},
    "house rules": {
        "boxes": ["river", "tower", "black-tower", "bridges-castles"],
        "edition": "c2",
        "abbot": True,
        "small_city_points": 1,
        "tower_gaps": "cross",
        "tower_diagonal": True,
        "copies": {"bridges-castles": 2},
    },
}


def check_figures(game):
    """All figures are in supply, on the board or held."""
    where = Counter()
    for player in range(game.options.players):
        for kind, count in game.supply[player].items():
            where[kind, player] += count
        where += game.prisoners[player]
    for owner, kind, *_ in game.figures():
        where["meeple" if kind == "maiden" else kind, owner] += 1
    for player in range(game.options.players):
        assert where["meeple", player] == 7
        assert where["abbot", player] == game.options.abbot


def check_pieces(game):
    """Floors, bridges, castles and barns are in a supply or on the board."""
    if game.plays("tower"):
        built = Counter(colour for floors in game.floors.values() for colour in floors)
        for colour, count in starting_floors(game.options).items():
            left = sum(pieces[colour] for pieces in game.pieces)
            assert left + built[colour] == count * game.options.players
    if game.plays("thieves"):
        assert game.shared_pieces["floors"] + sum(map(len, game.floors.values())) == 20
        assert all(len(floors) <= 5 for floors in game.floors.values())
    if game.plays("bridges-castles"):
        copies = game.options.copies["bridges-castles"]
        bridges = sum(tile[4] is not None for tile in game.board())
        assert game.shared_pieces["bridges"] + bridges == 12 * copies
        assert game.shared_pieces["castles"] + len(game.castles) == 6 * copies


def check_features(game):
    """Every segment lies in one feature, joined ones in the same; nobody is left in a closed feature (B9)."""
    names = Counter(name for feature in game.features() for name in feature[6])
    assert set(names.values()) == {1}
    placed = [
        (x, y, i)
        for (x, y), tile in game.map.cells.items()
        for i, segment in enumerate(tile.segments)
        if segment.kind != "river"
    ]
    assert names.total() == len(placed)
    for ref in placed:
        for other in game.map.joined(ref)[0]:
            assert game.map.feature(ref) is game.map.feature(other)
    if game.is_chance:
        assert all(not (f[1] and f[5]) for f in game.features() if f[0] != "field")
    standing = [figure for feature in game.features() for figure in feature[5]]
    assert sorted(standing) == [f for f in game.figures() if f[1] != "maiden" and f[4] != "tower"]


def play(seed, players, **options):
    """One random game, checked after every step; returns it with the number of steps."""
    rng = random.Random(seed)
    game = Game(players=players, **options)
    scores = [0] * players
    steps = 0
    while not game.is_terminal:
        before = game.tiles_left
        if game.is_chance:
            draws = game.draws()
            assert sum(probability for _, probability in draws.values()) == 1
            game.draw(rng.choices(list(draws), [float(p) for _, p in draws.values()])[0])
            assert game.tiles_left < before
        else:
            legal = game.legal()
            assert legal == sorted(set(legal))
            assert set(legal) - {"pass", "no building"}
            game.apply(rng.choice(legal))
            assert game.tiles_left <= before
        for player, points, _ in game.score_events:
            scores[player] += points
        assert scores == game.scores
        check_figures(game)
        check_pieces(game)
        if steps % 10 == 0 or game.is_terminal:
            check_features(game)
        steps += 1
    assert game.draws() == {}
    assert game.legal() == []
    assert sum(game.returns) == pytest.approx(0)
    return game, steps


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("players", [1, 2, 3, 6])
def test_random_games_keep_figures_pieces_scores_and_features_in_order(name, players):
    game, steps = play(players, players, **PRESETS[name])
    assert steps > 100
    assert game.turn >= 60
    assert len(game.board()) == game.turn + 1


def test_the_same_seed_plays_the_same_game():
    first, _ = play(5, 2, **PRESETS["everything-c3"])
    second, _ = play(5, 2, **PRESETS["everything-c3"])
    assert (first.board(), first.scores) == (second.board(), second.scores)
    assert first.features() == second.features()
