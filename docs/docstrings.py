"""Make the project's docstrings ready for the API pages; a Griffe extension, see mkdocs.yml.

The stubs of the core have none, so they are taken from the compiled modules. Examples are fenced, as Markdown wants it.
"""

import importlib
import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


class Docstrings(griffe.Extension):
    """Complete and fence the docstring of each object that is documented."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Look at one object; its path is e.g. bastide._core.api.State.apply."""
        if obj.path.startswith("bastide._core.") and obj.docstring is None and not obj.is_module:
            obj.docstring = _of_core(obj)
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(r"```python\n\g<0>\n```", obj.docstring.value)


def _of_core(obj: griffe.Object) -> griffe.Docstring | None:
    """Return the docstring of a compiled object, without the signature that Cython puts first."""
    name = obj.path.removeprefix(f"{obj.module.path}.")
    value: Any = importlib.import_module(obj.module.path)
    for part in name.split("."):
        value = getattr(value, part, None)
    if obj.name.startswith("__") or not (callable(value) or hasattr(value, "__get__")):
        return None
    text = value.__doc__ or ""
    if text.startswith(f"{name}("):
        text = text.partition("\n")[2].strip()
    return griffe.Docstring(text, parent=obj) if text else None
