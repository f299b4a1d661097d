"""One outgoing WebSocket: frames are queued, so that a slow reader holds nobody up."""

from __future__ import annotations

import asyncio
from collections import deque

from aiohttp import WSMsgType, web

MAX_WAITING = 5000


class Outgoing:
    """Sends text frames in order from one task of its own."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self._frames: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._task = asyncio.create_task(self._pump())
        self._closing: tuple[int, bytes] | None = None

    def send(self, frame: bytes) -> None:
        """Queue a frame. A reader that is thousands of frames behind is dropped."""
        if len(self._frames) >= MAX_WAITING:
            self.close(1008, b"too slow")
            return
        self._frames.append(frame)
        self._wake.set()

    def close(self, code: int, reason: bytes = b"") -> None:
        """Close the socket after what is queued."""
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()

    @property
    def closing(self) -> bool:
        """Whether this side asked for the end."""
        return self._closing is not None

    async def stop(self) -> None:
        """End the sending task; the socket itself is closed by its handler."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _pump(self) -> None:
        frames, socket = self._frames, self.socket
        try:
            while True:
                while frames:
                    await socket.send_frame(frames.popleft(), WSMsgType.TEXT)
                if self._closing is not None:
                    await socket.close(code=self._closing[0], message=self._closing[1])
                    return
                self._wake.clear()
                await self._wake.wait()
        except (ConnectionError, RuntimeError):
            # The other side went away; the reading half notices and cleans up.
            return
