"""Every fault of a tile file, with the message it must give."""

import os

import pytest

from bastide.errors import TileDataError
from bastide.tile import City, Field, Watchtower
from bastide.tilefile import MAX_FILE_BYTES
from bastide.tiles import TileSet

ROAD = """
edges = "FRFR"
roads = ["EW"]
fields = [{ halves = ["NL", "NR", "EL", "WR"] }, { halves = ["ER", "SL", "SR", "WL"] }]
"""
CITY = """
edges = "CFCF"
cities = [{ edges = "N", pennants = 1 }, { edges = "S" }]
fields = [{ halves = ["EL", "ER", "WL", "WR"], cities = [0, 1] }]
"""
RIVER = """
edges = "FVFV"
river = "EW"
pile = "river"
fields = [{ halves = ["NL", "NR", "EL", "WR"] }, { halves = ["ER", "SL", "SR", "WL"] }]
"""
CASTLE = 'edges = "CCCC"\ncities = [{ edges = "N" }, { edges = "E" }, { edges = "S" }, { edges = "W" }]\n'
HEAD = 'format = 1\n[sets.base_c2c3]\n"x" = 1\n'


def file_of(tile: str, head: str = HEAD) -> str:
    """Return a file with one tile, named x, that the set of the head holds."""
    return f'{head}[[tile]]\nid = "x"\n{tile}'


def fault(text: str) -> str:
    with pytest.raises(TileDataError) as caught:
        TileSet.loads(text, "own.toml")
    return str(caught.value)


def test_a_tile_file_says_what_its_tiles_and_sets_are():
    text = file_of(
        """
edges = "CRFC"
cities = [{ edges = "WN", pennants = 2 }]
roads = ["E"]
fields = [{ halves = ["SR", "ER", "SL"], cities = [0] }, { halves = ["EL"] }]
monastery = true
foundation = true
thief = 4
watchtower = { subject = "road", points = 1 }
jcz = "XX/a"
source = "picture"
note = "a note"
"""
    )
    own = TileSet.loads(text, "own.toml")
    tile = own.tiles["x"]
    assert (own.name, own.start, dict(own.sets["base_c2c3"])) == ("own.toml", None, {"x": 1})
    assert tile.cities == (City("NW", 2),)
    assert tile.fields == (Field(("EL",)), Field(("ER", "SL", "SR"), (0,)))
    assert tile.watchtower == Watchtower("road", 1)
    assert (tile.monastery, tile.garden, tile.foundation, tile.thief) == (True, False, True, 4)
    assert (tile.jcz, tile.source, tile.note, tile.pile) == ("XX/a", "picture", "a note", "deck")


def test_the_order_in_which_a_file_names_segments_does_not_matter():
    one = file_of(CASTLE + "fields = [{ halves = [], cities = [0, 1] }]")
    other = file_of(
        """
edges = "CCCC"
cities = [{ edges = "W" }, { edges = "S" }, { edges = "E" }, { edges = "N" }]
fields = [{ halves = [], cities = [2, 3] }]
"""
    )
    assert TileSet.loads(one).tiles == TileSet.loads(other).tiles


def test_a_set_may_name_built_in_tiles_without_defining_them():
    own = TileSet.loads('format = 1\n[sets.base_c1]\n"base.D" = 1\n"base.X" = 2\n')
    assert list(own.tiles) == ["base.D", "base.X"]
    assert own.tiles["base.D"] == TileSet.builtin().tiles["base.D"]


