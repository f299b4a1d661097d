"""From /play to a dealt hand, through the real bot."""

from __future__ import annotations

from typing import Any


async def test_a_lobby_opens_and_deals(room: Any) -> None:
    result = await room.ann.slash(room.channel, "play", game="probe")
    assert not result.ephemeral
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join")
    table = next(iter(room.bot.app.hall.tables.values()))
    assert [s.name for s in table.sitters] == ["ann", "ben"]
    await room.ann.select(lobby, ["random"], custom_id=f"v:add-opponent:{table.id}")
    await room.ann.click(lobby, label="Start")
    assert table.phase == "live"
    result = await room.ann.click(lobby, label="My hand")
    assert result.ephemeral
    await room.ann.click(result.response, label="Bid 2")
    assert table.acts == 2
