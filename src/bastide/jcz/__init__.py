"""Saved games of JCloisterZone (.jcz): read them as records, write records as them, check what they assert.

Supported are the boxes that both programs know: docs/jcz.md says which, and where the programs differ.

`read` and the replay of messages are in `reading`, `write` in `writing`, `check` in `checking`; what a file holds is
taken apart in `save`, its setup in `setup`; `locations` and `ledger` translate places and meeple ids.
"""

from bastide.jcz.checking import Outcome, check
from bastide.jcz.reading import read
from bastide.jcz.writing import write

__all__ = ["Outcome", "check", "read", "write"]
