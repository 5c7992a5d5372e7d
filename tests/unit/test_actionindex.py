"""The numbers of actions: as documented, the same in every position, and none lost."""

import pickle

import numpy as np
import pytest
from games import C1, walk

from bastide import ActionIndex, BastideError, Batch, Game, IllegalActionError, Rules
from bastide.actionindex import KINDS, N_SPOTS, WITH_CELL
from bastide.actions import OFFSET
from bastide.rules import PRESETS


def number_of(index, middle, action):
    """The number of an action where the window's middle is a cell, -1 if it has none: the plain definition."""
    kind, figure, spot, player = KINDS[action >> 59], action >> 3 & 7, action >> 6 & 63, action & 7
    block = next((block for block in index.blocks if block.kind == kind), None)
    if kind in ("place", "floor", "capture"):
        sub = spot
    elif kind == "deploy":
        sub = figure * N_SPOTS + spot
    elif kind in ("ransom", "exchange"):
        sub = figure * index.game.rules.players + player
    elif kind == "tower":
        sub = figure
    elif kind == "take back":
        sub = spot - 12
    elif kind == "castle":
        sub = 4 if spot == 21 else spot
    elif kind == "barn":
        sub = spot * 8 + (action >> 56 & 7)
    else:
        sub = 0
    if block is None or not 0 <= sub < block.n_subs:
        return -1
    if kind not in WITH_CELL:
        return block.first + sub
    shift = 34 if kind == "barn" else 12  # a barn's cell is the farmer's: the barn is on the placed tile
    column = (action >> shift & 2047) - OFFSET - middle[0] + index.size // 2
    row = (action >> shift + 11 & 2047) - OFFSET - middle[1] + index.size // 2
    if not (0 <= column < index.size and 0 <= row < index.size):
        return -1
    return block.first + (sub * index.size + row) * index.size + column


@pytest.mark.parametrize("name", PRESETS)
def test_every_legal_action_has_one_number_of_its_own(name):
    """The core's numbers are those of the plain definition; none of a preset's actions lacks one."""
    game = Game(Rules.preset(name, players=3))
    index = ActionIndex(game, size=99)
    blocks = {block.kind: range(block.first, block.first + block.n_subs * block.n_cells) for block in index.blocks}
    assert sum(map(len, blocks.values())) == index.n
    for stream in range(3):
        for state in walk(game, 1, stream):
            if state.is_chance:
                continue
            actions = state.legal_actions()
            numbers = index.numbers(state, actions).tolist()
            assert numbers == [number_of(index, index.middle(state), action) for action in actions]
            assert len(set(numbers)) == len(numbers)
            for action, number in zip(actions, numbers, strict=True):
                kind = state.action_text(action).split(" ")[0]
                kind = {"no": "no building", "take": "take back"}.get(kind, kind)
                assert number in blocks[kind]
            assert [index.action(state, number) for number in numbers] == actions
            assert np.flatnonzero(index.mask(state)).tolist() == sorted(numbers)


@pytest.mark.parametrize("centre", ["board", "start"])
def test_what_lies_outside_the_window_is_counted(centre):
    index = ActionIndex(C1, size=5, centre=centre)
    batch = Batch(C1, 4, 3, index=index)
    lost = 0
    for _ in range(100):
        bits, outside = batch.masks()
        ones = np.unpackbits(bits, axis=1, bitorder="little").sum(1)
        actions, offsets = batch.legal_actions()
        assert (ones + outside == np.diff(offsets)).all()
        lost += outside.sum()
        for i, state in enumerate(batch.states):
            x, y = batch.middles()[i]
            assert (x, y) == index.middle(state)
            if centre == "start":
                assert (x, y) == (0, 0)
            inside = {n for a in actions[offsets[i] : offsets[i + 1]] if (n := number_of(index, (x, y), int(a))) >= 0}
            assert inside == set(np.flatnonzero(np.unpackbits(bits[i], bitorder="little")).tolist())
        batch.step(np.diff(offsets) // 2, "choice")
    assert lost > 0


def test_the_window_follows_the_board():
    index = ActionIndex(C1, size=3)
    for state in walk():
        xs, ys = [t.x for t in state.board], [t.y for t in state.board]
        assert index.middle(state) == ((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)


def test_a_number_without_a_legal_action_is_refused():
    index = ActionIndex(C1)
    state = C1.new_state()
    with pytest.raises(IllegalActionError):
        index.action(state, 0)
    state.draw(state.draws()[0][0])
    legal = set(index.numbers(state, state.legal_actions()).tolist())
    for number in (-1, index.n, 1 << 70, *(n for n in range(0, index.n, 97) if n not in legal)):
        with pytest.raises(IllegalActionError):
            index.action(state, number)


def test_numbers_of_what_is_no_action_are_none():
    index, state = ActionIndex(C1), C1.new_state()
    values = [-1, (1 << 63) - 1, 15 << 59, 14 << 59, 2 << 59, 13 << 59 | 1024 << 12 | 1024 << 23]
    assert index.numbers(state, values).tolist() == [-1] * len(values)


@pytest.mark.parametrize(
    "options", [{"size": 4}, {"size": 0}, {"size": 1001}, {"size": True}, {"size": 5.0}, {"centre": "x"}]
)
def test_windows_that_are_none_are_refused(options):
    with pytest.raises(BastideError):
        ActionIndex(C1, **options)


def test_an_index_belongs_to_its_game():
    other = Game(Rules(edition="c2"))
    index = ActionIndex(other)
    with pytest.raises(BastideError, match="another game"):
        index.numbers(C1.new_state(), [0])
    with pytest.raises(BastideError, match="another game"):
        Batch(C1, 2, index=index)


def test_pickle_gives_an_equal_index():
    index = ActionIndex(C1, size=7, centre="start")
    copy = pickle.loads(pickle.dumps(index))
    assert (copy.n, copy.blocks, copy.size, copy.centre) == (index.n, index.blocks, 7, "start")
