"""What is set is remembered as it was set last, whatever was read meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection

from bot.store.backend import migrate
from bot.store.database import Database, StoreError
from bot.store.prefs import Prefs
from bot.store.servers import Server
from bot.ui.preferences import Preferences


class SlowReads(Database):
    """What is read takes its time until it is told."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.told = asyncio.Event()
        self.told.set()
        self.read = asyncio.Event()

    async def read_at_once(self, work: Callable[[Connection], Any]) -> Any:
        found = await super().read_at_once(work)
        self.read.set()
        await self.told.wait()
        return found


@pytest.fixture
async def database(tmp_path: Path) -> Any:
    url = f"sqlite:///{tmp_path / 'v.db'}"
    await migrate.upgrade(url)
    found = SlowReads(url)
    yield found
    await found.close()


async def test_a_setting_that_is_changed_while_it_is_read_stays_changed(database: SlowReads) -> None:
    preferences = Preferences(database)
    database.told.clear()
    reading = asyncio.create_task(preferences.servers.of(70))
    await database.read.wait()
    await preferences.servers.change(70, lambda server: replace(server, clock=60))
    database.told.set()
    await reading
    assert (await preferences.servers.of(70)).clock == 60


async def test_what_another_process_has_changed_meanwhile_is_read_again(database: SlowReads) -> None:
    here, there = Preferences(database), Preferences(database)
    database.told.clear()
    reading = asyncio.create_task(here.servers.of(70))
    await database.read.wait()
    await there.servers.put(70, Server(clock=60))
    here.invalidate("server", 70)
    database.told.set()
    await reading
    assert (await here.servers.of(70)).clock == 60


async def test_what_a_person_prefers_while_it_is_read_stays_so(database: SlowReads) -> None:
    preferences = Preferences(database)
    database.told.clear()
    reading = asyncio.create_task(preferences.of(1))
    await database.read.wait()
    await preferences.change(1, "Ann", lambda prefs: replace(prefs, still=True), 0)
    database.told.set()
    await reading
    assert (await preferences.of(1)).still


async def test_what_was_stored_though_the_answer_was_lost_is_read_again(
    database: SlowReads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings went on in memory as they had been, until they were changed once more."""
    preferences, write = Preferences(database), database.write_at_once
    await preferences.servers.put(70, Server(clock=60))
    await preferences.put(1, "Ann", Prefs(), 0)

    async def lost(work: Callable[[Connection], Any]) -> Any:
        await write(work)
        raise StoreError("unknown", "the answer was lost")

    monkeypatch.setattr(database, "write_at_once", lost)
    with pytest.raises(StoreError):
        await preferences.servers.put(70, Server(clock=120))
    with pytest.raises(StoreError):
        await preferences.change(1, "Ann", lambda prefs: replace(prefs, still=True), 0)
    assert (await preferences.servers.of(70)).clock == 120
    assert (await preferences.of(1)).still
