"""Tiles and boards as text."""

import re

import pytest
from games import position

from bastide import Game, Rng, Rules, TileSet
from bastide.agents import RandomAgent, play_game
from bastide.render.text import HEIGHT, WIDTH, _picture, board_text, tile_rows
from bastide.tile import City, Tile

TILES = list(TileSet.builtin().tiles.values())
BASE = Game(Rules())
SHOWN = {"C": "#*", "R": "|-", "V": "~"}


@pytest.mark.parametrize("tile", TILES, ids=[tile.id for tile in TILES])
def test_the_edges_of_a_tile_can_be_seen_as_it_lies(tile):
    for rotation in (0, 90, 180, 270):
        rows = tile_rows(tile, rotation)
        assert [len(row) for row in rows] == [WIDTH] * HEIGHT
        middles = (rows[0][3], rows[1][6], rows[2][3], rows[1][0])
        for terrain, character in zip(tile.rotated(rotation // 90).edges, middles, strict=True):
            if terrain == "F":
                assert character not in "#*|-~"
            else:
                assert character in SHOWN[terrain]


@pytest.mark.parametrize("tile", TILES, ids=[tile.id for tile in TILES])
def test_each_segment_has_a_place_of_its_own_for_a_figure(tile):
    for rotation in range(4):
        spots = _picture(tile, rotation).spots
        assert len(spots) == tile.n_segments
        assert len(set(spots.values())) == tile.n_segments


@pytest.mark.parametrize("tile", TILES, ids=[tile.id for tile in TILES])
def test_pennants_monastery_garden_and_tower_can_be_seen(tile):
    text = "".join(tile_rows(tile))
    assert text.count("*") == sum(city.pennants for city in tile.cities)
    assert ("M" in text, "G" in text, "T0" in text) == (tile.monastery, tile.garden, tile.foundation)


def test_a_tile_of_any_shape_can_be_drawn():
    inside = Tile("x", "FFFF", fields=())
    assert tile_rows(inside) == (".......",) * 3
    both = Tile("y", "RRRR", roads=("NE", "SW"))
    assert len(set(_picture(both, 0).spots.values())) == 2
    full = Tile("z", "CCCC", cities=(City("NESW", 9),), monastery=True, foundation=True)
    assert len(set(_picture(full, 0).spots.values())) == 2
    assert "".join(tile_rows(full)).count("*") == 9


def test_the_first_board_is_the_start_tile_with_its_coordinates():
    assert board_text(BASE.new_state()).splitlines() == [
        "       0",
        "    .#####.",
        " 0  -------",
        "    .......",
    ]


def test_coordinates_are_in_the_margins():
    state = position(BASE, seed=1, steps=150)
    lines = board_text(state).splitlines()
    xs, ys = [t.x for t in state.board], [t.y for t in state.board]
    assert [int(x) for x in lines[0].split()] == list(range(min(xs), max(xs) + 1))
    labels = [line[:4].strip() for line in lines[2::HEIGHT]]
    assert labels == [str(y) for y in range(min(ys), max(ys) + 1)]
    assert len(lines) == 1 + HEIGHT * len(labels)


def shown_figures(state):
    """The characters that stand for figures: those in the colours of a player."""
    runs = re.findall(r"\x1b\[0;(?:1;97|30);4\dm([^\x1b]*)", board_text(state, colour=True))
    return sorted("".join(runs))


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=6),
        Rules(abbot=True),
        Rules.preset("river", players=4),
        Rules.preset("black-tower", players=3),
        Rules.preset("everything-c3"),
    ],
)
def test_every_figure_is_on_the_board_by_its_player(rules):
    game = Game(rules)
    for seed in range(5):
        record = play_game(game, [RandomAgent()] * rules.players, Rng(seed))
        for n, state in enumerate(record.states()):
            if n % 40:
                continue
            figures = [
                "abcdef"[figure.owner] if figure.kind == "abbot" else str(figure.owner) for figure in state.figures
            ]
            assert shown_figures(state) == sorted(figures)


def test_towers_show_their_height_and_who_is_on_top():
    game, rng, tops = Game(Rules.preset("tower")), Rng(3), 0
    for state in play_game(game, [RandomAgent()] * 2, rng).states():
        text = board_text(state)
        for placed in state.board:
            if game.tiles[placed.tile].foundation:
                top = "" if placed.top is None else str(placed.top.owner)
                assert f"T{len(placed.floors)}{top}" in text
                tops += bool(top)
    assert tops


def test_colours_change_nothing_but_the_colours():
    state = position(BASE, seed=1, steps=150)
    coloured = board_text(state, colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r" +(?=\n|$)", "", re.sub(r"\x1b\[[0-9;]*m", "", coloured)) == board_text(state)
    assert "\x1b" not in board_text(state)
    assert all(line.count("\x1b[0m") >= 1 for line in coloured.splitlines()[1:])


def test_a_drawn_board_is_that_of_a_game():
    state = BASE.new_state()
    for text in (
        "base.V",
        "place 1,0 0",
        "deploy meeple 1,0 field NL-NR-EL-ER-SL-WR",
        "base.B",
        "place 0,1 0",
    ):
        if text.startswith("base"):
            state.draw(BASE.tile_index(text))
        else:
            state.apply(state.parse_action(text))
    state.apply(state.parse_action("deploy meeple 0,1 monastery"))
    assert board_text(state).splitlines() == [
        "       0      1",
        "    .#####....0...",
        " 0  ----------+...",
        "    ..........|...",
        "    .......",
        " 1  ...M1..",
        "    .......",
    ]
