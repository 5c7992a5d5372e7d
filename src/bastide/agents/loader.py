"""Load an agent's class from a Python file: "path/to/file.py:Class", "file.py:Class:depth=3,name=x"."""

import json
import runpy
from typing import TYPE_CHECKING, Any

from bastide.errors import BastideError, reason, show

if TYPE_CHECKING:
    from bastide.agents.registry import Agent

__all__ = ["file_of", "is_file_code", "load_agent"]


def is_file_code(code: str) -> bool:
    """Tell whether a code names a class in a Python file.

    >>> is_file_code("agents/mine.py:Mine"), is_file_code("greedy:price=1")
    (True, False)
    """
    return ".py:" in code and not code.startswith("cmd:")


def file_of(code: str) -> str:
    """Return the path of the file in the code of a class.

    >>> file_of("agents/mine.py:Mine:depth=3")
    'agents/mine.py'
    """
    return code.partition(".py:")[0] + ".py"


def load_agent(code: str) -> "Agent":
    """Run the file and make an agent of its class.

    Parameters after the class are given by keyword: numbers, true, false and null as in JSON, all else as text.
    Errors: BastideError if the file cannot be run, or the class cannot be made or has no method `choose`.
    """
    file = file_of(code)
    name, _, texts = code.removeprefix(f"{file}:").partition(":")
    values: dict[str, Any] = {}
    for part in texts.split(",") if texts else []:
        key, equals, text = part.partition("=")
        if not equals or not key.strip().isidentifier():
            raise BastideError(f"agent {code!r}: bad parameter {show(part)} (expected NAME=VALUE)")
        try:
            values[key.strip()] = json.loads(text)
        except ValueError:
            values[key.strip()] = text
    try:
        found = runpy.run_path(file, run_name=f"bastide_agent_{name}")
        kind = found.get(name)
        if kind is None:
            raise BastideError(f"agent {code!r}: {file} has no {show(name)}")
        agent = kind(**values)
    except BastideError:
        raise
    except OSError as error:
        raise BastideError(f"agent {code!r}: {file} cannot be read: {reason(error)}") from error
    except (Exception, SystemExit) as error:  # whatever the file does
        raise BastideError(f"agent {code!r}: {type(error).__name__}: {error}") from error
    if not callable(getattr(agent, "choose", None)):
        raise BastideError(f"agent {code!r}: {name} has no method choose(state, rng)")
    made: Agent = agent
    return made
