"""Build the compiled core: every .pyx below cy/ becomes the module of the same path below src/.

Switches (environment; a changed switch needs `build_ext --force`):

BASTIDE_DEBUG=1     index checks, separate allocations, AddressSanitizer and UndefinedBehaviorSanitizer
BASTIDE_NATIVE=1    -march=native (for your own machine only, never for wheels)
BASTIDE_ANNOTATE=1  Cython's annotated HTML beside the generated C in build/cython
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

CY = Path("cy")


def switch(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


DEBUG = switch("BASTIDE_DEBUG")

if sys.platform == "win32":
    CFLAGS, LDFLAGS = ["/O2"], []
else:
    # No fused multiply-add, so that search results do not depend on the machine.
    CFLAGS, LDFLAGS = ["-O3", "-ffp-contract=off", "-Wno-unused-function", "-Wno-unreachable-code"], []
    if switch("BASTIDE_NATIVE"):
        CFLAGS.append("-march=native")
    if DEBUG:
        sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        CFLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-ffp-contract=off", *sanitize]
        LDFLAGS = sanitize

# What the core calls inline is to be inlined, also where the compiler would rather not.
MACROS = [] if DEBUG or sys.platform == "win32" else [("CYTHON_INLINE", "__inline__ __attribute__((always_inline))")]
if DEBUG:
    MACROS.append(("BASTIDE_DEBUG", "1"))


def extensions() -> list[Extension]:
    return [
        Extension(
            ".".join(path.relative_to(CY).with_suffix("").parts),
            [path.as_posix()],
            extra_compile_args=CFLAGS,
            extra_link_args=LDFLAGS,
            define_macros=MACROS,
        )
        for path in sorted(CY.rglob("*.pyx"))
    ]


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
        build_dir="build/cython",
        annotate=switch("BASTIDE_ANNOTATE"),
        show_all_warnings=True,
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "embedsignature": True,
        },
    ),
    cmdclass={"build_py": BuildPy},
)
