"""Small drawings that many tiles share, each around the point where it stands.

All are drawn for this project from lines and circles; digits too, so that no font is needed.
"""

from bastide.render.palette import INK

__all__ = ["GLYPHS", "digits", "glyph"]

_LINE = f'stroke="{INK}" stroke-width=".7" stroke-linejoin="round"'
_WALL = "#f3e5c9"


def _house(roof: str, shade: str) -> str:
    return (
        f'<path d="M-4 0h8v4.4h-8z" fill="{_WALL}" {_LINE}/><path d="M-5.2.4L-2-4.6h7L4.2.4z" fill="{roof}" {_LINE}/>'
        f'<path d="M-5.2.4L-2-4.6.6.4z" fill="{shade}"/><path d="M-2.6 4.3V2h1.7v2.3z" fill="#6b4a36"/>'
    )


def _gable(roof: str) -> str:
    return (
        f'<path d="M-3.2 5v-5.4L0-4.4l3.2 4V5z" fill="{_WALL}" {_LINE}/>'
        f'<path d="M-4.4.6L0-5.4 4.4.6" fill="none" stroke="{INK}" stroke-width="2.6"/>'
        f'<path d="M-4.3.5L0-5.3 4.3.5" fill="none" stroke="{roof}" stroke-width="1.5"/>'
        '<path d="M-.8 4.8V2h1.6v2.8z" fill="#6b4a36"/>'
    )


def _tower(roof: str) -> str:
    return (
        f'<path d="M-3.1 4.5V-2.5h6.2v7z" fill="#dccbaa" {_LINE}/><path d="M-4-2.2L0-8.6l4 6.4z" fill="{roof}" {_LINE}/>'
        f'<path d="M0 2.6V.2" stroke="{INK}" stroke-width="1.1"/>'
    )


