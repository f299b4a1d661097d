"""The real bot against a simulated Discord, in one process."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from simcord import Env
from sqlalchemy import update

from bot.client import Valence
from bot.settings import Settings
from bot.store import days
from bot.store.models import DayRow, table_of
from bot.tables.ports import SystemClock
from bot.tables.thinking import WorkerThinker
from engine import catalog
from tests.support.processes.schema import empty

MEMORY = Path("/dev/shm")
COMPONENTS_V2 = 1 << 15
"""The flag of a message that has no content."""


class HurriedClock(SystemClock):
    """Waits for no rate limit and for no opponent's pace; deadlines ring in their time."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables and nothing in them, made once."""
    path = tmp_path_factory.mktemp("empty") / "valence.db"
    path.write_bytes(empty())
    return path


@pytest.fixture
def folder(empty_database: Path) -> Iterator[Path]:
    """A place for the database, in memory where there is such a place: an hour has 240 heartbeats."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        shutil.copy(empty_database, name)
        yield Path(name)


@pytest.fixture
def settings(folder: Path) -> Settings:
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        DISCORD_TOKEN="playground",
        DATABASE_URL=f"sqlite:///{folder / 'valence.db'}",
        pace=0,
        workers=0,
        cache="-",
        shards="0/1",  # the simulated Discord recommends none
        # no heartbeat rings while a test runs: `far_timers`
        lease_seconds=50,
        lease_renew_seconds=15,
        most_presses_a_second=1000,
    )


@pytest.fixture(autouse=True)
def far_timers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers that are set for more than five seconds ring only where a test moves the clock.

    The simulated Discord waits after each press for whatever rings within five seconds, and gives up where
    it rings just as they end. A game on a slow machine lasts longer than a timer of ten or twenty seconds.
    """
    schedule = Env._schedule_timer

    def schedule_near(env: Env, record: Any, *rest: Any) -> None:
        schedule(env, record, *rest)
        if record.real_handle is not None and record.when - env._virtual_time > env.settle_timeout:
            record.real_handle.cancel()

    monkeypatch.setattr(Env, "_schedule_timer", schedule_near)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait on, four times in all, where a press is still at work after five seconds.

    Those five are also how far ahead a timer is waited for (`far_timers`), so they are not made longer. A
    machine with much else to do, or that stands still for a second or two, needs more for what is quick.
    """
    settle = Env._settle_internal

    async def settle_at_last(env: Env, **how: Any) -> None:
        for _ in range(3):
            try:
                return await settle(env, **how)
            except TimeoutError:
                how.pop("_deadline", None)
        return await settle(env, **how)

    monkeypatch.setattr(Env, "_settle_internal", settle_at_last)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Random:
    """The lots that the bot draws: the same at each run of a test."""
    return Random(request.node.nodeid)


@pytest.fixture
async def simcord_bot(settings: Settings, chance: Random) -> AsyncIterator[Valence]:
    bot = Valence(settings, clock=HurriedClock(), thinker=WorkerThinker(0), chance=chance)
    yield bot
    # the simulated Discord lets go of the bot without closing it: its threads would hold every bot in memory
    await bot._parts.aclose()


FIRST_NUMBER = 1 << 16
"""The simulated Discord numbers from here within a millisecond, once the bot has started."""


@pytest.fixture
def room(simcord_env: Any) -> Iterator[Any]:
    """A server with a channel and three people."""
    # it waits so long after each press for timers that might still ring; ours ring at once or much later
    simcord_env._settle_internal = partial(simcord_env._settle_internal, idle=0.002)
    # numbers of interactions enter the deal, so they must not hang on how many commands the bot has told of
    simcord_env.backend._sequences[simcord_env.backend.snowflake() >> 22] = FIRST_NUMBER
    guild = simcord_env.create_guild()
    channel = guild.create_text_channel("card-table")
    people = {name: guild.add_member(simcord_env.create_user(name)) for name in ("ann", "ben", "cleo")}
    with spawned_in_scope(simcord_env):
        yield SimpleNamespace(env=simcord_env, bot=simcord_env.bot, guild=guild, channel=channel, **people)
    for entry in simcord_env.http_requests:
        must_be_readable(entry.json)


@contextmanager
def spawned_in_scope(env: Any) -> Iterator[None]:
    """Let `settle` wait for every task that the bot spawns, also where a test calls the bot by itself.

    The simulated Discord waits only for what an event that it sent has started.
    """
    tasks = env.bot.app.tables.tasks
    spawn = tasks.spawn

    def spawn_in_scope(work: Any, name: str) -> None:
        with env._bot_scope():
            spawn(work, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "spawn", spawn_in_scope)
        yield


def must_be_readable(body: Any) -> None:
    """Check that a request that pings someone has text which a phone shows in its notification."""
    data = body.get("data", body) if isinstance(body, dict) else None
    allowed = (data.get("allowed_mentions") or {}) if isinstance(data, dict) else {}
    if isinstance(data, dict) and (allowed.get("users") or allowed.get("roles") or allowed.get("parse")):
        assert (data.get("content") or "").strip(), f"pings without text: {data}"
        assert not int(data.get("flags") or 0) & COMPONENTS_V2, f"pings with Components V2: {data}"


@pytest.fixture
async def drawn(room: Any) -> str:
    """The deals of today, as if they had been drawn the day before; which day it is."""
    tables = room.bot.app.tables
    now = tables.clock.now()

    def draw(connection: Any) -> None:
        days.draw(connection, [game for game in catalog.listed() if game != "probe"], now - days.DAY_MS)
        # what the start of the bot has drawn for tomorrow stays
        row = table_of(DayRow)
        day = days.day_of(now)
        connection.execute(update(row).where(row.c.day == day).values(made_at=days.begins_at(day) - 1))

    await tables.database.write_at_once(draw)
    return days.day_of(now)
