"""Rows of many games: the same numbers in every form, written as text by columns."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from bastide import BastideError, Game, RecordError, Rules
from bastide.bulk import COUNTS, SOURCES, Stats
from bastide.resultfile import ENDINGS, ending_of, join, ndjson_rows, writer

BASE = Game(Rules())
THREE = Game(Rules(players=3))


def write_part(path, game, seed, chunks):
    with open(path, "wb") as stream:
        rows = writer(stream, path.suffix, game, seed)
        for chunk in chunks:
            rows.add(*chunk)
        rows.close()


def write(path, game, seed, chunks):
    """A file of one part."""
    part = path.with_name(f"part of {path.name}")
    write_part(part, game, seed, chunks)
    with open(path, "wb") as stream:
        join([str(part)], stream, path.suffix)


def read(path):
    """The rows of a file by another reader, as dicts of numbers."""
    if path.suffix == ".parquet":
        from pyarrow import parquet

        return parquet.read_table(path).to_pylist()
    text = path.read_text()
    if path.suffix == ".csv":
        return [{key: int(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(text))]
    return [json.loads(line) for line in text.splitlines()]


def made_up(scores, turns, discards):
    players = len(scores[0])
    zeros = np.zeros((players, len(SOURCES)), np.int64), np.zeros(len(COUNTS), np.int64)
    return Stats(*(np.array(values, np.int32) for values in (scores, turns, discards)), *zeros)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_has_a_row_a_game_that_says_what_it_belongs_to(tmp_path, ending):
    chunks = [(9, THREE.playouts(1500, 4, 9, stats=True)), (1509, THREE.playouts(5, 4, 1509, stats=True))]
    path = tmp_path / f"games{ending}"
    write(path, THREE, 4, chunks)
    rows = read(path)
    assert [row["game"] for row in rows] == list(range(9, 1514))
    assert [[row[f"score_{i}"] for i in range(3)] for row in rows] == THREE.playouts(1505, 4, 9).tolist()
    assert [row["turns"] for row in rows] == [turns for _, part in chunks for turns in part.turns.tolist()]
    assert {(row["seed"], row["fingerprint"]) for row in rows} == {(4, THREE.fingerprint)}
    names = "game score_0 score_1 score_2 turns discards seed fingerprint format rules_version random_version"
    assert list(rows[0]) == names.split()


@pytest.mark.parametrize("ending", ENDINGS)
def test_numbers_of_every_length_are_written_right(tmp_path, ending):
    numbers = [0, 9, 10, 99, 100, 12345, 999_999_999, 10**9, 2**31 - 1]
    first = 2**64 - 1 - len(numbers)
    stats = made_up([[n, 0] for n in numbers], numbers[::-1], numbers)
    path = tmp_path / f"games{ending}"
    write(path, BASE, 2**64 - 1, [(first, stats)])
    rows = read(path)
    assert [row["score_0"] for row in rows] == [row["discards"] for row in rows] == numbers
    assert [row["turns"] for row in rows] == numbers[::-1]
    assert {row["score_1"] for row in rows} == {0}
    assert [row["game"] for row in rows] == [first + i for i in range(len(numbers))]
    assert {row["seed"] for row in rows} == {2**64 - 1}


def test_printed_rows_are_those_of_the_file(tmp_path):
    stats = BASE.playouts(5000, 3, stats=True)
    write(tmp_path / "games.ndjson", BASE, 3, [(0, stats)])
    assert (tmp_path / "games.ndjson").read_text() == ndjson_rows(BASE, 3, 0, stats)


@pytest.mark.parametrize("ending", ENDINGS)
def test_joined_files_are_the_file_that_would_have_been_written_at_once(tmp_path, ending):
    stats = [BASE.playouts(700, 3, first, stats=True) for first in (0, 700, 1400)]
    whole, joined = tmp_path / f"whole{ending}", tmp_path / f"joined{ending}"
    write(whole, BASE, 3, [(700 * i, part) for i, part in enumerate(stats)])
    parts = [str(tmp_path / f"{i}{ending}") for i in range(3)]
    for i, path in enumerate(parts):
        write_part(Path(path), BASE, 3, [(700 * i, stats[i])])
    with open(joined, "wb") as stream:
        join(parts, stream, ending)
    assert read(joined) == read(whole)
    assert ending == ".parquet" or joined.read_bytes() == whole.read_bytes()


def test_a_part_that_is_none_is_an_error_that_names_it(tmp_path):
    (tmp_path / "part.parquet").write_text("game,score_0")
    with pytest.raises(RecordError, match=r"part\.parquet: not rows of games"), open(tmp_path / "out", "wb") as out:
        join([str(tmp_path / "part.parquet")], out, ".parquet")


def test_parquet_takes_a_few_bytes_a_game(tmp_path):
    write(tmp_path / "games.parquet", BASE, 3, [(0, BASE.playouts(20_000, 3, stats=True))])
    assert (tmp_path / "games.parquet").stat().st_size < 4 * 20_000


@pytest.mark.parametrize("name", ["games.txt", "games", "games.csv.gz"])
def test_an_unknown_ending_is_an_error_that_names_those_there_are(name):
    with pytest.raises(BastideError, match=r"unknown ending '.*' .expected .csv, .ndjson, .jsonl, .parquet"):
        ending_of(name)


def test_a_missing_library_is_an_error_that_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("bastide.resultfile.import_module", missing)
    assert ending_of("games.csv") == ".csv"
    with pytest.raises(BastideError, match=r"pip install 'bastide\[parquet\]'"):
        ending_of("games.parquet")
