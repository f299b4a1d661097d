"""A server that keeps silent keeps nobody waiting; what it is told and what it says stays among us."""

from __future__ import annotations

import asyncio
import os
import signal
import ssl
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url

from bot.locales import words
from bot.store import people
from bot.store.backend.engines import WaitLimits
from bot.store.database import Database, StoreError
from tests.support.processes.bots import Wire
from tests.support.processes.certificates import NEEDS_OPENSSL, certificate
from tests.support.processes.databases import Postgres
from tests.support.waiting import LIMIT_SECONDS, until

SHORT = WaitLimits(connect=0.5, command=0.5, lock=0.2, idle=0.3, pool=0.3)
LONGEST = SHORT.command + 1.0 + 6.0
"""The command's time, a connection's good-bye, and what a busy machine adds; without limits it would be
minutes, or for ever."""


@pytest.fixture
async def wire(postgres: Postgres) -> AsyncIterator[tuple[Wire, Database]]:
    wire = Wire(await asyncio.to_thread(postgres.fresh))
    database = Database(await wire.start(), SHORT)
    yield wire, database
    wire.thaw()
    await database.close()
    await wire.close()


async def ask(database: Database) -> None:
    async with database.read() as connection:
        await connection.execute(text("SELECT 1"))


def put(number: int) -> Callable[[Connection], None]:
    return lambda connection: people.put_setting(connection, "test", 1, "number", {"n": number})


async def beat(database: Database) -> None:
    async with database.write() as connection:
        await connection.run_sync(put(5))


async def timed(act: Awaitable[None]) -> tuple[float, StoreError | None]:
    began = time.perf_counter()
    try:
        await act
    except StoreError as found:
        return time.perf_counter() - began, found
    return time.perf_counter() - began, None


async def test_a_frozen_server_ends_every_act_in_words_and_in_time(wire: tuple[Wire, Database]) -> None:
    line, database = wire
    await asyncio.gather(*(ask(database) for _ in range(5)))
    line.freeze()
    acts = [act(database) for act in (ask, beat) * 12]
    for seconds, found in await asyncio.gather(*(timed(act) for act in acts)):
        assert found is not None
        assert found.kind == "slow"
        assert seconds < LONGEST
    line.thaw()
    assert (await timed(beat(database)))[1] is None, "it goes on by itself"


async def test_a_server_that_freezes_in_mid_act(wire: tuple[Wire, Database]) -> None:
    """Between two statements, and before the commit: then only the database knows whether it was stored."""
    line, database = wire

    async def in_the_middle() -> None:
        async with database.write() as connection:
            await connection.run_sync(put(1))
            line.freeze()
            await connection.run_sync(put(2))

    async def before_the_commit() -> None:
        async with database.write() as connection:
            await connection.run_sync(put(3))
            line.freeze()

    for act in (in_the_middle, before_the_commit):
        seconds, found = await timed(act())
        assert found is not None
        assert (found.kind, found.doubtful) == ("slow", True)
        assert seconds < LONGEST
        line.thaw()
    assert (await timed(ask(database)))[1] is None


@pytest.mark.long
async def test_a_frozen_server_does_not_hold_up_the_end(wire: tuple[Wire, Database]) -> None:
    line, database = wire
    await asyncio.gather(*(ask(database) for _ in range(5)))
    line.freeze()
    await asyncio.wait_for(database.close(), LIMIT_SECONDS)


async def test_a_server_whose_processes_stand_still(postgres: Postgres) -> None:
    """As a machine that swaps, or a virtual one that was paused."""
    database = Database(await asyncio.to_thread(postgres.fresh), SHORT)
    async with database.read() as connection:
        pid = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
    os.kill(pid, signal.SIGSTOP)
    try:
        seconds, found = await timed(ask(database))
    finally:
        os.kill(pid, signal.SIGCONT)
    assert found is not None
    assert (found.kind, seconds < LONGEST) == ("slow", True)
    await database.close()


@pytest.mark.parametrize("pgbouncer", [False, True])
async def test_the_server_keeps_the_limits_itself(postgres: Postgres, pgbouncer: bool) -> None:
    """With PgBouncer a session is lent from act to act: each transaction sets them for itself."""
    url = await asyncio.to_thread(postgres.fresh)
    database = Database(f"{url}&pgbouncer=true" if pgbouncer else url, SHORT)
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    for way in (database.read, database.write):
        async with way() as connection:
            found = [(await connection.execute(text(f"SHOW {name}"))).scalar_one() for name in names]
            assert found == ["450ms", "200ms", "300ms"]
            kept = await connection.execute(text("SELECT count(*) FROM pg_prepared_statements"))
            assert (kept.scalar_one() > 1) is not pgbouncer
    await database.close()


