"""What is not installed with the bot itself: extras of the package, which people can do without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra: its name for people, the module that it brings, and how pip calls it."""

    name: str
    module: str
    key: str

    @property
    def install(self) -> str:
        """The command that adds it."""
        return f"pip install 'valence[{self.key}]'"

    @property
    def there(self) -> bool:
        """Whether it is installed; nothing is imported for that."""
        return _is_there(self.module)


@cache
def _is_there(module: str) -> bool:
    return find_spec(module) is not None


RDKIT = Extra("RDKit", "rdkit", "molecules")
"""Draws the molecule at the end of a game as chemists do; 160 MB installed."""

EXTRAS = (RDKIT,)
