"""After a commit of which nobody heard the end, people hear what is true: stored, not stored, or unknown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text

from bot.features.tournaments import rows as tournaments
from bot.features.tournaments.service import Tournaments
from bot.settings import with_async_driver
from bot.store.database import Database, StoreError, trouble
from bot.store.terms import TournamentTerms
from bot.table import lobby
from bot.table.registry import Tables
from tests.support.processes.databases import Open
from tests.support.tables.tables import first_act, new_table, open_tables, settle
from tests.support.tables.tournaments import Stage

Write = Callable[..., Awaitable[Any]]


def lose_next(tables: Tables, what_happens: Callable[[Write, Any], Awaitable[None]]) -> None:
    """Let the next write lose its line; `what_happens` to it is in nobody's sight."""
    write = tables.database.write_at_once

    async def lost(work: Any, **how: Any) -> Any:
        tables.database.write_at_once = write  # type: ignore[method-assign]
        await what_happens(write, work)
        raise StoreError("gone", doubtful=True)

    tables.database.write_at_once = lost  # type: ignore[method-assign]


async def stored(write: Write, work: Any) -> None:
    await write(work)


async def not_stored(write: Write, work: Any) -> None:
    pass


async def stored_and_overtaken(write: Write, work: Any) -> None:
    await write(work)
    line = text("UPDATE leases SET holder = 'another', epoch = epoch + 1")
    await write(lambda connection: connection.execute(line))


async def on_its_way(write: Write, work: Any) -> None:
    """The server has it, and takes its time."""

    def slowly(connection: Connection) -> None:
        work(connection)
        sent.set()
        connection.execute(text("SELECT pg_sleep(0.4)"))

    sent = asyncio.Event()
    going.append(asyncio.create_task(write(slowly)))
    await sent.wait()


going: list[asyncio.Task[Any]] = []


async def test_who_is_overtaken_while_they_ask_does_not_say_no(opened_tables: Open) -> None:
    """The seat is stored; only the line broke, and by then another process had the lease."""
    tables = await opened_tables()
    await settle(tables)
    table = await new_table(tables)
    lose_next(tables, stored_and_overtaken)
    with pytest.raises(StoreError) as found:
        await lobby.join(table, 2, "Ben", 20)
    assert found.value.kind == "unknown"
    with pytest.raises(StoreError) as found:
        await lobby.join(table, 3, "Cleo", 30)
    assert found.value.kind == "fenced"


async def rows(database: Database) -> int:
    query = text("SELECT count(*) FROM games")
    return int(await database.read_at_once(lambda connection: connection.execute(query).scalar_one()))


async def test_a_table_that_was_opened_in_doubt_is_found(database: Database, opened_tables: Open) -> None:
    tables = await opened_tables()
    await settle(tables)
    lose_next(tables, stored)
    table = await new_table(tables, people=[1])
    assert list(await open_tables(tables)) == [table.id]
    assert await rows(database) == 1
    assert (await tables.get(table.id)) is table
    assert [deadline.kind for deadline in table.deadlines] == ["lobby"]
    await lobby.join(table, 2, "Ben", 20)


async def test_a_table_that_was_not_opened_is_not_there(database: Database, opened_tables: Open) -> None:
    tables = await opened_tables()
    await settle(tables)
    lose_next(tables, not_stored)
    with pytest.raises(StoreError) as found:
        await new_table(tables)
    assert found.value.kind == "gone"
    assert await rows(database) == 0


async def test_whether_a_table_was_opened_can_be_unknown(database: Database, opened_tables: Open) -> None:
    tables = await opened_tables()
    await settle(tables)
    lose_next(tables, stored_and_overtaken)
    with pytest.raises(StoreError) as found:
        await new_table(tables)
    assert found.value.kind == "unknown"
    assert await rows(database) == 1


