"""Saved games of JCloisterZone (.jcz): read them as records, write records as them, check what they assert.

Supported are the boxes that both programs know: docs/jcz.md says which, and where the programs differ.

`read` and the replay of messages are in `reading`, `write` in `writing`, `check` in `checking`, and what that program
would not replay of a written file is found in `objections`. A file is taken apart in `save`, its setup in `setup`;
`locations` and `ledger` translate places and meeple ids.
"""

from bastide.jcz.checking import Outcome, check
from bastide.jcz.objections import objections
from bastide.jcz.reading import read
from bastide.jcz.writing import write

__all__ = ["Outcome", "check", "objections", "read", "write"]
