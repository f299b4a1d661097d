"""/seek: somebody looks for people, and whoever wants that is called."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.core.backoff import Backoff
from bot.features.seek import rows as seekers
from bot.features.table.publishing import calls
from bot.store.prefs import Prefs
from bot.store.servers import Server
from tests.support.discord.forging import answer_of, double_click, forge, refusal
from tests.support.discord.keys import part
from tests.support.discord.people import MANAGING, called, somebody
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import said, written
from tests.support.tables.tables import at_hand
from tests.support.waiting import until

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


async def wants_calls(room: Any, person: Any, **prefs: Any) -> None:
    """Somebody has pressed **Call me next time**, after a look at the open tables."""
    if prefs:
        await room.bot.app.preferences.put(person.id, "x", Prefs(**prefs), 0)
    shown = await person.slash(room.channel, "games")
    pressed = await person.click(shown.response, custom_id="v:seek-on")
    assert part("seek.is_on") in said(pressed.response)


def roles_called(room: Any, since: int = 0) -> list[int]:
    """The roles that messages have pinged."""
    sent = (entry.json for entry in room.env.http_requests[since:] if isinstance(entry.json, dict))
    mentions = ((each.get("allowed_mentions") or {}).get("roles") or [] for each in sent)
    return [int(role) for roles in mentions for role in roles]


async def test_a_lobby_opens_and_calls_who_wants_that(room: Any) -> None:
    await wants_calls(room, room.ben)
    await wants_calls(room, room.ann)
    await room.ann.slash(room.channel, "seek", game="duel52")
    table = the_table(room)
    assert (table.phase, table.stored.terms.seeks, table.stored.terms.access) == ("lobby", True, "open")
    call = room.channel.last_message
    assert part("seek.call").strip() in said(call)
    assert called(room) == {room.ben.id}, "neither Ann, who looks, nor Cleo, who asked for nothing"
    await room.ben.click(call, label="I'm in")
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]


async def test_a_call_to_a_lobby_that_closes_offers_nothing_to_press(room: Any) -> None:
    await room.ann.slash(room.channel, "seek", game="duel52")
    call, stands = room.channel.last_message, room.env.backend.messages[room.channel.id]
    assert "I'm in" in str(stands[call.id].components)
    await the_table(room).cancel("expired")
    await room.env.settle()
    left = str(stands[call.id].components)
    assert part("seek.lapsed") in left
    assert "I'm in" not in left


async def test_a_call_that_discord_does_not_change_at_once_is_changed_later(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, errors = discord.PartialMessage.edit, [refusal(500, 0), refusal(500, 0)]

    async def unsteady(message: discord.PartialMessage, **parts: Any) -> Any:
        if message.id == call.id and errors:
            raise errors.pop()
        return await edit(message, **parts)

    monkeypatch.setattr(calls, "RETRY", Backoff(first=0.01, retries=3))
    await room.ann.slash(room.channel, "seek", game="duel52")
    call, stands = room.channel.last_message, room.env.backend.messages[room.channel.id]
    monkeypatch.setattr(discord.PartialMessage, "edit", unsteady)
    await the_table(room).cancel("expired")
    await until(lambda: part("seek.lapsed") in str(stands[call.id].components))
    assert errors == []


async def test_the_game_is_the_one_last_played(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom")
    await room.ann.click(room.channel.last_message, label="Start with 3 opponents")
    await room.ann.slash(room.channel, "seek")
    tables = at_hand(room.bot.tables)
    assert tables[max(tables)].stored.game == "atom"


async def test_a_server_is_called_once_an_hour(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its people and its role are the same in each of its channels and threads."""
    role = room.guild.create_role("players", permissions=discord.Permissions(view_channel=True))
    await room.bot.app.preferences.servers.put(room.guild.id, Server(seek_role=role.id))
    await wants_calls(room, room.cleo)
    clock = room.bot.tables.clock
    start = now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    await room.ann.slash(room.channel, "seek", game="duel52")
    assert called(room) == {room.cleo.id}
    assert roles_called(room) == [role.id]
    before = len(room.env.http_requests)
    for name in ("one", "two"):
        room.env.backend.create_thread(room.channel.id, name, room.ben.id)
    places = [room.channel, room.guild.create_text_channel("elsewhere"), *room.channel.threads]
    assert len(places) == 4
    for place in places:
        again = await room.ben.slash(place, "seek", game="duel52")
        told = "".join(map(said, again.followups))
        assert part("seek.too_soon") in told
        assert f"<t:{start // 1000 + 3600}:R>" in told
    assert called(room, before) == set()
    assert roles_called(room, before) == []
    assert len(at_hand(room.bot.tables)) == 5, "the tables stand all the same"
    now += 3_600_000
    await room.cleo.slash(places[1], "seek", game="duel52")
    assert roles_called(room, before) == [role.id]


async def test_each_server_has_an_hour_of_its_own(room: Any) -> None:
    await room.ann.slash(room.channel, "seek", game="duel52")
    other = room.env.create_guild()
    member = other.add_member(room.ann.user)
    answered = await member.slash(other.create_text_channel("there"), "seek", game="duel52")
    assert part("seek.too_soon") not in "".join(map(said, answered.followups))


async def test_the_right_to_call_is_taken_once(room: Any) -> None:
    database, hour = room.bot.app.database, 3_600_000
    assert await database.write_at_once(lambda c: seekers.claim(c, 7, 1000)) == 0
    assert await database.write_at_once(lambda c: seekers.claim(c, 7, 1001)) == 1000 + hour
    assert await database.write_at_once(lambda c: seekers.claim(c, 8, 1001)) == 0
    assert await database.write_at_once(lambda c: seekers.claim(c, 7, 1000 + hour)) == 0