GLYPHS = {
    "h0": _house("#c0603f", "#a84e33"),
    "h1": _house("#ab4a38", "#933d2e"),
    "h2": _house("#cf8648", "#b9733a"),
    "h3": _house("#73808f", "#606d7c"),
    "h4": _gable("#b8543a"),
    "h5": _gable("#8a6a4f"),
    "tw": _tower("#8d4336"),
    "t0": (  # trees
        '<ellipse cx=".8" cy="3.3" rx="3.6" ry="1.3" fill="#8fa563"/><path d="M0 3.4V0" stroke="#6b4d34" stroke-width="1.2"/>'
        '<circle cy="-1.8" r="3.5" fill="#5e8d4b" stroke="#3f6635" stroke-width=".7"/>'
        '<circle cx="-1" cy="-2.9" r="1.5" fill="#82b067"/>'
    ),
    "t1": (
        '<ellipse cx=".6" cy="3.5" rx="3" ry="1.1" fill="#8fa563"/><path d="M0 3.6V1" stroke="#6b4d34" stroke-width="1.2"/>'
        '<path d="M-3.2 1.8L0-7l3.2 8.8z" fill="#4b7a52" stroke="#355a3d" stroke-width=".7" stroke-linejoin="round"/>'
        '<path d="M-1.5-.4L-.3-4.6" stroke="#76a273" stroke-width=".9" stroke-linecap="round"/>'
    ),
    "t2": (
        '<ellipse cx=".4" cy="1.6" rx="2.6" ry="1" fill="#8fa563"/>'
        '<circle r="2.1" fill="#7aa257" stroke="#517a41" stroke-width=".6"/>'
    ),
    "sh": (  # sheep
        '<ellipse rx="2" ry="1.4" fill="#fbf7ea" stroke="#8b7f6b" stroke-width=".5"/>'
        '<circle cx="-2" cy="-.5" r=".8" fill="#5a4c40"/>'
    ),
    "well": (
        '<circle r="3.4" fill="#bba985" stroke="#6f5d45" stroke-width=".8"/><circle r="1.7" fill="#6f9db4"/>'
    ),
    "monastery": (
        '<ellipse cy="2" rx="15" ry="11.5" fill="#d5d79a" stroke="#6f9350" stroke-width="1.8" stroke-dasharray="2.6 1.4"/>'
        f'<path d="M-11 0H5v9.5h-16z" fill="{_WALL}" {_LINE}/><path d="M-13 .6L-9.5-6.5H5V.6z" fill="#b4573d" {_LINE}/>'
        '<path d="M-8.6 6.8V3.6q1.1-1.6 2.2 0v3.2zM-4.4 6.8V3.6q1.1-1.6 2.2 0v3.2zM-.2 6.8V3.6q1.1-1.6 2.2 0v3.2z" fill="#6d84a0"/>'
        f'<path d="M3.5 9.5V-8h8v17.5z" fill="#fbf0d9" {_LINE}/><path d="M2.3-7.6L7.5-18l5.2 10.4z" fill="#8d4336" {_LINE}/>'
        f'<path d="M7.5-17.6v-6M5.4-21.6h4.2" stroke="{INK}" stroke-width="1.3" fill="none"/>'
        '<path d="M6 9.3V5q1.5-2 3 0v4.3z" fill="#6b4a36"/><circle cx="7.5" cy="-3.6" r="1.5" fill="#6d84a0"/>'
    ),
    "garden": (
        '<rect x="-10" y="-8.5" width="20" height="17" rx="3" fill="#6f9c54" stroke="#476a38" stroke-width=".9"/>'
        '<path d="M-7.6-6.2h6v4.8h-6zM1.6-6.2h6v4.8h-6zM-7.6 1.4h6v4.8h-6zM1.6 1.4h6v4.8h-6z" fill="#e9dfb4"/>'
        '<g fill="#c8476b"><circle cx="-6" cy="-4.6" r="1.1"/><circle cx="-3.2" cy="-3" r="1.1"/><circle cx="3.2" cy="4.6" r="1.1"/>'
        '<circle cx="6" cy="3" r="1.1"/></g><g fill="#7d5bb0"><circle cx="3.2" cy="-3" r="1.1"/><circle cx="6" cy="-4.6" r="1.1"/>'
        '<circle cx="-6" cy="3" r="1.1"/><circle cx="-3.2" cy="4.6" r="1.1"/></g>'
        '<circle r="2.2" fill="#9fd0e4" stroke="#5d7f8c" stroke-width=".7"/>'
    ),
    "foundation": (
        '<ellipse cy="1.6" rx="11" ry="8" fill="#7d6a50"/><ellipse rx="11" ry="8" fill="#cdbb98" stroke="#4d3d2d" stroke-width=".9"/>'
        '<path d="M-11 0h4.4M6.6 0H11M0-8v3.2M0 4.8V8M-7.8-5.6l3 2.2M7.8-5.6l-3 2.2M-7.8 5.6l3-2.2M7.8 5.6l-3-2.2" '
        'stroke="#8b7759" stroke-width=".9"/><ellipse rx="6.6" ry="4.8" fill="#5c4a38" stroke="#4d3d2d" stroke-width=".7"/>'
    ),
    "watchtower": (
        '<ellipse cx="1" cy="9" rx="9" ry="2.6" fill="#8fa563"/>'
        f'<path d="M-5 9l1-16h8l1 16z" fill="#b98a58" {_LINE}/><path d="M-4.8 5.4l9-6M4.8 5.4l-9-6" stroke="#7d5733" stroke-width="1"/>'
        f'<path d="M-7-11.5H7v5.3H-7z" fill="#d3a672" {_LINE}/><path d="M-3-9.8h2v2h-2zM1-9.8h2v2H1z" fill="#4f3b2b"/>'
        f'<path d="M-8.6-11.2L0-19.5l8.6 8.3z" fill="#8d4336" {_LINE}/>'
    ),
    "badge": f'<rect x="-11.5" y="-5" width="23" height="10" rx="3" fill="#fdf6e3" {_LINE}/>',
    "i-meeple": (
        f'<circle cy="-2.2" r="1.6" fill="{INK}"/><path d="M-2.8 3.4q.4-4 2.8-4.2 2.4.2 2.8 4.2z" fill="{INK}"/>'
    ),
    "i-pennant": f'<path d="M-2.6-3.2h5.2v3.4Q2.4 2.6 0 3.8-2.4 2.6-2.6.2z" fill="#2f62a8" {_LINE}/>',
    "i-road": (
        f'<path d="M-2.4 3.6L-1-3.4H1l1.4 7z" fill="#e9dcb8" {_LINE}/><path d="M0 2.6V1M0-.4V-2" stroke="{INK}" stroke-width=".8"/>'
    ),
    "i-monastery": f'<path d="M-3 3.6V0L0-2.8 3 0v3.6zM0-2.8V-5M-1.2-4.2h2.4" fill="#b4573d" {_LINE}/>',
    "i-city": f'<path d="M-3.2 3.6v-6.4h1.6v1.4h1V-2.8H.6v1.4h1V-2.8h1.6v6.4z" fill="#b08a5a" {_LINE}/>',
    "thief": (
        '<circle r="8.6" fill="#41354b" stroke="#f3e5c9" stroke-width="1"/>'
        '<path d="M-5.6 4.6Q-5.8-5.6 0-6.4 5.8-5.6 5.6 4.6 3 6.6 0 6.6T-5.6 4.6z" fill="#6d5b7d"/>'
        '<path d="M-3.2 2.8Q-3.6-3 0-3.4 3.6-3 3.2 2.8 1.6 4.4 0 4.4T-3.2 2.8z" fill="#e9c9a2"/>'
        '<path d="M-3.5-1.7h7v2.2h-7z" fill="#2b2233"/><circle cx="-1.4" cy="-.6" r=".7" fill="#fff"/>'
        '<circle cx="1.4" cy="-.6" r=".7" fill="#fff"/>'
        f'<circle cx="6.6" cy="6.2" r="4.6" fill="#fdf6e3" {_LINE}/>'
    ),
    "pennant": (
        f'<path d="M-5-6.4H5v6.6Q4.6 5 0 7.4-4.6 5-5 .2z" fill="#2f62a8" stroke="#fdf6e3" stroke-width="1.2"/>'
        '<path d="M-4.4 1.2L0-3l4.4 4.2v-2.9L0-5.4l-4.4 3.7z" fill="#f3d36b"/>'
        f'<path d="M-5.6-7H5.6V.2Q5.2 5.4 0 8.1-5.2 5.4-5.6.2z" fill="none" {_LINE}/>'
    ),
    "castle": (
        '<ellipse cy="15" rx="27" ry="6" fill="#56412f" opacity=".35"/>'
        f'<path d="M-22 14v-20h4v4h4v-4h4v4h4v-4H6v4h4v-4h4v4h4v-4h4v20z" fill="#cbb892" {_LINE}/>'
        f'<path d="M-28 16v-27h3.5v4h4v-4h3.5V16zM17 16v-27h3.5v4h4v-4H28V16z" fill="#ddcca8" {_LINE}/>'
        f'<path d="M-8 10v-28h4v4.5h3v-4.5h2v4.5h3v-4.5h4v28z" fill="#e7d8b6" {_LINE}/>'
        '<path d="M-4.5 14.4V7Q0 .6 4.5 7v7.4z" fill="#4f3b2b"/><path d="M-1-9.5v4M1.5-9.5v4" stroke="#4f3b2b" stroke-width="1.4"/>'
        '<path d="M-22.5-3v4M22.5-3v4M-22.5 6v4M22.5 6v4" stroke="#4f3b2b" stroke-width="1.6"/>'
        f'<path d="M-6-18.2v-8l7 2.4-7 2.6" fill="#c0392b" {_LINE}/>'
    ),
    "barn": (
        '<ellipse cy="13" rx="22" ry="5" fill="#56412f" opacity=".3"/>'
        f'<path d="M-18 13V-2h36v15z" fill="#a8453a" {_LINE}/><path d="M-21-1.4L-14-15h28L21-1.4z" fill="#7d5b45" {_LINE}/>'
        '<path d="M-19-4.4h38M-16.8-8.4h33.6M-15-12h30" stroke="#634634" stroke-width=".8"/>'
        f'<path d="M-5.5 13V1.5h11V13z" fill="#f3e5c9" {_LINE}/><path d="M-5.5 13l11-11.5M5.5 13L-5.5 1.5" stroke="#a8453a" stroke-width="1.3"/>'
        '<path d="M-15 3h5v5h-5zM10 3h5v5h-5z" fill="#f3e5c9"/>'
    ),
}

