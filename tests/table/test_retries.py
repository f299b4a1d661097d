"""Retries after errors of the database do not pile up, and are rare if waiting does not help."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlalchemy import text

from bot.core.scheduler import LASTING_RETRY, RETRY
from bot.store.database import StoreError
from bot.store.games import Deadline
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from tests.support.tables.tables import ManualClock, close_tables, new_table, opened_tables, settle


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


class Broken:
    """Results that can't be stored, and how often that was tried."""

    def __init__(self, tables: Tables, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
        self.tries, self.kind = 0, kind
        monkeypatch.setattr("bot.table.game_runner.keep_results", self._keep)
        self._tables = tables

    def _keep(self, connection: Any, *_: object) -> None:
        self.tries += 1
        if self.kind == "rejected":
            connection.execute(text("SELECT 1 FORM games"))
        if self.kind:
            raise StoreError(self.kind)

    async def wait(self, seconds: float) -> None:
        """Let time pass in small steps, with what falls due in them."""
        clock = self._tables.clock
        assert isinstance(clock, ManualClock)
        for _ in range(int(seconds)):
            clock.move(1)
            await settle(self._tables)


async def ended(tables: Tables) -> Table:
    """A table whose last action is in the journal."""
    table = await new_table(tables, people=[1, 2], rounds=1)
    await lobby.start(table, 1)
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, None, table.legal[seat][0])
    await settle(tables)
    return table


async def test_an_outage_is_waited_out(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Broken(tables, monkeypatch, "gone")
    table = await ended(tables)
    assert (broken.tries, table.phase) == (1, "live")
    await broken.wait(RETRY.pause(1) + RETRY.pause(2))
    assert broken.tries == 3
    broken.kind = ""
    await broken.wait(RETRY.pause(3))
    assert table.phase == "over"
    await broken.wait(2 * (RETRY.longest or 0))
    assert broken.tries == 4


@pytest.mark.parametrize("kind", ["gone", "rejected"])
async def test_presses_add_no_chains_of_retries(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    broken = Broken(tables, monkeypatch, kind)
    table = await ended(tables)
    for _ in range(6):  # as many presses
        tables.runtime._game_runner.go_on(table)
        await settle(tables)
    assert broken.tries == 7
    await broken.wait(RETRY.longest or 0)
    assert broken.tries == (8 if kind == "gone" else 7)


async def test_a_statement_that_cannot_succeed_is_no_outage(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database says "syntax error", and says so again however often it is asked."""
    broken = Broken(tables, monkeypatch, "rejected")
    table = await ended(tables)
    await broken.wait(20 * RETRY.first)
    assert broken.tries == 1
    broken.kind = ""
    clock = tables.clock
    assert isinstance(clock, ManualClock)
    clock.move(LASTING_RETRY.first)
    await settle(tables)
    assert table.phase == "over"


class Refusing(Table):
    """A table whose moves the database rejects."""

    tries = 0

    async def act(self, *_: object, **__: object) -> NoReturn:
        Refusing.tries += 1
        raise StoreError("rejected")


async def test_an_opponent_whose_move_is_rejected_rests(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows ring again every few seconds, and each press starts what the table owes."""
    monkeypatch.setattr(Refusing, "tries", 0)
    monkeypatch.setattr(Table, "act", Refusing.act)
    table = await new_table(tables, people=[1], opponents=3)
    await lobby.start(table, 1)
    await settle(tables)
    while not any(table.sitters[seat].level for seat in table.waiting()):
        pytest.fail("no opponent has to move")
    broken = Broken(tables, monkeypatch, "")
    tries = Refusing.tries
    assert tries > 0
    await broken.wait(20 * RETRY.first)
    assert Refusing.tries == tries


async def test_a_deadline_whose_answer_is_rejected_rings_seldom(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Refusing, "tries", 0)
    table = await new_table(tables, people=[1, 2], rounds=1)
    await lobby.start(table, 1)
    await settle(tables)
    seat = table.waiting()[0]
    deadline = Deadline(table.id, "turn", seat, 1)
    monkeypatch.setattr(Table, "act", Refusing.act)
    monkeypatch.setattr(Table, "deadlines", (deadline,))
    for _ in range(4):
        tables.runtime.scheduler.add(deadline.kind, deadline)
        await settle(tables)
    assert Refusing.tries == 1
    clock = tables.clock
    assert isinstance(clock, ManualClock)
    clock.move(LASTING_RETRY.first)
    await settle(tables)
    assert Refusing.tries == 2
