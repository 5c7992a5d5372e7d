"""What is measured: each preset, and the base game of the first edition."""

from bastide.rules import PRESETS, Rules

ROWS: dict[str, tuple[str, dict[str, str]]] = {name: (name, {}) for name in PRESETS}
ROWS["base-c1"] = ("base", {"edition": "c1"})


def rules_of(row: str) -> Rules:
    """Return the rules of a row."""
    preset, options = ROWS[row]
    return Rules.from_text(preset=preset, options=options)
