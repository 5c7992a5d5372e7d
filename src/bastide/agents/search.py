"""The agent that searches: Monte Carlo tree search in the core, see docs/search.md."""

from typing import TYPE_CHECKING, Any

from bastide._core.api import Rng
from bastide.errors import BastideError, show
from bastide.game import State
from bastide.searchoptions import check_limits

if TYPE_CHECKING:
    from bastide.search import Search

__all__ = ["MctsAgent"]


class MctsAgent:
    """Choose the action that a search visits most, for a number of iterations or seconds a decision.

    With `reuse` each search goes on in the tree of the one before, where that knows the position. Where there is one
    legal action, nothing is searched. The other keywords are those of `bastide.Search`. After a choice `search` has its
    statistics (`SearchResult.stats`), which records keep.

    Errors: BastideError for a value that is none.
    """

    is_native = True  # the core searches without the interpreter
    search: dict[str, Any] | None = None

    def __init__(
        self, iterations: int | None = None, seconds: float | None = None, reuse: bool = True, **options: Any
    ) -> None:
        check_limits(iterations, seconds)
        if not isinstance(reuse, bool):
            raise BastideError(f"reuse must be true or false, got {show(reuse)}")
        self.iterations, self.seconds, self.reuse, self.options = iterations, seconds, reuse, options
        self._search = self._new_search()

    def _new_search(self) -> "Search":
        from bastide.search import Search

        return Search(**self.options)

    def choose(self, state: State, rng: Rng) -> int:
        """Return an action. The search's random numbers come from one number of `rng`."""
        seed, actions = rng.next(), state.legal_actions()
        self.search = None
        if len(actions) == 1:
            return actions[0]
        if not self.reuse:
            self._search.clear()
        result = self._search.run(state, self.iterations, self.seconds, seed)
        self.search = result.stats(state)
        return result.action

    def __repr__(self) -> str:
        limits = {"iterations": self.iterations, "seconds": self.seconds}
        given = {name: value for name, value in limits.items() if value is not None}
        given |= {} if self.reuse else {"reuse": False}
        return f"MctsAgent({', '.join(f'{name}={value!r}' for name, value in (given | self.options).items())})"
