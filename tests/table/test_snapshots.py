"""Long games are loaded from a snapshot and what came after it, and from their deal wherever that fails."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select, update

from bot.store.models import SnapshotRow, table_of
from bot.store.snapshots import EVERY
from bot.table.table import RECENT_EVENTS
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from tests.support.tables.snapshots import again, begun, play, rows, seen
from tests.support.tables.tables import close_tables, journal_of, opened_tables

_SNAPSHOTS = table_of(SnapshotRow)


@pytest.fixture(autouse=True)
def _same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a random game lasts depends on its deal; these games are to be long."""
    fair = Commitment(bytes([7] * SEED_BYTES), bytes([9] * NONCE_BYTES))
    monkeypatch.setattr(Commitment, "fresh", classmethod(lambda _cls: fair))


@pytest.mark.parametrize(
    ("game", "people", "options"), [("molecular", 8, {"rounds": 20}), ("canasta", 4, {}), ("atom", 5, {})]
)
async def test_a_long_game_goes_on_from_its_snapshot(
    tmp_path: Path, game: str, people: int, options: dict[str, int]
) -> None:
    path, rng = tmp_path / "valence.db", random.Random(5)
    tables, _, _ = await opened_tables(path)
    table = await begun(tables, game, people, **options)
    kept = []
    while table.waiting() and table.acts < 260:
        await play(table, rng, rng.randint(20, 50))
        if not table.waiting():
            break
        before = seen(table)
        tables, table = await again(path, tables)
        assert seen(table) == before
        found = await rows(tables, table.id)
        assert len(found.journal) < EVERY + RECENT_EVENTS
        kept.append(found.snapshot.acts if found.snapshot else 0)
    assert kept == sorted(kept)
    assert len(set(kept)) >= 3
    await close_tables(tables)


async def test_a_game_that_ends_leaves_none(tmp_path: Path) -> None:
    tables, _, _ = await opened_tables(tmp_path / "valence.db")
    table = await begun(tables, "canasta", 2)
    await play(table, random.Random(2), 150)
    assert (await rows(tables, table.id)).snapshot is not None
    await table.cancel("closed")
    assert await tables.database.read_at_once(count) == 0
    await close_tables(tables)


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(_SNAPSHOTS)).scalar_one()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("position", b""),
        ("position", b"\x93\x01\x02\x03"),
        ("position", b"\xff" * 40),
        ("source", "of another release"),
    ],
)
async def test_what_cannot_be_read_is_replayed_from_the_deal(
    tmp_path: Path, column: str, value: object
) -> None:
    path = tmp_path / "valence.db"
    tables, _, _ = await opened_tables(path)
    table = await begun(tables, "canasta", 2)
    await play(table, random.Random(2), 150)
    before = seen(table)
    spoil = update(_SNAPSHOTS).values({column: value})
    assert (await tables.database.write_at_once(lambda c: c.execute(spoil).rowcount)) == 2
    tables, table = await again(path, tables)
    assert seen(table) == before
    await play(table, random.Random(3), 5)
    assert len(await journal_of(tables, table)) == table.seq
    await close_tables(tables)


async def test_only_the_last_two_are_kept(tmp_path: Path) -> None:
    tables, _, _ = await opened_tables(tmp_path / "valence.db")
    table, rng = await begun(tables, "canasta", 4), random.Random(4)
    numbers = set()
    for _ in range(30):
        await play(table, rng, 10)
        if found := (await rows(tables, table.id)).snapshot:
            numbers.add(found.acts)
            assert await tables.database.read_at_once(count) == 2
    assert len(numbers) >= 3
    await close_tables(tables)
