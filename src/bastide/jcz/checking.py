"""Check what a .jcz file asserts about its own game: points, what scored, and what can be done now.

That program's files of tests hold sentences like "Ann has 15 points"; docs/jcz.md lists those that are understood.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bastide.actions import CAPTURE, DEPLOY, EXCHANGE, FLOOR, TAKE_BACK, TOWER_FOLLOWER, split_text
from bastide.errors import BastideError
from bastide.jcz.locations import spots_of
from bastide.jcz.reading import COLOURS, Replay, offered
from bastide.jcz.save import Save

if TYPE_CHECKING:
    from bastide.game import State

__all__ = ["Claim", "Outcome", "check"]

Event = tuple[int, int, str]  # player, points, source
Options = dict[tuple[str, str], set[str]]  # (action, of what), e.g. ("Meeple", "SmallFollower") -> the options
_MEEPLES = {"SmallFollower": "meeple", "Abbot": "abbot"}
_KIND_NAMES = {kind: name for name, kind in _MEEPLES.items()}
_TOKENS = {colour: token for token, colour in COLOURS.items()}
_SOURCES = {"cloister": "monastery", "farm": "field", "ransompaid": "ransom"}
_LISTED = ("Meeple", "TowerPiece", "CaptureFollower", "TilePlacement", "ReturnMeeple")
_POINTER = re.compile(r"\{(?:([^{},]+),)?(\w+),([\w.]+),\[(-?\d+),(-?\d+)\]\}")
_PLACEMENT = re.compile(r"\[(-?\d+),(-?\d+)\]\s*-\s*\[([\d,\s]+)\]")
_CELL = re.compile(r"\[(-?\d+),(-?\d+)\]")


@dataclass(frozen=True, slots=True)
class Claim:
    """Hold one assertion of a file."""

    text: str
    holds: bool | None  # None: not understood
    found: str = ""  # what is so here, where it does not hold


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold the assertions of a file with what became of them."""

    source: str
    claims: tuple[Claim, ...]

    def count(self, holds: bool | None) -> int:
        """Count the assertions that hold, do not hold (False), or are not understood (None)."""
        return sum(claim.holds is holds for claim in self.claims)


def check(text: str | bytes, source: str = "jcz") -> Outcome:
    """Replay a file and check its assertions.

    Errors: RecordError as for `read`, so also for a game that this package does not play.
    """
    save = Save.parse(text, source)
    facts = _Facts(Replay(save))
    return Outcome(source, tuple(facts.check(claim) for claim in save.assertions))


