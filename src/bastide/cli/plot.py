"""`bastide plot`: charts of results."""

from typing import TYPE_CHECKING

import click

from bastide.cli.common import check_can_write
from bastide.cli.output import picture_form, write_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("scores", "seats", "sources", "placements", "ratings")

EXAMPLES = """\b
Examples:
  bastide plot scores games.csv --out scores.svg       # files of simulate --out: .csv, .ndjson, .parquet
  bastide plot seats base.csv river.csv --out seats.png
  bastide plot sources base.json river.json --out sources.svg   # outputs of simulate --json
  bastide plot placements game*.json --out map.png     # game records
  bastide plot ratings ratings.json --out ratings.svg  # output of tournament report --json
"""


@click.command("plot", epilog=EXAMPLES)
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option("--out", required=True, metavar="FILE", help="Write the chart: .svg, .png or .pdf.")
def command(kind: str, paths: tuple[str, ...], out: str) -> None:
    """Draw a chart of results.

    scores: how the points of each seat are spread. seats: how often each seat wins, and the first with it. sources:
    where points come from, a bar a file. placements: where tiles lie. ratings: what `tournament report --json` prints,
    or a JSON list of objects with name, rating, low and high. Needs matplotlib: pip install 'bastide[plot]'.
    """
    form = picture_form(None, out, ("svg", "png", "pdf"))
    check_can_write(out)
    from bastide.render.plots import saved

    write_output(out, saved(_figure(kind, paths), form))


def _figure(kind: str, paths: tuple[str, ...]) -> "Figure":
    from bastide.render import plotdata, plots

    if kind == "placements":
        return plots.placements_plot(plotdata.placements(paths), len(paths))
    if kind == "ratings":
        if len(paths) > 1:
            raise click.UsageError(f"ratings are drawn from one file, not {len(paths)}")
        return plots.ratings_plot(plotdata.ratings(paths[0]))
    if kind == "sources":
        return plots.sources_plot({_title(path, paths): plotdata.sources(path) for path in paths})
    games = {_title(path, paths): plotdata.scores(path) for path in paths}
    return plots.scores_plot(games) if kind == "scores" else plots.seats_plot(games)


def _title(path: str, paths: tuple[str, ...]) -> str:
    """Return what a file is called in the chart: its name, or its path where two have the same name."""
    from bastide.render.plotdata import title

    return title(path) if sum(title(other) == title(path) for other in paths) == 1 else path
