"""The studio: pictures are painted beside the event loop, each one once, the urgent ones first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Final

from cachetools import LRUCache

from bot import worker
from bot.render.encode import encode
from bot.render.scene import Scene

THREADS: Final = 2
CACHE_BYTES: Final = 12 * 2**20

URGENT, LATER = 0, 1
"""A picture that answers a press goes before one that follows a change."""


class StudioClosed(RuntimeError):
    """The bot is stopping: nothing more is painted."""


class Pictures:
    """Paints scenes and remembers the files, up to `cache_bytes`.

    With `workers` it paints in processes of its own: painting is plain Python for the most part, and
    in a thread every system call of the event loop would wait for it to give the interpreter back.
    Without, in two threads (for tests, and for machines that have memory for one process only).
    Several waiters for an equal scene share one painting. `prepare` runs once in each process.
    """

    def __init__(
        self,
        *,
        workers: int = 0,
        cache_bytes: int = CACHE_BYTES,
        painter: Callable[[Scene], bytes] = encode,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self._painter = painter
        self._prepare = prepare
        self._workers = workers
        self._executor: Executor | None = None
        # a second one for each process, or it stands idle until the loop has heard of the first
        self._room = 2 * workers or THREADS
        self._cache: LRUCache[Scene, bytes] = LRUCache(cache_bytes, getsizeof=len)
        self._waiting: dict[Scene, asyncio.Future[bytes]] = {}
        self._started: set[Scene] = set()
        self._queue: list[tuple[int, int, Scene]] = []
        self._order = itertools.count()
        self._retries: dict[Scene, int] = {}
        self._closed = False
        self.painted = 0
        self.hits = 0

    async def paint(self, scene: Scene, priority: int = URGENT) -> bytes:
        """The PNG file of a scene.

        Cancelling one waiter leaves the painting to the others.

        Raises:
            StudioClosed: it is closed, or was before this picture's turn came.
            Exception: whatever the painter raised.
        """
        ready = self._cache.get(scene)
        if ready is not None:
            self.hits += 1
            return ready
        if self._closed:
            raise StudioClosed("the studio is closed")
        result = self._waiting.get(scene)
        if result is None:
            result = self._waiting[scene] = asyncio.get_running_loop().create_future()
            # an error that every waiter was cancelled before is nobody's surprise
            result.add_done_callback(lambda done: done.cancelled() or done.exception())
        else:
            self.hits += 1
        # one that waits already may have become urgent: the earlier of two entries counts
        heapq.heappush(self._queue, (priority, next(self._order), scene))
        self._start()
        return await asyncio.shield(result)

    async def warm_up(self) -> None:
        """Start a process now: the first picture would wait seconds for it, a press only three."""
        if self._workers and not self._closed:
            try:
                await asyncio.wrap_future(self._pool().submit(_ready))
            except (BrokenProcessPool, RuntimeError, OSError):
                self._executor = None  # the first picture tries again

    def _start(self) -> None:
        """Hand over as many pictures as there is room for."""
        loop = asyncio.get_running_loop()
        while self._room and self._queue:
            _, _, scene = heapq.heappop(self._queue)
            result = self._waiting.get(scene)
            if result is None or result.done() or scene in self._started:
                continue
            self._started.add(scene)
            self._room -= 1
            try:
                work = self._pool().submit(self._painter, scene)
            except (BrokenProcessPool, RuntimeError, OSError) as error:  # no process could be had
                work = Future()
                work.set_exception(error)
            work.add_done_callback(partial(self._hand_over, loop, scene))

    def _hand_over(self, loop: asyncio.AbstractEventLoop, scene: Scene, work: Future[bytes]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._finish, scene, work)

    def _finish(self, scene: Scene, work: Future[bytes]) -> None:
        self._room += 1
        self._started.discard(scene)
        result = self._waiting.pop(scene, None)
        error = work.exception() if not work.cancelled() else StudioClosed("the studio was closed")
        if isinstance(error, BrokenProcessPool):
            self._executor = None  # the next picture gets a new process
            if self._retries.get(scene, 0) < 1 and result is not None and not self._closed:
                self._retries[scene] = 1
                self._waiting[scene] = result
                heapq.heappush(self._queue, (URGENT, next(self._order), scene))
                self._start()
                return
        self._retries.pop(scene, None)
        if error is None:
            self.painted += 1
            file = work.result()
            if len(file) <= self._cache.maxsize:
                self._cache[scene] = file
            if result is not None and not result.done():
                result.set_result(file)
        elif result is not None and not result.done():
            result.set_exception(error)
        if not self._closed:
            self._start()

    def _pool(self) -> Executor:
        if self._executor is None:
            if self._workers:
                self._executor = ProcessPoolExecutor(
                    self._workers,
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=worker.begin,
                    initargs=(self._prepare,),
                )
            else:
                self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="pictures")
        return self._executor

    def close(self) -> None:
        """Finish what is being painted, drop what waits, and stop. May be called twice."""
        self._closed = True
        for scene, result in list(self._waiting.items()):
            if scene not in self._started and result.get_loop().is_running():
                result.get_loop().call_soon_threadsafe(_drop, result)
        self._queue.clear()
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    async def __aenter__(self) -> Pictures:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)


def _ready() -> None:
    """Nothing to do: the process is there, and prepared."""


def _drop(result: asyncio.Future[bytes]) -> None:
    if not result.done():
        result.set_exception(StudioClosed("the studio was closed before this picture was painted"))
