"""Imports go one way: a module knows only those of the layers before its own. The tables below are the order.

Modules of one layer are strangers to each other, and so are the expansions but for those named in FRIENDS.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE_ROOT = ROOT / "cy" / "bastide" / "_core"
PYTHON_ROOT = ROOT / "src" / "bastide"

# The core: (c)imports between modules of bastide._core.
CORE = [
    {"types", "inuse"},
    {"geometry", "rng", "actions", "integers"},
    {"tiles"},
    {"state"},
    {"features", "listing", "window"},
    {"placement"},
    {"meeples"},
    {"scoring"},
    {"expansions"},
    {"turn"},
    {"history", "snapshot", "faults", "observe", "playout", "views"},
    {"policy", "tree"},
    {"batch", "machine", "perft", "search", "slots"},
    {"api"},
    {"bulk", "windows", "bench", "mcts", "planted"},
    {"stepping"},
]
# The package; a subpackage is one entry, inside it everything may know everything.
PYTHON = [
    {"errors"},
    {"_core"},
    {"rules", "strictjson", "wholefile"},
    {"tile"},
    {"tilefile"},
    {"tiles"},
    {"spots"},
    {"tables", "actions", "actionindex", "bulk", "checksum", "planes", "workers"},
    {"searchoptions"},
    {"deck", "tally"},
    {"game"},
    {"batch"},
    {"search"},
    {"record", "resultfile"},
    {"agents", "jcz", "render", "shards"},
    {"adapters", "measure", "simulation"},
    {"tournament"},
    {"cli"},
    {"__main__"},
]
# An expansion: those it may know. `towers` is what the two kinds of towers share.
FRIENDS = {
    "expansions.river": {"expansions.bridges"},  # a river tile may fit with a bridge only (R4, G6)
    "expansions.tower": {"expansions.towers"},
    "expansions.thieves": {"expansions.towers"},
}
# Methods that only hand their object to a layer above, imported when they are called.
HANDED_UP = {("game", "render.svg")}
DOORS = {"api", "bulk", "windows", "stepping", "bench", "mcts"}  # what the package may import of the core
FROM_PACKAGE = {"errors"}  # what the core may import of the package
EXEMPT = {"__init__"}  # hands names out, lazily
VERSION = {"", "__version__"}  # the package itself, for its version

CIMPORT = re.compile(r"^\s*from\s+(bastide[\w.]*)\s+c?import\s+(.*)|^\s*c?import\s+(bastide[\w.]*)")
CIMPORTED = re.compile(r"^from (\S+) cimport (\([^)]*\)|[^\n]*)", re.MULTILINE)
RELATIVE = re.compile(r"^\s*from\s+\.")


def layer_of(name, layers):
    """The number of the layer that a module or its subpackage stands in; None if in none."""
    return next((i for i, layer in enumerate(layers) if name in layer or name.split(".")[0] in layer), None)


def module_name(path, root):
    """`state`, `expansions.river`; a package's __init__ has the package's name."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def core_imports(text):
    """(line number, line, module below bastide) of each import and cimport of a Cython file."""
    for number, line in enumerate(text.splitlines(), 1):
        if RELATIVE.match(line):
            yield number, line, "a relative import"
        elif match := CIMPORT.match(line):
            module, names = match[1] or match[3], match[2]
            if names and module in ("bastide", "bastide._core", "bastide._core.expansions"):
                for name in re.findall(r"\w+", names.split("#")[0].partition(" as ")[0]):
                    yield number, line, f"{module}.{name}".removeprefix("bastide.")
            else:
                yield number, line, module.removeprefix("bastide.")


def python_imports(text):
    """The same of a Python file, without what only type checkers import."""
    tree, lines = ast.parse(text), text.splitlines()
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        found = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            nested = module in ("bastide", "bastide._core")
            found = [f"{module}.{alias.name}" for alias in node.names] if nested else [module]
        for module in found:
            if module.startswith("."):
                yield node.lineno, lines[node.lineno - 1], "a relative import"
            elif module.startswith("bastide"):
                yield node.lineno, lines[node.lineno - 1], module.removeprefix("bastide").removeprefix(".")


def core_fault(name, imported):
    """What is wrong with a core module importing another, or None."""
    if imported in FROM_PACKAGE:
        return None
    if not imported.startswith("_core."):
        return f"the core imports nothing of the package but {', '.join(FROM_PACKAGE)}"
    other = imported.removeprefix("_core.")
    if other == name:
        return None
    mine, theirs = layer_of(name, CORE), layer_of(other, CORE)
    if theirs is None:
        return f"{other} is in no layer: add it to CORE in tests/test_layers.py"
    if theirs < mine or other in FRIENDS.get(name, ()):
        return None
    return f"{other} is not below {name}"


