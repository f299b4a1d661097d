"""Nights for which somebody waits, leaves the server, or whose planner calls them off."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from bot.features.nights.service import MINUTE_MS
from bot.features.table.publishing.publisher import TablePublisher
from bot.locales import words
from bot.store.models import NightRow, table_of
from bot.table.people.reserved_seats import HELD, arrive
from tests.support.discord.nights import at, comes, kept_for, planned, said_all, the_night
from tests.support.discord.people import called
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import settle

say = words("en")
_NIGHTS = table_of(NightRow)
pytestmark = pytest.mark.simcord(check_errors=False)


async def of_two(room: Any) -> Any:
    """Plan a night for Ann and Ben with Cleo on the waiting list. Return its message."""
    message = await planned(room, game="atom_duel")
    await room.bot.app.database.write_at_once(lambda c: c.execute(update(_NIGHTS).values(seats=2)) and None)
    for person in (room.ben, room.cleo):
        await comes(room, person, message)
    return message


async def begun(room: Any) -> Any:
    """Its time has come; the table."""
    await at(room, (await the_night(room)).starts_at + 1)
    return await kept_for(room)


async def time_is_up(room: Any, table: Any) -> None:
    """Seats are kept no longer."""
    (deadline,) = (each for each in table.deadlines if each.kind == HELD)
    room.bot.tables.runtime.scheduler.trigger(deadline.kind, deadline)
    await settle(room.bot.tables)
    await room.env.settle()


async def test_somebody_who_waits_gets_the_seat_of_somebody_who_does_not_come(room: Any) -> None:
    await of_two(room)
    table = await begun(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]
    await arrive(table, room.ann.id)
    before = len(room.env.http_requests)
    await time_is_up(room, table)
    assert [sitter.name for sitter in table.sitters] == ["ann", "cleo"]
    assert called(room, before) == {room.cleo.id}
    told = say("lobby.seat_free", who=f"<@{room.cleo.id}>", table=table.id, n=10)
    assert told in said(room.channel.last_message)
    await room.cleo.click(room.channel.last_message, label=say("lobby.come"))
    assert table.stored.terms.held == ()


async def test_nobody_keeps_a_seat_for_somebody_who_has_left_the_server(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_member(_publisher: Any, _guild_id: int, user_id: int) -> bool:
        return user_id != room.ben.id

    await of_two(room)
    monkeypatch.setattr(TablePublisher, "is_member", is_member)
    table = await begun(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "cleo"]


async def test_everyone_who_may_come_hears_that_a_night_is_off(room: Any) -> None:
    message = await planned(room)
    await comes(room, room.ben, message, "Maybe")
    await comes(room, room.cleo, message, "No")
    night = await the_night(room)
    await at(room, night.starts_at - 29 * MINUTE_MS)
    before = len(room.env.http_requests)
    asked = (await room.ann.click(message, label=say("night.cancel"))).response
    await room.ann.click(asked, label=say("night.off_yes"))
    await said_all(room)
    assert called(room, before) == {room.ben.id}
    assert f"<@{room.ann.id}>" in said(room.channel.last_message)
