"""People with whom someone does not want to play: the list, and everything that it keeps apart."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.features.blocking.handlers import PER_PAGE
from bot.features.nights import rows as nights
from bot.locales import words
from bot.store import contacts
from bot.store.contacts import MOST_BLOCKED
from tests.support.discord.asking import REQUESTS, ask, scene
from tests.support.discord.forging import forge
from tests.support.discord.keys import part
from tests.support.discord.nights import at, comes, kept_for, planned, the_night
from tests.support.discord.people import called, newest
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about
say = words("en")
SEATED_APART = say("refused.no_seat_now")


async def block(room: Any, by: Any, other: Any) -> Any:
    asked = await by.context_menu(room.channel, say("block.name"), other)
    return await by.click(asked.response, label=say("block.yes"))


async def blocked_of(room: Any, person: Any) -> list[int]:
    found, _ = await room.bot.app.database.read_at_once(lambda c: contacts.blocked(c, person.id, 200))
    return list(found)


# -- the menu and the list -----------------------------------------------------------------------


async def test_blocking_asks_first_and_tells_no_one(room: Any) -> None:
    asked = await room.ben.context_menu(room.channel, say("block.name"), room.ann)
    assert asked.ephemeral
    assert f"<@{room.ann.id}>" in said(asked.response)
    assert await blocked_of(room, room.ben) == []
    kept = await room.ben.click(asked.response, label=say("block.keep"))
    assert say("block.kept") in said(kept.response)
    assert await blocked_of(room, room.ben) == []
    before = len(room.env.http_requests)
    done = await block(room, room.ben, room.ann)
    assert part("block.done").strip() in said(done.response)
    assert await blocked_of(room, room.ben) == [room.ann.id]
    assert called(room, before) == set()
    assert not room.channel.history()


async def test_the_menu_offers_to_unblock(room: Any) -> None:
    await block(room, room.ben, room.ann)
    asked = await room.ben.context_menu(room.channel, say("block.name"), room.ann)
    assert part("block.already").strip() in said(asked.response)
    done = await room.ben.click(asked.response, label=say("block.unblock"))
    assert part("block.undone").strip() in said(done.response)
    assert await blocked_of(room, room.ben) == []


async def test_neither_bots_nor_oneself_nor_more_than_a_hundred(room: Any) -> None:
    robot = room.guild.add_member(room.env.create_user("robot", bot=True))
    for other, key in ((room.ben, "block_self"), (robot, "block_bot")):
        refused = await room.ben.context_menu(room.channel, say("block.name"), other)
        assert say(f"refused.{key}") in said(refused.response)
    shown = await room.ben.context_menu(room.channel, say("block.name"), room.ann)
    forged = await forge(room.ben, shown.response, f"v:block:{room.ben.id}")
    assert say("refused.block_self") in said(forged.response)

    def fill(connection: Any) -> None:
        for other in range(1, MOST_BLOCKED + 1):
            contacts.block(connection, room.ben.id, other, other)

    await room.bot.app.database.write_at_once(fill)
    refused = await block(room, room.ben, room.ann)
    assert say("refused.block_full", n=MOST_BLOCKED) in said(refused.response)


async def test_the_list_is_in_the_settings_by_pages(room: Any) -> None:
    shown = (await room.ben.slash(room.channel, "settings")).response
    empty = await room.ben.click(shown, label=say("block.open"))
    assert say("block.none") in said(empty.response)
    people = [room.guild.add_member(room.env.create_user(f"person{n}")) for n in range(PER_PAGE + 1)]

    def fill(connection: Any) -> None:
        for number, person in enumerate(people):
            contacts.block(connection, room.ben.id, person.id, number)

    await room.bot.app.database.write_at_once(fill)
    shown = (await room.ben.slash(room.channel, "settings")).response
    first = (await room.ben.click(shown, label=say("block.open"))).response
    assert len(re.findall(r"<@\d+>", said(first))) == PER_PAGE
    assert f"<@{people[-1].id}>" in said(first)
    second = (await room.ben.click(first, custom_id="v:blocked:1:f")).response
    assert re.findall(r"<@(\d+)>", said(second)) == [str(people[0].id)]
    back = await room.ben.click(second, custom_id=f"v:unblock:{people[0].id}:1")
    assert len(re.findall(r"<@\d+>", said(back.response))) == PER_PAGE, "the last page is gone"
    assert len(await blocked_of(room, room.ben)) == PER_PAGE
    again = await room.ben.click(back.response, label=say("settings.mine"))
    assert say("block.open") in str(again.response.components)


# -- what it keeps apart -------------------------------------------------------------------------


def refusal_in(read: str) -> list[str]:
    """The line that refuses a request, without its time."""
    return [re.sub(r"t:\d+", "", line) for line in read.splitlines() if part("refused.ask_later") in line]


@pytest.mark.parametrize("kind", REQUESTS)
async def test_no_request_reaches_who_blocked_the_asker(room: Any, kind: str) -> None:
    here = await scene(room)
    await block(room, room.ben, room.ann)
    reached, read = await ask(here, kind)
    assert not reached
    if kind == "seek":
        assert part("seek.nobody").strip() in read, "as where no one wants to be called"
        return
    assert part("refused.ask_later") in read
    blocked = read
    await room.bot.app.database.write_at_once(lambda c: contacts.unblock(c, room.ben.id, room.ann.id))
    _, read = await ask(here, kind)
    assert refusal_in(read) == refusal_in(blocked), "as where it is too early"


@pytest.mark.parametrize("kind", REQUESTS)
async def test_no_request_of_the_blocker_reaches_whom_they_blocked(room: Any, kind: str) -> None:
    here = await scene(room)
    await block(room, room.ann, room.ben)
    reached, read = await ask(here, kind)
    assert not reached
    if kind != "seek":
        assert part("refused.you_blocked").strip(" .") in read


async def test_a_blocked_person_finds_no_seat_by_any_button(room: Any) -> None:
    await block(room, room.ben, room.ann)
    await room.ben.slash(room.channel, "seek", game="duel52")
    table = the_table(room)
    call = room.channel.last_message
    lobby = next(each for each in room.channel.history() if each.id == table.stored.message_id)
    for message, label in ((lobby, "Join or leave"), (call, "I'm in")):
        refused = await room.ann.click(message, label=label)
        assert SEATED_APART in said(refused.response)
    for verb in ("join", "come"):
        refused = await forge(room.ann, lobby, f"v:{verb}:{table.id}")
        assert SEATED_APART in said(refused.response), verb
    assert table.people() == [room.ben.id]
    reminded = await room.ben.slash(room.channel, "games")
    assert f"Table {table.id}" in said(reminded.response)
    listed = await room.ann.slash(room.channel, "games")
    assert said(listed.response) == said(reminded.response), "the lists are the same"


async def test_a_challenge_and_an_invitation_from_before_lead_nowhere(room: Any) -> None:
    await room.ben.context_menu(room.channel, "Challenge", room.ann)
    challenge, table = room.channel.last_message, newest(room)
    await block(room, room.ben, room.ann)
    refused = await room.ann.click(challenge, label="I'm in")
    assert SEATED_APART in said(refused.response)
    assert (table.phase, table.people()) == ("lobby", [room.ben.id])


async def test_a_rematch_of_the_blocker_seats_no_one_they_blocked(room: Any) -> None:
    here = await scene(room)
    opened = await room.ben.click(here.board, label="Play again")
    fresh = newest(room)
    await block(room, room.ben, room.ann)
    for message, label in ((here.board, "Play again"), (opened.response, "Join or leave")):
        refused = await room.ann.click(message, label=label)
        assert SEATED_APART in said(refused.response), label
    assert fresh.people() == [room.ben.id]


async def test_an_invitation_goes_to_the_others_and_says_who_got_none(room: Any) -> None:
    await block(room, room.ben, room.ann)
    lobby = (await room.ann.slash(room.channel, "play", game="atom")).response
    table, before = newest(room), len(room.env.http_requests)
    sent = await room.ann.select(lobby, [room.ben, room.cleo], custom_id=f"v:invite:{table.id}")
    assert called(room, before) == {room.cleo.id}
    assert table.stored.terms.guests == (room.cleo.id,)
    (told,) = [each for each in sent.followups if part("refused.ask_later") in said(each)]
    assert f"<@{room.ben.id}>" in said(told)
    assert f"<@{room.cleo.id}>" not in said(told)


async def test_the_host_counts_where_someone_else_invites(room: Any) -> None:
    await block(room, room.cleo, room.ben)
    lobby = (await room.ben.slash(room.channel, "play", game="atom")).response
    await room.ann.click(lobby, label="Join or leave")
    refused = await room.ann.select(lobby, [room.cleo], custom_id=f"v:invite:{newest(room).id}")
    assert part("refused.ask_later") in said(refused.followups[0])


async def test_a_night_of_the_blocker_takes_no_answer_but_a_no(room: Any) -> None:
    message = await planned(room)
    await comes(room, room.ben, message)
    await block(room, room.ann, room.ben)
    await block(room, room.cleo, room.ann)
    for label in ("Yes", "Maybe"):
        refused = await room.ben.click(message, label=label)
        assert SEATED_APART in said(refused.response)
        refused = await room.cleo.click(message, label=label)
        assert part("refused.you_blocked").strip(" .") in said(refused.response)
    await comes(room, room.ben, message, "No")
    answers = await room.bot.app.database.read_at_once(lambda c: nights.guests(c, 1))
    assert {each.user_id: each.answer for each in answers} == {room.ann.id: "yes", room.ben.id: "no"}


async def test_the_lobby_of_a_night_keeps_no_seat_for_who_is_blocked_by_then(room: Any) -> None:
    message = await planned(room)
    for person in (room.ben, room.cleo):
        await comes(room, person, message)
    await block(room, room.ann, room.ben)
    before = len(room.env.http_requests)
    await at(room, (await the_night(room)).starts_at + 1)
    table = await kept_for(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "cleo"]
    assert room.ben.id not in called(room, before)
    assert len(at_hand(room.bot.tables)) == 1


async def test_no_button_of_the_list_is_shown_to_others(room: Any) -> None:
    await block(room, room.ben, room.ann)
    shown = (await room.ann.slash(room.channel, "settings")).response
    mine = await forge(room.ann, shown, "v:blocked:0")
    assert say("block.none") in said(mine.response)
    assert not [each for each in custom_ids(mine.response.components) if "unblock" in each]
