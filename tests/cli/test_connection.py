"""The way to Discord: through a proxy, and when Discord or Cloudflare takes no logins for now."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import RawTestServer, TestServer

from bot import connection
from bot.connection import RETRY, log_in, pause_before, proxy_for
from bot.core.backoff import Backoff
from bot.ops.startup import misuse_words
from bot.settings import BadSetting, Settings
from bot.settings import settings as read_settings
from bot.ui.discord_errors import reason
from tests.support.processes.certificates import NEEDS_OPENSSL, certificate

PAGE = "<!DOCTYPE html><html><head><title>Access denied</title></head><body>Error 1015</body></html>"
ME = {"id": "1", "username": "Valence", "discriminator": "0", "avatar": None}
PROXY, OTHER = "http://10.0.0.1:3128", "http://10.0.0.2:3128"


@pytest.fixture(autouse=True)
def no_proxy_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the proxy of this machine."""
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "VALENCE_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def with_settings(**settings: Any) -> Settings:
    return Settings(DISCORD_TOKEN="any", **settings)


@pytest.mark.parametrize(
    ("environment", "written", "used"),
    [
        ({}, "", None),
        ({}, PROXY, PROXY),
        ({"HTTPS_PROXY": PROXY}, "", PROXY),
        ({"https_proxy": PROXY}, "", PROXY),
        ({"HTTPS_PROXY": PROXY}, OTHER, OTHER),
        ({"HTTP_PROXY": PROXY}, "", None),
        ({"HTTPS_PROXY": PROXY, "NO_PROXY": "example.com"}, "", PROXY),
        ({"HTTPS_PROXY": PROXY, "NO_PROXY": "discord.com"}, "", None),
        ({"HTTPS_PROXY": PROXY, "NO_PROXY": "*"}, "", None),
        ({"HTTPS_PROXY": "socks5://10.0.0.1:1080"}, "", None),
    ],
)
def test_the_proxy_is_the_one_of_the_setting_or_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], written: str, used: str | None
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_for(with_settings(proxy=written)) == used


