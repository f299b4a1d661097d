"""`valence doctor` and Discord: the token, the clock, and what the bot may do in which servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.ops import doctor, doctor_discord
from bot.ops.health_check import Finding, HealthAnswer
from bot.settings import Settings, with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.people import put_setting
from bot.store.servers import Server, put_server
from playground.server import start
from tests.support.processes.command_line import TOKEN

pytestmark = pytest.mark.usefixtures("place")


@pytest.fixture
def base() -> Iterator[None]:
    """Discord's addresses as they were before."""
    kept = (
        discord.http.Route.BASE,
        discord.asset.Asset.BASE,
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY,
    )
    yield
    discord.http.Route.BASE, discord.asset.Asset.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = kept


def online(**settings: Any) -> list[Finding]:
    return [one for one in doctor.examine(Settings(**settings)) if one.part == "discord"]


async def test_discord_knows_the_bot(base: None) -> None:
    async with start() as playground:
        found = await asyncio.to_thread(online, DISCORD_TOKEN=playground.token, discord_base=playground.base)
    assert {one.health for one in found} == {HealthAnswer.WELL}
    assert "knows the bot as" in found[0].words
    assert "all 2 servers" in found[-1].words


@pytest.mark.parametrize(
    ("ahead", "says"), [(3, ""), (90, "is 90 seconds ahead of Discord's"), (-7200, "7200 seconds behind")]
)
async def test_a_clock_that_is_wrong(
    base: None, monkeypatch: pytest.MonkeyPatch, ahead: int, says: str
) -> None:
    monkeypatch.setattr(doctor_discord, "time_of", lambda _: int(1000 * (time.time() - ahead)))
    async with start() as playground:
        found = await asyncio.to_thread(online, DISCORD_TOKEN=playground.token, discord_base=playground.base)
    told = [one.words for one in found if "clock" in one.words]
    assert [says in words for words in told] == ([True] if says else [])


