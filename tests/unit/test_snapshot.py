"""Snapshots: round trips, damage, and bytes that are well formed but not those of a position."""

import struct

import pytest
from boards import Table, own_game
from games import C1, finish, position, step, walk
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bastide import Game, Rng, Rules, SnapshotError

GAMES = {
    "c1": C1,
    "c3, 5 players": Game(Rules(players=5)),
    "alone": Game(Rules(players=1, farmers=False)),
    "small": own_game({"plain": 2, "B": 2, "E": 3, "city": 1, "V": 3}, "plain", players=3),
    "twice": Game(Rules(edition="c1", copies=2)),
}
HEADER, FOOTER = 24, 8
PHASES = ["draw", "grow", "place", "build", "figure", "capture", "exchange", "end"]  # by number
WORD = (1 << 64) - 1


def mix(x):
    for _ in range(2):
        x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 & WORD
    return x ^ x >> 32


def sealed(data):
    """The bytes with the checksum put right."""
    h = len(data) - FOOTER
    for byte in data[:-FOOTER]:
        h = (h ^ byte) * 0x100000001B3 & WORD
    return bytes(data[:-FOOTER]) + mix(h).to_bytes(8, "little")


def refused(game, data):
    with pytest.raises(SnapshotError) as caught:
        game.state_from_bytes(data)
    assert 0 < len(str(caught.value)) < 300


def sound(state, seed):
    """Check a state that came from bytes, and play it to its end, back again, and through a snapshot."""
    assert state.faults() == []
    assert state.to_bytes() == state.game.state_from_bytes(state.to_bytes()).to_bytes()
    before, steps, rng = state.to_bytes(), 0, Rng(seed)
    while not state.is_terminal:
        step(state, rng)
        steps += 1
        if steps % 16 == 0:
            assert state.faults() == []
    assert state.faults() == []
    state.features()
    for _ in range(steps):
        state.undo()
    assert state.to_bytes() == before


# -- whole snapshots


@settings(max_examples=60, deadline=None, derandomize=True)
@given(name=st.sampled_from(list(GAMES)), seed=st.integers(0, 2**64 - 1), steps=st.integers(0, 180))
def test_a_snapshot_restores_the_position(name, seed, steps):
    game = GAMES[name]
    state = position(game, seed, steps)
    data = state.to_bytes()
    other = game.state_from_bytes(data)
    assert other == state
    assert (other.key, other.to_bytes(), other.phase) == (state.key, data, state.phase)
    assert (other.board, other.figures, other.features()) == (state.board, state.figures, state.features())
    assert (other.scores, other.supply, other.drawn_tile) == (state.scores, state.supply, state.drawn_tile)
    assert (other.turn, other.discards, other.tiles_left) == (state.turn, state.discards, state.tiles_left)
    assert other.is_chance or other.legal_actions() == state.legal_actions()
    assert not other.is_chance or other.draws() == state.draws()
    assert other.faults() == []


@settings(max_examples=40, deadline=None, derandomize=True)
@given(name=st.sampled_from(list(GAMES)), seed=st.integers(0, 2**32), steps=st.integers(0, 150))
def test_a_restored_state_behaves_as_the_one_that_was_saved(name, seed, steps):
    game = GAMES[name]
    state = position(game, seed, steps)
    other = game.state_from_bytes(state.to_bytes())
    one, two = Rng(seed, 1), Rng(seed, 1)
    while not state.is_terminal:
        assert step(state, one) == step(other, two)
        assert state.score_events == other.score_events
    assert state.to_bytes() == other.to_bytes()


def test_every_position_of_some_games_goes_through_bytes():
    for seed in range(4):
        for state in walk(seed=seed):
            data = state.to_bytes()
            assert C1.state_from_bytes(data).to_bytes() == data


def test_the_header_is_the_one_documented():
    state = position(steps=41)
    data = state.to_bytes()
    magic, version, zero, identity, length, zeros = struct.unpack("<4sHHQII", data[:HEADER])
    assert (magic, version, zero, zeros) == (b"BSTS", 1, 0, 0)
    assert length == len(data) - HEADER - FOOTER
    assert identity == int.from_bytes(C1.new_state().to_bytes()[8:16], "little")
    phase, turn_player, player, players = data[HEADER : HEADER + 4]
    assert (PHASES[phase], turn_player, player, players) == (
        state.phase,
        state.turn_player,
        state.current_player,
        2,
    )
    turn, discards, _, tiles, figures = struct.unpack("<5H", data[HEADER + 4 : HEADER + 14])
    assert (turn, discards) == (state.turn, state.discards)
    assert (tiles, figures) == (len(state.board), len(state.figures))
    assert struct.unpack("<2i", data[HEADER + 14 : HEADER + 22]) == state.scores
    assert len(data) == HEADER + 22 + 7 * tiles + 2 * len(C1.tiles) + 6 * figures + FOOTER
    assert sealed(data) == data


# -- damage


@pytest.mark.parametrize("steps", [0, 1, 77, 1000])
def test_every_truncation_is_refused(steps):
    data = position(seed=3, steps=steps).to_bytes()
    for length in range(len(data)):
        refused(C1, data[:length])
        if length >= FOOTER:
            refused(C1, sealed(data[:length]))
    for more in (b"\0", b"\0" * 8, data):
        refused(C1, data + more)
        refused(C1, sealed(data + more))


@pytest.mark.parametrize("steps", [0, 2, 77])
def test_every_single_bit_flip_is_refused(steps):
    data = position(seed=3, steps=steps).to_bytes()
    for i in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[i >> 3] ^= 1 << (i & 7)
        refused(C1, damaged)


