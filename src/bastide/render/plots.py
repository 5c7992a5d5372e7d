"""Draw charts of results with matplotlib, the extra `plot`.

Each function makes a figure of its own; none touches matplotlib's global state. `saved` returns one as SVG, PNG or PDF.
"""

import io
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bastide.errors import BastideError, show
from bastide.render.palette import INK, PLAYERS
from bastide.render.plotdata import Rating, Scores, Sources
from bastide.tally import wilson_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FORMS", "placements_plot", "ratings_plot", "saved", "scores_plot", "seats_plot", "sources_plot"]

FORMS = ("svg", "png", "pdf")
_SOURCES = {  # colours that follow the map
    "road": "#d8c08a",
    "city": "#c0603f",
    "monastery": "#8d4336",
    "garden": "#c8476b",
    "field": "#8fb05f",
    "watchtower": "#b98a58",
    "ransom": "#45414a",
    "maiden": "#cc79a7",
    "barn": "#e0a03c",
    "watchman": "#6d84a0",
    "thief": "#6d5b7d",
}
_STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4dac4",
    "figure.facecolor": "#fffaf0",
    "axes.facecolor": "#fffaf0",
    "svg.hashsalt": "bastide",
    "font.size": 10,
}


def scores_plot(games: Mapping[str, Scores]) -> "Figure":
    """Draw how the final scores of each seat are spread, a panel for each title.

    `games`: title -> scores, a row a game and a column a seat.
    """
    figure, panels = _panels(len(games), 5.6, 3.4)
    for axes, (title, scores) in zip(panels, games.items(), strict=True):
        low, high = int(scores.min()), int(scores.max())
        step = max(1, math.ceil((high - low + 1) / 48))
        bins = np.arange(low, high + step + 1, step) - 0.5
        for seat, column in enumerate(scores.T):
            share = np.histogram(column, bins)[0] / len(column)
            label = f"seat {seat}: {column.mean():.1f} ± {column.std():.1f}"
            axes.stairs(share, bins, color=INK, linewidth=2.6)
            axes.stairs(share, bins, color=PLAYERS[seat % len(PLAYERS)], linewidth=1.6, label=label)
        axes.set(title=f"{title} ({len(scores):,} games)", xlabel="points", ylabel="share of games")
        axes.legend(frameon=False)
    return figure


def seats_plot(games: Mapping[str, Scores]) -> "Figure":
    """Draw how many games each seat wins, with intervals of 95 percent; shared games count in parts.

    `games`: title -> scores, a row a game and a column a seat. The line is an equal share.
    """
    figure, panels = _panels(len(games), 4.2, 3.4)
    for axes, (title, scores) in zip(panels, games.items(), strict=True):
        n, seats = scores.shape
        is_best = scores == scores.max(axis=1, keepdims=True)
        shares = (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0)
        low, high = zip(*(wilson_interval(share, n) for share in shares), strict=True)
        bars = np.maximum([shares - low, np.array(high) - shares], 0)  # of a share of 1: rounding
        colours = [PLAYERS[seat % len(PLAYERS)] for seat in range(seats)]
        axes.bar(range(seats), shares, yerr=bars, color=colours, edgecolor=INK, capsize=4, ecolor=INK)
        axes.axhline(1 / seats, color=INK, linestyle="--", linewidth=1)
        axes.set(title=f"{title} ({n:,} games)", xlabel="seat", ylabel="share of games won", xticks=range(seats))
    return figure


