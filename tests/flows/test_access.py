"""Tables by invitation and private tables: who may sit down, who sees them, how somebody is let in."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.table.publishing.publisher import TablePublisher
from bot.store.prefs import Prefs
from bot.store.servers import Server
from bot.ui.preferences import Preferences
from tests.support.discord.forging import answer_of, double_click, forge
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange
from tests.support.discord.people import later
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import custom_ids, said

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


async def opened(room: Any, place: str, game: str = "duel52") -> tuple[Any, Any]:
    """A lobby of Ann with such access, and its table."""
    result = await room.ann.slash(room.channel, "play", game=game)
    await arrange(room.ann, result.response.message, place=place)
    return result.response.message, the_table(room)


def names(table: Any) -> list[str]:
    return [sitter.name for sitter in table.sitters]


async def knocking(room: Any, person: Any, lobby: Any) -> Any:
    """Somebody presses Join at a table by invitation; what the host is asked by."""
    asked = await person.click(lobby, label="Join or leave")
    assert part("lobby.knocked").strip() in said(asked.response)
    await room.env.settle()
    return room.channel.last_message


async def test_the_lobby_says_who_may_sit_down(room: Any) -> None:
    lobby, table = await opened(room, "here-invited")
    assert table.stored.terms.access == "invited"
    assert part("lobby.by_invitation") in said(room.channel.last_message)
    await arrange(room.ann, lobby, place="private")
    assert part("lobby.private") in said(room.channel.last_message)
    await arrange(room.ann, lobby, place="here")
    assert "Private" not in said(room.channel.last_message)
    await room.ben.click(lobby, label="Join or leave")
    assert names(table) == ["ann", "ben"]


async def test_the_host_lets_somebody_in_with_one_press(room: Any) -> None:
    lobby, table = await opened(room, "here-invited")
    question = await knocking(room, room.ben, lobby)
    assert names(table) == ["ann"]
    assert f"<@{room.ann.id}>" in said(question)
    refused = await room.cleo.click(question, label="Let them in")
    assert part("refused.host_only") in said(refused.response)
    await room.ben.click(lobby, label="Join or leave")
    await room.env.settle()
    assert room.channel.last_message.id == question.id, "nobody is asked twice"
    await room.ann.click(question, label="Let them in")
    assert names(table) == ["ann", "ben"]
    assert table.sitters[1].entropy is not None
    await room.env.settle()
    assert part("lobby.you_are_in").strip(": ") in said(room.channel.last_message)


async def test_the_host_may_say_no(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby, table = await opened(room, "here-invited")
    question = await knocking(room, room.ben, lobby)
    await room.ann.click(question, label="Not this time")
    assert names(table) == ["ann"]
    assert table.stored.terms.knocks == ()
    room.bot.app.debouncer._clicked.clear()  # much later, not a double click
    refused = await room.ben.click(lobby, label="Join or leave")
    assert part("refused.ask_later") in said(refused.response)
    later(room, monkeypatch, 3)
    assert await knocking(room, room.ben, lobby), "they may ask again after a while"


async def test_the_next_host_is_asked_again(room: Any) -> None:
    lobby, table = await opened(room, "here-invited", game="atom")
    await room.ann.click(await knocking(room, room.ben, lobby), label="Let them in")
    asked = await knocking(room, room.cleo, lobby)
    question = (await room.ann.click(lobby, label="Join or leave")).response
    await room.ann.click(question, custom_id=f"v:stand:{table.id}")
    await room.env.settle()
    again = room.channel.last_message
    assert again.id != asked.id
    assert f"<@{room.ben.id}>" in said(again)
    await room.ben.click(again, label="Let them in")
    assert names(table) == ["ben", "cleo"]


async def test_two_presses_at_once_seat_somebody_once(room: Any) -> None:
    lobby, table = await opened(room, "here-invited")
    question = await knocking(room, room.ben, lobby)
    await double_click(room.ann, question, f"v:let-in:{table.id}:{room.ben.id}")
    assert names(table) == ["ann", "ben"]


async def test_a_host_who_wants_direct_messages_answers_there(room: Any) -> None:
    preferences = Preferences(room.bot.app.database)
    await preferences.put(room.ann.id, "ann", Prefs(pings="direct"), 0)
    room.bot.app.preferences.forget(room.ann.id)
    lobby, table = await opened(room, "here-invited")
    before = room.channel.last_message.id
    await room.ben.click(lobby, label="Join or leave")
    await room.env.settle()
    assert room.channel.last_message.id == before, "nothing is said in the channel"
    dm = await room.ann.user.slash("help")
    await forge(room.ann.user, dm.response, f"v:let-in:{table.id}:{room.ben.id}")
    assert names(table) == ["ann", "ben"]


@pytest.mark.parametrize("place", ["here-invited", "private"])
async def test_who_is_invited_sits_down_at_once(room: Any, place: str) -> None:
    lobby, table = await opened(room, place, "atom")
    sent = answer_of(await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}"))
    await room.ben.click(sent, label="I'm in")
    assert names(table) == ["ann", "ben"]
    refused = await room.ben.select(lobby, [room.cleo], custom_id=f"v:invite:{table.id}")
    assert part("refused.host_only") in said(answer_of(refused)), "a guest invites nobody"


@pytest.mark.parametrize("place", ["here-invited", "private"])
async def test_an_invitation_to_a_lobby_that_closes_offers_nothing_to_press(room: Any, place: str) -> None:
    lobby, table = await opened(room, place)
    sent = answer_of(await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}"))
    stands = room.env.backend.messages[room.channel.id]
    assert "I'm in" in str(stands[sent.id].components)
    await table.cancel("expired")
    await room.env.settle()
    left = str(stands[sent.id].components)
    assert part("lobby.invitation_lapsed") in left
    assert "I'm in" not in left


async def test_an_invitation_from_before_a_restart_says_so_when_it_is_pressed(room: Any) -> None:
    lobby, table = await opened(room, "here-invited")
    sent = answer_of(await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}"))
    room.bot.app.service(TablePublisher).calls._calls.clear()  # as a restart does
    await table.cancel("expired")
    await room.env.settle()
    stands = room.env.backend.messages[room.channel.id]
    assert "I'm in" in str(stands[sent.id].components)
    forged = await forge(room.ben, lobby, f"v:come:{table.id}")
    assert part("refused.closed") in said(forged.response), "no other message is changed by it"
    await room.ben.click(sent, label="I'm in")
    left = str(stands[sent.id].components)
    assert part("lobby.invitation_lapsed") in left
    assert "I'm in" not in left


async def test_the_invited_one_from_another_server_does_not_sit_down_there(room: Any) -> None:
    lobby, table = await opened(room, "private")
    await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}")
    guild = room.env.create_guild()
    ben = guild.add_member(room.ben.user)
    standing = (await ben.slash(guild.create_text_channel("away"), "help")).response
    refused = await forge(ben, standing, f"v:come:{table.id}")
    assert part("refused.no_table") in said(refused.response)
    assert names(table) == ["ann"]


async def test_strangers_neither_join_nor_watch_a_private_table(room: Any) -> None:
    lobby, table = await opened(room, "private")
    refused = await room.cleo.click(lobby, label="Join or leave")
    assert part("refused.private_table") in said(refused.response)
    listed = await room.cleo.slash(room.channel, "games")
    assert f"Table {table.id}" not in said(listed.response)
    assert f"Table {table.id}" in said((await room.ann.slash(room.channel, "games")).response)
    await room.ann.click(lobby, label="Start with 1 opponent")
    for verb in ("status", "log", "why"):
        refused = await forge(room.cleo, lobby, f"v:{verb}:{table.id}")
        assert part("refused.private_table") in said(refused.response), verb
        seen = await forge(room.ann, lobby, f"v:{verb}:{table.id}")
        assert part("refused.private_table") not in said(seen.response), verb


async def test_a_private_table_is_played_in_a_private_thread(room: Any) -> None:
    lobby, table = await opened(room, "private")
    sent = answer_of(await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}"))
    await room.ben.click(sent, label="I'm in")
    await room.ann.click(lobby, label="Start")
    await room.env.settle()
    assert table.phase == "live"
    thread = room.env.backend.channels[table.stored.channel_id]
    assert thread.id != room.channel.id
    assert thread.type == discord.ChannelType.private_thread.value


async def test_without_the_right_a_private_table_stays_in_view_and_says_so(room: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        have = discord.Permissions.all()
        have.update(create_private_threads=False)
        patch.setattr(discord.Interaction, "app_permissions", have)
        lobby, table = await opened(room, "private")
    assert table.stored.terms.access == "private"
    assert not table.stored.terms.thread
    assert part("lobby.private_here") in said(room.channel.last_message)
    await room.ann.click(lobby, label="Start with 1 opponent")
    assert table.stored.channel_id == room.channel.id


async def test_tables_begin_private_where_the_server_says_so(room: Any) -> None:
    server = Server(thread=True, access="private")
    await room.bot.app.preferences.servers.put(room.guild.id, server)
    await room.ann.slash(room.channel, "play", game="duel52")
    assert the_table(room).stored.terms.access == "private"
    direct = await room.ann.user.slash("play", game="duel52")
    assert "v:join" in "".join(custom_ids(direct.response.components))


async def test_a_form_with_an_unknown_place_changes_nothing(room: Any) -> None:
    lobby, table = await opened(room, "here-invited")
    refused = await forge(room.ann, lobby, f"v:arrange:{table.id}:0:steady:0:attic:yes")
    assert part("refused.not_a_button") in said(refused.response)
    assert table.stored.terms.access == "invited"
