"""Practice is seen by its player alone: in the hand, on every way that opens it, and after a restart."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.table.hand.open_hands import OpenHands
from bot.locales import words
from bot.table.registry import Tables
from tests.support.discord.forging import forge
from tests.support.discord.reviewed_games import BLUNDER, end_of, moral, played
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.games.probe_study import taught
from tests.support.tables.tables import at_hand

say = words("en")
TRY = say("review.try_again")
MODERATING = discord.Permissions(view_channel=True, send_messages=True, manage_messages=True)


@pytest.fixture(autouse=True)
def _taught(monkeypatch: pytest.MonkeyPatch) -> None:
    taught(monkeypatch)


def public(room: Any) -> list[tuple[int, str]]:
    """What everyone can read in the channel."""
    return [(each.id, str(each.components)) for each in room.channel.history()]


async def practice(room: Any) -> tuple[Any, Any, Any]:
    """Practice of Ann from the finished table of Ann and Ben: its table, her hand, and the old table."""
    table, board = await played(room)
    hand = (await room.ann.click(await moral(room, room.ann, board), label=TRY)).response
    await room.env.settle()
    (fresh,) = at_hand(room.bot.tables).values()
    return fresh, hand, table


async def after_a_review(room: Any, table: Any, board: Any) -> Any:
    review = (await forge(room.ann, board, f"v:review:{table.id}")).response
    return (await forge(room.ann, review, f"v:try-again:{table.id}:{BLUNDER}")).response


async def after_the_moral(room: Any, table: Any, board: Any) -> Any:
    return (await room.ann.click(await moral(room, room.ann, board), label=TRY)).response


async def after_a_replay(room: Any, table: Any, board: Any) -> Any:
    shown = (await room.ann.click(board, label=say("replay.open"))).response
    return (await room.ann.click(shown, label=say("replay.play"))).response


async def once_more(room: Any, table: Any, board: Any) -> Any:
    hand = await after_the_moral(room, table, board)
    (fresh,) = at_hand(room.bot.tables).values()
    return (await room.ann.click(await end_of(room, hand, fresh), label=TRY)).response


@pytest.mark.parametrize("way", [after_a_review, after_the_moral, after_a_replay, once_more])
async def test_nothing_of_it_is_posted(room: Any, way: Any) -> None:
    table, board = await played(room)
    await room.env.settle()
    before = public(room)
    hand = await way(room, table, board)
    assert hand.ephemeral
    assert say("review.practice", table=table.id) in said(hand)
    fresh = max(at_hand(room.bot.tables).items())[1]
    assert fresh.stored.terms.practice == table.id
    await end_of(room, hand, fresh)
    await room.env.advance_time(60)
    assert public(room) == before
    assert fresh.stored.message_id is None


@pytest.mark.long
@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize("what", ["hand", "watch", "status", "log", "why", "more", "leave", "close", "end"])
@pytest.mark.parametrize("moderator", [False, True])
async def test_nobody_else_gets_in(room: Any, what: str, moderator: bool) -> None:
    fresh, _, _ = await practice(room)
    person = room.ben
    if moderator:
        role = room.guild.create_role("keepers", permissions=MODERATING)
        person = room.guild.add_member(room.env.create_user("mia"), roles=[role])
    answer = await forge(person, room.channel.last_message, f"v:{what}:{fresh.id}")
    assert answer.ephemeral
    assert said(answer.response) == say("refused.no_table", table=fresh.id)


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize("command", ["table repost", "table cancel", "table leave"])
async def test_no_command_of_others_finds_it(room: Any, command: str) -> None:
    fresh, _, _ = await practice(room)
    before = public(room)
    answer = await room.ben.slash(room.channel, command, table=fresh.id)
    assert said(answer.response) == say("refused.no_table", table=fresh.id)
    unnamed = await room.ben.slash(room.channel, command)
    assert str(fresh.id) not in said(unnamed.response)
    assert public(room) == before


@pytest.mark.simcord(check_errors=False)
async def test_it_cannot_be_posted(room: Any) -> None:
    fresh, _, _ = await practice(room)
    before = public(room)
    answer = await room.ann.slash(room.channel, "table repost", table=fresh.id)
    assert say("refused.practice_private") in said(answer.response)
    assert public(room) == before


async def test_it_is_among_the_own_tables(room: Any) -> None:
    fresh, _, _ = await practice(room)
    await room.ann.slash(room.channel, "play", game="atom")
    mine = said((await room.ann.slash(room.channel, "hand")).response)
    assert f"**{fresh.id}** · Probe · {say('hand.only_you')}" in mine
    assert f"Table {fresh.id}" not in said((await room.ann.slash(room.channel, "games")).response)


async def test_its_hand_works_after_a_restart(room: Any) -> None:
    fresh, hand, _ = await practice(room)
    before, acts = public(room), fresh.acts
    app = room.bot.app
    app.service(Tables).cache.clear()
    app.service(Tables).cache._held.clear()
    app.service(OpenHands).forget(room.ann.id)
    await room.ann.click(hand, label="Pass")
    await room.env.settle()
    found = await app.service(Tables).get(fresh.id)
    assert found is not fresh
    assert found.acts > acts
    assert public(room) == before


async def test_its_hand_has_what_stands_below_other_tables(room: Any) -> None:
    fresh, hand, _ = await practice(room)
    verbs = {each.split(":")[1] for each in custom_ids(hand.components)}
    assert {"why", "log", "more"} <= verbs
    log = (await room.ann.click(hand, label=say("table.log"))).response
    assert log.id == hand.id
    assert log.ephemeral
    hand = (await room.ann.click(log, label=say("hand.back_to"))).response
    more = (await room.ann.click(hand, label=say("table.more"))).response
    assert not any(each.startswith("v:hands-show") for each in custom_ids(more.components))
    paused = (await room.ann.click(more, label=say("pause.label"))).response
    assert fresh.paused
    assert "Your turn" in said((await room.ann.click(paused, label=say("pause.resume"))).response)


async def test_who_leaves_closes_it_and_nobody_is_told(room: Any) -> None:
    fresh, hand, _ = await practice(room)
    before = public(room)
    more = (await room.ann.click(hand, label=say("table.more"))).response
    asked = (await room.ann.click(more, label=say("table.leave"))).response
    await room.ann.click(asked, label=say("leave.yes"))
    await room.env.settle()
    assert fresh.phase == "cancelled"
    assert public(room) == before


async def test_practice_of_an_earlier_release_keeps_its_message(room: Any) -> None:
    fresh, hand, _ = await practice(room)
    other = await room.ann.slash(room.channel, "play", game="atom")
    place = other.response.message
    await fresh.set_place(room.channel.id, place.id, guild_id=room.guild.id)
    await room.ann.click(hand, label="Pass")
    await room.env.advance_time(10)
    shown = next(each for each in room.channel.history() if each.id == place.id)
    assert f"Practice from table {fresh.stored.terms.practice}" in str(shown.components)
    stranger = await forge(room.ben, shown, f"v:watch:{fresh.id}")
    assert say("refused.no_table", table=fresh.id) in said(stranger.response)
