"""A moderator locks the thread of a table: the bot writes nothing there until it is unlocked."""

from __future__ import annotations

from typing import Any

from bot.features.table.publishing.publisher import TablePublisher
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import said


async def lock(room: Any, thread: Any, locked: bool) -> None:
    room.env.backend.get_channel(thread.id).thread_metadata.locked = locked
    room.env.backend.announce_channel_update(thread.id)
    await room.env.settle()


async def test_a_deleted_message_comes_back_once_its_thread_is_unlocked(room: Any) -> None:
    room.env.backend.create_thread(room.channel.id, "den", room.ben.id)
    await room.env.settle()
    (thread,) = room.channel.threads
    board = (await room.ann.slash(thread, "play", game="atom")).response.message
    await lock(room, thread, True)
    room.env.backend.delete_message(thread.id, board.id)
    app = room.bot.app
    app.service(TablePublisher).show_again(the_table(room))
    await room.env.settle()
    await room.env.advance_time(5)
    assert not thread.history()
    await lock(room, thread, False)
    (again,) = thread.history()
    assert "Atom" in said(again)
