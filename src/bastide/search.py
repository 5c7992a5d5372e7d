"""Monte Carlo tree search in the core: `mcts(state)` for one search, `Search` for one after another in the same tree.

What the search does and how its options are chosen stands in docs/search.md; the tree is `bastide._core.mcts`.
"""

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bastide._core.mcts import Tree
from bastide.actionindex import ActionIndex
from bastide.batch import Batch
from bastide.bulk import whole
from bastide.errors import BastideError, IllegalActionError, show
from bastide.game import State
from bastide.searchoptions import SearchOptions, check_limits

__all__ = ["Evaluator", "Search", "SearchOptions", "SearchResult", "mcts"]

CHUNK_SECONDS = 0.01  # between two looks at the clock, and at Ctrl-C
FIRST_CHUNK = 64  # iterations
LINE = 16  # steps of the principal line, at most

Array = NDArray[Any]
# Takes a batch of positions, gives values (n, players) in [-1, 1], or those and a weight for each of its legal actions.
Evaluator = Callable[[Batch], Any]


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """What a search found at its root; arrays have an entry (or a row) for each legal action, ascending."""

    action: int  # the one with the most visits; of equal ones the better, then the smaller
    actions: Array  # int64 (m,)
    visits: Array  # int64 (m,)
    values: Array  # float64 (m, players): means in [-1, 1], nan without visits
    priors: Array  # float64 (m,): by an evaluator probabilities, else how much worse than the best (value, <= 0)
    value: Array  # float64 (players,): mean over all visits
    line: tuple[tuple[Literal["draw", "action"], int], ...]  # the steps with the most visits, in the largest tree
    player: int  # who decides
    iterations: int  # of this search
    reused: int  # visits of the root that an earlier search had made
    seconds: float
    n_nodes: int
    n_bytes: int  # allocated by the trees
    is_full: bool  # the memory limit was met

    def stats(self, state: State, most: int = 5) -> dict[str, Any]:
        """Return the statistics as plain JSON values, e.g. for a record: the `most` most visited actions as text.

        `state` is the position that was searched.
        """
        order = sorted(range(len(self.actions)), key=lambda i: (-int(self.visits[i]), i))[:most]
        return {
            "iterations": self.iterations,
            "value": [round(float(value), 4) for value in self.value],
            "actions": [
                {
                    "action": state.action_text(int(self.actions[i])),
                    "visits": int(self.visits[i]),
                    "value": round(float(self.values[i, self.player]), 4),
                }
                for i in order
                if self.visits[i]
            ],
            "line": self.line_text(state),
        }

    def line_text(self, state: State) -> list[str]:
        """Return the principal line as the moves of a record; `state` is the position that was searched."""
        child, moves = state.copy(), []
        for kind, step in self.line:
            if kind == "draw":
                moves.append(f"draw {state.game.tiles[step].id}")
                child.draw(step)
            else:
                moves.append(child.action_text(step))
                child.apply(step)
        return moves


