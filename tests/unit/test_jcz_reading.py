"""Reading JCloisterZone saves: small games made by hand, what is refused and why, and any text a record or an error."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jczfiles import (
    ABBOT,
    COMMIT,
    PASS,
    SPRING,
    START,
    TOWER,
    capture,
    deploy,
    document,
    floor,
    message,
    place,
    pointer,
    ransom,
    save,
    take_back,
)

from bastide import Record, RecordError, jcz

CITY = [place("BA/C", 180, 0, -1), deploy("0.small.1", 0, -1, "City", "S"), COMMIT]  # closed at once: 4 points
ROAD = [place("BA/RFr", 0, 1, 0), deploy("1.small.1", 1, 0, "Road", "WE"), COMMIT]


def fault(text):
    """The message of the RecordError that reading raises: one line, with the file's name."""
    with pytest.raises(RecordError) as caught:
        jcz.read(text, "save.jcz")
    found = str(caught.value)
    assert found.startswith("save.jcz: ")
    assert "\n" not in found
    assert len(found) < 600
    return found


# -- games


def test_draws_and_actions_follow_from_the_messages():
    record = jcz.read(save(*CITY, *ROAD))
    assert record.moves == (
        "draw base.E",
        "place 0,-1 180",
        "deploy meeple 0,-1 city S",
        "draw base.U",
        "place 1,0 0",
        "deploy meeple 1,0 road EW",
    )
    assert (record.scores, record.players) == ((4, 0), ("Ann", "Bob"))
    assert (record.rules.edition, record.rules.boxes, record.seed) == ("c1", ("base",), None)


def test_a_record_that_was_read_is_like_any_other():
    record = jcz.read(save(*CITY, *ROAD))
    assert Record.loads(record.to_json()) == record
    assert record.replay().scores == (4, 0)


def test_what_turned_up_and_fitted_nowhere_is_drawn_too():
    order = ["BA/C", "BA/Cccc+", "BA/RFr", "BA/L", "BA/LR"]
    record = jcz.read(save(CITY[0], PASS, COMMIT, *ROAD, order=order))
    assert [move for move in record.moves if move.startswith("draw")] == [
        "draw base.E",
        "draw base.C",
        "draw base.U",
        "draw base.B",  # in the hand of the next player
    ]


def test_a_tile_looks_the_same_in_several_rotations():
    assert jcz.read(save(place("BA/RFr", 180, 1, 0))).moves[-1] == "place 1,0 0"


@pytest.mark.parametrize(
    ("tile", "rotation", "position", "where", "spot"),
    [
        ("BA/Ccc", 180, (0, -1), {"feature": "City", "location": "_N"}, "city ESW"),
        ("BA/Ccc", 180, (0, -1), {"location": "_N"}, "city ESW"),
        ("BA/Ccc", 180, (0, -1), {"feature": "City", "location": "WSE"}, "city ESW"),
        ("BA/Cccc+", 0, (0, -1), {"feature": "City", "location": "NWSE"}, "city NESW"),
        ("BA/Cc.1", 180, (0, -1), {"feature": "City", "location": "SE"}, "city ES"),
        ("BA/L", 0, (0, 1), {"feature": "Monastery", "location": "I"}, "monastery"),
        ("BA/L", 0, (0, 1), {"feature": "Cloister", "location": "CLOISTER"}, "monastery"),
        ("BA/L", 0, (0, 1), {"location": "CLOISTER"}, "monastery"),
        ("BA/RFr", 0, (1, 0), {"location": "WE"}, "road EW"),
        ("BA/RFr", 0, (1, 0), {"feature": "Field", "location": "WR.NL.NR.EL"}, "field NL-NR-EL-WR"),
        ("BA/RFr", 0, (1, 0), {"feature": "Farm", "location": "ER.SL.SR.WL"}, "field ER-SL-SR-WL"),
        ("BA/RFr", 0, (1, 0), {"location": "ER.SL.SR.WL"}, "field ER-SL-SR-WL"),
    ],
)
def test_locations_name_segments_in_the_newer_and_the_older_way(tile, rotation, position, where, spot):
    x, y = position
    message_ = message("DEPLOY_MEEPLE", pointer={"position": [x, y], **where}, meepleId="0.small.1")
    assert jcz.read(save(place(tile, rotation, x, y), message_)).moves[-1] == f"deploy meeple {x},{y} {spot}"