async def test_what_the_server_ends_was_not_stored(postgres: Postgres) -> None:
    url = await asyncio.to_thread(postgres.fresh)
    one, two = Database(url, SHORT), Database(url, SHORT)
    await beat(one)

    async def work(database: Database, *lines: str) -> None:
        async with database.write() as connection:
            for line in lines:
                await connection.execute(text(line))

    async def forget() -> None:
        async with one.write() as connection:
            await connection.run_sync(put(9))
            pid = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
            await until(lambda: gone(pid))

    async def gone(pid: int) -> bool:
        query = text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")
        async with two.read() as connection:
            return (await connection.execute(query, {"pid": pid})).scalar_one() == 0

    _, slow = await timed(work(one, "SELECT pg_sleep(2)"))
    assert slow is not None
    assert (slow.kind, slow.doubtful) == ("slow", False)
    async with two.write() as holding:
        await holding.run_sync(put(7))
        _, locked = await timed(beat(one))
    assert locked is not None
    assert (locked.kind, locked.doubtful) == ("locked", False)
    _, idle = await timed(forget())
    assert idle is not None
    async with two.read() as connection:
        kept = await connection.run_sync(lambda c: people.get_setting(c, "test", 1, "number"))
    assert kept == {"n": 7}
    for database in (one, two):
        await database.close()


async def test_a_database_that_is_not_there_is_told_apart_from_a_server(postgres: Postgres) -> None:
    database = Database(postgres.named("no_such_database"), SHORT)
    _, found = await timed(ask(database))
    await database.close()
    assert found is not None
    assert (found.kind, found.doubtful) == ("refused", False)


async def test_tls_that_the_server_does_not_speak(wire: tuple[Wire, Database]) -> None:
    _, database = wire
    url = database.url.update_query_dict({"sslmode": "require"}).render_as_string(hide_password=False)
    asking = Database(url, SHORT)
    _, found = await timed(ask(asking))
    await asking.close()
    assert found is not None
    assert (found.kind, found.doubtful) == ("tls", False)


@NEEDS_OPENSSL
async def test_tls(postgres: Postgres, tmp_path: Path) -> None:
    """`require` encrypts; `verify-full` also asks who it is, and refuses a stranger."""
    ours = await asyncio.to_thread(certificate, tmp_path, "localhost")
    foreign = await asyncio.to_thread(certificate, tmp_path, "stranger")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ours, ours.with_suffix(".key"))
    wire = Wire(await asyncio.to_thread(postgres.fresh), context)
    url = (await wire.start()).replace("127.0.0.1", "localhost")
    for parameters, kind in (
        ("?sslmode=require", None),
        (f"?sslmode=verify-full&sslrootcert={ours}", None),
        (f"?sslmode=verify-full&sslrootcert={foreign}", "tls"),
        ("?sslmode=verify-full&sslrootcert=system", "tls"),
    ):
        before = wire.encrypted
        database = Database(url + parameters, WaitLimits(connect=5))
        _, found = await timed(ask(database))
        assert (found and found.kind) == kind, parameters
        assert (wire.encrypted > before) is (kind is None)
        await database.close()
    await wire.close()


@pytest.mark.parametrize("way", ["write", "write_at_once"])
async def test_no_value_reaches_a_traceback(database: Database, way: str) -> None:
    """A journal holds hidden cards, and a game its seed."""
    secret = "-".join(("the", "ace", "of", "spades"))  # so that no line of this file holds it
    values = {"seed": secret.encode(), "card": secret}
    lost = text("INSERT INTO nowhere VALUES (:seed, :card)")

    async def write() -> None:
        if way == "write_at_once":
            await database.write_at_once(lambda connection: connection.execute(lost, values))
        async with database.write() as connection:
            await connection.execute(lost, values)

    with pytest.raises(StoreError) as found:
        await write()
    told = "".join(traceback.format_exception(found.value))
    assert "INSERT INTO" in told
    assert secret not in told


def test_a_time_out_has_words_for_people() -> None:
    assert "My hand" in words("en")("store.slow")


@pytest.mark.parametrize(("part", "named"), [("database", "nowhere"), ("username", "nobody")])
def test_a_database_or_a_user_that_does_not_exist_is_not_taken_for_an_empty_one(
    postgres: Postgres, part: str, named: str
) -> None:
    url = make_url(postgres.url).set(**{part: named})

    async def ask() -> None:
        database = Database(url.render_as_string(hide_password=False), SHORT)
        try:
            await database.check_schema()
        finally:
            await database.close()

    with pytest.raises(StoreError) as found:
        asyncio.run(ask())
    assert found.value.kind == "refused"
