"""Nights where something is in the way: a lost channel, missing rights, several planners, a full table."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.core.errors import Refused
from bot.features.nights import rows as store
from bot.features.nights.opening import open_lobby
from bot.features.nights.rows import Guest
from bot.features.nights.service import MINUTE_MS, Nights
from bot.features.table.publishing.publisher import TablePublisher
from bot.locales import words
from bot.store.days import DAY_MS
from bot.store.models import NightRow, table_of
from bot.store.prefs import Prefs
from bot.table.people.reserved_seats import release
from bot.ui.outbox import Outbox
from tests.support.discord.forging import blocked, forge, refusal
from tests.support.discord.keys import part
from tests.support.discord.nights import at, comes, due, in_hours, kept_for, now, planned, said_all, the_night
from tests.support.discord.people import called
from tests.support.discord.sent_messages import said, written
from tests.support.tables.tables import at_hand
from tests.support.waiting import turns

ZONE = words("en")("night.set_zone")

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


def losing(patch: pytest.MonkeyPatch, error: Exception) -> None:
    """Discord gives this answer to whoever asks for a channel."""

    async def refuse(*_: Any) -> Any:
        raise error

    patch.setattr(discord.Client, "fetch_channel", refuse)


async def test_a_night_ends_when_its_channel_is_gone(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await planned(room, hours=30)
    night = await the_night(room)
    assert night.event_id is not None
    losing(monkeypatch, refusal(404, 10003))
    await at(room, night.starts_at - DAY_MS + MINUTE_MS)
    assert (await the_night(room)).phase == "hindered"
    assert await due(room, night) == []
    (letter,) = written(room)
    assert letter[0] == room.ann.id
    assert part("night.regret") in letter[1]
    with pytest.raises(discord.NotFound):
        await room.bot.get_guild(room.guild.id).fetch_scheduled_event(night.event_id)


@pytest.mark.parametrize("status", [403, 404])
async def test_a_night_goes_on_after_cloudflare_blocked_the_bot(room: Any, status: int) -> None:
    await planned(room, hours=30)
    night = await the_night(room)
    with pytest.MonkeyPatch.context() as patch:
        losing(patch, blocked(status))
        await at(room, night.starts_at - DAY_MS + MINUTE_MS)
    assert (await the_night(room)).phase == "planned"
    assert not written(room)
    await at(room, night.starts_at)
    assert (await the_night(room)).phase == "open"


async def test_a_channel_that_is_closed_to_the_bot_may_open_again(room: Any) -> None:
    message = await planned(room, hours=30)
    night = await the_night(room)
    with pytest.MonkeyPatch.context() as patch:
        losing(patch, refusal(403, 50001))
        await at(room, night.starts_at - DAY_MS + MINUTE_MS)
        assert (await the_night(room)).phase == "planned", "there is a day left to let it in again"
        await at(room, night.starts_at + 1)
    assert (await the_night(room)).phase == "hindered"
    assert not at_hand(room.bot.tables)
    assert part("night.hindered") in now(room, message)


async def test_a_bot_that_may_not_write_opens_no_table(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await planned(room)
    have = discord.Permissions(view_channel=True, send_messages=True)
    monkeypatch.setattr(discord.TextChannel, "permissions_for", lambda *_: have)
    await at(room, (await the_night(room)).starts_at + 1)
    assert (await the_night(room)).phase == "hindered"
    assert not at_hand(room.bot.tables)


async def test_nothing_is_said_in_a_locked_thread(room: Any) -> None:
    room.env.backend.create_thread(room.channel.id, "den", room.ben.id)
    await room.env.settle()
    (thread,) = room.channel.threads
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    await room.ann.slash(thread, "night plan", when=in_hours(30), game="atom")
    night, before = await the_night(room), len(thread.history())
    room.env.backend.get_channel(thread.id).thread_metadata.locked = True
    room.env.backend.announce_channel_update(thread.id)
    await room.env.settle()
    await at(room, night.starts_at - 30 * MINUTE_MS + 1)
    await at(room, night.starts_at + 1)
    assert len(thread.history()) == before
    assert (await the_night(room)).phase == "hindered"
    (letter,) = written(room)
    assert part("night.regret") in letter[1]


async def test_a_planner_without_pings_hears_of_nothing(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await planned(room)
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(pings="none"), 0)
    losing(monkeypatch, refusal(404, 10003))
    await at(room, (await the_night(room)).starts_at + 1)
    assert (await the_night(room)).phase == "hindered"
    assert written(room) == []


async def test_two_nights_at_one_time_open_a_table_each(room: Any) -> None:
    first = await planned(room)
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(zone="UTC"), 0)
    await room.ben.slash(room.channel, "night plan", when=in_hours(3), game="canasta")
    second = room.channel.last_message
    await comes(room, room.cleo, first)
    await comes(room, room.cleo, second)
    night = await the_night(room)
    await at(room, night.starts_at + 2 * MINUTE_MS)
    tables = at_hand(room.bot.tables).values()
    assert {table.stored.game: [one.name for one in table.sitters] for table in tables} == {
        "atom": ["ann", "cleo"],
        "canasta": ["ben", "cleo"],
    }
    assert {table.stored.host_id for table in tables} == {room.ann.id, room.ben.id}
    assert {(await room.bot.app.service(Nights).get(number)).phase for number in (1, 2)} == {"open"}


async def test_a_night_that_cannot_begin_keeps_none_from_beginning(room: Any) -> None:
    await planned(room)
    night = await the_night(room)
    host = Guest(room.ben.id, "ben", "yes", 5, 0)
    other = await room.bot.app.service(Nights).plan(
        replace(night, game="no such game", host_id=room.ben.id), host
    )
    last = await room.bot.app.service(Nights).plan(replace(night, host_id=room.cleo.id), host)

    async def opened(tables: Any, database: Any, night: Any, *more: Any) -> Any:
        if night.id == 1:
            raise RuntimeError("broken")
        return await open_lobby(tables, database, night, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.features.nights.service.open_lobby", opened)
        await at(room, night.starts_at + 1)
    found = [(await room.bot.app.service(Nights).get(number)).phase for number in (1, other.id, last.id)]
    assert found == ["planned", "hindered", "open"]
    await at(room, night.starts_at + MINUTE_MS)
    assert (await the_night(room)).phase == "open", "and it is tried again"
    room.env.errors  # noqa: B018 - read, and with that forgiven


async def test_only_so_many_can_play(room: Any) -> None:
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    refused = await room.ann.slash(room.channel, "night plan", when=in_hours(3), game="atom", seats=3)
    assert "4 to 5" in said(refused.response)
    refused = await room.ann.slash(room.channel, "night plan", when=in_hours(3), game="duel52", seats=4)
    assert "exactly 2" in said(refused.response)
    await room.ann.slash(room.channel, "night plan", when=in_hours(3), game="canasta", seats=2)
    message = room.channel.last_message
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message)
    shown = said(room.channel.last_message)
    assert "2 of 2" in shown
    assert part("night.waiting") in shown
    await at(room, (await the_night(room)).starts_at + 1)
    table = await kept_for(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]
    refused = await room.cleo.click(room.channel.last_message, label="I'm in")
    assert words("en")("refused.full_here", n=2) in said(refused.response)
    await room.ann.click(room.channel.last_message, label="I'm in")
    await release(table)
    await room.cleo.click(room.channel.last_message, label="I'm in")
    assert [sitter.name for sitter in table.sitters] == ["ann", "cleo"]


async def test_a_time_with_its_zone_needs_no_other(room: Any) -> None:
    await room.ben.slash(room.channel, "night plan", when="tomorrow 20:00 UTC+2", game="atom")
    night = await the_night(room)
    assert night.starts_at % DAY_MS == 18 * 60 * MINUTE_MS
    assert (await room.bot.app.preferences.of(room.ben.id)).zone == ""


async def test_a_time_as_discord_writes_it_needs_no_zone(room: Any) -> None:
    starts = int(room.bot.app.service(Nights)._clock.now() / 1000) + 3 * 3600
    planned = await room.ben.slash(room.channel, "night plan", when=f"<t:{starts}:F>", game="atom")
    assert planned.modal is None
    assert (await the_night(room)).starts_at == starts * 1000
    (told,) = planned.followups
    assert f"Planned for <t:{starts}:F>." in said(told)


async def test_the_settings_say_where_somebody_lives(room: Any) -> None:
    shown = await room.ben.slash(room.channel, "settings")
    assert "not said yet" in said(shown.response)
    form = await room.ben.click(shown.response, label=ZONE)
    refused = await room.ben.submit_modal(form, {"zone": "Atlantis", "reminders": ["morning"]})
    assert part("refused.zone_unknown") in said(refused.response)
    form = await room.ben.click(shown.response, label=ZONE)
    await room.ben.submit_modal(form, {"zone": "new york", "reminders": ["morning"]})
    shown = await room.ben.slash(room.channel, "settings")
    assert "America/New_York" + words("en")("night.rests_yes") in said(shown.response)
    form = await room.ben.click(shown.response, label=ZONE)
    await room.ben.submit_modal(form, {"zone": "new york", "reminders": ["night"]})
    shown = await room.ben.slash(room.channel, "settings")
    assert "America/New_York" + words("en")("night.rests_no") in said(shown.response)


async def test_each_is_called_in_the_way_that_they_chose(room: Any) -> None:
    message = await planned(room, hours=3)
    for person, way in ((room.ben, "direct"), (room.cleo, "none")):
        await room.bot.app.preferences.put(person.id, person.name, Prefs(pings=way), 0)
        await comes(room, person, message, "Maybe")
    night, before = await the_night(room), len(room.env.http_requests)
    await at(room, night.starts_at - 30 * MINUTE_MS)
    assert called(room, before) == {room.ann.id}
    assert [user for user, _ in written(room)] == [room.ben.id]


async def test_who_cannot_be_written_to_is_called_aloud(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await planned(room)
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="direct"), 0)
    await comes(room, room.ben, message)

    async def refuse(*_: Any, **__: Any) -> bool:
        return False

    monkeypatch.setattr(room.bot.app.service(TablePublisher).messenger, "write_to", refuse)
    night, before = await the_night(room), len(room.env.http_requests)
    await at(room, night.starts_at - 30 * MINUTE_MS)
    assert called(room, before) == {room.ann.id, room.ben.id}


async def test_a_night_without_its_message_is_called_off_by_command(room: Any) -> None:
    await planned(room)
    offered = await room.ann.autocomplete(room.channel, "night cancel", "number", "")
    assert [choice["value"] for choice in offered] == [1]
    assert await room.ben.autocomplete(room.channel, "night cancel", "number", "") == []
    refused = await room.ben.slash(room.channel, "night cancel", number=1)
    assert part("refused.night_rights") in said(refused.response)
    refused = await room.ann.slash(room.channel, "night cancel", number=7)
    assert part("refused.no_night") in said(refused.response)
    asked = await room.ann.slash(room.channel, "night cancel", number=1)
    kept = await room.ann.click(asked.response, custom_id="v:night-keep")
    assert part("night.off_kept") in said(kept.response)
    assert (await the_night(room)).phase == "planned"
    asked = await room.ann.slash(room.channel, "night cancel", number=1)
    await room.ann.click(asked.response, label="Call it off")
    assert (await the_night(room)).phase == "cancelled"
    again = await room.ann.slash(room.channel, "night cancel", number=1)
    assert part("refused.night_over") in said(again.response)


async def test_a_long_list_has_pages(room: Any) -> None:
    await planned(room)
    night, app = await the_night(room), room.bot.app
    for n in range(11):
        host = Guest(100 + n, "host", "yes", 5, 0)
        later = replace(night, host_id=100 + n, starts_at=night.starts_at + n * DAY_MS)
        await app.service(Nights).plan(later, host)
    shown = await room.cleo.slash(room.channel, "night list")
    assert said(shown.response).count("is coming") == 10
    more = await forge(room.cleo, shown.response, "v:nights:1")
    assert said(more.response).count("is coming") == 2
    beyond = await forge(room.cleo, shown.response, "v:nights:9")
    assert said(beyond.response).count("is coming") == 2


async def test_a_night_that_ends_twice_ends_once(room: Any) -> None:
    await planned(room)
    await room.bot.app.service(Nights).cancel(1)
    with pytest.raises(Refused, match="night_over"):
        await room.bot.app.service(Nights).cancel(1)
    database = room.bot.app.database
    with pytest.raises(store.Overtaken):
        await database.write_at_once(lambda c: store.end(c, 1, "open", 9))
    await said_all(room)
    assert (await the_night(room)).phase == "cancelled"


async def test_an_answer_is_shown_though_somebody_is_deleted_meanwhile(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The night without them waits for its turn among the bot's calls, and Ben answers before."""
    message = await planned(room)
    await comes(room, room.cleo, message)
    outbox, turn = room.bot.app.service(Outbox), asyncio.Event()

    async def token(**_: Any) -> None:
        await room.env.external_wait(turn.wait(), reason="its turn among the calls")

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "token", token)
        await room.bot.app.service(Nights).leave_everything(room.cleo.id)
        await comes(room, room.ben, message)
        turn.set()
        await said_all(room)
    assert "ben" in now(room, message)
    assert "cleo" not in now(room, message)


