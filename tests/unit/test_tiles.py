"""The tiles of every box, how tiles turn, and which tiles the rules bring into a game."""

import contextlib
import copy
import pickle
import re
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bastide.tiles
from bastide.errors import RulesError, TileDataError
from bastide.rules import BOXES, PRESETS, Rules
from bastide.tile import EDGES, HALVES, City, Field, Tile, Watchtower, rotate
from bastide.tiles import MAX_PENNANTS, MAX_TILES, TileSet, select

BUILTIN = TileSet.builtin()
FILES = sorted((Path(bastide.tiles.__file__).parent / "data" / "tiles").glob("*.toml"))

# set: tiles, gardens, monasteries, foundations, pennants, fields, city segments, road segments
TOTALS = {
    "base_c1": (72, 0, 6, 0, 10, 126, 49, 62),
    "base_c2c3": (72, 8, 6, 0, 10, 126, 49, 62),
    "tower_c1": (18, 0, 1, 18, 1, 37, 15, 18),
    "tower_c2": (18, 2, 1, 18, 1, 37, 15, 18),
    "watchtowers_c2": (12, 0, 0, 0, 0, 27, 13, 14),
    "watchtowers_c3": (12, 0, 0, 0, 0, 22, 13, 14),
    "watchtowers_c3_g": (12, 0, 0, 0, 0, 22, 13, 14),
    "river_c1": (12, 0, 1, 0, 0, 28, 4, 4),
    "river_c2": (12, 1, 1, 0, 0, 28, 4, 4),
    "river_c3": (12, 1, 2, 0, 0, 30, 4, 5),
    "towers_and_thieves_c31": (18, 2, 1, 6, 1, 34, 14, 16),
    "bridges_and_castles_c31": (16, 1, 2, 0, 0, 33, 12, 14),
}


def in_set(name: str) -> list[Tile]:
    """Return the tiles of a built-in set, each as often as the set has it."""
    return [BUILTIN.tiles[tile_id] for tile_id, count in BUILTIN.sets[name].items() for _ in range(count)]


def ids(rules: Rules, own: TileSet | None = None) -> Counter[str]:
    return Counter({tile.id: count for tile, count in select(rules, own).entries})


def own_set(text: str) -> TileSet:
    return TileSet.loads("format = 1\n" + text, "own.toml")


# The data.


@pytest.mark.parametrize("name", TOTALS)
def test_each_set_has_its_tiles_marks_and_segments(name):
    tiles = in_set(name)
    assert TOTALS[name] == (
        len(tiles),
        sum(tile.garden for tile in tiles),
        sum(tile.monastery for tile in tiles),
        sum(tile.foundation for tile in tiles),
        sum(city.pennants for tile in tiles for city in tile.cities),
        sum(len(tile.fields) for tile in tiles),
        sum(len(tile.cities) for tile in tiles),
        sum(len(tile.roads) for tile in tiles),
    )


def test_the_sets_are_those_that_the_boxes_name():
    named = {name for box in BOXES.values() for name in box.tile_sets.values()}
    assert set(BUILTIN.sets) == set(TOTALS) == named | {"watchtowers_c3_g"}
    assert BUILTIN.start == "base.D"


def test_each_tile_is_defined_once_and_in_a_set():
    defined = Counter(tile["id"] for path in FILES for tile in tomllib.loads(path.read_text())["tile"])
    assert set(defined.values()) == {1}
    assert set(defined) == set(BUILTIN.tiles) == {tile_id for counts in BUILTIN.sets.values() for tile_id in counts}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_files_name_segments_clockwise(path):
    for tile in tomllib.loads(path.read_text())["tile"]:
        read = BUILTIN.tiles[tile["id"]]
        assert [City(city["edges"], city.get("pennants", 0)) for city in tile.get("cities", [])] == list(read.cities)
        assert tile.get("roads", []) == list(read.roads)
        assert tile.get("river", "") == read.river
        fields = [Field(tuple(f["halves"]), tuple(f.get("cities", ()))) for f in tile.get("fields", [])]
        assert fields == list(read.fields)


def test_the_edges_of_the_base_game_are_as_many_as_printed():
    edges = Counter("".join(tile.edges for tile in in_set("base_c1")))
    assert edges == {"C": 79, "R": 94, "F": 115}


