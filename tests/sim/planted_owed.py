"""Faults in what falls due in nights and tournaments: steps that are owed, tried again, and taken once.

Each is told by what is wrong in a world that has it, and by a seed whose world shows it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection

from bot.features.nights import messages
from bot.features.nights import service as nights
from bot.features.nights.messages import NightBoard
from bot.features.nights.rows import Guest, Night, NightCall
from bot.features.nights.service import Nights
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.store.models import NightRow, table_of
from bot.tables.table import Table
from bot.ui import discord_errors
from tests.sim.registry import planted

# -- steps of nights ------------------------------------------------------------------------------


@planted("night", kind="night")
def a_step_of_a_night_that_discord_did_not_take_is_given_up(patch: pytest.MonkeyPatch) -> None:
    settle = Nights._settle

    async def content(found: Nights, night: Night, kind: str, _done: bool) -> None:
        await settle(found, night, kind, True)

    patch.setattr(Nights, "_settle", content)


@planted("night", kind="night")
def a_step_of_a_night_is_struck_out_before_it_is_taken(patch: pytest.MonkeyPatch) -> None:
    """So one that a stop interrupts is never taken."""
    end = nights.store.end

    def owe_nothing(*args: Any, owed: Any = (), **how: Any) -> None:
        end(*args, **how)

    async def strike(found: Nights, night: Night, kind: str) -> None:
        await found._strike(night, kind)

    patch.setattr(Nights, "_again", strike)
    patch.setattr(nights.store, "end", owe_nothing)


@planted("night", kind="night", often=True)
def a_step_of_a_night_that_was_taken_stays_owed(patch: pytest.MonkeyPatch) -> None:
    settle = Nights._settle

    async def forgetful(found: Nights, night: Night, kind: str, _done: bool) -> None:
        await settle(found, night, kind, False)

    patch.setattr(Nights, "_settle", forgetful)


@planted("night", kind="night", often=True)
def a_night_does_not_begin(patch: pytest.MonkeyPatch) -> None:
    do = Nights._do

    async def lazy(found: Nights, call: NightCall) -> None:
        if call.kind != "start":
            await do(found, call)

    patch.setattr(Nights, "_do", lazy)


@planted("night", kind="night", often=True)
def a_night_begins_twice(patch: pytest.MonkeyPatch) -> None:
    """That it begins stays owed for a while, and whether it has begun is not looked at."""
    end, rows = nights.store.end, table_of(NightRow)

    def forgetful(connection: Connection, night_id: int, phase: Any, game_id: Any = None, **how: Any) -> None:
        night = nights.store.load(connection, night_id)
        if phase != "open" or night is None:
            end(connection, night_id, phase, game_id, **how)
            return
        found = rows.update().where(rows.c.id == night_id)
        connection.execute(found.values(phase=phase, game_id=game_id))
        nights.store.strike(connection, night_id, "start")
        for call in how["owed"]:
            nights.store.owe(connection, call)
        if night.phase == "planned":
            nights.store.owe(connection, NightCall(night_id, "start", night.starts_at + nights.AGAIN_MS))

    patch.setattr(nights.store, "end", forgetful)


@planted("night", kind="night", often=True)
def guests_of_a_night_are_called_before_its_lobby_is_there(patch: pytest.MonkeyPatch) -> None:
    post = NightBoard._post

    async def call_first(board: NightBoard, night: Night, table: Table, guests: list[Guest]) -> None:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(board, "_post", _nothing)
            await call(board, night, table, guests)
        await post(board, table)

    call = NightBoard._post_and_call
    patch.setattr(NightBoard, "_post_and_call", call_first)


async def _nothing(*_: Any) -> None:
    """Done."""


@planted("night", kind="night")
def guests_of_a_night_are_not_called_where_its_lobby_was_late(patch: pytest.MonkeyPatch) -> None:
    """Where Discord did not take the lobby at first, it is posted later, and nobody is called."""
    call = NightBoard._post_and_call

    async def hasty(board: NightBoard, night: Night, table: Table, guests: list[Guest]) -> None:
        try:
            await call(board, night, table, guests)
        except discord_errors.NOT_DONE:
            return

    patch.setattr(NightBoard, "_post_and_call", hasty)


@planted("night", kind="night", often=True)
def the_message_of_a_night_stays_as_it_was(patch: pytest.MonkeyPatch) -> None:
    def blind(board: NightBoard, night: Night, _known: Any, settle: Any) -> None:
        board._do(night, "show", _nothing(), settle)

    patch.setattr(NightBoard, "show_night", blind)


@planted("night", kind="night")
def a_night_is_shown_only_if_discord_takes_it_at_once(patch: pytest.MonkeyPatch) -> None:
    settle = Nights._settle

    async def content(found: Nights, night: Night, kind: str, done: bool) -> None:
        await settle(found, night, kind, done or kind == "show")

    patch.setattr(Nights, "_settle", content)


@planted("night", kind="night")
def a_night_that_was_moved_begins_at_its_old_time(patch: pytest.MonkeyPatch) -> None:
    move = nights.store.move

    def moved(connection: Connection, night: Night, at: int, calls: Any) -> None:
        old = [("start", night.starts_at)]
        move(connection, night, at, [call for call in calls if call[0] != "start"] + old)

    patch.setattr(nights.store, "move", moved)


@planted("night", kind="night")
def guests_of_a_night_that_was_moved_are_reminded_at_its_old_time(patch: pytest.MonkeyPatch) -> None:
    move = nights.store.move

    def moved(connection: Connection, night: Night, at: int, calls: Any) -> None:
        old = [("soon", night.starts_at - nights.SOON_MS)]
        move(connection, night, at, [call for call in calls if call[0] != "soon"] + old)

    patch.setattr(nights.store, "move", moved)


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
    patch.setattr(NightBoard, "_remind", post)


NEVER = 1 << 60
"""A moment in milliseconds that does not come."""


@planted("night", kind="night")
def guests_are_not_told_of_the_new_time_of_a_night(patch: pytest.MonkeyPatch) -> None:
    def mute(board: NightBoard, night: Night, _told: Any, settle: Any) -> None:
        board._do(night, "move", _nothing(), settle)

    patch.setattr(NightBoard, "night_moved", mute)


@planted("night", kind="night")
def guests_of_a_night_are_not_reminded(patch: pytest.MonkeyPatch) -> None:
    async def strike(found: Nights, night: Night, kind: str) -> None:
        await found._strike(night, kind)

    patch.setattr(Nights, "_remind", strike)


# -- tournaments ----------------------------------------------------------------------------------


@planted("tournament", kind="tournament")
def a_tournament_that_could_not_go_on_is_not_tried_again(patch: pytest.MonkeyPatch) -> None:
    go_on = Tournaments._go_on

    async def once(found: Tournaments, tournament: Tournament, **how: Any) -> None:
        await go_on(found, tournament, **how)
        if tournament.timer is not None:
            tournament.timer.cancel()
            tournament.timer = None

    patch.setattr(Tournaments, "_go_on", once)


@planted("tournament", kind="tournament")
def the_end_of_a_match_is_noted_at_once_or_never(patch: pytest.MonkeyPatch) -> None:
    async def once(found: Tournaments, tournament: Tournament, table: Table) -> None:
        await found._noted(tournament, table)
        found._proceed(tournament, acted=True)

    patch.setattr(Tournaments, "_note", once)


@planted("tournament", kind="tournament")
def a_tournament_in_doubt_stays_in_doubt(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tournaments, "_doubt", lambda *_: None)


@planted("tournament", kind="tournament")
def two_runs_open_the_same_match(patch: pytest.MonkeyPatch) -> None:
    """Nobody waits until the run before has ended."""
    go_on = Tournaments._go_on

    async def at_once(found: Tournaments, tournament: Tournament, **how: Any) -> None:
        tournament.opening = asyncio.Lock()
        await go_on(found, tournament, **how)

    patch.setattr(Tournaments, "_go_on", at_once)


@planted("tournament", kind="tournament")
def a_tournament_is_not_taken_up_after_a_restart(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tournaments, "_bring_back", _nothing)


@planted("tournament", kind="tournament")
def what_a_match_told_before_a_restart_is_not_noted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tournaments, "_note_end", _nothing)
