"""The real bot against a simulated Discord, in one process."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from simcord import Env, interactions
from sqlalchemy import update

from bot.client import Valence
from bot.core.clock import SystemClock
from bot.settings import Settings
from bot.store import days
from bot.store.models import DayRow, table_of
from bot.table.thinking import WorkerThinker
from bot.ui.commands.command_tree import Tree
from engine import catalog
from tests.support.processes.schema import empty

MEMORY = Path("/dev/shm")
COMPONENTS_V2 = 1 << 15
"""The flag of a message that has no content."""


LOOK = 0.005
MORE = 11

NOON = 1_773_144_000_000
"""12:00 on 10 March 2026 (UTC), in milliseconds. At this time the bot starts in each test: no test depends on
the date, or runs over midnight."""


class HurriedClock(SystemClock):
    """Waits for no rate limit and for no opponent's pace; deadlines ring in their time, from `NOON` on."""

    def __init__(self) -> None:
        super().__init__()
        self._since_noon = super().now() - NOON

    def now(self) -> int:
        return super().now() - self._since_noon

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
    """Wait on, twelve times in all, where a press or a moved clock is still at work after five seconds.

    Those five are also how far ahead a timer is waited for (`far_timers`), so they are not made longer. A
    machine with much else to do, or that stands still for a second or two, needs more for what is quick.
    The simulated Discord looks every 50 ms whether all is done, which is most of the time of a test: here it
    looks every `LOOK` seconds.
    """
    settle, advance = Env._settle_internal, Env._advance_to

    async def settle_at_last(env: Env, **how: Any) -> None:
        how["idle"] = LOOK
        for _ in range(0 if "_deadline" in how else MORE):
            with contextlib.suppress(TimeoutError):
                return await settle(env, **how)
        return await settle(env, **how)

    async def advance_at_last(env: Env, target: float, deadline: float) -> None:
        for _ in range(MORE):
            with contextlib.suppress(TimeoutError):  # what has rung by then has rung
                return await advance(env, target, deadline)
            deadline = asyncio.get_running_loop().time() + env.settle_timeout
        return await advance(env, target, deadline)

    monkeypatch.setattr(Env, "_settle_internal", settle_at_last)
    monkeypatch.setattr(Env, "_advance_to", advance_at_last)


LIMITS = (
    "bot.table.table.ACT_SECONDS",
    "bot.ui.context.PATIENCE",
    "bot.ui.live.picture_delivery.PICTURE_SECONDS",
    "bot.features.table.hand.open_hands.SENDING_SECONDS",
    "bot.features.table.lobby.opening.THREAD_POSTED_SECONDS",
    "bot.features.table.lobby.opening.POSTED_SECONDS",
)
"""Seconds after which the bot answers without a thing that is on its way."""


@pytest.fixture(autouse=True)
def generous_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot wait a minute for what takes milliseconds: a busy machine may stand still for seconds.

    A test about one of these limits sets it by itself.
    """
    for name in LIMITS:
        monkeypatch.setattr(name, 60.0)


MENUS: dict[tuple[str, ...], list[dict[str, Any]]] = {}
"""Payloads of the menu by the names of its commands."""


@pytest.fixture(autouse=True)
def menu_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Translate the menu once in a process: into 34 languages, that is a tenth of a short test."""
    translated = Tree.payload

    async def payload(tree: Tree) -> list[dict[str, Any]]:
        names = tuple(command.qualified_name for command in tree.walk_commands())
        if names not in MENUS:
            MENUS[names] = await translated(tree)
        return MENUS[names]

    monkeypatch.setattr(Tree, "payload", payload)


@pytest.fixture(autouse=True)
def permissions_of_the_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send the permissions of each member chosen in a command or a select, as Discord does."""
    payload_of = interactions.base_payload

    def base_payload(backend: Any, *, channel_id: int, guild_id: int | None, **rest: Any) -> Any:
        for user, member in rest["data"].get("resolved", {}).get("members", {}).items():
            member["permissions"] = str(backend.compute_permissions(guild_id, int(user), channel_id))
        return payload_of(backend, channel_id=channel_id, guild_id=guild_id, **rest)

    monkeypatch.setattr(interactions, "base_payload", base_payload)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Random:
    """The lots that the bot draws: the same at each run of a test."""
    return Random(request.node.name)


@pytest.fixture
async def simcord_bot(settings: Settings, chance: Random, generous_limits: None) -> AsyncIterator[Valence]:
    bot = Valence(settings, clock=HurriedClock(), thinker=WorkerThinker(0), chance=chance)
    yield bot
    # the simulated Discord lets go of the bot without closing it: its threads would hold every bot in memory
    await bot._parts.aclose()


FIRST_NUMBER = 1 << 16
"""The simulated Discord numbers from here within a millisecond, once the bot has started."""


@pytest.fixture
def room(simcord_env: Any) -> Iterator[Any]:
    """A server with a channel and three people."""
    with furnished(simcord_env) as found:
        yield found
    for entry in simcord_env.http_requests:
        must_be_readable(entry.json)


@contextlib.contextmanager
def furnished(env: Any) -> Iterator[Any]:
    """Give a simulated Discord a server with a channel and three people."""
    # numbers of interactions enter the deal, so they must not hang on how many commands the bot has told of
    env.backend._sequences[env.backend.snowflake() >> 22] = FIRST_NUMBER
    guild = env.create_guild()
    channel = guild.create_text_channel("card-table")
    people = {name: guild.add_member(env.create_user(name)) for name in ("ann", "ben", "cleo")}
    with spawned_in_scope(env):
        yield SimpleNamespace(env=env, bot=env.bot, guild=guild, channel=channel, **people)


@contextlib.contextmanager
def spawned_in_scope(env: Any) -> Iterator[None]:
    """Let `settle` wait for every task that the bot spawns, also where a test calls the bot by itself.

    The simulated Discord waits only for what an event that it sent has started.
    """
    tasks, scheduler = env.bot.tables.tasks, env.bot.tables.runtime.scheduler
    spawn = tasks.spawn

    def spawn_in_scope(work: Any, name: str) -> None:
        with env._bot_scope():
            spawn(work, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "spawn", spawn_in_scope)
        patch.setattr(scheduler, "_spawn", spawn_in_scope)
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
    tables = room.bot.tables
    now = tables.clock.now()

    def draw(connection: Any) -> None:
        days.draw(connection, [game for game in catalog.listed() if game != "probe"], now - days.DAY_MS)
        # what the start of the bot has drawn for tomorrow stays
        row = table_of(DayRow)
        day = days.day_of(now)
        connection.execute(update(row).where(row.c.day == day).values(made_at=days.begins_at(day) - 1))

    await tables.database.write_at_once(draw)
    return days.day_of(now)