def tower_game(*last):
    """Bob has 4 points and a monk; Ann takes the monk prisoner; then Bob's turn."""
    return save(
        *(place("TO/F", 0, 0, 1), PASS, COMMIT),
        *(place("BA/C", 180, 0, -1), deploy("1.small.1", 0, -1, "City", "S"), COMMIT),
        *(place("BA/RFr", 0, 1, 0), PASS, COMMIT),
        *(place("BA/L", 0, -1, 1), deploy("1.small.1", -1, 1, "Monastery", "I"), COMMIT),
        *(place("BA/RFr", 0, 2, 0), floor(0, 1), capture("1.small.1", -1, 1, "Monastery", "I"), COMMIT),
        *last,
        **TOWER,
    )


def test_a_prisoner_is_captured_ransomed_and_deployed():
    place_, deploy_ = place("BA/RFr", 0, 3, 0), deploy("1.small.1", 3, 0, "Road", "WE")
    record = jcz.read(tower_game(place_, ransom("1.small.1"), deploy_, COMMIT))
    assert record.moves[-6:] == (
        "floor normal 0,1",
        "capture -1,1 meeple of 1 monastery",
        "draw base.U",
        "place 3,0 0",
        "ransom meeple from 0",
        "deploy meeple 3,0 road EW",
    )
    assert record.scores == (3, 1)
    assert record.rules.tower_gaps == "cross"


@pytest.mark.parametrize(
    "messages",
    [
        [ransom("1.small.1"), place("BA/RFr", 0, 3, 0)],
        [place("BA/RFr", 0, 3, 0), PASS, ransom("1.small.1")],
        [place("BA/RFr", 0, 3, 0), floor(0, 1), ransom("1.small.1")],
    ],
)
def test_ransom_in_another_step_is_refused_with_the_reason(messages):
    assert "PAY_RANSOM: ransom is paid in the figure step before the figure action only (T8)" in fault(
        tower_game(*messages)
    )


def test_a_prisoner_cannot_be_deployed_and_a_meeple_only_once():
    place_ = place("BA/RFr", 0, 3, 0)
    assert "meeple 1.small.1 is not in supply" in fault(tower_game(place_, deploy("1.small.1", 3, 0, "Road", "WE")))
    assert "meeple 1.small.2 is nobody's prisoner" in fault(tower_game(place_, ransom("1.small.2")))


def test_an_abbot_is_deployed_and_taken_back():
    record = jcz.read(
        save(
            *(place("BA/RFrG", 0, 1, 0), deploy("0.abbot.1", 1, 0, "Garden", "I"), COMMIT),
            *(place("BA/RFr", 0, 2, 0), PASS, COMMIT),
            *(place("BA/RFr", 0, 3, 0), take_back("0.abbot.1", 1, 0, "Garden"), COMMIT),
            **ABBOT,
        )
    )
    assert record.moves[-1] == "take back abbot 1,0 garden"
    assert record.scores == (3, 0)
    assert (record.rules.abbot, record.rules.edition) == (True, "c3")


def test_the_spring_is_the_start_of_a_river():
    record = jcz.read(save(place("RI.1/IFI", 0, 1, 0), PASS, start=SPRING, sets={"basic:1": 1, "river/1:1": 1}))
    assert record.rules.boxes == ("base", "river")
    assert record.rules.river_start_tile == "deck"
    assert record.moves == ("draw river.D", "place 1,0 0", "pass")


