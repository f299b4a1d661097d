"""No test waits for a fixed time: it waits for a condition, with a limit (`tests/support/waiting.py`).

Nor does a test ask that something be done within seconds: what a busy machine needs for it nobody knows.
"""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.house.tree import read, texts
from tests.support.waiting import LIMIT_SECONDS

SLEEPERS = {("asyncio", "sleep"), ("time", "sleep")}

MAY = {
    (
        "tests/cli/test_doctor_discord.py",
        "test_a_hundred_pages_of_servers_have_each_its_time.get_guilds",
    ): "Discord takes a moment for each page",
    ("tests/support/waiting.py", "until"): "the pause between two looks",
    ("tests/support/waiting.py", "wait_until"): "the pause between two looks",
    ("tests/e2e/test_restarts.py", "ticking.run"): "a clock that runs",
    ("tests/e2e/test_standby.py", "press_all_the_time"): "people take a breath between presses",
    (
        "tests/jepsen/virtual.py",
        "play",
    ): "a server answers in real time, and virtual time moves on all the same",
    (
        "tests/playground/sample_bot.py",
        "make_client.think",
    ): "a bot that thinks for as long as it is asked to",
    (
        "tests/table/test_thinking.py",
        "test_a_table_goes_on_when_its_opponents_hang.ponder",
    ): "an opponent that thinks longer than it may",
    (
        "tests/workers/test_cluster.py",
        "test_no_decision_is_late_when_a_worker_is_killed.beat",
    ): "how late the event loop wakes",
    (
        "tests/workers/test_cluster.py",
        "test_no_decision_is_late_when_a_worker_is_killed.watch",
    ): "how late the machine wakes a thread that asks for nothing",
    ("tests/workers/test_pool.py", "sleep"): "work that takes a while",
    (
        "tests/workers/test_pool.py",
        "test_a_machine_that_stood_still_kills_nobody",
    ): "the machine stands still for longer than a job may take",
    ("tests/store/test_leases.py", "at_rest"): "the pause between two looks",
    (
        "tests/store/test_leases.py",
        "test_a_stop_in_the_middle_of_taking_the_lease_leaves_it_to_others",
    ): "the stop comes at another moment in each round",
    ("tests/e2e/test_stopping.py", "test_at_any_moment_of_the_start"): "the moment is what the test walks",
    ("tests/e2e/test_stopping.py", "test_a_stop_is_told_and_loses_nothing"): "an act hangs in its thread",
    (
        "tests/e2e/test_stopping.py",
        "test_a_database_that_hangs_does_not_keep_it",
    ): "an act hangs in its thread",
    ("tests/e2e/test_stopping.py", "press_on"): "people take a breath between presses",
    ("tests/e2e/test_stopping.py", "test_while_people_press"): "people play for a while",
}
"""Where something sleeps, and why."""


def sleeps(code: str) -> list[tuple[str, int]]:
    """Where a piece of code sleeps for longer than a turn of the event loop: function and line."""
    found = []

    def walk(node: ast.AST, inside: tuple[str, ...]) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (*inside, node.name)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner, wait = node.func.value, node.args[0] if node.args else None
            known = isinstance(owner, ast.Name) and (owner.id, node.func.attr) in SLEEPERS
            if known and not (isinstance(wait, ast.Constant) and wait.value == 0):
                found.append((".".join(inside), node.lineno))
        if isinstance(node, ast.ImportFrom) and node.module in ("asyncio", "time"):
            found.extend((".".join(inside), node.lineno) for name in node.names if name.name == "sleep")
        for child in ast.iter_child_nodes(node):
            walk(child, inside)

    walk(ast.parse(code), ())
    return found


@cache
def everywhere() -> list[tuple[str, str, int]]:
    return [
        (path.as_posix(), where, line)
        for path in texts(".py")
        if path.parts[0] == "tests" and "sleep" in read(path)  # parsing all files takes seconds
        for where, line in sleeps(read(path))
    ]


def test_no_test_waits_for_a_fixed_time() -> None:
    assert [f"{path}:{line}" for path, where, line in everywhere() if (path, where) not in MAY] == []