def test_the_thieves_have_their_values_h1():
    tiles = in_set("towers_and_thieves_c31")
    assert sorted(tile.thief for tile in tiles if tile.thief) == [2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7]
    assert Counter(tile.pile for tile in tiles) == {"deck": 12, "tower": 5, "river": 1}
    assert all(tile.foundation != bool(tile.thief) for tile in tiles)


def test_the_watchtowers_have_their_values_w4():
    for name in ("watchtowers_c2", "watchtowers_c3", "watchtowers_c3_g"):
        assert Counter(tile.watchtower for tile in in_set(name)) == {
            Watchtower("meeple", 2): 2,
            Watchtower("pennant", 2): 2,
            Watchtower("monastery", 3): 2,
            Watchtower("road", 1): 3,
            Watchtower("city", 1): 3,
        }


def test_four_watchtowers_have_fewer_fields_in_edition_3_w1():
    def n_fields(name):
        return [len(tile.fields) for tile in in_set(name)]

    changed = [(a, b) for a, b in zip(n_fields("watchtowers_c2"), n_fields("watchtowers_c3"), strict=True) if a != b]
    assert changed == [(3, 2), (3, 1), (2, 1), (2, 1)]
    assert set(BUILTIN.sets["watchtowers_c3"]) ^ set(BUILTIN.sets["watchtowers_c3_g"]) == {
        "watch.G",
        "watch.J3",
        "watch.G3",
        "watch.J",
    }


def test_each_river_has_one_spring_and_one_lake_r1():
    for name in ("river_c1", "river_c2", "river_c3"):
        assert [tile.river_role for tile in in_set(name) if tile.river_role] == ["spring", "lake"]
        assert {tile.pile for tile in in_set(name)} == {"river"}


def test_only_jcz_tiles_and_two_pictures_are_in_boxes_of_known_tiles():
    sources = {name: {tile.source for tile in in_set(name)} for name in TOTALS}
    assert sources.pop("towers_and_thieves_c31") == {"reconstruction", "caption", "picture"}
    assert sources.pop("bridges_and_castles_c31") == {"reconstruction", "caption", "picture"}
    assert sources.pop("watchtowers_c3") == sources.pop("watchtowers_c3_g") == {"jcz", "inferred"}
    assert sources.pop("river_c3") == {"jcz", "picture"}
    assert set(map(frozenset, sources.values())) == {frozenset({"jcz"})}


def test_tiles_with_a_counterpart_in_jcz_name_it_once():
    names = [tile.jcz for tile in BUILTIN.tiles.values() if tile.jcz]
    assert len(names) == len(set(names)) == 74
    assert all((tile.source == "jcz") == (tile.jcz is not None) for tile in BUILTIN.tiles.values())
    assert all(tile.note for tile in BUILTIN.tiles.values() if tile.source == "inferred")


# How tiles turn.


def test_a_quarter_turn_takes_n_to_e_and_nl_to_el():
    assert [rotate("N", q) for q in range(5)] == ["N", "E", "S", "W", "N"]
    assert [rotate("NL", q) for q in range(4)] == ["NL", "EL", "SL", "WL"]
    assert [rotate("NR", -q) for q in range(4)] == ["NR", "WR", "SR", "ER"]
    assert rotate("ES", 2) == "NW"
    assert rotate("", 1) == ""


@pytest.mark.parametrize("tile", BUILTIN.tiles.values(), ids=lambda tile: tile.id)
def test_turning_moves_every_edge_and_half_edge(tile):
    for q in range(4):
        turned = tile.rotated(q)
        assert turned.rotated(-q) == tile
        for i, edge in enumerate(EDGES):
            assert turned.edges["NESW".index(rotate(edge, q))] == tile.edges[i]
        contacts = {
            (
                frozenset(rotate(half, q) for half in f.halves),
                frozenset(rotate(tile.cities[i].edges, q) for i in f.cities),
            )
            for f in tile.fields
        }
        assert contacts == {
            (frozenset(f.halves), frozenset(turned.cities[i].edges for i in f.cities)) for f in turned.fields
        }