def test_sets_elements_and_rules_become_options():
    rules = jcz.read(
        save(
            sets={"basic:2": 2, "tower:2": 1, "watchtowers": 1},
            elements={"small-follower": 7, "tower": 1, "black-tower": 1, "garden": True, "phantom": 0},
            rules={"tiny-city-scoring": "2", "dragon-move": "before-scoring"},
            players=["A", "B", "C"],
        )
    ).rules
    assert rules.boxes == ("base", "tower", "black-tower", "watchtowers")
    assert (rules.edition, rules.farmers, rules.abbot, rules.players) == ("c2", False, False, 3)
    assert (rules.copies, rules.small_city_points, rules.tower_gaps) == ((("base", 2),), 1, "cross")


def test_the_form_of_version_5_is_read():
    old = document(*CITY, order=["BA/C", "BA/L"])
    del old["initialRandom"]
    old |= {"appVersion": "5.0.6", "initialSeed": "8658692847944871398", "clock": None}
    old["gameAnnotations"] = {
        "tilePack": {"className": "ForcedDrawTilePack", "params": {"drawOrder": ["BA/C", "BA/L"], "drawLimit": 9}}
    }
    old["replay"][-1] = message("COMMIT", salt="-1995277982013117638")
    assert jcz.read(json.dumps(old)).moves[-1] == "draw base.B"


def test_a_file_with_a_byte_order_mark_is_read():
    assert jcz.read(b"\xef\xbb\xbf" + save(*CITY).encode()) == jcz.read(save(*CITY))


# -- what is refused


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"elements": {"small-follower": 7, "phantom": 1}}, "setup.elements.phantom: the element 'phantom'"),
        ({"elements": {"small-follower": 7, "bazaar": True}}, "setup.elements.bazaar: the element 'bazaar'"),
        ({"elements": {"small-follower": 6}}, "setup.elements: small-follower is 6"),
        ({"elements": {"farmers": True}}, "setup.elements: small-follower is 0"),
        ({"elements": {"small-follower": 7, "abbot": 1}}, "garden is missing"),
        ({"elements": {"small-follower": 7, "abbot": 1, "garden": True}}, "abbot"),
        ({"elements": {"small-follower": 7, "abbot": 2, "garden": True}}, "setup.elements: abbot is 2"),
        ({"elements": {"small-follower": 7, "tower": 1}}, "setup.elements: tower:"),
        ({"elements": {"small-follower": 7, "black-tower": 1}}, "setup: box 'black-tower' needs the box 'tower'"),
        ({"sets": {"basic:1": 1, "tower:1": 1}}, "setup.elements: tower:"),
        ({"sets": {"basic:1": 1, "bridges-castles-and-bazaars": 1}}, "the tile set 'bridges-castles-and-bazaars'"),
        ({"sets": {"basic:1": 1, "inns-and-cathedrals:1": 1}}, "setup.sets.inns-and-cathedrals:1: the tile set"),
        ({"sets": {"basic:1": 1, "river/2:1": 1}}, "the tile set 'river/2:1'"),
        ({"sets": {"basic:1": 1, "basic:2": 1}}, "the tiles of the box 'base' are there twice"),
        ({"sets": {"basic:1": 1, "watchtowers": 11}}, "setup.sets.watchtowers: 11"),
        ({"sets": {"basic:2": 1, "tower:1": 1}}, "mixes editions"),
        ({"sets": {"watchtowers": 1}}, "the base game is missing"),
        ({"sets": {"basic:1": 1, "river/1:1": 2}, "start": SPRING}, "copies"),
        ({"sets": {"basic:1": 1, "river/1:1": 1}}, "setup.start:"),
        ({"start": SPRING}, "setup.start:"),
        ({"start": {**START, "rotation": 90}}, "setup.start:"),
        ({"rules": {"tiny-city-scoring": "3"}}, "setup.rules.tiny-city-scoring: '3'"),
        ({"rules": {"house-rule": True}}, "setup.rules.house-rule: the rule 'house-rule'"),
        ({"players": []}, "players: nobody plays"),
        ({"players": ["P"] * 7}, "players: 7 entries"),
        ({"players": ["a\nb"]}, "players"),
    ],
)
def test_games_that_are_not_played_here_are_refused_with_the_place(options, said):
    assert said in fault(save(*CITY, **options))


