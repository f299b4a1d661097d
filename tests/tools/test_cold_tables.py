"""The many tables that `python -m tools bench start` measures on are such as play would have made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bot.settings import with_async_driver
from bot.store import queries
from bot.store.backend import migrate
from bot.store.database import Database
from bot.table.storage.rebuild import read_table
from engine import catalog
from tests.support.processes.command_line import Command
from tools.bench import cold_tables
from tools.bench.cold_tables import DUE_SOON, TableAsker

NOW, TABLES = 1_800_000_000_000, 150
ASKER = TableAsker(user_id=11, guild_id=22, channel_id=33)


async def test_all_tables_replay_and_wait_for_somebody(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'v.db'}"
    await migrate.upgrade(url)
    database = Database(with_async_driver(url))
    mine = await database.write_at_once(lambda c: cold_tables.fill(c, TABLES, NOW, ASKER, 1))
    lengths: dict[str, set[int]] = {}
    for number in range(1, TABLES + 1):
        table = await read_table(database, number)
        assert (table.phase, bool(table.waiting()), table.asleep) == ("live", True, False)
        assert table.stored.edition == table.stored.shown, "nothing is to be shown"
        assert len(set(table.people())) == (1 if table.held_by_one else len(table.sitters))
        lengths.setdefault(table.stored.game, set()).add(table.acts)
    assert set(lengths) == set(catalog.listed()) == set(mine)
    assert all(len(found) >= 3 for found in lengths.values())
    for game, number in mine.items():
        table = await read_table(database, number)
        assert (table.stored.game, table.stored.guild_id, table.stored.channel_id) == (game, 22, 33)
        assert table.seats_of(ASKER.user_id)
    within_a_minute = await database.read_at_once(lambda c: queries.due(c, NOW + 60_000, 1000))
    assert 0 < len({deadline.game_id for deadline in within_a_minute}) <= DUE_SOON
    servers = text("SELECT count(DISTINCT guild_id) FROM games")
    assert await database.read_at_once(lambda c: c.execute(servers).scalar_one()) > TABLES // 2
    await database.close()


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    one = {"imports_s": 1.0, "first_answer_s": 0.5, "hand_ms": {"atom": 9.0}}

    async def measure(**arguments: Any) -> dict[str, Any]:
        asked.update(arguments)
        loads = {"acts": 9, "cpu_ms": 1.0, "p50_ms": 1.0, "p95_ms": 1.5, "p99_ms": 2.0, "worst_ms": 3.0}
        return {"tables": 100, "start": one, "restart": one, "load_ms": {"atom": loads}}

    monkeypatch.setattr("tools.bench.start.measure", measure)
    return asked


def test_a_start_is_measured_as_asked(bench: Command, measured: dict[str, Any]) -> None:
    said = bench("start", "--tables", 100, "--game", "probe", "--json")
    assert said.json["restart"]["first_answer_s"] == 0.5
    assert measured == {"tables": 100, "game": "probe", "seed": 1}
    assert "first_answer_s" in bench("start").out


def test_a_start_that_fails_is_one_line(bench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.bench import press as presses

    async def measure(**_: Any) -> dict[str, Any]:
        raise presses.BenchFailed("the bot was not ready: it said nothing")

    monkeypatch.setattr("tools.bench.start.measure", measure)
    said = bench("start", "--tables", 100)
    assert (said.code, said.err) == (1, "valence: the bot was not ready: it said nothing\n")
