"""Finds the features: every folder of `bot.features`."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

PACKAGE = "bot.features"
FIRST = "table"
"""The feature whose controls and commands come first."""


@cache
def load() -> Mapping[str, Any]:
    """Return every `bot.ui.features.Feature` by its folder, in alphabetical order after `FIRST`."""
    names = [name for _, name, _ in pkgutil.iter_modules(import_module(PACKAGE).__path__)]
    names.sort(key=lambda name: (name != FIRST, name))
    return {name: import_module(f"{PACKAGE}.{name}").feature() for name in names}
