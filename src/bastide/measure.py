"""Measure how fast the core is: what `bastide bench` and `bastide doctor` print, and what bench/guard.py counts.

Every figure comes with a checksum of what was played, so that a faster wrong engine cannot win.
"""

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bastide._core import api, bench
from bastide._core.api import Rng
from bastide.errors import BastideError
from bastide.game import Game, State
from bastide.rules import RULES_VERSION, Rules

__all__ = ["SELF_CHECK", "count_instructions", "machine", "measure", "middle", "self_check"]

# preset -> checksum of its first games of a seed, two players, by uniform playouts
SELF_CHECK = {
    "base": 9133782811410925942,
    "everything-c1": 17347393648107373264,
    "everything-c3": 2337799443286382071,
}
SELF_CHECK_GAMES, SELF_CHECK_SEED = 500, 1
N_TRACED = 200  # games of which the decisions are counted
MIDDLE_SEED, MIDDLE = 5, 0.5  # the position in the middle of a game: this share of the tiles is placed
N_SEARCHED = 2000  # iterations of a search that is timed, three times
LOOPS = 20_000  # of a hot path, three times

# What is run under valgrind. Of each game two lengths are played, so that the difference is of games alone.
SCRIPT = """
import json, sys
from bastide._core import bench
from bastide.game import Game
from bastide.rules import Rules
play = getattr(bench, sys.argv[1])
for rules, few, more, seed in json.loads(sys.argv[2]):
    game = Game(Rules(**rules))
    play(game, few, seed)
    play(game, more, seed)
"""
COUNTED = {  # function of `bench` -> the C function that does the work: nothing else is counted
    "games": "__pyx_f_7bastide_5_core_5batch_play_batch",
    "machine": "__pyx_f_7bastide_5_core_7machine_play_by_machine",
}


