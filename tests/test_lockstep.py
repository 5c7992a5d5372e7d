"""The core and the reference play the same random games; all that can be asked is compared after each step.

The short run plays a few games of each rule set, seeds 0, 1, ... The long run plays N games of each:

    pytest tests/test_lockstep.py --long 2000

(about 0.3 s a game of 72 tiles; `-k "c1-2"` takes one rule set). A game that differs ends with its rules, its
seed and its moves; to keep it, write a file for data/regressions (see `test_regressions`) and leave it there.

A new box is one line in RULE_SETS.
"""

import json
import random
from itertools import product
from pathlib import Path

import pytest
from lockstep import Tally, compare, compare_events, play, reference_for

from bastide import Game, Rules, RulesError, TileSet
from bastide.rules import BOXES, OPTIONS

DATA = Path(__file__).parent / "data"
OWN = str(DATA / "tiles" / "own.toml")
WALLS = str(DATA / "tiles" / "walls.toml")
TOWERS = str(DATA / "tiles" / "towers.toml")
KEEPS = str(DATA / "tiles" / "keeps.toml")
BUILDINGS = str(DATA / "tiles" / "buildings.toml")


def varied(*boxes, **choices):
    """Options of games with these boxes, another combination for each seed, of those that the rules allow."""
    choices = {"players": (2, 3, 4, 5, 6), "farmers": (True, True, False), **choices}
    found = []
    for values in product(*choices.values()):
        options = {"boxes": boxes, **dict(zip(choices, values, strict=True))}
        try:
            Rules(**options)
        except RulesError:
            continue
        found.append(options)
    step = 7919  # a prime, so that all have their turn
    return [found[(i + 1) * step % len(found)] for i in range(len(found))]


EDITIONS, SWITCH = ("c1", "c2", "c3"), (True, False)
HOUSE_RULES = {
    "tower_gaps": ("block", "cross"),
    "tower_diagonal": SWITCH,
    "tower_no_surprise": SWITCH,
    "tower_eye_for_an_eye": SWITCH,
}

