"""Write a file whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

__all__ = ["temporary_name", "whole_file"]


def temporary_name(path: str) -> str:
    """Return a name beside a path that nobody else uses, on other machines with the same disk neither."""
    return f"{path}.{secrets.token_hex(6)}.tmp"


@contextmanager
def whole_file(path: str, temporary: str | None = None) -> Iterator[BinaryIO]:
    """Open a file that has its name only when all of it is written and on the disk; after an error there is none.

    `temporary`: its name until then, on the same disk. Errors: OSError, ValueError for a path with a zero byte.
    """
    temporary = temporary or temporary_name(path)
    try:
        with open(temporary, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError, ValueError):
            os.unlink(temporary)
        raise
