"""Parse JSON that people and other programs hand in: what JSON itself leaves open is refused, in one line."""

import json
import math
from typing import Any, NoReturn

from bastide.errors import RecordError, show

__all__ = ["parse"]

MAX_DIGITS = 40  # of a whole number


def parse(text: str | bytes, source: str) -> Any:
    """Return the value of a JSON text; `source` names it in messages.

    Errors: RecordError for bad UTF-8 or JSON, a key that is there twice, NaN and infinities, a number out of
    range, too deep nesting.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_whole,
        )
    except RecursionError:
        raise RecordError(f"{source}: not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # also bad UTF-8
        raise RecordError(f"{source}: not JSON that can be read: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"a key is there twice: {show([key for key, _ in pairs])}")
    return found


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"the number {text}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:40]} is out of range")
    return number


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)
