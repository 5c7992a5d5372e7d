"""`bastide tournament`: agents against each other, with a journal, ratings and tests."""

import os
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from bastide.cli.app import INTERRUPTED, RunError
from bastide.cli.common import (
    CODES,
    GameOptions,
    Interrupt,
    Progress,
    check_can_write,
    chosen_seed,
    cluster_option,
    dumps,
    game_options,
    print_seed,
    seed_option,
    shard_option,
    threads_option,
)
from bastide.errors import BastideError

if TYPE_CHECKING:
    from bastide.tiles import TileSet
    from bastide.tournament import Journal, Plan
    from bastide.workers import Workers

EXAMPLES = """\b
Examples:
  bastide tournament run --agents greedy,random --rounds 100 --journal t.db --seed 7
  bastide tournament resume t.db
  bastide tournament report t.db --html ratings.html
  bastide tournament merge all.db one.db two.db
"""
RUN_EXAMPLES = """\b
Examples:
  bastide tournament run --agents mcts:iterations=500,greedy,random --rounds 50 --journal t.db
  bastide tournament run --agents mine.py:Mine,greedy --sprt 0,20 --rounds 5000 --journal t.db
  bastide tournament run --agent 'cmd:./bot --fast' --agent greedy --move-seconds 1 --journal t.db
  bastide tournament run --format swiss --agents greedy:price=0,greedy,greedy:price=2,random --rounds 3 --journal t.db
"""


WHOLE = 1, 1  # the shard that is all of a tournament


@click.group("tournament", epilog=EXAMPLES)
def command() -> None:
    """Let agents play against each other and rate them.

    Every deck is played in all rotations of the seats, and every finished game is kept in a journal from which a
    killed tournament goes on.
    """


@command.command("run", epilog=RUN_EXAMPLES)
@click.option("--agents", metavar="LIST", help=f"Entrants, with commas between: {CODES}.")
@click.option("--agent", "more", multiple=True, metavar="CODE", help="One more entrant, e.g. 'cmd:./bot -x'.")
@click.option("--names", metavar="LIST", help="Names of the entrants, with commas between; else their codes.")
@click.option("--journal", "path", metavar="FILE", required=True, help="Where to keep the games; a new file.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["round-robin", "gauntlet", "swiss"]),
    default="round-robin",
    show_default=True,
    help="Who meets whom; gauntlet: all others meet the first.",
)
@click.option(
    "--rounds", type=click.IntRange(1, 10_000_000), default=10, show_default=True, help="How often the tables meet."
)
@click.option(
    "--deals", type=click.IntRange(1, 10_000_000), default=1, show_default=True, help="Decks a table a round."
)
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when it is clear which is right; also ELO0,ELO1,ALPHA,BETA.")
@click.option("--move-seconds", type=click.FloatRange(0, 1e6, min_open=True), help="Time limit for a decision.")
@click.option(
    "--game-seconds",
    type=click.FloatRange(0, 1e6, min_open=True),
    help="Time limit for all decisions of an agent in a game.",
)
@click.option(
    "--max-decisions", type=click.IntRange(1, 1_000_000), help="Score a game as it stands after so many decisions."
)
@shard_option
@cluster_option
@game_options
@seed_option
@threads_option("all processors")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
def run_command(
    agents: str | None,
    more: tuple[str, ...],
    names: str | None,
    path: str,
    form: str,
    rounds: int,
    deals: int,
    sprt: str | None,
    move_seconds: float | None,
    game_seconds: float | None,
    max_decisions: int | None,
    shard: tuple[int, int] | None,
    cluster: str | None,
    game_options: GameOptions,
    seed: int | None,
    threads: int | None,
    as_json: bool,
) -> int:
    """Play a tournament and print its table.

    An agent that crashes, hangs, answers nonsense or breaks the rules loses that game, with a reason in the
    journal. With fewer entrants than seats some play several seats.
    """
    from bastide.agents import check_codes, split_codes
    from bastide.tournament import Journal, Limits, Plan, Sprt
    from bastide.tournament.run import check_shard

    codes = [*(split_codes(agents) if agents else []), *more]
    if shard is not None and seed is None:
        raise click.UsageError("--shard needs --seed, the same for all shards")
    seed = chosen_seed(seed)
    plan = Plan(
        game_options.rules(),
        game_options.tile_set(),
        seed,
        tuple(codes),
        tuple(name.strip() for name in names.split(",")) if names else (),
        form,
        rounds,
        deals,
        Limits(move_seconds, game_seconds, max_decisions),
        None if sprt is None else Sprt.parse(sprt),
    )
    check_shard(plan, shard or WHOLE)
    check_can_write(path)
    check_codes(plan.entrants)
    with _workers(plan, threads, cluster) as workers, Journal.create(path, plan, shard or WHOLE) as journal:
        print_seed(seed)
        return _run(journal, workers, journal.shard, as_json)


