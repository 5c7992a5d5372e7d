"""What the pages in docs/ show is true: examples run, each page is in the navigation, rules are those of the tests."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import bastide
from bastide.cli import COMMANDS
from bastide.cli.app import app
from bastide.rules import BOXES, OPTIONS, PRESETS
from bastide.tilefile import SOURCES
from bastide.tiles import TileSet

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
RULES = (DOCS / "rules.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^### ([A-Z]\d+) .*?(?=^#|\Z)", re.DOTALL | re.MULTILINE)
KINDS = ("published", "fan", "house rule", "answer", "peer", "follows", "own")


def blocks(page):
    """The code blocks of a page: (what stands behind the fence, the code)."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def rows(first, text=RULES):
    """The cells of the rows of the table whose head begins with this cell."""
    table = text.split(f"\n| {first} |", 1)[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


# -- pages


def with_examples():
    """The pages with examples; those of adapters.md need extras and are run by tests/adapters."""
    found = [page for page in PAGES if any(info == "python" for info, _ in blocks(page))]
    return [page for page in found if page.name != "adapters.md"]


@pytest.mark.parametrize("page", with_examples(), ids=lambda page: page.name)
def test_the_python_examples_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for info, code in blocks(page):
        if info != "python":
            continue
        if not code.startswith(">>>"):
            exec(compile(code, page.name, "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=sys.stdout.write, clear_globs=False)
        assert runner.failures == 0, capsys.readouterr().out
        names.update(test.globs)


def test_there_are_examples_of_both_kinds():
    codes = [code for page in with_examples() for info, code in blocks(page) if info == "python"]
    assert {code.startswith(">>>") for code in codes} == {True, False}


def test_every_page_has_its_place_in_the_navigation_once():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")[1]
    named = re.findall(r"- (?:[^:\n]+: )?([\w/-]+\.md)$", navigation, re.MULTILINE)
    assert sorted(named) == [page.relative_to(DOCS).as_posix() for page in PAGES]


@pytest.mark.parametrize("name", [name for name in bastide.__all__ if name != "__version__"])
def test_every_public_name_is_on_the_api_page(name):
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    home = getattr(getattr(bastide, name), "__module__", f"bastide.{bastide._HOME[name]}")  # a number has no module
    entry = re.search(rf"^::: {re.escape(home)}\n((?: +.*\n)*)", text, re.MULTILINE)
    assert entry, home
    members = re.search(r"members: \[(.*)\]", entry[1])
    assert members is None or name in members[1].split(", ")


# -- rules


def test_every_rule_says_where_it_comes_from():
    for match in HEADING.finditer(RULES):
        assert re.search(rf"^\*Source: ({'|'.join(KINDS)})\b.*\.\*$", match[0], re.MULTILINE), match[1]


def test_rules_are_in_order_and_each_is_there_once():
    numbers = [match[1] for match in HEADING.finditer(RULES)]
    sections = list(dict.fromkeys(number[0] for number in numbers))
    assert sections == [*(box.section for box in BOXES.values()), "C"]
    assert numbers == [f"{s}{i + 1}" for s in sections for i in range(sum(n[0] == s for n in numbers))]


def test_the_pages_and_messages_cite_only_rules_that_there_are():
    known = {match[1] for match in HEADING.finditer(RULES)}
    files = [*PAGES, *ROOT.glob("*.md"), *(ROOT / "src").rglob("*.py"), *(ROOT / "cy").rglob("*.p*x*")]
    files = [path for path in files if path.name != "adding-a-box.md"]  # whose example has rules of its own
    cited = {
        number: path.name
        for path in files
        for group in re.findall(r"\(((?:[A-Z]\d+(?:, | and | to |-)?)+)\)", path.read_text(encoding="utf-8"))
        for number in re.findall(r"[A-Z]\d+", group)
    }
    assert len(cited) > 50
    cited |= {row[0]: "deviations" for row in rows("rule") if row[0] != "-"}
    assert {number: where for number, where in cited.items() if number not in known} == {}


def test_boxes_presets_and_options_are_those_of_the_program():
    boxes = {row[0].strip("`"): row for row in rows("box")}
    assert list(boxes) == list(BOXES)
    for name, box in BOXES.items():
        assert boxes[name][1] == box.section
        assert all(f"`{tiles}`" in boxes[name][3] for tiles in box.tile_sets.values())
    named = [preset for row in rows("preset") for preset in re.findall(r"`([\w-]+)`", row[0])]
    assert sorted(named) == sorted(PRESETS)
    options = {row[0].strip("`"): row for row in rows("option")}
    assert list(options) == list(OPTIONS)
    for name, option in OPTIONS.items():
        assert tuple(options[name][3].split(", ")) == option.rules


def test_the_marks_of_the_tiles_are_counted_right():
    text = (DOCS / "tiles.md").read_text(encoding="utf-8")
    marks = [row[0].strip("`") for row in rows("mark", text)]
    assert marks == list(SOURCES)
    shown = {row[0].strip("`"): [int(cell or 0) for cell in row[1:]] for row in rows("set", text)}
    tiles = TileSet.builtin()
    assert shown == {
        name: [sum(n for tile, n in counts.items() if tiles.tiles[tile].source == mark) for mark in marks[:-1]]
        for name, counts in tiles.sets.items()
    }


def test_every_command_has_a_row_with_an_example():
    table = rows("command", (DOCS / "commands.md").read_text(encoding="utf-8"))
    assert [row[0].strip("`") for row in table] == list(COMMANDS)
    for row in table:
        name, *arguments = shlex.split(row[2].strip("`"))[1:]
        assert f"`{name}`" == row[0]
        command = app.get_command(click.Context(app), name)
        if isinstance(command, click.Group):
            name, *arguments = arguments
            command = command.get_command(click.Context(command), name)
        command.make_parser(click.Context(command)).parse_args(arguments)  # raises for an option that it does not have


# -- the worked example of adding a box


def apply_changes(tree):
    """Make the changes of adding-a-box.md in a copy of the project's tree; return the files."""
    files = []
    for info, code in blocks(DOCS / "adding-a-box.md"):
        title = re.fullmatch(r"(\w+) title=\"(.+)\"", info)
        if not title:
            continue
        language, path = title.groups()
        files.append(path)
        if language == "diff":
            (tree / path).write_text(patched((tree / path).read_text(encoding="utf-8"), code, path), encoding="utf-8")
        else:
            assert not (tree / path).exists(), f"{path} is there already"
            (tree / path).write_text(code, encoding="utf-8")
    return files


def patched(text, diff, path):
    """Apply the hunks of a diff, parted by @@, in their order."""
    done = ""
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        before, found, text = text.partition(old)
        assert found, f"{path} has no longer, or not in this order:\n{old}"
        done += before + new
    return done + text


def run(tree, *command):
    """Run Python in a tree, with its own package; return what it prints."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_example_of_a_box_applies_and_its_tiles_can_be_played(tmp_path, long_run):
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("src", "cy", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    files = apply_changes(tmp_path)
    code = """
from bastide import Game, Rules
game = Game(Rules.preset("wells", well_points=2))
print([tile.id for tile in game.tiles if tile.well], game.new_state().tiles_left)
"""
    assert run(tmp_path, "-c", code) == "['wells.A', 'wells.B'] 73\n"
    if long_run:  # compiling takes minutes
        run(tmp_path, "setup.py", "-q", "build_ext", "--inplace")
        assert " passed" in run(tmp_path, "-m", "pytest", "-q", *(path for path in files if "/test_" in path))