def python_fault(name, imported):
    """What is wrong with a module of the package importing another, or None."""
    if imported == "a relative import":
        return "imports are absolute"
    if imported.startswith("_core") and imported.partition(".")[2] not in DOORS:
        return f"the doors to the core are {', '.join(sorted(DOORS))}"
    if imported in VERSION or (name, imported) in HANDED_UP:
        return None
    mine, theirs = layer_of(name, PYTHON), layer_of(imported, PYTHON)
    if theirs is None:
        return f"{imported} is in no layer: add it to PYTHON in tests/test_layers.py"
    if theirs < mine or (name.split(".")[0] == imported.split(".")[0] and (PYTHON_ROOT / name.split(".")[0]).is_dir()):
        return None
    return f"{imported} is not below {name}"


CORE_FILES = sorted(path for path in CORE_ROOT.rglob("*.p[yx][xd]") if path.stat().st_size)
PYTHON_FILES = sorted(
    path
    for path in PYTHON_ROOT.rglob("*.py")
    if path.relative_to(PYTHON_ROOT).parts[0] != "_core" and module_name(path, PYTHON_ROOT) not in EXEMPT
)


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda path: str(path.relative_to(CORE_ROOT)))
def test_core_modules_import_only_what_is_below_them(path):
    check(path, CORE_ROOT, CORE, "CORE", core_imports, core_fault)


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(PYTHON_ROOT)))
def test_python_modules_import_only_what_is_below_them(path):
    check(path, PYTHON_ROOT, PYTHON, "PYTHON", python_imports, python_fault)


def check(path, root, layers, table, imports, fault_of):
    name = module_name(path, root)
    where = path.relative_to(ROOT)
    assert layer_of(name, layers) is not None, f"{where} is in no layer: add it to {table} in tests/test_layers.py"
    faults = [
        f"{where}:{number}: {line.strip()}   <- {fault}"
        for number, line, imported in imports(path.read_text())
        if (fault := fault_of(name, imported))
    ]
    assert not faults, "\n" + "\n".join(faults)


def test_the_test_finds_what_it_looks_for():
    text = """
from bastide._core.types cimport u8, \\
    u16
from bastide._core cimport rng
cimport bastide._core.state
from bastide.errors import BastideError
    from bastide.game import Game
from .tiles cimport game_t
"""
    found = [module for *_, module in core_imports(text)]
    assert found == ["_core.types", "_core.rng", "_core.state", "errors", "game", "a relative import"]
    assert [core_fault("features", module) is None for module in found] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]
    assert core_fault("expansions.river", "_core.expansions.tower") is not None
    assert core_fault("expansions.thieves", "_core.expansions.towers") is None
    text = """
import bastide.rules
from bastide import tiles, game
from bastide._core import api
from bastide._core.state import x
if TYPE_CHECKING:
    from bastide.cli import main
def f():
    from bastide.cli import main
    from . import spots
"""
    found = sorted(module for *_, module in python_imports(text))
    assert found == ["_core.api", "_core.state", "a relative import", "cli", "game", "rules", "tiles"]
    assert python_fault("game", "render.svg") is None
    assert python_fault("tiles", "render.svg") is not None
    assert [python_fault("game", m) is None for m in found] == [True, False, False, False, False, True, True]


def names_cimported(text):
    """(module, name here) of each name that a Cython file cimports."""
    for module, names in CIMPORTED.findall(text):
        for name in re.sub(r"#.*", "", names).strip("()").replace("\n", " ").split(","):
            if name.strip():
                yield module, name.split(" as ")[-1].strip()


def code_of(text):
    """A Cython file without imports, docstrings and comments."""
    return re.sub(r'"""(?s:.*?)"""|#.*', "", CIMPORTED.sub("", text))


def test_what_the_core_cimports_is_used():
    """In the file, for a .pxd also in its .pyx, or by one that cimports it from there."""
    texts = {path: path.read_text() for path in CORE_FILES}
    handed_on = {found for text in texts.values() for found in names_cimported(text)}
    unused = []
    for path, text in texts.items():
        code = code_of(text)
        if path.suffix == ".pxd":
            code += code_of(texts.get(path.with_suffix(".pyx"), ""))
        module = f"bastide._core.{module_name(path, CORE_ROOT)}"
        for _, name in names_cimported(text):
            if not re.search(rf"\b{name}\b", code) and (path.suffix == ".pyx" or (module, name) not in handed_on):
                unused.append(f"{path.relative_to(CORE_ROOT)}: {name}")
    assert unused == []


def test_files_are_found():
    assert {"state.pyx", "state.pxd", "api.pyx"} <= {path.name for path in CORE_FILES}
    assert {"game.py", "rules.py"} <= {path.name for path in PYTHON_FILES}