HURRIED = {
    (
        "tests/playground/test_protocol.py",
        "test_the_library_waits_by_itself",
    ): "less than the five seconds of a window, in which nothing else runs",
    (
        "tests/presenters/molecular/test_pictures.py",
        "test_a_picture_is_small_and_of_the_right_kind",
    ): "CPU time",
    ("tests/presenters/molecular/test_ways.py", "test_such_a_picture_costs_little"): "CPU time",
}
"""Tests that have a short limit, and why."""


def hurries(code: str) -> list[tuple[str, int]]:
    """Return function and line of each limit in a piece of code that is shorter than `LIMIT_SECONDS`."""
    found = []

    def walk(node: ast.AST, inside: tuple[str, ...]) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (*inside, node.name)
        if isinstance(node, ast.With | ast.AsyncWith) and "raises(TimeoutError)" in ast.unparse(
            node.items[0]
        ):
            return
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            limit = {"wait_for": node.args[1:], "timeout": node.args}.get(node.func.attr, [])
            if ast.unparse(node.func.value) == "asyncio" and limit and _is_short(limit[0]):
                found.append((".".join(inside), node.lineno))
        if isinstance(node, ast.Compare) and isinstance(node.ops[-1], ast.Lt | ast.LtE):
            spent = node.comparators[-2] if len(node.comparators) > 1 else node.left
            if isinstance(spent, ast.BinOp) and CLOCK.match(ast.unparse(spent.left)):
                found.append((".".join(inside), node.lineno))
        for child in ast.iter_child_nodes(node):
            walk(child, inside)

    walk(ast.parse(code), ())
    return found


CLOCK = re.compile(r"time\.\w+\(\)")


def _is_short(limit: ast.expr) -> bool:
    return isinstance(limit, ast.Constant) and limit.value < LIMIT_SECONDS


@cache
def in_a_hurry() -> list[tuple[str, str, int]]:
    return [
        (path.as_posix(), where, line)
        for path in texts(".py")
        if path.parts[0] == "tests"
        and re.search(r"wait_for|asyncio\.timeout|time\(\) - |counter\(\) - |monotonic\(\) - ", read(path))
        for where, line in hurries(read(path))
    ]


def test_no_test_asks_a_busy_machine_to_hurry() -> None:
    assert [f"{path}:{line}" for path, where, line in in_a_hurry() if (path, where) not in HURRIED] == []


def test_every_exception_is_still_needed() -> None:
    assert set(HURRIED) - {(path, where) for path, where, _ in in_a_hurry()} == set()
    assert set(MAY) - {(path, where) for path, where, _ in everywhere()} == set()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("async def test_it():\n    await asyncio.sleep(0.1)", [("test_it", 2)]),
        ("def test_it():\n    for _ in range(9):\n        time.sleep(pause)", [("test_it", 3)]),
        ("class A:\n    def b(self):\n        time.sleep(1)", [("A.b", 3)]),
        ("from time import sleep", [("", 1)]),
        ("async def test_it():\n    await asyncio.sleep(0)\n    await table.sleep('idle')", []),
    ],
)
def test_it_finds_what_it_is_for(code: str, found: list[tuple[str, int]]) -> None:
    assert sleeps(code) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("async def test_it():\n    await asyncio.wait_for(act(), 5)", [("test_it", 2)]),
        ("async def test_it():\n    async with asyncio.timeout(1):\n        await act()", [("test_it", 2)]),
        ("def test_it():\n    act()\n    assert time.monotonic() - began < 3", [("test_it", 3)]),
        ("def test_it():\n    assert 1 <= time.perf_counter() - began <= 3", [("test_it", 2)]),
        ("async def test_it():\n    await asyncio.wait_for(act(), LIMIT_SECONDS)", []),
        ("with pytest.raises(TimeoutError):\n    await asyncio.wait_for(act(), 0.3)", []),
        ("assert time.monotonic() - began >= 0.3", []),
    ],
)
def test_it_finds_who_is_in_a_hurry(code: str, found: list[tuple[str, int]]) -> None:
    assert hurries(code) == found
