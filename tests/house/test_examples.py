"""The examples in docstrings give the results that they show."""

from __future__ import annotations

import doctest
from functools import cache
from importlib import import_module

import pytest

from tests.house.tree import read, texts

MODULES = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for path in texts(".py")
    if path.parts[0] in ("engine", "bot") and ">>>" in read(path)
]
"""Modules that may contain an example."""


@cache
def tried(name: str) -> doctest.TestResults:
    """Run the examples of a module, once."""
    return doctest.testmod(import_module(name))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert tried(name).failed == 0


def test_there_are_examples_and_they_can_fail() -> None:
    assert sum(tried(name).attempted for name in MODULES) >= 15
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner().run(wrong, out=lambda _: None).failed == 1