FILE_FAULTS = {
    "not toml": ("format = ", "own.toml: not TOML: Invalid value (at end of document)"),
    "set twice": (HEAD + '[sets.base_c2c3]\n"x" = 1\n', "own.toml: not TOML: Cannot declare"),
    "tile key twice": (file_of('note = ""\nnote = ""'), "own.toml: not TOML: Cannot overwrite a value"),
    "count twice": (HEAD + '"x" = 1\n', "own.toml: not TOML: Cannot overwrite a value"),
    "nested too deeply": ("format = " + "[" * 100_000, "own.toml: not TOML: "),
    "number too long": ("format = " + "9" * 10_000, "own.toml: not TOML: "),
    "no format": ('[sets.s]\n"base.A" = 1', "own.toml: format is missing (expected format = 1)"),
    "other format": ("format = 2", "own.toml: format is 2 (expected format = 1)"),
    "format true": ("format = true", "own.toml: format is True (expected format = 1)"),
    "format float": ("format = 1.0", "own.toml: format is 1.0 (expected format = 1)"),
    "format huge": ("format = 0x" + "f" * 9000, "own.toml: format is <int> (expected format = 1)"),
    "unknown key": (
        'format = 1\ntitle = "t"',
        "own.toml: unknown key 'title' (expected format, box, start, sets, tile)",
    ),
    "box": (
        'format = 1\nbox = "black-tower"',
        "own.toml: unknown box 'black-tower' (expected base, river, tower, thieves, watchtowers, bridges-castles)",
    ),
    "box type": ("format = 1\nbox = 1", "own.toml: box is 1 (expected a text)"),
    "tile not a list": ("format = 1\n[tile]\n", "own.toml: tile is {} (expected a list)"),
    "tile not a table": (
        "format = 1\ntile = [1]",
        'own.toml: tile number 1: there is no id (expected id = "...")',
    ),
    "no sets": (
        "format = 1",
        "own.toml: there is no set (expected at least one [sets.NAME] with tile ids and counts)",
    ),
    "set name": (
        'format = 1\n[sets."a b"]\nx = 1\n',
        "own.toml: set 'a b': the name is not possible (expected 1 to 40 of A-Z a-z 0-9 . _ -)",
    ),
    "empty set": (
        "format = 1\n[sets.s]\n",
        "own.toml: set 's': is {} (expected a table of tile ids with counts)",
    ),
    "set not a table": (
        "format = 1\n[sets]\ns = 3\n",
        "own.toml: set 's': is 3 (expected a table of tile ids with counts)",
    ),
    "unknown tile": (
        "format = 1\n[sets.s]\nnone = 3\n",
        "own.toml: set 's': unknown tile 'none' (expected a tile of this file or of the built-in boxes)",
    ),
    "unquoted id": (
        "format = 1\n[sets.s]\nbase.A = 3\n",
        "own.toml: set 's': unknown tile 'base' (expected a tile of this file or of the built-in boxes)",
    ),
    "start": (
        'format = 1\nstart = "none"\n[sets.s]\n"base.A" = 1\n',
        "own.toml: start names an unknown tile 'none' (expected a tile of this file or of the built-in",
    ),
    "id twice": (
        file_of(ROAD) + '[[tile]]\nid = "x"\n' + ROAD,
        "own.toml: tile x: the id is there twice (expected each tile once)",
    ),
    "no id": (
        HEAD + "[[tile]]\n" + ROAD,
        'own.toml: tile number 1: there is no id (expected id = "...")',
    ),
    "id type": (HEAD + "[[tile]]\nid = 5\n", 'own.toml: tile number 1: there is no id (expected id = "...")'),
    "id characters": (
        HEAD + '[[tile]]\nid = "a/b"\n',
        "own.toml: tile number 1: id 'a/b' is not possible (expected 1 to 40 of A-Z a-z 0-9 . _ -)",
    ),
    "id empty": (
        HEAD + '[[tile]]\nid = ""\n',
        "own.toml: tile number 1: id '' is not possible (expected 1 to 40 of A-Z a-z 0-9 . _ -)",
    ),
    "id with line end": (
        HEAD + '[[tile]]\nid = "x\\n"\n',
        "own.toml: tile number 1: id 'x\\n' is not possible (expected 1 to 40 of A-Z a-z 0-9 . _ -)",
    ),
    "id too long": (
        HEAD + f'[[tile]]\nid = "{"a" * 41}"\n',
        f"own.toml: tile number 1: id '{'a' * 41}' is not possible (expected 1 to 40 of A-Z a-z 0-9 . _ -)",
    ),
}


