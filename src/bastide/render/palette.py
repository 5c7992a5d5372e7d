"""Colours of maps and players.

The six player colours are told apart by the colour-blind too (they follow the palette of Okabe and Ito), and a figure
carries its player's number besides.
"""

__all__ = ["FLOORS", "INK", "PLAYERS", "STYLE", "on_colour"]

INK = "#3b2f26"
PLAYERS = ("#d55e00", "#004f94", "#f5d000", "#cc79a7", "#2b2b33", "#fffdf6")
FLOORS = {"normal": "#c9ae84", "black": "#45414a", "white": "#fbf8ef"}

_CLASSES = {
    "f": "fill:#bccd8c",  # field
    "t": "fill:none;stroke:#a5ba72;stroke-width:.9;stroke-linecap:round",  # tufts
    "a": "fill:#d6cf8f;stroke:#b5b06c;stroke-width:.7",  # acre
    "al": "fill:none;stroke:#b9b06a;stroke-width:1",
    "c": "fill:#e2bd8a",  # city
    "w1": "fill:none;stroke:#56412f;stroke-width:6.6",  # wall
    "w2": "fill:none;stroke:#d8c6a3;stroke-width:4.6",
    "w3": "fill:none;stroke:#a58e6b;stroke-width:4.6;stroke-dasharray:1.3 3",
    "r1": "fill:none;stroke:#95805c;stroke-width:9.4",  # road
    "r2": "fill:none;stroke:#f5ebd2;stroke-width:7.2",
    "r3": "fill:none;stroke:#d9c8a2;stroke-width:.9;stroke-dasharray:3 4",
    "v1": "fill:none;stroke:#6a9a86;stroke-width:17",  # river
    "v2": "fill:none;stroke:#7fb6d2;stroke-width:14",
    "v3": "fill:none;stroke:#c3e1ee;stroke-width:1.1;stroke-dasharray:7 9;stroke-linecap:round",
    "b1": "fill:none;stroke:#7c6a50;stroke-width:13.5",  # road over the river
    "b2": "fill:none;stroke:#b9a684;stroke-width:11.5",
    "h1": "fill:none;stroke:#4d6f3b;stroke-width:4;stroke-linecap:round",  # hedge
    "h2": "fill:none;stroke:#7aa05a;stroke-width:2.6;stroke-linecap:round;stroke-dasharray:.1 3.2",
    "g": "fill:none;stroke:#3a2b20;stroke-width:6.4",  # gate
    "x1": "fill:none;stroke:#56412f;stroke-width:3;stroke-linecap:round",  # toll bar
    "x2": "fill:none;stroke:#f7f3e8;stroke-width:1.6;stroke-dasharray:2.2 2",
    "n": "fill:none;stroke:#3b2f26;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round",  # digits
}
STYLE = "".join(f".bs-{name}{{{rules}}}" for name, rules in _CLASSES.items())


def on_colour(player: int) -> str:
    """Return the colour in which a number can be read on a player's colour."""
    return INK if player in (2, 3, 5) else "#fff"
