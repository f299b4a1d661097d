"""Threads stay in the list of channels for as long as Discord lets them."""

from __future__ import annotations

import ast

from bot.ui.outbox import ARCHIVE_MINUTES
from tests.house.tree import read, texts

MOST_MINUTES = 10_080
"""A week, the longest that Discord takes."""


def calls(source: str) -> list[str | None]:
    """Return what each call of `create_thread` passes as `auto_archive_duration`, None for nothing."""
    return [
        next((ast.unparse(each.value) for each in node.keywords if each.arg == "auto_archive_duration"), None)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "create_thread"
    ]


def test_every_thread_stays_open_for_a_week() -> None:
    found = {
        f"{path} {number}": passed
        for path in texts(".py")
        if path.parts[0] == "bot" and "create_thread" in read(path)
        for number, passed in enumerate(calls(read(path)))
    }
    assert len(found) >= 5
    assert {place: passed for place, passed in found.items() if passed != "ARCHIVE_MINUTES"} == {}
    assert ARCHIVE_MINUTES == MOST_MINUTES


def test_a_call_with_the_default_of_the_channel_is_found() -> None:
    assert calls("channel.create_thread(name=name)") == [None]