@pytest.mark.parametrize(
    ("tile_id", "representatives", "mapping"),
    [
        ("base.B", (0,), (0, 0, 0, 0)),
        ("base.C", (0,), (0, 0, 0, 0)),
        ("base.X", (0,), (0, 0, 0, 0)),
        ("base.U", (0, 1), (0, 1, 0, 1)),
        ("base.F", (0, 1), (0, 1, 0, 1)),
        ("base.H", (0, 1), (0, 1, 0, 1)),
        ("tower.F", (0, 1), (0, 1, 0, 1)),
        ("tower.B", (0, 1), (0, 1, 0, 1)),
        ("tower.A", (0, 1), (0, 1, 0, 1)),
        ("tower.D", (0, 1, 2, 3), (0, 1, 2, 3)),
        ("castle.C", (0, 1, 2, 3), (0, 1, 2, 3)),
        ("base.D", (0, 1, 2, 3), (0, 1, 2, 3)),
    ],
)
def test_rotations_that_give_the_same_tile_are_one_b4(tile_id, representatives, mapping):
    assert BUILTIN.tiles[tile_id].rotations() == (representatives, mapping)


def test_pennants_and_field_contacts_tell_rotations_apart_b4():
    halves = tuple(half for half in HALVES if half[0] in "EW")
    cities = (City("N"), City("S"))
    both = Tile("t", "CFCF", cities=cities, fields=(Field(halves, (0, 1)),))
    one_pennant = Tile("t", "CFCF", cities=(City("N", 1), City("S")), fields=(Field(halves, (0, 1)),))
    one_contact = Tile("t", "CFCF", cities=cities, fields=(Field(halves, (0,)),))
    assert both.rotations()[0] == (0, 1)
    assert one_pennant.rotations()[0] == one_contact.rotations()[0] == (0, 1, 2, 3)


# Tile sets.


def test_a_tile_set_is_immutable_and_can_be_copied_and_pickled():
    with pytest.raises(FrozenInstanceError):
        BUILTIN.name = "x"
    with pytest.raises(TypeError):
        BUILTIN.tiles["x"] = BUILTIN.tiles["base.A"]
    with pytest.raises(TypeError):
        BUILTIN.sets["base_c1"]["base.A"] = 5
    for same in (pickle.loads(pickle.dumps(BUILTIN)), copy.copy(BUILTIN), copy.deepcopy(BUILTIN)):
        assert same == BUILTIN
        assert hash(same) == hash(BUILTIN)
    assert TileSet.builtin() is BUILTIN
    assert repr(own_set('[sets.base_c1]\n"base.D" = 1')) == "<TileSet own.toml: 1 tiles, sets base_c1>"


def test_sets_and_tiles_of_an_overlay_replace_those_of_the_same_name():
    tile = f'[[tile]]\nid = "base.B"\nedges = "FFFF"\nfields = [{{ halves = {list(HALVES)} }}]\n'
    own = own_set('start = "base.B"\n[sets.base_c1]\n"base.B" = 3\n' + tile)
    both = BUILTIN.overlaid(own)
    assert both.sets["base_c1"] == {"base.B": 3}
    assert both.sets["base_c2c3"] == BUILTIN.sets["base_c2c3"]
    assert not both.tiles["base.B"].monastery
    assert both.start == "base.B"
    assert both.own == {"base_c1"}
    assert BUILTIN.overlaid(BUILTIN) == TileSet("builtin+builtin", BUILTIN.tiles, BUILTIN.sets, "base.D", frozenset())


def test_the_canonical_form_leaves_out_what_does_not_change_play():
    plain = BUILTIN.tiles["watch.E"].canonical()
    assert plain["watchtower"] == ["pennant", 2]
    assert plain["cities"] == [["N", 0], ["E", 0]]
    assert plain["fields"] == [[["SL"], [1]], [["SR", "WL", "WR"], [0]], [[], [0, 1]]]
    assert not {"note", "source", "jcz"} & set(plain)
    forms = {repr(tile.canonical()) for tile in BUILTIN.tiles.values()}
    assert len(forms) == len(BUILTIN.tiles) == 115


# The tiles of a game.


