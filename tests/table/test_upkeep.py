"""What is looked after once an hour is tried again soon where the database does not answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.store.database import Fenced, StoreError
from bot.table import lobby
from bot.table.people import consent
from tests.support.tables.tables import close_tables, new_table, opened_tables, settle


async def test_a_round_that_the_database_fails_stays_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    read = tables.database.read_at_once

    async def silent(_work: Callable[..., Any]) -> Any:
        raise StoreError("gone", "no answer", doubtful=True)

    monkeypatch.setattr(tables.database, "read_at_once", silent)
    upkeep = tables.runtime.scheduler.loops["upkeep"]
    clock.move(60)
    await settle(tables)
    assert upkeep.why == "gone"
    assert upkeep.due_at <= clock.monotonic() + 60
    monkeypatch.setattr(tables.database, "read_at_once", read)
    clock.move(60)
    await settle(tables)
    assert upkeep.why == ""
    assert upkeep.due_at > clock.monotonic() + 3500
    await close_tables(tables)


async def test_a_pause_outlives_that_the_bot_leaves_a_server_and_comes_back(tmp_path: Path) -> None:
    """Heard of twice, as after a lost connection; what only slept wakes by a press, as before."""
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    paused, asleep = [await new_table(tables, people=[1], opponents=1) for _ in range(2)]
    for table in (paused, asleep):
        await lobby.start(table, 1)
    await consent.pause(paused, 1)
    assert paused.stored.guild_id == asleep.stored.guild_id is not None
    for _ in range(2):
        await tables.runtime.upkeep.on_guild_remove(paused.stored.guild_id)
    assert asleep.asleep
    await paused.come_back(1)  # who has its hand before them elsewhere
    assert paused.paused
    await tables.runtime.upkeep.on_guild_join(paused.stored.guild_id)
    assert paused.paused
    await paused.come_back(1)
    assert paused.paused, "it goes on when somebody says so"
    await asleep.come_back(1)
    assert not asleep.asleep
    await close_tables(tables)


async def test_who_is_overtaken_in_a_round_hears_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")

    async def fenced(_work: Callable[..., Any]) -> Any:
        raise Fenced

    monkeypatch.setattr(tables.database, "write_at_once", fenced)
    with pytest.raises(Fenced):
        await tables.runtime.upkeep.round()
    monkeypatch.undo()
    await close_tables(tables)