def changed(change):
    """The text of a small game after a change of its document."""
    parts = copy.deepcopy(document(*CITY, *ROAD, order=["BA/C", "BA/RFr"]))
    change(parts)
    return json.dumps(parts)


def put(path, value):
    """A change: set what stands at a path."""

    def change(parts):
        for key in path[:-1]:
            parts = parts[key]
        parts[path[-1]] = value

    return change


def drop(*path):
    """A change: take away what stands at a path."""

    def change(parts):
        for key in path[:-1]:
            parts = parts[key]
        del parts[path[-1]]

    return change


MALFORMED = {
    "no setup": (drop("setup"), "setup is missing"),
    "no players": (drop("players"), "players is missing"),
    "no replay": (drop("replay"), "replay is missing"),
    "a setup without a game": (lambda parts: [parts.pop("players"), parts.pop("replay")], "a setup without a game"),
    "no sets": (drop("setup", "sets"), "setup: sets is missing"),
    "sets of another type": (put(["setup", "sets"], [1]), "setup.sets: [1] (expected an object)"),
    "count of another type": (put(["setup", "sets", "basic:1"], "one"), "setup.sets.basic:1: 'one'"),
    "half a set": (put(["setup", "sets", "basic:1"], 0.5), "setup.sets.basic:1: 0.5"),
    "true sets": (put(["setup", "sets", "basic:1"], True), "setup.sets.basic:1: True"),
    "no elements": (drop("setup", "elements"), "setup: elements is missing"),
    "element of another type": (put(["setup", "elements", "farmers"], []), "setup.elements.farmers: []"),
    "no start": (drop("setup", "start"), "setup: start is missing"),
    "no name": (drop("players", 1, "name"), "players[1]: name is missing"),
    "name of another type": (put(["players", 0, "name"], 5), "players[0].name: 5 (expected a text)"),
    "replay of another type": (put(["replay"], {}), "replay: {} (expected a list)"),
    "message of another type": (put(["replay", 3], "PASS"), "replay[3]: 'PASS' (expected an object)"),
    "no type": (drop("replay", 3, "type"), "replay[3]: type is missing"),
    "no payload": (drop("replay", 3, "payload"), "replay[3]: payload is missing"),
    "unknown message": (put(["replay", 4, "type"], "FLY"), "replay[4]: FLY: not supported"),
    "undone": (put(["replay", 4, "type"], "UNDO"), "replay[4]: UNDO: not supported"),
    "no tile": (drop("replay", 3, "payload", "tileId"), "replay[3]: PLACE_TILE: replay[3].payload: tileId is missing"),
    "tile of another type": (put(["replay", 3, "payload", "tileId"], 7), "replay[3].payload.tileId: 7"),
    "unknown tile": (put(["replay", 3, "payload", "tileId"], "XX/Y"), "tileId 'XX/Y' is not in this game"),
    "tile of another box": (put(["replay", 3, "payload", "tileId"], "TO/F"), "tileId 'TO/F' is not in this game"),
    "another tile": (put(["replay", 3, "payload", "tileId"], "BA/L"), "BA/L is placed but BA/RFr by game"),
    "bad rotation": (put(["replay", 3, "payload", "rotation"], "R45"), "rotation: 'R45'"),
    "turned by a list": (put(["replay", 3, "payload", "rotation"], ["R0"]), "rotation: ['R0']"),
    "one coordinate": (put(["replay", 3, "payload", "position"], [1]), "position: [1] (expected two numbers)"),
    "three coordinates": (put(["replay", 3, "payload", "position"], [1, 2, 3]), "position: 3 entries"),
    "half a cell": (put(["replay", 3, "payload", "position"], [1.5, 0]), "position[0]: 1.5"),
    "far away": (put(["replay", 3, "payload", "position"], [0, 1024]), "position[1]: 1024"),
    "huge": (put(["replay", 3, "payload", "position"], [0, 10**39]), "position[1]: 1000"),
    "placed on a tile": (put(["replay", 3, "payload", "position"], [0, 0]), "replay[3]: PLACE_TILE: "),
    "placed nowhere": (put(["replay", 3, "payload", "position"], [5, 5]), "replay[3]: PLACE_TILE: "),
    "wrong edges": (put(["replay", 3, "payload", "rotation"], "R90"), "replay[3]: PLACE_TILE: "),
    "no meeple": (drop("replay", 4, "payload", "meepleId"), "replay[4].payload: meepleId is missing"),
    "unknown kind": (put(["replay", 4, "payload", "meepleId"], "1.phantom.1"), "meeple '1.phantom.1'"),
    "an eighth meeple": (put(["replay", 4, "payload", "meepleId"], "1.small.8"), "meeple '1.small.8'"),
    "no abbots here": (put(["replay", 4, "payload", "meepleId"], "1.abbot.1"), "meeple '1.abbot.1'"),
    "meeple of another": (put(["replay", 4, "payload", "meepleId"], "0.small.1"), "is not of player 1"),
    "no pointer": (drop("replay", 4, "payload", "pointer"), "replay[4].payload: pointer is missing"),
    "no location": (drop("replay", 4, "payload", "pointer", "location"), "location is missing"),
    "unknown location": (put(["replay", 4, "payload", "pointer", "location"], "UP"), "location 'UP'"),
    "no location at all": (put(["replay", 4, "payload", "pointer", "location"], ""), "location ''"),
    "unknown feature": (put(["replay", 4, "payload", "pointer", "feature"], "Inn"), "feature 'Inn'"),
    "feature of another type": (put(["replay", 4, "payload", "pointer", "feature"], 3), "feature: 3"),
    "no such segment": (put(["replay", 4, "payload", "pointer", "feature"], "City"), "replay[4]: DEPLOY_MEEPLE: "),
    "deployed elsewhere": (put(["replay", 4, "payload", "pointer", "position"], [0, 0]), "replay[4]: DEPLOY_MEEPLE: "),
    "deployed off the board": (put(["replay", 4, "payload", "pointer", "position"], [9, 9]), "no tile lies at 9,9"),
    "no commit": (drop("replay", 2), "replay[2]: PLACE_TILE: the turn before awaits its COMMIT"),
    "two commits": (lambda parts: parts["replay"].insert(3, COMMIT), "replay[3]: COMMIT: nothing awaits it"),
    "a commit first": (lambda parts: parts["replay"].insert(0, COMMIT), "replay[0]: COMMIT: nothing awaits it"),
    "a pass first": (lambda parts: parts["replay"].insert(0, PASS), "replay[0]: PASS: no tile is placed yet"),
    "a second pass": (lambda parts: parts["replay"].insert(2, PASS), "replay[2]: PASS: there is nothing to pass"),
    "nothing done": (drop("replay", 4), "replay[4]: COMMIT: the figure step needs an action or PASS first"),
    "placed twice": (lambda parts: parts["replay"].insert(4, parts["replay"][3]), "the figure step is not done yet"),
    "a token": (put(["replay", 4], floor(1, 0, "BRIDGE")), "token 'BRIDGE' is not supported"),
    "a floor without a tower": (put(["replay", 4], floor(1, 0)), "replay[4]: PLACE_TOKEN: "),
    "a floor on a road": (
        put(["replay", 4], message("PLACE_TOKEN", token="TOWER_PIECE", pointer=pointer(1, 0, "Road", "WE"))),
        "a tower piece belongs on a tower",
    ),
    "a capture of nobody": (put(["replay", 4], capture("0.small.1", 0, -1, "City", "S")), "does not stand there"),
    "another return": (put(["replay", 4], message("RETURN_MEEPLE", source="PRINCESS")), "'PRINCESS' is not supported"),
    "order of another type": (put(["gameAnnotations", "drawOrder"], "BA/C"), "gameAnnotations.drawOrder: 'BA/C'"),
    "unknown tile in the order": (
        put(["gameAnnotations", "drawOrder", 1], "XX/Y"),
        "gameAnnotations.drawOrder[1]: the tile 'XX/Y'",
    ),
    "number in the order": (put(["gameAnnotations", "drawOrder", 1], 5), "gameAnnotations.drawOrder[1]: 5"),
    "more of a tile than there are": (
        put(["gameAnnotations", "drawOrder"], ["BA/C", "BA/Cccc+", "BA/Cccc+", "BA/RFr"]),
        "gameAnnotations.drawOrder[2]: BA/Cccc+",
    ),
    "over too soon": (put(["gameAnnotations", "endTurn"], 1), "replay[3]: PLACE_TILE: the game ends after 1 draws"),
    "end of another type": (put(["gameAnnotations", "endTurn"], "8"), "gameAnnotations.endTurn: '8'"),
    "unknown note": (put(["gameAnnotations", "bastide"], {"x": 1}), "gameAnnotations.bastide.x: 'x' is not known"),
    "note that does not fit": (
        put(["gameAnnotations", "bastide"], {"edition": "c2"}),
        "gameAnnotations.bastide: {'edition': 'c2'} does not go with the setup",
    ),
    "note of an unknown value": (put(["gameAnnotations", "bastide"], {"edition": "c9"}), "edition='c9'"),
    "note of another type": (put(["gameAnnotations", "bastide"], {"seed": "7"}), "gameAnnotations.bastide.seed: '7'"),
    "assertion of another type": (put(["test"], {"assertions": [1]}), "test.assertions[0]: 1"),
}


