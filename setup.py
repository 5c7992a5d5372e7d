"""Build the compiled core: every .pyx below cy/ becomes the module of the same path below src/.

Switches (environment; what they change is built anew):

BASTIDE_DEBUG=1     index checks, separate allocations, AddressSanitizer and UndefinedBehaviorSanitizer; Linux with gcc
BASTIDE_NATIVE=1    -march=native (for your own machine only, never for wheels)
BASTIDE_ANNOTATE=1  Cython's annotated HTML beside the generated C in build/cython-annotated

A debug build is imported with the sanitizer's library loaded first:
LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc python -m pytest
"""

import hashlib
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

# What the last build left. Times of files do not tell what is new there: pip installs another Cython for every build.
GENERATED = Path("build", "cython" + "-debug" * DEBUG + "-annotated" * ANNOTATE)
KEPT = Path("build", "kept")
FLAGS = f"{Cython.__version__} {CFLAGS} {LDFLAGS} {MACROS} {DIRECTIVES}"


def extensions() -> list[Extension]:
    """Return the modules, with their C if it is there and nothing has changed, else with that made anew."""
    sources = sorted(CY.rglob("*.pyx"))
    generated = [GENERATED / path.with_suffix(".c") for path in sources]
    key = digest(sorted(CY.rglob("*.p[yx][xd]")))
    if is_kept(GENERATED, key) and all(path.exists() for path in generated):
        return [extension(*paths) for paths in zip(sources, generated, strict=True)]
    made: list[Extension] = cythonize(
        [extension(path, path) for path in sources],
        include_path=[str(CY)],
        build_dir=str(GENERATED),
        annotate=ANNOTATE,
        show_all_warnings=True,
        compiler_directives=DIRECTIVES,
        force=not is_kept(GENERATED / "flags", FLAGS),
    )
    keep(GENERATED / "flags", FLAGS)
    keep(GENERATED, key)
    return made


def extension(path: Path, source: Path) -> Extension:
    return Extension(
        ".".join(path.relative_to(CY).with_suffix("").parts),
        [source.as_posix()],
        extra_compile_args=CFLAGS,
        extra_link_args=LDFLAGS,
        define_macros=[*MACROS, *FACTS],
    )


class BuildExt(build_ext):
    """Build on all cores, and only what has changed: an editable install begins with an empty folder."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        self.force = True

    def build_extension(self, ext: Extension) -> None:
        target = Path(self.get_ext_fullpath(ext.name))
        kept = KEPT / self.get_ext_filename(ext.name)
        key = digest([Path(source) for source in ext.sources])
        if is_kept(kept, key) and kept.exists():
            self.mkpath(str(target.parent))
            self.copy_file(str(kept), str(target))
        else:
            super().build_extension(ext)
            self.mkpath(str(kept.parent))
            self.copy_file(str(target), str(kept))
            keep(kept, key)


def digest(sources: list[Path]) -> str:
    """Return a hash of the flags and of files with their names."""
    total = hashlib.sha256(FLAGS.encode())
    for path in sources:
        total.update(f"\0{path.as_posix()}\0".encode() + path.read_bytes())
    return total.hexdigest()


def is_kept(path: Path, key: str) -> bool:
    """Tell whether a file or folder was made from what the key stands for."""
    note = path.with_name(path.name + ".key")
    return note.exists() and note.read_text() == key


def keep(path: Path, key: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(path.name + ".key").write_text(key)


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


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExt, "build_py": BuildPy})
