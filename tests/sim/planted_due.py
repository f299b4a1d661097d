"""Faults in the deadlines of tables: clocks, reminders, opponents, results, statistics and reserved seats."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from bot.core.errors import Refused, Stale
from bot.core.scheduler import ScheduledJob, Scheduler
from bot.store.database import StoreError
from bot.store.games import Deadline
from bot.table import game_statistics, timers
from bot.table.people.reserved_seats import HELD
from bot.table.runtime import TableRuntime
from bot.table.table import Table
from bot.table.timers import Timers
from bot.table.turns import PASS, POST_GAME
from tests.sim.registry import planted


def _leave_out(patch: pytest.MonkeyPatch, *kinds: str) -> None:
    """Let deadlines of these kinds ring, and nothing come of it."""
    answer = TableRuntime._answer

    async def deaf(runtime: TableRuntime, handler: Any, deadline: Deadline) -> None:
        if deadline.kind not in kinds:
            await answer(runtime, handler, deadline)

    patch.setattr(TableRuntime, "_answer", deaf)


def _try_once(patch: pytest.MonkeyPatch, *kinds: str) -> None:
    """Retry nothing of these kinds, in no process."""
    answer, failed = TableRuntime._answer, set[Deadline]()

    async def once(runtime: TableRuntime, handler: Any, deadline: Deadline) -> None:
        if deadline in failed:
            return
        try:
            await answer(runtime, handler, deadline)
        except (StoreError, Refused):
            if deadline.kind in kinds:
                failed.add(deadline)
            raise

    patch.setattr(TableRuntime, "_answer", once)


# -- clocks ---------------------------------------------------------------------------------------


@planted("timer", kind="habit")
def a_deadline_that_was_not_answered_never_rings_again(patch: pytest.MonkeyPatch) -> None:
    fail = Scheduler._failed

    def give_up(scheduler: Scheduler, job: ScheduledJob, error: Exception) -> Any:
        pause = fail(scheduler, job, error)
        return pause if job.id.key is None else None

    patch.setattr(timers, "RING_AGAIN_SECONDS", float("inf"))
    patch.setattr(Scheduler, "_failed", give_up)


@planted("early")
def a_deadline_that_was_replaced_is_answered_all_the_same(patch: pytest.MonkeyPatch) -> None:
    """The clock of a person's last turn ends this one."""
    replace = Timers.replace

    def added(found: Timers, game_id: int, deadlines: Iterable[Deadline]) -> None:
        replace(found, game_id, {*deadlines, *found._waiting.get(game_id, ())})

    async def answer(runtime: TableRuntime, handler: Any, deadline: Deadline) -> None:
        with contextlib.suppress(Stale, Refused, StoreError):
            await handler(await runtime._loader.get(deadline.game_id), deadline)

    patch.setattr(Timers, "replace", added)
    patch.setattr(TableRuntime, "_answer", answer)


@planted("early")
def a_clock_ends_ten_seconds_too_early(patch: pytest.MonkeyPatch) -> None:
    made = Timers.__init__

    def hasty(found: Timers, clock: Any, now: Callable[[], int], ring: Any) -> None:
        made(found, clock, lambda: now() + 10_000, ring)

    patch.setattr(Timers, "__init__", hasty)


@planted("timer", "statistics", "owners", kind="habit")
def a_loop_ends_with_its_first_failure(patch: pytest.MonkeyPatch) -> None:
    fail = Scheduler._failed

    def give_up(scheduler: Scheduler, job: ScheduledJob, error: Exception) -> Any:
        pause = fail(scheduler, job, error)
        return None if job.id.key is None else pause

    patch.setattr(Scheduler, "_failed", give_up)


@planted("timer", kind="habit")
def a_look_takes_up_only_the_first_deadline(patch: pytest.MonkeyPatch) -> None:
    """The others count as rung, and never ring."""
    found = Timers.found

    def narrow(known: Timers, deadlines: Iterable[Deadline], until: int) -> None:
        rows = sorted(deadlines, key=lambda each: each.due_at)
        known._rung |= {each: float("inf") for each in rows[1:]}
        found(known, rows, until)

    patch.setattr(Timers, "found", narrow)


# -- what the bot owes ----------------------------------------------------------------------------


@planted("timer", kind="habit")
def an_opponent_that_could_not_act_is_not_asked_again(patch: pytest.MonkeyPatch) -> None:
    _try_once(patch, "opponent")


@planted("timer", kind="habit")
def results_that_could_not_be_stored_are_not_tried_again(patch: pytest.MonkeyPatch) -> None:
    _try_once(patch, "settle")


@planted("timer", "statistics", kind="habit")
def statistics_that_are_owed_are_not_looked_for_again(patch: pytest.MonkeyPatch) -> None:
    _try_once(patch, POST_GAME)


@planted("statistics", kind="habit")
def statistics_are_struck_out_before_they_are_stored(patch: pytest.MonkeyPatch) -> None:
    """A process that stops in between owes nothing any more."""
    patch.setattr(game_statistics, "_keep", _in_two_steps(game_statistics.owed))


def _in_two_steps(owed: Callable[[Table], Deadline | None]) -> Any:
    async def keep(table: Table, found: Any) -> None:
        deadline = owed(table)
        if deadline is not None and await table.drop_reminder(deadline):
            store = game_statistics.store_statistics
            await table._context.database.write_at_once(lambda c: store(c, table.id, found))

    return keep


@planted("asked", kind="habit")
def an_opponent_is_asked_again_while_it_thinks(patch: pytest.MonkeyPatch) -> None:
    trigger = Scheduler.trigger

    def hasty(scheduler: Scheduler, kind: str, key: Any = None, **how: Any) -> None:
        if kind == "opponent":
            scheduler._spawn(scheduler._handlers[kind](key), f"opponent of {key}")
        else:
            trigger(scheduler, kind, key, **how)

    patch.setattr(Scheduler, "trigger", hasty)


# -- what is said ---------------------------------------------------------------------------------


@planted("said", often=True)
def a_reminder_is_said_with_every_ring(patch: pytest.MonkeyPatch) -> None:
    """The row of a reminder is never removed."""

    async def keep(table: Table, deadline: Deadline) -> bool:
        return deadline in table.deadlines

    patch.setattr(Table, "drop_reminder", keep)


@planted("said", often=True)
def a_reminder_is_said_before_it_is_struck_out(patch: pytest.MonkeyPatch) -> None:
    drop = Table.drop_reminder

    async def later(table: Table, deadline: Deadline) -> bool:
        asyncio.get_running_loop().create_task(drop(table, deadline), name="struck out later")
        return deadline in table.deadlines

    patch.setattr(Table, "drop_reminder", later)


# -- lobbies, passes ------------------------------------------------------------------------------


@planted("timer", kind="night", often=True)
def a_reserved_seat_is_never_released(patch: pytest.MonkeyPatch) -> None:
    _leave_out(patch, HELD)


@planted("timer")
def a_lobby_is_never_closed(patch: pytest.MonkeyPatch) -> None:
    _leave_out(patch, "lobby")


@planted("timer", kind="habit")
def an_automatic_pass_never_comes(patch: pytest.MonkeyPatch) -> None:
    _leave_out(patch, PASS)
