"""Boards of a server show its members, and asking who they are costs little."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
import pytest

from bot.features.table.publishing.publisher import TablePublisher
from bot.ui.live import members
from bot.ui.live.members import SERVER_BURST
from tests.support.discord.people import play
from tests.support.discord.room_play import posted


async def board(room: Any, who: str = "ann", **options: str) -> Any:
    result = await getattr(room, who).slash(room.channel, "leaderboard", game="atom_duel", **options)
    return result.response


def names(message: Any, *people: Any) -> list[str]:
    """The names of those of these people who are on a board, in the order given."""
    return [who.name for who in people if f"person {who.id}" in str(message.components)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Return the people of each request for members."""
    query, requests = discord.Guild.query_members, list[list[int]]()

    async def noted(guild: discord.Guild, *, user_ids: Sequence[int], **options: Any) -> Any:
        requests.append(list(user_ids))
        return await query(guild, user_ids=list(user_ids), **options)

    monkeypatch.setattr(discord.Guild, "query_members", noted)
    return requests


async def three(room: Any) -> None:
    ann, ben, cleo = room.ann.id, room.ben.id, room.cleo.id
    await play(room, {"people": (cleo, ben), "ranks": (1, 2)}, {"people": (cleo, ann), "ranks": (1, 2)})


async def test_people_who_left_have_no_place(room: Any) -> None:
    await three(room)
    room.guild.remove_member(room.cleo)
    message = await board(room)
    assert names(message, room.ann, room.ben, room.cleo) == ["ann", "ben"]
    assert " 1 person" in str(message.components), "places are counted without her"
    everywhere = await board(room, scope="all")
    assert names(everywhere, room.cleo) == ["cleo"], "a board of all servers has everyone"


async def test_a_shared_board_shows_members_too(room: Any) -> None:
    await three(room)
    room.guild.remove_member(room.cleo)
    message = await board(room)
    await room.ann.click(message, label="Show here")
    assert f"person {room.ben.id}" in posted(room)
    assert f"person {room.cleo.id}" not in posted(room)


async def test_discord_is_asked_once_for_all_and_remembered(room: Any, asked: list[list[int]]) -> None:
    await three(room)
    for _ in range(3):
        await board(room)
    assert [set(users) for users in asked] == [{room.ben.id, room.cleo.id}], "Ann is here: she presses"


async def test_a_board_of_all_servers_asks_for_no_one(room: Any, asked: list[list[int]]) -> None:
    await three(room)
    await board(room, scope="all")
    assert asked == []


async def test_a_request_is_of_bounded_size(room: Any, asked: list[list[int]]) -> None:
    strangers = range(1, 151)
    await play(room, *({"people": (room.ann.id, other), "ranks": (2, 1)} for other in strangers))
    message = await board(room)
    assert [len(users) for users in asked] == [members.AT_ONCE]
    assert f"person {room.ann.id}" in str(message.components)


@pytest.mark.parametrize("trouble", [TimeoutError, RuntimeError, OSError, "unknown server"])
async def test_people_of_whom_nothing_is_known_stay(
    room: Any, monkeypatch: pytest.MonkeyPatch, trouble: Any
) -> None:
    await three(room)
    room.guild.remove_member(room.cleo)

    async def fails(*_: Any, **__: Any) -> None:
        raise trouble("nothing")

    if trouble == "unknown server":
        monkeypatch.setattr(type(room.bot), "get_guild", lambda *_: None)
    else:
        monkeypatch.setattr(discord.Guild, "query_members", fails)
    message = await board(room)
    assert names(message, room.ann, room.ben, room.cleo) == ["ann", "ben", "cleo"]


async def test_an_answer_does_not_wait_long_for_the_members(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(*_: Any, **__: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(members, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(discord.Guild, "query_members", hangs)
    assert await room.bot.app.service(TablePublisher).members.departed(room.guild.id, [5]) == set()


async def test_a_server_is_not_asked_without_a_bound(room: Any, asked: list[list[int]]) -> None:
    known = room.bot.app.service(TablePublisher).members
    for user in range(1, 41):
        await known.departed(room.guild.id, [user])
    assert SERVER_BURST <= len(asked) <= SERVER_BURST + 2
    assert await known.departed(room.guild.id, [1, 39]) == {1}, "unknown people stay"


async def test_both_ways_to_ask_share_what_is_known(room: Any, asked: list[list[int]]) -> None:
    publisher = room.bot.app.service(TablePublisher)
    assert await publisher.members.departed(room.guild.id, [room.ben.id, 5]) == {5}
    assert await publisher.is_member(room.guild.id, room.ben.id) is True
    assert await publisher.is_member(room.guild.id, 5) is False
    assert len(asked) == 1