@pytest.mark.parametrize(("change", "said"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_file_is_an_error_that_names_the_place(change, said):
    assert said in fault(changed(change))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "[] (expected an object)"),
        ("null", "None (expected an object)"),
        ('{"setup": NaN}', "not JSON that can be read: the number NaN"),
        ('{"setup": 1e999}', "out of range"),
        ('{"setup": ' + "9" * 50 + "}", "a number of 50 digits"),
        ('{"setup": {}, "setup": {}}', "a key is there twice"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"\0" * (1 + (16 << 20)), "longer than"),
        (7, "read from text or bytes"),
    ],
)
def test_a_text_that_is_no_save_is_an_error(text, said):
    assert said in fault(text)


# -- any text at all

WHOLE = json.loads(
    tower_game(place("BA/RFr", 0, 3, 0), ransom("1.small.1"), deploy("1.small.1", 3, 0, "Road", "WE"), COMMIT)
)
WHOLE["gameAnnotations"] = {"drawOrder": ["TO/F", "BA/C", "BA/RFr", "BA/L", "BA/RFr", "BA/RFr"], "endTurn": 9}


def paths(value, path=()):
    """The paths of all values in a document."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(inner, (*path, key))


def words(value):
    """All values that stand in a document, for the places of others."""
    yield value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from words(inner)


PATHS = [path for path in paths(WHOLE) if path]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_changed_file_is_a_record_or_an_error(data):
    parts = copy.deepcopy(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(PATHS))
        at = parts
        try:
            for key in path[:-1]:
                at = at[key]
            at[path[-1]]
        except (KeyError, IndexError, TypeError):
            continue
        if data.draw(st.booleans()):
            at[path[-1]] = copy.deepcopy(data.draw(JSON | st.sampled_from(list(words(WHOLE)))))
        elif isinstance(at, list) and data.draw(st.booleans()):
            at.insert(path[-1], copy.deepcopy(data.draw(st.sampled_from(at))))
        else:
            del at[path[-1]]
    try:
        text = json.dumps(parts, allow_nan=False)
    except ValueError:
        return
    try:
        record = jcz.read(text)
    except RecordError as error:
        assert "\n" not in str(error)
    else:
        assert record.replay().scores == record.scores


@given(st.binary(max_size=200) | st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_record_or_an_error(text):
    with pytest.raises(RecordError):
        jcz.read(text)


@given(st.integers(0, 4000), st.integers(0, 40), st.binary(max_size=3))
@settings(max_examples=200, deadline=None)
def test_a_file_with_bytes_changed_is_a_record_or_an_error(start, length, other):
    data = json.dumps(WHOLE).encode()
    try:
        jcz.read(data[:start] + other + data[start + length :])
    except RecordError as error:
        assert "\n" not in str(error)