async def test_a_table_that_is_still_on_its_way_is_waited_for(
    database: Database, opened_tables: Open
) -> None:
    if database.sqlite:
        pytest.skip("SQLite has one writer: nothing is on its way when it is asked")
    tables = await opened_tables()
    await settle(tables)
    lose_next(tables, on_its_way)
    table = await new_table(tables)
    assert list(await open_tables(tables)) == [table.id]
    assert await going.pop() is None


def tournament(tables: Tables) -> Awaitable[Any]:
    tournaments = Tournaments(tables.database, tables.clock, tables, Stage())
    tables.runtime.attach(tournaments)
    terms = TournamentTerms()
    people = {"guild_id": 70, "channel_id": 7, "host_id": 1, "locale": "en"}
    return tournaments.create(name="Spring", game="probe", options={}, terms=terms, **people)  # type: ignore[arg-type]


async def tournaments_in(database: Database) -> int:
    return await database.read_at_once(lambda c: tournaments.count_going_on(c, guild_id=70))


async def test_a_tournament_that_was_opened_in_doubt_is_found(
    database: Database, opened_tables: Open
) -> None:
    tables = await opened_tables()
    await settle(tables)
    lose_next(tables, stored)
    assert (await tournament(tables)).id
    assert await tournaments_in(database) == 1


async def test_whether_a_tournament_was_opened_can_be_unknown(
    database: Database, opened_tables: Open
) -> None:
    tables = await opened_tables()
    await settle(tables)
    lose_next(tables, stored_and_overtaken)
    with pytest.raises(StoreError) as found:
        await tournament(tables)
    assert found.value.kind == "unknown"


async def test_a_tournament_that_is_still_on_its_way_is_waited_for(
    database: Database, opened_tables: Open
) -> None:
    if database.sqlite:
        pytest.skip("SQLite has one writer: nothing is on its way when it is asked")
    tables = await opened_tables()
    await settle(tables)
    lose_next(tables, on_its_way)
    assert (await tournament(tables)).id
    assert await going.pop() is None


async def stored_and_not_to_be_asked(write: Write, work: Any) -> None:
    await write(work)
    lose_next(blind, not_stored)


blind: Tables


async def test_the_heartbeat_finds_out_what_nobody_could_say(opened_tables: Open) -> None:
    """Otherwise a table would stand still until somebody pressed: its deadlines are no longer those in
    memory, and looking at it shows how it was before."""
    global blind
    tables = blind = await opened_tables()
    await settle(tables)
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    lose_next(tables, stored_and_not_to_be_asked)
    with pytest.raises(StoreError, match="unknown"):
        await first_act(table, 1)
    assert (table.seq, table.in_doubt) == (0, True)
    told = len(tables.publisher.changes)  # type: ignore[attr-defined]
    await tables.runtime._beat()
    await settle(tables)
    assert (table.seq, table.in_doubt) == (1, False)
    assert tables.publisher.changes[told:] == [(table.id, "live", 1)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:secret@127.0.0.1:1/valence",
        "postgresql://ann:secret@localhost:1/valence",
        "postgresql://ann:secret@/valence?host=/nowhere/at/all",
        "postgresql://ann:secret@nowhere.invalid/valence",
    ],
)
async def test_where_nobody_is_reached_nothing_is_in_doubt(url: str) -> None:
    """Each press of an outage would else be asked after until the server is back."""
    database = Database(with_async_driver(url))
    with pytest.raises(StoreError) as found:
        await database.write_at_once(lambda c: c.execute(text("SELECT 1")))
    await database.close()
    assert (found.value.kind, found.value.doubtful) == ("gone", False)


@pytest.mark.parametrize(
    ("code", "doubtful"), [("57P03", False), ("53300", False), ("57P01", True), ("08006", True)]
)
def test_what_a_server_says_that_goes_or_comes(code: str, doubtful: bool) -> None:
    """Who is let in by nobody has stored nothing; whose line breaks may have."""

    class Said(Exception):
        sqlstate = code

    assert (trouble(Said()).kind, trouble(Said()).doubtful) == ("gone", doubtful)