@pytest.mark.parametrize(
    ("preset", "deck", "river", "tower"),
    [
        ("base", 71, 0, 0),
        ("river", 71, 11, 0),
        ("tower", 89, 0, 0),
        ("black-tower", 89, 0, 0),
        ("thieves", 83, 0, 5),
        ("watchtowers", 83, 0, 0),
        ("bridges-castles", 86, 0, 0),
        ("everything-c1", 72 + 18 + 12 + 15, 12, 0),
        ("everything-c3", 71 + 12 + 12 + 15, 13, 5),
    ],
)
def test_each_preset_has_its_number_of_tiles_a_pile(preset, deck, river, tower):
    picked = select(Rules.preset(preset))
    piles = Counter()
    for tile, count in picked.entries:
        piles[tile.pile] += count
    assert (piles["deck"], piles["river"], piles["tower"]) == (deck, river, tower)
    assert picked.n_tiles == 1 + deck + river + tower
    assert set(PRESETS) >= {preset}


def test_one_start_tile_lies_outside_the_deck_b2():
    picked = select(Rules())
    assert picked.start.id == "base.D"
    assert ids(Rules())["base.D"] == 3


def test_the_spring_is_the_start_tile_of_the_river_r1():
    assert select(Rules(boxes=("river",), edition="c1")).start.id == "river.A"
    assert select(Rules(boxes=("river",))).start.id == "river.A3"
    assert "river.A3" not in ids(Rules(boxes=("river",)))
    assert ids(Rules(boxes=("river",)))["river.L3"] == 1


def test_river_start_tile_says_where_the_base_start_tile_goes_r1():
    river = ("river",)
    assert ids(Rules(boxes=river))["base.D"] == 3
    assert ids(Rules(boxes=river, river_start_tile="deck"))["base.D"] == 4
    assert ids(Rules(boxes=river, edition="c1"))["base.D"] == 4
    assert ids(Rules(boxes=river, edition="c1", river_start_tile="out"))["base.D"] == 3


def test_river_tiles_of_other_boxes_are_used_with_the_river_only_r5():
    boxes = ("thieves", "bridges-castles")
    assert not {"thief.A", "castle.P"} & set(ids(Rules(boxes=boxes)))
    assert {"thief.A", "castle.P"} <= set(ids(Rules(boxes=("river", *boxes))))


def test_edition_picks_the_sets():
    boxes = ("river", "tower", "watchtowers")
    assert Rules(boxes=boxes).tile_sets == {
        "base": "base_c1",
        "river": "river_c1",
        "tower": "tower_c1",
        "watchtowers": "watchtowers_c2",
    }
    for edition in ("c2", "c3"):
        assert Rules(boxes=boxes, edition=edition).tile_sets == {
            "base": "base_c2c3",
            "river": f"river_{edition}",
            "tower": "tower_c2",
            "watchtowers": f"watchtowers_{edition}",
        }
    assert Rules(boxes=("thieves",), edition="c1").tile_sets["thieves"] == "towers_and_thieves_c31"


def test_watchtower_c3_tile_picks_j_or_g_w1():
    assert {"watch.G", "watch.J3"} <= set(ids(Rules(boxes=("watchtowers",))))
    assert {"watch.G3", "watch.J"} <= set(ids(Rules(boxes=("watchtowers",), watchtower_c3_tile="G")))


def test_copies_multiply_the_tiles_but_not_the_start_tile_b14():
    once, twice = ids(Rules()), ids(Rules(copies=2))
    assert twice.total() == 143
    assert all(twice[i] == 2 * n + (i == "base.D") for i, n in once.items())
    assert ids(Rules(boxes=("tower",), copies={"tower": 3})).total() == 71 + 54
    both = ids(Rules(boxes=("river", "thieves"), copies={"thieves": 2}))
    assert (both["thief.A"], both["river.D"], both["base.D"]) == (2, 2, 3)


def test_entries_come_box_by_box_in_the_order_of_the_sets():
    rules = Rules(boxes=("watchtowers", "river"))
    expected = [*BUILTIN.sets["base_c2c3"], *BUILTIN.sets["river_c3"], *BUILTIN.sets["watchtowers_c3"]]
    expected.remove("river.A3")
    assert [tile.id for tile, _ in select(rules).entries] == expected


