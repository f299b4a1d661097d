"""Any database that a release ever wrote can be read, upgraded and played on."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine

from bot.ops.integrity import damage
from bot.store import ratings
from bot.store.backend import migrate
from bot.store.days import DAY_MS
from bot.store.models import SCHEMA
from bot.store.terms import tournament_terms
from bot.table import lobby
from engine import catalog
from engine.brackets import Bracket
from engine.record import to_json, verify
from tests.support.tables.tables import close_tables, journal_of, opened_tables, settle

pytestmark = pytest.mark.repeats

FILES = sorted((Path(__file__).parent / "corpus").glob("*.sqlite.gz"))
NAMES = [path.name.partition(".")[0] for path in FILES]


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


@pytest.fixture(params=FILES, ids=NAMES)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database as it was left."""
    path = tmp_path / "valence.db"
    path.write_bytes(gzip.decompress(request.param.read_bytes()))
    return path


def test_the_newest_schema_is_kept_too() -> None:
    assert SCHEMA in NAMES, "run tools/corpus.py; if the schema has changed since, remove its file first"
    assert {"0001", "0002"} <= set(NAMES), "nothing is ever taken out"
    assert all(path.stat().st_size < 60_000 for path in FILES)


def test_it_holds_what_can_go_wrong(old: Path) -> None:
    phases = {str(phase) for (phase,) in rows(old, "SELECT DISTINCT phase FROM games")}
    assert {"live", "lobby", "over", "cancelled"} <= phases
    live = {str(game) for (game,) in rows(old, "SELECT game FROM games WHERE phase = 'live'")}
    assert len(live) >= 7, "every game that there was"
    assert live <= set(catalog.listed()), "and each is still played"
    assert rows(old, "SELECT 1 FROM clocks") != []


def test_it_is_upgraded_and_every_game_goes_on(old: Path) -> None:
    """Each open game replays and takes an act; who is over keeps its record; nothing rests."""
    before = rows(old, "SELECT id, phase FROM games ORDER BY id")
    entries = rows(old, "SELECT game_id, seq, kind, seat, data FROM entries ORDER BY 1, 2")
    asyncio.run(migrate.upgrade(f"sqlite:///{old}"))
    assert asyncio.run(migrate.check(f"sqlite:///{old}")) == SCHEMA
    assert damage(old, thorough=True) == []
    assert rows(old, "SELECT game_id, seq, kind, seat, data FROM entries ORDER BY 1, 2") == entries

    async def play() -> list[int]:
        tables, _, _ = await opened_tables(old)
        acted = []
        for game_id, phase in before:
            table = await tables.get(int(str(game_id)))
            if phase == "lobby":
                if len(table.sitters) in table.game.seats(table.stored.options):
                    await lobby.start(table, table.stored.host_id)
                    assert table.phase == "live"
            elif phase == "live":
                await settle(tables)
                seat = table.waiting()[0]
                seq = table.seq
                await table.act(seat, table.decisions[seat], table.legal[seat][0])
                assert table.seq > seq
                acted.append(table.id)
            elif phase == "over":
                assert table.phase == "over"
                verify(await tables.record(table))
        await settle(tables)
        await close_tables(tables)
        return acted

    acted = asyncio.run(play())
    assert len(acted) == len([phase for _, phase in before if phase == "live"]) > 0

    async def again() -> None:
        tables, _, _ = await opened_tables(old)
        for table_id in acted:
            table = await tables.get(table_id)
            assert [entry.seq for entry in await journal_of(tables, table)] == list(range(1, table.seq + 1))
        await close_tables(tables)

    asyncio.run(again())
    assert rows(old, "SELECT id FROM games WHERE resting <> ''") == []


def test_ratings_by_an_older_model_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "valence.db"
    path.write_bytes(gzip.decompress(FILES[NAMES.index("0018")].read_bytes()))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE board_ratings SET mu = mu + 1")
        assert ratings.differences(connection) > 0
    asyncio.run(migrate.upgrade(f"sqlite:///{path}"))
    with engine.connect() as connection:
        assert ratings.differences(connection) == 0
    engine.dispose()


@pytest.mark.parametrize("name", [NAMES[0], NAMES[-1]])
def test_what_an_old_release_played_is_folded_and_its_records_hold(tmp_path: Path, name: str) -> None:
    path = tmp_path / "valence.db"
    path.write_bytes(gzip.decompress((FILES[0].parent / f"{name}.sqlite.gz").read_bytes()))
    asyncio.run(migrate.upgrade(f"sqlite:///{path}"))
    over = [int(str(number)) for (number,) in rows(path, "SELECT id FROM games WHERE phase = 'over'")]

    async def records() -> list[bytes]:
        tables, _, _ = await opened_tables(path)
        found = [await tables.record(await tables.get(number)) for number in over]
        await close_tables(tables)
        return [to_json(each) for each in found]

    async def fold() -> None:
        tables, clock, _ = await opened_tables(path)
        clock.jumped = 100 * DAY_MS
        await tables.runtime.upkeep.round()
        await settle(tables)
        await close_tables(tables)

    before = asyncio.run(records())
    asyncio.run(fold())
    assert rows(path, "SELECT game_id FROM folds ORDER BY 1") == [(number,) for number in sorted(over)]
    assert rows(path, "SELECT 1 FROM entries JOIN games ON id = game_id WHERE phase = 'over'") == []
    assert asyncio.run(records()) == before
    assert before


@pytest.mark.parametrize("name", ["0001", "0002"])
def test_what_an_old_release_had_set_aside_comes_back(tmp_path: Path, name: str) -> None:
    """A lobby as a lobby, a game as a game; none of them was ever over."""
    path = tmp_path / "valence.db"
    path.write_bytes(gzip.decompress((FILES[0].parent / f"{name}.sqlite.gz").read_bytes()))
    before = rows(path, "SELECT id, phase FROM games WHERE phase IN ('lobby', 'live') ORDER BY id")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "UPDATE games SET phase = 'aside', why = 'rules_changed' WHERE phase IN ('lobby', 'live')"
        )
        connection.commit()
    asyncio.run(migrate.upgrade(f"sqlite:///{path}"))
    assert len(rows(path, "SELECT 1 FROM games WHERE resting <> ''")) == len(before)

    async def start() -> list[tuple[int, str, str]]:
        tables, _, _ = await opened_tables(path)
        await settle(tables)
        loaded = [await tables.get(int(str(table_id))) for table_id, _ in before]
        found = [(table.id, table.phase, table.stored.why) for table in loaded]
        await close_tables(tables)
        return found

    assert asyncio.run(start()) == [(table_id, phase, "") for table_id, phase in before]
    assert rows(path, "SELECT id FROM games WHERE resting <> ''") == []


def test_its_tournaments_are_read(old: Path) -> None:
    known = rows(old, "SELECT 1 FROM sqlite_master WHERE name = 'tournaments'")  # the first schema had none
    asyncio.run(migrate.upgrade(f"sqlite:///{old}"))
    found = rows(old, "SELECT phase, terms, bracket FROM tournaments ORDER BY id")
    assert [phase for phase, _, _ in found] == (["open", "running"] if known else [])
    for phase, terms, bracket in found:
        assert tournament_terms(json.loads(str(terms))).kind == "double"
        if phase == "running":
            drawn = msgspec.convert(json.loads(str(bracket)), Bracket)
            assert (len(drawn.players), len(drawn.ready())) == (4, 2)
