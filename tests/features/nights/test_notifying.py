"""How often people are notified of a night that changes again and again: once in ten minutes, of the newest
time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import discord
import pytest

from bot.features.nights import rows as store
from bot.features.nights.events import QUIET_MS
from bot.features.nights.messages import NightBoard
from bot.features.nights.rows import NightCall
from bot.features.nights.service import MINUTE_MS, SOON_MS, Nights
from bot.features.table.publishing.publisher import TablePublisher
from bot.store.prefs import Prefs
from tests.support.discord.forging import refusal
from tests.support.discord.keys import part
from tests.support.discord.nights import (
    comes,
    due,
    look,
    night_cut_off,
    planned,
    process_ends,
    said_all,
    the_night,
)
from tests.support.discord.sent_messages import said

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about

TOLD = part("night.told_moved")


@pytest.fixture
def time(room: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time of the nights: its last entry."""
    clock = room.bot.app.service(Nights)._clock
    times = [clock.now()]
    monkeypatch.setattr(clock, "now", lambda: times[-1])
    return times


async def move(room: Any, starts_at: int, by: Any = None) -> None:
    nights = room.bot.app.service(Nights)
    await nights.move(1, starts_at, (by or room.ann).id)
    await said_all(room)


async def pass_to(room: Any, time: list[int], when: int) -> None:
    """It is that time, and the bot looks what has fallen due."""
    time.append(when)
    await look(room)


def pings(room: Any, person: Any, since: int) -> int:
    """How many messages have pinged a person."""
    return sum(
        person.id in called_by(entry) for entry in room.env.http_requests[since:] if entry.method == "POST"
    )


def called_by(entry: Any) -> set[int]:
    body = entry.json if isinstance(entry.json, dict) else {}
    return {int(user) for user in (body.get("allowed_mentions") or {}).get("users") or ()}


def posts(room: Any) -> list[Any]:
    return [each for each in room.channel.history() if TOLD in said(each)]


async def evening(room: Any, *, hours: float = 30) -> int:
    """A night to which Ben and Cleo come; the number of requests so far."""
    message = await planned(room, hours=hours)
    for person in (room.ben, room.cleo):
        await comes(room, person, message)
    await said_all(room)
    return len(room.env.http_requests)


async def test_a_night_that_is_moved_twenty_times_notifies_once_and_then_of_the_newest_time(
    room: Any, time: list[int]
) -> None:
    before = await evening(room)
    start, begun = (await the_night(room)).starts_at, time[-1]
    for number in range(1, 21):
        time.append(time[-1] + 400)
        await move(room, start + number * MINUTE_MS)
    assert [pings(room, each, before) for each in (room.ann, room.ben, room.cleo)] == [0, 1, 1]
    await pass_to(room, time, begun + QUIET_MS - 1)
    assert pings(room, room.ben, before) == 1
    await pass_to(room, time, begun + QUIET_MS + 1000)
    assert [pings(room, each, before) for each in (room.ann, room.ben, room.cleo)] == [0, 2, 2]
    assert f"<t:{start // 1000 + 20 * 60}:" in said(max(posts(room), key=lambda each: each.id))
    await pass_to(room, time, begun + 3 * QUIET_MS)
    assert pings(room, room.ben, before) == 2
    assert "move" not in [call.kind for call in await due(room, await the_night(room))]
    await move(room, start)
    assert pings(room, room.ben, before) == 3, "later changes are told at once again"


async def test_letters_are_written_as_rarely_and_again_for_a_time_it_had_before(
    room: Any, time: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="direct"), 0)
    await evening(room)
    letters = list[str]()
    write = type(room.bot.app.service(TablePublisher).messenger).write_to

    async def written(self: Any, user_id: int, text: Any, *args: Any, **how: Any) -> bool:
        letters.append(text(await self.words_for(user_id, "en")))
        return await write(self, user_id, text, *args, **how)

    monkeypatch.setattr(type(room.bot.app.service(TablePublisher).messenger), "write_to", written)
    start, begun = (await the_night(room)).starts_at, time[-1]
    later = start + 60 * MINUTE_MS
    for number in range(10):
        await move(room, (start, later)[(number + 1) % 2])
    assert len(letters) == 1
    await pass_to(room, time, begun + QUIET_MS + 1000)
    assert len(letters) == 2
    await pass_to(room, time, begun + 3 * QUIET_MS)
    await move(room, later)
    assert len(letters) == 3
    assert f"<t:{later // 1000}:" in letters[-1]


async def test_the_newest_time_is_told_by_the_next_process(room: Any, time: list[int]) -> None:
    before = await evening(room)
    start, begun = (await the_night(room)).starts_at, time[-1]
    await move(room, start + MINUTE_MS)
    await move(room, start + 2 * MINUTE_MS)
    await process_ends(room)
    await pass_to(room, time, begun + MINUTE_MS)
    await move(room, start + 3 * MINUTE_MS)
    assert pings(room, room.ben, before) == 1
    await pass_to(room, time, begun + QUIET_MS + 1000)
    assert pings(room, room.ben, before) == 2
    assert f"<t:{start // 1000 + 180}:" in said(max(posts(room), key=lambda each: each.id))


