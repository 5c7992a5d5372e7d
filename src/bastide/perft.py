"""Count the leaves of the tree of decisions, with chance taken from a deck: a test and a measure of the core."""

from bastide._core import api
from bastide.deck import PILES, Deck
from bastide.errors import BastideError, show
from bastide.game import State

__all__ = ["MAX_DEPTH", "divide", "perft"]

MAX_DEPTH = 100
CORE_DEPTH = 2  # counted in the core in one go; above that Python goes through, so that Ctrl-C is heard


def perft(state: State, depth: int, deck: Deck) -> int:
    """Count the sequences of `depth` decisions from a state; the game's end and the deck's end are leaves.

    Tiles are drawn from the deck as the state asks for them. The state stays as it is.
    Errors: BastideError unless 0 <= depth <= MAX_DEPTH; IllegalActionError if the deck does not suit the state.
    Cost: grows with the result; about a million leaves a second.

    >>> from bastide.game import Game
    >>> game = Game()
    >>> deck = Deck.parse(game, "deck base.V base.U")
    >>> perft(Game().new_state(), 0, Deck.shuffled(game, api.Rng(1)))
    1
    """
    _check(state, depth, deck)
    return _count(state.copy(), depth, deck)


def divide(state: State, depth: int, deck: Deck) -> dict[str, int]:
    """Return the perft count below each first action, by its text; the sum is `perft(state, depth, deck)`.

    Errors: as for `perft`; BastideError for depth 0.
    """
    _check(state, depth, deck)
    if depth == 0:
        raise BastideError("depth must be 1 or more to divide by first actions, got 0")
    root = state.copy()
    _draw(root, deck)
    if root.is_terminal or root.is_chance:
        return {}
    counts = {}
    child = root.copy()
    for action in root.legal_actions():
        child.copy_from(root)
        child.apply(action)
        counts[root.action_text(action)] = _count(child, depth - 1, deck)
    return counts
