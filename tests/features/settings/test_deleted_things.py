"""Channels and roles in a server's settings that somebody deletes there."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import words
from bot.store.servers import Server
from tests.support.discord.forging import forge
from tests.support.discord.people import MANAGING, somebody
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand, settle

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)


@pytest.fixture
def max_(room: Any) -> Any:
    """Somebody who manages the server."""
    return somebody(room, "max", MANAGING)


async def keep(room: Any, **what: Any) -> None:
    await room.bot.app.preferences.servers.put(room.guild.id, Server(**what))


async def gone_role(room: Any, **what: str) -> int:
    """A role that the settings name for this, and that is deleted then."""
    role = room.guild.create_role("players")
    await keep(room, **{key: value or role.id for key, value in what.items()})
    room.env.backend.delete_role(room.guild.id, role.id)
    await told(room)
    return int(role.id)


async def told(room: Any) -> list[str]:
    """Return the messages that the bot has sent to the owner of the server."""
    for _ in range(3):
        await settle(room.bot.tables)
        await room.env.settle()
    return [str(call.json) for call in room.env.http_requests if "deleted, so it no longer" in str(call.json)]


async def settings(person: Any, room: Any) -> Any:
    shown = (await person.slash(room.channel, "settings")).response
    return (await person.click(shown, custom_id="v:server")).response


async def test_a_deleted_role_that_opens_tables_keeps_nobody_out(room: Any) -> None:
    await gone_role(room, open_by="role", open_role="")
    await room.ann.slash(room.channel, "play", game="probe")
    assert len(at_hand(room.bot.tables)) == 1


async def test_a_refusal_names_no_deleted_role(room: Any) -> None:
    gone = await gone_role(room, close_by="role", close_role="")
    await room.ann.slash(room.channel, "play", game="probe")
    refused = await room.ben.slash(room.channel, "table cancel", table=1)
    assert say("refused.cancel_rights", host=room.ann.id) in said(refused.response)
    assert str(gone) not in said(refused.response)


async def test_if_all_channels_are_deleted_tables_open_everywhere(room: Any) -> None:
    den = room.guild.create_text_channel("den")
    await keep(room, channels=(den.id,))
    refused = await room.ann.slash(room.channel, "play", game="probe")
    assert f"<#{den.id}>" in said(refused.response)
    room.env.backend.delete_channel(den.id)
    await told(room)
    await room.ann.slash(room.channel, "play", game="probe")
    assert len(at_hand(room.bot.tables)) == 1


async def test_seek_calls_no_deleted_role(room: Any) -> None:
    gone = await gone_role(room, seek_role="")
    await room.ann.slash(room.channel, "seek", game="probe")
    await told(room)
    assert not any(f"<@&{gone}>" in str(call.json) for call in room.env.http_requests)


async def test_who_manages_the_server_sees_it_and_removes_it(room: Any, max_: Any) -> None:
    await gone_role(room, open_by="role", open_role="")
    shown = await settings(max_, room)
    line = say("server.gone_line", what=say("server.gone_open_role"))
    assert line in said(shown)
    cleared = (await forge(max_, shown, "v:server-clear")).response
    assert line not in said(cleared)
    kept = await room.bot.app.preferences.servers.of(room.guild.id)
    assert (kept.open_by, kept.open_role, kept.deleted) == ("everybody", 0, ())
    refused = await forge(room.ann, shown, "v:server-clear")
    assert say("refused.server_rights") in said(refused.response)


async def test_the_server_is_told_once(room: Any) -> None:
    await gone_role(room, close_by="role", close_role="")
    (letter,) = await told(room)
    assert say("server.gone_close_role") in letter
    for service in room.bot.app.services:
        service.allowed(room.guild.id)  # as after the next start
    assert await told(room) == [letter]


async def test_a_server_that_the_bot_does_not_know_loses_nothing(room: Any) -> None:
    await keep(room, channels=(5,))
    kept = await room.bot.app.preferences.servers.of(room.guild.id)
    guild = room.bot.get_guild(room.guild.id)
    guild.unavailable = True
    refused = await room.ann.slash(room.channel, "play", game="probe")
    assert "<#5>" in said(refused.response)
    assert kept.channels == (5,)