async def test_what_becomes_of_a_night_is_shown_after_the_answer_that_is_on_its_way(room: Any) -> None:
    """It still shows the night as planned, and whatever arrives last is what stands there."""
    message = await planned(room)
    async with room.bot.app.service(Nights).locks.of(1):
        await room.bot.app.service(Nights).cancel(1)
        await turns(500)
        assert part("night.cancelled") not in now(room, message)
    await said_all(room)
    assert part("night.cancelled") in now(room, message)


async def ended_unseen(room: Any) -> Any:
    """A night that was called off while Discord took no change of its message; that message."""
    message = await planned(room)

    async def fail(*_: Any, **__: Any) -> Any:
        raise refusal(403, 50001)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.PartialMessage, "edit", fail)
        await room.bot.app.service(Nights).cancel(1)
        await said_all(room)
    assert part("night.cancelled") not in now(room, message)
    return message


@pytest.mark.parametrize("label", ["Yes", "Call off…"])
async def test_a_press_on_a_night_that_is_over_puts_its_message_right(room: Any, label: str) -> None:
    message = await ended_unseen(room)
    pressed = await room.ben.click(message, label=label)
    assert part("night.cancelled") in now(room, message)
    assert "custom_id" not in now(room, message)
    (told,) = pressed.followups
    assert part("refused.night_over") in said(told)


