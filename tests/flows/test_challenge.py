"""Challenge, in the menu of a person."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.locales import words
from bot.store.prefs import Prefs
from bot.store.servers import Server
from bot.tables.quotas import Quotas
from bot.views.context import Answer
from bot.views.lobby import lobby_message
from tests.flows.test_access import said
from tests.flows.test_moving import the_table
from tests.flows.test_views import dealt
from tests.support.forging import forge, refusal
from tests.support.keys import part
from tests.support.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


def called(room: Any, since: int = 0) -> set[int]:
    """Whom the messages of the bot have pinged so far, after so many requests."""
    bodies = [entry.json or {} for entry in room.env.http_requests[since:]]
    data = [body.get("data", body) for body in bodies if isinstance(body, dict)]
    return {
        int(user) for one in data if one for user in (one.get("allowed_mentions") or {}).get("users") or ()
    }


def written(room: Any) -> list[str]:
    """All messages of the channel as they stand, from top to bottom."""
    return [str(message.components) for message in room.env.backend.messages[room.channel.id].values()]


async def challenge(room: Any, by: Any, person: Any) -> Any:
    return await by.context_menu(room.channel, "Challenge", person)


def newest(room: Any) -> Any:
    tables = at_hand(room.bot.app.tables)
    return tables[max(tables)]


async def test_a_lobby_for_two_opens_and_calls_the_other(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    table = the_table(room)
    assert (table.phase, table.stored.terms.access) == ("lobby", "invited")
    invitation = room.channel.last_message
    assert f"<@{room.ben.id}>" in said(invitation)
    assert called(room) == {room.ben.id}
    await room.ben.click(invitation, label="I'm in")
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]


async def test_the_game_is_the_one_that_the_two_last_played(room: Any) -> None:
    await dealt(room, "duel52", variant="quick")
    await challenge(room, room.ben, room.ann)
    table = newest(room)
    assert (table.stored.game, table.stored.options["variant"]) == ("duel52", "quick")
    assert table.stored.host_id == room.ben.id
    # what Ben last played, where the two have never met
    await challenge(room, room.ben, room.cleo)
    assert newest(room).stored.game == "duel52"


async def test_only_what_may_be_opened_here_and_is_for_two(room: Any) -> None:
    await dealt(room, "duel52", variant="quick")
    await room.bot.app.preferences.servers.put(room.guild.id, Server(games=("molecular",)))
    await challenge(room, room.ann, room.ben)
    assert newest(room).stored.game == "molecular"


async def test_neither_bots_nor_oneself(room: Any) -> None:
    result = await challenge(room, room.ann, room.ann)
    assert part("refused.challenge_self") in said(result.response)
    robot = room.guild.add_member(room.env.create_user("robot", bot=True))
    result = await challenge(room, room.ann, robot)
    assert part("refused.challenge_bot") in said(result.response)
    assert not at_hand(room.bot.app.tables)


async def test_who_wants_no_pings_gets_none(room: Any) -> None:
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="none"), 0)
    await challenge(room, room.ann, room.ben)
    assert f"<@{room.ben.id}>" in said(room.channel.last_message)
    assert called(room) == set()


@pytest.mark.parametrize("closed", [False, True])
async def test_who_wants_direct_messages_and_takes_none_is_called_aloud(
    room: Any, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    """Nobody else would tell them: a lobby that waits for them reminds nobody."""
    written: list[int] = []

    async def write_to(user_id: int, *_: object) -> bool:
        written.append(user_id)
        return not closed

    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="direct"), 0)
    monkeypatch.setattr(room.bot.app.publisher, "write_to", write_to)
    await challenge(room, room.ann, room.ben)
    assert written == [room.ben.id]
    assert called(room) == ({room.ben.id} if closed else set())


@pytest.mark.parametrize("closed", [False, True])
async def test_so_are_they_who_are_invited(room: Any, monkeypatch: pytest.MonkeyPatch, closed: bool) -> None:
    async def write_to(user_id: int, *_: object) -> bool:
        return not closed or user_id != room.ben.id

    for person in (room.ben, room.cleo):
        await room.bot.app.preferences.put(person.id, "x", Prefs(pings="direct"), 0)
    monkeypatch.setattr(room.bot.app.publisher, "write_to", write_to)
    lobby = (await room.ann.slash(room.channel, "play", game="atom")).response
    await room.ann.select(lobby, [room.ben, room.cleo], custom_id=f"v:invite:{the_table(room).id}")
    invitation = room.channel.last_message
    assert f"<@{room.ben.id}>" in said(invitation)
    assert called(room) == ({room.ben.id} if closed else set())
    await room.cleo.click(invitation, label="I'm in")
    assert room.cleo.id in the_table(room).people()


async def test_nobody_is_challenged_again_and_again(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    again = await challenge(room, room.ann, room.ben)
    assert part("refused.challenged_already") in said(again.response)
    assert len(at_hand(room.bot.app.tables)) == 1


async def test_a_challenge_that_was_refused_may_be_made_again(room: Any) -> None:
    """Ann has as many lobbies as she may; with one closed she challenges Ben at once."""
    room.bot.app.tables._quotas = Quotas(lobbies_of_person=1)
    await room.ann.slash(room.channel, "play", game="atom")
    refused = await challenge(room, room.ann, room.ben)
    assert words("en")("refused.quota_lobbies", n=1) in said(refused.response)
    await the_table(room).cancel("closed")
    await challenge(room, room.ann, room.ben)
    assert called(room) == {room.ben.id}


async def test_it_is_dealt_as_soon_as_the_other_takes_it_up(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    lobby = written(room)[0]
    assert "1 seat free" in lobby, "it is for two, whatever the game takes"
    assert f"Waiting for <@{room.ben.id}>" in lobby
    assert part("lobby.needs").strip() not in lobby
    await room.ben.click(invitation, label="I'm in")
    assert table.phase == "live"
    await room.env.settle()
    _, taken_up, told = written(room)
    assert part("challenge.taken_up").strip() in taken_up
    assert "custom_id" not in taken_up, "nothing is left to answer"
    assert part("challenge.tell_taken_up").strip() in told
    assert called(room) == {room.ben.id, room.ann.id}


async def test_the_other_may_say_no_and_the_challenger_hears_of_it(room: Any) -> None:
    opened = await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    await room.ben.click(invitation, label="Not this time")
    await room.env.settle()
    assert (table.phase, table.stored.terms.order, table.stored.terms.guests) == ("lobby", (), ())
    lobby, declined, told = written(room)
    assert part("challenge.declined").strip() in declined
    assert "custom_id" not in declined
    assert part("challenge.tell_declined") in told
    assert called(room) == {room.ben.id, room.ann.id}
    # the lobby is as any other by invitation
    assert "Waiting for" not in lobby
    await room.ann.click(opened.response, label="Start with 1 opponent")
    assert table.phase == "live"


@pytest.mark.parametrize("label", ["I'm in", "Not this time"])
async def test_nobody_else_answers(room: Any, label: str) -> None:
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    other = await room.cleo.click(invitation, label=label)
    assert part("refused.challenge_of_other").strip() in said(other.response)
    own = await room.ann.click(invitation, label=label)
    assert part("refused.challenge_own") in said(own.response)
    assert ([each.name for each in table.sitters], table.stored.terms.knocks) == (["ann"], ())
    # a button that was pressed twice, by two windows
    declining = f"v:stay-away:{table.id}:{room.ben.id}"
    await forge(room.ben, invitation, declining)
    again = await forge(room.ben, invitation, declining)
    assert part("refused.challenge_over") in said(again.response)


async def in_threads(room: Any) -> None:
    """Tables of this server open threads."""
    await room.bot.app.preferences.servers.put(room.guild.id, Server(thread=True))


async def test_where_tables_open_threads_it_is_dealt_in_one(room: Any) -> None:
    await in_threads(room)
    opened = await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    await room.ben.click(invitation, label="I'm in")
    await room.env.settle()
    assert table.phase == "live"
    (thread,) = await room.bot.get_guild(room.guild.id).active_threads()
    assert (table.stored.channel_id, thread.parent_id) == (thread.id, room.channel.id)
    lobby, taken_up, *_ = written(room)
    assert thread.mention in lobby
    assert "custom_id" not in lobby, "nothing is left to press"
    assert f"/{thread.id}/{table.stored.message_id}" in taken_up
    assert part("challenge.taken_up").strip() in taken_up
    board, told = [str(each.components) for each in room.env.backend.messages[thread.id].values()][-2:]
    assert "My hand" in board
    assert part("challenge.tell_taken_up").strip() in told
    # who still has the lobby before them, and presses there
    await forge(room.cleo, opened.response, f"v:join:{table.id}")
    assert table.stored.channel_id == thread.id


async def test_where_no_thread_can_be_opened_it_is_dealt_where_the_lobby_stood(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any, **__: Any) -> Any:
        raise refusal(403, 50013)

    await in_threads(room)
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    monkeypatch.setattr(discord.PartialMessage, "create_thread", refuse)
    await room.ben.click(invitation, label="I'm in")
    await room.env.settle()
    assert (table.phase, table.stored.channel_id) == ("live", room.channel.id)
    lobby, taken_up, _told = written(room)
    assert "My hand" in lobby
    assert part("challenge.taken_up").strip() in taken_up


async def test_a_challenge_that_nobody_answers_closes_and_says_why(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    await table.end("cancelled", "expired")
    assert f"<@{room.ben.id}> didn't come in time" in str(lobby_message(table).view.to_components())
    stranger = await room.cleo.click(invitation, label="I'm in")
    assert part("refused.challenge_of_other") in said(stranger.response)
    await room.ben.click(invitation, label="I'm in")
    left = str(room.env.backend.messages[room.channel.id][invitation.id].components)
    assert part("challenge.lapsed") in left
    assert "I'm in" not in left, "nothing is left there to press"


async def test_a_challenge_to_a_table_that_closes_says_so_by_itself(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    assert "I'm in" in str(invitation.components)
    await table.cancel("expired")
    await room.env.settle()
    left = str(room.env.backend.messages[room.channel.id][invitation.id].components)
    assert part("challenge.lapsed") in left
    assert "I'm in" not in left


async def test_it_says_so_where_it_stands_though_its_table_has_moved(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    await table.placed(room.channel.id + 1, 5, guild_id=table.stored.guild_id)
    await table.cancel("expired")
    await room.env.settle()
    left = str(room.env.backend.messages[room.channel.id][invitation.id].components)
    assert part("challenge.lapsed") in left


async def test_a_lobby_that_closes_while_somebody_is_called_leaves_nothing_to_press(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    publicly = Answer.publicly

    async def slow(answer: Answer, *args: Any, **how: Any) -> Any:
        sent = await publicly(answer, *args, **how)
        await the_table(room).cancel("expired")
        return sent

    monkeypatch.setattr(Answer, "publicly", slow)
    await challenge(room, room.ann, room.ben)
    await room.env.settle()
    assert part("challenge.lapsed") in str(written(room))
    assert "I'm in" not in str(written(room))


async def test_a_challenge_that_was_declined_goes_on_to_say_so(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    await room.ben.click(invitation, label="Not this time")
    await table.cancel("expired")
    await room.env.settle()
    left = str(room.env.backend.messages[room.channel.id][invitation.id].components)
    assert part("challenge.declined") in left


async def test_nobody_is_waited_for_whose_seat_was_taken(room: Any) -> None:
    opened = await challenge(room, room.ann, room.ben)
    table = the_table(room)
    await room.cleo.click(opened.response, label="Join or leave")
    await room.env.settle()
    await room.ann.click(room.channel.last_message, label="Let them in")
    await room.env.settle()
    shown = str(lobby_message(table).view.to_components())
    assert "Waiting for" not in shown
    assert "**ann** can start" in shown
