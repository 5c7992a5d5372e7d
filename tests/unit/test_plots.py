"""Charts show the numbers they are given."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bastide import BastideError
from bastide.render import plots
from bastide.render.plotdata import Rating, scores

SCORES = np.array([[10, 5], [7, 7], [3, 9], [12, 1]])


def test_scores_are_spread_by_seat():
    figure = plots.scores_plot({"some": SCORES, "more": SCORES + 2})
    assert [axes.get_title() for axes in figure.axes] == ["some (4 games)", "more (4 games)"]
    drawn = [patch.get_data() for patch in figure.axes[0].patches]
    for seat in (0, 1):
        data = drawn[2 * seat + 1]
        counts = {int(np.ceil(edge)): value for edge, value in zip(data.edges, data.values, strict=False) if value}
        expected = {score: (SCORES[:, seat] == score).mean() for score in SCORES[:, seat]}
        assert counts == pytest.approx(expected)
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert texts == ["seat 0: 8.0 ± 3.4", "seat 1: 5.5 ± 3.0"]


def test_scores_far_apart_still_make_few_steps():
    figure = plots.scores_plot({"wide": np.array([[0, 100_000]])})
    assert len(figure.axes[0].patches[0].get_data().values) <= 50


def test_seats_show_shares_of_games_won():
    axes = plots.seats_plot({"some": SCORES}).axes[0]
    assert [bar.get_height() for bar in axes.patches] == [0.625, 0.375]  # a shared game counts half for each
    low, high = axes.collections[0].get_segments()[0][:, 1]
    assert low < 0.625 < high
    assert axes.lines[-1].get_ydata()[0] == 0.5 or any(line.get_ydata()[0] == 0.5 for line in axes.lines)


def test_sources_are_stacked_to_the_whole():
    axes = plots.sources_plot({"a": {"road": 6, "city": 17.5, "own": 1}, "b": {"road": 4, "ransom": -3}}).axes[0]
    whole = {}
    for bar in axes.patches:
        whole[bar.get_y()] = whole.get(bar.get_y(), 0) + bar.get_width()
    assert sorted(whole.values()) == [4, 24.5]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["road", "city", "own"]


def test_placements_are_shares_of_games():
    figure = plots.placements_plot({(0, 0): 4, (2, -1): 1}, 4)
    grid = figure.axes[0].images[0].get_array()
    assert grid.shape == (2, 3)
    assert grid[1, 0] == 1
    assert grid[0, 2] == 0.25
    assert list(figure.axes[0].images[0].get_extent()) == [-0.5, 2.5, 0.5, -1.5]


def test_ratings_have_bars_the_best_on_top():
    figure = plots.ratings_plot([("weak", 1000, 950, 1060), Rating("strong", 1500, 1480.5, 1520)])
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["weak", "strong"]
    assert [text.get_text() for text in axes.texts] == ["1000", "1500"]
    bars = [segment[:, 0].tolist() for segment in axes.collections[0].get_segments()]
    assert bars == [[950, 1060], [1480.5, 1520]]


@pytest.mark.parametrize("row", [("a", 1, 2, 3), ("a", 4, 2, 3), ("a", float("nan"), 0, 1), ("a", 1, 0, float("inf"))])
def test_a_rating_outside_its_interval_is_refused(row):
    with pytest.raises(BastideError, match="rating of 'a'"):
        plots.ratings_plot([row])


def test_nothing_makes_no_chart():
    for call in (
        lambda: plots.ratings_plot([]),
        lambda: plots.placements_plot({}, 1),
        lambda: plots.scores_plot({}),
        lambda: plots.saved(plots.scores_plot({"a": SCORES}), "gif"),
    ):
        with pytest.raises(BastideError):
            call()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "x.csv",
            "score_0,score_1\n1,2\n3,12345678901234567890\n",
            "row 2: score_0, score_1 are not all whole",
        ),
        ("x.csv", "score_0,score_1\n1,%s\n" % ("9" * 200_000), "row 1: field larger than field limit"),
        ("x.ndjson", "[" * 100_000, "row 1: .* is no JSON object"),
    ],
)
def test_rows_that_cannot_be_scores_are_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(BastideError, match=message):
        scores(str(tmp_path / name))


def test_scores_of_parquet_are_read(tmp_path):
    table = pa.table({"game": [0, 1], "score_0": [5, 6], "score_1": [7, 8], "turns": [1, 2]})
    pq.write_table(table, tmp_path / "rows.parquet")
    assert scores(str(tmp_path / "rows.parquet")).tolist() == [[5, 7], [6, 8]]
