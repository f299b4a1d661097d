"""/night: a night is planned, people say whether they come, and the table opens by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import discord
import pytest
from sqlalchemy import Connection, insert, select

from bot.client import Valence
from bot.core.errors import Refused
from bot.features.nights.rows import Guest, Night
from bot.features.nights.service import KEPT_MS, MINUTE_MS, Nights
from bot.features.table.lobby.messages import lobby_message
from bot.store.days import DAY_MS
from bot.store.models import NightRow, table_of
from bot.store.prefs import Prefs
from bot.table.people.reserved_seats import HELD, release
from bot.table.runtime import TableRuntime
from tests.support.discord.forging import double_click, forge
from tests.support.discord.keys import part
from tests.support.discord.nights import at, comes, due, in_hours, kept_for, now, planned, said_all, the_night
from tests.support.discord.people import MANAGING, MODERATING, called, somebody
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


async def test_a_night_is_planned_and_seats_are_kept(room: Any) -> None:
    message = await planned(room)
    night = await the_night(room)
    assert night.message_id == message.id
    assert f"<t:{night.starts_at // 1000}:F>" in now(room, message)
    assert f"<t:{night.starts_at // 1000}:R>" in now(room, message)
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message, "Maybe")
    shown = said(room.channel.last_message)
    assert "2 of 5" in shown
    assert "ann and ben" in shown
    await comes(room, room.ben, message, "No")
    answers = {one.name: one.answer for one in await room.bot.app.service(Nights).guests(1)}
    assert answers == {"ann": "yes", "ben": "no", "cleo": "maybe"}


async def test_who_never_said_where_they_live_is_asked_once(room: Any) -> None:
    form = await room.ben.slash(room.channel, "night plan", when="tomorrow 20:00", game="atom")
    assert form.modal is not None
    values = {"when": "tomorrow 20:00", "zone": "Atlantis"}
    refused = await room.ben.submit_modal(form, values)
    assert part("night.zone_unknown") in said(refused.response)
    again = await room.ben.click(refused.response, label="Back to the form")
    assert "'value': 'tomorrow 20:00'" in str(again.modal), "what was typed stands there again"
    await room.ben.submit_modal(again, values | {"zone": "berlin"})
    night = await the_night(room)
    assert night.host_id == room.ben.id
    assert (await room.bot.app.preferences.of(room.ben.id)).zone == "Europe/Berlin"
    asked = await room.ben.slash(room.channel, "night plan", when="tomorrow 21:00", game="atom")
    assert asked.modal is None


async def test_a_time_that_nobody_understands_is_told_with_examples(room: Any) -> None:
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    refused = await room.ann.slash(room.channel, "night plan", when="when the owls sing", game="atom")
    assert "tomorrow 20:00" in said(refused.response)
    again = await room.ann.click(refused.response, label="Back to the form")
    assert "'value': 'when the owls sing'" in str(again.modal)
    # what an id has no room for is typed once more
    refused = await room.ann.slash(room.channel, "night plan", when="\N{OWL}" * 40, game="compound_capture")
    again = await room.ann.click(refused.response, label="Back to the form")
    assert "\N{OWL}" not in str(again.modal)
    forged = await forge(room.ann, refused.response, "v:night-ask:atom:0:0:_w")
    assert part("refused.not_a_button") in said(forged.response)
    past = await room.ann.slash(room.channel, "night plan", when="2020-01-01 20:00", game="atom")
    assert "minutes ahead" in said(past.response)
    far = await room.ann.slash(room.channel, "night plan", when="2099-01-01 20:00", game="atom")
    assert "days ahead" in said(far.response)


async def test_two_answers_at_once_count_both(room: Any) -> None:
    message = await planned(room)
    await double_click(room.ben, message, "v:night:1:yes")
    await comes(room, room.cleo, message)
    names = [guest.name for guest in await room.bot.app.service(Nights).guests(1)]
    assert names == ["ann", "ben", "cleo"]
    assert "3 of 5" in said(room.channel.last_message)


async def test_it_is_called_to_mind_once_even_with_a_restart_between(room: Any) -> None:
    message = await planned(room, hours=30)
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message, "No")
    night = await the_night(room)
    await at(room, night.starts_at - DAY_MS - MINUTE_MS)
    before = len(room.env.http_requests)
    assert room.channel.last_message.id == message.id
    bot: Valence = room.bot
    # whatever was in memory is gone: rows are all that the next process has
    fresh = type(bot.app.service(Nights))(
        bot.app.database, bot.app.service(Nights)._clock, bot.tables, bot.app.service(Nights)._stage
    )
    bot.app.parts[Nights] = fresh
    await at(room, night.starts_at - DAY_MS + MINUTE_MS)
    assert called(room, before) == {room.ann.id, room.ben.id}
    reminder = room.channel.last_message
    assert reminder.id != message.id
    await at(room, night.starts_at - DAY_MS + 2 * MINUTE_MS)
    assert room.channel.last_message.id == reminder.id, "nobody is told twice"


async def test_a_reminder_that_a_stop_kept_back_too_long_is_dropped(room: Any) -> None:
    message = await planned(room, hours=30)
    night = await the_night(room)
    await at(room, night.starts_at - 10 * 60 * MINUTE_MS)
    assert room.channel.last_message.id == message.id
    assert [call.kind for call in await due(room, night)] == ["soon", "start"]


async def test_at_its_time_the_lobby_opens_with_those_who_come(room: Any) -> None:
    message = await planned(room)
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message, "Maybe")
    night = await the_night(room)
    before = len(room.env.http_requests)
    await at(room, night.starts_at + 1)
    table = await kept_for(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]
    assert all(sitter.entropy for sitter in table.sitters)
    assert table.stored.message_id is not None
    assert set(table.stored.terms.held) == {room.ann.id, room.ben.id}
    assert called(room, before) == {room.ann.id, room.ben.id}
    night = await the_night(room)
    assert (night.phase, night.game_id) == ("open", table.id)
    await at(room, night.starts_at + MINUTE_MS)
    assert len(at_hand(room.bot.tables)) == 1


async def test_where_all_seats_are_kept_they_are_taken_by_the_button_that_is_named(room: Any) -> None:
    message = await planned(room, game="duel52")
    await comes(room, room.ben, message)
    await at(room, (await the_night(room)).starts_at + 1)
    shown = str(lobby_message(await kept_for(room)).view.to_components())
    assert shown.count(part("lobby.join_or_leave")) == 2, "in the line about kept seats, and on a button"


async def test_who_presses_keeps_the_seat_and_who_does_not_loses_it(room: Any) -> None:
    message = await planned(room)
    await comes(room, room.ben, message)
    night = await the_night(room)
    await at(room, night.starts_at + 1)
    table = await kept_for(room)
    call = room.channel.last_message
    lobby = (await room.ann.slash(room.channel, "games")).response
    refused = await forge(room.ann, lobby, f"v:start-filled:{table.id}")
    assert table.phase == "lobby", "ben's seat is kept"
    assert "Seats are kept for ben." in said(refused.response), "by name, not as a mention made inert"
    await room.ben.click(call, label="I'm in")
    assert table.stored.terms.held == (room.ann.id,)
    assert HELD in {deadline.kind for deadline in table.deadlines}
    await release(table)
    assert [sitter.name for sitter in table.sitters] == ["ben"]
    assert table.stored.host_id == room.ben.id
    assert HELD not in {deadline.kind for deadline in table.deadlines}
    await room.cleo.click(call, label="I'm in")
    assert [sitter.name for sitter in table.sitters] == ["ben", "cleo"]
    await table.cancel("")
    late = await room.cleo.click(call, label="I'm in")
    assert part("lobby.invitation_lapsed") in said(late.response), "nobody sits at a table that is closed"


async def test_a_host_who_starts_has_come(room: Any) -> None:
    message = await planned(room)
    await comes(room, room.ben, message)
    await at(room, (await the_night(room)).starts_at + 1)
    table, call = await kept_for(room), room.channel.last_message
    await room.ben.click(call, label="I'm in")
    lobby = (await room.ann.slash(room.channel, "games")).response
    await forge(room.ann, lobby, f"v:start-filled:{table.id}")
    assert table.phase == "live"


async def test_where_nobody_comes_the_lobby_closes(room: Any) -> None:
    await planned(room)
    await at(room, (await the_night(room)).starts_at + 1)
    table = await kept_for(room)
    await release(table)
    assert (table.phase, table.stored.why) == ("cancelled", "nobody_came")


async def test_where_nobody_says_yes_no_table_opens(room: Any) -> None:
    message = await planned(room)
    await comes(room, room.ann, message, "No")
    await at(room, (await the_night(room)).starts_at + 1)
    assert (await the_night(room)).phase == "empty"
    assert part("night.empty") in now(room, message)
    assert not at_hand(room.bot.tables)


async def test_a_bot_that_was_away_for_hours_opens_nothing(room: Any) -> None:
    await planned(room)
    await at(room, (await the_night(room)).starts_at + 3 * 60 * MINUTE_MS)
    assert (await the_night(room)).phase == "missed"
    assert not at_hand(room.bot.tables)


async def test_the_planner_and_moderators_call_it_off(room: Any) -> None:
    message = await planned(room)
    refused = await room.ben.click(message, label="Call off…")
    assert part("refused.night_rights") in said(refused.response)
    await forge(room.ben, message, "v:night-off-yes:1")
    assert (await the_night(room)).phase == "planned"
    role = room.guild.create_role("keepers", permissions=MODERATING)
    mia = room.guild.add_member(room.env.create_user("mia"), roles=[role])
    asked = await mia.click(message, label="Call off…")
    await mia.click(asked.response, label="Call it off")
    await room.env.settle()
    assert (await the_night(room)).phase == "cancelled"
    assert part("night.cancelled") in now(room, message)
    late = await forge(room.ben, message, "v:night:1:yes")
    assert part("refused.night_over") in said(late.response)
    assert await due(room, await the_night(room)) == []


async def test_a_night_belongs_to_its_server(room: Any) -> None:
    await planned(room)
    guild = room.env.create_guild()
    ben = guild.add_member(room.ben.user)
    standing = (await ben.slash(guild.create_text_channel("away"), "help")).response
    for verb in ("night:1:yes", "night-off:1", "night-off-yes:1"):
        refused = await forge(ben, standing, f"v:{verb}")
        assert part("refused.no_night") in said(refused.response)
    assert len(await room.bot.app.service(Nights).guests(1)) == 1


async def test_the_list_names_what_is_planned_here(room: Any) -> None:
    shown = await room.cleo.slash(room.channel, "night list")
    assert part("night.none") in said(shown.response)
    message = await planned(room)
    shown = await room.cleo.slash(room.channel, "night list")
    assert f"/{message.id}" in said(shown.response)
    assert "1 is coming" in said(shown.response)


async def test_it_stands_among_the_events_where_the_bot_may_make_one(room: Any) -> None:
    await planned(room)
    night = await the_night(room)
    assert night.event_id is not None
    guild = room.bot.get_guild(room.guild.id)
    assert "Atom" in (await guild.fetch_scheduled_event(night.event_id)).name
    await room.bot.app.service(Nights).cancel(1)
    await said_all(room)
    with pytest.raises(discord.NotFound):
        await guild.fetch_scheduled_event(night.event_id)


async def without_events(room: Any) -> None:
    """The bot may make no events here, though it may manage those of others."""
    role = next(role for role in room.env.backend.get_guild(room.guild.id).roles.values() if role.managed)
    have = discord.Permissions(role.permissions)
    have.update(create_events=False, manage_events=True)
    room.env.backend.edit_role(room.guild.id, role.id, {"permissions": have.value})
    await room.env.settle()


def asked_for_events(room: Any) -> list[str]:
    """What the bot has asked Discord about scheduled events."""
    return [call.path for call in room.env.http_requests if "/scheduled-events" in call.path]


async def test_without_that_right_the_planner_hears_of_it(room: Any) -> None:
    await without_events(room)
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    shown = await room.ann.slash(room.channel, "night plan", when=in_hours(3), game="atom")
    assert part("night.no_event") not in "".join(map(said, shown.followups))
    # who could give it to the bot hears of it
    manager = somebody(room, "mia", MANAGING)
    shown = await manager.slash(room.channel, "night plan", when=f"{in_hours(3)} UTC", game="atom")
    assert part("night.no_event") in "".join(map(said, shown.followups))
    assert {(await room.bot.app.service(Nights).get(number)).event_id for number in (1, 2)} == {None}


async def test_without_that_right_all_else_of_a_night_is_as_ever(room: Any) -> None:
    await without_events(room)
    message = await planned(room, hours=30)
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message, "No")
    shown = await room.cleo.slash(room.channel, "night list")
    assert f"/{message.id}" in said(shown.response)
    night = await the_night(room)
    before = len(room.env.http_requests)
    await at(room, night.starts_at - DAY_MS + MINUTE_MS)
    assert called(room, before) == {room.ann.id, room.ben.id}, "a day ahead it is called to mind"
    before = len(room.env.http_requests)
    await at(room, night.starts_at + 1)
    table = await kept_for(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]
    assert called(room, before) == {room.ann.id, room.ben.id}
    assert ((await the_night(room)).phase, (await the_night(room)).game_id) == ("open", table.id)

    other = await planned(room)
    asked = await room.ann.click(other, label="Call off…")
    await room.ann.click(asked.response, label="Call it off")
    await room.env.settle()
    assert (await room.bot.app.service(Nights).get(2)).phase == "cancelled"
    assert part("night.cancelled") in now(room, other)
    assert asked_for_events(room) == [], "nobody asks for what is not allowed, or takes back what never was"


@pytest.mark.parametrize("somebody_comes", [True, False])
async def test_a_planner_who_is_deleted_leaves_the_night_to_others(room: Any, somebody_comes: bool) -> None:
    message = await planned(room)
    if somebody_comes:
        await comes(room, room.ben, message)
    asked = await room.ann.slash(room.channel, "privacy")
    sure = await room.ann.click(asked.response, custom_id="v:privacy-delete")
    await room.ann.click(sure.response, custom_id="v:privacy-yes")
    night = await the_night(room)
    if somebody_comes:
        assert (night.phase, night.host_id) == ("planned", room.ben.id)
        assert [one.name for one in await room.bot.app.service(Nights).guests(1)] == ["ben"]
    else:
        assert night.phase == "cancelled"
        assert night.host_id < 0
    assert "**ann" not in now(room, message)
    assert " ann" not in now(room, message)


async def test_a_guest_who_is_deleted_leaves_the_night_as_it_was_planned(room: Any) -> None:
    """Though its planner does not come."""
    message = await planned(room)
    await comes(room, room.ann, message, "No")
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message)
    asked = await room.ben.slash(room.channel, "privacy")
    sure = await room.ben.click(asked.response, custom_id="v:privacy-delete")
    await room.ben.click(sure.response, custom_id="v:privacy-yes")
    night = await the_night(room)
    assert (night.phase, night.host_id) == ("planned", room.ann.id)
    assert {one.name for one in await room.bot.app.service(Nights).guests(1)} == {"ann", "cleo"}


async def test_nobody_plans_without_end(room: Any) -> None:
    nights, now = room.bot.app.service(Nights), room.bot.tables.clock.now()
    one = Night(
        game="atom",
        seats=5,
        starts_at=now + 2 * DAY_MS,
        guild_id=room.guild.id,
        channel_id=room.channel.id,
        host_id=room.ann.id,
        locale="en",
        created_at=now,
    )
    host = Guest(room.ann.id, "ann", "yes", 5, now)
    for _ in range(5):
        await nights.plan(one, host)
    with pytest.raises(Refused, match="nights_of_person"):
        await nights.plan(one, host)


async def test_past_nights_vanish_after_a_month(room: Any) -> None:
    app, nights = room.bot.app, table_of(NightRow)
    night = {"game": "atom", "seats": 4, "guild_id": 7, "channel_id": 70, "host_id": 1, "locale": "en"}
    now_ms = app.clock.now()
    times = [
        ("open", 0),
        ("planned", 0),
        ("cancelled", now_ms),
        ("empty", now_ms - KEPT_MS),
        ("open", 0),  # the newest
    ]

    def put(connection: Connection) -> None:
        for phase, starts_at in times:
            row = {**night, "phase": phase, "starts_at": starts_at, "created_at": 0}
            connection.execute(insert(nights).values(row))

    await app.database.write_at_once(put)
    await app.service(TableRuntime).upkeep.round()
    query = select(nights.c.phase).order_by(nights.c.id)
    left = await app.database.read_at_once(lambda c: c.execute(query).scalars().all())
    assert left == ["planned", "cancelled", "open"]


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("2027-03-14 2:30", "night.clocks_skipped"),
        ("2027-03-14 3:30", None),
    ],
)
async def test_the_planner_hears_that_the_clocks_skip_the_time(
    room: Any, monkeypatch: pytest.MonkeyPatch, typed: str, key: str | None
) -> None:
    """In New York, where 2:30 of that night is 3:30."""
    march = int(datetime(2027, 3, 13, 12, tzinfo=UTC).timestamp() * 1000)
    monkeypatch.setattr(room.bot.tables.clock, "now", lambda: march)
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="America/New_York"), 0)
    shown = await room.ann.slash(room.channel, "night plan", when=typed, game="atom")
    told = "".join(map(said, shown.followups))
    starts = int(datetime(2027, 3, 14, 7, 30, tzinfo=UTC).timestamp())
    assert f"<t:{starts}:F>" in told
    assert (part("night.clocks_skipped") in told) == (key is not None)
    assert "no 2:30" in told or key is None


async def test_who_moves_a_night_hears_that_its_time_comes_twice(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    november = int(datetime(2027, 11, 6, 12, tzinfo=UTC).timestamp() * 1000)
    monkeypatch.setattr(room.bot.tables.clock, "now", lambda: november)
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="America/New_York"), 0)
    await room.ann.slash(room.channel, "night plan", when="2027-11-07 20:00", game="atom")
    form = await room.ann.click(room.channel.last_message, label="Move…")
    moved = await room.ann.submit_modal(form, {"when": "2027-11-07 1:30", "zone": "America/New_York"})
    assert "1:30 comes twice" in said(moved.response)
    assert "1:30 UTC-05:00" in said(moved.response)
