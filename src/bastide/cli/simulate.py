"""`bastide simulate`: many games, and statistics of them."""

import os
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from bastide.cli.app import INTERRUPTED, RunError
from bastide.cli.common import (
    CODES,
    MAX_SEED,
    GameOptions,
    Interrupt,
    Progress,
    check_one_form,
    chosen_seed,
    cluster_option,
    dumps,
    game_and_seats,
    game_options,
    identity,
    json_options,
    print_seed,
    seed_option,
    shard_option,
    threads_option,
)
from bastide.errors import BastideError

if TYPE_CHECKING:
    from bastide.rules import Rules
    from bastide.shards import ShardFolder
    from bastide.simulation import Run
    from bastide.tally import Tally
    from bastide.workers import Workers

MAX_GAMES = 1 << 40

EXAMPLES = """\b
Examples:
  bastide simulate -n 100000 --seed 7
  bastide simulate --preset everything-c3 --players 4 -n 10000 --json
  bastide simulate --agents greedy,random -n 200 --out games.csv
  bastide simulate -n 1000000 --seed 7 --out games.parquet --resume
  bastide simulate -n 5000 --seed 7 --shard 2/4 --out games.csv   # then: bastide merge games.csv.parts
  bastide simulate -n 5000 --seed 7 --cluster local:2
"""


@click.command("simulate", epilog=EXAMPLES)
@click.option("-n", "--games", type=click.IntRange(1, MAX_GAMES), default=1000, show_default=True, help="How many.")
@click.option("--start", type=click.IntRange(0, MAX_SEED), default=0, help="Number of the first game.")
@click.option("--agents", metavar="LIST", help=f"Agents by seat, or one for all: {CODES}.")
@click.option("--out", metavar="FILE", help="Write one row a game, to .csv, .ndjson or .parquet.")
@click.option("--resume", is_flag=True, help="Go on with the run in FILE.parts; without that folder begin it.")
@shard_option
@cluster_option
@game_options
@seed_option
@threads_option("all processors, for agents one")
@json_options
def command(
    games: int,
    start: int,
    agents: str | None,
    out: str | None,
    resume: bool,
    shard: tuple[int, int] | None,
    cluster: str | None,
    game_options: GameOptions,
    seed: int | None,
    threads: int | None,
    as_json: bool,
    as_ndjson: bool,
) -> int:
    """Play many games and print statistics of them.

    Without --agents every player chooses uniformly among the legal actions, in the compiled core. A game
    depends on the seed and its number alone: parts of a run can be played apart, and `bastide merge` adds them
    up. --ndjson prints one row a game instead of the statistics.

    Rows for --out are collected in the folder FILE.parts, in shards of some seconds, and joined at the end;
    after a kill, the same command with --resume plays only what is missing. A finished run has no such folder: then
    all games are played again.
    """
    check_one_form(as_json, as_ndjson)
    if start + games > MAX_SEED:
        raise click.UsageError(f"--start {start} and -n {games} go beyond game {MAX_SEED}")
    if resume and out is None:
        raise click.UsageError("--resume needs --out, which says what to go on with")
    if shard is not None and seed is None:
        raise click.UsageError("--shard needs --seed, the same for all shards")
    game, codes = game_and_seats(game_options, agents)
    from bastide.agents import are_native
    from bastide.shards import ShardFolder, read_run
    from bastide.simulation import Run
    from bastide.workers import cluster_workers, local_workers

    if resume and seed is None:
        seed = (read_run(f"{out}.parts") or {}).get("seed")
    seed = chosen_seed(seed)
    threads = threads or (1 if codes else os.cpu_count() or 1)
    run = Run(game.rules, game.tile_set, seed, None if codes is None else tuple(codes))
    whole = {**identity(game), "seed": seed, "start": start, "games": games, "agents": codes}
    first, end = start, start + games
    if shard is not None:
        number, n = shard
        first, end = start + games * (number - 1) // n, start + games * number // n
    workers: AbstractContextManager[Workers | None] = nullcontext()
    if cluster is not None:
        workers = cluster_workers(cluster)
    elif codes is not None:
        workers = local_workers(threads, processes=not are_native(codes))
    began = time.perf_counter()
    with workers as group:
        with nullcontext() if out is None else ShardFolder(out, whole, resume, shard is not None) as folder:
            print_seed(seed)
            tally, n_before = _played(run, (first, end), folder, threads, group, as_ndjson)
        is_complete = tally.games == end - first
        if folder is not None and shard is None:
            try:
                folder.join()
            except BastideError as error:
                raise RunError(str(error)) from error
            if is_complete:
                folder.remove()
    seconds = time.perf_counter() - began
    facts = {
        "format": "bastide-simulation",
        "version": 1,
        **whole,
        "start": first,
        **tally.summary(),
        "seconds": seconds,
        "games_per_second": (tally.games - n_before) / seconds,
        "threads": threads if group is None else group.width,
        "is_complete": is_complete,
    }
    if as_json:
        click.echo(dumps(facts))
    elif not as_ndjson:
        click.echo(table(game.rules, facts))
    return 0 if is_complete else INTERRUPTED


