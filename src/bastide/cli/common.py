"""What commands share: the options that choose a game, seeds, colours, progress, and facts for JSON.

Nothing here imports the core before a command asks for a game, so that `--help` stays quick.
"""

import functools
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bastide.game import Game
    from bastide.rules import Rules
    from bastide.tiles import TileSet

__all__ = [
    "CODES",
    "MAX_SEED",
    "GameOptions",
    "Interrupt",
    "Progress",
    "check_can_write",
    "check_one_form",
    "chosen_seed",
    "clock",
    "cluster_option",
    "colour_option",
    "dumps",
    "game_and_seats",
    "game_options",
    "identity",
    "is_coloured",
    "json_options",
    "print_seed",
    "seed_option",
    "shard_option",
    "threads_option",
    "versions",
]

Command = Callable[..., Any]
MAX_SEED = (1 << 64) - 1
MAX_SHARDS = 1_000_000
CODES = "random, greedy, mcts:iterations=500, file.py:Class, 'cmd:program args'"  # which agents there are, for helps


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


def game_and_seats(options: GameOptions, agents: str | None) -> "tuple[Game, list[str] | None]":
    """Return the game and the code of each seat's agent, None without `agents`.

    One code is for all seats; several say how many players there are, where nothing else does.
    Errors: BastideError for a bad code, click.UsageError for another number of them than players.
    """
    if agents is None:
        return options.game(), None
    from bastide.agents import check_codes, split_codes

    codes = split_codes(agents)
    game = options.game(len(codes) if len(codes) > 1 else None)
    n = game.rules.players
    if len(codes) == 1:
        codes *= n
    if len(codes) != n:
        raise click.UsageError(f"--agents names {len(codes)} agents for {n} players")
    check_codes(codes)
    return game, codes


def seed_option(function: Command) -> Command:
    """Add `--seed`."""
    text = "Where the random numbers start; a random one if not given."
    return click.option("--seed", type=click.IntRange(0, MAX_SEED), help=text)(function)


def threads_option(default: str) -> Callable[[Command], Command]:
    """Return what adds `--threads`; `default` says how many there are without it."""
    text = f"How many threads, or processes for agents in Python; if not given {default}. No result depends on it."
    return click.option("--threads", type=click.IntRange(1, 1024), help=text)


def shard_option(function: Command) -> Command:
    """Add `--shard`, as (number of the part from 1, number of parts) or None."""

    def parsed(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[int, int] | None:
        if text is None:
            return None
        number, _, n = text.partition("/")
        if not (number.isdecimal() and n.isdecimal() and 1 <= int(number) <= int(n) <= MAX_SHARDS):
            raise click.BadParameter(f"{text!r} is no part (expected I/N with 1 <= I <= N, e.g. 2/4)")
        return int(number), int(n)

    text = "Play only the I-th of N parts of the run, e.g. 2/4."
    return click.option("--shard", metavar="I/N", callback=parsed, help=text)(function)


def cluster_option(function: Command) -> Command:
    """Add `--cluster`."""
    text = "Play on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N."
    return click.option("--cluster", metavar="ADDRESS", help=text)(function)


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


def chosen_seed(seed: int | None) -> int:
    """Return the seed, or choose one; `print_seed` tells which, when nothing can be wrong with the input."""
    return int.from_bytes(os.urandom(4), "little") if seed is None else seed


def print_seed(seed: int) -> None:
    """Print the seed that a command uses to stderr."""
    click.echo(f"seed {seed}", err=True)


def check_can_write(path: str | None) -> None:
    """Raise click.UsageError if a file plainly cannot be written, before anything is played for it."""
    if path is None:
        return
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path) or not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise click.UsageError(f"{path}: cannot be written")


def check_one_form(as_json: bool, as_ndjson: bool) -> None:
    """Raise click.UsageError if both forms of output are asked for."""
    if as_json and as_ndjson:
        raise click.UsageError("--json and --ndjson exclude each other")


def versions() -> dict[str, Any]:
    """Return the versions that all documents carry."""
    import bastide
    from bastide._core import api
    from bastide.rules import RULES_VERSION

    return {
        "package": bastide.__version__,
        "rules_version": RULES_VERSION,
        "random_version": api.RANDOM_VERSION_,
    }


def identity(game: "Game") -> dict[str, Any]:
    """Return the versions and the game that results carry."""
    return {**versions(), "fingerprint": game.fingerprint, "rules": game.rules.canonical()}


def dumps(value: object) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, allow_nan=False)


class Interrupt:
    """Hear Ctrl-C: the first sets `is_asked`, so that a run can stop where it is whole; the second raises.

    Use as a context.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self._before: Any = None

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True
        os.write(2, b"interrupted: stopping, what is done is kept\n")  # sys.stderr may be in use right now

    def __enter__(self) -> "Interrupt":
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._heard)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class Progress:
    """Show how far a run is in a line on stderr: only on a terminal, and not at once.

    Use as a context; `add` says how much more is done.
    """

    def __init__(self, total: int, unit: str, done: int = 0) -> None:
        self.total = total
        self.unit = unit
        self.before = self.done = done  # what an earlier process did is no measure of this one's rate
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
            rate = (self.done - self.before) / (now - self.began)
            left = (self.total - self.done) / rate if rate else 0
            part = self.done / self.total if self.total else 1
            text = f"{self.done:,}/{self.total:,} {self.unit}  {part:.0%}"
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