def sources_plot(games: Mapping[str, Sources]) -> "Figure":
    """Draw where points come from, a bar for each title (a box, say).

    `games`: title -> source -> mean points of all players together in a game. Sources that take (a ransom's buyer) and
    give cancel out.
    """
    figure, (axes,) = _panels(1, 7.5, 1.6 + 0.55 * len(games))
    titles = list(games)
    left = np.zeros(len(titles))
    known = dict.fromkeys([*_SOURCES, *(source for points in games.values() for source in points)])
    for source in known:
        points = np.array([max(games[title].get(source, 0.0), 0.0) for title in titles])
        if points.any():
            axes.barh(titles, points, left=left, label=source, color=_SOURCES.get(source), edgecolor=INK, linewidth=0.6)
            left += points
    axes.invert_yaxis()
    axes.set(xlabel="points of all players in a game", title="Where points come from")
    axes.legend(frameon=False, ncols=1, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def placements_plot(cells: Mapping[tuple[int, int], int], n_games: int) -> "Figure":
    """Draw where tiles lie, by the share of games in which the cell (x, y) is filled.

    Errors: BastideError if there are no cells or games.
    """
    if not cells or n_games < 1:
        raise BastideError("no placements to draw")
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    grid = np.full((max(ys) - min(ys) + 1, max(xs) - min(xs) + 1), np.nan)
    for (x, y), n in cells.items():
        grid[y - min(ys), x - min(xs)] = n / n_games
    size = 7 / max(grid.shape)
    figure, (axes,) = _panels(1, max(4.0, 2 + size * grid.shape[1]), max(3.2, 1.4 + size * grid.shape[0]))
    border = (min(xs) - 0.5, max(xs) + 0.5, max(ys) + 0.5, min(ys) - 0.5)
    image = axes.imshow(grid, cmap="cividis_r", vmin=0, vmax=1, extent=border, interpolation="nearest")
    axes.plot(0, 0, marker="*", color="#d55e00", markersize=9, markeredgecolor="white")
    axes.grid(visible=False)
    axes.set(title=f"Where tiles lie ({n_games:,} games)", xlabel="x (east)", ylabel="y (south)")
    figure.colorbar(image, ax=axes, label="share of games")
    return figure


def ratings_plot(rows: Sequence[Rating | tuple[str, float, float, float]], unit: str = "Elo") -> "Figure":
    """Draw ratings with their intervals, the best on top.

    `rows`: (name, rating, low, high). Errors: BastideError if there are none, or for numbers that cannot be.
    """
    table = [row if isinstance(row, Rating) else Rating(*row) for row in rows]
    if not table:
        raise BastideError("no ratings to draw")
    table.sort(key=lambda row: row.rating)
    figure, (axes,) = _panels(1, 6.8, 1.3 + 0.36 * len(table))
    middles = np.array([row.rating for row in table])
    bars = np.array([middles - [row.low for row in table], [row.high for row in table] - middles])
    heights = range(len(table))
    axes.errorbar(middles, heights, xerr=bars, fmt="o", color="#0072b2", ecolor=INK, capsize=4, markersize=6)
    for height, row in zip(heights, table, strict=True):
        axes.annotate(f"{row.rating:.0f}", (row.rating, height), (0, 6), textcoords="offset points", ha="center")
    axes.set_yticks(heights, [row.name for row in table])
    axes.set(xlabel=unit, title="Ratings, with intervals", ylim=(-0.6, len(table) - 0.3))
    return figure


def saved(figure: "Figure", form: str = "svg") -> bytes:
    """Return a figure as a file of a form of FORMS; the same figure gives the same bytes."""
    if form not in FORMS:
        raise BastideError(f"unknown form {show(form)} (expected {', '.join(FORMS)})")
    import matplotlib

    stream = io.BytesIO()
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with matplotlib.rc_context(_STYLE):
        figure.savefig(stream, format=form, dpi=150, metadata=dates[form])
    return stream.getvalue()


def _panels(n: int, width: float, height: float) -> "tuple[Figure, list[Axes]]":
    """Return a figure of n panels of so many inches each, at most three in a row."""
    if n < 1:
        raise BastideError("nothing to draw")
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise BastideError("plots need matplotlib: pip install 'bastide[plot]'") from None
    columns = min(n, 3)
    rows = -(-n // columns)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
        panels = [figure.add_subplot(rows, columns, i + 1) for i in range(n)]
    return figure, panels