def test_a_rehearsal_needs_no_proxy_unless_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", PROXY)
    assert proxy_for(with_settings(discord_base="http://127.0.0.1:1")) is None
    assert proxy_for(with_settings(discord_base="http://127.0.0.1:1", proxy=OTHER)) == OTHER


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("written", ["10.0.0.1:3128", "socks5://10.0.0.1:1080", "http://"])
def test_what_is_no_proxy_is_refused_with_an_example(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("VALENCE_PROXY", written)
    monkeypatch.setenv("DISCORD_TOKEN", "any")
    with pytest.raises(BadSetting, match=r"http://10\.0\.0\.1:3128"):
        read_settings()


def refused(status: int, text: str = PAGE, **headers: str) -> discord.HTTPException:
    reply: Any = SimpleNamespace(status=status, reason="Refused", headers=headers)
    return discord.HTTPException(reply, text)


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (refused(429, **{"Retry-After": "3600"}), 3600),
        (refused(429), 5),
        (refused(429, "slow down"), 5),
        (refused(403), 5),
        (refused(502), 5),
        (refused(503, "unavailable"), 5),
        (refused(503, **{"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), 5),
        (refused(403, "you may not"), None),
        (refused(404, "unknown"), None),
    ],
)
def test_only_what_waiting_mends_is_waited_for(error: discord.HTTPException, pause: float | None) -> None:
    assert pause_before(error, 1) == pause


def test_the_pauses_grow() -> None:
    pauses = [pause_before(refused(503), failures) or 0.0 for failures in range(1, 30)]
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (5, RETRY.longest)


def test_an_error_never_prints_a_page() -> None:
    assert reason(refused(502)) == "502 Refused"
    assert "slow down" in reason(refused(429, "slow down"))


def as_json(found: dict[str, Any]) -> web.Response:
    """Answer as Discord does, whose content type names no charset."""
    return web.Response(body=json.dumps(found).encode(), headers={"Content-Type": "application/json"})


@pytest.fixture
async def discord_that(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Callable[..., Awaitable[TestServer]]]:
    """Answer logins with these first, and then as Discord does."""
    servers: list[TestServer] = []

    async def start(answers: Iterable[tuple[int, str]]) -> TestServer:
        left = iter(answers)

        async def answer(request: web.Request) -> web.Response:
            if (found := next(left, None)) is not None:
                return web.Response(status=found[0], text=found[1], content_type="text/html")
            if request.path.endswith("/users/@me"):
                return as_json(ME)
            return as_json(
                {"id": "7", "name": "Valence", "description": "", "icon": None, "flags": 0, "verify_key": ""}
                | {"bot_public": True, "bot_require_code_grant": False, "summary": "", "hook": True}
                | {"owner": ME}
            )

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        servers.append(TestServer(app))
        await servers[0].start_server()
        monkeypatch.setattr(discord.http.Route, "BASE", str(servers[0].make_url("/api/v10")))
        return servers[0]

    monkeypatch.setattr(connection, "RETRY", Backoff(first=0.0))
    yield start
    for server in servers:
        await server.close()


async def test_a_bot_that_is_blocked_waits_and_then_logs_in(
    discord_that: Callable[..., Awaitable[TestServer]],
) -> None:
    """A process that ended would be started again at once, and be blocked for longer."""
    await discord_that([(429, PAGE), (403, PAGE), (503, PAGE), (429, PAGE)])
    async with discord.Client(intents=discord.Intents.none()) as client:
        await log_in(client, "any")
        assert client.user is not None
        assert client.user.name == "Valence"


async def test_a_wrong_token_is_told_at_once(discord_that: Callable[..., Awaitable[TestServer]]) -> None:
    await discord_that([(429, PAGE), (401, '{"message": "401: Unauthorized", "code": 0}')])
    async with discord.Client(intents=discord.Intents.none()) as client:
        with pytest.raises(discord.LoginFailure):
            await log_in(client, "any")


async def test_discord_is_reached_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy is asked for the whole address."""
    asked: list[str] = []

    async def answer(request: web.BaseRequest) -> web.Response:
        asked.append(str(request.url))
        return as_json(ME)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    monkeypatch.setattr(discord.http.Route, "BASE", "http://discord.invalid/api/v10")
    proxy = proxy_for(with_settings(proxy=f"http://127.0.0.1:{port}"))
    async with discord.Client(intents=discord.Intents.none(), proxy=proxy) as client:
        await client.http.static_login("any")
    assert asked == ["http://discord.invalid/api/v10/users/@me"]
    await runner.cleanup()


@NEEDS_OPENSSL
async def test_a_certificate_that_cannot_be_trusted_is_told_with_what_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind a proxy that opens what is encrypted, whose own certificate this machine does not know."""
    ours = await asyncio.to_thread(certificate, tmp_path, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ours, ours.with_suffix(".key"))
    server = TestServer(web.Application(), host="localhost", scheme="https")
    await server.start_server(ssl=context)
    monkeypatch.setattr(discord.http.Route, "BASE", str(server.make_url("/api/v10")))
    async with discord.Client(intents=discord.Intents.none()) as client:
        with pytest.raises(aiohttp.ClientError) as found:
            await log_in(client, "any")
    await server.close()
    said = misuse_words(found.value)
    assert said is not None
    assert "localhost" in said
    assert "SSL_CERT_FILE" in said


async def test_a_proxy_that_asks_for_a_login_is_told_with_what_mends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(_request: web.BaseRequest) -> web.Response:
        return web.Response(status=407)

    async with RawTestServer(refuse) as server:
        monkeypatch.setattr(discord.http.Route, "BASE", "https://discord.invalid/api/v10")
        proxy = f"http://127.0.0.1:{server.port}"
        async with discord.Client(intents=discord.Intents.none(), proxy=proxy) as client:
            with pytest.raises(aiohttp.ClientError) as found:
                await log_in(client, "any")
    said = misuse_words(found.value)
    assert said is not None
    assert "VALENCE_PROXY" in said
