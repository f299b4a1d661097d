"""The server: one process that is Discord for a bot and for the people in their browsers."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Generator
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Handler

from playground.actions.acts import Acts
from playground.clock import PlaygroundClock, RealClock
from playground.core import Core
from playground.files import flat_png
from playground.people import SAFETY, People
from playground.rest import applications, channels, guilds, messages, webhooks
from playground.rest.routing import install

MAX_BODY = 26 * 1024 * 1024
# Importing these modules fills the table of routes.
ROUTES = (applications, channels, guilds, messages, webhooks)


class Playground:
    """A running local Discord; also an async context manager."""

    def __init__(self, core: Core, runner: web.AppRunner, host: str, port: int) -> None:
        self.core = core
        self._runner = runner
        self.host = host
        self.port = port
        self.base = f"http://{host}:{port}"

    @property
    def key(self) -> str:
        """The secret part of every page address."""
        return self.core.key

    @property
    def token(self) -> str:
        """The token that the bot has to present."""
        return self.core.token

    @property
    def requests(self) -> int:
        """How many requests the bot has made so far."""
        return self.core.requests.total()

    def page_url(self, person: str = "ann") -> str:
        """Return the page's address for one person."""
        return f"{self.base}/k/{self.core.key}/?as={person}"

    async def close(self) -> None:
        """Stop serving; everything that was said is gone."""
        for out in list(self.core.hub.links):
            out.close(1001)
        self.core.gateway.drop_all(1001)
        await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class Starting:
    """What `start` returns: await it, or use it with `async with`."""

    def __init__(self, core: Core, host: str, port: int) -> None:
        self._core = core
        self._host = host
        self._port = port
        self._made: Playground | None = None

    def __await__(self) -> Generator[object, None, Playground]:
        return self._start().__await__()

    async def __aenter__(self) -> Playground:
        self._made = await self._start()
        return self._made

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._made is not None:
            await self._made.close()

    async def _start(self) -> Playground:
        app = _application(self._core)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        site = web.TCPSite(runner, self._host, self._port, backlog=512)
        try:
            await site.start()
        except OSError:
            await runner.cleanup()
            raise
        port: int = runner.addresses[0][1]
        self._core.listen_at(self._host, port)
        return Playground(self._core, runner, self._host, port)


def start(
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "playground",  # noqa: S107 - not a secret: it opens nothing but this
    key: str | None = None,
    clock: PlaygroundClock | None = None,
    *,
    privileged_intents: bool = False,
    rate_limits: bool = True,
) -> Starting:
    """Start a local Discord: `pg = await start()` or `async with start() as pg`.

    Raises ValueError when the host is not a loopback address or the port is none, OSError when the
    port is taken.
    """
    if not (host == "localhost" or ipaddress.ip_address(host).is_loopback):
        raise ValueError(f"the playground listens on this machine only, not on {host}")
    if not 0 <= port <= 65535:
        raise ValueError(f"a port is a number from 0 to 65535, not {port}")
    core = Core(
        clock or RealClock(),
        token=token,
        key=key or secrets.token_urlsafe(16),
        privileged_intents=privileged_intents,
        rate_limits=rate_limits,
    )
    return Starting(core, host, port)


def _application(core: Core) -> web.Application:
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        # A name that resolves here is not enough: this keeps other sites' pages out.
        if request.headers.get("Host", "") not in core.hosts:
            raise web.HTTPForbidden(text="Wrong host.")
        origin = request.headers.get("Origin")
        if origin is not None and origin not in core.origins:
            raise web.HTTPForbidden(text="Wrong origin.")
        return await handler(request)

    app = web.Application(middlewares=[guard], client_max_size=MAX_BODY)
    install(app, core)
    _install_cdn(app, core)
    People(core, Acts(core)).install(app)

    async def root(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await core.gateway.handle(request)
        raise web.HTTPForbidden(text="Open the address with the key that was printed at the start.")

    app.router.add_get("/", root)
    return app


def _install_cdn(app: web.Application, core: Core) -> None:
    async def attachment(request: web.Request) -> web.Response:
        text = request.match_info["number"]
        found = core.files.get(int(text), request.query.get("hm", "")) if text.isdecimal() else None
        if found is None:
            raise web.HTTPNotFound
        inline = found.content_type in ("image/png", "image/jpeg", "image/gif", "image/webp")
        headers = {"Cache-Control": "private, max-age=86400", **SAFETY}
        if not inline:
            headers["Content-Disposition"] = "attachment"
        kind = found.content_type.split(";")[0]
        return web.Response(body=found.data, content_type=kind, headers=headers)

    async def emoji(request: web.Request) -> web.Response:
        number = request.match_info["number"].partition(".")[0]
        found = core.world.emojis.get(int(number)) if number.isdecimal() else None
        if found is None:
            raise web.HTTPNotFound
        return web.Response(body=found.data, content_type=found.content_type, headers=SAFETY)

    async def avatar(request: web.Request) -> web.Response:
        colours = ("#5865f2", "#757e8a", "#3ba55d", "#faa61a", "#ed4245", "#eb459f")
        number = request.match_info["number"].partition(".")[0]
        index = int(number) % len(colours) if number.isdecimal() else 0
        return web.Response(body=flat_png(colours[index]), content_type="image/png", headers=SAFETY)

    app.router.add_get("/cdn/attachments/{channel}/{number}/{name}", attachment)
    app.router.add_get("/cdn/emojis/{number}", emoji)
    app.router.add_get("/cdn/embed/avatars/{number}", avatar)
