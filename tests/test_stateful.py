"""Any order of doing, undoing, copying and restoring leaves a state as it should be, by any rules.

Hypothesis drives a state and a list of what was done; after each step the invariants hold, and going back gives the
bytes that were there before. `--long N` tries N sequences.
"""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from test_lockstep import drawn_rules

from bastide import Game, IllegalActionError, Rng


class States(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 400), steps=st.sampled_from([0, 0, 10, 60, 150, 300]))
    def begin(self, seed, steps):
        game = Game(drawn_rules(seed))
        self.state, rng = game.new_state(), Rng(seed)
        for _ in range(steps):
            if not self.state.is_terminal:
                self.do(self.state, rng.below(1 << 20))
        self.state = self.state.copy()  # its history begins here
        self.before = []  # bytes and key before each step that can be undone
        self.other = game.new_state()

    @staticmethod
    def do(state, number):
        """Draw or act: what comes at `number`, round and round."""
        if state.is_chance:
            draws = state.draws()
            state.draw(draws[number % len(draws)][0])
        else:
            actions = state.legal_actions()
            state.apply(actions[number % len(actions)])

    @precondition(lambda self: not self.state.is_terminal)
    @rule(numbers=st.lists(st.integers(0, 1 << 20), min_size=1, max_size=8))
    def go_on(self, numbers):
        for number in numbers:
            if not self.state.is_terminal:
                self.before.append((self.state.to_bytes(), self.state.key))
                self.do(self.state, number)

    @rule(n=st.integers(1, 12))
    def go_back(self, n):
        for _ in range(min(n, len(self.before))):
            self.state.undo()
            assert (self.state.to_bytes(), self.state.key) == self.before.pop()
        if not self.before:
            data = self.state.to_bytes()
            try:
                self.state.undo()
            except IllegalActionError:
                assert self.state.to_bytes() == data
            else:
                raise AssertionError("undone beyond the beginning")

    @rule()
    def go_on_with_a_copy(self):
        copy = self.state.copy()
        assert copy == self.state
        assert copy.key == self.state.key
        self.state, self.before = copy, []

    @rule()
    def go_on_with_the_bytes(self):
        data = self.state.to_bytes()
        restored = self.state.game.state_from_bytes(data)
        assert restored.to_bytes() == data
        assert restored == self.state
        assert restored.key == self.state.key
        self.state, self.before = restored, []

    @rule()
    def copy_into_another(self):
        self.other.copy_from(self.state)
        assert self.other == self.state
        self.state, self.other, self.before = self.other, self.state, []

    @precondition(lambda self: not self.state.is_terminal)
    @rule(seed=st.integers(0, 1 << 32))
    def play_out(self, seed):
        data = self.state.to_bytes()
        assert self.state.playout(Rng(seed)) == self.state.copy().playout(Rng(seed))
        assert self.state.to_bytes() == data

    @rule(action=st.integers(0, (1 << 63) - 1), tile=st.integers(-1, 300))
    def refuse(self, action, tile):
        """Numbers out of the blue are refused, and nothing happens."""
        data = self.state.to_bytes()
        legal = [] if self.state.is_chance else self.state.legal_actions()
        drawable = [draw[0] for draw in self.state.draws()] if self.state.is_chance else []
        for call, value, allowed in ((self.state.apply, action, legal), (self.state.draw, tile, drawable)):
            if value in allowed:
                continue
            try:
                call(value)
            except IllegalActionError:
                pass
            else:
                raise AssertionError(f"{value} was accepted")
        assert self.state.to_bytes() == data

    @invariant()
    def is_sound(self):
        if hasattr(self, "state"):
            assert self.state.faults() == []


def test_any_order_of_doing_undoing_copying_and_restoring(long_run):
    run_state_machine_as_test(
        States,
        settings=settings(
            max_examples=long_run or 25,
            stateful_step_count=30,
            deadline=None,
            derandomize=not long_run,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