async def test_a_large_server_is_read_from_another_person_on_each_time(room: Any) -> None:
    database = room.bot.app.database
    for user_id in (1, 2, 3, 4, 5):
        await database.write_at_once(lambda c, user_id=user_id: seekers.opt_in(c, 7, user_id, 1))
    for start, people in ((0, [1, 2, 3]), (2, [2, 3, 4]), (4, [4, 5, 1]), (9, [1, 2, 3])):
        assert (
            await database.read_at_once(lambda c, at=start: seekers.of_guild(c, 7, most=3, start=at))
            == people
        )
    assert sorted(await database.read_at_once(lambda c: seekers.of_guild(c, 7, start=4))) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("prefs", [{"pings": "none"}, {"holiday": 9_000_000_000_000}])
async def test_who_wants_no_pings_or_is_on_holiday_is_left_alone(room: Any, prefs: Any) -> None:
    await wants_calls(room, room.ben, **prefs)
    await room.ann.slash(room.channel, "seek", game="duel52")
    assert called(room) == set()


@pytest.mark.parametrize("pings", ["direct", "mention"])
async def test_who_has_left_the_server_is_called_no_more(room: Any, pings: str) -> None:
    for person in (room.ben, room.cleo):
        await wants_calls(room, person, pings=pings)
    room.guild.remove_member(room.ben)
    await room.ann.slash(room.channel, "seek", game="duel52")
    await room.env.settle()
    assert room.ben.id not in {user for user, _ in written(room)}
    assert room.cleo.id in ({user for user, _ in written(room)} or called(room))
    found = await room.bot.app.database.read_at_once(lambda c: seekers.of_guild(c, room.guild.id))
    assert found == [room.cleo.id]


async def test_while_discord_does_not_tell_nobody_is_written_to(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wants_calls(room, room.ben, pings="direct")

    async def refuse(*_: Any, **__: Any) -> Any:
        raise refusal(503, 0)

    for way in ("fetch_member", "query_members"):
        monkeypatch.setattr(discord.Guild, way, refuse)
    await room.ann.slash(room.channel, "seek", game="duel52")
    assert written(room) == []
    found = await room.bot.app.database.read_at_once(lambda c: seekers.of_guild(c, room.guild.id))
    assert found == [room.ben.id], "nor forgotten"


async def test_who_has_enough_of_it_is_called_no_more(room: Any) -> None:
    await wants_calls(room, room.ben)
    shown = await room.ben.slash(room.channel, "games")
    on = await room.ben.click(shown.response, custom_id="v:seek-on")
    off = await room.ben.click(on.response, label="Don't call me any more")
    assert part("seek.is_off") in said(off.response)
    await room.ann.slash(room.channel, "seek", game="duel52")
    assert called(room) == set()


async def test_a_role_that_the_server_names_is_called(room: Any) -> None:
    role = room.guild.create_role("players", permissions=discord.Permissions(view_channel=True))
    await room.bot.app.preferences.servers.put(room.guild.id, Server(seek_role=role.id))
    await room.ann.slash(room.channel, "seek", game="duel52")
    assert f"<@&{role.id}>" in said(room.channel.last_message)
    assert roles_called(room) == [role.id]


async def test_managers_choose_the_role_and_never_everybody(room: Any) -> None:
    manager = somebody(room, "mia", MANAGING)
    role = room.guild.create_role("players", permissions=discord.Permissions(view_channel=True))
    page = (await manager.slash(room.channel, "settings")).response
    page = (await manager.click(page, custom_id="v:server")).response
    page = (await manager.click(page, custom_id="v:server:who")).response
    refused = await forge(manager, page, "v:server-seek", (str(room.guild.id),))
    assert part("refused.seek_everybody") in said(answer_of(refused))
    await forge(room.ann, page, "v:server-seek", (str(role.id),))
    servers = room.bot.app.preferences.servers
    assert (await servers.of(room.guild.id)).seek_role == 0
    page = (await manager.select(page, [role], custom_id="v:server-seek")).response
    assert (await servers.of(room.guild.id)).seek_role == role.id
    await manager.select(page, [], custom_id="v:server-seek")
    assert (await servers.of(room.guild.id)).seek_role == 0


async def test_the_list_shows_who_is_looking(room: Any) -> None:
    await room.ben.slash(room.channel, "play", game="duel52")
    await room.ann.slash(room.channel, "seek", game="atom")
    shown = await room.cleo.click(room.channel.last_message, label="Who is looking?")
    assert shown.ephemeral
    assert "Table 2" in said(shown.response)
    assert "Table 1" not in said(shown.response)
    await room.ann.slash(room.channel, "table cancel", table=2)


async def test_pressing_twice_is_as_pressing_once(room: Any) -> None:
    shown = await room.ben.slash(room.channel, "games")
    await double_click(room.ben, shown.response, "v:seek-on")
    found = await room.bot.app.database.read_at_once(lambda c: seekers.of_guild(c, room.guild.id))
    assert found == [room.ben.id]


async def test_nobody_is_called_for_a_server_that_they_name_themselves(room: Any) -> None:
    """Only a press in the server itself makes somebody hear of it."""
    direct = await room.ben.user.slash("help")
    refused = await forge(room.ben.user, direct.response, f"v:seek-on:{room.guild.id}")
    assert part("refused.need_guild_install") in said(refused.response)
