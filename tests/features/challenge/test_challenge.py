"""Challenge, in the menu of a person."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.challenge.handlers import answers
from bot.features.play.opening import first_deal
from bot.features.table.lobby.messages import lobby_message
from bot.features.table.publishing.publisher import TablePublisher
from bot.locales import words
from bot.store.prefs import Prefs
from bot.store.servers import Server
from bot.table.people.quotas import Quotas
from bot.ui.components import page
from bot.ui.context import Answer
from tests.support.discord.forging import forge, refusal
from tests.support.discord.keys import part
from tests.support.discord.people import called, challenge
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


def written(room: Any) -> list[str]:
    """All messages of the channel as they stand, from top to bottom."""
    messages = room.env.backend.messages[room.channel.id].values()
    return [f"{message.content}\n{message.components}" for message in messages]


def newest(room: Any) -> Any:
    tables = at_hand(room.bot.tables)
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
    assert not at_hand(room.bot.tables)


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

    async def write_to(user_id: int, *_: object, **__: object) -> bool:
        written.append(user_id)
        return not closed

    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="direct"), 0)
    monkeypatch.setattr(room.bot.app.service(TablePublisher).messenger, "write_to", write_to)
    await challenge(room, room.ann, room.ben)
    assert written == [room.ben.id]
    assert called(room) == ({room.ben.id} if closed else set())


@pytest.mark.parametrize("closed", [False, True])
async def test_so_are_they_who_are_invited(room: Any, monkeypatch: pytest.MonkeyPatch, closed: bool) -> None:
    async def write_to(user_id: int, *_: object, **__: object) -> bool:
        return not closed or user_id != room.ben.id

    for person in (room.ben, room.cleo):
        await room.bot.app.preferences.put(person.id, "x", Prefs(pings="direct"), 0)
    monkeypatch.setattr(room.bot.app.service(TablePublisher).messenger, "write_to", write_to)
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
    assert part("refused.ask_later") in said(again.response)
    assert len(at_hand(room.bot.tables)) == 1


async def test_a_challenge_that_was_refused_may_be_made_again(room: Any) -> None:
    """Ann has as many lobbies as she may; with one closed she challenges Ben at once."""
    room.bot.tables.opener._quotas = Quotas(lobbies_of_person=1)
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
    board, told = list(room.env.backend.messages[thread.id].values())[-2:]
    assert "My hand" in str(board.components)
    assert part("challenge.tell_taken_up").strip() in told.content
    # who still has the lobby before them, and presses there
    await forge(room.cleo, opened.response, f"v:join:{table.id}")
    assert table.stored.channel_id == thread.id


@pytest.mark.parametrize("threads", [False, True])
async def test_a_stop_between_sitting_down_and_dealing_is_made_good_by_the_next_press(
    room: Any, monkeypatch: pytest.MonkeyPatch, threads: bool
) -> None:
    if threads:
        await in_threads(room)
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    with monkeypatch.context() as patch:

        async def stop(*_: Any) -> None:
            raise RuntimeError("the process ends here")

        patch.setattr("bot.features.challenge.handlers.deal_if_complete", stop)
        await room.ben.click(invitation, label="I'm in")
    assert (table.phase, len(table.sitters)) == ("lobby", 2)
    room.bot.app.debouncer._clicked.clear()  # another process has taken over
    await room.ben.click(invitation, label="I'm in")
    await room.env.settle()
    assert table.phase == "live"
    assert any(part("challenge.taken_up").strip() in each for each in written(room))
    assert called(room) == {room.ben.id, room.ann.id}, "the challenger hears of it"


async def test_a_stop_between_dealing_and_its_answer_leaves_a_message_that_answers(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    with monkeypatch.context() as patch:

        async def stop(*_: Any, **__: Any) -> None:
            raise RuntimeError("the process ends here")

        patch.setattr("bot.features.challenge.handlers._answer", stop)
        await room.ben.click(invitation, label="I'm in")
    assert table.phase == "live"
    before = len(room.env.http_requests)
    await room.ben.click(invitation, label="I'm in")
    await room.env.settle()
    shown = str(room.env.backend.get_message(room.channel.id, invitation.id).components)
    assert part("challenge.taken_up").strip() in shown
    assert room.ann.id not in called(room, before), "nothing has happened now"


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
    await table.set_place(room.channel.id + 1, 5, guild_id=table.stored.guild_id)
    await table.cancel("expired")
    await room.env.settle()
    left = str(room.env.backend.messages[room.channel.id][invitation.id].components)
    assert part("challenge.lapsed") in left


async def test_a_lobby_that_closes_while_somebody_is_called_leaves_nothing_to_press(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    notify = Answer.notify

    async def slow(answer: Answer, *args: Any) -> Any:
        sent = await notify(answer, *args)
        await the_table(room).cancel("expired")
        return sent

    monkeypatch.setattr(Answer, "notify", slow)
    await challenge(room, room.ann, room.ben)
    await room.env.settle()
    assert part("challenge.lapsed") in str(written(room))
    assert "I'm in" not in str(written(room))


async def test_the_challenge_is_plain_text_with_its_buttons_below(room: Any) -> None:
    """A phone shows the content of a message in its notification, and nothing of Components V2."""
    await challenge(room, room.ann, room.ben)
    table, invitation = the_table(room), room.channel.last_message
    assert not invitation.flags.components_v2
    told = words("en")("lobby.challenge", host="ann", game="Atom Duel", table=table.id)
    assert invitation.content == f"<@{room.ben.id}> {told}\n-# {words('en')('friendly.counts')}"
    labels = [each.label for row in invitation.components for each in row.children]
    assert labels == ["I'm in", "Not this time", "Go to the table"]
    await room.ben.click(invitation, label="Not this time")
    answered = room.env.backend.messages[room.channel.id][invitation.id]
    assert not answered.content
    assert part("challenge.declined") in str(answered.components)


async def test_a_challenge_of_an_earlier_release_is_still_answered(room: Any) -> None:
    """Such a challenge has the flag of Components V2, which no edit can remove."""
    await challenge(room, room.ann, room.ben)
    table = the_table(room)
    old = page(f"<@{room.ben.id}>, ann challenges you", answers(table, room.ben.id))
    sent = await room.bot.get_channel(room.channel.id).send(view=old.view)
    invitation = room.channel.last_message
    assert invitation.id == sent.id
    await room.ben.click(invitation, label="I'm in")
    await room.env.settle()
    assert table.phase == "live"
    left = str(room.env.backend.messages[room.channel.id][sent.id].components)
    assert part("challenge.taken_up").strip() in left


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


async def test_after_a_challenge_both_begin_as_gently_as_newcomers(room: Any) -> None:
    """Neither of them has chosen the options of a challenge."""
    await challenge(room, room.ann, room.ben)
    table = the_table(room)
    await room.ben.click(room.channel.last_message, label="I'm in")
    gentle = first_deal(table.game.key)
    assert table.phase == "live"
    assert table.stored.options != gentle.options
    for person in (room.ann, room.ben):
        await forge(person, room.channel.last_message, f"v:now:{table.game.key}")
        assert newest(room).stored.options == gentle.options
        levels = [sitter.level for sitter in newest(room).sitters if sitter.user_id is None]
        assert tuple(levels) == gentle.levels