async def test_a_night_that_ends_while_somebody_answers_says_so(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await ended_unseen(room)
    real = room.bot.app.service(Nights).get
    looked = iter(["planned"])

    async def get(number: int) -> Any:
        return replace(await real(number), phase=next(looked, "cancelled"))

    monkeypatch.setattr(room.bot.app.service(Nights), "get", get)
    await comes(room, room.ben, message)
    assert part("night.cancelled") in now(room, message)


async def test_a_night_that_nobody_remembers_offers_nothing_any_more(room: Any) -> None:
    message = await ended_unseen(room)
    drop = table_of(NightRow).delete()
    await room.bot.app.database.write_at_once(lambda c: c.execute(drop))
    pressed = await room.ben.click(message, label="Maybe")
    assert part("night.gone") in now(room, message)
    assert "custom_id" not in now(room, message)
    (told,) = pressed.followups
    assert part("refused.no_night") in said(told)


async def test_a_forged_press_of_a_night_that_is_over_changes_no_other_message(room: Any) -> None:
    await ended_unseen(room)
    other = (await room.ann.slash(room.channel, "play", game="atom")).response
    before = now(room, other)
    for number in (1, 99):
        await forge(room.ben, other, f"v:night:{number}:yes")
    assert now(room, other) == before


async def test_a_night_that_fails_is_no_report_about_a_table_of_that_number(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Night 1 has nothing to do with table 1, whose hand shows nothing of it either."""
    await room.ann.slash(room.channel, "play", game="canasta")
    assert list(at_hand(room.bot.tables)) == [1]
    message = await planned(room)

    async def broken(*_: Any) -> Any:
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(room.bot.app.service(Nights), "answer", broken)
    pressed = await room.ben.click(message, label="Yes")
    assert part("trouble.unexpected_elsewhere") in said(pressed.response)
    assert "custom_id" not in said(pressed.response)
    assert words("en")("table.hand") not in said(pressed.response)
    room.env.errors  # noqa: B018 - read, and with that forgiven
