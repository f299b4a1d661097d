"""How a REST request becomes a call of one function, and its result or refusal an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from aiohttp import web

from playground import permissions as perm
from playground.actions.posts import Uploads
from playground.core import Core
from playground.errors import ApiError, missing_access, missing_permissions, unauthorized, unknown
from playground.model import DM, Channel, Guild, Json, PostedMessage
from playground.ratelimits import GLOBAL, Limit
from playground.rest.body import parse

API = "/api/v10"
_encode = msgspec.json.encode


@dataclass(slots=True)
class Call:
    """One request of the bot, its body already read."""

    core: Core
    params: dict[str, str]
    query: dict[str, str]
    body: Any
    uploads: Uploads

    def number(self, name: str) -> int:
        """Return a snowflake of the path; 0 when it is none."""
        text = self.params[name]
        return int(text) if text.isdecimal() else 0

    def flag(self, name: str) -> bool:
        """Return a boolean of the query."""
        return self.query.get(name, "").lower() in ("1", "true")

    def limit(self, default: int, highest: int) -> int:
        """Return the `limit` of the query."""
        text = self.query.get("limit", "")
        return min(max(int(text), 1), highest) if text.isdecimal() else default

    def guild(self) -> Guild:
        """Return the guild of the path. Raises ApiError 10004 or 50001."""
        guild = self.core.world.guilds.get(self.number("guild_id"))
        if guild is None:
            raise unknown("Guild")
        if not guild.installed:
            raise missing_access()
        return guild

    def channel(self, *needed: int, send: bool = False) -> Channel:
        """Return the channel of the path when the bot sees it and has the needed rights.

        Raises ApiError 10003, 50001 or 50013.
        """
        world = self.core.world
        channel = world.channels.get(self.number("channel_id"))
        if channel is None:
            raise unknown("Channel")
        if channel.guild is None:
            if channel.kind != DM:
                raise missing_access()
            return channel
        bits = world.rights(channel, world.bot) if channel.guild.installed else 0
        if not bits & perm.VIEW_CHANNEL:
            raise missing_access()
        if send and not perm.may_send(channel, bits):
            raise missing_permissions()
        if any(not bits & bit for bit in needed):
            raise missing_permissions()
        return channel

    def message(self, channel: Channel) -> PostedMessage:
        """Return the message of the path; ephemerals do not exist here. Raises ApiError 10008."""
        message = channel.messages.get(self.number("message_id"))
        if message is None or message.ephemeral:
            raise unknown("Message")
        return message


Handler = Callable[[Call], object]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One route: who may call it, how often, and what it does."""

    method: str
    path: str
    handler: Handler
    limit: Limit | None
    major: str
    public: bool


TABLE: list[Endpoint] = []


def route(
    method: str, path: str, *, limit: Limit | None = None, major: str = "channel_id", public: bool = False
) -> Callable[[Handler], Handler]:
    """Register a handler. `public` routes carry their right in the path instead of a bot token."""

    def register(handler: Handler) -> Handler:
        TABLE.append(Endpoint(method, path, handler, limit, major, public))
        return handler

    return register


def install(app: web.Application, core: Core) -> None:
    """Add every registered route to the server."""
    for endpoint in TABLE:
        app.router.add_route(endpoint.method, API + endpoint.path, _handler_of(endpoint, core))
    app.router.add_route("*", API + "/{rest:.*}", _missing(core))


def _handler_of(endpoint: Endpoint, core: Core) -> Callable[[web.Request], Any]:
    expected = f"Bot {core.token}"
    route_key = f"{endpoint.method} {endpoint.path}"

    async def handle(request: web.Request) -> web.Response:
        core.requests[route_key] += 1
        params = dict(request.match_info)
        headers: dict[str, str] = {}
        body: object = None
        try:
            raw = await request.read() if request.body_exists else b""
            if not endpoint.public:
                if request.headers.get("Authorization") != expected:
                    raise unauthorized()
                _pace(core, "global", "", GLOBAL)
            if endpoint.limit is not None:
                headers = _pace(core, route_key, params.get(endpoint.major, ""), endpoint.limit)
            body, uploads = parse(request.headers.get("Content-Type", ""), raw)
            result = endpoint.handler(Call(core, params, dict(request.query), body, uploads))
        except ApiError as error:
            core.hub.report(request.method, _shown(request.path), error, body)
            return web.Response(
                status=error.status,
                body=_encode(error.body()),
                content_type="application/json",
                headers={**headers, **error.headers},
            )
        if result is None:
            return web.Response(status=204, headers=headers)
        return web.Response(body=_encode(result), content_type="application/json", headers=headers)

    return handle


def _pace(core: Core, key: str, major: str, limit: Limit) -> dict[str, str]:
    headers, wait = core.limits.take(key, major, limit)
    everywhere = limit is GLOBAL
    if wait:
        scope = {
            "Retry-After": f"{wait:.3f}",
            "X-RateLimit-Scope": "user",
            # Without Via the library takes a 429 for a ban and gives up.
            "Via": "1.1 playground",
        }
        if everywhere:
            scope["X-RateLimit-Global"] = "true"
        raise ApiError(
            429,
            0,
            "You are being rate limited.",
            extra={"retry_after": round(wait, 3), "global": everywhere},
            headers={**({} if everywhere else headers), **scope},
        )
    return {} if everywhere else headers


def _missing(core: Core) -> Callable[[web.Request], Any]:
    async def handle(request: web.Request) -> web.Response:
        await request.read()
        error = ApiError(404, 0, "404: Not Found")
        core.hub.report(request.method, _shown(request.path), error)
        return web.Response(status=404, body=_encode(error.body()), content_type="application/json")

    return handle


def _shown(path: str) -> str:
    """Return the path without the interaction token, which is long and secret."""
    parts = path.removeprefix(API).split("/")
    if len(parts) > 3 and parts[1] in ("webhooks", "interactions"):
        parts[3] = parts[3][:6] + "…"
    return "/".join(parts)


def listed(items: Any) -> list[Json]:
    """Return a list for an answer."""
    return list(items)
