"""What is looked after once an hour is tried again soon where the database does not answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.store.database import Fenced, StoreError
from tests.support.tables import close_tables, opened_tables


async def test_a_round_that_the_database_fails_is_tried_again_in_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    read = tables.database.read_at_once

    async def silent(_work: Callable[..., Any]) -> Any:
        raise StoreError("gone", "no answer", doubtful=True)

    monkeypatch.setattr(tables.database, "read_at_once", silent)
    with capture_logs() as lines:
        await tables.upkeep.round()
    assert [line["log_level"] for line in lines] == ["warning"]
    assert not tables.upkeep.due()
    monkeypatch.setattr(tables.database, "read_at_once", read)
    clock.move(61)
    assert tables.upkeep.due()
    await tables.upkeep.round()
    clock.move(3500)
    assert not tables.upkeep.due()
    await close_tables(tables)


async def test_who_is_overtaken_in_a_round_hears_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")

    async def fenced(_work: Callable[..., Any]) -> Any:
        raise Fenced

    monkeypatch.setattr(tables.database, "write_at_once", fenced)
    with pytest.raises(Fenced):
        await tables.upkeep.round()
    monkeypatch.undo()
    await close_tables(tables)
