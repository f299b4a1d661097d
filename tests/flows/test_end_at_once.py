"""The end of a game stands in the channel as soon as in the hands, however quick the game was."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.ui import channel_budget as slots
from tests.support.discord.room_play import dealt, posted, the_table
from tests.support.waiting import until


async def test_the_end_waits_for_no_other_change(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await dealt(room, "atom_duel", level="1")
    table = the_table(room)
    monkeypatch.setattr(room.bot.tables.clock, "sleep", asyncio.sleep)
    monkeypatch.setattr(slots, "SLOT_MS", 3_600_000)
    while await until(lambda: table.waiting() or table.phase == "over") is not True:
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await until(lambda: table.stored.shown == table.stored.edition)
    assert "Game over" in posted(room)
