"""`bastide rules`: what is implemented, or the rules that options make."""

from collections.abc import Iterable
from typing import Any

import click

from bastide.cli.common import GameOptions, dumps, game_options, identity, versions
from bastide.rules import BOXES, OPTIONS, PRESETS, RULES_VERSION, Option

EXAMPLES = """\b
Examples:
  bastide rules
  bastide rules --preset everything-c1 --players 3   # every option of this game
  bastide rules --json
"""


@click.command("rules", epilog=EXAMPLES)
@game_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(game_options: GameOptions, as_json: bool) -> None:
    """List boxes, options and presets; with options that choose a game, show that game's rules."""
    if not game_options.is_empty:
        game = game_options.game()
        facts = {**identity(game), "start": game.selection.start.id, "tiles": game.selection.n_tiles}
        click.echo(_document(facts) if as_json else _game_text(facts))
    elif as_json:
        click.echo(_document({**versions(), **_all_facts()}))
    else:
        click.echo(_all_text())


def _document(facts: dict[str, Any]) -> str:
    return dumps({"format": "bastide-rules", "version": 1, **facts})


def _game_text(facts: dict[str, Any]) -> str:
    rows = [(name, _value(value)) for name, value in facts["rules"].items()]
    rows += [(name, str(facts[name])) for name in ("start", "tiles", "rules_version", "fingerprint")]
    return "\n".join(_columns(rows))


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        return ",".join(f"{box}:{n}" for box, n in value.items()) or "1"
    return ",".join(value) if isinstance(value, list) else str(value)


def _default(option: Option) -> str:
    return option.default_text or _value(option.default)


def _all_text() -> str:
    boxes = [(box.name, f"{box.title}: {box.source}") for box in BOXES.values()]
    options = [
        (
            option.name,
            f"{_values(option)}; default {_default(option)}",
            f"{option.text} ({', '.join(option.rules)})",
        )
        for option in OPTIONS.values()
    ]
    presets = [
        (
            name,
            " ".join(
                f"{key}={_value(list(value) if isinstance(value, tuple) else value)}" for key, value in preset.items()
            ),
        )
        for name, preset in PRESETS.items()
    ]
    lines = [f"rules version {RULES_VERSION}", "", "boxes (--boxes, base is always in):", *_columns(boxes)]
    lines += ["", "options (--option NAME=VALUE):", *_columns(options)]
    lines += ["", "presets (--preset):", *_columns(presets)]
    return "\n".join(lines)


def _values(option: Option) -> str:
    if len(option.values) > 3 and all(type(value) is int for value in option.values):
        return f"{min(option.values)}-{max(option.values)}"
    return ", ".join(_value(value) for value in option.values)


def _columns(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Return rows as lines with aligned columns."""
    rows = list(rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        ("  " + "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))).rstrip() for row in rows
    ]


def _all_facts() -> dict[str, Any]:
    return {
        "boxes": [
            {
                "name": box.name,
                "title": box.title,
                "source": box.source,
                "needs": box.needs or None,
                "tile_sets": dict(box.tile_sets),
            }
            for box in BOXES.values()
        ],
        "options": [
            {
                "name": option.name,
                "values": list(option.values),
                "default": option.default_text if option.default is None else option.default,
                "box": option.box,
                "text": option.text,
                "rules": list(option.rules),
            }
            for option in OPTIONS.values()
        ],
        "presets": {
            name: {key: list(value) if isinstance(value, tuple) else value for key, value in preset.items()}
            for name, preset in PRESETS.items()
        },
    }
