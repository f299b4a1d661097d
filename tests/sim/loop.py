"""An event loop whose time is a number, for worlds that replay from a seed.

Packages were looked for. looptime and async-solipsism move the clock of asyncio and know of no process that
dies; simloom has all of it and needs Python 3.12. simloop comes nearest, with crashes and torn disks, and no
index had it to install (November 2026). So this is a small loop of our own, after the ideas of FoundationDB's
simulator. What is ready runs in the order in which it became so, as asyncio promises; time jumps to the next
timer when nothing is. What is left to chance (how long a call takes) the world draws from its seed.

A `Process` is a set of tasks and timers: those that were started in its context. Whatever belongs to one
that has died is dropped, right where it stands, as SIGKILL does; of one that stands still it is kept until
it goes on.

Its limits: no sockets, files, signals, subprocesses or threads; `call_soon_threadsafe` is `call_soon`; work
for an executor is done inline, by whoever the world names as `port`; nothing takes time by itself, so a loop
that waits for no time hangs (`MOST_STEPS` at one moment ends it); no debug mode; asynchronous generators are
closed by the garbage collector and not by the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import heapq
import itertools
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
MOST_STEPS = 200_000
"""So many steps without any time passing are a loop that never ends."""


class Stuck(AssertionError):
    """Something goes round and round, or waits for what will never come."""


class Process:
    """Tasks and timers that live and die together."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.paused = False
        self.backlog: list[Handle] = []
        """What came while it stood still."""
        self.context = contextvars.copy_context()
        self.context.run(PROCESS.set, self)

    def __repr__(self) -> str:
        return f"<{self.name}{'' if self.alive else ' dead'}{' paused' if self.paused else ''}>"


PROCESS: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)
"""Whose work this is; None for the world's own."""


class Handle:
    """A call that is to be made; the part of asyncio's handles that tasks and timeouts use."""

    __slots__ = ("_args", "_call", "_cancelled", "_when", "context")

    def __init__(
        self,
        call: Callable[..., object],
        args: tuple[Any, ...],
        context: contextvars.Context | None,
        when: float = 0.0,
    ) -> None:
        self._call: Callable[..., object] | None = call
        self._args = args
        self._when = when
        self._cancelled = False
        self.context = contextvars.copy_context() if context is None else context

    def cancel(self) -> None:
        self._cancelled, self._call, self._args = True, None, ()

    def cancelled(self) -> bool:
        return self._cancelled

    def when(self) -> float:
        return self._when

    def run(self) -> None:
        if self._call is not None:
            self.context.run(self._call, *self._args)


class CountedTask(asyncio.Task[Any]):
    """A task whose place in a set follows from the order of tasks, and not from where it lies in memory."""

    _numbers = itertools.count()

    def __init__(self, *args: Any, **options: Any) -> None:
        self._number = next(CountedTask._numbers)
        super().__init__(*args, **options)

    def __hash__(self) -> int:
        return self._number


class _Nobody(asyncio.Future[Any]):
    """What stands for a task that is not started any more."""

    def set_name(self, _name: object) -> None:
        """It has none."""


