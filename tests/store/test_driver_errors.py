"""Errors of the driver that SQLAlchemy does not wrap are StoreErrors like all others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from bot.core.lease_holder import LeaseHolder
from bot.locales import words
from bot.settings import with_async_driver
from bot.store.database import Database, StoreError, trouble
from bot.ui.errors import words_for
from tests.support.processes.bots import Wire
from tests.support.processes.databases import Postgres
from tests.support.tables.tables import ManualClock
from tests.support.waiting import until

ERRORS: tuple[Exception, ...] = (
    asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    asyncpg.InterfaceError("connection is closed"),
    asyncpg.InternalClientError("got result for unknown protocol state 3"),
    asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    ConnectionResetError("Connection reset by peer"),
)
KINDS = [type(error).__name__ for error in ERRORS]


def one(connection: Connection) -> object:
    return connection.execute(text("SELECT 1")).scalar()


async def read(database: Database) -> None:
    async with database.read() as connection:
        await connection.execute(text("SELECT 1"))


async def write(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(text("SELECT 1"))


WAYS: dict[str, Callable[[Database], Awaitable[Any]]] = {
    "read": read,
    "write": write,
    "read_at_once": lambda database: database.read_at_once(one),
    "write_at_once": lambda database: database.write_at_once(one),
    "revision": lambda database: database.revision(),
}


@pytest.fixture
async def database(postgres: Postgres) -> AsyncIterator[Database]:
    database = Database(with_async_driver(await asyncio.to_thread(postgres.fresh)))
    yield database
    await database.close()


def breaks(monkeypatch: pytest.MonkeyPatch, error: Exception, times: int = 1_000_000) -> None:
    """Let the first connections break when the session's settings are sent."""
    execute, left = asyncpg.Connection.execute, iter(range(times))

    async def broken(self: Any, query: str, *args: Any, **options: Any) -> Any:
        if query.startswith("SET statement_timeout") and next(left, None) is not None:
            raise error
        return await execute(self, query, *args, **options)

    monkeypatch.setattr(asyncpg.Connection, "execute", broken)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", ERRORS, ids=KINDS)
async def test_a_connection_that_breaks_at_its_beginning_is_a_trouble_of_the_store(
    database: Database, monkeypatch: pytest.MonkeyPatch, error: Exception, way: str
) -> None:
    breaks(monkeypatch, error, times=1)
    with pytest.raises(StoreError) as found:
        await WAYS[way](database)
    assert found.value.kind == "gone"
    if way.startswith("write"):
        assert not found.value.doubtful, "no statement was sent, so nothing can have been stored"
    await WAYS[way](database)  # the next connection works


@pytest.mark.parametrize("error", ERRORS, ids=KINDS)
async def test_what_the_driver_raises_later_leaves_a_write_in_doubt(
    database: Database, error: Exception
) -> None:
    def work(_connection: Connection) -> None:
        raise error

    with pytest.raises(StoreError) as found:
        await database.write_at_once(work)
    assert (found.value.kind, found.value.doubtful) == ("gone", True)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("0A000", "unsupported"),
        ("22012", "rejected"),
        ("22021", "encoding"),
        ("22P05", "encoding"),
        ("26000", "pooler"),
        ("3F000", "mixed"),
        ("42601", "rejected"),
        ("42804", "mixed"),
        ("42883", "unsupported"),
        ("42P05", "pooler"),
        ("57P04", "refused"),
        ("XX001", "not_a_database"),
        ("XX002", "not_a_database"),
    ],
)
def test_an_error_that_stays_is_no_outage(code: str, kind: str) -> None:
    error = asyncpg.PostgresError.new({"C": code, "M": "what the server says"})
    found = trouble(DBAPIError("SELECT 1", {}, error))
    assert (found.kind, found.doubtful) == (kind, False)
    assert f"doctor.store.{kind}" in words("en")
    for locale in ("en", "zh-CN"):
        assert "try again in a minute" not in words_for(found, locale)
        assert f"store.{kind}" in words(locale) or kind in ("pooler", "rejected", "unsupported")


async def test_a_row_without_a_value_that_it_needs_is_a_fault_and_no_lost_race(database: Database) -> None:
    with pytest.raises(StoreError) as found:
        await database.write_at_once(
            lambda connection: connection.execute(text("INSERT INTO games (id) VALUES (1)"))
        )
    assert found.value.kind == "rejected"


async def test_a_statement_that_an_upgrade_made_stale_can_be_sent_again(database: Database) -> None:
    async def names() -> None:
        async with database.read() as connection:
            await connection.execute(text("SELECT * FROM leases"))

    await names()
    async with database._writer.begin() as connection:
        await connection.execute(text("ALTER TABLE leases ADD COLUMN later integer"))
    with pytest.raises(StoreError) as found:
        await names()
    assert (found.value.kind, found.value.doubtful) == ("locked", False)
    await names()


class Cut(Wire):
    """A line that breaks when the session's settings are sent."""

    broken = True

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                if self.broken and b"SET statement_timeout" in data:
                    return
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        finally:
            sink.close()


@pytest.fixture
async def line(postgres: Postgres) -> AsyncIterator[tuple[Cut, Database]]:
    line = Cut(await asyncio.to_thread(postgres.fresh))
    database = Database(await line.start())
    yield line, database
    await database.close()
    await line.close()


async def test_a_line_that_really_breaks_then(line: tuple[Cut, Database]) -> None:
    wire, database = line
    with pytest.raises(StoreError) as found:
        await database.write_at_once(one)
    assert (found.value.kind, found.value.doubtful) == ("gone", False)
    wire.broken = False
    assert await database.write_at_once(one) == 1


class Counting(ManualClock):
    """A clock that counts the calls of its sleep."""

    slept = 0

    async def sleep(self, seconds: float) -> None:
        self.slept += 1
        await super().sleep(seconds)


@pytest.mark.parametrize("error", ERRORS, ids=KINDS)
async def test_a_standby_sits_it_out(
    database: Database, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The server restarts: each new connection breaks for a while, then the owner stops."""
    owner, clock = LeaseHolder(database, ManualClock()), Counting()
    await owner.take()
    other = Database(database.url.render_as_string(hide_password=False))
    standby = LeaseHolder(other, clock)
    waiting = asyncio.create_task(standby.take())
    try:
        await until(lambda: clock.slept > 2, but="the standby waits")
        await other._writer.dispose()
        breaks(monkeypatch, error, times=5)
        so_far = clock.slept
        await until(lambda: waiting.done() or clock.slept > so_far + 8, but="it looks no more")
        await owner.give_back()
        await until(waiting.done)
        await waiting
        assert standby.held
    finally:
        waiting.cancel()
        await other.close()
