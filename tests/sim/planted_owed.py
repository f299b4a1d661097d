"""Faults in the steps of nights and tournaments that are owed, tried again, and taken once."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.scheduler import Scheduler
from bot.features.nights import messages
from bot.features.nights import service as nights
from bot.features.nights.messages import NightBoard
from bot.features.nights.rows import Guest, Night, NightCall
from bot.features.nights.service import Nights
from bot.features.tournaments.service import PROGRESS, Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.store.database import StoreError
from bot.store.models import NightRow, table_of
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from tests.sim.registry import planted

# -- steps of nights ------------------------------------------------------------------------------


@planted("night", kind="night")
def a_step_of_a_night_that_discord_did_not_take_is_given_up(patch: pytest.MonkeyPatch) -> None:
    _given_up(patch, "show", "call", "move", "soon")


def _given_up(patch: pytest.MonkeyPatch, *kinds: str) -> None:
    """Steps of these kinds that fail count as taken."""
    take = Nights._take

    async def content(found: Nights, kind: str, step: Any, night_id: int) -> None:
        async def hopeful(night: Night) -> None:
            with contextlib.suppress(DiscordFailure):
                await step(night)

        await take(found, kind, hopeful if kind in kinds else step, night_id)

    patch.setattr(Nights, "_take", content)


@planted("night", kind="night")
def a_step_of_a_night_is_struck_out_before_it_is_taken(patch: pytest.MonkeyPatch) -> None:
    """So one that a stop interrupts is never taken."""
    take = Nights._take

    async def hasty(found: Nights, kind: str, step: Any, night_id: int) -> None:
        async def struck(night: Night) -> None:
            await found._database.write_at_once(lambda c: nights.store.strike(c, night_id, kind))
            await step(night)

        await take(found, kind, struck, night_id)

    patch.setattr(Nights, "_take", hasty)


@planted("night", kind="night", often=True)
def a_step_of_a_night_that_was_taken_stays_owed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(nights.store, "strike", lambda *_: None)


@planted("night", kind="night", often=True)
def a_night_does_not_begin(patch: pytest.MonkeyPatch) -> None:
    take = Nights._take

    async def lazy(found: Nights, kind: str, *about: Any) -> None:
        if kind != "start":
            await take(found, kind, *about)

    patch.setattr(Nights, "_take", lazy)


@planted("night", kind="night", often=True)
def a_night_begins_twice(patch: pytest.MonkeyPatch) -> None:
    """That it begins stays owed for a while, and whether it has begun is not looked at."""
    end, rows, strike = nights.store.end, table_of(NightRow), nights.store.strike

    def forgetful(connection: Connection, night_id: int, phase: Any, game_id: Any = None, **how: Any) -> None:
        night = nights.store.load(connection, night_id)
        if phase != "open" or night is None:
            end(connection, night_id, phase, game_id, **how)
            return
        found = rows.update().where(rows.c.id == night_id)
        connection.execute(found.values(phase=phase, game_id=game_id))
        strike(connection, night_id, "start")
        for call in how["owed"]:
            nights.store.owe(connection, call)
        if night.phase == "planned":
            nights.store.owe(connection, NightCall(night_id, "start", night.starts_at + nights.NOTED_MS))

    patch.setattr(nights.store, "end", forgetful)


@planted("night", kind="night", often=True)
def guests_of_a_night_are_called_before_its_lobby_is_there(patch: pytest.MonkeyPatch) -> None:
    post = NightBoard._post

    async def call_first(board: NightBoard, night: Night, table: Table, guests: list[Guest]) -> None:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(board, "_post", _nothing)
            await call(board, night, table, guests)
        await post(board, table)

    call = NightBoard.night_opens
    patch.setattr(NightBoard, "night_opens", call_first)


async def _nothing(*_: Any, **__: Any) -> None:
    """Done."""


@planted("night", kind="night")
def guests_of_a_night_are_not_called_where_its_lobby_was_late(patch: pytest.MonkeyPatch) -> None:
    """If Discord did not take the lobby at first, it is posted later, but without a call."""
    call = NightBoard.night_opens

    async def hasty(board: NightBoard, night: Night, table: Table, guests: list[Guest]) -> None:
        try:
            await call(board, night, table, guests)
        except DiscordFailure:
            return

    patch.setattr(NightBoard, "night_opens", hasty)


@planted("night", kind="night", often=True)
def the_message_of_a_night_stays_as_it_was(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NightBoard, "show_night", _nothing)


@planted("night", kind="night")
def a_night_is_shown_only_if_discord_takes_it_at_once(patch: pytest.MonkeyPatch) -> None:
    _given_up(patch, "show")


@planted("night", kind="night")
def a_night_that_was_moved_begins_at_its_old_time(patch: pytest.MonkeyPatch) -> None:
    move = nights.store.move

    def moved(connection: Connection, night: Night, at: int, calls: Any) -> None:
        old = [("start", night.starts_at)]
        move(connection, night, at, [call for call in calls if call[0] != "start"] + old)

    patch.setattr(nights.store, "move", moved)


@planted("night", kind="night")
def guests_of_a_night_are_reminded_too_early(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(nights.EARLY_MS, "soon", nights.SOON_MS + 5 * nights.MINUTE_MS)


@planted("night", kind="night")
def guests_are_reminded_of_a_night_that_was_called_off(patch: pytest.MonkeyPatch) -> None:
    end, remind = nights.store.end, Nights._remind

    def keep(connection: Connection, night_id: int, phase: Any, *args: Any, owed: Any = ()) -> None:
        every = nights.store.due(connection, NEVER, nights.MOST_TOLD)
        left = [call for call in every if (call.night_id, call.kind) == (night_id, "soon")]
        end(connection, night_id, phase, *args, owed=[*owed, *left])

    async def remind_all(found: Nights, night: Night, kind: str) -> None:
        await remind(found, replace(night, phase="planned"), kind)

    async def post(board: NightBoard, night: Night, kind: str, _known: Any) -> None:
        text = messages._text(night, "night.remind")
        await board._notify(night, kind, text, [night.host_id], partial(messages._coming, night))

    patch.setattr(nights.store, "end", keep)
    patch.setattr(Nights, "_remind", remind_all)
    patch.setattr(NightBoard, "remind_of_night", post)


NEVER = 1 << 60
"""A moment in milliseconds that does not come."""


@planted("night", kind="night")
def guests_are_not_told_of_the_new_time_of_a_night(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NightBoard, "night_moved", _nothing)


@planted("night", kind="night")
def guests_of_a_night_are_not_reminded(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Nights, "_remind", _nothing)


# -- tournaments ----------------------------------------------------------------------------------


@planted("tournament", kind="tournament")
def a_tournament_that_could_not_go_on_is_not_tried_again(patch: pytest.MonkeyPatch) -> None:
    go_on = Tournaments._go_on

    async def once(found: Tournaments, tournament: Tournament) -> None:
        with contextlib.suppress(StoreError):
            await go_on(found, tournament)

    patch.setattr(Tournaments, "_go_on", once)


@planted("tournament", kind="tournament")
def the_end_of_a_match_is_noted_at_once_or_never(patch: pytest.MonkeyPatch) -> None:
    note = Tournaments._note

    async def once(found: Tournaments, match: Any) -> None:
        with contextlib.suppress(StoreError, DiscordFailure):
            await note(found, match)

    patch.setattr(Tournaments, "_note", once)


@planted("tournament", kind="tournament")
def two_runs_open_the_same_match(patch: pytest.MonkeyPatch) -> None:
    """The runs do not wait for each other."""
    trigger = Scheduler.trigger

    def hasty(scheduler: Scheduler, kind: str, key: Any = None, **how: Any) -> None:
        if kind == PROGRESS and scheduler.get(kind, key) is not None:
            scheduler._spawn(scheduler._handlers[kind](key), f"progress of {key}")
        else:
            trigger(scheduler, kind, key, **how)

    patch.setattr(Scheduler, "trigger", hasty)


@planted("tournament", kind="tournament")
def a_tournament_is_not_taken_up_after_a_restart(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tournaments, "_bring_back", _nothing)


@planted("tournament", kind="tournament")
def what_a_match_told_before_a_restart_is_not_noted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tournaments, "_note_end", _nothing)
