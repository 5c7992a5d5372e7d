"""The checksum of results: its definition in plain Python, and that parts add up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bastide.checksum import checksum
from bastide.errors import BastideError

MASK = (1 << 64) - 1
G = 0x9E3779B97F4A7C15


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def plain(rows, start=0):
    total = 0
    for i, scores in enumerate(rows):
        h = mix(start + i + G & MASK)
        for word in (len(scores), *scores):
            h = mix(((h ^ word & MASK) + G) & MASK)
        total += h
    return total & MASK


def array(rows, players, dtype=np.int32):
    return np.array(rows, dtype).reshape(len(rows), players)


@given(st.data(), st.integers(1, 6), st.integers(0, 2**64 - 60))
def test_the_checksum_is_what_its_definition_says(data, players, start):
    scores = st.integers(-(2**31), 2**31 - 1)
    rows = data.draw(st.lists(st.lists(scores, min_size=players, max_size=players), max_size=50))
    assert checksum(array(rows, players), start) == plain(rows, start)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=40), st.data())
def test_parts_of_a_run_add_up_in_any_order(rows, data):
    cut = data.draw(st.integers(0, len(rows)))
    parts = [checksum(array(rows[cut:], 2), 5 + cut), checksum(array(rows[:cut], 2), 5)]
    assert sum(parts) & MASK == checksum(array(rows, 2), 5)


def test_the_checksum_of_a_run_stays_what_it_was():
    assert checksum(np.array([[10, 20], [30, 40]])) == plain([[10, 20], [30, 40]]) == 8494370750516285037


def test_game_seat_and_score_matter_and_the_type_does_not():
    rows = array([[10, 20], [30, 40]], 2)
    others = [rows[::-1], rows[:, ::-1], rows + 1, rows[:1], array([[10, 20, 0], [30, 40, 0]], 3)]
    sums = [checksum(rows), checksum(rows, 1), *map(checksum, others)]
    assert len(set(sums)) == len(sums)
    assert all(checksum(rows.astype(kind)) == sums[0] for kind in (np.int64, np.uint8, np.int16))


@pytest.mark.parametrize(
    ("scores", "start"),
    [
        ([[1, 2]], 0),
        (np.array([1, 2]), 0),
        (np.array([[1.0, 2.0]]), 0),
        (np.array([[1, 2]]), -1),
        (np.array([[1, 2]]), 2**64),
        (np.array([[1, 2]]), 1.0),
    ],
)
def test_other_arrays_and_numbers_are_an_error(scores, start):
    with pytest.raises(BastideError):
        checksum(scores, start)
