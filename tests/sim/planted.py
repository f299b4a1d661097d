"""Faults that each break one promise of the bot, as patches of the released code.

Each names what the checks find wrong in a world that has it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from bot import custom_ids as ids
from bot.core.errors import Refused, Stale
from bot.core.unit import Unit
from bot.features.table.hand import handlers as play_module
from bot.features.table.hand.seat_view import SeatView
from bot.features.table.publishing.publisher import TablePublisher
from bot.store import games as store
from bot.store import leases, models
from bot.store.database import Fenced, StoreError
from bot.store.games import Deadline
from bot.table import game_runner, results, turns
from bot.table import table as table_module
from bot.table.people import consent
from bot.table.table import Table
from bot.table.timers import Timers
from bot.ui.live.follower import DeliveryState
from bot.ui.live.live_message import LiveMessage
from engine.game import Refusal
from tests.sim import (  # noqa: F401 - which add their own faults
    planted_apart,
    planted_beside,
    planted_due,
    planted_owed,
    planted_screens,
)
from tests.sim.registry import FAULTS, planted


@contextlib.contextmanager
def with_fault(name: str) -> Iterator[None]:
    """While this fault is in the bot."""
    with pytest.MonkeyPatch.context() as patch:
        FAULTS[name].plant(patch)
        yield


# -- two owners -----------------------------------------------------------------------------------


@planted("two owners")
def the_fence_is_left_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(leases, "are_held", lambda *_args, **_how: True)


@planted("two owners", "owners", "replay", "twice", "nobody", "lost", "message")
def the_epoch_is_not_compared(patch: pytest.MonkeyPatch) -> None:
    """A lease that was taken over is renewed as if it were still one's own."""

    def renew(
        connection: Any, mine: tuple[leases.Lease, ...], until: int, at: int
    ) -> tuple[leases.Lease, ...]:
        rows, now = leases._LEASES, {"until": until, "at": at}
        for lease in mine:
            values = {"holder": lease.holder, "epoch": lease.epoch, **now}
            connection.execute(rows.update().where(rows.c.part == lease.part).values(**values))
        return tuple(replace(lease, **now) for lease in mine)

    patch.setattr(leases, "renew", renew)


# -- what is stored -------------------------------------------------------------------------------


@planted("lost", "replay", "message", "stuck", "timer")
def the_answer_comes_before_the_commit(patch: pytest.MonkeyPatch) -> None:
    async def commit(unit: Unit, write: Any, stored: Any) -> bool:
        async def later() -> None:
            try:
                await unit._database.write_at_once(write)
            except StoreError:
                return

        asyncio.get_running_loop().create_task(later(), name="commit later")
        return True

    patch.setattr(Unit, "_commit", commit)


@planted("replay", "lost", "message", "nobody", "twice")
def a_lost_commit_counts_as_not_stored(patch: pytest.MonkeyPatch) -> None:
    async def commit(unit: Unit, write: Any, stored: Any) -> bool:
        try:
            await unit._database.write_at_once(write)
        except StoreError as found:
            raise StoreError("gone", str(found)) from found  # as if nothing were in doubt
        return True

    patch.setattr(Unit, "_commit", commit)


@planted("lost", "replay", "twice", "nobody")
def a_failed_commit_counts_as_stored(patch: pytest.MonkeyPatch) -> None:
    async def commit(unit: Unit, write: Any, stored: Any) -> bool:
        try:
            await unit._database.write_at_once(write)
        except Fenced:
            raise
        except StoreError as found:
            if not found.doubtful:
                raise
        return True

    patch.setattr(Unit, "_commit", commit)


@planted("replay")
def an_act_changes_memory_before_it_is_stored(patch: pytest.MonkeyPatch) -> None:
    keep = Table.keep

    async def hasty(table: Table, change: Any, position: Any = None, **how: Any) -> None:
        before = table.state
        if position is not None:
            table.state = position
        try:
            await keep(table, change, position, **how)
        except asyncio.CancelledError:
            table.state = before
            raise

    patch.setattr(Table, "keep", hasty)


@planted("replay", "lost", often=True)
def a_journal_entry_is_left_out(patch: pytest.MonkeyPatch) -> None:
    append = store._append

    def forgetful(connection: Any, game_id: int, entries: Any) -> None:
        append(connection, game_id, [entry for entry in entries if entry.seq % 7])

    patch.setattr(store, "_append", forgetful)


# -- presses --------------------------------------------------------------------------------------


@planted("twice", often=True)
def a_doubled_press_is_not_recognised(patch: pytest.MonkeyPatch) -> None:
    act = Table.act

    async def gullible(table: Table, seat: int, decision: int | None, action: Any, **how: Any) -> int:
        return await act(table, seat, None, action, **how)

    async def any_decision(pressed: Any, table: Table) -> Any:
        seat = play_module.own_seat(table, pressed.ref.number(1), pressed.user_id)
        view = play_module.view_of(pressed, table, seat)
        object.__setattr__(view, "decision", pressed.ref.number(2))
        return view, (pressed.ref.word(3),)

    patch.setattr(play_module, "_choices", any_decision)
    patch.setattr(Table, "act", gullible)


@planted("half")
def a_second_decision_follows_a_press_that_was_answered(patch: pytest.MonkeyPatch) -> None:
    """What a press decides besides is decided by its double too, which finds the first decision made."""
    choices = play_module._choices

    async def eager(pressed: Any, table: Table) -> Any:
        found = await choices(pressed, table)
        if found is None:
            seat = play_module.own_seat(table, pressed.ref.number(1), pressed.user_id)
            view = play_module.view_of(pressed, table, seat)
            made = view.at(ids.path_of(pressed.ref.word(3)))
            await play_module._go_on(view, view.decision, getattr(made, "then", ()))
        return found

    patch.setattr(play_module, "_choices", eager)


