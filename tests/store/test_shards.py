"""Servers divided among processes: whose is what, who may write, and no clock that loses time by it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, insert, literal, select

from bot.core.backoff import Backoff
from bot.core.clock import SystemClock
from bot.core.lease_holder import LeaseHolder
from bot.core.scheduler import Scheduler
from bot.core.tasks import Tasks
from bot.store import leases, notices
from bot.store.backend.identify import IdentifyTurns
from bot.store.database import Conflict, Database, Fenced
from bot.store.leases import Lease
from bot.store.models import ClockRow, GameRow, table_of
from bot.store.notices import Notices
from bot.store.shards import ALL, Shards
from tests.support.tables.tables import ManualClock, patient_database
from tests.support.waiting import LIMIT_SECONDS

_GAMES, _CLOCKS = table_of(GameRow), table_of(ClockRow)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0-1/6", Shards(6, (0, 1))),
        (" 5 / 6 ", Shards(6, (5,))),
        ("0,2-3/6", Shards(6, (0, 2, 3))),
        ("2,2,1-2/3", Shards(3, (1, 2))),
        ("0/1", ALL),
    ],
)
def test_shards_are_written_like_pages_of_a_book(written: str, meant: Shards) -> None:
    assert Shards.read(written) == meant


@pytest.mark.parametrize(
    "written", ["", "0", "0-1", "6/6", "0-6/6", "a/6", "0/0", "3-2/6", "-1/6", "0/9999", "0//2"]
)
def test_what_are_no_shards_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="0"):
        Shards.read(written)


@given(st.integers(2, 64), st.one_of(st.none(), st.integers(0, (1 << 63) - 1)))
def test_each_server_is_of_just_one_shard(count: int, guild_id: int | None) -> None:
    owners = [shard for shard in range(count) if Shards(count, (shard,)).own(guild_id)]
    assert owners == [((guild_id or 0) >> 22) % count]


async def test_the_database_divides_as_the_program_does(database: Database) -> None:
    for guild_id in (None, 0, 81384788765712384, (1 << 62) + 5, 7 << 22):
        for shards in (ALL, Shards(6, (0, 4)), Shards(7, (1, 2, 3))):
            asked = select(shards.where(literal(guild_id, _GAMES.c.guild_id.type)))
            async with database.read() as connection:
                assert (await connection.execute(asked)).scalar() == shards.own(guild_id)


FIRST, SECOND, ONE_OF_TWO = Shards(3, (0, 1)), Shards(3, (2,)), Shards(2, (0,))


class Process:
    """One that wants leases, as `LeaseHolder` does, without the waiting."""

    def __init__(self, database: Database, name: str, shards: Shards = ALL) -> None:
        self.database, self.name, self.shards = database, name, shards
        self.mine: tuple[Lease, ...] = ()

    async def take(self, at: int = 1000) -> bool:
        """Take what is not in the way of anybody."""
        seen = await self.database.read_at_once(leases.read)
        if leases.in_the_way(seen, self.shards):
            return False
        return await self.seize(seen, at)

    async def seize(self, seen: tuple[Lease, ...] | None = None, at: int = 1000) -> bool:
        """Take it as one that stood still for long."""
        found = seen if seen is not None else await self.database.read_at_once(leases.read)
        self.mine = await self.database.write_at_once(
            lambda c: leases.take(c, found, self.name, until=9, at=at, shards=self.shards)
        )
        return bool(self.mine)

    async def may_write(self) -> bool:
        return await self.database.write_at_once(lambda c: leases.are_held(c, self.mine))

    async def renew(self, at: int) -> bool:
        fresh = await self.database.write_at_once(lambda c: leases.renew(c, self.mine, 9, at))
        self.mine = fresh or self.mine
        return bool(fresh)

    async def give_back(self, at: int | None = None) -> None:
        await self.database.write_at_once(lambda c: leases.give_back(c, self.name, at))


async def test_processes_of_one_division_play_side_by_side(database: Database) -> None:
    first, second = Process(database, "first", FIRST), Process(database, "second", SECOND)
    assert await first.take()
    assert await second.take()
    assert await first.may_write()
    assert await second.may_write()
    assert await first.renew(2000)
    assert await second.may_write()
    standby = Process(database, "standby", FIRST)
    assert not await standby.take()
    await first.give_back(2500)
    assert await standby.take()
    assert [lease.epoch for lease in standby.mine] == [1, 2, 2]
    assert not await first.may_write()
    assert not await first.renew(3000)
    assert await second.may_write()


async def test_one_that_stood_still_is_overtaken_and_changes_nothing(database: Database) -> None:
    first, other = Process(database, "first", FIRST), Process(database, "other", FIRST)
    assert await first.take()
    assert await other.seize()
    assert not await first.may_write()
    assert not await first.renew(2000)
    assert await other.may_write()


async def test_two_that_see_the_same_do_not_both_get_it(database: Database) -> None:
    seen = await database.read_at_once(leases.read)
    first, other = Process(database, "first", FIRST), Process(database, "other", FIRST)
    assert await first.seize(seen)
    assert not await other.seize(seen)
    assert await first.may_write()


@pytest.mark.parametrize("newcomer", [ALL, ONE_OF_TWO], ids=["all", "of two"])
async def test_a_new_division_waits_for_all_of_the_old_one(database: Database, newcomer: Shards) -> None:
    first, second = Process(database, "first", FIRST), Process(database, "second", SECOND)
    assert await first.take()
    assert await second.take()
    late = Process(database, "late", newcomer)
    assert not await late.take()
    await first.give_back(2000)
    assert not await late.take()
    await second.give_back(2000)
    assert await late.take()
    for old in (first, second):
        assert not await old.may_write()
        assert not await old.take()


async def test_who_has_everything_keeps_shards_away_until_it_stops(database: Database) -> None:
    whole, part = Process(database, "whole"), Process(database, "part", SECOND)
    assert await whole.take()
    assert not await part.take()
    await whole.give_back(5000)
    assert await part.take()
    assert part.mine[-1].at == 5000, "it goes on from the time of those before"
    assert not await whole.may_write()


def _game_of(connection: Connection, shard: int, due_at: int) -> int:
    columns = {
        **{"game": "atom", "version": 1, "phase": "live", "options": {}, "terms": {}, "channel_id": 1},
        **{"host_id": 1, "locale": "en", "seed": b"", "nonce": b"", "created_at": 0, "why": ""},
        "guild_id": shard << 22,
    }
    key = connection.execute(insert(_GAMES).values(columns)).inserted_primary_key
    assert key is not None
    row = {"game_id": key[0], "kind": "turn", "seat": 0, "due_at": due_at}
    connection.execute(insert(_CLOCKS).values(row))
    return int(key[0])


async def test_clocks_of_a_part_that_stood_still_are_put_off(database: Database) -> None:
    """Shard 2 was down from 2000 on while the others went on to 9000; then one process takes all."""
    first, second = Process(database, "first", FIRST), Process(database, "second", SECOND)
    games = await database.write_at_once(lambda c: [_game_of(c, shard, 2500) for shard in (0, 1, 2)])
    assert await first.take()
    assert await second.take()
    await second.give_back(2000)
    await first.give_back(9000)
    whole = Process(database, "whole")
    assert await whole.take()
    assert whole.mine[0].at == 9000
    asked = select(_CLOCKS.c.game_id, _CLOCKS.c.due_at)
    found = dict(await database.read_at_once(lambda c: c.execute(asked).all()))  # type: ignore[arg-type]
    assert [found[game] for game in games] == [2500, 2500, 9500]


async def test_a_tenure_fences_by_all_its_parts(database: Database) -> None:
    other_line = Database(database.url.render_as_string(hide_password=False))
    first = LeaseHolder(database, ManualClock(), shards=FIRST)
    second = LeaseHolder(other_line, ManualClock(), shards=SECOND)
    try:
        await first.take()
        await second.take()
        assert (first.owns(0), first.owns(2 << 22), second.owns(2 << 22)) == (True, False, True)
        assert first.owns(None)
        assert second.owns(None)
        await database.write_at_once(lambda c: None)
        thief = Process(other_line, "thief", Shards(3, (1,)))
        other_line.fence = None
        assert await thief.seize()
        with pytest.raises(Fenced):
            await database.write_at_once(lambda c: None)
        assert await first.renew() is False
        assert first.lost
        assert await second.renew()
    finally:
        await other_line.close()


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Any:
    """A fresh database of PostgreSQL."""
    return request.getfixturevalue("postgres").fresh()


async def _opened(url: str, count: int) -> list[Database]:

    return [patient_database(url) for _ in range(count)]


async def test_notices_reach_other_processes_when_they_are_stored(server: str) -> None:
    here, there = await _opened(server, 2)
    heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
    missed: list[bool] = []
    listener = Notices(
        there, lambda kind, whose: heard.put_nowait((kind, whose)), lambda: missed.append(True)
    )
    task = asyncio.create_task(listener.round())
    try:
        await asyncio.wait_for(listener.listening.wait(), LIMIT_SECONDS)
        assert missed == [True], "what was told before nobody has heard"

        def refused(connection: Connection) -> None:
            notices.tell(connection, "person", 1)
            raise Conflict("and nothing is stored")

        with pytest.raises(Conflict):
            await here.write_at_once(refused)
        await here.write_at_once(lambda c: notices.tell(c, "person", 2))
        assert await asyncio.wait_for(heard.get(), LIMIT_SECONDS) == ("person", 2)
    finally:
        task.cancel()
        await asyncio.wait({task})
        for each in (here, there):
            await each.close()


async def test_a_line_on_which_nothing_could_be_heard_is_opened_again() -> None:
    """The server goes away between the connection and LISTEN: the driver says so in words of its own."""
    broken = [asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")]

    class Line(SimpleNamespace):
        async def add_listener(self, *_: object) -> None:
            if broken:
                raise broken.pop()

        async def get_raw_connection(self) -> Any:
            return SimpleNamespace(driver_connection=self)

    @contextlib.asynccontextmanager
    async def read() -> AsyncIterator[Line]:
        yield Line(add_termination_listener=lambda _heard: None, is_closed=lambda: True)

    database: Any = SimpleNamespace(place=SimpleNamespace(pooled=False), read=read)
    listener = Notices(database, lambda _kind, _whose: None, lambda: None)
    tasks = Tasks()
    tasks.open()
    Scheduler(SystemClock(), tasks.spawn).keep("notices", listener.round, retry=Backoff(first=0.0))
    try:
        await asyncio.wait_for(listener.listening.wait(), LIMIT_SECONDS)
    finally:
        tasks.halt()
        await tasks.end()
    assert not broken


async def test_shards_of_two_processes_open_one_after_another(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.backend.identify.APART_SECONDS", 0.6)
    databases = await _opened(server, 2)
    turns = [IdentifyTurns(database) for database in databases]
    loop = asyncio.get_running_loop()
    at: list[float] = []

    async def opens(of: IdentifyTurns, bucket: int) -> None:
        await of.wait(bucket)
        at.append(loop.time())

    try:
        await asyncio.wait_for(asyncio.gather(*(opens(of, 0) for of in turns)), LIMIT_SECONDS)
        assert at[1] - at[0] >= 0.6
        await asyncio.wait_for(opens(turns[0], 1), LIMIT_SECONDS)
    finally:
        for of in turns:
            await of.close()
        for database in databases:
            await database.close()


async def test_a_database_that_is_away_keeps_nobody_from_discord_but_lets_nobody_run(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes too early is refused and tried again at once, and a day has a thousand tries."""
    monkeypatch.setattr("bot.store.backend.identify.APART_SECONDS", 0.3)
    (database,) = await _opened(server.replace("/test_", "/nowhere_"), 1)
    turns, loop = IdentifyTurns(database), asyncio.get_running_loop()
    began = loop.time()
    for tries in (1, 2):
        await asyncio.wait_for(turns.wait(0), LIMIT_SECONDS)
        assert loop.time() - began >= 0.3 * tries
    await turns.close()
    await database.close()
