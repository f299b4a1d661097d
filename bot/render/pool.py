"""The studio: pictures are painted beside the event loop, each one once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from cachetools import LRUCache

from bot.render.encode import encode
from bot.render.scene import Scene

THREADS: Final = 2
CACHE_BYTES: Final = 12 * 2**20


class Pictures:
    """Paints scenes on two threads of its own and remembers the files, up to `cache_bytes`.

    Several waiters for an equal scene share one painting. The loop's default pool is never used, so a
    burst of pictures cannot hold up other work, nor the other way round.
    """

    def __init__(self, *, cache_bytes: int = CACHE_BYTES, painter: Callable[[Scene], bytes] = encode) -> None:
        self._painter = painter
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="pictures")
        self._cache: LRUCache[Scene, bytes] = LRUCache(cache_bytes, getsizeof=len)
        self._busy: dict[Scene, Future[bytes]] = {}
        self._lock = threading.Lock()
        self.painted = 0
        self.hits = 0

    async def paint(self, scene: Scene) -> bytes:
        """The PNG file of a scene.

        Cancelling one waiter leaves the painting to the others. Raises RuntimeError after `close`, and
        whatever the painter raised.
        """
        with self._lock:
            ready = self._cache.get(scene)
            if ready is not None:
                self.hits += 1
                return ready
            work = self._busy.get(scene)
            if work is None:
                work = self._busy[scene] = self._pool.submit(self._work, scene)
            else:
                self.hits += 1
        # A waiter that is cancelled must not cancel the work of the others: shield the shared future.
        try:
            return await asyncio.shield(asyncio.wrap_future(work))
        except asyncio.CancelledError:
            if work.cancelled():
                raise RuntimeError("the studio was closed before this picture was painted") from None
            raise

    def _work(self, scene: Scene) -> bytes:
        try:
            file = self._painter(scene)
        except BaseException:
            with self._lock:
                self._busy.pop(scene, None)
            raise
        with self._lock:
            self._busy.pop(scene, None)
            self.painted += 1
            if len(file) <= self._cache.maxsize:
                self._cache[scene] = file
        return file

    def close(self) -> None:
        """Finish what is being painted, drop what waits, and stop the threads. May be called twice."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def __aenter__(self) -> Pictures:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)
