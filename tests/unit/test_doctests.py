"""The examples in the docstrings of all modules of the package, the compiled ones too."""

import doctest
import importlib
import pkgutil

import pytest

import bastide

IN_TESTS_ADAPTERS = {"bastide.adapters.gymnasium", "bastide.adapters.openspiel", "bastide.adapters.pettingzoo"}
FOUND = {info.name for info in pkgutil.walk_packages(bastide.__path__, "bastide.")}
MODULES = ["bastide", *sorted(FOUND - IN_TESTS_ADAPTERS)]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_there_are_examples_and_they_are_found():
    assert "bastide.rules" in MODULES
    assert "bastide._core.api" in MODULES
    finder = doctest.DocTestFinder(exclude_empty=True)
    for name, something in (("bastide.game", "State"), ("bastide._core.api", "Rng")):
        tests = finder.find(importlib.import_module(name))
        assert any(something in test.name and test.examples for test in tests)
