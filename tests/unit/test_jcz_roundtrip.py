"""Records written as JCloisterZone saves: they read back the same, and say things as that program does."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bastide import Game, RecordError, Rng, Rules, TileSet, jcz
from bastide.record import Recorder

# What both programs know, from the plainest rules to all at once.
RULE_SETS = {
    "base": Rules.preset("base"),
    "base-c1": Rules.preset("base", edition="c1"),
    "base-twice": Rules.preset("base", edition="c2", copies=2),
    "abbot": Rules.preset("base", abbot=True),
    "river-c1": Rules.preset("river", edition="c1"),
    "river-c2": Rules.preset("river", edition="c2", abbot=True),
    "tower": Rules.preset("tower"),
    "tower-cross": Rules.preset("tower", edition="c2", abbot=True, tower_gaps="cross"),
    "black-tower": Rules.preset("black-tower"),
    "watchtowers-c1": Rules.preset("watchtowers", edition="c1"),
    "watchtowers-c2": Rules.preset("watchtowers", edition="c2", farmers=False, small_city_points=1),
    "all": Rules(
        boxes=("river", "tower", "black-tower", "watchtowers"), edition="c2", abbot=True, river_start_tile="deck"
    ),
}
DOCS = Path(__file__).parents[2] / "docs" / "jcz.md"
LETTERS = {
    "PLACE_TILE": "T",
    "PAY_RANSOM": "R",
    "DEPLOY_MEEPLE": "d",
    "RETURN_MEEPLE": "b",
    "PLACE_TOKEN": "f",
    "CAPTURE_FOLLOWER": "c",
    "EXCHANGE_FOLLOWER": "e",
    "PASS": "p",
    "COMMIT": "C",
}
TURN = "TR?(?:d|b|p|f(?:p|ce?)?)?C"


def recorded(rules, seed, is_whole):
    """The record of a random game, to its end or stopped somewhere."""
    recorder, rng = Recorder(Game(rules), seed=seed if seed % 2 else None), Rng(seed)
    state, steps = recorder.state, None if is_whole else rng.below(250)
    while not state.is_terminal and len(recorder.moves) != steps:
        if state.is_chance:
            recorder.draw(state.sample_draw(rng))
        else:
            actions = state.legal_actions()
            recorder.apply(actions[rng.below(len(actions))])
    return recorder.record()


def with_players(rules, players):
    return Rules(**{**rules.canonical(), "players": players})


def test_the_example_of_the_documentation_runs():
    (code,) = re.findall(r"^```python\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    exec(compile(code, DOCS.name, "exec"), {})


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_record_reads_back_as_it_was_written(name, long_run):
    for seed in range(long_run or 12):
        record = recorded(with_players(RULE_SETS[name], 1 + seed % 6), seed, seed % 3 > 0)
        assert jcz.read(jcz.write(record)) == record, (name, seed)


def test_what_was_read_is_written_again_to_the_letter():
    text = jcz.write(recorded(RULE_SETS["all"], 8, True))
    assert jcz.write(jcz.read(text)) == text


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_messages_come_in_the_order_of_that_program(name):
    document = json.loads(jcz.write(recorded(with_players(RULE_SETS[name], 3), 5, True)))
    letters = "".join(LETTERS[message["type"]] for message in document["replay"])
    assert re.fullmatch(f"(?:{TURN})+", letters), letters
    assert list(document) == [
        "appVersion",
        "gameId",
        "name",
        "initialRandom",
        "created",
        "clock",
        "setup",
        "players",
        "chat",
        "replay",
        "gameAnnotations",
    ]
    for message in document["replay"]:
        assert list(message) == ["type", "payload", "player", "clock"]
        assert 0 <= message["player"] < 3
        assert list(message["payload"]) == ["random"] or message["type"] != "COMMIT"


def test_all_messages_that_there_are_occur_in_the_games_of_these_tests():
    rules = with_players(RULE_SETS["tower-cross"], 2)
    document = json.loads(jcz.write(recorded(rules, 13, True)))
    seen = {message["type"] for message in document["replay"]}
    for seed in range(4):
        seen |= {message["type"] for message in json.loads(jcz.write(recorded(rules, seed, True)))["replay"]}
    assert seen == LETTERS.keys()


def test_a_game_stopped_anywhere_reads_back():
    whole = recorded(with_players(RULE_SETS["tower-cross"], 2), 3, True)
    game = Game(whole.rules)
    for n in [*range(60), len(whole.moves) - 1]:
        recorder = Recorder(game, whole.players)
        for text in whole.moves[:n]:
            if text.startswith("draw "):
                recorder.draw(game.tile_index(text.removeprefix("draw ")))
            else:
                recorder.apply(recorder.state.parse_action(text))
        record = recorder.record()
        assert jcz.read(jcz.write(record)) == record


def test_every_prefix_of_a_file_is_the_beginning_of_its_game():
    document = json.loads(jcz.write(recorded(with_players(RULE_SETS["tower-cross"], 2), 13, True)))
    del document["gameAnnotations"]["drawOrder"]
    moves = jcz.read(json.dumps(document)).moves
    for n in range(0, len(document["replay"]), 7):
        part = jcz.read(json.dumps({**document, "replay": document["replay"][:n]}))
        assert part.moves == moves[: len(part.moves)]


def test_the_setup_says_what_a_reader_expects():
    setup = json.loads(jcz.write(recorded(with_players(RULE_SETS["all"], 2), 1, False)))["setup"]
    assert setup["sets"] == {"basic:2": 1, "river/1:2": 1, "tower:2": 1, "watchtowers": 1}
    assert setup["elements"] == {
        "small-follower": 7,
        "farmers": True,
        "abbot": 1,
        "garden": True,
        "tower": 1,
        "black-tower": 1,
    }
    assert setup["start"] == [{"tile": "RI/s", "x": 0, "y": 0, "rotation": 0}]
    setup = json.loads(jcz.write(recorded(with_players(RULE_SETS["watchtowers-c2"], 2), 1, False)))["setup"]
    assert (setup["rules"], "farmers" in setup["elements"]) == ({"tiny-city-scoring": "2"}, False)


def test_only_what_a_setup_cannot_say_is_annotated():
    for name, own in [
        ("base", None),
        ("tower-cross", {"edition": "c2"}),
        ("tower", {"tower_gaps": "block"}),
        ("base-twice", {"edition": "c2"}),
        ("river-c2", {"river_start_tile": "out"}),
    ]:
        annotations = json.loads(jcz.write(recorded(with_players(RULE_SETS[name], 2), 2, True)))["gameAnnotations"]
        assert annotations.get("bastide") == own
        assert ("endTurn" in annotations) == (name == "river-c2")


def test_the_order_of_drawing_holds_every_tile_also_those_that_fitted_nowhere():
    rules = with_players(RULE_SETS["river-c1"], 2)
    longest = 0
    for seed in range(40):
        record = recorded(rules, seed, True)
        order = json.loads(jcz.write(record))["gameAnnotations"]["drawOrder"]
        assert len(order) == 83, "12 river tiles less the spring, 72 others"
        longest = max(longest, len(order) - sum(move.startswith("draw ") for move in record.moves))
    assert longest > 0, "no river ran into itself in these games"


def test_a_tower_that_reaches_over_a_gap_there_alone_is_passed():
    rules = with_players(RULE_SETS["tower"], 4)
    for seed in range(30):
        record = recorded(rules, seed, True)
        document = json.loads(jcz.write(record))
        n_passes = sum(message["type"] == "PASS" for message in document["replay"])
        if n_passes > sum(move == "pass" for move in record.moves):
            del document["gameAnnotations"]["bastide"]
            crossing = jcz.read(json.dumps(document))
            assert crossing.rules.tower_gaps == "cross"
            assert crossing.scores == record.scores
            assert len(crossing.moves) > len(record.moves)
            return
    pytest.fail("no such tower in these games")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"boxes": ("thieves",)}, "thieves"),
        ({"boxes": ("bridges-castles",)}, "bridges-castles"),
        ({"boxes": ("river",)}, "river.L3"),
        ({"boxes": ("watchtowers",)}, "watch."),
        ({"boxes": ("tower",), "tower_diagonal": True}, "tower_diagonal"),
        ({"boxes": ("tower",), "tower_no_surprise": True}, "tower_no_surprise"),
        ({"boxes": ("tower",), "tower_eye_for_an_eye": True}, "tower_eye_for_an_eye"),
    ],
)
def test_what_that_program_does_not_have_is_named(options, named):
    with pytest.raises(RecordError, match="no counterpart in JCloisterZone") as caught:
        jcz.write(recorded(Rules(**options), 1, False))
    assert named in str(caught.value)


def test_own_tiles_and_wrong_records_are_not_written():
    tiles = TileSet.loads('format = 1\nbox = "base"\n[sets.base_c2c3]\n"base.D" = 3\n"base.U" = 4\n', "own.toml")
    game = Game(Rules(), tiles)
    with pytest.raises(RecordError, match="own tiles"):
        jcz.write(Recorder(game).record())
    record = replace(recorded(Rules(), 1, True), moves=("draw base.ZZ",), scores_after=None)
    with pytest.raises(RecordError, match=r"ply 1 \(moves\[0\]\), 'draw base.ZZ'"):
        jcz.write(record)


def test_a_river_that_comes_back_to_itself_is_told():
    rules = with_players(RULE_SETS["river-c1"], 2)
    told = {seed: jcz.objections(recorded(rules, seed, True)) for seed in range(60)}
    assert 0 < sum(map(bool, told.values())) < 15
    assert all(
        re.match(r"ply \d+, 'place .*': the river must not come so close to ", why[0]) for why in told.values() if why
    )
    assert jcz.objections(recorded(Rules(), 1, True)) == ()
