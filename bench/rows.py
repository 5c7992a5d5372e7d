"""Measure what statistics and rows cost against plain playouts: one thread, processor time.

    PYTHONPATH=src python bench/rows.py [GAMES] [ROUNDS]

Does what `simulate` and `simulate --out` do, chunk by chunk, and plays each chunk once without statistics beside it, so
that both see the same machine. Prints the time of each part in percent of the plain playouts, medians of the rounds:

    playing    statistics of the core (the median of the chunks)
    sums       adding them up
    rows       writing them
    joining    making one file of the shards
"""

import itertools
import os
import statistics
import sys
import tempfile
from time import process_time

from bastide import Rules
from bastide.resultfile import ending_of
from bastide.shards import ShardFolder
from bastide.simulation import Run
from bastide.tally import Tally

FORMS = (".parquet", ".csv", ".ndjson")
PARTS = ("playing", "sums", "rows", "joining")
RUN = Run(Rules(), None, 7)
CHUNK = 30_000  # games, about what `simulate` takes at a time


def costs(n: int, ending: str) -> list[float]:
    """Return the time of each part as a share of the plain playouts."""
    players = RUN.rules.players
    whole = Tally(players)
    plain, playing, sums, rows = [], [], 0.0, 0.0
    with tempfile.TemporaryDirectory() as path:
        folder = ShardFolder(os.path.join(path, f"games{ending}"), {}, resume=False)
        for first in range(0, n, CHUNK):
            times = [process_time()]
            RUN.game.playouts(CHUNK, seed=RUN.seed, start=first, threads=1)
            times.append(process_time())
            stats = RUN.game.playouts(CHUNK, seed=RUN.seed, start=first, threads=1, stats=True)
            times.append(process_time())
            tally = Tally(players)
            tally.add(first, stats)
            whole.merge(tally)
            times.append(process_time())
            folder.add(RUN.game, RUN.seed, first, stats, tally)
            times.append(process_time())
            took = [b - a for a, b in itertools.pairwise(times)]
            plain.append(took[0])
            playing.append(took[1] / took[0] - 1)
            sums += took[2]
            rows += took[3]
        began = process_time()
        folder.flush()
        folder.join()
        folder.remove()
        joining = process_time() - began
    return [statistics.median(playing), *(time / sum(plain) for time in (sums, rows, joining))]


def main() -> None:
    n, rounds = (int(text) for text in [*sys.argv[1:], "600000", "5"][:2])
    ending_of("games.parquet")  # imports what Parquet needs
    found: dict[str, list[list[float]]] = {ending: [] for ending in FORMS}
    for _ in range(rounds):
        for ending in FORMS:
            found[ending].append(costs(n, ending))
    print(f"{'':9}", *(f"{name:>8}" for name in PARTS), f"{'together':>9}")
    for ending, all_costs in found.items():
        parts = [statistics.median(column) for column in zip(*all_costs, strict=True)]
        print(f"{ending:9}", *(f"{share:8.2%}" for share in parts), f"{sum(parts):9.2%}")


if __name__ == "__main__":
    main()