async def test_a_move_that_a_stop_kept_back_is_told_by_the_next_process(
    room: Any, time: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await evening(room)
    start, begun = (await the_night(room)).starts_at, time[-1]
    with monkeypatch.context() as patch:  # the process ends as soon as the new time is stored
        patch.setattr(NightBoard, "night_moved", night_cut_off)
        await move(room, start + MINUTE_MS)
    await process_ends(room)
    assert pings(room, room.ben, before) == 0
    await pass_to(room, time, begun + 2 * MINUTE_MS)
    await pass_to(room, time, begun + 4 * MINUTE_MS)
    assert pings(room, room.ben, before) == 1


async def test_a_move_that_discord_did_not_take_is_told_again(
    room: Any, time: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await evening(room)
    start, begun = (await the_night(room)).starts_at, time[-1]
    send = discord.abc.Messageable.send
    with monkeypatch.context() as patch:

        async def refuse(*_: Any, **__: Any) -> Any:
            raise refusal(500, 0)

        patch.setattr(discord.abc.Messageable, "send", refuse)
        await move(room, start + MINUTE_MS)
    assert discord.abc.Messageable.send is send
    assert pings(room, room.ben, before) == 0
    await pass_to(room, time, begun + MINUTE_MS)
    assert pings(room, room.ben, before) == 1
    await move(room, start + 2 * MINUTE_MS)
    assert pings(room, room.ben, before) == 1


async def test_who_made_the_newest_change_is_not_told_of_it_and_the_others_are(
    room: Any, time: list[int]
) -> None:
    before = await evening(room)
    start, begun = (await the_night(room)).starts_at, time[-1]
    await move(room, start + MINUTE_MS, by=room.ann)
    await move(room, start + 2 * MINUTE_MS, by=room.cleo)
    await pass_to(room, time, begun + QUIET_MS + 1000)
    assert [pings(room, each, before) for each in (room.ann, room.ben, room.cleo)] == [1, 2, 1]


async def test_a_night_that_is_called_off_tells_no_new_time(room: Any, time: list[int]) -> None:
    before = await evening(room)
    start, begun = (await the_night(room)).starts_at, time[-1]
    await move(room, start + MINUTE_MS)
    await move(room, start + 2 * MINUTE_MS)
    await room.bot.app.service(Nights).cancel(1, room.ann.id)
    await said_all(room)
    assert pings(room, room.ben, before) == 2, "the end is told at once"
    await pass_to(room, time, begun + 2 * QUIET_MS)
    assert pings(room, room.ben, before) == 2


async def test_reminders_of_a_night_that_is_moved_again_and_again_are_as_rare(
    room: Any, time: list[int]
) -> None:
    """A reminder falls due minutes after a night is moved close to it."""
    before = await evening(room, hours=3)
    begun = time[-1]
    heard = list[int]()
    for minute in range(60):
        now = begun + minute * MINUTE_MS
        count = pings(room, room.ben, before)
        await pass_to(room, time, now)
        if minute % 7 == 0:
            await move(room, now + SOON_MS + 7 * MINUTE_MS)
        if pings(room, room.ben, before) > count:
            heard.append(minute)
    assert len(heard) >= 5
    assert all(later - earlier >= 10 for earlier, later in pairwise(heard))


async def test_a_planner_is_asked_rarely_about_an_event_that_is_moved_again_and_again(
    room: Any, time: list[int]
) -> None:
    before = await evening(room)
    night, begun = await the_night(room), time[-1]
    nights = room.bot.app.service(Nights)

    async def drag(minutes: int) -> int:
        from datetime import UTC, datetime

        at = night.starts_at // 1000 + minutes * 60
        times = {
            "scheduled_start_time": datetime.fromtimestamp(at, UTC).isoformat(),
            "scheduled_end_time": datetime.fromtimestamp(at + 7200, UTC).isoformat(),
        }
        room.env.backend.edit_scheduled_event(room.guild.id, night.event_id, times)
        await said_all(room)
        nights.event_changed(night.event_id)
        await said_all(room)
        return at

    for minutes in range(1, 21):
        newest = await drag(minutes)
    assert pings(room, room.ann, before) == 1
    await process_ends(room)
    await pass_to(room, time, begun + QUIET_MS + 1000)
    await said_all(room)
    assert pings(room, room.ann, before) == 2
    questions = [each for each in room.channel.history() if part("night.event_moved") in said(each)]
    assert f"<t:{newest}:" in said(max(questions, key=lambda each: each.id))


async def test_a_step_of_a_newer_time_outlives_the_end_of_an_older_one(room: Any) -> None:
    await evening(room)
    night = await the_night(room)

    def owe(connection: Any) -> list[NightCall]:
        store.owe(connection, NightCall(1, "move", 5000))
        store.owe_anew(connection, NightCall(1, "move", 5000))  # in the same moment
        store.strike(connection, 1, "move", 5000)
        return [call for call in store.due(connection, night.starts_at, 9) if call.kind == "move"]

    assert [call.due_at for call in await room.bot.app.database.write_at_once(owe)] == [5001]