@pytest.mark.parametrize(("text", "message"), FILE_FAULTS.values(), ids=FILE_FAULTS)
def test_a_fault_of_the_file_is_named(text, message):
    assert fault(text).startswith(message)


@pytest.mark.parametrize("count", ["0", "-1", "1001", "1.0", "true", '"2"', "[1]"])
def test_a_count_is_a_whole_number_from_1_to_1000(count):
    expected = "(expected a whole number from 1 to 1000)"
    message = fault(f'format = 1\n[sets.base_c1]\n"base.A" = {count}\n')
    assert message.startswith("own.toml: set 'base_c1': the count of base.A is ")
    assert message.endswith(expected)


def inner(n: int, cities: str) -> str:
    return f"fields = [{', '.join([f'{{ halves = [], cities = {cities} }}'] * n)}]"


TILE_FAULTS = {
    # keys and types
    ("unknown key", ROAD + "colour = 1"): "unknown key 'colour' (expected id, edges, cities, roads, river, ",
    ("edges type", "edges = 4"): "edges is 4 (expected a text)",
    ("cities type", 'edges = "FFFF"\ncities = "N"'): "cities is 'N' (expected a list)",
    ("monastery type", ROAD + "monastery = 1"): "monastery is 1 (expected true or false)",
    ("garden type", ROAD + 'garden = "yes"'): "garden is 'yes' (expected true or false)",
    ("foundation type", ROAD + "foundation = 0"): "foundation is 0 (expected true or false)",
    ("thief type", ROAD + "thief = true"): "thief is True (expected a whole number)",
    ("thief float", ROAD + "thief = 2.0"): "thief is 2.0 (expected a whole number)",
    ("note type", ROAD + "note = 1979-05-27"): "note is datetime.date(1979, 5, 27) (expected a text)",
    # edges and segments
    ("no edges", ""): "edges is '' (expected four letters N E S W of C city, R road, F field, V river)",
    ("three edges", 'edges = "FFF"'): "edges is 'FFF' (expected four letters",
    ("five edges", 'edges = "FFFFF"'): "edges is 'FFFFF' (expected four letters",
    ("terrain", 'edges = "FFFX"'): "edges is 'FFFX' (expected four letters",
    ("lower case", 'edges = "fffc"'): "edges is 'fffc' (expected four letters",
    (
        "no road",
        ROAD.replace('"EW"', ""),
    ): "the edge E is in no segment (expected a road segment that names it)",
    ("half a road", ROAD.replace('"EW"', '"E"')): "the edge W is in no segment (expected a road segment",
    ("no city", 'edges = "CFFF"'): "the edge N is in no segment (expected a city segment that names it)",
    ("no river", 'edges = "FVFF"'): "the edge E is in no segment (expected a river segment that names it)",
    (
        "road twice",
        ROAD.replace('"EW"', '"EW", "W"'),
    ): "road 'W' names the edge W again (expected each edge in one",
    (
        "edge twice",
        ROAD.replace('"EW"', '"EWE"'),
    ): "road 'EWE' names the edge E again (expected each edge in one",
    ("empty road", ROAD.replace('"EW"', '"EW", ""')): "road is '' (expected the edges it joins, out of NESW)",
    ("road type", ROAD.replace('"EW"', "1")): "road is 1 (expected the edges it joins, out of NESW)",
    ("empty city", CITY.replace('"S"', '""')): "city is '' (expected the edges it joins, out of NESW)",
    (
        "city without edges",
        CITY.replace('edges = "S"', "pennants = 1"),
    ): "city is None (expected the edges it",
    ("empty river", ROAD + 'river = ""'): "river is '' (expected the edges it joins, out of NESW)",
    (
        "unknown edge",
        ROAD.replace('"EW"', '"EX"'),
    ): "road 'EX' names an unknown edge 'X' (expected edges out of",
    (
        "road on field",
        ROAD.replace('"EW"', '"NEW"'),
    ): "road 'NEW' names the edge N, a field (expected a road)",
    ("city on field", CITY.replace('"S"', '"SE"')): "city 'SE' names the edge E, a field (expected a city)",
    ("river on road", ROAD + 'river = "E"'): "river 'E' names the edge E, a road (expected a river)",
    ("city type", 'edges = "CFFF"\ncities = ["N"]'): "city: is 'N' (expected a table)",
    (
        "city key",
        CITY.replace("pennants", "shields"),
    ): "city: unknown key 'shields' (expected edges, pennants)",
    ("pennants type", CITY.replace("= 1", "= true")): "city: pennants is True (expected a whole number)",
    ("pennants below 0", CITY.replace("= 1", "= -1")): "pennants is -1 (expected a whole number from 0 to 9)",
    ("pennants above 9", CITY.replace("= 1", "= 10")): "pennants is 10 (expected a whole number from 0 to 9)",
    # fields
    ("no field", 'edges = "FFFF"'): "the half-edge NL is in no field (expected a field that names it)",
    ("road half left out", ROAD.replace('"EL", ', "")): "the half-edge EL is in no field",
    ("river half left out", RIVER.replace('"ER", ', "")): "the half-edge ER is in no field",
    ("field half left out", CITY.replace('"ER", ', "")): "the half-edge ER is in no field",
    (
        "half in two fields",
        ROAD.replace('"EL"', '"EL", "ER"'),
    ): "a field names ER again (expected each half-edge in",
    (
        "half twice",
        ROAD.replace('"EL"', '"EL", "EL"'),
    ): "a field names EL again (expected each half-edge in one",
    (
        "city half",
        CITY.replace('"EL"', '"NR", "EL"'),
    ): "a field names NR, half of a city edge (expected half-edges",
    (
        "unknown half",
        ROAD.replace('"EL"', '"LE"'),
    ): "a field names an unknown half-edge 'LE' (expected some of NL NR",
    ("half type", ROAD.replace('"EL"', "1")): "a field names an unknown half-edge 1 (expected some of NL NR",
    (
        "unknown city",
        CITY.replace("[0, 1]", "[0, 2]"),
    ): "a field touches an unknown city 2 (expected an index below 2",
    (
        "negative city",
        CITY.replace("[0, 1]", "[-1]"),
    ): "a field touches an unknown city -1 (expected an index",
    (
        "city index type",
        CITY.replace("[0, 1]", "[true]"),
    ): "a field touches an unknown city True (expected an",
    (
        "city touched twice",
        CITY.replace("[0, 1]", "[1, 1]"),
    ): "a field touches a city twice: [1, 1] (expected each",
    (
        "no halves",
        CITY.replace('halves = ["EL", "ER", "WL", "WR"], ', ""),
    ): "a field has no halves (expected halves =",
    ("field type", 'edges = "FFFF"\nfields = [["NL"]]'): "field: is ['NL'] (expected a table)",
    (
        "field key",
        CITY.replace("], cities", "], city"),
    ): "field: unknown key 'city' (expected halves, cities)",
    (
        "inner field alone",
        CASTLE + inner(1, "[]"),
    ): "an inner field touches no city (expected half-edges or cities)",
    (
        "two inner fields",
        CASTLE + inner(2, "[0, 1]"),
    ): "there are several inner fields (expected at most one, as",
    # limits
    ("segments", CASTLE + inner(9, "[0]")): "there are 13 segments (expected at most 12)",
    (
        "contacts",
        CASTLE + inner(5, "[0, 1, 2, 3]"),
    ): "there are 20 contacts of fields with cities (expected at",
    # marks
    (
        "monastery and garden",
        ROAD + "monastery = true\ngarden = true",
    ): "there are a monastery and a garden (expected",
    ("thief 0", ROAD + "thief = 0"): "thief is 0 (expected a whole number from 1 to 9)",
    ("thief 10", ROAD + "thief = 10"): "thief is 10 (expected a whole number from 1 to 9)",
    ("watchtower type", ROAD + "watchtower = 2"): "watchtower is 2 (expected a table)",
    (
        "watchtower key",
        ROAD + "watchtower = { value = 2 }",
    ): "watchtower: unknown key 'value' (expected subject, p",
    (
        "subject",
        ROAD + 'watchtower = { subject = "pig", points = 1 }',
    ): "unknown watchtower subject 'pig' (expected meeple, pennant, road, monastery, city)",
    ("no subject", ROAD + "watchtower = { points = 1 }"): "unknown watchtower subject '' (expected meeple, ",
    (
        "no points",
        ROAD + 'watchtower = { subject = "city" }',
    ): "watchtower points is 0 (expected a whole number",
    (
        "points",
        ROAD + 'watchtower = { subject = "city", points = 10 }',
    ): "watchtower points is 10 (expected a whole",
    ("role", RIVER + 'river_role = "ford"'): "unknown river_role 'ford' (expected spring, lake)",
    ("pile", ROAD + 'pile = "bag"'): "unknown pile 'bag' (expected deck, river, tower)",
    (
        "source",
        ROAD + 'source = "me"',
    ): "unknown source 'me' (expected jcz, picture, caption, inferred, recon",
    ("jcz", ROAD + f'jcz = "{"a" * 41}"'): f"jcz is '{'a' * 41}' (expected at most 40 printable characters)",
    (
        "note",
        ROAD + 'note = "a\\u001b[2J"',
    ): "note is 'a\\x1b[2J' (expected at most 500 printable characters)",
    # the river and the other piles
    (
        "river in the deck",
        RIVER.replace('pile = "river"', ""),
    ): "pile 'deck' and river 'EW' (expected a river on the",
    (
        "dry river tile",
        ROAD + 'pile = "river"',
    ): "pile 'river' and river '' (expected a river on the tiles of the",
    (
        "dry spring",
        ROAD + 'river_role = "spring"',
    ): "river_role 'spring' without a river (expected a river edge)",
    (
        "spring of two edges",
        RIVER + 'river_role = "spring"',
    ): "river 'EW' (expected one edge for spring and lake, two",
    (
        "thief in the tower pile",
        ROAD + 'pile = "tower"\nthief = 2',
    ): "a thief in the pile 'tower' (expected thieves",
}


