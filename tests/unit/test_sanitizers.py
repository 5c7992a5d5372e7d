"""The debug build catches deliberate mistakes of the core; every other build refuses to make them.

Which of the two is tested depends on the build that is installed; continuous integration runs both.
"""

import subprocess
import sys

import pytest

from bastide import Game, Rules
from bastide._core import planted
from bastide.errors import BastideError

GAME = Game(Rules.preset("everything-c1"))
LEAST_SECTIONS = 10  # of a state

PRELUDE = """
from bastide import Game, Rules
from bastide._core import planted

game = Game(Rules.preset("everything-c1"))
"""

# A mistake, and what the sanitizer has to call it.
MISTAKES = {
    **{
        f"planted.overrun_section(game, {i})": "AddressSanitizer: heap-buffer-overflow"
        for i in range(planted.n_sections(GAME) if planted.DEBUG else LEAST_SECTIONS)
    },
    "planted.overrun_array(game, 0)": "runtime error: index 6 out of bounds",
    "planted.read_freed(game)": "AddressSanitizer: heap-use-after-free",
    "planted.read_misaligned(game, 1)": "runtime error: load of misaligned address",
    "planted.overflow(2**31 - 1, 1)": "runtime error: signed integer overflow",
    "planted.shift(1, 32)": "runtime error: shift exponent 32 is too large",
    "planted.divide(1, 0)": "runtime error: division by zero",
}


def run(code):
    return subprocess.run([sys.executable, "-c", PRELUDE + code], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(("mistake", "report"), MISTAKES.items())
def test_a_planted_mistake_ends_the_debug_build_with_a_report_and_is_refused_by_others(mistake, report):
    if planted.DEBUG:
        done = run(mistake)
        assert done.returncode != 0
        assert report in done.stderr
        assert "Traceback" not in done.stderr
    else:
        with pytest.raises(BastideError, match="only in the debug build"):
            eval(mistake, {"planted": planted, "game": GAME})


def test_without_a_mistake_nothing_is_reported():
    code = "assert planted.overflow(1, 2) == 3 and planted.shift(1, 2) == 4" if planted.DEBUG else "planted.DEBUG"
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_section_of_a_state_is_overrun():
    if planted.DEBUG:
        assert planted.n_sections(GAME) >= LEAST_SECTIONS
    else:
        with pytest.raises(BastideError, match="only in the debug build"):
            planted.n_sections(GAME)
