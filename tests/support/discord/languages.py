"""Languages that lack strings, told before any test runs.

A language that lacks a string is not offered, so tests of menus and settings would fail first and say
nothing of the string.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

from bot.locales import HERE, begun, lacking


def missing_strings() -> list[str]:
    """Return a line for each string that a language lacks: the key, and the file that it belongs into."""
    return [
        f"bot/locales/{language}/{_file_of(key)} lacks {key}: add it as bot/locales/en/{_file_of(key)} has it"
        for language in begun()
        for key in lacking(language)
    ]


def _file_of(key: str) -> str:
    return next(path.name for path in sorted((HERE / "en").glob("*.toml")) if _has(path, key))


def _has(path: Path, key: str) -> bool:
    found: object = tomllib.loads(path.read_text("utf-8"))
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found is not None


def fields(template: Any) -> set[str]:
    """The facts that a string needs; a plural table needs those of all its forms, and `n`."""
    if isinstance(template, dict):
        return set().union(*map(fields, template.values())) | {"n"}
    if isinstance(template, list):
        return set()
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
