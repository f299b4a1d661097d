"""No one is invited, called, listed or linked where they cannot go."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from bot.features.table.publishing.publisher import TablePublisher
from bot.locales import words
from bot.store.prefs import Prefs
from bot.ui.live.members import SERVER_BURST
from tests.support.discord.forging import answer_of
from tests.support.discord.keys import part
from tests.support.discord.nights import at, comes, kept_for, planned, the_night
from tests.support.discord.people import MODERATING, called, challenge, somebody
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import said, written
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about

say = words("en")


def hide(room: Any, *people: Any, channel: Any = None) -> None:
    """Take from people the permission to see a channel."""
    denied = discord.Permissions(view_channel=True).value
    for person in people:
        overwrite = Overwrite(person.id, OverwriteType.MEMBER, deny=denied)
        room.env.backend.set_overwrite((channel or room.channel).id, overwrite)


def away(room: Any) -> Any:
    return room.guild.create_text_channel("away")


async def test_who_cannot_see_the_channel_is_not_challenged(room: Any) -> None:
    hide(room, room.ben)
    refused = await challenge(room, room.ann, room.ben)
    assert part("refused.challenge_unseen") in said(refused.response)
    assert f"<@{room.ben.id}>" in said(refused.response)
    assert at_hand(room.bot.tables) == {}
    assert called(room) == set()
    await challenge(room, room.ann, room.cleo)
    assert called(room) == {room.cleo.id}


async def test_who_cannot_see_the_channel_is_not_invited(room: Any) -> None:
    hide(room, room.ben)
    await room.ann.slash(room.channel, "play", game="probe")
    lobby, table = room.channel.last_message, the_table(room)
    pressed = await room.ann.select(lobby, [room.ben, room.cleo], custom_id=f"v:invite:{table.id}")
    refused = answer_of(pressed)
    assert part("refused.invited_unseen") in said(refused)
    assert f"<@{room.ben.id}>" in said(refused)
    assert called(room) == set()
    assert table.stored.terms.guests == ()
    await room.ann.select(lobby, [room.cleo], custom_id=f"v:invite:{table.id}")
    assert called(room) == {room.cleo.id}


@pytest.mark.parametrize("pings", ["mention", "direct"])
async def test_a_call_for_people_reaches_those_who_see_the_channel(room: Any, pings: str) -> None:
    for person in (room.ben, room.cleo):
        await room.bot.app.preferences.put(person.id, "x", Prefs(pings=pings), 0)
        shown = await person.slash(room.channel, "games")
        await person.click(shown.response, custom_id="v:seek-on")
    hide(room, room.ben)
    await room.ann.slash(room.channel, "seek", game="probe")
    await room.env.settle()
    assert {user for user, _ in written(room)} | called(room) == {room.cleo.id}


async def test_a_table_is_listed_for_those_who_see_its_channel(room: Any) -> None:
    await dealt(room)
    hide(room, room.cleo)
    elsewhere = away(room)
    line = "Ann" if "Ann" in said((await room.ann.slash(elsewhere, "games")).response) else "ann"
    assert line not in said((await room.cleo.slash(elsewhere, "games")).response)
    assert line in said((await room.ben.slash(elsewhere, "games")).response)
    stranger = somebody(room, "dora", discord.Permissions(view_channel=True, send_messages=True))
    assert line in said((await stranger.slash(elsewhere, "games")).response)


async def test_a_lobby_that_looks_for_people_is_listed_for_those_who_see_it(room: Any) -> None:
    elsewhere = away(room)
    await room.ann.slash(elsewhere, "seek", game="probe")
    call = elsewhere.last_message
    await room.ann.slash(room.channel, "play", game="probe")
    await room.ann.slash(room.channel, "seek", game="probe")
    hide(room, room.cleo)
    for person, listed in ((room.ben, True), (room.cleo, False)):
        shown = await person.click(call, custom_id="v:seeking:0")
        assert (f"/{room.channel.id}/" in said(shown.response)) == listed
        assert f"/{elsewhere.id}/" in said(shown.response)


async def test_a_moderator_elsewhere_does_not_hear_of_a_hidden_table(room: Any) -> None:
    await dealt(room)
    table = the_table(room)
    moderator = somebody(room, "mo", MODERATING)
    elsewhere = away(room)
    offered = await moderator.autocomplete(elsewhere, "table cancel", "table", "")
    assert [choice["value"] for choice in offered] == [table.id]
    hide(room, moderator)
    assert await moderator.autocomplete(elsewhere, "table cancel", "table", "") == []
    refused = await moderator.slash(elsewhere, "table cancel", table=table.id)
    assert say("refused.no_table", table=table.id) in said(refused.response)
    mine = await room.ann.slash(elsewhere, "table cancel", table=table.id)
    assert say("refused.no_table", table=table.id) not in said(mine.response)


async def test_a_night_is_listed_for_those_who_see_its_channel(room: Any) -> None:
    await planned(room)
    hide(room, room.cleo)
    elsewhere = away(room)
    night = await the_night(room)
    assert str(night.channel_id) in said((await room.ben.slash(elsewhere, "night list")).response)
    assert say("night.none") in said((await room.cleo.slash(elsewhere, "night list")).response)


async def test_a_night_keeps_no_seat_for_who_cannot_see_it(room: Any) -> None:
    message = await planned(room)
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message)
    hide(room, room.ben)
    await at(room, (await the_night(room)).starts_at)
    table = await kept_for(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "cleo"]


async def test_a_tournament_is_offered_to_those_who_see_its_channel(room: Any) -> None:
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="probe")
    hide(room, room.cleo)
    elsewhere = away(room)
    assert await room.cleo.autocomplete(elsewhere, "tournament join", "number", "") == []
    for command in ("tournament join", "tournament bracket"):
        refused = await room.cleo.slash(elsewhere, command, number=1)
        assert say("refused.no_tournament", tournament=1) in said(refused.response)
    assert await room.ben.autocomplete(elsewhere, "tournament join", "number", "") != []
    await room.ben.slash(room.channel, "tournament join", number=1)
    hide(room, room.ben)
    seen = await room.ben.slash(elsewhere, "tournament bracket", number=1)
    assert "Autumn cup" in said(seen.response), "who takes part reads on"


@pytest.mark.parametrize("pings", ["mention", "direct", "none"])
async def test_who_cannot_see_the_table_any_more_is_written_to_without_a_link(room: Any, pings: str) -> None:
    await dealt(room)
    table = the_table(room)
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings=pings), 0)
    hide(room, room.ben)
    before = len(room.env.http_requests)
    publisher = room.bot.app.service(TablePublisher)
    await publisher.tell(table, [room.ben.id], lambda say: say("clock.nudge", table=table.id))
    assert called(room, before) == set()
    letters = [text for user, text in written(room) if user == room.ben.id]
    assert len(letters) == (pings != "none")
    for letter in letters:
        assert say("table.out_of_sight") in letter
        assert "discord.com/channels" not in letter


async def test_who_sees_the_table_gets_its_link(room: Any) -> None:
    await dealt(room)
    table = the_table(room)
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="direct"), 0)
    publisher = room.bot.app.service(TablePublisher)
    await publisher.tell(table, [room.ben.id], lambda say: say("clock.nudge", table=table.id))
    ((_, letter),) = written(room)
    assert say("table.out_of_sight") not in letter


async def test_discord_is_asked_once_for_many_and_seldom(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """People who are unknown then count as people who see the channel."""
    members = room.bot.app.service(TablePublisher).members
    asked = list[list[int]]()
    guild = room.bot.get_guild(room.guild.id)
    query = type(guild).query_members

    async def query_members(self: Any, **how: Any) -> Any:
        asked.append(list(how["user_ids"]))
        return await query(self, **how)

    monkeypatch.setattr(type(guild), "query_members", query_members)
    hide(room, room.ben)
    people = [room.ann.id, room.ben.id, room.cleo.id]
    for _ in range(3):
        assert await members.blind(room.guild.id, room.channel.id, people) == {room.ben.id}
    assert asked == [people]
    for n in range(2 * SERVER_BURST):
        await members.blind(room.guild.id, room.channel.id, [1000 + n])
    assert len(asked) == SERVER_BURST
    assert await members.blind(room.guild.id, room.channel.id, [5]) == set()
    members.forget(room.ben.id)
    assert await members.blind(room.guild.id, room.channel.id, [room.ben.id]) == set()
