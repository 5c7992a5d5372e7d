"""Hold the rules of a game: which boxes are in play, for how many players, with which options.

`Rules` checks every value and combination when it is made. `BOXES`, `OPTIONS` and `PRESETS` are the tables
behind it, for the command `rules` and for help texts. What tiles the rules bring is in `tiles`.

Rules have numbers: B base game, R river, T tower, K black tower, H thieves, W watchtowers, G bridges and
castles, C combinations.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn

from bastide.errors import RulesError, show

__all__ = ["BOXES", "OPTIONS", "PRESETS", "RULES_VERSION", "Box", "Option", "Rules"]

RULES_VERSION = 1  # changes whenever the same rules and draws can lead to another game
MAX_PLAYERS = 6
MAX_COPIES = 10


@dataclass(frozen=True, slots=True)
class Box:
    """Describe a box: a part of the game that can be in play or not."""

    name: str
    title: str
    section: str  # letter of its rules
    source: str  # what it is an implementation of
    tile_sets: Mapping[str, str]  # edition -> name of its tile set; empty: the box has no tiles
    needs: str = ""  # box it cannot be played without


@dataclass(frozen=True, slots=True)
class Option:
    """Describe an option of `Rules`."""

    name: str
    values: tuple[int | str, ...]  # all possible values; bool for a switch
    default: int | str | None  # None: depends on the boxes, see `default_text`
    box: str  # box that must be in play for another value than the default
    text: str
    rules: tuple[str, ...]  # numbers of the rules that it touches
    default_text: str = ""


def _sets(c1: str, c2: str, c3: str) -> Mapping[str, str]:
    return MappingProxyType({"c1": c1, "c2": c2, "c3": c3})


_THIEVES = "towers_and_thieves_c31"
_BRIDGES = "bridges_and_castles_c31"

BOXES: Mapping[str, Box] = MappingProxyType(
    {
        box.name: box
        for box in (
            Box(
                "base",
                "Base game",
                "B",
                "Carcassonne, editions 1 to 3",
                _sets("base_c1", "base_c2c3", "base_c2c3"),
            ),
            Box("river", "River", "R", "The River, editions 1 to 3", _sets("river_c1", "river_c2", "river_c3")),
            Box("tower", "Tower", "T", "The Tower, first edition", _sets("tower_c1", "tower_c2", "tower_c2")),
            Box(
                "black-tower",
                "Black Tower",
                "K",
                "The Black Tower, fan expansion",
                MappingProxyType({}),
                "tower",
            ),
            Box("thieves", "Towers & Thieves", "H", "Towers & Thieves, edition 3.1", _sets(*(_THIEVES,) * 3)),
            Box(
                "watchtowers",
                "Watchtowers",
                "W",
                "The Watchtowers, editions 2 and 3",
                _sets("watchtowers_c2", "watchtowers_c2", "watchtowers_c3"),
            ),
            Box(
                "bridges-castles",
                "Bridges & Castles",
                "G",
                "Bridges & Castles, edition 3.1",
                _sets(*(_BRIDGES,) * 3),
            ),
        )
    }
)

_SWITCH = (False, True)

OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        option.name: option
        for option in (
            Option("players", (2, 1, 3, 4, 5, 6), 2, "base", "number of players", ("B1",)),
            Option(
                "edition",
                ("c3", "c2", "c1"),
                None,
                "base",
                "printing of the tiles",
                ("B2", "R1", "W1"),
                "c3; c1 with the box tower",
            ),
            Option("abbot", _SWITCH, False, "base", "an abbot each; needs edition c2 or c3", ("B13",)),
            Option("farmers", _SWITCH, True, "base", "meeples may stand on fields", ("B12",)),
            Option("small_city_points", (2, 1), 2, "base", "per tile and pennant in a city of two tiles", ("B7",)),
            Option(
                "copies",
                tuple(range(1, MAX_COPIES + 1)),
                1,
                "base",
                "how many times each box is there: one number, or one a box",
                ("B14",),
            ),
            Option(
                "river_start_tile",
                ("out", "deck"),
                None,
                "river",
                "what becomes of the start tile of the base game when the spring is the start",
                ("R1",),
                "out; deck for edition c1",
            ),
            Option(
                "tower_gaps",
                ("block", "cross"),
                "block",
                "tower",
                "whether gaps end a tower's range",
                ("T5",),
            ),
            Option("tower_eye_for_an_eye", _SWITCH, False, "tower", "no ransom, only exchange", ("T11", "T8")),
            Option("tower_no_surprise", _SWITCH, False, "tower", "range is the height less one", ("T11", "T4")),
            Option(
                "tower_diagonal",
                _SWITCH,
                False,
                "tower",
                "range counts steps in any direction",
                ("T11", "K4"),
            ),
            Option("watchman_replace_own", _SWITCH, True, "thieves", "an own watchman can be replaced", ("H4",)),
            Option(
                "watchtower_c3_tile",
                ("J", "G"),
                "J",
                "watchtowers",
                "which of two tiles lost its field border in edition c3",
                ("W1",),
            ),
        )
    }
)


def _preset(*boxes: str, **options: object) -> Mapping[str, object]:
    return MappingProxyType({"boxes": ("base", *boxes), **options})


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "base": _preset(),
        "river": _preset("river"),
        "tower": _preset("tower"),
        "black-tower": _preset("tower", "black-tower"),
        "thieves": _preset("thieves"),
        "watchtowers": _preset("watchtowers"),
        "bridges-castles": _preset("bridges-castles"),
        "everything-c1": _preset("river", "tower", "black-tower", "watchtowers", "bridges-castles", edition="c1"),
        "everything-c3": _preset("river", "thieves", "watchtowers", "bridges-castles", edition="c3", abbot=True),
    }
)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Rules:
    """Fix the rules of a game: immutable, hashable, checked.

    Errors: RulesError for an unknown box or option, a value out of range, an impossible combination.

    >>> Rules(boxes=("tower",), players=3)
    Rules(boxes=('base', 'tower'), players=3)
    >>> Rules(boxes=("tower",)).edition
    'c1'
    """

    version: ClassVar[int] = RULES_VERSION

    boxes: tuple[str, ...]  # in the order of BOXES, "base" always first
    players: int
    edition: str
    abbot: bool
    farmers: bool
    small_city_points: int
    copies: tuple[tuple[str, int], ...]  # (box, n) where n is not 1, by name
    river_start_tile: str
    tower_gaps: str
    tower_eye_for_an_eye: bool
    tower_no_surprise: bool
    tower_diagonal: bool
    watchman_replace_own: bool
    watchtower_c3_tile: str

    def __new__(cls, **options: object) -> "Rules":
        """Refuse names that are no option, which `__init__` would meet with a TypeError."""
        for name in options:
            if name not in OPTIONS and name != "boxes":
                raise RulesError(f"unknown option {show(name)}: the options are boxes, {', '.join(OPTIONS)}")
        return object.__new__(cls)

    def __init__(
        self,
        *,
        boxes: Iterable[str] = ("base",),
        players: int = 2,
        edition: str | None = None,
        abbot: bool = False,
        farmers: bool = True,
        small_city_points: int = 2,
        copies: int | Mapping[str, int] | Iterable[tuple[str, int]] = 1,
        river_start_tile: str | None = None,
        tower_gaps: str = "block",
        tower_eye_for_an_eye: bool = False,
        tower_no_surprise: bool = False,
        tower_diagonal: bool = False,
        watchman_replace_own: bool = True,
        watchtower_c3_tile: str = "J",
    ) -> None:
        given = dict(locals())
        del given["self"]
        values: dict[str, Any] = {"boxes": _checked_boxes(boxes)}
        for name in OPTIONS:
            values[name] = given[name]
        if edition is None:
            values["edition"] = _default("edition", values)
        if river_start_tile is None:
            values["river_start_tile"] = _default("river_start_tile", values)
        values["copies"] = _checked_copies(copies, values["boxes"])
        _check_options(values)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "Rules":
        """Return the rules of a preset, with other options where `overrides` names them.

        Errors: RulesError for an unknown preset, and as for `Rules`.

        >>> Rules.preset("everything-c3", players=4).boxes
        ('base', 'river', 'thieves', 'watchtowers', 'bridges-castles')
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise RulesError(f"unknown preset {show(name)}: the presets are {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **overrides})

    @classmethod
    def from_text(
        cls,
        boxes: str | Iterable[str] | None = None,
        options: Mapping[str, str] | None = None,
        *,
        preset: str | None = None,
    ) -> "Rules":
        """Return the rules that texts describe, as a command line gives them.

        `boxes` is a list with commas; `options` has a text for each option: a number, a choice, for a switch
        on/off/true/false, for copies "2" or "base:2,tower:3". Both override the `preset`, if there is one.

        Errors: RulesError for a text that means no value, and as for `Rules`.

        >>> Rules.from_text("base,tower", {"players": "3", "tower_diagonal": "on"})
        Rules(boxes=('base', 'tower'), players=3, tower_diagonal=True)
        """
        values: dict[str, Any] = {}
        if boxes is not None:
            values["boxes"] = [part.strip() for part in boxes.split(",")] if isinstance(boxes, str) else boxes
        for name, text in (options or {}).items():
            if name == "boxes":
                raise RulesError("boxes is not given as an option: name the boxes in a list of their own")
            if name not in OPTIONS:
                raise RulesError(f"unknown option {show(name)}: the options are {', '.join(OPTIONS)}")
            values[name] = _copies_from_text(text) if name == "copies" else _from_text(OPTIONS[name], text)
        return cls(**values) if preset is None else cls.preset(preset, **values)

    @classmethod
    def from_canonical(cls, data: Mapping[str, Any]) -> "Rules":
        """Return the rules that `canonical` described, now or in an earlier version.

        Options that came later are missing there and have their default: `boxes` alone cannot be missing.
        Errors: RulesError unless all that is there is what `canonical` gives for some rules.

        >>> Rules.from_canonical(Rules(players=5).canonical())
        Rules(players=5)
        """
        names = ["boxes", *OPTIONS]
        if not isinstance(data, Mapping):
            raise RulesError(f"rules: {show(data)} is not an object (expected one with {', '.join(names)})")
        if "boxes" not in data:
            raise RulesError(f"rules: boxes is missing (expected {', '.join(names)})")
        for name in data:
            if name not in names:
                raise RulesError(f"rules: {show(name)} is not an option (expected {', '.join(names)})")
        rules = cls(**data)
        canonical = rules.canonical()
        for name, value in data.items():
            if value != canonical[name] or type(value) is not type(canonical[name]):
                raise RulesError(f"rules: {name}={show(value)} is not in its one form (expected {canonical[name]!r})")
        return rules

    def canonical(self) -> dict[str, Any]:
        """Return all boxes and options as plain JSON values, equal for equal rules only.

        >>> Rules().canonical()["edition"]
        'c3'
        """
        data: dict[str, Any] = {"boxes": list(self.boxes)}
        for name in OPTIONS:
            data[name] = getattr(self, name)
        data["copies"] = dict(self.copies)
        return data

    def chosen(self) -> dict[str, Any]:
        """Return what of `canonical` is not the default. Fingerprints are made of it, so that new options change none.

        >>> Rules(boxes=("river",), players=3, edition="c3").chosen()
        {'boxes': ['base', 'river'], 'players': 3}
        """
        data = self.canonical()
        defaults: dict[str, Any] = {"boxes": ["base"], **{name: _default(name, data) for name in OPTIONS}, "copies": {}}
        return {name: value for name, value in data.items() if value != defaults[name]}

    def copies_of(self, box: str) -> int:
        """Return how many times the tiles of `box` are in play (B14): 0 if the box is not.

        >>> Rules(copies=2).copies_of("base")
        2
        """
        return dict(self.copies).get(box, 1) if box in self.boxes else 0

    @property
    def tile_sets(self) -> dict[str, str]:
        """Map each box in play that has tiles to the name of the tile set that `edition` picks.

        >>> Rules(boxes=("river",), edition="c1").tile_sets
        {'base': 'base_c1', 'river': 'river_c1'}
        """
        sets = {box: BOXES[box].tile_sets[self.edition] for box in self.boxes if BOXES[box].tile_sets}
        if self.watchtower_c3_tile == "G":
            sets["watchtowers"] += "_g"
        return sets

    def __repr__(self) -> str:
        values = self.chosen()
        if "boxes" in values:
            values["boxes"] = self.boxes
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in values.items())})"


