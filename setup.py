"""Build the compiled core: every .pyx below cy/ becomes the module of the same path below src/.

Switches (environment; when they or the flags below change, everything is built anew):

BASTIDE_DEBUG=1     index checks, separate allocations, AddressSanitizer and UndefinedBehaviorSanitizer; Linux with gcc
BASTIDE_NATIVE=1    -march=native (for your own machine only, never for wheels)
BASTIDE_ANNOTATE=1  Cython's annotated HTML beside the generated C in build/cython-annotated

A debug build is imported with the sanitizer's library loaded first:
LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc python -m pytest
"""

import os
import sys
from pathlib import Path

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

CY = Path("cy")


def switch(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


DEBUG = switch("BASTIDE_DEBUG")
ANNOTATE = switch("BASTIDE_ANNOTATE")

LDFLAGS: list[str] = []
MACROS: list[tuple[str, str | None]] = []
if sys.platform == "win32":
    CFLAGS = ["/O2"]
elif DEBUG:
    # Not for the first finding only a printed line, but the end of the process.
    LDFLAGS = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
    # Python's own flags have -fwrapv, under which no signed overflow is reported, and fortified functions.
    CFLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-ffp-contract=off", "-fno-wrapv", "-U_FORTIFY_SOURCE"]
    CFLAGS += LDFLAGS
    MACROS = [("BASTIDE_DEBUG", "1")]
else:
    # No fused multiply-add, so that search results do not depend on the machine.
    CFLAGS = ["-O3", "-ffp-contract=off", "-Wno-unused-function", "-Wno-unreachable-code"]
    # What the core calls inline is to be inlined, also where the compiler would rather not.
    MACROS = [("CYTHON_INLINE", "__inline__ __attribute__((always_inline))")]
    if switch("BASTIDE_NATIVE"):
        CFLAGS.append("-march=native")

# For `bastide doctor`: what the compiler was told.
FACTS = [] if sys.platform == "win32" else [("BASTIDE_FLAGS", f'"{" ".join(CFLAGS)}"')]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": DEBUG,
    "embedsignature": True,
}

STAMP = Path("build", "flags")
FLAGS = f"{Cython.__version__} {CFLAGS} {LDFLAGS} {MACROS} {DIRECTIVES}\n"


def extensions() -> list[Extension]:
    return [
        Extension(
            ".".join(path.relative_to(CY).with_suffix("").parts),
            [path.as_posix()],
            extra_compile_args=CFLAGS,
            extra_link_args=LDFLAGS,
            define_macros=[*MACROS, *FACTS],
        )
        for path in sorted(CY.rglob("*.pyx"))
    ]


class BuildExt(build_ext):
    """Build on all cores, and everything anew where other flags were used the last time."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if not STAMP.exists() or STAMP.read_text() != FLAGS:
            self.force = True

    def run(self) -> None:
        super().run()
        STAMP.parent.mkdir(exist_ok=True)
        STAMP.write_text(FLAGS)


class BuildPy(build_py):
    """Install the .pxd files beside the modules, so that other packages can cimport the core."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for path in sorted(CY.rglob("*.pxd")):
            target = Path(self.build_lib, path.relative_to(CY))
            self.mkpath(str(target.parent))
            self.copy_file(str(path), str(target))


setup(
    ext_modules=cythonize(
        extensions(),
        include_path=[str(CY)],
        build_dir="build/cython" + "-debug" * DEBUG + "-annotated" * ANNOTATE,
        annotate=ANNOTATE,
        show_all_warnings=True,
        compiler_directives=DIRECTIVES,
    ),
    cmdclass={"build_ext": BuildExt, "build_py": BuildPy},
)