def test_swapped_and_zeroed_bytes_are_refused():
    data = position(seed=3, steps=77).to_bytes()
    for i in range(len(data) - 1):
        if data[i] != data[i + 1]:
            refused(C1, data[:i] + bytes([data[i + 1], data[i]]) + data[i + 2 :])
        if data[i]:
            refused(C1, data[:i] + b"\0" + data[i + 1 :])


# -- well formed, but perhaps no position: refused, or sound in all that follows


def judge(game, data, seed):
    """Load bytes whose checksum is right; returns whether they were taken."""
    try:
        state = game.state_from_bytes(sealed(data))
    except SnapshotError:
        return False
    sound(state, seed)
    return True


@pytest.mark.parametrize("steps", [0, 31, 76, 77, 78, 1000])
def test_every_single_byte_of_the_body_may_be_anything(steps):
    data = position(seed=3, steps=steps).to_bytes()
    taken = 0
    for i in range(HEADER, len(data) - FOOTER):
        for value in {0, 1, 2, 255, data[i] ^ 1, data[i] ^ 128, data[i] + 1 & 255} - {data[i]}:
            taken += judge(C1, data[:i] + bytes([value]) + data[i + 1 :], i)
    assert taken > 0  # another score, for one, is a position too


@pytest.mark.parametrize("steps", [0, 77])
def test_every_bit_of_the_header_matters(steps):
    data = position(seed=3, steps=steps).to_bytes()
    for i in range(8 * HEADER):
        damaged = bytearray(data)
        damaged[i >> 3] ^= 1 << (i & 7)
        refused(C1, sealed(damaged))


@settings(max_examples=250, deadline=None, derandomize=True)
@given(
    name=st.sampled_from(list(GAMES)),
    seed=st.integers(0, 30),
    steps=st.integers(0, 170),
    changes=st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), min_size=1, max_size=6),
)
def test_random_changes_of_the_body(name, seed, steps, changes):
    data = bytearray(position(GAMES[name], seed, steps).to_bytes())
    for where, value in changes:
        data[HEADER + where % (len(data) - HEADER - FOOTER)] = value
    judge(GAMES[name], data, seed)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(seed=st.integers(0, 40), steps=st.integers(0, 170), data=st.data())
def test_parts_exchanged_between_two_snapshots(seed, steps, data):
    """Rows of tiles, counts and figures of one position in another: more of these are possible positions."""
    one = bytearray(position(seed=seed, steps=steps).to_bytes())
    two = position(seed=seed + 1, steps=steps).to_bytes()
    size = min(len(one), len(two)) - HEADER - FOOTER
    start = HEADER + data.draw(st.integers(0, size - 1))
    length = data.draw(st.integers(1, 60))
    end = min(start + length, HEADER + size)
    one[start:end] = two[start:end]
    judge(C1, one, seed)


def figures_at(state):
    """Where the figures' rows begin in the snapshot."""
    return len(state.to_bytes()) - FOOTER - 6 * len(state.figures)


def test_figures_anywhere_are_sound_or_refused():
    taken = 0
    for seed in range(2):
        state = position(seed=seed, steps=140 + seed)
        data, start = state.to_bytes(), figures_at(state)
        for row in (0, len(state.figures) - 1):
            for tile in range(0, len(state.board), 2):
                for segment in range(5):
                    at = start + 6 * row
                    changed = data[:at] + struct.pack("<HB", tile, segment) + data[at + 3 :]
                    taken += judge(C1, changed, seed)
    assert taken > 0


def test_two_figures_cannot_stand_on_one_segment_more_often_than_there_are_figures():
    state = position(seed=1, steps=100)
    data, start = state.to_bytes(), figures_at(state)
    row = data[start : start + 6]
    changed = bytearray(data[:start] + 20 * row + data[-FOOTER:])
    struct.pack_into("<H", changed, HEADER + 12, 20)
    struct.pack_into("<I", changed, 16, len(changed) - HEADER - FOOTER)
    refused(C1, sealed(changed))


@pytest.mark.parametrize("score", [-1, -(2**31), 2**31 - 1])
def test_scores_out_of_all_bounds_are_refused(score):
    # No game pays less than nothing or a million; and a sum must not run over when the game goes on.
    data = bytearray(position(seed=3, steps=77).to_bytes())
    struct.pack_into("<i", data, HEADER + 14, score)
    refused(C1, sealed(data))


def test_a_monk_whose_monastery_is_complete_has_gone_home():
    picture = """
        plain plain plain
        *plain B    plain
        plain plain plain
    """
    with_farmer = Table(picture, "0 1,0 field NL-NR-EL-ER-SL-SR-WL-WR").state
    data = bytearray(with_farmer.to_bytes())
    at = figures_at(with_farmer)
    tile, segment = struct.unpack_from("<HB", data, at)
    assert with_farmer.game._spots[with_farmer.board[tile].tile][0][segment ^ 1] == "monastery"
    struct.pack_into("<B", data, at + 2, segment ^ 1)
    refused(with_farmer.game, sealed(data))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.binary(max_size=200))
@example(data=b"")
def test_any_bytes_as_a_body(data):
    head = bytearray(C1.new_state().to_bytes()[:HEADER])
    struct.pack_into("<I", head, 16, len(data))
    judge(C1, bytes(head) + data + bytes(FOOTER), 1)


def test_a_snapshot_that_was_refused_leaves_nothing_behind():
    good = position(seed=3, steps=77)
    data = good.to_bytes()
    for i in range(HEADER, len(data) - FOOTER, 3):
        judge(C1, data[:i] + bytes([data[i] ^ 64]) + data[i + 1 :], 1)
        assert C1.state_from_bytes(data).to_bytes() == data
    assert finish(good, Rng(1)).faults() == []
