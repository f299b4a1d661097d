"""Tests that several files run, each with its own fixtures."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def find_tests(module: ModuleType) -> dict[str, Any]:
    """Return the tests of a module by name, for the globals of the file that runs them."""
    return {name: found for name, found in vars(module).items() if name.startswith("test_")}
