"""What commands share: the options that choose a game, seeds, colours, progress, and facts for JSON.

Nothing here imports the core before a command asks for a game, so that `--help` stays quick.
"""

import functools
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bastide.game import Game
    from bastide.rules import Rules
    from bastide.tiles import TileSet

__all__ = [
    "GameOptions",
    "Progress",
    "colour_option",
    "dumps",
    "examples",
    "game_options",
    "identity",
    "is_coloured",
    "json_options",
    "seed_option",
    "threads_option",
    "used_seed",
]

Command = Callable[..., Any]
MAX_SEED = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Hold what the command line says about the game."""

    boxes: str | None
    preset: str | None
    players: str | None
    options: tuple[str, ...]
    tiles: str | None

    def rules(self, default_players: int | None = None) -> "Rules":
        """Return the rules; `default_players` where the command line names no number of players.

        Errors: RulesError; click.UsageError for an option that is no NAME=VALUE, or is there twice.
        """
        from bastide.rules import Rules

        texts: dict[str, str] = {}
        players = [] if self.players is None else [f"players={self.players}"]
        for text in [*players, *self.options]:
            name, equals, value = text.partition("=")
            if not equals or name in texts:
                fault = "is given twice" if equals else "is not NAME=VALUE"
                raise click.UsageError(f"option {text!r} {fault}")
            texts[name] = value
        if default_players is not None:
            texts.setdefault("players", str(default_players))
        return Rules.from_text(self.boxes, texts, preset=self.preset)

    def tile_set(self) -> "TileSet | None":
        """Return the own tiles, if any. Errors: TileDataError."""
        from bastide.tiles import TileSet

        return None if self.tiles is None else TileSet.load(self.tiles)

    def game(self, default_players: int | None = None) -> "Game":
        """Return the game. Errors: RulesError, TileDataError, click.UsageError."""
        from bastide.game import Game

        return Game(self.rules(default_players), self.tile_set())

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is said about the game."""
        return self == GameOptions(None, None, None, (), None)


def game_options(function: Command) -> Command:
    """Add the options that choose a game; the command gets them as `game_options`."""

    @click.option("--preset", metavar="NAME", help="Boxes and options by the name of a preset.")
    @click.option("--boxes", metavar="LIST", help="Boxes in play, e.g. base,tower.")
    @click.option("--players", metavar="N", help="Number of players, 2 if not given.")
    @click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules.")
    @click.option("--tiles", metavar="FILE", help="Own tiles from a TOML file.")
    @functools.wraps(function)
    def command(
        boxes: str | None,
        preset: str | None,
        players: str | None,
        options: tuple[str, ...],
        tiles: str | None,
        **rest: Any,
    ) -> Any:
        return function(game_options=GameOptions(boxes, preset, players, options, tiles), **rest)

    return command


def seed_option(function: Command) -> Command:
    """Add `--seed`."""
    text = "Where the random numbers start; a random one if not given."
    return click.option("--seed", type=click.IntRange(0, MAX_SEED), help=text)(function)


def threads_option(function: Command) -> Command:
    """Add `--threads`."""
    text = "How many threads; all processors if not given. The result does not depend on it."
    return click.option("--threads", type=click.IntRange(1, 1024), help=text)(function)


def json_options(function: Command) -> Command:
    """Add `--json` and `--ndjson` as `as_json` and `as_ndjson`."""
    function = click.option("--ndjson", "as_ndjson", is_flag=True, help="Print one JSON object a line.")(function)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(function)


def colour_option(function: Command) -> Command:
    """Add `--colour`."""
    return click.option(
        "--colour",
        "--color",
        "colour",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colours; auto: on a terminal, unless NO_COLOR is set.",
    )(function)


def is_coloured(colour: str) -> bool:
    """Tell whether stdout gets colours."""
    if colour == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return colour == "always"


def used_seed(seed: int | None) -> int:
    """Return the seed, or choose one, and print it to stderr."""
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    click.echo(f"seed {seed}", err=True)
    return seed


def check_one_form(as_json: bool, as_ndjson: bool) -> None:
    """Raise click.UsageError if both forms of output are asked for."""
    if as_json and as_ndjson:
        raise click.UsageError("--json and --ndjson exclude each other")


def identity(game: "Game") -> dict[str, Any]:
    """Return the versions and the fingerprint that results carry."""
    import bastide
    from bastide._core import api
    from bastide.rules import RULES_VERSION

    return {
        "package": bastide.__version__,
        "rules_version": RULES_VERSION,
        "random_version": api.RANDOM_VERSION_,
        "fingerprint": game.fingerprint,
        "rules": game.rules.canonical(),
    }


def dumps(value: object) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class Progress:
    """Show how far a run is in a line on stderr: only on a terminal, and not at once.

    Use as a context; `add` says how much more is done.
    """

    def __init__(self, total: int, unit: str) -> None:
        self.total = total
        self.unit = unit
        self.done = 0
        self.began = time.monotonic()
        self.shown = self.began
        self.is_shown = False
        self.is_wanted = sys.stderr.isatty()

    def add(self, n: int) -> None:
        self.done += n
        now = time.monotonic()
        if self.is_wanted and now - self.shown >= 0.2:
            self.shown = now
            self.is_shown = True
            rate = self.done / (now - self.began)
            left = (self.total - self.done) / rate if rate else 0
            text = f"{self.done:,}/{self.total:,} {self.unit}  {self.done / self.total:.0%}"
            click.echo(f"\r\x1b[K{text}  {rate:,.0f}/s  {clock(left)} left", err=True, nl=False)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_shown:
            click.echo("\r\x1b[K", err=True, nl=False)


def clock(seconds: float) -> str:
    """Return a time as h:mm:ss or m:ss.

    >>> clock(3725)
    '1:02:05'
    """
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
