"""Boards as SVG documents: what is in the position is in the picture."""

import itertools
import re
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from games import position, walk

from bastide import BastideError, Game, Rules, TileSet
from bastide.render.atlas import atlas
from bastide.render.palette import PLAYERS, on_colour
from bastide.render.png import png
from bastide.render.scene import owners, pieces
from bastide.render.svg import board_svg, tile_svg

TILES = list(TileSet.builtin().tiles.values())
SVG = "{http://www.w3.org/2000/svg}"
PRESETS = ("base", "everything-c1", "everything-c3")
GAMES = {name: Game(Rules.preset(name, players=4)) for name in PRESETS}


def elements(svg):
    """Return the root of a document, checked to refer to nothing but its own parts, each once."""
    root = ET.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in root.iter():
        for name, value in element.attrib.items():
            if name.rpartition("}")[2] in ("href", "src"):
                assert value.removeprefix("#") in ids
            assert "url(" not in value
    assert not root.findall(f".//{SVG}text")  # no font is needed
    return root


def uses(root, glyph):
    """Return how often a glyph is drawn on the board, outside the definitions."""
    drawn = [use for part in root if part.tag != f"{SVG}defs" for use in part.iter(f"{SVG}use")]
    return sum(use.get("href") == f"#bs-{glyph}" for use in drawn)


@pytest.mark.parametrize("name", PRESETS)
def test_tiles_figures_towers_and_buildings_of_a_board_are_drawn(name):
    game = GAMES[name]
    for steps in (60, 200, 10_000):
        state = position(game, seed=3, steps=steps)
        root = elements(board_svg(state, legal=False))
        sheets = [
            use.get("href") for use in root.iter(f"{SVG}use") if re.fullmatch(r"#bs-[0-9a-f]{10}a", use.get("href"))
        ]
        assert len(sheets) == len(state.board)
        drawn = sum(uses(root, f"{kind}{p}") for kind in ("meeple", "abbot", "maiden", "farmer") for p in range(4))
        assert drawn == len(state.figures)
        assert uses(root, "castle") == len(state._castles())
        assert uses(root, "barn") == sum(figure.place == "barn" for figure in state.figures)
        found = pieces(state)
        assert sum(key.startswith("bridge") for key in found) == sum(tile.bridge is not None for tile in state.board)
        assert sum(key.startswith("tower") for key in found) == sum(bool(tile.floors) for tile in state.board)


def test_farmers_lie_and_others_stand():
    state = position(GAMES["base"], seed=3, steps=90)
    root = elements(board_svg(state, legal=False))
    farmers = [figure for figure in state.figures if figure.place.startswith("field")]
    assert farmers
    assert sum(uses(root, f"farmer{p}") for p in range(4)) == len(farmers)
    assert sum(uses(root, f"meeple{p}") for p in range(4)) == len(state.figures) - len(farmers)


def test_the_height_of_a_tower_can_be_read():
    game = Game(Rules.preset("tower", players=2))
    heights = set()
    for state in walk(game, seed=5):
        for tile in state.board:
            if tile.floors:
                heights.add(len(tile.floors))
                (drawn,) = [
                    text for key, (_, text) in pieces(state).items() if key.startswith(f"tower {tile.x},{tile.y} ")
                ]
                digits = re.findall(r'href="#bs-n(\d)"', drawn)
                assert "".join(digits) == str(len(tile.floors))
                assert drawn.count("<path") == len(tile.floors)
    assert len(heights) > 2


def test_the_tile_placed_last_has_a_frame():
    state = position(GAMES["base"], steps=50)
    last = state.board[-1]
    frame = f'<rect x="{100 * last.x + 1.5:g}" y="{100 * last.y + 1.5:g}" width="97"'
    assert frame in board_svg(state)
    assert frame not in board_svg(state, last=False)


