"""`bastide merge`: add up the parts of a run of `bastide simulate`."""

import os
from typing import TYPE_CHECKING, Any

import click

from bastide import strictjson
from bastide.cli.app import RunError
from bastide.cli.common import check_can_write, dumps, versions
from bastide.errors import RecordError, reason, show

if TYPE_CHECKING:
    from bastide.shards import Shard
    from bastide.tally import Tally

EXAMPLES = """\b
Examples:
  bastide merge games.csv.parts --out games.csv
  bastide merge one/games.csv.parts two/games.csv.parts --out games.csv
  bastide merge part1.json part2.json --json
"""
SAME = ("rules", "fingerprint", "rules_version", "random_version", "seed", "agents")  # in parts of one run


@click.command("merge", epilog=EXAMPLES)
@click.argument("parts", nargs=-1, required=True)
@click.option("--out", metavar="FILE", help="Join the rows of the folders into this file; the folders stay.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(parts: tuple[str, ...], out: str | None, as_json: bool) -> None:
    """Print the statistics of all parts of a run together.

    PARTS are folders that `simulate --shard I/N --out FILE` left, or documents that `simulate --json` printed.
    All must be of one run, no game may be there twice; from folders of shards none may be missing.
    """
    check_can_write(out)
    from bastide.resultfile import ending_of
    from bastide.rules import Rules
    from bastide.shards import join_into
    from bastide.tally import Tally

    folders = [path for path in parts if os.path.isdir(path)]
    if folders and len(folders) != len(parts):
        raise click.UsageError("PARTS must be all folders or all JSON documents")
    if out is not None and not folders:
        raise click.UsageError("--out needs folders, JSON documents have no rows")
    if out is not None and {_ending(path) for path in folders} != {ending_of(out)}:
        raise click.UsageError(f"{out}: the ending must be that of the rows, {_ending(folders[0])}")
    if folders:
        run, spans, tallies, shards = _from_folders(folders)
    else:
        run, spans, tallies = _from_documents(parts)
        shards = []
    _check_spans(spans, (run["start"], run["start"] + run["games"]) if folders else None)
    rules = Rules.from_canonical(run["rules"])
    tally = Tally(rules.players)
    for part in tallies:
        tally.merge(part)
    if out is not None:
        try:
            join_into(out, [shard.rows for shard in shards], ending_of(out))
        except OSError as error:
            raise RunError(f"{out}: cannot be written: {reason(error)}") from error
    facts = {**run, "format": "bastide-simulation", "version": 1, "start": min(spans)[0], **tally.summary()}
    if as_json:
        click.echo(dumps(facts))
        return
    from bastide.cli.simulate import table

    click.echo(table(rules, facts))


def _ending(folder: str) -> str:
    """Return the ending of the file that a folder of parts is of. Errors: RecordError."""
    from bastide.resultfile import ENDINGS

    path = os.path.normpath(folder)
    ending = os.path.splitext(path.removesuffix(".parts"))[1].lower()
    if not path.endswith(".parts") or ending not in ENDINGS:
        raise RecordError(f"{folder}: not a folder of parts by its name (expected one like games.csv.parts)")
    return ending


def _from_folders(paths: list[str]) -> "tuple[dict[str, Any], list[tuple[int, int, str]], list[Tally], list[Shard]]":
    from bastide.shards import check_apart, read_run, read_shards, read_sums

    runs = []
    shards: list[Shard] = []
    for path in paths:
        run = read_run(path)
        if run is None:
            raise RecordError(f"{path}: there is no run.json in it")
        runs.append((path, run))
        shards += read_shards(path, _ending(path))
    _check_same(runs, (*SAME, "start", "games"))
    shards.sort()
    check_apart(shards)
    spans = [(shard.first, shard.last + 1, shard.rows) for shard in shards]
    return runs[0][1], spans, [read_sums(shard) for shard in shards], shards


def _from_documents(paths: tuple[str, ...]) -> "tuple[dict[str, Any], list[tuple[int, int, str]], list[Tally]]":
    from bastide.cli.files import read_bytes
    from bastide.tally import Tally

    runs, spans, tallies = [], [], []
    for path in paths:
        facts = strictjson.parse(read_bytes(path), path)
        if not isinstance(facts, dict) or facts.get("format") != "bastide-simulation" or facts.get("version") != 1:
            raise RecordError(f"{path}: not what `bastide simulate --json` prints")
        start = facts.get("start")
        if type(start) is not int or facts.get("is_complete") is not True:
            raise RecordError(f"{path}: is_complete is {show(facts.get('is_complete'))}: its games are not known")
        tally = Tally.from_sums(facts.get("sums", {}), path)
        runs.append((path, facts))
        spans.append((start, start + tally.games, path))
        tallies.append(tally)
    _check_same(runs, SAME)
    return {key: runs[0][1].get(key) for key in SAME}, sorted(spans), tallies


def _check_same(runs: list[tuple[str, dict[str, Any]]], keys: tuple[str, ...]) -> None:
    """Raise RecordError unless all parts are of one run, by the rules of this version."""
    here = versions()
    first_path, first = runs[0]
    for key in ("rules_version", "random_version"):
        if first.get(key) != here[key]:
            raise RecordError(f"{first_path}: {key} is {show(first.get(key))}, here {here[key]}")
    for path, run in runs[1:]:
        for key in keys:
            if run.get(key) != first.get(key):
                raise RecordError(f"{path}: {key} is {show(run.get(key))}, in {first_path} {show(first.get(key))}")


def _check_spans(spans: list[tuple[int, int, str]], whole: tuple[int, int] | None) -> None:
    """Raise RecordError if a game is there twice, or, of a whole run, is missing."""
    at = whole[0] if whole else spans[0][0]
    for first, end, path in spans:
        if first < at:
            raise RecordError(f"{path}: game {first} is in another part too")
        if whole and first > at:
            raise RecordError(f"games {at} .. {first - 1} are in no part")
        at = end
    if whole and at < whole[1]:
        raise RecordError(f"games {at} .. {whole[1] - 1} are in no part")
