"""A gateway client that does just what a test tells it."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import msgspec

from playground import Playground


class RawGateway:
    def __init__(self, pg: Playground) -> None:
        self.pg = pg
        self.session = aiohttp.ClientSession()
        self.frames: list[Any] = []
        self.close_code: int | None = None

    async def open(self) -> RawGateway:
        self.socket = await self.session.ws_connect(self.pg.core.gateway.url)
        await self.next(lambda f: f["op"] == 10)
        return self

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_str(msgspec.json.encode({"op": op, "d": data}).decode())

    async def identify(self, intents: int = 1, **fields: Any) -> Any:
        await self.send(2, {"token": self.pg.token, "intents": intents, "properties": {}, **fields})
        ready = await self.event("READY")
        return ready["d"]

    async def next(self, fits: Any, within: float = 2.0) -> Any:
        async with asyncio.timeout(within):
            while True:
                message = await self.socket.receive()
                if message.type is not aiohttp.WSMsgType.TEXT:
                    self.close_code = self.socket.close_code
                    raise ConnectionError(f"closed with {self.close_code}")
                frame = msgspec.json.decode(message.data)
                self.frames.append(frame)
                if fits(frame):
                    return frame

    async def event(self, name: str, within: float = 2.0) -> Any:
        return await self.next(lambda f: f["t"] == name, within)

    async def closed(self) -> int | None:
        try:
            await self.next(lambda _: False)
        except ConnectionError:
            return self.close_code
        return None

    async def so_far(self) -> list[Any]:
        """Collect what was sent before the answer to a heartbeat."""
        before = len(self.frames)
        await self.send(1, None)
        await self.next(lambda f: f["op"] == 11)
        return self.frames[before:-1]

    async def close(self, *, hard: bool = False) -> None:
        if hard:
            self.socket._response.connection.transport.abort()
        await self.session.close()
