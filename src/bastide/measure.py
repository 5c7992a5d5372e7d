"""Measuring speed: what the command `bench` prints and the benches in bench/ assert.

Rates are of whole runs on this machine, times of C loops on one thread; the checksum is of the games' results, so that
a faster wrong engine shows.
"""

import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from bastide._core import api, bench
from bastide.checksum import checksum
from bastide.game import Game, State

MID_GAME = 0.5  # share of the tiles on the board in the position that is copied and listed
LOOPS = 20_000  # repeats of a C loop
# A run of whole games for the instruction count, as its own process: -c CODE PRESET N
PLAY = (
    "import sys; from bastide.game import Game; from bastide.rules import Rules; "
    "game = Game(Rules.from_text(preset=sys.argv[1], options=dict(a.split('=') for a in sys.argv[3:]))); "
    "game.playouts(int(sys.argv[2]), seed=1, threads=1)"
)


def machine_facts() -> dict[str, Any]:
    """Return what the figures depend on besides the package."""
    return {
        "cpu": _cpu_name(),
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "compiler": bench.build()["compiler"],
    }


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def mid_game(game: Game, seed: int = 1) -> State:
    """Return a random position in which a tile must be placed, with half of the tiles on the board."""
    rng = api.Rng(seed)
    while True:
        state = game.new_state()
        total = state.tiles_left
        while not state.is_terminal:
            if state.phase == "place" and state.tiles_left <= total * (1 - MID_GAME):
                return state
            if state.is_chance:
                state.draw(state.sample_draw(rng))
            else:
                actions = state.legal_actions()
                state.apply(actions[rng.below(len(actions))])


def measure(game: Game, games: int, seed: int, threads: int, repeats: int = 5) -> dict[str, Any]:
    """Return the figures of one game: rates are medians of `repeats` runs of `games` games, times in ns.

    `instructions_per_game` is left to `count_instructions`: None here.
    """
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        stats = game.playouts(games, seed=seed, threads=threads, stats=True)
        seconds.append(time.perf_counter() - start)
    rate = games / median(seconds)
    position = mid_game(game)
    loops = bench.Bench(position)
    return {
        "games_per_second": rate,
        "turns_per_second": rate * float(stats.turns.mean()),
        "decisions_per_second": rate * decisions_per_game(game),
        "instructions_per_game": None,
        "state_bytes": position.n_bytes[0],
        "copied_bytes": position.n_bytes[1],
        "copy_ns": _per_call(loops.copy, repeats),
        "legal_ns": _per_call(loops.list_actions, repeats),
        "apply_undo_ns": _per_call(loops.apply_undo, repeats),
        "checksum": checksum(stats.scores),
        "threads": threads,
        "seed": seed,
        "games": games,
    }


def decisions_per_game(game: Game, games: int = 100) -> float:
    """Return the mean number of players' decisions in playouts, over some games with a fixed seed."""
    rng, state = api.Rng(1), game.new_state()
    steps = (state.playout(rng, trace=True)[1] for _ in range(games))
    return float(sum(kind == "action" for game_steps in steps for kind, _ in game_steps)) / games


def _per_call(loop: Callable[[int], tuple[int, int]], repeats: int) -> float:
    """Return the nanoseconds of one round of a C loop: the median of several runs."""
    return median(loop(LOOPS)[0] / LOOPS for _ in range(repeats))


def count_instructions(preset: str, options: dict[str, str], games: int = 600) -> float | None:
    """Return the instructions of one game: callgrind's count of a long run less that of a short one.

    None without valgrind. Stable to about 1 percent whatever else the machine does.
    """
    if shutil.which("valgrind") is None:
        return None
    short, long = (_callgrind(preset, options, n) for n in (games // 3, games))
    return (long - short) / (games - games // 3)


def _callgrind(preset: str, options: dict[str, str], games: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={folder}/out",
                sys.executable,
                "-c",
                PLAY,
                preset,
                str(games),
                *(f"{name}={value}" for name, value in options.items()),
            ],
            capture_output=True,
            text=True,
            env=_plain_environment(),
            check=True,
        )
    line = next(line for line in run.stderr.splitlines() if "Collected" in line)
    return int(line.rpartition(":")[2])


def _plain_environment() -> dict[str, str]:
    """Return this environment with numerical libraries kept to one thread and hashes fixed, so that counts repeat."""
    import os

    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
