"""Moving a night, and events that people move, delete or rename by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.features.nights import rows as store
from bot.features.nights.service import MINUTE_MS, SOON_MS, Nights
from bot.locales import words
from tests.support.discord.keys import part
from tests.support.discord.nights import at, comes, due, in_hours, now, planned, said_all, the_night
from tests.support.discord.people import MODERATING, called, somebody
from tests.support.discord.sent_messages import said
from tests.support.waiting import until

say = words("en")
HOUR_MS = 60 * MINUTE_MS

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


async def move(room: Any, message: Any, when: str, by: Any = None) -> Any:
    by = by or room.ann
    form = await by.click(message, label=say("night.move"))
    return await by.submit_modal(form, {"when": when, "zone": "UTC"})


async def event(room: Any) -> Any:
    night = await the_night(room)
    return await room.bot.get_guild(room.guild.id).fetch_scheduled_event(night.event_id)


async def moved_by_hand(room: Any, hours: float) -> int:
    """Somebody gives the event another time; it in seconds."""
    night = await the_night(room)
    starts = datetime.fromtimestamp(night.starts_at / 1000, UTC) + timedelta(hours=hours)
    times = {
        "scheduled_start_time": starts.isoformat(),
        "scheduled_end_time": (starts + timedelta(hours=2)).isoformat(),
    }
    room.env.backend.edit_scheduled_event(room.guild.id, night.event_id, times)
    return int(starts.timestamp())


async def asked(room: Any, key: str) -> Any:
    """The question about the event, once the bot has posted it."""

    def question() -> Any:
        found = [each for each in room.channel.history() if part(key) in said(each)]
        return found[-1] if found else None

    found = await until(question)
    await said_all(room)
    return found


async def test_a_night_that_is_moved_keeps_its_answers_and_tells_everyone(room: Any) -> None:
    message = await planned(room, hours=30)
    for person, label in ((room.ben, "Maybe"), (room.cleo, "No")):
        await comes(room, person, message, label)
    before, requests = await the_night(room), len(room.env.http_requests)
    answer = await move(room, message, in_hours(54))
    await said_all(room)
    night = await the_night(room)
    assert night.starts_at == before.starts_at + 24 * HOUR_MS
    assert say("night.moved", at=night.starts_at // 1000) in said(answer.response)
    assert called(room, requests) == {room.ben.id}
    assert f"<t:{night.starts_at // 1000}:F>" in now(room, message)
    guests = await room.bot.app.service(Nights).guests(night.id)
    assert {guest.name: guest.answer for guest in guests} == {"ann": "yes", "ben": "maybe", "cleo": "no"}
    assert [(call.kind, night.starts_at - call.due_at) for call in await due(room, night)] == [
        ("day", 24 * HOUR_MS),
        ("soon", SOON_MS),
        ("start", 0),
    ]
    assert (await event(room)).start_time.timestamp() * 1000 == night.starts_at


async def test_a_moved_night_opens_at_its_new_time_alone(room: Any) -> None:
    message = await planned(room, hours=3)
    before = await the_night(room)
    await move(room, message, in_hours(5))
    await said_all(room)
    await at(room, before.starts_at)
    assert (await the_night(room)).phase == "planned"
    await at(room, before.starts_at + 2 * HOUR_MS)
    assert (await the_night(room)).phase == "open"


async def test_the_planner_is_told_if_a_moderator_moves_the_night(room: Any) -> None:
    message = await planned(room, hours=30)
    before = len(room.env.http_requests)
    await move(room, message, in_hours(54), by=somebody(room, "mia", MODERATING))
    await said_all(room)
    assert called(room, before) == {room.ann.id}


async def test_only_the_planner_moves_a_night_and_only_to_a_time_to_come(room: Any) -> None:
    message = await planned(room)
    refused = await room.ben.click(message, label=say("night.move"))
    assert part("refused.night_rights") in said(refused.response)
    too_soon = say("refused.night_too_soon", n=5)
    for when, answer in (("soon", say("night.when_unknown")), (in_hours(-3), too_soon)):
        assert answer in said((await move(room, message, when)).response)
    assert (await the_night(room)).starts_at == int(
        datetime.strptime(in_hours(3), "%Y-%m-%d %H:%M").replace(tzinfo=UTC).timestamp() * 1000
    )


async def test_the_planner_lets_the_night_follow_its_event(room: Any) -> None:
    message = await planned(room, hours=30)
    seconds = await moved_by_hand(room, 2)
    question = await asked(room, "night.event_moved")
    refused = await room.ben.click(question, label=say("night.event_move"))
    assert part("refused.night_rights") in said(refused.response)
    await room.ann.click(question, label=say("night.event_move"))
    await said_all(room)
    night = await the_night(room)
    assert (night.starts_at, night.event_at) == (seconds * 1000, None)
    assert f"<t:{seconds}:F>" in now(room, message)


async def test_the_planner_keeps_the_time_and_the_event_goes_back(room: Any) -> None:
    await planned(room, hours=30)
    before = await the_night(room)
    await moved_by_hand(room, 2)
    question = await asked(room, "night.event_moved")
    await room.ann.click(question, label=say("night.event_keep"))
    await said_all(room)
    night = await the_night(room)
    assert (night.starts_at, night.event_at) == (before.starts_at, None)
    assert (await event(room)).start_time.timestamp() * 1000 == before.starts_at


async def test_each_change_is_asked_about_once(room: Any) -> None:
    await planned(room, hours=30)
    await moved_by_hand(room, 2)
    await asked(room, "night.event_moved")
    questions = [each for each in room.channel.history() if part("night.event_moved") in said(each)]
    room.bot.app.service(Nights).allowed(room.guild.id)  # as after a lost connection
    await said_all(room)
    again = [each for each in room.channel.history() if part("night.event_moved") in said(each)]
    assert len(again) == len(questions) == 1


@pytest.mark.parametrize(("label", "phase"), [("event_off", "cancelled"), ("event_stays", "planned")])
async def test_the_planner_says_what_a_deleted_event_means(room: Any, label: str, phase: str) -> None:
    await planned(room, hours=30)
    night = await the_night(room)
    room.env.backend.delete_scheduled_event(room.guild.id, night.event_id)
    question = await asked(room, "night.event_deleted")
    await room.ann.click(question, label=say(f"night.{label}"))
    await said_all(room)
    night = await the_night(room)
    assert (night.phase, night.event_id) == (phase, None)


async def test_an_event_that_changed_while_the_bot_was_away_is_found_at_the_start(room: Any) -> None:
    await planned(room, hours=30)
    night = await the_night(room)
    # the bot has not been told, as if the event had had another time before
    stale = night.starts_at + HOUR_MS
    await room.bot.app.database.write_at_once(lambda c: store.move(c, night, stale, []))
    await room.bot.app.database.write_at_once(lambda c: store.note_event(c, night.id, night.event_id))
    room.bot.app.service(Nights).allowed(room.guild.id)
    assert await asked(room, "night.event_moved")


async def test_an_event_follows_the_name_of_its_channel(room: Any) -> None:
    await planned(room, hours=30)
    assert (await event(room)).location == "#card-table"
    room.env.backend.edit_channel(room.channel.id, {"name": "den"})
    await room.env.settle()
    await said_all(room)
    assert (await event(room)).location == "#den"
