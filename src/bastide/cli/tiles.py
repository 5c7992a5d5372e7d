"""`bastide tiles`: every tile as a picture and as data."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from bastide.cli.common import GameOptions, check_one_form, dumps, game_options, identity, json_options, versions
from bastide.errors import TileDataError, reason, show
from bastide.tile import Tile
from bastide.tiles import TileSet

EXAMPLES = """\b
Examples:
  bastide tiles
  bastide tiles base.D tower.A
  bastide tiles --preset river          # the tiles of this game, with their counts
  bastide tiles --tiles own.toml --json
  bastide tiles --preset tower --svg pictures   # a drawing of each in a directory
"""


@dataclass(frozen=True, slots=True)
class Row:
    """Hold a tile, and how often it is in the sets, or in the game."""

    tile: Tile
    counts: dict[str, int]


@click.command("tiles", epilog=EXAMPLES)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--svg", "folder", metavar="DIR", help="Write each tile as an SVG picture DIR/ID.svg as well.")
@game_options
@json_options
def command(
    ids: tuple[str, ...], folder: str | None, game_options: GameOptions, as_json: bool, as_ndjson: bool
) -> None:
    """Show every tile, or those of a game, each with where its data comes from.

    The mark says how sure a tile is: jcz, picture, caption, inferred, reconstruction, own (docs/tiles.md).
    """
    check_one_form(as_json, as_ndjson)
    rows = list(_rows(game_options))
    known = {row.tile.id for row in rows}
    for tile_id in ids:
        if tile_id not in known:
            raise TileDataError(f"unknown tile {show(tile_id)}: `bastide tiles` lists all")
    rows = [row for row in rows if not ids or row.tile.id in ids]
    if folder is not None:
        _draw(folder, rows)
    if as_json:
        facts = versions() if game_options.is_empty else identity(game_options.game())
        tiles = [_facts(row) for row in rows]
        click.echo(dumps({"format": "bastide-tiles", "version": 1, **facts, "tiles": tiles}))
        return
    for row in rows:
        click.echo(dumps(_facts(row)) if as_ndjson else _text(row))


def _rows(options: GameOptions) -> Iterator[Row]:
    """Yield the built-in tiles with their counts by set, or those of a game with what it draws."""
    if options.is_empty:
        tiles = TileSet.builtin()
        for tile in tiles.tiles.values():
            yield Row(tile, {name: counts[tile.id] for name, counts in tiles.sets.items() if tile.id in counts})
        return
    selection = options.game().selection
    start = selection.start
    if not any(tile.id == start.id for tile, _ in selection.entries):
        yield Row(start, {"start": 1})
    for tile, count in selection.entries:
        yield Row(tile, {tile.pile: count, **({"start": 1} if tile.id == start.id else {})})


def _draw(folder: str, rows: list[Row]) -> None:
    """Write each tile as a picture into a directory, which is made if it is not there."""
    from bastide.cli.output import write_output
    from bastide.render.svg import tile_svg

    try:
        os.makedirs(folder, exist_ok=True)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{folder}: cannot be made: {reason(error)}") from error
    for row in rows:
        write_output(os.path.join(folder, f"{row.tile.id}.svg"), tile_svg(row.tile) + "\n")


def _facts(row: Row) -> dict[str, Any]:
    tile = row.tile
    facts = {**tile.canonical(), "jcz": tile.jcz, "source": tile.source, "note": tile.note}
    return {**facts, "counts": row.counts}


def _text(row: Row) -> str:
    """Return a tile as three lines: its picture, and beside it segments, fields, the rest."""
    from bastide.render.text import tile_rows

    tile = row.tile
    cities = [f"city {city.edges or 'inside'}{' pennant' * city.pennants}" for city in tile.cities]
    segments = [*cities, *(f"road {road or 'inside'}" for road in tile.roads)]
    if tile.river:
        segments.append(f"river {tile.river}{' ' * bool(tile.river_role)}{tile.river_role}")
    fields = [
        f"field {'-'.join(field.halves) or 'inside'}"
        + "".join(f" by {cities[i].removesuffix(' pennant')}" for i in field.cities)
        for field in tile.fields
    ]
    special = [name for name in ("monastery", "garden", "foundation") if getattr(tile, name)]
    if tile.thief:
        special.append(f"thief {tile.thief}")
    if tile.watchtower is not None:
        special.append(f"watchtower {tile.watchtower.points} per {tile.watchtower.subject}")
    counts = " ".join(f"{name}:{n}" for name, n in row.counts.items())
    source = f"source {tile.source}{f' ({tile.jcz})' if tile.jcz else ''}"
    lines = ["; ".join([*segments, *special]), "; ".join(fields), f"{counts}; {source}"]
    names = [tile.id, "", ""]
    picture = zip(names, tile_rows(tile), lines, strict=True)
    return "\n".join(f"{name:12}{drawn}   {line}".rstrip() for name, drawn, line in picture) + "\n"
