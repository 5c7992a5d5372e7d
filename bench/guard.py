"""Fail if the hot paths need more instructions, or states more bytes, than they did: python bench/guard.py

Counts the machine instructions of a game with valgrind, which does not depend on how busy the machine is, and compares
them with bench/baseline.json. More than 5 percent above is a failure (exit code 1).

    python bench/guard.py                 count, compare, print the table
    python bench/guard.py --update        count and write the baseline; says what to write into CHANGELOG.md
    python bench/guard.py --self-test     plant a slow-down (6 percent more games than said): the guard must fail

A baseline is named by a hash of its figures, and CHANGELOG.md must name it ("Bench baseline 1a2b3c"): so no baseline
changes without a line that says why. Figures depend a little on the compiler, which the baseline names too.
"""

import argparse
import datetime
import hashlib
import json
import sys
from pathlib import Path

from bastide import Game, Rules, measure
from bastide.rules import PRESETS

HERE = Path(__file__).resolve().parent
BASELINE = HERE / "baseline.json"
CHANGELOG = HERE.parent / "CHANGELOG.md"
LIMIT = 0.05
PLANTED = 0.06
MACHINE = ("base", "everything-c1", "everything-c3")  # presets of which the phase machine is counted as well


def count(presets, planted=0.0):
    """Return the figures by name. `planted`: a share of games that are played but not said."""
    rules = {name: Rules.preset(name, players=2) for name in presets}
    figures = {}
    for what, names, games in (("games", presets, 300), ("machine", [n for n in presets if n in MACHINE], 60)):
        counts = measure.count_instructions([rules[name] for name in names], round(games * (1 + planted)), what)
        if counts is None:
            sys.exit("there is no valgrind: install it to count instructions")
        for name, instructions in zip(names, counts, strict=True):
            figures[f"{name} {what} instructions"] = round(instructions * (1 + planted))
    for name in presets:
        state = measure.middle(Game(rules[name]))
        figures[f"{name} state bytes"], figures[f"{name} copied bytes"] = state.n_bytes
    return figures


def compare(figures, baseline):
    """Return the table's lines, and the names that are too large or in no baseline."""
    lines, faults = [f"{'':34} {'baseline':>10} {'now':>10} {'change':>8}"], []
    for name, now in figures.items():
        before = baseline.get(name)
        if before is None:
            lines.append(f"{name:34} {'-':>10} {now:>10,} {'new':>8}")
            faults.append(name)
            continue
        mark = ""
        if now > before * (1 + LIMIT):
            mark = "  TOO MANY"
            faults.append(name)
        elif now < before * (1 - LIMIT):
            mark = "  fewer: update the baseline"
        lines.append(f"{name:34} {before:>10,} {now:>10,} {now / before - 1:>+8.1%}{mark}")
    return lines, faults


def name_of(figures):
    """The name of a baseline: a hash of its figures."""
    text = json.dumps(figures, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=3).hexdigest()


def is_explained(figures, changelog):
    """Whether the changelog has a line about the baseline."""
    return f"bench baseline {name_of(figures)}" in changelog.lower()


def update(figures):
    """Write the baseline and say what belongs into the changelog."""
    compiler = measure.machine()["build"]["compiler"]
    document = {"date": datetime.date.today().isoformat(), "compiler": compiler, "figures": figures}
    BASELINE.write_text(json.dumps(document, indent=2) + "\n")
    base = figures["base games instructions"]
    print(f"Write into CHANGELOG.md: - Bench baseline {name_of(figures)}: base {base:,} instructions a game; why.")


def main():
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the baseline")
    parser.add_argument("--self-test", action="store_true", help="show that a planted slow-down is found")
    options = parser.parse_args()
    if options.self_test:
        honest, planted = count(["base"]), count(["base"], PLANTED)
        lines, faults = compare(planted, honest)
        print("\n".join(lines))
        print("the planted slow-down is found" if faults else "the planted slow-down is NOT found")
        return 0 if "base games instructions" in faults else 1
    figures = count(list(PRESETS))
    if options.update:
        update(figures)
        return 0
    document = json.loads(BASELINE.read_text())
    lines, faults = compare(figures, document["figures"])
    print("\n".join(lines))
    compiler = measure.machine()["build"]["compiler"]
    if compiler != document["compiler"]:
        print(f"note: the baseline is of {document['compiler']}, this core of {compiler}")
    if not is_explained(document["figures"], CHANGELOG.read_text()):
        print(f"CHANGELOG.md has no line about bench baseline {name_of(document['figures'])}")
        return 1
    if faults:
        print(f"more than {LIMIT:.0%} above the baseline: {', '.join(faults)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
