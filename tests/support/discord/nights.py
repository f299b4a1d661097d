"""Planning and reaching a game night in the simulated Discord."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.features.nights import rows as store
from bot.features.nights.rows import Night
from bot.features.nights.service import Nights
from bot.features.table.publishing.publisher import TablePublisher
from bot.store.database import StoreError
from bot.store.prefs import Prefs
from bot.table.registry import Tables
from bot.table.runtime import TableRuntime
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
    tasks = room.bot.tables.tasks
    await until(lambda: not any("night" in task.get_name() for task in tasks._running))
    await room.env.settle()


async def at(room: Any, when: int) -> None:
    """Set the time, and let the bot look for steps that are due. Steps that have failed are tried again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.bot.app.service(Nights)._clock, "now", lambda: when)
        await look(room)


async def look(room: Any) -> None:
    """Let the bot look for steps that are due, and try again those that have failed."""
    nights, scheduler = room.bot.app.service(Nights), room.bot.tables.runtime.scheduler
    waiting = [job_id for job_id in scheduler._jobs if job_id.kind in nights.due]
    await nights.round()
    for job_id in waiting:
        scheduler.trigger(*job_id)
    await said_all(room)


async def night_cut_off(*_: Any) -> None:
    """In the place of a step that shows something: the process ends before it."""
    raise StoreError("gone", "the process has ended")


async def process_ends(room: Any) -> None:
    """A new process takes over the nights."""
    app = room.bot.app
    old = app.service(Nights)
    app.parts[Nights] = type(old)(
        app.database, old._clock, app.service(Tables), type(old._stage)(app.service(TablePublisher))
    )
    app.service(TableRuntime).attach(app.service(Nights))
    for job_id in [each for each in app.service(TableRuntime).scheduler._jobs if each.kind in old.due]:
        del app.service(TableRuntime).scheduler._jobs[job_id]


def now(room: Any, message: Any) -> str:
    """What a message says by now."""
    return str(room.env.backend.get_message(room.channel.id, message.id).components)


async def kept_for(room: Any) -> Any:
    (table,) = at_hand(room.bot.tables).values()
    return table


async def due(room: Any, night: Night) -> list[Any]:
    found = await room.bot.app.database.read_at_once(lambda c: store.due(c, night.starts_at, 9))
    return list(found)