@planted("half", often=True)
def a_second_decision_has_no_guard_of_its_own(patch: pytest.MonkeyPatch) -> None:
    """It is made whatever its seat has decided since."""

    async def go_on(view: Any, decision: int, then: Any) -> None:
        for action in then:
            with contextlib.suppress(Stale, Refused, Refusal, StoreError):
                await view.table.act(view.seat, None, action, press=decision)

    patch.setattr(play_module, "_go_on", go_on)


@planted("half", "undo", "lost", often=True)
def a_second_decision_forgets_its_press(patch: pytest.MonkeyPatch) -> None:
    """So an undo takes back half of what was pressed."""
    act = Table.act

    async def forgetful(table: Table, *args: Any, press: int | None = None, **how: Any) -> int:
        return await act(table, *args, **how)

    patch.setattr(Table, "act", forgetful)


@planted("leak")
def a_hand_is_shown_to_whoever_asks(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(play_module, "own_seat", lambda _table, seat, _user: seat)


@planted("leak", often=True)
def a_hand_is_rendered_for_the_wrong_seat(patch: pytest.MonkeyPatch) -> None:
    made = SeatView.__init__

    def off_by_one(view: SeatView, table: Table, seat: int, locale: str, **how: Any) -> None:
        wrong = seat if table.acts % 5 else (seat + 1) % len(table.sitters)
        made(view, table, wrong, locale, **how)

    patch.setattr(SeatView, "__init__", off_by_one)


@planted("leak", often=True)
def the_table_is_drawn_as_its_first_seat_sees_it(patch: pytest.MonkeyPatch) -> None:
    from bot.features.table import board

    shown = board.board_message

    def careless(table: Table, *args: Any, **how: Any) -> Any:
        state: Any = table.state
        if state is None or table.acts % 4:
            return shown(table, *args, **how)
        kind = type(state)
        observe = kind.observe
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(
                kind, "observe", lambda self, viewer: observe(self, 0 if viewer is None else viewer)
            )
            return shown(table, *args, **how)

    patch.setattr("bot.features.table.publishing.publisher.board_message", careless)


# -- messages -------------------------------------------------------------------------------------


@planted("message")
def a_stale_message_is_edited_last(patch: pytest.MonkeyPatch) -> None:
    """What is written is what was there when the change was heard of, and it counts as the newest."""
    built, before = LiveMessage.built, dict[int, Any]()

    async def old(live: LiveMessage) -> Any:
        version, message = await built(live)
        known = before.get(id(live.outbox))
        before[id(live.outbox)] = message
        return version, known if known is not None and version % 3 == 0 else message

    patch.setattr(LiveMessage, "built", old)


@planted("message")
def a_lost_answer_counts_as_shown(patch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def hopeful(delivery: DeliveryState, version: int) -> Iterator[None]:
        delivery.depart()
        try:
            yield
        finally:
            delivery.arrive(version)

    patch.setattr(DeliveryState, "on_its_way", hopeful)


@planted("message")
def nothing_is_shown_after_a_restart(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TablePublisher, "came_back", lambda _publisher, _table: None)


@planted("message")
def passing_trouble_is_not_tried_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LiveMessage, "_again", lambda *_: None)


# -- time -----------------------------------------------------------------------------------------


@planted("timer", often=True)
def timers_are_not_armed_after_a_restart(patch: pytest.MonkeyPatch) -> None:
    """Only what changes from now on rings."""

    def found(timers: Timers, _deadlines: Any, until: int) -> None:
        timers._until = until

    patch.setattr(Timers, "found", found)


@planted("timer")
def a_turn_has_no_clock_after_an_undo(patch: pytest.MonkeyPatch) -> None:
    keep = Table.keep

    async def timeless(
        table: Table, change: Any, position: Any = None, *, back_to: Any = None, **how: Any
    ) -> None:
        if back_to is not None:
            change.deadlines = ()
        await keep(table, change, position, back_to=back_to, **how)

    patch.setattr(Table, "keep", timeless)


@planted("timer", "hanging", often=True)
def an_opponent_is_not_owed_in_a_row(patch: pytest.MonkeyPatch) -> None:
    wanted = turns.turn_deadlines

    def unowed(*args: Any, **how: Any) -> tuple[Deadline, ...]:
        return tuple(each for each in wanted(*args, **how) if each.kind != "opponent")

    patch.setattr(table_module, "turn_deadlines", unowed)


# -- undo, results --------------------------------------------------------------------------------


@planted("undo", "replay")
def an_undo_loses_an_act_of_another(patch: pytest.MonkeyPatch) -> None:
    take_back = consent._take_back

    async def greedy(table: Table, seat: int, first: int, seq: int, database: Any, **how: Any) -> None:
        await take_back(table, seat, max(1, first - 1), seq, database, **how)

    patch.setattr(consent, "_take_back", greedy)


@planted("results", "logged")
def results_are_kept_twice(patch: pytest.MonkeyPatch) -> None:
    kept = results.keep_results

    def twice(connection: Any, table: Table, at: int) -> None:
        kept(connection, table, at)
        rows = models.table_of(models.ResultRow)
        for row in connection.execute(rows.select().where(rows.c.game_id == table.id)).mappings().all():
            connection.execute(rows.insert(), {**row, "seat": row["seat"] + 100})

    patch.setattr(game_runner, "keep_results", twice)