def test_more_than_1000_tiles_are_too_many_b14():
    boxes = ("tower", "watchtowers", "bridges-castles")
    with pytest.raises(
        RulesError, match=r"gives 1170 tiles in all \(expected at most 1000, B14\): choose fewer copies"
    ):
        select(Rules(boxes=boxes, copies=10))
    assert select(Rules(copies=10)).n_tiles == 720
    assert select(Rules(copies=10), own_set('[sets.base_c2c3]\n"base.D" = 100')).n_tiles == MAX_TILES
    with pytest.raises(
        TileDataError, match=re.escape("own.toml: the game has 1001 tiles in all (expected at most 1000)")
    ):
        select(Rules(), own_set('[sets.base_c2c3]\n"base.D" = 1000\n"base.A" = 1'))


def test_more_than_4000_city_segments_and_pennants_are_too_many():
    text = '[sets.base_c2c3]\n"base.D" = 1\nx = {}\n[[tile]]\nid = "x"\nedges = "CCCC"\n'
    text += 'cities = [{{ edges = "NESW", pennants = 9 }}]'
    assert select(Rules(), own_set(text.format(399))).n_tiles == MAX_PENNANTS // 10
    with pytest.raises(
        TileDataError, match=r"the game has 4001 city segments and pennants in all \(expected at most 4000"
    ):
        select(Rules(), own_set(text.format(400)))


# Own tiles.


def test_own_sets_replace_built_in_ones():
    own = own_set('[sets.tower_c1]\n"tower.A" = 2\n')
    assert ids(Rules(boxes=("tower",)), own).total() == 73


def test_a_tile_of_several_sets_is_one_entry():
    own = own_set('[sets.tower_c1]\n"base.A" = 2\n"base.D" = 1\n')
    picked = select(Rules(boxes=("tower",)), own)
    found = ids(Rules(boxes=("tower",)), own)
    assert (found["base.A"], found["base.D"]) == (4, 4)
    assert len(picked.entries) == len(found) == 24


def test_an_own_start_tile_is_one_of_its_base_set_b2():
    own = own_set('start = "base.B"\n[sets.base_c2c3]\n"base.B" = 1\n"base.A" = 2\n')
    picked = select(Rules(), own)
    assert (picked.start.id, ids(Rules(), own)) == ("base.B", {"base.A": 2})
    assert picked.canonical()["start"] == BUILTIN.tiles["base.B"].canonical()


def test_no_base_start_tile_is_needed_where_the_river_leaves_it_in_the_deck_r1():
    own = own_set('[sets.base_c2c3]\n"base.A" = 2\n')
    rules = Rules(boxes=("river",), river_start_tile="deck")
    assert ids(rules, own)["base.A"] == 2
    with pytest.raises(TileDataError, match=r"the start tile base\.D is not in it"):
        select(Rules(boxes=("river",)), own)


END = """
[[tile]]
id = "end"
edges = "VFFF"
river = "N"
river_role = "{}"
pile = "river"
fields = [{{ halves = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"] }}]
"""

OWN_FAULTS = {
    "set not used": (
        ("tower",),
        '[sets.base_c2c3]\n"base.D" = 1\n',
        "own.toml: set 'base_c2c3' is not used by these rules (expected base_c1, tower_c1)",
    ),
    "unknown set": ((), '[sets.base]\n"base.D" = 1\n', "own.toml: set 'base' is not used by these rules"),
    "no start tile": (
        (),
        '[sets.base_c2c3]\n"base.A" = 1\n',
        "own.toml: set 'base_c2c3': the start tile base.D is not in it (expected it there, or start = another one)",
    ),
    "start elsewhere": (
        ("tower",),
        'start = "tower.A"\n[sets.tower_c1]\n"tower.A" = 1\n',
        "own.toml: set 'base_c1': the start tile tower.A is not in it",
    ),
    "start in another pile": (
        ("river",),
        'start = "river.D"\n[sets.base_c2c3]\n"river.D" = 1\n',
        "own.toml: tile river.D: pile 'river' of the start tile (expected a tile of the deck)",
    ),
    "no spring": (
        ("river",),
        '[sets.river_c3]\n"river.L" = 1\n',
        "own.toml: set 'river_c3': there are 0 tiles with river_role 'spring' (expected just one)",
    ),
    "two springs": (
        ("river",),
        '[sets.river_c3]\n"river.A" = 1\n"river.L" = 1\nend = 1' + END.format("spring"),
        "own.toml: set 'river_c3': there are 2 tiles with river_role 'spring' (expected just one)",
    ),
    "two lakes": (
        ("river",),
        '[sets.river_c3]\n"river.A" = 1\n"river.L" = 2\n',
        "own.toml: set 'river_c3': there are 2 tiles with river_role 'lake' (expected just one)",
    ),
    "lake in the base set": (
        ("river",),
        '[sets.base_c2c3]\n"base.D" = 1\nend = 1' + END.format("lake"),
        "own.toml: tile end: river_role 'lake' in a set of the box 'base' (expected one of the river)",
    ),
    "tower pile without its box": (
        (),
        '[sets.base_c2c3]\n"base.D" = 1\n"thief.B" = 1\n',
        "own.toml: tile thief.B: pile 'tower' without the box 'thieves' (expected the deck, or that box in play)",
    ),
}