class Search:
    """Search positions one after another, each in what the trees already know of it.

    `threads`: how many trees are grown at once; results do not depend on it. `evaluator`: a callable that values
    positions instead of playouts: it gets a `Batch` of `batch_size` positions that wait for a player, and gives values,
    floats (n, players) in [-1, 1], or a pair of those and of weights for the actions of `batch.legal_actions()`, in
    its order, not negative. Rows beyond the positions asked about hold old ones; what is said of them is not looked at.
    `index`: the window of that batch's masks and observations. The other keywords are those of `SearchOptions`.

    For one thread at a time. Errors: BastideError for an option that is none.

    >>> from bastide.game import Game
    >>> state = Game().new_state()
    >>> state.draw(0)
    >>> search = Search(cut=4)
    >>> result = search.run(state, iterations=100, seed=7)
    >>> result.action in state.legal_actions(), int(result.visits.sum())
    (True, 100)
    """

    def __init__(
        self,
        *,
        threads: int | None = None,
        evaluator: Evaluator | None = None,
        index: ActionIndex | None = None,
        **options: Any,
    ) -> None:
        known = {field.name for field in fields(SearchOptions)}
        for name in options:
            if name not in known:
                raise BastideError(f"no option {name!r} of a search: the options are {', '.join(sorted(known))}")
        self.options = SearchOptions(**options)
        self.threads = self.options.trees if threads is None else whole("threads", threads, 1, 1024)
        if evaluator is not None and not callable(evaluator):
            raise BastideError(f"evaluator must be callable, got {show(evaluator)}")
        if evaluator is not None and self.options.trees > 1:
            raise BastideError(f"a search with an evaluator grows one tree, got trees={self.options.trees}")
        self.evaluator = evaluator
        self._index = index
        self._trees: list[Tree] = []
        self._batch: Batch | None = None

    def run(
        self, state: State, iterations: int | None = None, seconds: float | None = None, seed: int = 0
    ) -> SearchResult:
        """Search a position for a number of iterations or a time, whichever ends first; 1,000 iterations by default.

        The result is a function of what the trees knew, of `seed` and of the iterations. Ctrl-C ends a search with
        KeyboardInterrupt; the trees keep what they have.

        Errors: IllegalActionError unless a player must decide; BastideError for a number out of range, or for an
        evaluator's answer that is none.
        """
        if not isinstance(state, State):
            raise BastideError(f"a search needs a bastide.State, got {show(state)}")
        if state.is_chance or state.is_terminal:
            raise IllegalActionError(f"nobody decides in phase {state.phase!r}: there is nothing to search")
        seed = whole("seed", seed, 0, (1 << 64) - 1)
        iterations = check_limits(iterations, seconds)
        began = time.perf_counter()
        self._root(state, seed)
        before = sum(tree.facts()[1] for tree in self._trees)
        self._grow(state, iterations, None if seconds is None else began + seconds)
        return self._result(state, before, time.perf_counter() - began)

    def clear(self) -> None:
        """Forget the trees, and give their memory back."""
        self._trees, self._batch = [], None

    def _root(self, state: State, seed: int) -> None:
        n = self.options.trees
        if self._trees and self._trees[0].game is not state.game:
            self.clear()
        if not self._trees:
            options = {**asdict(self.options), "cut": -1 if self.options.cut is None else self.options.cut}
            leaves = 0
            if self.evaluator is not None:
                leaves, options["exploration"] = self.options.batch_size, self.options.puct
            self._trees = [Tree(state, self.options.memory // n, leaves, options) for _ in range(n)]
        for number, tree in enumerate(self._trees):
            tree.restart(state, seed, number)

    def _grow(self, state: State, iterations: int, deadline: float | None) -> None:
        stop = threading.Event()
        n = len(self._trees)
        if self.evaluator is not None:
            self._ask(self._trees[0], state, self.evaluator, iterations, deadline)
            return
        shares = [iterations // n + (i < iterations % n) for i in range(n)]
        if n == 1 or self.threads == 1:
            for i, (tree, share) in enumerate(zip(self._trees, shares, strict=True)):
                now = time.perf_counter()  # one after another, what is left of the time in equal parts
                _run(tree, share, None if deadline is None else now + (deadline - now) / (n - i), stop)
            return
        with ThreadPoolExecutor(min(n, self.threads), "bastide-search") as pool:
            futures = [
                pool.submit(_run, tree, share, deadline, stop) for tree, share in zip(self._trees, shares, strict=True)
            ]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                stop.set()
                raise

    def _ask(self, tree: Tree, state: State, evaluator: Evaluator, iterations: int, deadline: float | None) -> None:
        """Let an evaluator value leaves, a batch at a time."""
        leaf, batch = state.copy(), self._batch
        if batch is None:
            batch = self._batch = Batch(tree.game, self.options.batch_size, chance="outside", index=self._index)
            batch.put(state)
        while (left := iterations - tree.facts()[0]) > 0:
            n = tree.gather(left)
            try:
                for i in range(n):
                    tree.leaf_state(i, leaf)
                    batch.states[i] = leaf
                if n:
                    actions, offsets = batch.legal_actions()
                    values, priors = _answers(evaluator(batch), batch, offsets, n)
                    tree.answer(values, actions, offsets, priors)
            except BaseException:
                tree.forget_leaves()
                raise
            if deadline is not None and time.perf_counter() >= deadline:
                return

    def _result(self, state: State, before: int, seconds: float) -> SearchResult:
        """Add up the roots of the trees."""
        actions = np.array(state.legal_actions(), np.int64)
        place = {int(action): i for i, action in enumerate(actions)}
        n, players = len(actions), state.game.rules.players
        visits, sums, priors = np.zeros(n, np.int64), np.zeros((n, players)), np.zeros(n)
        for tree in self._trees:
            for action, count, total, prior in tree.actions():
                i = place[action]
                visits[i] += count
                sums[i] += total
                priors[i] = prior
        facts = [tree.facts() for tree in self._trees]
        total_visits = sum(fact[1] for fact in facts)
        player = state.current_player
        values = np.divide(sums, visits[:, None], out=np.full_like(sums, math.nan), where=visits[:, None] > 0)
        best = max(range(n), key=lambda i: (visits[i], values[i, player] if visits[i] else -2.0, -i))
        largest = max(range(len(facts)), key=lambda i: facts[i][1])
        return SearchResult(
            action=int(actions[best]),
            actions=actions,
            visits=visits,
            values=values,
            priors=priors,
            value=np.sum([tree.sums() for tree in self._trees], axis=0) / max(1, total_visits),
            line=tuple(("draw" if is_draw else "action", step) for is_draw, step, _ in self._trees[largest].line(LINE)),
            player=player,
            iterations=sum(fact[0] for fact in facts),
            reused=before,
            seconds=seconds,
            n_nodes=sum(fact[2] for fact in facts),
            n_bytes=sum(fact[3] for fact in facts),
            is_full=any(fact[4] for fact in facts),
        )

    def __repr__(self) -> str:
        default = SearchOptions()
        changed = [
            f"{field.name}={value!r}"
            for field in fields(SearchOptions)
            if (value := getattr(self.options, field.name)) != getattr(default, field.name)
        ]
        return f"Search({', '.join(changed)})"


def mcts(
    state: State,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    **options: Any,
) -> SearchResult:
    """Search a position once, with `threads` trees on as many threads unless `trees=` says otherwise; see `Search`.

    >>> from bastide.game import Game
    >>> state = Game().new_state()
    >>> state.draw(0)
    >>> mcts(state, iterations=200, seed=7).iterations
    200
    """
    whole("threads", threads, 1, 1024)
    options.setdefault("trees", 1 if options.get("evaluator") else threads)
    return Search(threads=threads, **options).run(state, iterations, seconds, seed)


def _run(tree: Tree, n: int, deadline: float | None, stop: threading.Event) -> None:
    """Do n iterations, in pieces that let the clock and Ctrl-C be heard."""
    size = FIRST_CHUNK
    while n > 0 and not stop.is_set():
        now = time.perf_counter()
        if deadline is not None and now >= deadline and tree.facts()[0]:
            return
        tree.run(min(size, n))
        n -= size
        rate = size / max(time.perf_counter() - now, 1e-6)
        size = max(1, min(int(rate * CHUNK_SECONDS), 4 * size))


def _answers(answers: Any, batch: Batch, offsets: Array, n: int) -> tuple[Array, Array | None]:
    """Return an evaluator's values and weights as arrays, or say what is wrong with them."""
    values, priors = answers if isinstance(answers, tuple) and len(answers) == 2 else (answers, None)
    shape = (batch.n, batch.game.rules.players)
    values = _floats("values", values, shape)
    if not (np.abs(values[:n]) <= 1).all():
        raise BastideError("an evaluator's values must be numbers of -1 .. 1")
    if priors is None:
        return values, None
    priors = _floats("weights", priors, (int(offsets[-1]),))
    used = priors[: int(offsets[n])]
    if not (np.isfinite(used) & (used >= 0)).all() or not (np.add.reduceat(used, offsets[:n]) > 0).all():
        raise BastideError("an evaluator's weights must be numbers >= 0, for each position one > 0")
    return values, priors


def _floats(name: str, values: Any, shape: tuple[int, ...]) -> Array:
    try:
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError):
        raise BastideError(f"an evaluator's {name} must be numbers {shape}, got {show(values)}") from None
    if array.shape != shape:
        raise BastideError(f"an evaluator's {name} must have the shape {shape}, got {array.shape}")
    return array
