"""The examples in the docstrings of the engine come out as they say."""

from __future__ import annotations

import doctest
from functools import cache
from importlib import import_module

import pytest

from tests.house.tree import read, texts

MODULES = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for path in texts(".py")
    if path.parts[0] == "engine" and ">>>" in read(path)
]
"""The modules of the engine in which there may be an example."""


@cache
def tried(name: str) -> doctest.TestResults:
    """The examples of a module, run once."""
    return doctest.testmod(import_module(name))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert tried(name).failed == 0


def test_there_are_examples_and_they_can_fail() -> None:
    assert sum(tried(name).attempted for name in MODULES) >= 15
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner().run(wrong, out=lambda _: None).failed == 1
