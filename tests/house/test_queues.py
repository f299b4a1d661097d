"""Jobs for workers wait in a queue per person, so that no one delays another."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.house.tree import read, texts

JOBS = {"run", "advise", "analyze", "draw", "choose"}
"""Calls of the thinker (`Thinker` in `bot/table/ports.py`)."""
PICTURES = {"paint", "attachments"}
"""Calls that have a picture painted."""
PERSON = re.compile(r"(?:\w+\.)*user_id")
"""The number of the person who asks."""
ANY = re.compile(r"\b(?:whose|thinker|_thinker|studio|attachments)\b")
"""A word without which nothing is asked of a worker; only files with one are parsed."""

MAY = {
    ("bot/ui/components.py", "whose"): "handed on by `attachments`, whose callers name the person",
    ("bot/ui/live/live_message.py", "self.where.channel_id"): "a message for everyone: its channel waits",
    ("bot/ui/live/private_message.py", "self.whose"): "the person, or the channel of a table that many watch",
}
"""Files, in whose queue their jobs wait instead, and why."""


def queues(code: str) -> list[str]:
    """Return in whose queue each job of a piece of code waits, "" for that of everyone."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        named = [ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg == "whose"]
        if named or asks(node.func):
            found.append(named[0] if named else "")
    return found


def asks(function: ast.expr) -> bool:
    """Return whether a call asks a worker for something."""
    if not isinstance(function, ast.Attribute):
        return False
    owner = ast.unparse(function.value)
    return function.attr in PICTURES or (function.attr in JOBS and owner.endswith("thinker"))


@cache
def everywhere() -> frozenset[tuple[str, str]]:
    return frozenset(
        (path.as_posix(), whose)
        for path in texts(".py")
        if path.parts[:2] in (("bot", "ui"), ("bot", "features")) and ANY.search(read(path))
        for whose in queues(read(path))
    )


def test_what_a_person_asks_for_waits_in_their_own_queue() -> None:
    assert {each for each in everywhere() - MAY.keys() if not PERSON.fullmatch(each[1])} == set()


def test_every_exception_is_still_needed() -> None:
    assert MAY.keys() - everywhere() == set()


def test_every_kind_of_job_is_looked_at() -> None:
    found = {path for path, whose in everywhere() if PERSON.fullmatch(whose)}
    assert found >= {
        "bot/features/ending/handlers.py",
        "bot/features/privacy/export.py",
        "bot/features/replays/handlers.py",
        "bot/features/teacher/handlers.py",
        "bot/features/teacher/review_handlers.py",
        "bot/features/teacher/review_service.py",
        "bot/features/verify/command.py",
        "bot/ui/context.py",
        "bot/features/table/hand/open_hands.py",
        "bot/features/table/board_handlers.py",
    }


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("await pressed.tables.thinker.run(call_by_name, 'a:b', whose=pressed.user_id)", ["pressed.user_id"]),
        ("await self._thinker.analyze(work, whose=table.stored.channel_id)", ["table.stored.channel_id"]),
        ("await tables.thinker.draw(work, facts)", [""]),
        ("await ask(work, whose=user_id)", ["user_id"]),
        ("await studio.paint(scene)", [""]),
        ("files = message.attachments(studio, later=True)", [""]),
        ("asyncio.run(main())\nrandom.choose(1)\nrun(work)", []),
    ],
)
def test_it_finds_what_it_is_for(code: str, found: list[str]) -> None:
    assert queues(code) == found