def _default(name: str, values: Mapping[str, Any]) -> int | str | None:
    """Return the default of an option, given the boxes and for the river's the edition too."""
    if name == "edition":
        return "c1" if "tower" in values["boxes"] else "c3"
    if name == "river_start_tile":
        return "deck" if values["edition"] == "c1" else "out"
    return OPTIONS[name].default


def _checked_boxes(boxes: Iterable[str]) -> tuple[str, ...]:
    """Return the boxes in canonical order, "base" added, each once, their combination checked."""
    if isinstance(boxes, (str, bytes, Mapping)) or not isinstance(boxes, Iterable):
        raise RulesError(f"boxes={show(boxes)} is not a sequence of names (expected e.g. ('base', 'tower'))")
    given = list(boxes)
    for name in given:
        if not isinstance(name, str) or name not in BOXES:
            raise RulesError(f"unknown box {show(name)}: the boxes are {', '.join(BOXES)}")
    if "tower" in given and "thieves" in given:
        raise RulesError(
            "boxes 'tower' and 'thieves' are two editions of one box and cannot be played together (H9): "
            "leave out one of them"
        )
    for name in given:
        needed = BOXES[name].needs
        if needed and needed not in given:
            raise RulesError(f"box {name!r} needs the box {needed!r} (H9): add it, or leave out {name!r}")
    return tuple(name for name in BOXES if name in given or name == "base")


