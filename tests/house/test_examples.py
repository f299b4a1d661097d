"""The examples in the docstrings of the engine come out as they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import engine

MODULES = sorted(info.name for info in pkgutil.walk_packages(engine.__path__, "engine."))
"""All modules of the engine; what nobody has written an example in costs nothing."""


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name))
    assert failed == 0


def test_there_are_examples_and_they_can_fail() -> None:
    tried = sum(doctest.testmod(import_module(name)).attempted for name in MODULES)
    assert tried >= 15
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner().run(wrong, out=lambda _: None).failed == 1
