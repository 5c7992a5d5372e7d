"""What docs/agents.md and docs/tournaments.md show works as it stands there."""

import re
import sys
from pathlib import Path

from bastide import Game
from bastide.agents import agent
from bastide.agents.check import check_agent

DOCS = Path(__file__).parents[2] / "docs"


def blocks(name):
    return re.findall(
        r"^```python[^\n]*\n(.*?)^```$", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def test_the_class_and_the_program_of_the_page_keep_the_protocol(tmp_path):
    mine, program = blocks("agents.md")
    (tmp_path / "mine.py").write_text(mine)
    (tmp_path / "program.py").write_text(program)
    assert agent(f"{tmp_path / 'mine.py'}:Mine:depth=3").depth == 3
    for code in (f"{tmp_path / 'mine.py'}:Mine:depth=3", f"cmd:{sys.executable} {tmp_path / 'program.py'}"):
        checks = list(check_agent(code, Game(), 1, 1, 20.0))
        assert all(check.passed for check in checks), checks


def test_the_tournament_of_the_page_is_won_by_greedy(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("tournaments.md")
    exec(compile(code, "tournaments.md", "exec"), {})
    assert capsys.readouterr().out == "greedy\n"
