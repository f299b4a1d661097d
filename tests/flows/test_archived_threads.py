"""The thread of a game that continues is opened again if nobody wrote there for long, and only then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.store.servers import Server
from bot.table.table import PAUSED
from tests.support.discord.room_play import dealt, play_out, the_table

MINUTE, DAY = 60_000, 86_400_000
WEEK = 7 * DAY


def iso(at: int) -> str:
    return discord.utils.snowflake_time(snowflake(at)).isoformat()


def snowflake(at: int) -> int:
    return (at - discord.utils.DISCORD_EPOCH) << 22


@pytest.fixture
def opened(room: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The threads that the bot opened again."""
    found: list[int] = []
    edit = discord.Thread.edit

    async def noted(thread: discord.Thread, **changes: Any) -> Any:
        found.append(thread.id)
        return await edit(thread, **changes)

    monkeypatch.setattr(discord.Thread, "edit", noted)
    return found


async def in_thread(room: Any) -> Any:
    """A game of Ann and Ben in a thread of its own; the thread as Discord has it."""
    await room.bot.app.preferences.servers.put(room.guild.id, Server(thread=True))
    await dealt(room, rounds="3")
    await room.env.settle()
    return room.env.backend.get_channel(the_table(room).stored.channel_id)


async def update(room: Any, thread: Any, **metadata: Any) -> None:
    for key, value in metadata.items():
        setattr(thread.thread_metadata, key, value)
    room.env.backend.announce_channel_update(thread.id)
    await room.env.settle()


async def archive(
    room: Any, thread: Any, *, quiet: int = WEEK, opened: int = WEEK, locked: bool = False
) -> None:
    """Archive a thread in which the last message is `quiet` milliseconds old, and which was opened `opened`
    milliseconds ago."""
    now = room.bot.tables.clock.now()
    thread.last_message_id = snowflake(now - quiet)
    await update(room, thread, archived=False, archive_timestamp=iso(now - opened))
    await update(room, thread, archived=True, archive_timestamp=iso(now), locked=locked)


async def test_after_a_week_without_messages_it_is_opened_once(room: Any, opened: list[int]) -> None:
    thread = await in_thread(room)
    await archive(room, thread)
    assert opened == [thread.id]
    assert not thread.thread_metadata.archived


async def test_it_is_opened_after_each_archiving(room: Any, opened: list[int]) -> None:
    thread = await in_thread(room)
    await archive(room, thread)
    await archive(room, thread, quiet=2 * WEEK)
    assert opened == [thread.id] * 2


async def test_other_changes_of_an_archived_thread_do_not_open_it(room: Any, opened: list[int]) -> None:
    thread = await in_thread(room)
    await archive(room, thread, locked=True)
    await update(room, thread, locked=False)
    assert opened == []


@pytest.mark.parametrize("when", [{"quiet": DAY}, {"quiet": 2 * WEEK, "opened": MINUTE}])
async def test_a_person_who_archives_it_has_their_way(
    room: Any, opened: list[int], when: dict[str, int]
) -> None:
    """The week counts from the last message, and from when the bot opened the thread."""
    thread = await in_thread(room)
    await archive(room, thread, **when)
    assert opened == []
    assert thread.thread_metadata.archived


async def test_a_short_time_of_its_own_counts(room: Any, opened: list[int]) -> None:
    thread = await in_thread(room)
    thread.thread_metadata.auto_archive_duration = 60
    await archive(room, thread, quiet=DAY, opened=DAY)
    assert opened == [thread.id]


async def test_a_locked_thread_stays_archived(room: Any, opened: list[int]) -> None:
    thread = await in_thread(room)
    await archive(room, thread, locked=True)
    assert opened == []


@pytest.mark.parametrize("how", ["over", "asleep", "paused", "closed", "moved"])
async def test_nobody_needs_the_thread(room: Any, opened: list[int], how: str) -> None:
    thread, table = await in_thread(room), the_table(room)
    if how == "over":
        await play_out(room)
    elif how == "asleep":
        await table.sleep("")
    elif how == "paused":
        await table.sleep(PAUSED)
    elif how == "closed":
        await table.cancel("unseen")
    else:
        await table.set_place(room.channel.id, None, guild_id=room.guild.id)
    await room.env.settle()
    await archive(room, thread)
    assert opened == []
    assert thread.thread_metadata.archived


async def test_a_thread_without_a_table_stays_archived(room: Any, opened: list[int]) -> None:
    made = room.env.backend.create_thread(room.channel.id, "den", room.ben.id)
    await room.env.settle()
    await archive(room, made)
    assert opened == []


async def test_a_lobby_does_not_keep_a_thread_open(room: Any, opened: list[int]) -> None:
    made = room.env.backend.create_thread(room.channel.id, "den", room.ben.id)
    await room.env.settle()
    (thread,) = room.channel.threads
    await room.ann.slash(thread, "play", game="atom")
    await archive(room, made)
    assert opened == []


async def test_a_match_that_waits_for_its_players_keeps_its_thread_open(room: Any, opened: list[int]) -> None:
    made = room.env.backend.create_thread(room.channel.id, "den", room.ben.id)
    await room.env.settle()
    (thread,) = room.channel.threads
    await room.ann.slash(thread, "play", game="atom")
    stored = the_table(room).stored
    stored.terms = replace(stored.terms, tournament=1, match="final")
    await archive(room, made)
    assert opened == [made.id]


async def test_without_the_permission_it_is_tried_once_and_stays_archived(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread, tried = await in_thread(room), list[bool]()

    async def refused(_thread: discord.Thread, **_changes: Any) -> None:
        tried.append(True)
        response: Any = type("Response", (), {"status": 403, "reason": "Forbidden"})()
        raise discord.Forbidden(response, {"code": 50001, "message": "Missing Access"})

    monkeypatch.setattr(discord.Thread, "edit", refused)
    await archive(room, thread)
    assert tried == [True]
    assert thread.thread_metadata.archived
