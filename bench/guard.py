"""Guard the speed: instructions a game of each preset, against bench/baseline.json.

    python bench/guard.py              fails if a preset needs over 5 percent more than its baseline
    python bench/guard.py --update     writes the baseline; the CHANGELOG must then name the new base figure
    python bench/guard.py --self-test  shows that the guard fails when games take 10 percent more work

Counts are callgrind's (valgrind), the difference of a long and a short run, so they hardly depend on the machine's
load. They do depend on the compiler, whose version stands in the baseline; with another one the limit is 15 percent.
"""

import argparse
import json
import sys
from pathlib import Path

from rows import ROWS

from bastide._core import bench
from bastide.measure import count_instructions

HERE = Path(__file__).parent
BASELINE = HERE / "baseline.json"
CHANGELOG = HERE.parent / "CHANGELOG.md"
LIMIT, LIMIT_OTHER_COMPILER = 0.05, 0.15


def count(names: list[str], factor: float = 1.0) -> dict[str, int]:
    """Return the instructions of a game by row; `factor` plants a slow-down."""
    counts = {}
    for name in names:
        preset, options = ROWS[name]
        found = count_instructions(preset, options)
        if found is None:
            sys.exit("guard: valgrind is not installed")
        counts[name] = round(found * factor)
    return counts


def judge(counts: dict[str, int], baseline: dict[str, int], limit: float) -> list[str]:
    """Print a table and return the rows that are over the limit or have no baseline."""
    bad = []
    print(f"{'row':18} {'baseline':>10} {'now':>10} {'change':>8}")
    for name, now in counts.items():
        before = baseline.get(name)
        change = None if before is None else now / before - 1
        print(f"{name:18} {before or '-':>10} {now:>10} {'-' if change is None else format(change, '+8.1%')}")
        if change is None or change > limit:
            bad.append(name)
    return bad


def main() -> None:
    parser = argparse.ArgumentParser(description="Guard instructions a game against bench/baseline.json.")
    parser.add_argument("--update", action="store_true", help="write the baseline")
    parser.add_argument("--self-test", action="store_true", help="show that a slow-down fails")
    parser.add_argument("rows", nargs="*", help=f"of {', '.join(ROWS)}; default: all")
    options = parser.parse_args()
    names = options.rows or list(ROWS)
    if unknown := set(names) - set(ROWS):
        parser.error(f"unknown rows {', '.join(sorted(unknown))}")
    compiler = bench.build()["compiler"]
    if options.update:
        BASELINE.write_text(json.dumps({"compiler": compiler, "instructions": count(names)}, indent=1) + "\n")
        print(BASELINE.read_text())
        return
    stored = json.loads(BASELINE.read_text())
    limit = LIMIT if stored["compiler"] == compiler else LIMIT_OTHER_COMPILER
    figure = f"{stored['instructions']['base-c1']:,}"
    if figure not in CHANGELOG.read_text():
        sys.exit(f"guard: the baseline of base-c1 is {figure}, but the CHANGELOG has no line with that figure")
    if options.self_test:
        bad = judge(count(["base-c1"], factor=1.1 + limit), stored["instructions"], limit)
        sys.exit(None if bad == ["base-c1"] else "guard: a planted slow-down went unnoticed")
    if bad := judge(count(names), stored["instructions"], limit):
        sys.exit(f"guard: more than {limit:.0%} above the baseline: {', '.join(bad)}")


if __name__ == "__main__":
    main()
