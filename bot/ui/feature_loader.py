"""Finds the features: the tables, and every folder of `bot.features`."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

PACKAGE = "bot.features"
TABLES = "bot.features.table"
"""What every bot has, in the form of a feature."""


@cache
def load() -> Mapping[str, Any]:
    """Return every `bot.ui.features.Feature` by the name of its folder: the tables, then the others in
    alphabetical order."""
    names = [f"{PACKAGE}.{name}" for _, name, _ in pkgutil.iter_modules(import_module(PACKAGE).__path__)]
    return {name.rpartition(".")[2]: import_module(name).feature() for name in (TABLES, *names)}
