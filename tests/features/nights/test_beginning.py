"""A night whose lobby has opened, while something is wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.nights.messages import NightBoard
from bot.features.nights.rows import Guest, Night
from bot.store.database import StoreError


async def test_guests_are_called_though_it_could_not_be_stored_where_the_lobby_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def ensure_posted(_table: Any) -> None:
        raise StoreError("locked", "slow")

    called: list[int] = []

    async def notify(_board: Any, _night: Any, _step: Any, _text: Any, guests: Any, _controls: Any) -> None:
        called.extend(guests)

    publisher: Any = SimpleNamespace(ensure_posted=ensure_posted, outbox=None, messenger=None)
    stored = SimpleNamespace(guild_id=70, channel_id=7, message_id=None, locale="en")
    table: Any = SimpleNamespace(id=5, stored=stored, people=lambda: {1})
    night = Night(
        id=3,
        game="atom",
        seats=2,
        starts_at=0,
        guild_id=70,
        channel_id=7,
        host_id=1,
        locale="en",
        created_at=0,
    )
    guests = [Guest(1, "n1", "yes", 1, 0)]

    monkeypatch.setattr(NightBoard, "_notify", notify)
    await NightBoard(publisher).night_opens(night, table, guests)
    assert called == [1]
