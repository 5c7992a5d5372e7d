"""Fuzz one kind of input for some time, led by the coverage of the package's Python code (needs `pip install atheris`).

    python tests/fuzz TARGET [--seconds 600] [--keep FOLDER]

An input that raises what it must not is written to the folder (default: tests/data/fuzz/TARGET), where test_fuzz.py
finds it from then on. Targets: `python tests/fuzz --help`.
"""

import argparse
import hashlib
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import atheris

with atheris.instrument_imports(include=["bastide"]):
    from fuzz.targets import TARGETS

FINDS = Path(__file__).parent.parent / "data" / "fuzz"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    target, keep = TARGETS[options.target], options.keep or FINDS / options.target
    end = time.monotonic() + options.seconds
    counts = {"inputs": 0, "accepted": 0}

    def once(data):
        provider = atheris.FuzzedDataProvider(data)
        made = target.make(lambda n: provider.ConsumeIntInRange(0, n - 1) if n > 1 else 0)
        counts["inputs"] += 1
        try:
            counts["accepted"] += target.judge(made)
        except Exception:
            keep.mkdir(parents=True, exist_ok=True)
            path = keep / hashlib.sha256(made).hexdigest()[:16]
            path.write_bytes(made)
            print(f"written to {path}", file=sys.stderr)
            raise
        if time.monotonic() > end:
            print(
                f"{options.target}: {counts['inputs']} inputs, {counts['accepted']} accepted, nothing found", flush=True
            )
            os._exit(0)  # libFuzzer has no other way to stop

    atheris.Setup([sys.argv[0], "-max_len=4096", "-len_control=0", f"-max_total_time={options.seconds + 60}"], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
