"""The channel of a running game is deleted: its players hear how the game goes on elsewhere."""

from __future__ import annotations

from typing import Any

from bot.locales import words
from bot.store.prefs import Prefs
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import said, written

say = words("en")


async def delete_channel(room: Any) -> None:
    room.env.backend.delete_channel(room.channel.id)
    await room.env.settle()
    await room.env.advance_time(5)


async def test_players_of_a_deleted_channel_are_told_and_play_on_elsewhere(room: Any) -> None:
    await dealt(room, rounds="3")
    await delete_channel(room)
    letters = dict(written(room))
    assert set(letters) == {room.ann.id, room.ben.id}
    command = f"/table repost table:{the_table(room).id}"
    assert command in letters[room.ben.id]
    elsewhere = room.guild.create_text_channel("elsewhere")
    await room.ben.slash(elsewhere, "table repost", table=the_table(room).id)
    board = elsewhere.history()[-1]
    assert "Probe" in said(board)
    assert (await room.ann.click(board, label="My hand")).response is not None


async def test_who_wants_no_pings_is_not_written_to(room: Any) -> None:
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="none"), 0)
    await dealt(room, rounds="3")
    await delete_channel(room)
    assert [user for user, _ in written(room)] == [room.ann.id]


async def test_nobody_is_written_to_about_a_lobby(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom")
    await delete_channel(room)
    assert written(room) == []