class _Facts:
    """What is so at the end of a file: what scored, the points, the phase and the options, in that program's terms."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self.events: list[Event] = []
        last: list[Event] = []  # of the last draw or action
        n = 0
        for _ in replay.steps():
            if len(replay.moves) > n:
                n = len(replay.moves)
                self.events += last
                last = [(event.player, event.points, event.source) for event in replay.state.score_events]
        self.points = list(replay.state.scores)
        if not replay.is_committed:  # there, step 3 waits for the COMMIT
            now = last[:1] if replay.moves[-1].startswith("take back") else []
            for player, points, _ in last[len(now) :]:
                self.points[player] -= points
            last = now
        self.events += last
        self._is_over = replay.state.is_terminal and replay.is_committed
        if replay.is_cut and not self._is_over:
            self._is_over = True
            self.points = list(replay.state.scores_now())
            self.events += _final_events(replay.state)
        self._rules: list[tuple[str, Callable[..., Claim | None]]] = [
            (r"(.+) has (-?\d+) points?", self._check_points),
            (r"(.+) scored ([\w-]+) for (-?\d+) points?", self._check_scored),
            (r"Player (can|can't) pass", self._check_pass),
            (r"[Pp]hase is (\w+)", self._check_phase),
            (r"Available action (\w+)(?: for (\S+))?", self._check_available),
            (r"Meeple (\w+) options:\s*(.*)", self._check_meeple),
            (r"CaptureFollower options:\s*(.*)", self._check_capture),
            (r"Tower piece (\w+) options:\s*(.*)", self._check_tower),
            (r"(?:TilePlacement (\S+)|Placement) options:\s*(.*)", self._check_placement),
        ]

    def check(self, text: str) -> Claim:
        """Return what becomes of an assertion."""
        for pattern, rule in self._rules:
            if match := re.fullmatch(pattern, text.strip().removesuffix(".")):
                claim = rule(text, *match.groups())
                if claim is not None:
                    return claim
        return Claim(text, None)

    # -- one sentence each; None: not understood after all

    def _check_points(self, text: str, name: str, points: str) -> Claim:
        if name not in self._replay.save.players:
            return Claim(text, False, f"nobody is called {name}")
        found = self.points[self._replay.save.players.index(name)]
        return _claim(text, found == int(points), f"{name} has {found}")

    def _check_scored(self, text: str, name: str, source: str, points: str) -> Claim:
        if name not in self._replay.save.players:
            return Claim(text, False, f"nobody is called {name}")
        player, source = self._replay.save.players.index(name), _SOURCES.get(source, source)
        found = [points for who, points, what in self.events if (who, what) == (player, source)]
        listed = ", ".join(map(str, found)) or "nothing"
        return _claim(text, int(points) in found, f"{name} scored {listed} for {source}")

    def _check_pass(self, text: str, word: str) -> Claim:
        can = self.phase == "ActionPhase" or self._replay.state.phase == "capture"
        return _claim(text, can == (word == "can"), f"the phase is {self.phase}")

    def _check_phase(self, text: str, phase: str) -> Claim:
        return _claim(text, phase == self.phase, f"it is {self.phase}")

    def _check_available(self, text: str, action: str, what: str | None) -> Claim | None:
        if action not in _LISTED:
            return None
        listed = self.options(what if action == "TilePlacement" else None)
        found = any(kind == action and what in (None, of) for kind, of in listed)
        return _claim(text, found, f"there are {', '.join(' '.join(key).strip() for key in listed) or 'none'}")

    def _check_meeple(self, text: str, meeple: str, options: str) -> Claim | None:
        if meeple not in _MEEPLES:
            return None
        return self._compare(text, ("Meeple", meeple), _pointers(options))

    def _check_capture(self, text: str, options: str) -> Claim | None:
        return self._compare(text, ("CaptureFollower", ""), _pointers(options))

    def _check_tower(self, text: str, token: str, options: str) -> Claim | None:
        if token not in COLOURS:
            return None
        return self._compare(text, ("TowerPiece", token), _all(_CELL, options, lambda x, y: [f"{x},{y}"]))

    def _check_placement(self, text: str, tile: str | None, options: str) -> Claim | None:
        def rotations(x: str, y: str, listed: str) -> list[str]:
            return [f"{x},{y} {rotation.strip()}" for rotation in listed.split(",")]

        return self._compare(text, ("TilePlacement", tile or ""), _all(_PLACEMENT, options, rotations))

    def _compare(self, text: str, key: tuple[str, str], expected: set[str] | None) -> Claim | None:
        if expected is None:
            return None
        listed = self.options(key[1] if key[0] == "TilePlacement" else None)
        found = listed.get(key)
        if key == ("TilePlacement", ""):
            found = next((options for (kind, _), options in listed.items() if kind == "TilePlacement"), None)
        if found is None:
            return Claim(text, False, f"{' '.join(key).strip()} is not among the actions")
        missing, more = ("; ".join(sorted(part)) for part in (expected - found, found - expected))
        differences = [f"not here: {missing}"] * bool(missing) + [f"only here: {more}"] * bool(more)
        return _claim(text, not differences, ", ".join(differences))

    # -- the position

    @property
    def phase(self) -> str:
        """That program's name of the phase."""
        if self._is_over:
            return "GameOverPhase"
        if not self._replay.is_committed:
            return "CommitActionPhase"
        phase = self._replay.state.phase
        if phase == "figure":
            return "ActionPhase" if self.options() else "CommitActionPhase"
        return "TowerCapturePhase" if phase in ("capture", "exchange") else "TilePhase"

    def options(self, tile: str | None = None) -> Options:
        """Return what can be done; where the next tile is not known, `tile` says which it is."""
        state = self._replay.state
        if self._is_over or not self._replay.is_committed:
            return {}
        if state.is_chance and tile in self._replay.tiles:
            state = state.copy()
            try:
                state.draw(self._replay.tiles[tile])
            except BastideError:
                return {}
        if state.is_chance:
            return {}
        options: Options = {}
        for action in offered(state):
            for key, option in self._named(state, action):
                options.setdefault(key, set()).add(option)
        return options

    def _named(self, state: "State", action: int) -> Iterable[tuple[tuple[str, str], str]]:
        """Yield what that program calls an action, and its option; a placement is one for each equal rotation."""
        kind, words = split_text(state.action_text(action))
        if kind in (DEPLOY, TOWER_FOLLOWER):
            spot = words[3] if kind == DEPLOY else "tower"
            yield ("Meeple", _KIND_NAMES[words[0]]), f"{words[1]},{words[2]} {spot}"
        elif kind == FLOOR:
            yield ("TowerPiece", _TOKENS[words[0]]), f"{words[1]},{words[2]}"
        elif kind == CAPTURE:
            cell = (int(words[0]), int(words[1]))
            figure = self._replay.ledger.standing(int(words[3]), words[2], (*cell, words[4]))
            yield ("CaptureFollower", ""), f"{figure} {words[0]},{words[1]} {words[4]}"
        elif kind == TAKE_BACK:
            yield ("ReturnMeeple", ""), f"{words[1]},{words[2]} {words[3]}"
        elif kind == EXCHANGE:
            yield ("SelectPrisonerToExchange", ""), words[0]
        else:
            tile = state.game.tiles[state.drawn_tile or 0]
            equal = tile.rotations()[1]
            for q in range(4):
                if equal[q] == int(words[2]) // 90:
                    yield ("TilePlacement", str(tile.jcz)), f"{words[0]},{words[1]} {90 * q}"


def _claim(text: str, holds: bool, found: str) -> Claim:
    return Claim(text, holds, "" if holds else found)


def _all(pattern: re.Pattern[str], listed: str, options: Callable[..., Iterable[str]]) -> set[str] | None:
    """Return the options of a list; None if there is something else in it."""
    found: set[str] = set()
    for part in filter(None, (part.strip() for part in listed.split(";"))):
        match = pattern.fullmatch(part)
        if match is None:
            return None
        found.update(options(*match.groups()))
    return found


def _pointers(listed: str) -> set[str] | None:
    """Return the options of a list of places, of which some may name a meeple first."""

    def option(figure: str | None, feature: str, location: str, x: str, y: str) -> list[str]:
        spots = spots_of(feature, location)
        return [" ".join(filter(None, [figure, f"{x},{y}", *(spots or [f"{feature} {location}"])]))]

    return _all(_POINTER, listed, option)


def _final_events(state: "State") -> list[Event]:
    """Return what would score if the game ended now (B9, B11, B12)."""
    events = []
    for feature in state.features():
        if feature.figures and (feature.kind == "field" or not feature.closed):
            figures = Counter(figure.owner for figure in feature.figures)
            most = max(figures.values())
            events += [(owner, feature.points, feature.kind) for owner, n in sorted(figures.items()) if n == most]
    return events