_DIGITS = {  # in a box 4 wide and 7 high, around its middle
    "0": "M0-3.2C-2.6-3.2-2.6 3.2 0 3.2S2.6-3.2 0-3.2z",
    "1": "M-1.4-1.8L.4-3.2V3.2",
    "2": "M-1.8-1.6C-1.6-3.8 2-3.6 1.8-1.3 1.7.2-.6 1.2-1.9 3.2H2",
    "3": "M-1.7-3.2H1.8L-.2-.6C2.6-.8 2.5 3.2-.2 3.2-1.2 3.2-1.8 2.8-2 2.2",
    "4": "M.9 3.2V-3.2L-2 1.2H2.2",
    "5": "M1.7-3.2H-1.4L-1.6-.3C2.6-1.4 2.8 3.2-.2 3.2-1.1 3.2-1.8 2.8-2 2.2",
    "6": "M1.4-3C-2.2-2.8-2.6 3.2 0 3.2 2.7 3.2 2.6-.6 0-.6-1 -.6-1.7.2-1.8 1",
    "7": "M-1.9-3.2H2L-.4 3.2",
    "8": "M0-.3C-2.3-.5-2.2-3.2 0-3.2S2.3-.5 0-.3C-2.8 0-2.6 3.2 0 3.2S2.8 0 0-.3z",
    "9": "M-1.4 3C2.2 2.8 2.6-3.2 0-3.2-2.7-3.2-2.6.6 0 .6 1 .6 1.7-.2 1.8-1",
    "-": "M-1.6 0H1.6",
}
GLYPHS.update({f"n{digit}": f'<path d="{path}"/>' for digit, path in _DIGITS.items()})


def glyph(name: str, at: complex, scale: float = 1, extra: str = "") -> str:
    """Return a use of a glyph."""
    x, y = f"{round(at.real, 1):g}", f"{round(at.imag, 1):g}"
    if scale == 1:
        return f'<use href="#bs-{name}" x="{x}" y="{y}"{extra}/>'
    return f'<use href="#bs-{name}" transform="translate({x} {y})scale({scale:g})"{extra}/>'


def digits(number: int | str, at: complex, scale: float = 1, colour: str = INK) -> str:
    """Return a number, its middle at a point; at scale 1 it is 7 high."""
    text = str(number)
    uses = "".join(f'<use href="#bs-n{c}" x="{5 * i - 2.5 * (len(text) - 1):g}"/>' for i, c in enumerate(text))
    x, y = f"{round(at.real, 1):g}", f"{round(at.imag, 1):g}"
    return f'<g class="bs-n" style="stroke:{colour}" transform="translate({x} {y})scale({scale:g})">{uses}</g>'
