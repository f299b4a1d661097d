"""The people's side: the page's files, the WebSocket that pages and programmatic people share."""

from __future__ import annotations

import asyncio
import hmac
import re
from importlib.resources import files
from pathlib import PurePosixPath

import msgspec
from aiohttp import WSMsgType, web

from playground import payloads
from playground.actions.acts import Acts
from playground.core import Core
from playground.errors import ApiError
from playground.hub import frame_of
from playground.model import Json, User
from playground.options import OptionRefused
from playground.wire import Outgoing

LOCALE = re.compile(r"[a-z]{2}(-[A-Z0-9]{2,3})?")
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff": "font/woff",
}
_encode = msgspec.json.encode


class People:
    """Serves the page and speaks with everybody who is connected."""

    def __init__(self, core: Core, acts: Acts) -> None:
        self._core = core
        self._acts = acts
        self._world = core.world
        self._pages = files("playground").joinpath("page")
        self._cache: dict[str, bytes] = {}
        core.gateway.on_change.append(self._tell_bot_state)

    def install(self, app: web.Application) -> None:
        """Add the page and its WebSocket to the server."""
        app.router.add_get("/k/{key}/ws", self._socket)
        app.router.add_get("/k/{key}/{path:.*}", self._page)

    # The page's files ---------------------------------------------------------------------

    def _check_key(self, request: web.Request) -> None:
        if not hmac.compare_digest(request.match_info["key"].encode(), self._core.key.encode()):
            raise web.HTTPForbidden(text="This address lacks the right key: open the one that was printed.")
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._core.origins:
            raise web.HTTPForbidden(text="Wrong origin.")

    async def _page(self, request: web.Request) -> web.Response:
        self._check_key(request)
        path = request.match_info["path"] or "index.html"
        suffix = PurePosixPath(path).suffix
        if suffix not in _TYPES or ".." in path or path.startswith("/"):
            raise web.HTTPNotFound
        found = self._pages.joinpath(path)
        if not found.is_file():
            raise web.HTTPNotFound
        return web.Response(
            body=found.read_bytes(),
            content_type=_TYPES[suffix],
            charset=None if suffix == ".woff" else "utf-8",
            headers={"Content-Security-Policy": self._policy(), **SAFETY, "Cache-Control": "no-store"},
        )

    def _policy(self) -> str:
        live = " ".join(origin.replace("http://", "ws://") for origin in self._core.origins)
        return (
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
            "img-src 'self' data: blob:; "
            f"connect-src 'self' {live}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    # The WebSocket ------------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        self._check_key(request)
        name = request.query.get("as", "ann")
        user = self._world.people.get(name)
        if user is None:
            try:
                user = self._core.add_person(name)
            except ValueError as error:
                raise web.HTTPNotFound(text=str(error)) from None
        locale = request.query.get("locale", "")
        if LOCALE.fullmatch(locale):
            user.locale = locale
        socket = web.WebSocketResponse(
            max_msg_size=payloads.ATTACHMENT_LIMIT * 16, compress=False, heartbeat=30
        )
        await socket.prepare(request)
        out = Outgoing(socket)
        out.send(frame_of("HELLO", self._core.snapshot(user)))
        self._core.hub.links[out] = user
        running: set[asyncio.Task[None]] = set()
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                task = asyncio.create_task(self._serve(user, out, message.data))
                running.add(task)
                task.add_done_callback(running.discard)
        finally:
            self._core.hub.links.pop(out, None)
            for task in list(running):
                task.cancel()
            await out.stop()
        return socket

    async def _serve(self, user: User, out: Outgoing, text: str) -> None:
        number: object = None
        try:
            request = msgspec.json.decode(text)
            number = request.get("id")
            result = await self._acts.act(user, str(request.get("op")), request.get("args") or {})
            reply: Json = {"re": number, "ok": True, "d": result}
        except OptionRefused as refused:
            reply = {"re": number, "ok": False, "error": refused.words, "field": refused.field}
        except ApiError as error:
            reply = {"re": number, "ok": False, "error": error.message, "field": None}
        except (msgspec.DecodeError, AttributeError, TypeError, ValueError, KeyError) as error:
            reply = {"re": number, "ok": False, "error": f"bad request: {error}", "field": None}
        out.send(_encode(reply))

    def _tell_bot_state(self) -> None:
        self._core.hub.tell(None, "BOT", {"connected": self._core.gateway.connected})


SAFETY = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
