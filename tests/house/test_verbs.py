"""A feature alone names the verbs of its controls; others get them from a slot, or from a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ui import router
from tests.house.tree import read, texts

VERB_AT = {"button": 1, "select": 2, "people": 1, "make": 0, "pager": 3, "game_select": 2, "switch_line": 3}
"""The position of the verb among the arguments of these functions."""


def room(path: Path) -> tuple[str, ...]:
    """Return the folder of a feature, or that of the table."""
    return path.parts[:3] if path.parts[:2] == ("bot", "features") else path.parts[:2]


def named(path: Path, code: str) -> Iterator[tuple[str, int]]:
    """Yield the verbs that a module names in controls, with their lines."""
    for call in ast.walk(ast.parse(code, str(path))):
        if not isinstance(call, ast.Call):
            continue
        function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        at = VERB_AT.get(function, len(call.args))
        if at < len(call.args) and isinstance(verb := call.args[at], ast.Constant):
            yield str(verb.value), call.lineno


def homes() -> dict[str, tuple[str, ...]]:
    """Return, by verb, the folder that answers it."""
    known = {**router.handlers(), **router.forms()}
    return {verb: room(Path(*handler.__module__.split("."))) for verb, handler in known.items()}


def foreign(path: Path, code: str) -> list[str]:
    """Return the verbs of other folders that a module names."""
    of, here = homes(), room(path)
    return [f"{path}:{line} {verb}" for verb, line in named(path, code) if of.get(verb, here) != here]


def test_no_module_names_the_verb_of_another_feature() -> None:
    code = [path for path in texts(".py") if path.parts[0] == "bot"]
    assert [line for path in code for line in foreign(path, read(path))] == []


@pytest.mark.parametrize(
    ("path", "code", "found"),
    [
        ("bot/features/table/hand/messages.py", "button(say('x'), 'hint', table.id)", 1),
        ("bot/features/table/hand/messages.py", "ids.make('hand', table.id)", 0),
        ("bot/features/teacher/handlers.py", "button(say('x'), 'hint', table.id)", 0),
        ("bot/features/about/command.py", "select(label, lines, 'settings')", 1),
    ],
)
def test_such_a_name_is_noticed(path: str, code: str, found: int) -> None:
    assert len(foreign(Path(path), code)) == found