def _played(
    run: "Run",
    span: tuple[int, int],
    folder: "ShardFolder | None",
    threads: int,
    workers: "Workers | None",
    as_ndjson: bool,
) -> "tuple[Tally, int]":
    """Play what is missing of a span of games, until it is done or Ctrl-C is pressed.

    Returns the sums of all that is done now, and how many games were before.
    """
    from bastide.resultfile import ndjson_rows
    from bastide.shards import gaps, read_sums
    from bastide.simulation import chunks
    from bastide.tally import Tally

    tally = Tally(run.rules.players)
    shards = (
        []
        if folder is None
        else [shard for shard in folder.shards() if shard.last >= span[0] and shard.first < span[1]]
    )
    for shard in shards:
        if not span[0] <= shard.first <= shard.last < span[1]:
            raise click.UsageError(f"{shard.rows} goes beyond --shard: go on with --resume and without --shard")
        tally.merge(read_sums(shard))
    n_before = tally.games
    with Progress(span[1] - span[0], "games", n_before) as progress, Interrupt() as interrupt:
        try:
            for chunk in chunks(run, gaps(shards, *span), threads, workers, as_ndjson or folder is not None):
                if chunk.stats is not None and folder is not None:
                    folder.add(run.game, run.seed, chunk.first, chunk.stats, chunk.tally)
                if chunk.stats is not None and as_ndjson:
                    click.echo(ndjson_rows(run.game, run.seed, chunk.first, chunk.stats), nl=False)
                tally.merge(chunk.tally)
                progress.add(chunk.tally.games)
                if interrupt.is_asked:
                    break
            if folder is not None:
                folder.flush()
        except BastideError as error:
            raise RunError(str(error)) from error
    return tally, n_before


def table(rules: "Rules", facts: dict[str, Any]) -> str:
    """Return the statistics for people."""
    if not facts["games"]:
        return "no games"
    seats = range(rules.players)
    names = facts["agents"] or ["uniform"] * len(seats)
    lines = [
        f"{facts['games']:,} games of {rules!r}, seed {facts['seed']}, from game {facts['start']:,}",
        "",
        _row("", [f"seat {seat}" for seat in seats]),
        _row("agent", [name[:12] for name in names]),
        _row("mean score", [f"{mean:.2f}" for mean in facts["mean_scores"]]),
        _row("standard error", ["-" if error is None else f"{error:.2f}" for error in facts["score_errors"]]),
        _row("games won", [f"{share:.1%}" for share in facts["win_shares"]]),
        *(
            _row(f"from {source}", [f"{mean:.2f}" for mean in means])
            for source, means in facts["mean_points"].items()
            if any(means)
        ),
        *(f"{mean:.2f} {name} a game" for name, mean in facts["mean_counts"].items() if mean),
        "",
    ]
    low, high = facts["first_seat_interval"]
    lines += [
        f"first seat wins {facts['first_seat_share']:.1%} of the games (95 percent: {low:.1%} to {high:.1%})",
        f"{facts['mean_turns']:.2f} turns and {facts['mean_discards']:.3f} discarded tiles a game",
        f"checksum {facts['checksum']}, fingerprint {facts['fingerprint']}",
    ]
    if "seconds" in facts:
        rate = f"{facts['games_per_second']:,.0f} games/s with {facts['threads']} threads"
        lines.insert(-1, f"{rate}, {facts['seconds']:.2f} s")
    return "\n".join(lines)


def _row(title: str, cells: list[str]) -> str:
    return (f"{title:18}" + "".join(f"{cell:>13}" for cell in cells)).rstrip()
