"""Where things on a tile are drawn agrees with what its data says."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bastide import Game, Rules, TileSet
from bastide.render.atlas import atlas
from bastide.render.curves import CELLS, areas, outline, path_text, sampled, turn
from bastide.render.layout import half_cell, layout
from bastide.render.terrain import drawing
from bastide.render.ways import middle_of
from bastide.tile import EDGES, City, Field, Tile

TILES = list(TileSet.builtin().tiles.values())
ALL_TILES = pytest.mark.parametrize("tile", TILES, ids=[tile.id for tile in TILES])


def fields_of(tile):
    """Return the cells of each field."""
    return layout(tile).ground[len(tile.cities) + len(tile.roads) :]


@ALL_TILES
def test_each_field_is_one_piece_apart_from_the_others(tile):
    fields = fields_of(tile)
    assert [len(areas(ground)) for ground in fields] == [1] * len(tile.fields)
    for one, other in itertools.combinations(fields, 2):
        assert not (one & other).any()


@ALL_TILES
def test_each_field_lies_at_its_half_edges(tile):
    for part, ground in zip(tile.fields, fields_of(tile), strict=True):
        assert all(ground[half_cell(half)] for half in part.halves)


@ALL_TILES
def test_what_runs_to_an_edge_meets_its_middle_at_a_right_angle(tile):
    """So that it goes on across the edge, whatever the tile beside it."""
    ways = layout(tile).ways
    lines = [*zip(tile.roads, ways.roads, strict=True), *([(tile.river, ways.river)] if tile.river else [])]
    for edges, path in lines:
        ends = [(path[0][0], path[1][0]), (path[-1][-1], path[-1][-2])]
        for edge, (end, before) in zip(edges, ends, strict=False):
            assert end == middle_of(edge)
            along = 1j if edge in "EW" else 1
            assert abs(((before - end) / along).real) < 1e-9


@ALL_TILES
def test_a_city_reaches_along_the_whole_of_its_edges_and_no_others(tile):
    for city, ground in zip(tile.cities, layout(tile).ground, strict=False):
        rims = {"N": ground[0], "E": ground[:, -1], "S": ground[-1], "W": ground[:, 0]}
        for edge, rim in rims.items():
            middle = rim[4:-4]
            assert middle.all() if edge in city.edges else not middle.any()


@ALL_TILES
def test_figures_stand_on_their_segments_and_apart(tile):
    plan = layout(tile)
    assert len(plan.regions) == tile.n_segments
    for region, ground in zip(plan.regions, plan.ground, strict=False):
        assert np.abs(CELLS[ground] - region.spot).min() < 2.5
    spots = [region.spot for region in plan.regions]
    assert all(abs(one - other) > 9 for one, other in itertools.combinations(spots, 2))


@ALL_TILES
def test_everything_of_a_tile_stands_on_it(tile):
    items = layout(tile).items
    kinds = sorted(item.kind for item in items)
    names = [name for name in ("monastery", "garden", "foundation", "thief", "watchtower") if getattr(tile, name)]
    assert kinds == sorted([*names, *["pennant"] * sum(city.pennants for city in tile.cities)])
    for item in items:
        assert 8 < item.at.real < 92
        assert 8 < item.at.imag < 92
    for one, other in itertools.combinations(items, 2):
        assert abs(one.at - other.at) > 8


@ALL_TILES
def test_a_drawing_is_the_same_each_time_and_upright_when_turned(tile):
    first = [drawing(tile, q) for q in range(4)]
    drawing.cache_clear()
    assert [drawing(tile, q) for q in range(4)] == first
    assert len({text.count("<use") for _, text in first}) == 1
    assert not any("rotate" in text for _, text in first)


SHAPES = st.tuples(*[st.sampled_from("CRF") for _ in EDGES]).map("".join)


@settings(max_examples=60, deadline=None)
@given(SHAPES, st.randoms(use_true_random=False))
def test_a_tile_of_any_shape_can_be_drawn(edges, rng):
    """Edges joined in any way, also such as no printed tile has."""

    def parts(terrain):
        of = [edge for edge, letter in zip(EDGES, edges, strict=True) if letter == terrain]
        groups = {}
        for edge in of:
            groups.setdefault(rng.randrange(2), []).append(edge)
        return ["".join(group) for group in groups.values()]

    cities = tuple(City(part, rng.randrange(3)) for part in parts("C"))
    halves = tuple(edge + side for edge in EDGES for side in "LR" if edges[EDGES.index(edge)] != "C")
    cut = rng.randrange(len(halves) + 1)
    fields = tuple(Field(part, tuple(range(len(cities)))) for part in (halves[:cut], halves[cut:]) if part)
    tile = Tile("own", edges, cities, tuple(parts("R")), "", fields, monastery=rng.random() < 0.3, foundation=True)
    assert len(layout(tile).regions) == tile.n_segments
    for q in range(4):
        assert not re.search(r"\b(nan|inf)\b", "".join(drawing(tile, q)))


def test_segments_that_touch_no_edge_can_be_drawn():
    tile = Tile("own", "FFFF", (City("", 1),), ("",), "", (Field((), (0,)),))
    assert len(layout(tile).regions) == 3
    assert "bs-c" in drawing(tile, 0)[1]


def test_farmers_stand_beside_a_bridge_not_on_it():
    game = Game(Rules.preset("bridges-castles"))
    drawn = atlas(game)
    n = 0
    for number, (index, axis, _) in enumerate(game._types):
        for q in range(4):
            if axis is None:
                continue
            sheet, plain = drawn.sheet(number, q), drawn.sheet(index, q)
            assert sheet.id == plain.id
            for area in sheet.areas:
                off = area.spot.real - 50 if (axis + q) % 2 == 0 else area.spot.imag - 50
                assert area.kind != "field" or abs(off) > 15
                n += area.kind == "field"
    assert n > 50


# -- curves


def test_a_turn_is_clockwise():
    assert [turn(50 + 0j, q) for q in range(5)] == [50, 100 + 50j, 50 + 100j, 50j, 50]


def test_a_path_is_sampled_from_its_first_to_its_last_point():
    points = sampled([(0j,), (10 + 0j,), (10 + 5j, 15 + 10j, 20 + 10j)])
    assert (points[0], points[1], points[-1]) == (0, 10, 20 + 10j)
    assert len(points) == 18


def test_an_outline_of_a_slanted_area_has_few_corners_and_its_size():
    mask = CELLS.real + CELLS.imag < 100
    (path,) = outline(mask)
    points = np.array([point for (point,) in path])
    size = 0.5 * abs((points * np.roll(points, -1).conj()).imag.sum())
    assert len(path) < 8
    assert size == pytest.approx(5000, rel=0.05)


def test_an_area_with_a_hole_has_two_borders():
    mask = np.abs(CELLS - (50 + 50j)) < 40
    assert len(outline(mask & (np.abs(CELLS - (50 + 50j)) > 15))) == 2


def test_numbers_of_a_path_are_short():
    assert path_text([(1 / 3 + 2j,), (3 + 4.04j,)], 0, closed=True) == "M0.3 2L3 4Z"
