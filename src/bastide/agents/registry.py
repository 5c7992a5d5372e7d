"""What an agent is, and the codes by which agents are named: "random", "greedy", "greedy:price=0.5"."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, runtime_checkable

from bastide._core.api import Rng
from bastide.agents.loader import is_file_code, load_agent
from bastide.agents.outside import is_outside, outside_agent
from bastide.agents.search import MctsAgent
from bastide.agents.simple import PRICE, GreedyAgent, RandomAgent
from bastide.errors import AgentError, BastideError, show
from bastide.game import State
from bastide.searchoptions import ITERATIONS, SearchOptions

__all__ = [
    "AGENTS",
    "Agent",
    "AgentKind",
    "Parameter",
    "agent",
    "are_native",
    "check_codes",
    "register",
    "split_codes",
]

MAX_CODE = 500  # characters


@runtime_checkable
class Agent(Protocol):
    """Anything that can decide.

    An agent that leaves the interpreter while it thinks may say so by `is_native = True`: threads can then help
    it. If it has an attribute `search`, the record keeps that with each choice: statistics of it as a dict of
    plain JSON values, or None.
    """

    def choose(self, state: State, rng: Rng) -> int:
        """Return one of `state.legal_actions()` for `state.current_player`.

        All randomness comes from `rng`, so that a game can be played again.
        """


@dataclass(frozen=True, slots=True)
class Parameter:
    """Describe a parameter of an agent as it is given in a code."""

    read: Callable[[str], Any]  # makes the value of a text; ValueError if it means none
    default: Any
    text: str


@dataclass(frozen=True, slots=True)
class AgentKind:
    """Describe a kind of agents: what makes one from its parameters by keyword."""

    make: Callable[..., Agent]
    text: str  # what it does, in a few words
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


AGENTS: dict[str, AgentKind] = {}


def register(name: str, kind: AgentKind) -> None:
    """Add a kind of agents under a name, or replace it.

    Errors: BastideError for a name with `:`, `,`, `=` or a space in it.
    """
    if not name or set(name) & set(":,= ") or not name.isprintable():
        raise BastideError(f"agent name {show(name)} is not possible (expected a word without : , =)")
    AGENTS[name] = kind


def agent(code: str) -> Agent:
    """Make the agent of a code: its name, then its parameters, e.g. "greedy:price=0.5".

    "path/to/file.py:Class" is a class of your own (see `loader`), "cmd:program args" a program (see `outside`).

    Errors: BastideError for an unknown name or parameter, or a value that the parameter cannot have.

    >>> agent("greedy:price=0.5")
    GreedyAgent(price=0.5)
    """
    _check_text(code)
    if code.startswith("cmd:"):
        return outside_agent(code)
    if is_file_code(code):
        return load_agent(code)
    name, _, rest = code.strip().partition(":")
    kind = AGENTS.get(name)
    if kind is None:
        known = ", ".join(f"{name} ({kind.text})" for name, kind in AGENTS.items())
        raise BastideError(f"unknown agent {show(name)}: the agents are {known}, file.py:Class, 'cmd:program args'")
    values: dict[str, Any] = {}
    for part in rest.split(",") if rest else []:
        key, equals, text = part.partition("=")
        parameter = kind.parameters.get(key.strip())
        if parameter is None or not equals or key.strip() in values:
            known = ", ".join(f"{known}={kind.parameters[known].default}" for known in kind.parameters)
            raise BastideError(f"agent {name!r}: bad parameter {show(part)} (expected {known or 'none'})")
        try:
            values[key.strip()] = parameter.read(text.strip())
        except ValueError:
            wanted = f"{key.strip()}={show(text)} is not {parameter.text}"
            raise BastideError(f"agent {name!r}: {wanted}") from None
    return kind.make(**values)


def _check_text(code: object) -> None:
    if not isinstance(code, str) or len(code) > MAX_CODE:
        raise BastideError(f"an agent's code is a text such as 'greedy:price=0.5', got {show(code)}")


def check_codes(codes: Iterable[str]) -> None:
    """Find out whether each code makes an agent. A program is started once for that, a class in a file as its own.

    Errors: BastideError as for `agent`, or if a program does not even say hello.
    """
    programs = []
    for code in dict.fromkeys(codes):
        _check_text(code)
        if is_outside(code):
            programs.append(outside_agent(code))
        else:
            agent(code)
    for program in programs:
        try:
            program.start()
        except AgentError as error:
            raise BastideError(str(error)) from error
        finally:
            program.close()


def are_native(codes: Iterable[str]) -> bool:
    """Tell whether threads can help all these agents: they think outside of the interpreter, or in programs."""
    return all(is_outside(code) or getattr(agent(code), "is_native", False) for code in codes)


def split_codes(text: str) -> list[str]:
    """Return the codes of a list with commas; a part with `=` only belongs to the code before it.

    >>> split_codes("greedy:price=1,random")
    ['greedy:price=1', 'random']
    """
    codes: list[str] = []
    for part in text.split(","):
        if codes and ":" in codes[-1] and "=" in part and ":" not in part.partition("=")[0]:
            codes[-1] += f",{part}"
        else:
            codes.append(part.strip())
    return codes


register("random", AgentKind(RandomAgent, "any legal action, each equally likely"))
register(
    "greedy",
    AgentKind(
        GreedyAgent,
        "the best score if the game ended now, less a price a figure",
        {"price": Parameter(float, PRICE, "a number of points for each figure")},
    ),
)


def _flag(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError(text)
    return text == "on"


def _turns(text: str) -> int | None:
    return None if text == "none" else int(text)


def _search_parameters() -> dict[str, Parameter]:
    """Return the options of a search that a code can give."""
    readers: dict[type, tuple[Callable[[str], Any], str]] = {
        bool: (_flag, "on or off"),
        int: (int, "a whole number"),
        float: (float, "a number"),
        str: (str, "a word"),
    }
    parameters = {
        "iterations": Parameter(int, ITERATIONS, "a number of iterations"),
        "seconds": Parameter(float, None, "a number of seconds"),
        "reuse": Parameter(_flag, True, "on or off"),
        "threads": Parameter(int, 1, "a number of threads"),
    }
    for option in fields(SearchOptions):
        parameters[option.name] = Parameter(
            readers[type(option.default)][0], option.default, readers[type(option.default)][1]
        )
    parameters["cut"] = Parameter(_turns, SearchOptions().cut, "a number of turns or none")
    for name in ("puct", "batch_size"):  # of evaluators, which a code cannot name
        del parameters[name]
    return parameters


register(
    "mcts",
    AgentKind(
        MctsAgent,
        "Monte Carlo tree search",
        _search_parameters(),
    ),
)
