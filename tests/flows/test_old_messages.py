"""Discord hardly lets anybody edit a message that is over an hour old: what goes on moves down."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.tournaments.service import Tournaments
from bot.ui.live import live_message


@pytest.mark.parametrize("too_old", [True, False])
async def test_a_tournament_moves_down_when_its_message_is_old(
    room: Any, monkeypatch: pytest.MonkeyPatch, too_old: bool
) -> None:
    monkeypatch.setattr(live_message, "TOO_OLD_MS", -1 if too_old else 10**15)
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="probe")
    first = room.channel.last_message
    await room.ben.click(first, label="Take part")
    await room.env.settle()
    last = room.channel.last_message
    assert (last.id != first.id) is too_old
    assert "ben" in str(last.components)
    (here,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    assert here.stored.message_id == last.id
    if too_old:
        old = await room.bot.get_partial_messageable(room.channel.id).fetch_message(first.id)
        assert "moved down" in str(old.components)
