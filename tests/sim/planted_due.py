"""Faults in what falls due at a table: clocks, reminders, opponents, results, statistics and reserved seats.

Each is told by what is wrong in a world that has it, and by a seed whose world shows it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from bot.core.errors import Refused, Stale
from bot.core.loops import Loops
from bot.store.database import StoreError
from bot.store.games import Deadline
from bot.tables import game_statistics, timers
from bot.tables.game_runner import GameRunner
from bot.tables.people.reserved_seats import HELD
from bot.tables.registry import Tables
from bot.tables.table import Table
from bot.tables.timers import Timers
from bot.tables.turns import PASS, POST_GAME
from tests.sim.registry import planted


def _leave_out(patch: pytest.MonkeyPatch, *kinds: str) -> None:
    """Let deadlines of these kinds ring, and nothing come of it."""
    answer = GameRunner.answer

    async def deaf(runner: GameRunner, deadline: Deadline) -> None:
        if deadline.kind not in kinds:
            await answer(runner, deadline)

    patch.setattr(GameRunner, "answer", deaf)


def _try_once(patch: pytest.MonkeyPatch, *, at_end: bool) -> None:
    """Retry nothing that a table owes at its end, or before it."""
    retry = GameRunner._retry

    def never(runner: GameRunner, table: Table, why: Any) -> None:
        if (table.outcome() is not None) != at_end:
            retry(runner, table, why)

    patch.setattr(GameRunner, "_retry", never)


# -- clocks ---------------------------------------------------------------------------------------


@planted("timer", kind="habit")
def a_deadline_that_was_not_answered_never_rings_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(timers, "RING_AGAIN_SECONDS", float("inf"))


@planted("early")
def a_deadline_that_was_replaced_is_answered_all_the_same(patch: pytest.MonkeyPatch) -> None:
    """The clock of somebody's last turn ends this one."""
    replace = Timers.replace

    def added(found: Timers, game_id: int, deadlines: Iterable[Deadline]) -> None:
        replace(found, game_id, {*deadlines, *found._waiting.get(game_id, ())})

    async def answer(runner: GameRunner, deadline: Deadline) -> None:
        with contextlib.suppress(Stale, Refused, StoreError):
            await runner._answer(await runner._get(deadline.game_id), deadline)

    patch.setattr(Timers, "replace", added)
    patch.setattr(GameRunner, "answer", answer)


@planted("early")
def a_clock_ends_ten_seconds_too_early(patch: pytest.MonkeyPatch) -> None:
    made = Timers.__init__

    def hasty(found: Timers, clock: Any, now: Callable[[], int], ring: Any) -> None:
        made(found, clock, lambda: now() + 10_000, ring)

    patch.setattr(Timers, "__init__", hasty)


@planted("timer", "statistics", "owners", kind="habit")
def a_loop_ends_with_its_first_failure(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Loops, "_failed", lambda *_: None)


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
    _try_once(patch, at_end=False)
    _leave_out(patch, "opponent")


@planted("timer", kind="habit")
def results_that_could_not_be_stored_are_not_tried_again(patch: pytest.MonkeyPatch) -> None:
    _try_once(patch, at_end=True)
    _leave_out(patch, "settle")


@planted("timer", "statistics", kind="habit")
def statistics_that_are_owed_are_not_looked_for_again(patch: pytest.MonkeyPatch) -> None:
    rang = Tables._rang

    def deaf(tables: Tables, deadline: Deadline) -> None:
        if deadline.kind != POST_GAME:
            rang(tables, deadline)

    patch.setattr(Tables, "_rang", deaf)


@planted("statistics", kind="habit")
def statistics_are_struck_out_before_they_are_stored(patch: pytest.MonkeyPatch) -> None:
    """Whoever stops in between owes nothing any more."""
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
    def act(runner: GameRunner, table: Table, seat: int) -> None:
        decision = table.decisions[seat]
        work = runner._opponent_turn(table, seat, decision, (table.id, seat, decision))
        runner._spawn(work, f"opponent at table {table.id} seat {seat}")

    patch.setattr(GameRunner, "_let_opponent_act", act)


# -- what is said ---------------------------------------------------------------------------------


@planted("said", often=True)
def a_reminder_is_said_with_every_ring(patch: pytest.MonkeyPatch) -> None:
    """It is never struck out."""

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
