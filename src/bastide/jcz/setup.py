"""Translate the setup of a game: tile sets, elements and rules of JCloisterZone, and the `Rules` of this package.

A file cannot say all that `Rules` can: the edition where it makes no difference to the tiles, a tower's range that
ends at gaps, the start tile left out of a game with the river. Those options go into the annotations, which that
program keeps and does not read.
"""

from functools import lru_cache
from typing import Any

from bastide.errors import RecordError, RulesError, show
from bastide.game import Game
from bastide.jcz.save import Node
from bastide.rules import MAX_COPIES, Rules

__all__ = ["game_of", "own_of", "rules_of", "setup_of"]

_BOXES = {"basic": "base", "river/1": "river", "tower": "tower", "watchtowers": "watchtowers"}  # set, less its edition
_SETS = {box: name for name, box in _BOXES.items()}
_SUPPORTED = "basic:1, basic:2, river/1:1, river/1:2, tower:1, tower:2, watchtowers"
_FIGURES = {"small-follower": 7, "abbot": 1}
_PIECES = ("tower", "black-tower")
_SWITCHES = ("farmers", "garden", "river", "watchtower")  # the last two are there whenever their tiles are
_START = {"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}
_SPRING = {**_START, "tile": "RI/s"}
_NO_COUNTERPART = ("tower_eye_for_an_eye", "tower_no_surprise", "tower_diagonal")
_OWN = ("edition", "river_start_tile", "tower_gaps")  # options that a setup does not say
_OTHER_RULES = {  # of boxes that are refused themselves; older files list them all
    "barn-placement",
    "bazaar-no-auction",
    "coc-final-scoring",
    "count-move",
    "dragon-move",
    "espace-variant",
    "fairy-placement",
    "festival-return",
    "gq11-pig-herd",
    "hill-tiebreaker",
    "inn-and-cathedral-final-scoring",
    "keep-monasteries",
    "king-and-robber-scoring",
    "labyrinth-variant",
    "little-buildings-scoring",
    "meteorite-impact",
    "more-tunnel-tokens",
    "princess-action",
    "robbers-son-action",
    "tunnelize-other-expansions",
    "vineyards-for-garden",
    "wagon-move",
}


def rules_of(setup: Node, players: int, own: Node | None) -> tuple[Rules, int | None]:
    """Return the rules of a file, and the seed if this package noted one; `own` is its annotation.

    Errors: RecordError for what this package does not play, with its place.
    """
    elements = _elements(setup.get("elements"))
    copies, edition = _sets(setup.get("sets"), 2 if elements["garden"] else 1)
    boxes = [*copies, *(["black-tower"] if elements["black-tower"] else [])]
    _check_elements(setup.get("elements"), elements, boxes)
    _check_start(setup.get("start"), boxes)
    options: dict[str, Any] = {
        "boxes": boxes,
        "players": players,
        "edition": "c1" if edition == 1 else "c2" if {"river", "watchtowers"} & set(boxes) else "c3",
        "abbot": bool(elements["abbot"]),
        "farmers": bool(elements["farmers"]),
        "copies": copies,
        "small_city_points": _small_city_points(setup.find("rules")),
    }
    if "tower" in boxes:
        options["tower_gaps"] = "cross"
    if "river" in boxes:
        options["river_start_tile"] = "deck"
    try:
        rules = Rules(**options)
    except RulesError as error:
        setup.fail(str(error))
    return (rules, None) if own is None else _with_own(options, rules, own)


def setup_of(rules: Rules) -> dict[str, Any]:
    """Return the setup of a game by these rules. Errors: RecordError for rules that JCloisterZone does not have."""
    for name in _NO_COUNTERPART:
        if getattr(rules, name):
            raise RecordError(f"{name}=on has no counterpart in JCloisterZone")
    suffix = ":1" if rules.edition == "c1" else ":2"
    sets = {}
    for box in rules.boxes:
        if box in _SETS:
            sets[_SETS[box] + (suffix if box != "watchtowers" else "")] = rules.copies_of(box)
        elif box != "black-tower":
            raise RecordError(f"the box {box!r} has no counterpart in JCloisterZone")
    elements: dict[str, Any] = {"small-follower": 7}
    if rules.farmers:
        elements["farmers"] = True
    if rules.abbot:
        elements |= {"abbot": 1, "garden": True}
    elements |= {name: 1 for name in _PIECES if name in rules.boxes}
    return {
        "options": {},
        "sets": sets,
        "elements": elements,
        "rules": {"tiny-city-scoring": "2"} if rules.small_city_points == 1 else {},
        "timer": None,
        "start": [_SPRING if "river" in rules.boxes else _START],
    }


def own_of(rules: Rules, seed: int | None) -> dict[str, Any]:
    """Return what a setup of these rules does not say."""
    plain, _ = rules_of(Node(setup_of(rules), ""), rules.players, None)
    own = {name: getattr(rules, name) for name in _OWN if getattr(rules, name) != getattr(plain, name)}
    return own if seed is None else {**own, "seed": seed}


@lru_cache(maxsize=8)
def game_of(rules: Rules) -> Game:
    """Return the game, each of whose tiles has a counterpart. Errors: RecordError that names one that has none."""
    game = Game(rules)
    for tile in game.tiles:
        if tile.jcz is None:
            raise RecordError(
                f"tile {tile.id} of edition {rules.edition} has no counterpart in JCloisterZone: another edition may"
            )
    return game


def _sets(node: Node, default_edition: int) -> tuple[dict[str, int], int]:
    """Return how many copies of each box there are, and the edition of the tiles, 1 or 2."""
    copies: dict[str, int] = {}
    editions = set()
    for name, count in node.fields():
        n = count.whole(0, MAX_COPIES)
        stem, _, edition = name.partition(":")
        if n and (stem not in _BOXES or edition not in ("", "1", "2")):
            count.fail(f"the tile set {show(name)} is not supported (supported: {_SUPPORTED})")
        if n and _BOXES[stem] in copies:
            count.fail(f"the tiles of the box {_BOXES[stem]!r} are there twice")
        if n:
            copies[_BOXES[stem]] = n
            if stem != "watchtowers":
                editions.add(int(edition or default_edition))
    if "base" not in copies:
        node.fail("the base game is missing (expected basic:1 or basic:2)")
    if len(editions) > 1:
        node.fail(f"{show(node.value)} mixes editions (expected all of 1 or all of 2)")
    return copies, editions.pop()


def _elements(node: Node) -> dict[str, int]:
    """Return the counts of the elements that are supported, 0 where one is missing or off."""
    found = dict.fromkeys([*_FIGURES, *_PIECES, *_SWITCHES], 0)
    for name, element in node.fields():
        if element.value is False or element.value == 0 or element.value is None:
            continue
        if name not in found:
            element.fail(f"the element {show(name)} is not supported (supported: {', '.join(found)})")
        found[name] = 1 if element.value is True else element.whole(0, 100)
    return found


def _check_elements(node: Node, elements: dict[str, int], boxes: list[str]) -> None:
    """Raise RecordError for elements that this package plays only in other numbers or with other tiles."""
    if elements["small-follower"] != _FIGURES["small-follower"]:
        node.fail(f"small-follower is {elements['small-follower']} (supported: 7)")
    if elements["abbot"] > _FIGURES["abbot"]:
        node.fail(f"abbot is {elements['abbot']} (supported: 1)")
    if elements["abbot"] and not elements["garden"]:
        node.fail("garden is missing: an abbot without gardens is not supported")
    if bool(elements["tower"]) != ("tower" in boxes):
        node.fail("tower: its pieces without its tiles, or its tiles without its pieces, are not supported")


def _check_start(node: Node, boxes: list[str]) -> None:
    expected = [_SPRING if "river" in boxes else _START]
    if node.value != expected:
        node.fail(f"{show(node.value)} is not supported (supported: {expected})")


def _small_city_points(node: Node | None) -> int:
    """Return the points of a small city, and refuse rules that are not known."""
    points = 2
    for name, rule in [] if node is None else node.fields():
        if name == "tiny-city-scoring":
            if rule.value not in ("2", "4"):
                rule.fail(f"{show(rule.value)} (expected '2' or '4')")
            points = int(rule.value) // 2
        elif name not in _OTHER_RULES:
            rule.fail(f"the rule {show(name)} is not supported")
    return points


def _with_own(options: dict[str, Any], rules: Rules, own: Node) -> tuple[Rules, int | None]:
    """Return the rules of these options and those that this package noted, and the seed."""
    values = {}
    for name, node in own.fields():
        if name in _OWN:
            values[name] = node.text()
        elif name != "seed":
            node.fail(f"{show(name)} is not known (expected {', '.join(_OWN)}, seed)")
    seed = own.find("seed")
    try:
        noted = Rules(**{**options, **values})
        same = setup_of(noted) == setup_of(rules)
    except (RulesError, RecordError) as error:
        own.fail(str(error))
    if not same:
        own.fail(f"{show(own.value)} does not go with the setup")
    return noted, None if seed is None else seed.whole(0, (1 << 64) - 1)
