"""One game at a time with its tiles drawn by itself: what the environments of PettingZoo and Gymnasium share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide._core.api import Rng
from bastide.adapters.encoding import Encoding
from bastide.errors import BastideError, show
from bastide.render.text import board_text

__all__ = ["RENDER_MODES", "REWARDS", "Episode"]

REWARDS = ("returns", "points", "margin")
RENDER_MODES = ("human", "ansi")


class Episode:
    """Play games of an encoding one after another, waiting for a decision or at the end.

    `rewards`: "returns" = as `State.returns`, at the end only; "points" = the points got since the decision before;
    "margin" = by how much the lead over the best other player grew, whose sum is the final margin. The tiles come in an
    order shuffled by the seed alone, whoever decides what.

    Errors: BastideError for a kind of rewards or a mode that is none.
    """

    def __init__(self, encoding: Encoding, rewards: str, render_mode: str | None) -> None:
        if rewards not in REWARDS:
            raise BastideError(f"rewards must be one of {', '.join(REWARDS)}, got {show(rewards)}")
        if render_mode not in (None, *RENDER_MODES):
            raise BastideError(f"render_mode must be None or one of {', '.join(RENDER_MODES)}, got {show(render_mode)}")
        self.encoding, self.rewards, self.render_mode = encoding, rewards, render_mode

    def begin(self, rng: Rng) -> None:
        """Begin a game and go to its first decision."""
        self.state = self.encoding.game.new_state()
        self.deck = self.state.shuffled_deck(rng)
        self._go_on()

    def step(self, action: int) -> list[float]:
        """Do an action, go on to the next decision or the end, and return the reward of each player.

        Errors: IllegalActionError; the game then stays as it was.
        """
        before = self.state.scores
        self.state.apply(action)
        self._go_on()
        if self.rewards == "returns":
            return list(self.state.returns)
        after, value = self.state.scores, _margin if self.rewards == "margin" else _points
        return [float(value(after, seat) - value(before, seat)) for seat in range(len(after))]

    def action(self, number: Any) -> int:
        """Return the legal action that a number means now; IllegalActionError if there is none."""
        return self.encoding.find(number, self.numbers, self.actions, self.state.phase)

    def mask(self) -> NDArray[np.int8]:
        """Return which numbers are legal now: int8 (encoding.n,), 1 or 0."""
        return self.encoding.mask(self.numbers)

    def info(self) -> dict[str, Any]:
        """Return facts about the position, the numbers of actions outside the window among them."""
        return {
            "phase": self.state.phase,
            "turn": self.state.turn,
            "scores": self.state.scores,
            "tiles_left": self.state.tiles_left,
            "outside": int(np.count_nonzero(self.numbers >= self.encoding.index.n)),
        }

    def render(self) -> str | None:
        """Return the position as text, or print it, as the mode says; None without a mode."""
        if self.render_mode is None:
            return None
        state = self.state
        tile = state.game.tiles[state.drawn_tile].id if state.drawn_tile is not None else "none"
        who = "over" if state.is_terminal else f"player {state.current_player} to {state.phase}"
        text = f"{board_text(state)}\nturn {state.turn}, {who}, tile {tile}, scores {state.scores}"
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _go_on(self) -> None:
        """Draw until someone has to decide."""
        while self.state.is_chance:
            self.state.draw(self.deck.next(self.state))
        self.numbers, self.actions = self.encoding.legal(self.state)


def _points(scores: tuple[int, ...], seat: int) -> int:
    return scores[seat]


def _margin(scores: tuple[int, ...], seat: int) -> int:
    return scores[seat] - max((*scores[:seat], *scores[seat + 1 :]), default=0)
