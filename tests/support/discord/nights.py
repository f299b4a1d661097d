"""Planning and reaching a game night in the simulated Discord."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.features.nights import rows as store
from bot.features.nights.rows import Night
from bot.features.nights.service import Nights
from bot.store.prefs import Prefs
from tests.support.discord.keys import part
from tests.support.discord.sent_messages import said
from tests.support.discord.simulated_discord import NOON
from tests.support.tables.tables import at_hand
from tests.support.waiting import until


def in_hours(hours: float) -> str:
    """A time so far after the start of the bot, as one types it in UTC."""
    return (datetime.fromtimestamp(NOON / 1000, UTC) + timedelta(hours=hours)).strftime("%Y-%m-%d %H:%M")


async def planned(room: Any, hours: float = 3, game: str = "atom") -> Any:
    """A night of Ann's; its message."""
    preferences = room.bot.app.preferences
    await preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    shown = await room.ann.slash(room.channel, "night plan", when=in_hours(hours), game=game)
    assert part("night.planned") in "".join(map(said, shown.followups)), said(shown.response)
    return room.channel.last_message


async def the_night(room: Any) -> Night:
    return await room.bot.app.service(Nights).get(1)  # type: ignore[no-any-return]


async def comes(room: Any, person: Any, message: Any, label: str = "Yes") -> None:
    await person.click(message, label=label)


async def said_all(room: Any) -> None:
    """Whatever goes on behind the answers has come to its end."""
    tasks = room.bot.app.tables.tasks
    await until(lambda: not any("night" in task.get_name() for task in tasks._running))
    await room.env.settle()


async def at(room: Any, when: int) -> None:
    """It is that time, and the bot looks what has fallen due."""
    clock = room.bot.app.service(Nights)._clock
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: when)
        await room.bot.app.service(Nights).round()
        await said_all(room)


def now(room: Any, message: Any) -> str:
    """What a message says by now."""
    return str(room.env.backend.get_message(room.channel.id, message.id).components)


async def kept_for(room: Any) -> Any:
    (table,) = at_hand(room.bot.app.tables).values()
    return table


async def due(room: Any, night: Night) -> list[Any]:
    found = await room.bot.app.database.read_at_once(lambda c: store.due(c, night.starts_at, 9))
    return list(found)
