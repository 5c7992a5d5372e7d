"""What docs/adapters.md shows is true."""

import re
from pathlib import Path

import pytest

from bastide.adapters.encoding import Encoding, game_of

PAGE = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
def test_an_example_runs(code, capsys):
    exec(compile(code, "adapters.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_table_of_numbers_is_right():
    rows = re.findall(r"^\| `([\w-]+)` \| ([\d,]+) \| ([\d,]+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 5
    for name, *numbers in rows:
        encoding = Encoding(game_of(name))
        found = [encoding.n, encoding.n - encoding.index.n, encoding.planes_shape[0], encoding.n_scalars]
        assert found == [int(number.replace(",", "")) for number in numbers]