@pytest.mark.parametrize(
    ("tile", "message"), [(t, m) for (_, t), m in TILE_FAULTS.items()], ids=[n for n, _ in TILE_FAULTS]
)
def test_a_fault_of_a_tile_is_named(tile, message):
    assert fault(file_of(tile)).startswith(f"own.toml: tile x: {message}")


def test_the_templates_of_the_faults_are_sound():
    for tile in (ROAD, CITY, RIVER, CASTLE):
        assert list(TileSet.loads(file_of(tile)).tiles) == ["x"]


def test_a_file_is_read_from_disk_by_its_path(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(file_of(ROAD))
    assert TileSet.load(path) == TileSet.loads(file_of(ROAD), str(path))
    assert TileSet.load(os.fsencode(path)).name == str(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path, "a\0b"):
        with pytest.raises(TileDataError, match="cannot be read: ") as caught:
            TileSet.load(path)
        assert str(caught.value).startswith(f"{path}: cannot be read: ")


def test_a_file_larger_than_1_mib_is_refused_before_it_is_read_whole(tmp_path):
    path = tmp_path / "big.toml"
    with path.open("wb") as stream:
        stream.truncate(1 << 33)  # a sparse file: reading all of it would fail
    with pytest.raises(TileDataError, match=r"big.toml: the file is too large \(expected at most 1048576 bytes\)"):
        TileSet.load(path)
    assert "too large" in fault("#" * (MAX_FILE_BYTES + 1))
    assert "no set" in fault("format = 1\n" + "#" * (MAX_FILE_BYTES - 11))


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "latin.toml"
    path.write_bytes(b'format = 1\nbox = "\xe9"\n')
    with pytest.raises(TileDataError, match="not UTF-8 text: invalid continuation byte at byte 18"):
        TileSet.load(path)
    assert fault("\ud800") == "own.toml: not UTF-8 text: surrogates not allowed"
