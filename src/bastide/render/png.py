"""Turn SVG documents into PNG pictures, with the extra `png` (resvg)."""

from bastide.errors import BastideError

__all__ = ["MAX_WIDTH", "png"]

MAX_WIDTH = 10_000  # pixels; the picture is held in memory


def png(svg: str, width: int = 1200) -> bytes:
    """Return a document as a PNG picture so many pixels wide.

    Errors: BastideError if the extra is not installed, or for a width that is not 16 .. MAX_WIDTH.
    """
    if type(width) is not int or not 16 <= width <= MAX_WIDTH:
        raise BastideError(f"a picture is 16 to {MAX_WIDTH} pixels wide, not {width}")
    try:
        import resvg_py
    except ImportError:
        raise BastideError("PNG pictures need resvg: pip install 'bastide[png]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))