@command.command("resume", epilog="\b\nExamples:\n  bastide tournament resume t.db --threads 2\n")
@click.argument("path", metavar="JOURNAL")
@click.option("--tiles", metavar="FILE", help="The own tiles it was begun with.")
@shard_option
@cluster_option
@threads_option("all processors")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
def resume_command(
    path: str,
    tiles: str | None,
    shard: tuple[int, int] | None,
    cluster: str | None,
    threads: int | None,
    as_json: bool,
) -> int:
    """Go on with a tournament that was interrupted or killed, and print its table.

    Games that are in the journal are not played again. The table is that of a tournament without interruption,
    unless clocks had a say in it. A journal of `run --shard` goes on with that part; --shard 1/1 plays all.
    """
    from bastide.agents import check_codes
    from bastide.tournament import Journal
    from bastide.tournament.run import check_shard

    with Journal.open(path, _tile_set(tiles)) as journal:
        part = shard or journal.shard
        check_shard(journal.plan, part)
        check_codes(journal.plan.entrants)
        with _workers(journal.plan, threads, cluster) as workers:
            return _run(journal, workers, part, as_json)


@command.command("report", epilog="\b\nExamples:\n  bastide tournament report t.db --openskill --html ratings.html\n")
@click.argument("path", metavar="JOURNAL")
@click.option("--html", metavar="FILE", help="Write the report as a page with charts.")
@click.option("--openskill", is_flag=True, help="Rate by openskill too; for games of more than two.")
@click.option("--tiles", metavar="FILE", help="The own tiles it was begun with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def report_command(path: str, html: str | None, openskill: bool, tiles: str | None, as_json: bool) -> None:
    """Print the table of a tournament, finished or not.

    Elo ratings have 95 percent intervals from sums over deals; "better" is the likelihood that an entrant is
    better than the next one.
    """
    check_can_write(html)
    from bastide.cli.output import write_output
    from bastide.tournament import Journal, report
    from bastide.tournament.report import page, plots, table

    with Journal.open(path, _tile_set(tiles)) as journal:
        facts = report(journal, openskill)
        pictures = plots(journal) if html is not None else []
    if html is not None:
        write_output(html, page(facts, pictures))
    click.echo(dumps(facts) if as_json else table(facts))


@command.command("merge", epilog="\b\nExamples:\n  bastide tournament merge all.db one.db two.db\n")
@click.argument("out")
@click.argument("journals", nargs=-1, required=True)
@click.option("--tiles", metavar="FILE", help="The own tiles they were begun with.")
def merge_command(out: str, journals: tuple[str, ...], tiles: str | None) -> None:
    """Write a new journal OUT with the games of several journals of one tournament.

    They come from `tournament run --shard I/N` with the same seed on several machines.
    """
    from bastide.tournament import JournalError, merge

    try:
        games = merge(out, journals, _tile_set(tiles))
    except JournalError as error:
        raise RunError(str(error)) from error
    click.echo(f"{games:,} games in {out}")


def _tile_set(path: str | None) -> "TileSet | None":
    return GameOptions(None, None, None, (), path).tile_set()


def _workers(plan: "Plan", threads: int | None, cluster: str | None) -> "AbstractContextManager[Workers]":
    from bastide.workers import cluster_workers, local_workers

    if cluster is not None:
        return cluster_workers(cluster)
    return local_workers(threads or os.cpu_count() or 1, processes=not plan.is_native)


def _run(journal: "Journal", workers: "Workers", shard: tuple[int, int], as_json: bool) -> int:
    """Play what is missing of a part, print the table, and return the exit code."""
    from bastide.tournament import report, run
    from bastide.tournament.report import table
    from bastide.tournament.run import n_games, n_played

    total = n_games(journal.plan, shard)
    with Progress(total, "games", n_played(journal, shard)) as progress, Interrupt() as interrupt:

        def done(games: int) -> bool:
            progress.add(games)
            return not interrupt.is_asked

        try:
            is_over = run(journal, workers, done, shard)
        except BastideError as error:
            raise RunError(str(error)) from error
    facts = report(journal)
    click.echo(dumps(facts) if as_json else table(facts))
    return 0 if is_over else INTERRUPTED