@pytest.mark.parametrize(
    ("limit", "health", "says"),
    [
        ((1000, 1000, 0), HealthAnswer.WELL, "All 1,000 session starts are left."),
        ((999, 1000, 3_600_000), HealthAnswer.WELL, "999 of 1,000 session starts left until 1"),
        ((12, 1000, 3_600_000), HealthAnswer.CARE, "12 of 1,000 session starts left until 1"),
        ((0, 1000, 3_600_000), HealthAnswer.WRONG, "0 of 1,000 session starts left until 1"),
    ],
)
async def test_session_starts_that_are_left(
    monkeypatch: pytest.MonkeyPatch, limit: tuple[int, int, int], health: HealthAnswer, says: str
) -> None:
    class Noon(datetime):
        """Half past twelve."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Noon:
            return cls(2026, 3, 3, 12, 30, tzinfo=tz)

    async def gateway() -> tuple[int, str, dict[str, int]]:
        left, total, after = limit
        return 1, "", {"remaining": left, "total": total, "reset_after": after, "max_concurrency": 1}

    monkeypatch.setattr(doctor_discord, "datetime", Noon)
    client: Any = SimpleNamespace(http=SimpleNamespace(get_bot_gateway=gateway))
    found = await doctor_discord._session_starts(client)
    assert found is not None
    assert found.health is health
    assert found.words.startswith(says)


async def test_session_starts_that_discord_does_not_tell(base: None) -> None:
    async def gateway() -> object:
        raise discord.GatewayNotFound

    client: Any = SimpleNamespace(http=SimpleNamespace(get_bot_gateway=gateway))
    assert await doctor_discord._session_starts(client) is None


async def test_discord_does_not_know_the_token(base: None) -> None:
    async with start() as playground:
        found = await asyncio.to_thread(online, DISCORD_TOKEN="another", discord_base=playground.base)
    assert [one.health for one in found] == [HealthAnswer.WRONG]
    assert "does not know this DISCORD_TOKEN" in found[0].words


def test_discord_cannot_be_reached(base: None) -> None:
    found = online(DISCORD_TOKEN=TOKEN, discord_base="http://127.0.0.1:1")
    assert [one.health for one in found] == [HealthAnswer.WRONG]
    assert "cannot be reached" in found[0].words


@pytest.mark.parametrize(
    ("guilds", "health", "says"),
    [
        ([], HealthAnswer.CARE, "in no server yet. Invite it: https://discord.com/"),
        ([{"name": "Den", "permissions": "0"}], HealthAnswer.WRONG, "In Den the bot lacks: "),
        ([{"name": "Den", "permissions": "8"}], HealthAnswer.WELL, "one server"),
        (
            [{"name": "Den", "permissions": str(doctor_discord.needed().value)}] * 2,
            HealthAnswer.WELL,
            "all 2 servers",
        ),
        (
            [{"name": "Den", "permissions": "8"}] * 400 + [{"name": "Last", "permissions": "0"}],
            HealthAnswer.WRONG,
            "In Last the bot lacks: ",
        ),
    ],
)
async def test_what_the_bot_may_do(
    base: None, monkeypatch: pytest.MonkeyPatch, guilds: list[Any], health: HealthAnswer, says: str
) -> None:
    numbered = [{**guild, "id": str(n)} for n, guild in enumerate(guilds)]

    async def get_guilds(_: Any, limit: int, *, after: str | None = None, **__: Any) -> list[Any]:
        begin = 0 if after is None else int(after) + 1
        return numbered[begin : begin + limit]

    monkeypatch.setattr(discord.http.HTTPClient, "get_guilds", get_guilds)
    async with start() as playground:
        found = await asyncio.to_thread(online, DISCORD_TOKEN=playground.token, discord_base=playground.base)
    assert found[-1].health == health
    assert says in found[-1].words


async def test_commands_that_discord_has_lost_are_counted(base: None, tmp_path: Path) -> None:
    """The bot has registered them once, and another program has emptied the list."""
    url = f"sqlite:///{tmp_path / 'valence.db'}"
    await migrate.upgrade(url)
    database = Database(with_async_driver(url))
    async with start() as playground:
        number = playground.core.world.application_id
        await database.write_at_once(lambda c: put_setting(c, "application", number, "commands", {}))
        await database.close()
        settings = {"DISCORD_TOKEN": playground.token, "DATABASE_URL": url, "discord_base": playground.base}
        found = await asyncio.to_thread(online, **settings)
    (told,) = [one for one in found if "the lists differ" in one.words]
    assert told.health is HealthAnswer.CARE
    assert "and Discord has 0 of them" in told.words


async def test_channels_and_roles_that_are_gone_are_named(
    base: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'valence.db'}"
    await migrate.upgrade(url)
    database = Database(with_async_driver(url))
    await database.write_at_once(
        lambda c: put_server(c, 0, Server(channels=(5, 6), open_role=8, close_role=9))
    )
    await database.close()

    async def get_guilds(*_: Any, **__: Any) -> list[Any]:
        return [
            {"id": "0", "name": "Den", "permissions": "8"},
            {"id": "1", "name": "Pub", "permissions": "8"},
        ]

    async def channels(_: Any, guild_id: str) -> list[Any]:
        return [{"id": "5"}] if guild_id == "0" else []

    async def roles(_: Any, guild_id: str) -> list[Any]:
        return [{"id": "8"}]

    monkeypatch.setattr(discord.http.HTTPClient, "get_guilds", get_guilds)
    monkeypatch.setattr(discord.http.HTTPClient, "get_all_guild_channels", channels)
    monkeypatch.setattr(discord.http.HTTPClient, "get_roles", roles)
    async with start() as playground:
        words = {"DISCORD_TOKEN": playground.token, "discord_base": playground.base, "DATABASE_URL": url}
        found = await asyncio.to_thread(online, **words)
    (gone,) = [one for one in found if one.health is HealthAnswer.CARE]
    assert "The settings of Den name what is there no more: channel 6, role 9." in gone.words


@pytest.mark.long
async def test_many_servers_that_answer_slowly_make_discord_no_stranger(
    base: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> AsyncIterator[tuple[str, str]]:
        yield "Den", "channel 6"
        await asyncio.Event().wait()

    monkeypatch.setattr(doctor_discord, "PATIENCE", 2.0)
    monkeypatch.setattr(doctor_discord, "_gone", never)
    async with start() as playground:
        found = await asyncio.to_thread(online, DISCORD_TOKEN=playground.token, discord_base=playground.base)
    told = [one.words for one in found if one.health is HealthAnswer.CARE]
    assert ["The settings of Den" in told[0], "did not tell in time" in told[1]] == [True, True]
    assert "unreachable" not in {one.words for one in found if one.health is HealthAnswer.WRONG}


@pytest.mark.long
@pytest.mark.parametrize("hangs", [False, True])
async def test_a_hundred_pages_of_servers_have_each_its_time(
    base: None, monkeypatch: pytest.MonkeyPatch, hangs: bool
) -> None:
    """20,000 servers take longer than one answer may; where a page fails, what was read is told."""
    asked = list[str | None]()

    async def get_guilds(_: Any, limit: int, *, after: str | None = None, **__: Any) -> list[Any]:
        asked.append(after)
        await asyncio.sleep(0.02)
        if hangs and len(asked) == 60:
            await asyncio.Event().wait()
        begin = 0 if after is None else int(after) + 1
        page = range(begin, min(begin + limit, 20_000))
        return [{"id": str(n), "name": f"Den {n}", "permissions": "8"} for n in page]

    monkeypatch.setattr(doctor_discord, "PATIENCE", 1.0)
    monkeypatch.setattr(discord.http.HTTPClient, "get_guilds", get_guilds)
    async with start() as playground:
        found = await asyncio.to_thread(online, DISCORD_TOKEN=playground.token, discord_base=playground.base)
    assert [one.health for one in found if one.health is HealthAnswer.WRONG] == []
    care = [one.words for one in found if one.health is HealthAnswer.CARE]
    if hangs:
        assert "the first 11800 servers" in care[0]
    else:
        assert (len(asked), care) == (101, [])
        assert "20000" in found[-1].words
