"""Measure what a Dask cluster costs: shards of about a second on local workers, start-up aside.

    PYTHONPATH=src python bench/cluster.py [SHARDS] [WORKERS]

Two figures, since the machine may be busy with other things: the processor time of scheduler, client and workers
besides the games themselves, and the time in which a worker had nothing to do between two shards.
"""

import os
import sys
import time
from itertools import pairwise
from typing import Any

import psutil

from bastide import Rules
from bastide.simulation import Run
from bastide.tally import Tally
from bastide.workers import cluster_workers


def timed(run: Run, first: int, n: int) -> tuple[dict[str, Any], int, float, float, float]:
    """Play a shard; return its sums, the process, its processor time, and when it began and ended."""
    began, used = time.monotonic(), time.thread_time()
    tally = Tally(run.rules.players)
    tally.add(first, run.game.playouts(n, seed=run.seed, start=first, threads=1, stats=True))
    return tally.sums(), os.getpid(), time.thread_time() - used, began, time.monotonic()


def processor_seconds() -> float:
    """Return what this process and those it started have used."""
    me = psutil.Process()
    return sum(sum(process.cpu_times()[:2]) for process in [me, *me.children(recursive=True)])


def main() -> None:
    n_shards, n_workers = (int(text) for text in [*sys.argv[1:], "60", "2"][:2])
    run = Run(Rules(), None, 7)
    began = time.thread_time()
    run.game.playouts(100_000, seed=7, threads=1, stats=True)
    n = int(100_000 / (time.thread_time() - began))
    with cluster_workers(f"local:{n_workers}") as workers:
        list(workers.map(timed, [(run, i, 10) for i in range(4 * n_workers)]))  # imports, tables
        before = processor_seconds()
        rows = list(workers.map(timed, [(run, n * (1 + i), n) for i in range(n_shards)]))
        used = processor_seconds() - before
    played = sum(row[2] for row in rows)
    idle = total = 0.0
    for process in {row[1] for row in rows}:
        spans = sorted((row[3], row[4]) for row in rows if row[1] == process)
        idle += sum(after[0] - before[1] for before, after in pairwise(spans))
        total += spans[-1][1] - spans[0][0]
    print(f"{n_shards} shards of {n:,} games and {played / n_shards:.2f} s of processor time, {n_workers} workers")
    print(f"processor time besides the games: {used - played:.2f} s, {(used - played) / played:.2%}")
    print(f"workers without a shard between two: {idle:.2f} s of {total:.1f} s, {idle / total:.2%}")
    print(
        f"{1000 * (used - played) / n_shards:.1f} ms of processor time and {1000 * idle / n_shards:.1f} ms idle a shard"
    )


if __name__ == "__main__":
    main()
