"""From /play to a dealt hand, through the real bot."""

from __future__ import annotations

from typing import Any

from tests.support.tables import at_hand


async def test_a_lobby_opens_and_deals(room: Any) -> None:
    result = await room.ann.slash(room.channel, "play", game="probe")
    assert not result.ephemeral
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join")
    table = next(iter(at_hand(room.bot.app.tables).values()))
    assert [s.name for s in table.sitters] == ["ann", "ben"]
    await room.ann.select(lobby, ["random"], custom_id=f"v:add-opponent:{table.id}")
    await room.ann.click(lobby, label="Start")
    assert table.phase == "live"
    result = await room.ann.click(lobby, label="My hand")
    assert result.ephemeral
    await room.ann.click(result.response, label="Bid 2")
    assert table.acts == 2


async def test_a_lobby_asks_only_what_is_open(room: Any) -> None:
    """Solo always has vampiric 3s and 4s, so its lobby says so and has no switch for them."""
    await room.ann.slash(room.channel, "play", game="duel52")
    lobby = room.channel.last_message
    table = next(iter(at_hand(room.bot.app.tables).values()))
    switch = f"v:opt:{table.id}:vampiric"
    assert switch in str(lobby.components)
    await room.ann.select(lobby, ["solo"], custom_id=f"v:opt:{table.id}:variant")
    shown = str(room.channel.last_message.components)
    assert switch not in shown
    assert "heal 1 when they attack and kill" in shown
    assert "3s are traps" not in shown