def _checked_copies(copies: object, boxes: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the boxes that are there more than once, with their numbers, by name (B14)."""
    if type(copies) is int:
        pairs: list[Any] = [(box, copies) for box in boxes if BOXES[box].tile_sets]
    elif isinstance(copies, Mapping):
        pairs = list(copies.items())
    elif isinstance(copies, tuple):
        pairs = list(copies)
    else:
        _bad_copies(copies)
    checked: dict[str, int] = {}
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            _bad_copies(copies)
        box, n = pair
        if box not in BOXES:
            raise RulesError(f"copies: unknown box {show(box)}: the boxes are {', '.join(BOXES)}")
        if type(n) is not int or not 1 <= n <= MAX_COPIES:
            raise RulesError(f"copies={show(n)} for the box {box!r} is not possible (expected 1 to {MAX_COPIES})")
        if box in checked:
            raise RulesError(f"copies names the box {box!r} twice (expected each box once)")
        checked[box] = n
    for box, n in checked.items():
        if n == 1:
            continue
        if box == "river":
            raise RulesError(
                f"copies={n} is not possible for the box 'river', which is there once (B14): "
                "name the boxes to multiply, e.g. copies={'base': 2}"
            )
        if not BOXES[box].tile_sets:
            raise RulesError(f"copies={n} is not possible for the box {box!r}, which has no tiles (B14): leave it out")
        if box not in boxes:
            raise RulesError(f"copies={n} for the box {box!r} needs that box: add it to boxes")
    return tuple(sorted((box, n) for box, n in checked.items() if n != 1))


def _bad_copies(copies: object) -> NoReturn:
    raise RulesError(
        f"copies={show(copies)} is neither a number nor a number a box "
        f"(expected 1 to {MAX_COPIES}, or e.g. {{'base': 2}})"
    )


def _expected(option: Option) -> str:
    """Return the values of an option in words."""
    if option.values == _SWITCH:
        return "True or False"
    if all(type(value) is int for value in option.values) and len(option.values) > 2:
        return f"{min(option.values)} to {max(option.values)}"
    return " or ".join(repr(value) for value in option.values)


def _check_options(values: Mapping[str, Any]) -> None:
    """Raise RulesError unless each option has one of its values, and its box is in play if that matters."""
    for option in OPTIONS.values():
        if option.name == "copies":
            continue
        value = values[option.name]
        if not any(type(value) is type(known) and value == known for known in option.values):
            raise RulesError(f"{option.name}={show(value)} is not possible (expected {_expected(option)})")
        if option.box not in values["boxes"] and value != _default(option.name, values):
            raise RulesError(
                f"{option.name}={value!r} needs the box {option.box!r}: add that to boxes, or omit the option"
            )
    if values["abbot"] and values["edition"] == "c1":
        raise RulesError("abbot=True needs garden tiles, and edition 'c1' has none (B13): choose edition='c2' or 'c3'")
    if values["watchtower_c3_tile"] == "G" and values["edition"] != "c3":
        raise RulesError(
            f"watchtower_c3_tile='G' chooses between tiles of edition 'c3', not of {values['edition']!r}: "
            "choose edition='c3', or leave the option out"
        )


def _from_text(option: Option, text: str) -> int | str:
    """Return the value of an option other than copies that a text means."""
    if not isinstance(text, str):
        raise RulesError(f"{option.name}={show(text)} is not a text (expected one, e.g. '{option.values[0]}')")
    word = text.strip()
    if option.values == _SWITCH:
        switch = {"on": True, "true": True, "off": False, "false": False}.get(word.lower())
        if switch is None:
            raise RulesError(f"{option.name}={show(word)} is not possible (expected on, off, true or false)")
        return switch
    for value in option.values:
        if word == str(value):
            return value
    raise RulesError(f"{option.name}={show(word)} is not possible (expected {_expected(option)})")


def _copies_from_text(text: str) -> int | dict[str, int]:
    """Return what "2" or "base:2,tower:3" means."""
    if not isinstance(text, str):
        _bad_copies(text)
    numbers = {str(n): n for n in range(1, MAX_COPIES + 1)}
    word = text.strip()
    if word in numbers:
        return numbers[word]
    copies: dict[str, int] = {}
    for part in word.split(","):
        box, colon, number = part.partition(":")
        box, number = box.strip(), number.strip()
        if not colon or number not in numbers or box in copies:
            raise RulesError(
                f"copies={show(word)} is not possible (expected a number from 1 to {MAX_COPIES}, "
                "or one a box, e.g. base:2,tower:3)"
            )
        copies[box] = numbers[number]
    return copies
