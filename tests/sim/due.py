"""Deadlines of tables are answered in time and once.

Each reminder uses up a deadline that was removed from the rows just before, so a stop in between pings no
person twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bot.features.table.publishing.publisher import TablePublisher
from bot.table.table import Table
from bot.table.turns import PASS

if TYPE_CHECKING:
    from tests.sim.world import World

Thing = tuple[int, str, int]
"""A reminder: its table, the kind of its deadline, and the seat."""


@contextlib.contextmanager
def witnessed(world: World) -> Iterator[None]:
    """Note what is struck out, and hold it against what is said."""
    struck = set[Thing]()
    keep = Table.keep
    nudge, remind, tell_news = TablePublisher.nudge, TablePublisher.remind, TablePublisher.tell_news

    async def kept(table: Table, *args: Any, **how: Any) -> None:
        before = table.deadlines
        await keep(table, *args, **how)
        gone = {each for each in before if each.due_at <= table.now()} - {*table.deadlines}
        struck.update((table.id, each.kind, each.seat) for each in gone)

    def said(table: Table, kind: str, seat: int) -> None:
        world.counts[f"said {kind}"] += 1
        try:
            struck.remove((table.id, kind, seat))
        except KeyError:
            world.wrong.append(f"said: {kind} to seat {seat} of table {table.id}, and not struck out before")

    def nudged(publisher: TablePublisher, table: Table, seat: int) -> None:
        said(table, "nudge", seat)
        nudge(publisher, table, seat)

    def reminded(
        publisher: TablePublisher, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True
    ) -> None:
        said(table, ("warn" if ping else "note") if aloud else "remind", seat)
        remind(publisher, table, seat, seconds, aloud=aloud, ping=ping)

    def told(publisher: TablePublisher, table: Table, kind: str, seat: int) -> None:
        said(table, kind, seat)
        tell_news(publisher, table, kind, seat)

    Table.keep = kept  # type: ignore[method-assign, assignment]
    TablePublisher.nudge = nudged  # type: ignore[method-assign]
    TablePublisher.remind = reminded  # type: ignore[method-assign]
    TablePublisher.tell_news = told  # type: ignore[method-assign]
    try:
        yield
    finally:
        Table.keep = keep  # type: ignore[method-assign]
        TablePublisher.nudge, TablePublisher.remind = nudge, remind  # type: ignore[method-assign]
        TablePublisher.tell_news = tell_news  # type: ignore[method-assign]


def is_early(table: Table, seat: int, kind: str, *, present: bool) -> bool:
    """Whether the bot is about to move for a person whose time is not over, and who has not asked for it."""
    if present or table.sitters[seat].user_id is None or table.away(seat):
        return False
    waited_for = "turn" if kind == "timeout" else PASS
    ends = [each.due_at for each in table.deadlines if (each.kind, each.seat) == (waited_for, seat)]
    return not ends or min(ends) > table.now()


@contextlib.contextmanager
def asked(world: World, thinking: list[tuple[int, Any]], whose: int, seen: Any) -> Iterator[None]:
    """An opponent thinks, as others in `thinking` do: it is not asked once more meanwhile."""
    if any(known == whose and view == seen for known, view in thinking):
        world.wrong.append(f"asked: an opponent at {whose} thinks already")
    thinking.append((whose, seen))
    try:
        yield
    finally:
        thinking.remove((whose, seen))
