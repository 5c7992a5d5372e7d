"""What the README shows is true: examples run, tables agree with the data, links lead somewhere."""

import re
from pathlib import Path

import pytest

from bastide.rules import BOXES, PRESETS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def rows(heading):
    """Return the cells of the table rows below a heading."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("| ") and not line.startswith("| ---")
    ]


@pytest.mark.parametrize("code", blocks("python"))
def test_a_python_example_runs(code, capsys):
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_there_are_exactly_two_commands_each_a_single_line():
    commands = blocks("sh")
    assert len(commands) == 2
    assert all(command.count("\n") == 1 for command in commands)
    assert "bastide simulate -n 100000 --preset base" in commands[0]
    assert "pytest" in commands[1]


def test_the_boxes_and_presets_are_those_of_the_rules():
    assert [row[0] for row in rows("Boxes")[1:]] == list(BOXES)
    assert all(f"`{name}`" in README for name in PRESETS)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^):#]+)[)#]", README))))
def test_a_link_leads_to_a_file(link):
    assert (ROOT / link).exists()