def test_the_cells_for_a_drawn_tile_are_shown_with_its_rotations():
    seen = 0
    for state in itertools.islice(walk(GAMES["everything-c1"], seed=2), 120):
        if state.phase != "place":
            continue
        places = [state.action_text(action).split() for action in state.legal_actions()]
        cells = {cell for _, cell, *_ in places}
        turns = {(cell, rotation) for _, cell, rotation, *_ in places}
        svg = board_svg(state)
        assert svg.count('stroke-dasharray="6 5"') == len(cells)
        assert svg.count("M43 22L50 12L57 22") == len(turns)
        assert 'stroke-dasharray="6 5"' not in board_svg(state, legal=False)
        seen += 1
    assert seen > 20


def test_figures_that_may_be_deployed_are_pale():
    seen = set()
    for name in PRESETS:
        for state in itertools.islice(walk(GAMES[name], seed=4), 250):
            if state.phase == "figure":
                texts = [state.action_text(action) for action in state.legal_actions()]
                wanted = [text for text in texts if text.startswith(("deploy", "tower ", "watchman"))]
                assert board_svg(state).count('opacity=".55"') == len(wanted)
                seen |= {text.split()[0] for text in wanted}
    assert seen == {"deploy", "tower", "watchman"}


def test_owned_features_have_the_colour_of_the_majority():
    state = position(GAMES["base"], seed=3, steps=120)
    plain = board_svg(state, owned=False, legal=False)
    root = elements(board_svg(state, legal=False))
    owned = owners(state)
    features = {frozenset(f.segments): f for f in state.features()}
    for _, best, members in owned:
        placed = state.board
        segments = frozenset(
            (placed[i].x, placed[i].y, state.game._spots[placed[i].tile][placed[i].rotation // 90][k])
            for i, k in members
        )
        figures = features[segments].figures
        counts = {p: sum(figure.owner == p for figure in figures) for p in range(4)}
        assert best == tuple(p for p in range(4) if counts[p] == max(counts.values()))
    tints = [part for part in root if part.get("fill-opacity") or part.get("stroke-opacity")]
    assert sum(len(part) for part in tints) == sum(len(members) for _, _, members in owned)
    assert {part.get("fill") or part.get("stroke") for part in tints} <= {*PLAYERS[:4], "none"}
    assert "fill-opacity" not in plain


def test_coordinates_stand_at_the_rows_and_columns():
    state = position(GAMES["base"], seed=3, steps=60)
    svg = board_svg(state, legal=False)
    xs = {tile.x for tile in state.board}
    shown = svg.count('class="bs-n" style="stroke:#7a6a54"')
    columns, rows = max(xs) - min(xs) + 1, len({tile.y for tile in state.board})
    assert shown == columns + rows
    assert "#7a6a54" not in board_svg(state, coordinates=False, legal=False)


def test_a_board_tells_those_who_cannot_see_it():
    state = position(GAMES["base"], seed=3, steps=60)
    label = elements(state.to_svg()).get("aria-label")
    assert label.startswith(f"Board of {len(state.board)} tiles")
    assert f"player 0 has {state.scores[0]}" in label


def test_a_notebook_shows_the_board():
    state = GAMES["base"].new_state()
    svg = state._repr_svg_()
    assert elements(svg).get("width") == "720"
    assert svg == state.to_svg(width=720)


@pytest.mark.parametrize("width", [0, -5, 2.5, "wide", True])
def test_a_width_that_cannot_be_is_refused(width):
    with pytest.raises(BastideError, match="pixels wide"):
        GAMES["base"].new_state().to_svg(width=width)


def test_the_same_name_means_the_same_drawing_in_all_documents():
    """So that boards of several games can stand in one document."""
    drawings = {}
    for name in PRESETS:
        for seed in (1, 2):
            for group in elements(board_svg(position(GAMES[name], seed, steps=10_000))).iter(f"{SVG}g"):
                if group.get("id"):
                    text = ET.tostring(group)
                    assert drawings.setdefault(group.get("id"), text) == text
    assert len(drawings) > 200


def test_a_position_is_drawn_without_a_change_of_it():
    state = position(GAMES["everything-c1"], seed=2, steps=100)
    before = state.to_bytes()
    assert board_svg(state) == board_svg(state.copy())
    assert state.to_bytes() == before


def test_a_board_of_72_tiles_takes_at_most_two_milliseconds():
    state = position(Game(Rules(players=2)), steps=10_000)
    assert len(state.board) == 72
    board_svg(state)  # draws the tiles
    seconds = []
    for _ in range(200):
        before = time.thread_time()
        board_svg(state)
        seconds.append(time.thread_time() - before)
    assert min(seconds) < 0.002


@pytest.mark.parametrize("tile", TILES, ids=[tile.id for tile in TILES])
def test_a_tile_alone_is_a_document_of_its_own(tile):
    for rotation in (0, 90, 180, 270):
        root = elements(tile_svg(tile, rotation))
        assert uses(root, "pennant") == sum(city.pennants for city in tile.cities)
        for glyph in ("monastery", "garden", "foundation", "watchtower", "thief"):
            assert uses(root, glyph) == bool(getattr(tile, glyph))
        if tile.watchtower is not None:
            assert uses(root, f"i-{tile.watchtower.subject}") == 1
            assert uses(root, f"n{tile.watchtower.points}") == 1
        if tile.thief:
            assert uses(root, f"n{tile.thief}") == 1
    assert root.get("aria-label") == f"tile {tile.id}, source {tile.source}"


def test_the_pictures_of_the_documentation_are_those_of_this_program_and_small():
    folder = Path(__file__).parents[2] / "docs" / "pictures"
    drawn = {tile.id: tile_svg(tile) + "\n" for tile in TILES}
    pictures = list(folder.iterdir())
    assert all(path.stat().st_size < 100_000 for path in pictures)
    shown = {path.stem: path.read_text() for path in pictures if path.stem in drawn}
    assert len(shown) == 8
    assert all(drawn[tile_id] == text for tile_id, text in shown.items())
    board = elements((folder / "board.svg").read_text())
    atlas_of_game = atlas(Game(Rules.preset("everything-c3", players=3)))
    known = {atlas_of_game.sheet(number, q).id for number in range(len(atlas_of_game._types)) for q in range(4)}
    names = {
        group.get("id")[:-1]
        for group in board.iter(f"{SVG}g")
        if re.fullmatch(r"bs-[0-9a-f]{10}[ga]", group.get("id", ""))
    }
    assert len(names) > 20
    assert names <= known


# -- colours

# Machado, Oliveira and Fernandes (2009): colours as the colour-blind see them, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour):
    colour = colour if len(colour) == 7 else "#" + "".join(2 * c for c in colour[1:])
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """Return a linear RGB colour in CIE L*a*b*."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    f = np.cbrt(xyz / [0.9505, 1, 1.089])
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
def test_players_can_be_told_apart_by_their_colours(sight):
    seen = [lab(np.array(SIGHT[sight]) @ linear(colour)) for colour in PLAYERS]
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(one - other) > 25


@pytest.mark.parametrize("player", range(6))
def test_the_number_on_a_figure_can_be_read(player):
    weights = [0.2126, 0.7152, 0.0722]
    light, dark = sorted((linear(c) @ weights for c in (PLAYERS[player], on_colour(player))), reverse=True)
    assert (light + 0.05) / (dark + 0.05) > 3.5


# -- PNG


def test_a_png_has_the_width_asked_for():
    data = png(GAMES["base"].new_state().to_svg(), 321)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(data[16:20], "big") == 321


@pytest.mark.parametrize("width", [0, 15, 10_001, 3.5, True])
def test_a_png_of_an_impossible_width_is_refused(width):
    with pytest.raises(BastideError, match="pixels wide"):
        png(GAMES["base"].new_state().to_svg(), width)


def test_without_resvg_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(BastideError, match=r"pip install 'bastide\[png\]'"):
        png("<svg/>")