def measure(game: Game, games: int, seed: int, threads: int | None = None, rounds: int = 3) -> dict[str, Any]:
    """Return the figures of one game's rules: a dict of numbers, see docs/bench.md.

    Playouts: the median of some rounds, all of the same games. Decisions: counted in the first of them.
    """
    from bastide.checksum import checksum

    workers = threads if threads is not None else os.cpu_count() or 1
    game.playouts(min(games, 100), seed=seed, threads=workers)  # what is imported and allocated once
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        stats = game.playouts(games, seed=seed, threads=workers, stats=True)
        seconds.append(time.perf_counter() - began)
    rate = games / max(statistics.median(seconds), 1e-9)
    state = middle(game)
    loops = bench.Bench(state)
    machine_ns, _, machine_decisions = bench.machine(game, max(1, games // 10), seed)
    return {
        "games_per_second": rate,
        "turns_per_second": rate * float(stats.turns.mean()),
        "decisions_per_second": rate * _decisions(game, min(games, N_TRACED), seed),
        "instructions_per_game": None,
        "state_bytes": state.n_bytes[0],
        "copied_bytes": state.n_bytes[1],
        "copy_ns": _best(lambda n: loops.copy(n)[0]),
        "legal_ns": _best(lambda n: loops.list_actions(n)[0]),
        "apply_undo_ns": _best(lambda n: loops.apply_undo(n)[0]),
        "machine_games_per_second": max(1, games // 10) / max(machine_ns, 1) * 1e9,
        "machine_decisions_per_second": machine_decisions / max(machine_ns, 1) * 1e9,
        **_search_rates(game, state, seed, workers),
        "mean_turns": float(stats.turns.mean()),
        "checksum": checksum(stats.scores),
        "threads": workers,
        "seed": seed,
        "games": games,
        "fingerprint": game.fingerprint,
        "rules": game.rules.canonical(),
    }


def _search_rates(game: Game, at_middle: State, seed: int, threads: int) -> dict[str, float]:
    """Return iterations a second of a search, and playouts of the same position, as many trees as threads."""
    from bastide.search import mcts

    first = game.new_state()
    while first.is_chance:
        first.draw(first.sample_draw(Rng(MIDDLE_SEED)))
    rates = {}
    for name, state in (("first", first), ("middle", at_middle)):
        runs = [mcts(state, N_SEARCHED, seed=seed, threads=threads) for _ in range(3)]
        rates[f"search_{name}_per_second"] = max(run.iterations / run.seconds for run in runs)
        seconds = []
        for _ in range(3):
            began = time.perf_counter()
            state.playouts(N_SEARCHED, seed=seed, threads=threads)
            seconds.append(time.perf_counter() - began)
        rates[f"playouts_{name}_per_second"] = N_SEARCHED / min(seconds)
    return rates


def middle(game: Game) -> State:
    """Return a position in the middle of a game: a player is to place the tile in hand."""
    state, rng = game.new_state(), Rng(MIDDLE_SEED)
    turns = int(MIDDLE * state.tiles_left)
    while state.turn < turns or state.phase != "place":
        if state.is_chance:
            state.draw(state.sample_draw(rng))
        elif state.is_terminal:
            raise BastideError("the game has no middle: too few of its tiles fit")
        else:
            actions = state.legal_actions()
            state.apply(actions[rng.below(len(actions))])
    return state


def _decisions(game: Game, games: int, seed: int) -> float:
    """Return the decisions of players in a game, the mean of some."""
    n = 0
    for i in range(games):
        _, steps = game.new_state().playout(Rng(seed, i), trace=True)
        n += sum(kind == "action" for kind, _ in steps)
    return n / games


def _best(loop: Any) -> float:
    """Return the nanoseconds of one turn of a loop: the best of three."""
    return min(float(loop(LOOPS)) for _ in range(3)) / LOOPS


def count_instructions(rules: Sequence[Rules], games: int, what: str = "games", seed: int = 1) -> list[float] | None:
    """Return the machine instructions of one game of each rules, counted by valgrind; None where there is none.

    `what`: "games" = uniform playouts, "machine" = the phase machine (list, choose, check, apply). The mean of `games`
    games of a seed, the first few left out, which pay for what is done once.

    Errors: BastideError if valgrind fails, or if the core has no symbols.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return None
    few = max(1, games // 10)
    counts = _counted(valgrind, what, [(r.canonical(), few, few + games, seed) for r in rules])
    if len(counts) != 2 * len(rules):
        raise BastideError(f"valgrind counted {len(counts)} runs of {2 * len(rules)}: was the core stripped?")
    return [(more - less) / games for less, more in zip(counts[::2], counts[1::2], strict=True)]


def _counted(valgrind: str, what: str, work: list[tuple[dict[str, Any], int, int, int]]) -> list[int]:
    """Run games in a process of their own; return the instructions of each run."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with tempfile.TemporaryDirectory() as folder:
        options = [f"--callgrind-out-file={folder}/out"]
        options += [f"--toggle-collect={COUNTED[what]}", f"--dump-after={COUNTED[what]}"]
        command = [valgrind, "--tool=callgrind", *options, sys.executable, "-c", SCRIPT, what, json.dumps(work)]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if run.returncode:
            raise BastideError(f"valgrind failed: {run.stderr.strip()[-300:]}")
        dumps = sorted(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        totals = [line for path in dumps for line in path.read_text().splitlines() if line.startswith("totals:")]
    return [int(line.split(":")[1]) for line in totals]


def machine() -> dict[str, Any]:
    """Return the facts of the build and the machine that figures depend on."""
    import numpy as np

    import bastide

    return {
        "package": bastide.__version__,
        "rules_version": RULES_VERSION,
        "random_version": api.RANDOM_VERSION_,
        "action_version": api.ACTION_VERSION_,
        "core": os.path.dirname(api.__file__ or ""),
        "build": bench.build(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.platform(),
        "cpu": _cpu(),
        "processors": os.cpu_count(),
    }


def _cpu() -> str:
    """Return the processor's name, as far as the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def self_check() -> dict[str, tuple[int, int]]:
    """Play the games of `SELF_CHECK`; return the checksum of each preset and what it should be."""
    from bastide.checksum import checksum

    found = {}
    for preset, expected in SELF_CHECK.items():
        game = Game(Rules.preset(preset, players=2))
        scores = game.playouts(SELF_CHECK_GAMES, seed=SELF_CHECK_SEED)
        found[preset] = checksum(scores), expected
    return found
