"""What a tournament is: entrants, rules, who meets whom how often, and when it stops. Equal plans play equal games."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bastide.agents import are_native
from bastide.bulk import whole
from bastide.errors import BastideError, RecordError, show
from bastide.game import Game
from bastide.rules import Rules
from bastide.simulation import shared_game
from bastide.tiles import TileSet
from bastide.tournament.sprt import Sprt

__all__ = ["FORMATS", "Limits", "Plan"]

FORMATS = ("round-robin", "gauntlet", "swiss")
MAX_ENTRANTS = 64
MAX_ROUNDS = 10_000_000
MAX_SEED = (1 << 64) - 1
MAX_SECONDS = 1e6
MAX_DECISIONS = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Limit games; None: no limit. Programs have `outside.HANG_SECONDS` for a decision in any case."""

    move_seconds: float | None = None  # for a decision
    game_seconds: float | None = None  # for all decisions of an agent in a game
    decisions: int | None = None  # of all agents in a game, which is then scored as it stands

    def __post_init__(self) -> None:
        for name in ("move_seconds", "game_seconds"):
            value = getattr(self, name)
            if value is not None and not (_is_number(value) and 0 < value <= MAX_SECONDS):
                raise BastideError(f"{name} must be a number above 0 and at most a million, got {show(value)}")
        if self.decisions is not None:
            object.__setattr__(self, "decisions", whole("decisions", self.decisions, 1, MAX_DECISIONS))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@dataclass(frozen=True)
class Plan:
    """Describe a tournament.

    A round of a round-robin has each possible table once, one of a gauntlet those with the first entrant, one of
    a Swiss tournament a table for each entrant among its equals. A table plays `deals` decks, each in all
    rotations of the seats.

    Errors: BastideError for values that make no tournament.
    """

    rules: Rules
    tiles: TileSet | None
    seed: int
    entrants: tuple[str, ...]  # codes of the agents
    names: tuple[str, ...] = ()  # for people; the codes if empty
    format: str = "round-robin"
    rounds: int = 1
    deals: int = 1
    limits: Limits = field(default_factory=Limits)
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", self.names or self.entrants)
        n, seats = len(self.entrants), self.rules.players
        if seats < 2:
            raise BastideError(f"a tournament needs games of 2 .. 6 players, got {seats}")
        if not 2 <= n <= MAX_ENTRANTS:
            raise BastideError(f"a tournament needs 2 .. {MAX_ENTRANTS} entrants, got {n}")
        if len(set(self.names)) != n or len(self.names) != n:
            names = ", ".join(self.names)
            raise BastideError(f"each entrant needs a name of its own, got {names} (give them with --names)")
        if self.format not in FORMATS:
            raise BastideError(f"format must be one of {', '.join(FORMATS)}, got {show(self.format)}")
        if self.format == "swiss" and n < seats:
            raise BastideError(f"a Swiss tournament of {seats} players a table needs as many entrants, got {n}")
        for name, least, most in (("seed", 0, MAX_SEED), ("rounds", 1, MAX_ROUNDS), ("deals", 1, MAX_ROUNDS)):
            object.__setattr__(self, name, whole(name, getattr(self, name), least, most))
        if self.sprt is not None and (n != 2 or seats != 2):
            raise BastideError(f"a sequential test is of 2 entrants in games for 2, got {n} in games for {seats}")

    @property
    def seats(self) -> int:
        """Players of a game."""
        return self.rules.players

    @property
    def game(self) -> Game:
        """The game, made once in each process."""
        return shared_game(self.rules, self.tiles)

    @property
    def is_reproducible(self) -> bool:
        """Tell whether no clock has a say in the games, apart from the one against programs that hang."""
        clocks = (self.limits.move_seconds, self.limits.game_seconds)
        return clocks == (None, None) and not any("seconds=" in code for code in self.entrants)

    @property
    def is_native(self) -> bool:
        """Tell whether threads can help all agents: they think outside of the interpreter, or in programs."""
        return are_native(self.entrants)

    @cached_property
    def key(self) -> str:
        """A name of the run for machines."""
        return hashlib.blake2b(json.dumps(self.document(), sort_keys=True).encode(), digest_size=8).hexdigest()

    def document(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        return {
            "rules": self.rules.canonical(),
            "fingerprint": self.game.fingerprint,
            "seed": self.seed,
            "entrants": list(self.entrants),
            "names": list(self.names),
            "tournament": self.format,
            "rounds": self.rounds,
            "deals": self.deals,
            "limits": {name: getattr(self.limits, name) for name in ("move_seconds", "game_seconds", "decisions")},
            "sprt": None if self.sprt is None else self.sprt.document(),
        }

    @staticmethod
    def from_document(document: Mapping[str, Any], tiles: TileSet | None, source: str) -> "Plan":
        """Return the plan of a document. Errors: RecordError that names `source`."""
        try:
            plan = Plan(
                Rules.from_canonical(document["rules"]),
                tiles,
                document["seed"],
                tuple(document["entrants"]),
                tuple(document["names"]),
                document["tournament"],
                document["rounds"],
                document["deals"],
                Limits(**document["limits"]),
                None if document["sprt"] is None else Sprt(**document["sprt"]),
            )
        except (KeyError, TypeError, BastideError) as error:
            raise RecordError(f"{source}: it holds no plan of a tournament: {error}") from error
        if plan.game.fingerprint != document["fingerprint"]:
            found, expected = plan.game.fingerprint, document["fingerprint"]
            raise RecordError(f"{source}: it is of game {expected}, these rules and tiles make {found} (own --tiles?)")
        return plan
