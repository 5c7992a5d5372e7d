"""Play many games and add them up: what `bastide simulate` does, for programs.

Games come in chunks, from uniform playouts in the core or from agents, by threads, processes or a cluster. Each
game depends on the seed and its number alone, so a result depends neither on how they were cut nor on who played
them. Sums are in `tally`, files with one row a game in `shards` and `resultfile`.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from bastide._core.api import Rng
from bastide.agents import play_steps, seated
from bastide.bulk import COUNTS, SOURCES, Stats
from bastide.game import Game
from bastide.record import Recorder
from bastide.rules import Rules
from bastide.tally import Tally
from bastide.tiles import TileSet
from bastide.workers import CHUNK_SECONDS, Pace, Workers

__all__ = ["Chunk", "Run", "chunks", "shared_game"]

MAX_CHUNK = 1 << 18
MAX_CLUSTER_CHUNK = 1 << 21  # 32 MiB of rows
Range = tuple[int, int]  # number of the first game, number of games


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive games and their sums."""

    first: int
    tally: Tally
    stats: Stats | None  # None where only the sums were asked for
    seconds: float  # that it took to play them


@lru_cache(maxsize=8)
def shared_game(rules: Rules, tiles: TileSet | None) -> Game:
    """Return the game of rules and tiles, made once in each process."""
    return Game(rules, tiles)


@dataclass(frozen=True)
class Run:
    """Say which games are played; equal runs play equal games.

    `agents`: a code a seat, or None for uniform playouts.
    """

    rules: Rules
    tiles: TileSet | None
    seed: int
    agents: tuple[str, ...] | None = None

    @property
    def game(self) -> Game:
        """The game, made once in each process."""
        return shared_game(self.rules, self.tiles)

    @cached_property
    def key(self) -> str:
        """A name of the run for machines."""
        facts = [self.game._identity, self.seed, self.agents]
        return hashlib.blake2b(json.dumps(facts).encode(), digest_size=8).hexdigest()


def chunks(run: Run, ranges: Iterable[Range], threads: int, workers: Workers | None, rows: bool) -> Iterator[Chunk]:
    """Play ranges of games and yield them in chunks: in order, unless a cluster plays them.

    `workers`: None for uniform playouts by `threads` threads of this process; `rows`: whether chunks must have
    their games, or sums will do.
    Errors: BastideError for a number out of range, a bad code; those of the agents and workers.
    """
    if workers is None:
        yield from _by_threads(run, ranges, threads)
        return
    pace = Pace(workers.seconds, most=MAX_CLUSTER_CHUNK if workers.is_cluster else MAX_CHUNK)
    tasks = ((run, first, n, rows) for first, n in _cut(ranges, pace))
    for chunk in workers.map(_play, tasks, ordered=not workers.is_cluster):
        pace.learn(chunk.tally.games, chunk.seconds)
        yield chunk


def _by_threads(run: Run, ranges: Iterable[Range], threads: int) -> Iterator[Chunk]:
    pace = Pace(CHUNK_SECONDS, 512 * threads, MAX_CHUNK)
    for first, n in _cut(ranges, pace):
        began = time.perf_counter()
        stats = run.game.playouts(n, seed=run.seed, start=first, threads=threads, stats=True)
        seconds = time.perf_counter() - began
        pace.learn(n, seconds)
        yield _chunk(run, first, stats, seconds, True)


def _cut(ranges: Iterable[Range], pace: Pace) -> Iterator[Range]:
    for first, n in ranges:
        end = first + n
        while first < end:
            now = min(pace.n, end - first)
            yield first, now
            first += now


def _play(run: Run, first: int, n: int, rows: bool) -> Chunk:
    """Play games by one thread: a task for workers."""
    began = time.perf_counter()
    if run.agents is None:
        stats = run.game.playouts(n, seed=run.seed, start=first, threads=1, stats=True)
    else:
        games = [_agent_game(run.game, run.agents, run.seed, first + i) for i in range(n)]
        stats = Stats(
            *(np.concatenate([getattr(game, name) for game in games]) for name in ("scores", "turns", "discards")),
            *(np.sum([getattr(game, name) for game in games], axis=0) for name in ("points", "counts")),
        )
    return _chunk(run, first, stats, time.perf_counter() - began, rows)


def _chunk(run: Run, first: int, stats: Stats, seconds: float, rows: bool) -> Chunk:
    tally = Tally(run.rules.players)
    tally.add(first, stats)
    return Chunk(first, tally, stats if rows else None, seconds)


def _agent_game(game: Game, codes: tuple[str, ...], seed: int, number: int) -> Stats:
    """Play one game; its points by source are those of the score events.

    Each game has agents of its own and `Rng(seed, number)`.
    """
    recorder = Recorder(game, seed=seed)
    state = recorder.state
    points = np.zeros((game.rules.players, len(SOURCES)), np.int64)
    counts = dict.fromkeys(COUNTS, 0)
    supply = state._shared()
    with seated(codes) as agents:
        for text in play_steps(recorder, agents, Rng(seed, number)):
            for player, amount, source, *_ in state._events():
                points[player, SOURCES.index(source)] += amount
            counts["captures"] += text.startswith("capture ")
    for name, left in state._shared().items():
        if name in counts:
            counts[name] = supply[name] - left
    return Stats(
        np.array([state.scores], np.int32),
        np.array([state.turn], np.int32),
        np.array([state.discards], np.int32),
        points,
        np.array(list(counts.values()), np.int64),
    )
