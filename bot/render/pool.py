"""The studio: pictures are painted beside the event loop, each one once, the urgent ones first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache, TTLCache

from bot.render.encode import encode
from bot.render.scene import Scene
from bot.workers.errors import Closed, NoAnswer, TooSlow, WorkerDied
from bot.workers.lane import Job
from bot.workers.pool import CLOSING_SECONDS, Counts, Pool

THREADS: Final = 2
CACHE_BYTES: Final = 12 * 2**20
DEADLINE: Final = 2.0
"""Seconds that one picture may take; the slowest of ours takes a twentieth of it."""
AHEAD: Final = 1
"""A second picture for each process, or it stands idle until the loop has heard of the first."""
CROWD: Final = 8
"""How many pictures must wait before another process is started, since a start takes longer than they do."""
HARMFUL: Final = 256
HARMFUL_SECONDS: Final = 60.0
"""For so long a picture that has cost a process is not tried again."""

URGENT, LATER = 0, 1
"""A picture that answers a press goes before one that follows a change."""


class StudioClosed(RuntimeError):
    """The bot is stopping: nothing more is painted."""


@dataclass(frozen=True, slots=True)
class _Painting:
    job: Job
    result: asyncio.Future[bytes]


class Studio:
    """Paints scenes and remembers the files, up to `cache_bytes`.

    With `workers` it paints in so many processes of its own at most: painting is plain Python for the
    most part, and in a thread every system call of the event loop would wait for it to give the
    interpreter back. Without, in two threads (for tests, and for machines that have memory for one
    process only). Several waiters for an equal scene share one painting. `prepare` runs once in each
    process. A picture that is not ready `deadline` seconds after it was begun is given up.
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
        """How many pictures were painted."""
        return self.pool.counts.done

    @property
    def missed(self) -> int:
        """How often a picture was not in memory: so often one was painted."""
        return self.painted

    @property
    def counts(self) -> Counts:
        """What happened to the painters."""
        return self.pool.counts

    async def paint(self, scene: Scene, priority: int = URGENT, *, whose: Hashable = None) -> bytes:
        """The PNG file of a scene. `whose`: the channel that waits for it; each gets a turn.

        Cancelling one waiter leaves the painting to the others.

        Raises:
            StudioClosed: it is closed, or was before this picture's turn came.
            NoAnswer: it took too long, has killed its painter, or too much waits already.
            Exception: whatever the painter raised.
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
                self.pool.hurry(painting.job)
        return await asyncio.shield(painting.result)

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
        """Start a process now: the first picture would wait seconds for it, a press only three."""
        await self.pool.warm_up()

    def close(self) -> None:
        """Finish what is being painted, for two seconds at most, drop what waits, and stop.

        Blocking: to be called from another thread than that of the event loop. May be called twice.
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
