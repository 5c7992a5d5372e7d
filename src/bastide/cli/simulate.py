"""`bastide simulate`: many games, and statistics of them."""

import os
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from bastide.cli.app import INTERRUPTED, RunError
from bastide.cli.common import (
    MAX_SEED,
    GameOptions,
    Interrupt,
    Progress,
    check_one_form,
    chosen_seed,
    dumps,
    game_and_seats,
    game_options,
    identity,
    json_options,
    print_seed,
    seed_option,
    threads_option,
)
from bastide.errors import BastideError

if TYPE_CHECKING:
    from bastide.game import Game

MAX_GAMES = 1 << 40

EXAMPLES = """\b
Examples:
  bastide simulate -n 100000 --seed 7
  bastide simulate --preset everything-c3 --players 4 -n 10000 --json
  bastide simulate --agents greedy,random -n 200 --out games.csv
  bastide simulate -n 5000 --seed 7 --start 5000   # the second half of 10000
"""


@click.command("simulate", epilog=EXAMPLES)
@click.option("-n", "--games", type=click.IntRange(1, MAX_GAMES), default=1000, show_default=True)
@click.option("--start", type=click.IntRange(0, MAX_SEED), default=0, help="Number of the first game.")
@click.option("--agents", metavar="LIST", help="Agents by seat, e.g. greedy,random; one for all seats.")
@click.option("--out", metavar="FILE", help="Write one row a game, to .csv or .ndjson.")
@game_options
@seed_option
@threads_option
@json_options
def command(
    games: int,
    start: int,
    agents: str | None,
    out: str | None,
    game_options: GameOptions,
    seed: int | None,
    threads: int | None,
    as_json: bool,
    as_ndjson: bool,
) -> int:
    """Play many games and print statistics of them.

    Without --agents every player chooses uniformly among the legal actions, in the compiled core. A game
    depends on the seed and its number alone: parts of a run can be played apart, and their checksums add up.
    --ndjson prints one row a game instead of the statistics.
    """
    check_one_form(as_json, as_ndjson)
    if start + games > MAX_SEED:
        raise click.UsageError(f"--start {start} and -n {games} go beyond game {MAX_SEED}")
    game, codes = game_and_seats(game_options, agents)
    from bastide.resultfile import ResultFile, ndjson_rows
    from bastide.simulation import Tally, agent_games, uniform_games

    seed = chosen_seed(seed)
    if codes is None:
        threads = threads or os.cpu_count() or 1
        chunks = uniform_games(game, games, seed, start, threads)
    else:
        threads = threads or 1
        chunks = agent_games(game, codes, games, seed, start, threads)
    tally = Tally(game)
    began = time.perf_counter()
    with (
        nullcontext() if out is None else ResultFile(out, game, seed) as file,
        Progress(games, "games") as progress,
        Interrupt() as interrupt,
    ):
        print_seed(seed)
        try:
            for first, stats in chunks:
                tally.add((first, stats))
                if file is not None:
                    file.add(first, stats)
                if as_ndjson:
                    click.echo(ndjson_rows(game, seed, first, stats), nl=False)
                progress.add(len(stats.scores))
                if interrupt.is_asked:
                    break
        except BastideError as error:
            raise RunError(str(error)) from error
    seconds = time.perf_counter() - began
    facts = {
        "format": "bastide-simulation",
        "version": 1,
        **identity(game),
        **tally.summary(),
        "seconds": seconds,
        "games_per_second": tally.games / seconds,
        "threads": threads,
        "seed": seed,
        "start": start,
        "agents": codes,
        "is_complete": tally.games == games,
    }
    if as_json:
        click.echo(dumps(facts))
    elif not as_ndjson:
        click.echo(_table(game, facts))
    return 0 if tally.games == games else INTERRUPTED


def _table(game: "Game", facts: dict[str, Any]) -> str:
    """Return the statistics for people."""
    seats = range(game.rules.players)
    names = facts["agents"] or ["uniform"] * len(seats)
    lines = [
        f"{facts['games']:,} games of {game.rules!r}, seed {facts['seed']}, from game {facts['start']:,}",
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
        "",
    ]
    low, high = facts["first_seat_interval"]
    lines += [
        f"first seat wins {facts['first_seat_share']:.1%} of the games (95 percent: {low:.1%} to {high:.1%})",
        f"{facts['mean_turns']:.2f} turns and {facts['mean_discards']:.3f} discarded tiles a game",
        f"{facts['games_per_second']:,.0f} games/s with {facts['threads']} threads, {facts['seconds']:.2f} s",
        f"checksum {facts['checksum']}, fingerprint {facts['fingerprint']}",
    ]
    return "\n".join(lines)


def _row(title: str, cells: list[str]) -> str:
    return (f"{title:18}" + "".join(f"{cell:>13}" for cell in cells)).rstrip()
