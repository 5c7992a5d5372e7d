"""Observations: every plane and scalar, worked out again from the views of a state."""

import numpy as np
import pytest
from games import position, walk

from bastide import ActionIndex, BastideError, Batch, Game, Rules, plane_names, scalar_names
from bastide.rules import PRESETS

EDGES = "NESW"
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
SUBJECTS = ("meeple", "pennant", "road", "monastery", "city")
BASE = Game(Rules())


def expected(state, size=41, centre="board"):
    """The planes by name, from board, figures and features."""
    game, n = state.game, state.game.rules.players
    own = state.current_player
    board = {(tile.x, tile.y): tile for tile in state.board}
    xs, ys = [x for x, _ in board], [y for _, y in board]
    middle = ((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2) if centre == "board" else (0, 0)
    planes = {name: np.zeros((size, size), int) for name in plane_names(game)}

    def add(name, cell, number=1):
        column, row = cell[0] - middle[0] + size // 2, cell[1] - middle[1] + size // 2
        if 0 <= column < size and 0 <= row < size:
            planes[name][row, column] += number

    def player(figure_owner):
        return f"player {(figure_owner - own) % n}"

    for cell, tile in board.items():
        what = game.tiles[tile.tile]
        add("tile", cell)
        for edge, terrain in zip(EDGES, edges(game, tile), strict=True):
            add(f"{terrain} {edge}", cell)
        add("pennants", cell, sum(city.pennants for city in what.cities))
        add("monastery", cell, int(what.monastery))
        add("garden", cell, int(what.garden))
        if what.watchtower:
            add("watchtower", cell, SUBJECTS.index(what.watchtower.subject) + 1)
            add("watchtower points", cell, what.watchtower.points)
        if {"tower", "thieves"} & set(game.rules.boxes):
            add("foundation", cell, int(what.foundation))
        add("floors", cell, len(tile.floors))
        add("black top", cell, int(tile.floors[-1:] == ("black",)))
        add("white top", cell, int(tile.floors[-1:] == ("white",)))
        add("bridge", cell, {None: 0, "NS": 1, "EW": 2}[tile.bridge])
    for cell in {(x + dx, y + dy) for x, y in board for dx, dy in STEPS.values()} - set(board):
        add("frontier", cell)
    if state.phase not in ("draw", "grow", "place", "end"):
        add("last", (state.board[-1].x, state.board[-1].y))

    tiles = state._tiles()
    castles = {(*tiles[i][2:], game._spots[tiles[i][0]][tiles[i][1]][segment]) for i, segment in state._castles()}
    built = {cell for feature in state.features() if castles & set(feature.segments) for cell in feature.tiles}
    for cell in built:
        add("castle", cell)
    for feature in state.features():
        figures = [sum(figure.owner == i for figure in feature.figures) for i in range(n)]
        at = {}
        for x, y, name in feature.segments:
            spot = name.partition(" ")[2]
            if feature.kind in ("road", "city") and spot != "inside":
                at.setdefault((x, y), []).extend(spot)
            elif feature.kind == "field" and spot != "inside":
                for half in spot.split("-"):
                    for i in range(n):
                        add(f"{player(i)} field {half}", (x, y), figures[i])
        for cell, ends in at.items():
            for edge in ends:
                add(f"open {edge}", cell, feature.open_edges)
                add(f"points {edge}", cell, min(feature.points, 255))
                for i in range(n):
                    add(f"{player(i)} road or city {edge}", cell, figures[i])
            for pair in ("NE", "NS", "NW", "ES", "EW", "SW"):
                add(f"joined {pair}", cell, int(set(pair) <= set(ends)))
    for figure in state.figures:
        kind = (
            "maiden" if figure.kind == "maiden" else figure.place if figure.place in ("tower", "barn") else figure.kind
        )
        add(f"{player(figure.owner)} {kind}", (figure.x, figure.y))
        if figure.place in ("monastery", "garden"):
            add(f"{player(figure.owner)} monastery", (figure.x, figure.y))
    return planes


def edges(game, tile):
    """The terrains of a placed tile's edges, N E S W."""
    quarter = tile.rotation // 90
    words = {"F": "field", "R": "road", "C": "city", "V": "river"}
    letters = game.tiles[tile.tile].edges
    found = [words.get(letters[(i - quarter) % 4], "river") for i in range(4)]
    if tile.bridge:
        found = ["road" if edge in tile.bridge else terrain for edge, terrain in zip(EDGES, found, strict=True)]
    return found


def check(state, index=None, **window):
    observed = state.observation(index=index)
    for plane, (name, wanted) in zip(observed, expected(state, **window).items(), strict=True):
        assert (plane == wanted).all(), f"{name} of {state!r}"


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_planes_are_what_board_figures_and_features_say(preset, players):
    game = Game(Rules.preset(preset, players=players))
    seen = set()
    for i, state in enumerate(walk(game, seed=1, stream=players)):
        if i % 23 == 0 or state.is_terminal or (state.phase not in seen and i > 30):
            check(state)
            seen.add(state.phase)
    assert {"draw", "place", "figure", "end"} <= seen


def test_the_window_follows_the_board_or_the_start_tile_and_cuts():
    state = position(BASE, seed=3, steps=120)
    check(state, ActionIndex(BASE, size=5), size=5)
    check(state, ActionIndex(BASE, size=7, centre="start"), size=7, centre="start")
    check(state, ActionIndex(BASE, size=1), size=1)


@pytest.mark.parametrize("preset", ["base", "black-tower", "everything-c3"])
def test_the_scalars_are_what_the_state_says(preset):
    game = Game(Rules.preset(preset, players=3))
    for i, state in enumerate(walk(game, seed=5)):
        if i % 9:
            continue
        found = dict(zip(scalar_names(game), state.scalars().tolist(), strict=True))
        own = state.current_player
        for seat in range(3):
            player = (own + seat) % 3
            name = f"player {seat} "
            assert found[name + "score"] == state.scores[player]
            assert found[name + "meeples"] == state.supply[player]["meeple"]
            assert found[name + "abbots"] == state.supply[player].get("abbot", 0)
            for colour in ("normal", "black", "white"):
                assert found[f"{name}{colour} floors"] == state.pieces[player].get(colour, 0)
            for other in range(3):
                for kind in ("meeple", "abbot"):
                    prisoners = state.prisoners[player].get((kind, (own + other) % 3), 0)
                    assert found[f"{name}holds {kind}s of {other}"] == prisoners
        assert [name for name in found if name.startswith("phase ") and found[name]] == [f"phase {state.phase}"]
        assert (found["turn"], found["tiles left"]) == (state.turn, state.tiles_left)
        assert found["whose turn"] == (state.turn_player - own) % 3
        for piece, name in (("floors", "shared floors"), ("bridges",) * 2, ("castles",) * 2, ("barns",) * 2):
            assert found[name] == state.pieces.shared.get(piece, 0)
        for tile, what in enumerate(game.tiles):
            assert found[f"drawn {what.id}"] == (tile == state.drawn_tile)
            assert found[f"stolen {what.id}"] == (tile == state.stolen_tile)
            assert found[f"left {what.id}"] == state._left()[tile]


def test_a_batch_gives_the_observations_of_its_slots():
    game = Game(Rules.preset("everything-c3"))
    batch = Batch(game, 5, seed=3)
    states = [position(game, seed, steps=40 * seed) for seed in range(5)]
    for state in states:
        while state.is_chance:
            state.draw(state.draws()[0][0])
    batch.put(states)
    assert (batch.observations() == [state.observation() for state in states]).all()
    assert (batch.scalars() == [state.scalars() for state in states]).all()


def test_observations_go_into_the_callers_arrays():
    state = position(BASE, steps=30)
    planes, scalars = state.observation(), state.scalars()
    out = np.full(planes.shape, 7, np.uint8), np.full(scalars.shape, 7, np.float32)
    assert state.observation(out[0]) is out[0]
    assert state.scalars(out[1]) is out[1]
    assert (out[0] == planes).all()
    assert (out[1] == scalars).all()
    for wrong in (planes[1:], planes.astype(np.float32), planes.T, planes.tolist()):
        with pytest.raises(BastideError, match="out must be a writeable array uint8"):
            state.observation(wrong)
    with pytest.raises(BastideError, match="out must be a writeable array float32"):
        state.scalars(scalars[1:])
    batch = Batch(BASE, 2)
    with pytest.raises(BastideError, match="out must be"):
        batch.observations(planes)
    with pytest.raises(BastideError, match="out must be"):
        batch.scalars(scalars)


def test_an_index_of_another_game_is_an_error():
    with pytest.raises(BastideError, match="does not suit"):
        position(BASE).observation(index=ActionIndex(Game(Rules(players=3))))