class VirtualLoop(asyncio.AbstractEventLoop):
    """The loop of one world."""

    def __init__(self) -> None:
        self._now = 0.0
        self._ready: deque[Handle] = deque()
        self._timers: list[tuple[float, int, Handle]] = []
        self._order = itertools.count()
        self._closed = False
        self._running = False
        self.tasks: list[asyncio.Task[Any]] = []
        """Every task that was not done when it was last looked."""
        self._kept = 1000
        self.troubles: list[str] = []
        """What nobody caught."""
        self.port: Callable[[Any, Callable[[], Any], asyncio.Future[Any]], None] = _at_once
        """Does work for an executor: the executor, the work, and where its result goes."""
        CountedTask._numbers = itertools.count()

    # -- time ---------------------------------------------------------------------------------

    def time(self) -> float:
        return self._now

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:
        handle = Handle(callback, args, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> Any:
        return self.call_at(self._now + max(0.0, delay), callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:
        handle = Handle(callback, args, context, when)
        heapq.heappush(self._timers, (when, next(self._order), handle))
        return handle

    # -- running ------------------------------------------------------------------------------

    def run_until_complete(self, future: Any) -> Any:
        task = asyncio.ensure_future(future, loop=self)
        before = events._get_running_loop()
        events._set_running_loop(None)
        events._set_running_loop(self)
        self._running = True
        try:
            self._run(task)
        finally:
            self._running = False
            events._set_running_loop(before)
        return task.result()

    def _run(self, task: asyncio.Future[Any]) -> None:
        ready, timers, steps = self._ready, self._timers, 0
        while not task.done():
            if not ready:
                while timers and timers[0][2]._cancelled:
                    heapq.heappop(timers)
                if not timers:
                    raise Stuck("everything waits for what will never come")
                now = timers[0][0]
                if now > self._now:
                    self._now, steps = now, 0
                while timers and timers[0][0] <= now:
                    ready.append(heapq.heappop(timers)[2])
            steps += 1
            if steps > MOST_STEPS:
                raise Stuck(f"{steps} steps and no time has passed at {self._now:.3f}")
            handle = ready.popleft()
            if handle._cancelled:
                continue
            process = handle.context.get(PROCESS)
            if process is not None:
                if not process.alive:
                    continue
                if process.paused:
                    process.backlog.append(handle)
                    continue
            try:
                handle.run()
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as error:  # noqa: BLE001 - told by whoever looks at the world
                self.troubles.append(f"a callback failed: {error!r}")

    def pause(self, process: Process) -> None:
        """Let it stand still from here on."""
        process.paused = True

    def go_on(self, process: Process) -> None:
        """Let it go on, with all that came meanwhile."""
        process.paused = False
        self._ready.extend(process.backlog)
        process.backlog.clear()

    def spawn(self, process: Process | None, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Start a task in a process, or in none."""
        context = contextvars.copy_context() if process is None else process.context.copy()
        return self.create_task(work, name=name, context=context)

    def unfinished(self, process: Process) -> list[asyncio.Task[Any]]:
        """The tasks of a process that are not done."""
        mine = [task for task in self.tasks if not task.done()]
        return [task for task in mine if task.get_context().get(PROCESS) is process]  # type: ignore[attr-defined]

    # -- tasks --------------------------------------------------------------------------------

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, *, name: str | None = None, context: Any = None) -> asyncio.Task[Any]:
        if self._closed:
            coro.close()
            return _Nobody(loop=self)  # type: ignore[return-value]
        chosen = contextvars.copy_context() if context is None else context
        task = CountedTask(coro, loop=self, name=name, context=chosen)
        task.get_context = lambda: chosen  # type: ignore[attr-defined]  # which Python 3.11 does not tell
        self.tasks.append(task)
        if len(self.tasks) > self._kept:
            self.tasks = [each for each in self.tasks if not each.done()]
            self._kept = 2 * len(self.tasks) + 1000
        return task

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        future = self.create_future()
        self.port(executor, lambda: func(*args), future)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        told = context.get("exception") or ""
        self.troubles.append(f"{context.get('message', '')} {told!r} {context.get('task') or ''}")

    # -- what else asyncio asks ---------------------------------------------------------------

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Throw away what is left. What dead processes were at is closed here, where it can do no harm, and
        not whenever the garbage collector comes by."""
        self._closed = True
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            for task in self.tasks:
                if not task.done():
                    task._log_destroy_pending = False  # type: ignore[attr-defined]
                    with contextlib.suppress(BaseException):
                        task.get_context().run(task.get_coro().close)  # type: ignore[attr-defined, union-attr]
        finally:
            events._set_running_loop(before)
        self.tasks.clear()
        self._ready.clear()
        self._timers.clear()


def deliver(future: asyncio.Future[Any], result: Any = None, error: BaseException | None = None) -> None:
    """Give a result or an error to whoever still waits for it."""
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)


def _at_once(_executor: Any, work: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    try:
        result = work()
    except Exception as error:  # noqa: BLE001 - handed on to whoever waits
        deliver(future, error=error)
    else:
        deliver(future, result)