# name: (games of the short run, rules or a list of them of which each seed takes one, own tiles)
RULE_SETS = {
    "c1-2": (4, {"edition": "c1"}, None),
    "c2-2": (3, {"edition": "c2"}, None),
    "c3-2": (3, {"edition": "c3"}, None),
    "c1-1": (3, {"edition": "c1", "players": 1}, None),
    "c3-3": (3, {"players": 3}, None),
    "c1-4": (3, {"edition": "c1", "players": 4}, None),
    "c2-5": (3, {"edition": "c2", "players": 5}, None),
    "c1-6": (3, {"edition": "c1", "players": 6}, None),
    "no farmers": (3, {"edition": "c1", "farmers": False}, None),
    "small cities": (3, {"edition": "c1", "small_city_points": 1, "players": 3}, None),
    "no farmers, small cities": (2, {"farmers": False, "small_city_points": 1}, None),
    "two copies": (1, {"edition": "c1", "copies": 2}, None),
    "own tiles": (4, {"edition": "c1", "players": 3}, OWN),
    "own tiles, twice, small cities": (1, {"edition": "c1", "copies": 2, "small_city_points": 1}, OWN),
    "walls": (3, {"edition": "c1"}, WALLS),
    "river": (2, varied("river", edition=EDITIONS, river_start_tile=("deck", "out")), None),
    "abbot": (2, varied(abbot=(True,), edition=("c2", "c3"), small_city_points=(2, 1)), None),
    "watchtowers": (2, varied("watchtowers", edition=EDITIONS, watchtower_c3_tile=("J", "G")), None),
    "watchtowers, many": (2, varied("watchtowers", edition=EDITIONS, copies=({"watchtowers": 4},)), None),
    "river, watchtowers, abbot": (
        2,
        varied("river", "watchtowers", abbot=(True,), edition=("c2", "c3"), watchtower_c3_tile=("J", "G")),
        None,
    ),
    "thieves": (2, varied("thieves", edition=EDITIONS, watchman_replace_own=SWITCH, abbot=SWITCH), None),
    "thieves, many towers": (3, varied("thieves", edition=("c1",), watchman_replace_own=SWITCH), TOWERS),
    "thieves, river": (
        2,
        varied("thieves", "river", edition=EDITIONS, river_start_tile=("deck", "out")),
        None,
    ),
    "thieves, watchtowers": (2, varied("thieves", "watchtowers", edition=EDITIONS, abbot=SWITCH), None),
    "thieves, watchtowers, river, abbot": (
        2,
        varied("thieves", "watchtowers", "river", abbot=(True,), edition=("c2", "c3")),
        None,
    ),
    "tower": (2, varied("tower", edition=EDITIONS, abbot=SWITCH), None),
    "black-tower": (2, varied("tower", "black-tower", edition=EDITIONS, abbot=SWITCH), None),
    "towers that cross gaps": (1, varied("tower", "black-tower", tower_gaps=("cross",)), None),
    "towers with an eye for an eye": (1, varied("tower", tower_eye_for_an_eye=(True,)), None),
    "towers without surprise": (1, varied("tower", "black-tower", tower_no_surprise=(True,)), None),
    "towers that reach all round": (1, varied("tower", "black-tower", tower_diagonal=(True,)), None),
    "many towers": (3, varied("tower", edition=("c2",), abbot=SWITCH, **HOUSE_RULES), KEEPS),
    "many black towers": (
        3,
        varied("tower", "black-tower", edition=("c2",), abbot=SWITCH, **HOUSE_RULES),
        KEEPS,
    ),
    "tower, black-tower, watchtowers, river": (
        2,
        varied("tower", "black-tower", "watchtowers", "river", edition=EDITIONS, **HOUSE_RULES),
        None,
    ),
    "bridges-castles": (3, varied("bridges-castles", edition=EDITIONS, small_city_points=(2, 1)), None),
    "many buildings": (3, varied("bridges-castles", edition=("c1",)), BUILDINGS),
    "everything-c1": (
        2,
        varied("river", "tower", "black-tower", "watchtowers", "bridges-castles", edition=("c1",), **HOUSE_RULES),
        None,
    ),
    "everything-c3": (
        2,
        varied("river", "thieves", "watchtowers", "bridges-castles", abbot=(True,), watchman_replace_own=SWITCH),
        None,
    ),
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_lockstep(name, long_run):
    games, options, tiles = RULE_SETS[name]
    options = options if isinstance(options, list) else [options]
    tally = Tally()
    for seed in range(long_run or games):
        play(Rules(**options[seed % len(options)]), seed, tally, tiles, every=8 if long_run else 3)
    assert tally.games == (long_run or games)
    assert tally.states > 30 * tally.games
    print(f"{name}: {tally}")  # shown by -s or -rP


def drawn_rules(seed):
    """Rules of all that there can be: boxes, edition, options, players and now and then copies."""
    rng = random.Random(seed)
    while True:
        boxes = ["base", *(box for box in BOXES if box != "base" and rng.random() < 0.5)]
        options = {option.name: rng.choice(option.values) for option in OPTIONS.values() if option.box in boxes}
        options["copies"] = {box: 2 for box in boxes if rng.random() < 0.1}
        try:
            return Rules(boxes=boxes, **options)
        except RulesError:
            continue


def test_lockstep_of_games_with_rules_drawn_at_random(long_run):
    tally = Tally()
    for seed in range(long_run or 8):
        play(drawn_rules(seed), seed, tally, every=6)
    print(f"random: {tally}")


def test_the_random_rules_meet_every_box_and_every_value_of_every_option():
    rules = [drawn_rules(seed) for seed in range(400)]
    assert {box for drawn in rules for box in drawn.boxes} == set(BOXES)
    for option in OPTIONS.values():
        if option.name != "copies":
            assert {getattr(drawn, option.name) for drawn in rules} == set(option.values), option.name
    assert any(drawn.copies for drawn in rules)


def test_the_sample_meets_every_kind_of_action_and_of_points():
    tally = Tally()
    for seed in range(2):
        play(Rules(edition="c1"), 100 + seed, tally, every=200)
    assert tally.actions.keys() == {"place", "deploy", "pass"}
    assert tally.sources.keys() == {"road", "city", "monastery", "field"}


def test_the_sample_of_towers_and_buildings_meets_their_kinds_of_actions_and_of_points():
    towers, buildings = Tally(), Tally()
    for seed in (4, 23):
        play(Rules(boxes=("tower",), edition="c2", abbot=True), seed, towers, KEEPS, every=200)
    for seed in range(4):
        play(Rules(boxes=("bridges-castles",), edition="c1"), seed, buildings, BUILDINGS, every=200)
    assert towers.actions.keys() >= {"floor", "tower", "capture", "exchange", "ransom"}
    assert towers.sources.keys() >= {"ransom"}
    assert buildings.actions.keys() >= {"castle", "barn", "no", "take"}
    assert buildings.sources.keys() >= {"maiden", "barn"}


def replay(rules, moves, tiles):
    """Play given moves in lockstep: `draw TILE` and actions in text."""
    game = Game(rules, None if tiles is None else TileSet.load(tiles))
    state, twin = game.new_state(), reference_for(rules, tiles)
    done = []
    compare(state, twin, done)
    for move in moves:
        done.append(move)
        if move.startswith("draw "):
            tile = move.removeprefix("draw ")
            twin.draw(tile)
            state.draw(game.tile_index(tile))
        else:
            twin.apply(move)
            state.apply(state.parse_action(move))
        compare_events(state, twin, done)
        compare(state, twin, done)
        assert state.faults() == []


@pytest.mark.parametrize("path", sorted((DATA / "regressions").glob("*.json")), ids=lambda path: path.stem)
def test_regressions(path):
    """A file has "about", "rules" for Rules, "tiles" (a file of data/tiles, or null), "moves" or "seed"."""
    case = json.loads(path.read_text())
    assert case.keys() - {"moves", "seed"} == {"about", "rules", "tiles"}
    rules = Rules(**case["rules"])
    tiles = case["tiles"] and str(DATA / "tiles" / case["tiles"])
    if "moves" in case:
        replay(rules, case["moves"], tiles)
    else:
        play(rules, case["seed"], Tally(), tiles)