@pytest.mark.parametrize(("boxes", "text", "message"), OWN_FAULTS.values(), ids=OWN_FAULTS)
def test_own_tiles_that_do_not_suit_the_rules_are_refused(boxes, text, message):
    with pytest.raises(TileDataError) as caught:
        select(Rules(boxes=boxes), own_set(text))
    assert str(caught.value).startswith(message)


@st.composite
def tile_tables(draw):
    """Return edges, segments and fields of a random sound tile, in random order, as a [[tile]] table."""
    edges = draw(st.text("CRF", min_size=4, max_size=4))

    def parts(items, at_most):
        groups = {}
        for item in items:
            groups.setdefault(draw(st.integers(0, at_most)), []).append(item)
        return [draw(st.permutations(group)) for group in draw(st.permutations(list(groups.values())))]

    cities = parts([edge for edge, t in zip(EDGES, edges, strict=True) if t == "C"], 3)
    roads = parts([edge for edge, t in zip(EDGES, edges, strict=True) if t == "R"], 3)
    fields = parts([half for half in HALVES if edges[EDGES.index(half[0])] != "C"], 3)
    touched = st.lists(st.integers(0, len(cities) - 1), unique=True) if cities else st.just([])
    quoted = [f"{{ halves = {list(halves)}, cities = {draw(touched)} }}" for halves in fields]
    towns = [f'{{ edges = "{"".join(city)}", pennants = {draw(st.integers(0, 9))} }}' for city in cities]
    return (
        f'[[tile]]\nid = "x"\nedges = "{edges}"\ncities = [{", ".join(towns)}]\n'
        f"roads = {[''.join(road) for road in roads]}\nfields = [{', '.join(quoted)}]\n"
    )


@given(tile_tables())
def test_any_sound_own_tile_is_read_and_turns(table):
    own = own_set('start = "x"\n[sets.base_c2c3]\nx = 2\n' + table)
    picked = select(Rules(), own)
    assert picked.entries == ((picked.start, 1),)
    turned = [picked.start.rotated(q) for q in range(5)]
    assert turned[4] == turned[0]
    representatives, mapping = picked.start.rotations()
    assert representatives in {(0,), (0, 1), (0, 1, 2, 3)}
    assert all(turned[mapping[q]] == turned[q] and mapping[q] <= q for q in range(4))
    assert {turned[q].canonical()["edges"] for q in range(4)} == {turned[q].edges for q in representatives}


@given(st.text() | st.text('[]{}="\n.,0123456789tileshaformNESWLR', max_size=200))
def test_no_text_makes_reading_fail_in_another_way(text):
    for start in ("", "format = 1\n", 'format = 1\n[sets.s]\nx = 1\n[[tile]]\nid = "x"\n'):
        with contextlib.suppress(TileDataError):
            TileSet.loads(start + text)


def test_importing_the_tiles_does_not_import_numpy():
    code = "import sys, bastide.tiles, bastide.rules; sys.exit('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(Path(bastide.tiles.__file__).parents[1])}
    )
    assert done.returncode == 0
