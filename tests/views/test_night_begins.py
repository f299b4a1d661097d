"""A night whose lobby has opened, while something is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from bot.store.database import StoreError
from bot.store.nights import Guest, Night
from bot.views.nights import NightBoard


async def test_guests_are_called_though_it_could_not_be_stored_where_the_lobby_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def stand(_table: Any) -> None:
        raise StoreError("locked", "slow")

    called: list[int] = []

    async def call(_board: Any, _night: Night, _text: str, guests: list[Guest], _controls: Any) -> None:
        called.extend(guest.user_id for guest in guests)

    publisher: Any = SimpleNamespace(stand=stand, outbox=None)
    stored = SimpleNamespace(guild_id=70, channel_id=7, message_id=None)
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

    @asynccontextmanager
    async def as_it_is(_night_id: int) -> AsyncIterator[tuple[Night, list[Guest]]]:
        yield night, guests

    async def still() -> bool:
        return True

    monkeypatch.setattr(NightBoard, "_call", call)
    await NightBoard(publisher)._begin(night, table, guests, as_it_is, still)
    assert called == [1]
