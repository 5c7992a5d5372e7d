"""Measure what statistics and rows cost against plain playouts: one thread, processor time, in turns.

    PYTHONPATH=src python bench/rows.py [GAMES] [ROUNDS]

Prints, for each form, the extra time a game in percent of a plain playout: of the least times and of the medians.
"""

import os
import statistics
import sys
import tempfile
import time

from bastide import Rules
from bastide.resultfile import ending_of
from bastide.shards import ShardFolder
from bastide.simulation import Run, chunks
from bastide.tally import Tally

FORMS = ("", ".parquet", ".csv", ".ndjson")
RUN = Run(Rules(), None, 7)
CHUNK = 30_000  # games, about what `simulate` takes at a time


def plain(n: int) -> None:
    """Play without statistics."""
    for first in range(0, n, CHUNK):
        RUN.game.playouts(min(CHUNK, n - first), seed=RUN.seed, start=first, threads=1)


def simulated(n: int, ending: str) -> None:
    """Do what `simulate --out` does, joining included; without an ending, what it does without --out."""
    tally = Tally(RUN.rules.players)
    with tempfile.TemporaryDirectory() as folder:
        shards = ShardFolder(os.path.join(folder, f"games{ending}"), {}, resume=False) if ending else None
        for chunk in chunks(RUN, [(0, n)], 1, None, rows=True):
            tally.merge(chunk.tally)
            if shards is not None and chunk.stats is not None:
                shards.add(RUN.game, RUN.seed, chunk.first, chunk.stats, chunk.tally)
        if shards is not None:
            shards.flush()
            shards.join()
            shards.remove()


def main() -> None:
    n, rounds = (int(text) for text in [*sys.argv[1:], "200000", "9"][:2])
    ending_of("games.parquet")  # imports what Parquet needs
    times: dict[str, list[float]] = {name: [] for name in ("plain", *FORMS)}
    for _ in range(rounds):
        for name, found in times.items():
            began = time.process_time()
            plain(n) if name == "plain" else simulated(n, name)
            found.append((time.process_time() - began) / n * 1e6)
    base = times.pop("plain")
    print(f"plain playouts     {min(base):7.3f} us a game at least, {statistics.median(base):7.3f} in the median")
    for name, found in times.items():
        least = min(found) / min(base) - 1
        median = statistics.median(found) / statistics.median(base) - 1
        print(f"{name or 'statistics only':15}    {least:+7.1%} at least,          {median:+7.1%} in the median")


if __name__ == "__main__":
    main()
