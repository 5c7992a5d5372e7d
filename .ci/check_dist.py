"""Check a source archive and a wheel against the list of the project's files (on stdin).

usage: check_dist.py ARCHIVE WHEEL < FILES
"""

import sys
import tarfile
import zipfile
from pathlib import PurePosixPath

NOT_SHIPPED = {".gitignore"}


def main(archive: str, wheel: str) -> None:
    files = {line.strip() for line in sys.stdin} - NOT_SHIPPED
    with tarfile.open(archive) as tar:
        shipped = {member.name.partition("/")[2] for member in tar.getmembers() if member.isfile()}
    with zipfile.ZipFile(wheel) as unpacked:
        installed = set(unpacked.namelist())
    fail_unless(not files - shipped, "the source archive lacks", files - shipped)
    generated = {name for name in shipped if name.endswith((".c", ".so"))}
    fail_unless(not generated, "the source archive has generated files:", generated)

    wanted = {name.removeprefix("src/") for name in files if name.startswith("src/")}
    wanted |= {name.removeprefix("cy/") for name in files if name.startswith("cy/") and name.endswith(".pxd")}
    fail_unless(not wanted - installed, "the wheel lacks", wanted - installed)
    compiled = {module(name) for name in installed if name.endswith((".so", ".pyd"))}
    sources = {module(name.removeprefix("cy/")) for name in files if name.endswith(".pyx") and name.startswith("cy/")}
    fail_unless(compiled == sources, "the wheel's modules are not those of cy/:", compiled ^ sources)
    strange = {name for name in installed if name.endswith((".c", ".pyx"))}
    fail_unless(not strange, "the wheel has", strange)
    print(f"source archive: {len(shipped)} files; wheel: {len(installed)}, {len(compiled)} of them compiled")


def module(name: str) -> str:
    """Return a path without the endings of its file name."""
    path = PurePosixPath(name)
    return str(path.with_name(path.name.partition(".")[0]))


def fail_unless(holds: bool, what: str, names: set[str]) -> None:
    if not holds:
        sys.exit(f"{what} {', '.join(sorted(names))}")


main(*sys.argv[1:])
