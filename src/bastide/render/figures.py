"""Draw what players put on tiles: figures, tower floors, bridges, castles, barns.

A figure has its player's colour and number. Farmers lie, others stand; an abbot has a mitre, a maiden a pointed hat.
"""

from bastide.render.glyphs import GLYPHS, digits, glyph
from bastide.render.palette import FLOORS, INK, PLAYERS, on_colour

__all__ = ["bridge", "figure", "tower", "tower_top"]

_SIZE = 1.4
_OUTLINE = f'stroke="{INK}" stroke-width="1.1" stroke-linejoin="round"'
_BODY = f'<path d="M-6.6 7.4Q-6.4-3.4 0-5.6 6.4-3.4 6.6 7.4 0 9.8-6.6 7.4z" {_OUTLINE}/>'
_FACE = f'<circle cy="-8.2" r="3.5" fill="#f1cfa6" {_OUTLINE}/>'
_SHADOW = '<ellipse cx="1" cy="7.6" rx="8" ry="2.6" fill="#3b2f26" opacity=".35"/>'

GLYPHS.update(
    {
        "p-meeple": _SHADOW + _BODY + _FACE + f'<path d="M-3.9-8.6Q-3.4-13.2 0-13.2T3.9-8.6Q0-10.2-3.9-8.6z" {_OUTLINE}/>',
        "p-abbot": (
            _SHADOW + f'<path d="M8.6 8V-10.4q0-2.6 2.2-2.6" fill="none" {_OUTLINE}/>' + _BODY + _FACE
            + f'<path d="M-3.6-9.6L-4.2-14 0-18.6 4.2-14 3.6-9.6Q0-11-3.6-9.6z" {_OUTLINE}/>'
            + f'<path d="M0-16v4M-1.7-14.4h3.4" stroke="{INK}" stroke-width="1"/>'
        ),
        "p-maiden": _SHADOW + _BODY + _FACE + f'<path d="M-3.6-9.8L1.4-19.6 3.7-9.6Q0-11.2-3.6-9.8z" {_OUTLINE}/>',
        "p-farmer": (
            '<ellipse cx="1" cy="4" rx="12" ry="3" fill="#3b2f26" opacity=".35"/>'
            f'<path d="M9.6 5.2Q-1.4 6.4-4.4.2-1.4-6 9.6-5Q11.6 0 9.6 5.2z" {_OUTLINE}/>'
            f'<circle cx="-6.6" r="3.3" fill="#f1cfa6" {_OUTLINE}/>'
            f'<ellipse cx="-11.2" rx="2.3" ry="2.8" fill="#e8c65a" {_OUTLINE}/>'
            f'<ellipse cx="-9.4" rx="1.2" ry="5.2" fill="#e8c65a" {_OUTLINE}/>'
        ),
    }
)


for _owner, _colour in enumerate(PLAYERS):
    for _name in ("meeple", "abbot", "maiden", "farmer"):
        _number = digits(_owner, 3.2 + 0.2j if _name == "farmer" else 2j, 0.85, on_colour(_owner))
        GLYPHS[f"{_name}{_owner}"] = (
            f'<g fill="{_colour}" transform="scale({_SIZE})"><use href="#bs-p-{_name}"/>{_number}</g>'
        )


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
    widths = (("#3b2f26", 15, ""), ("#8a5f37", 13.4, ""), ("#d2a66c", 9.4, ""), ("#8a5f37", 9.4, ' stroke-dasharray="1 4"'))
    return '<g fill="none" opacity=".97">' + "".join(
        f'<path d="{line}" stroke="{colour}" stroke-width="{width}"{dash}/>' for colour, width, dash in widths
    ) + "</g>"
