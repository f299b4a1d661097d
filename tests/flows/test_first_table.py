"""From /play to a dealt hand, through the real bot."""

from __future__ import annotations

from typing import Any

from tests.support.discord.lobbies import arrange, choose
from tests.support.tables.tables import at_hand


async def test_a_lobby_opens_and_deals(room: Any) -> None:
    result = await room.ann.slash(room.channel, "play", game="probe")
    assert not result.ephemeral
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    table = next(iter(at_hand(room.bot.tables).values()))
    assert [s.name for s in table.sitters] == ["ann", "ben"]
    await arrange(room.ann, lobby, opponents="1", level="random")
    await room.ann.click(lobby, label="Start")
    assert table.phase == "live"
    result = await room.ann.click(lobby, label="My hand")
    assert result.ephemeral
    await room.ann.click(result.response, label="Bid 2")
    assert table.acts == 2


async def test_a_lobby_tells_what_is_settled(room: Any) -> None:
    """Solo always has vampiric 3s and 4s, whatever the form said of them, so its lobby says so."""
    await room.ann.slash(room.channel, "play", game="duel52")
    lobby = room.channel.last_message
    await choose(room.ann, lobby, variant="solo", vampiric="no")
    shown = str(room.channel.last_message.components)
    assert "Vampiric 3s and 4s" in shown
