"""Draw what players put on tiles: figures, tower floors, bridges, castles, barns.

A figure has its player's colour and number. Farmers lie, others stand; an abbot has a mitre, a maiden a pointed hat.
"""

from bastide.render.glyphs import digits, glyph
from bastide.render.palette import FLOORS, INK

__all__ = ["bridge", "figure", "tower", "tower_top"]


def figure(kind: str, owner: int, at: complex, lies: bool = False, extra: str = "") -> str:
    """Return a figure whose middle is at a point; `lies`: a farmer."""
    return glyph(f"{'farmer' if lies and kind == 'meeple' else kind}{owner}", at, extra=extra)


def tower_top(at: complex, n_floors: int) -> complex:
    """Return where the top of a tower of so many floors is drawn."""
    return at - 1j * (_step(n_floors) * n_floors + 1)


def _step(n_floors: int) -> float:
    """Return the height of a floor: a tower of any height stays on about one tile."""
    return min(6.5, 52 / max(n_floors, 1))


def tower(at: complex, floors: tuple[str, ...]) -> str:
    """Return the floors on a foundation, and beside them how many there are."""
    if not floors:
        return ""
    step = _step(len(floors))
    x = f"{at.real:.1f}"
    parts = []
    for i, colour in enumerate(floors):
        y = at.imag - step * i
        left = at.real - 8
        parts.append(
            f'<path d="M{left:.1f} {y - step:.1f}V{y:.1f}a8 5 0 0 0 16 0V{y - step:.1f}z" fill="{FLOORS[colour]}" '
            f'stroke="{INK}" stroke-width=".8"/><ellipse cx="{x}" cy="{y - step:.1f}" rx="8" ry="5" '
            f'fill="{FLOORS[colour]}" stroke="{INK}" stroke-width=".8"/>'
        )
    y = at.imag - step * len(floors)
    parts.append(f'<ellipse cx="{x}" cy="{y:.1f}" rx="4.6" ry="2.7" fill="#4a3a2b"/>')
    badge = at + 11 + 5j
    parts.append(
        f'<circle cx="{badge.real:.1f}" cy="{badge.imag:.1f}" r="5.4" fill="#fdf6e3" stroke="{INK}" stroke-width=".8"/>'
        + digits(len(floors), badge, 0.8 if len(floors) < 10 else 0.6)
    )
    return "".join(parts)


def bridge(x: float, y: float, axis: str) -> str:
    """Return a wooden bridge over the tile whose corner is (x, y)."""
    line = f"M{x + 50:g} {y:g}v100" if axis == "NS" else f"M{x:g} {y + 50:g}h100"
    widths = (
        ("#3b2f26", 15, ""),
        ("#8a5f37", 13.4, ""),
        ("#d2a66c", 9.4, ""),
        ("#8a5f37", 9.4, ' stroke-dasharray="1 4"'),
    )
    return (
        '<g fill="none" opacity=".97">'
        + "".join(
            f'<path d="{line}" stroke="{colour}" stroke-width="{width}"{dash}/>' for colour, width, dash in widths
        )
        + "</g>"
    )
