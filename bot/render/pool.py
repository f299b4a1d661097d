"""The studio: pictures are painted off the event loop, each only once, urgent ones first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache, TTLCache

from bot.render.encode import encode
from bot.render.scene import Scene
from bot.workers.errors import Closed, NoAnswer, TooSlow, WorkerDied
from bot.workers.pool import CLOSING_SECONDS, Counts, Pool
from bot.workers.worker import Job

THREADS: Final = 2
CACHE_BYTES: Final = 12 * 2**20
DEADLINE: Final = 2.0
"""Seconds allowed for one picture. Our slowest takes a twentieth of this."""
AHEAD: Final = 1
"""Pictures queued for each process in advance, so that it need not wait for the event loop in between."""
CROWD: Final = 8
"""Waiting pictures before another process is started, because starting one takes longer than
painting them."""
HARMFUL: Final = 256
HARMFUL_SECONDS: Final = 60.0
"""Seconds before a picture that cost a process is tried again."""

URGENT, LATER = 0, 1
"""Priorities: a picture that answers a press comes before one that follows a change."""


class StudioClosed(RuntimeError):
    """The bot is stopping, so nothing more is painted."""


@dataclass(frozen=True, slots=True)
class _Painting:
    job: Job
    result: asyncio.Future[bytes]


class Studio:
    """Paints scenes and caches the files, up to `cache_bytes`.

    With `workers` it paints in at most that many processes. Painting is mostly plain Python, so in a thread
    every system call of the event loop would have to wait for it to release the interpreter. Without
    `workers` it uses two threads, for tests and for machines with memory for only one process.

    Requests for equal scenes share one painting. `prepare` runs once in each process. A picture that is not
    ready `deadline` seconds after it was started is abandoned.
    """

    def __init__(
        self,
        *,
        workers: int = 0,
        cache_bytes: int = CACHE_BYTES,
        painter: Callable[[Scene], bytes] = encode,
        prepare: Callable[[], object] | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        self._painter = painter
        self._deadline = deadline
        self.pool = Pool("pictures", workers, threads=THREADS, prepare=prepare, ahead=AHEAD, crowd=CROWD)
        self._cache: LRUCache[Scene, bytes] = LRUCache(cache_bytes, getsizeof=len)
        self._waiting: dict[Scene, _Painting] = {}
        self._harmful: TTLCache[Scene, NoAnswer] = TTLCache(HARMFUL, HARMFUL_SECONDS)
        self._closed = False
        self.hits = 0

    @property
    def painted(self) -> int:
        """Number of pictures painted."""
        return self.pool.counts.done

    @property
    def missed(self) -> int:
        """Number of cache misses. Each one led to a painting."""
        return self.painted

    @property
    def counts(self) -> Counts:
        """Counters of the worker pool."""
        return self.pool.counts

    def has_time_for(self, scene: Scene) -> bool:
        """Return whether no other picture waits for a painter, or this one is painted or under way."""
        return scene in self._cache or scene in self._waiting or not self.pool.backlog

    async def paint(self, scene: Scene, priority: int = URGENT, *, whose: Hashable = None) -> bytes:
        """Return the file of a scene, PNG or GIF. `whose` is the channel that waits; channels take turns.

        Cancelling one waiter does not cancel the painting for the others.

        Raises:
            StudioClosed: the studio is closed, or was closed before this picture's turn came.
            NoAnswer: it took too long, killed its painter, or the queue is full.
            Exception: any error raised by the painter.
        """
        ready = self._cache.get(scene)
        if ready is not None:
            self.hits += 1
            return ready
        if self._closed:
            raise StudioClosed("the studio is closed")
        if (harmful := self._harmful.get(scene)) is not None:
            raise type(harmful)("this picture has cost a painter a moment ago")
        painting = self._waiting.get(scene)
        if painting is None:
            painting = self._begin(scene, priority, whose)
        else:
            self.hits += 1
            if priority == URGENT:
                self.pool.expedite(painting.job)
        return await asyncio.shield(painting.result)

    def painted_file(self, scene: Scene) -> bytes | None:
        """Return the file of a scene that has been painted, or None."""
        ready = self._cache.get(scene)
        self.hits += ready is not None
        return ready

    def paint_ahead(self, scene: Scene, *, whose: Hashable = None) -> None:
        """Start to paint a scene that a press is about to ask for."""
        known = scene in self._cache or scene in self._waiting or scene in self._harmful
        if not (known or self._closed):
            self._begin(scene, URGENT, whose)

    def _begin(self, scene: Scene, priority: int, whose: Hashable) -> _Painting:
        result: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        result.add_done_callback(lambda done: done.cancelled() or done.exception())
        job = self.pool.submit(
            self._painter, scene, deadline=self._deadline, whose=whose, urgent=priority == URGENT
        )
        painting = self._waiting[scene] = _Painting(job, result)
        job.future.add_done_callback(lambda done: self._finish(scene, painting, done))
        return painting

    def _finish(self, scene: Scene, painting: _Painting, done: asyncio.Future[bytes]) -> None:
        self._waiting.pop(scene, None)
        error = done.exception()
        if error is None:
            file = done.result()
            if len(file) <= self._cache.maxsize:
                self._cache[scene] = file
            if not painting.result.done():
                painting.result.set_result(file)
            return
        if isinstance(error, TooSlow | WorkerDied):
            self._harmful[scene] = error
        if isinstance(error, Closed):
            error = StudioClosed("the studio was closed before this picture was painted")
        if not painting.result.done():
            painting.result.set_exception(error)

    async def warm_up(self) -> None:
        """Start a process now. The first picture would wait seconds for it, and a press waits only three."""
        await self.pool.warm_up()

    def close(self) -> None:
        """Finish running paintings, for two seconds at most, drop the queue, and stop.

        Blocking: call it from another thread than the event loop's. May be called twice.
        """
        self._closed = True
        loop = self.pool.loop
        if loop is None or not loop.is_running() or loop is _running_loop():
            self.pool.kill()
            return
        asyncio.run_coroutine_threadsafe(self.pool.close(), loop).result(2 * CLOSING_SECONDS)

    async def __aenter__(self) -> Studio:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closed = True
        await self.pool.close()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
