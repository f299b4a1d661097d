"""Tracing of interactions: an id for all log lines an interaction causes, and how its time is spent."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from structlog.contextvars import bind_contextvars, bound_contextvars

WORK = "work"
"""The stage of all time not spent in another stage: rules, texts, and waiting for the event loop."""


@dataclass(slots=True)
class Trace:
    """One interaction, from its arrival until it is answered."""

    verb: str
    began: float = field(default_factory=perf_counter)
    """Start time by `time.perf_counter`."""
    id: str = field(default_factory=lambda: secrets.token_hex(4))
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds by stage, before the first answer."""
    task: asyncio.Task[Any] | None = field(default_factory=asyncio.current_task)
    """The answering task. Other tasks run in parallel and delay no answer."""
    seconds: float | None = None
    """Seconds until the first answer, None before it."""
    inside: int = 0
    """Number of open stages: nested stages count once, as the outer one."""
    refused: bool = False
    """Whether it was rejected, so that the answer time is not that of a handler."""
    on_sent: Callable[[], None] | None = None
    """Called once when the first answer is on its way or will never come."""

    def sent(self) -> None:
        """Record that the first answer is on its way.

        Other changes of this interaction may be shown from now on.
        """
        told, self.on_sent = self.on_sent, None
        if told is not None:
            told()

    def answered(self) -> None:
        """Record that the first answer has reached Discord. No one waits for any later work."""
        self.sent()
        if self.seconds is None:
            self.seconds = perf_counter() - self.began
            rest = self.seconds - sum(self.stages.values())
            self.stages[WORK] = max(0.0, rest)


_current: ContextVar[Trace | None] = ContextVar("press", default=None)


def unanswered() -> Trace | None:
    """Return the unanswered interaction that waits for the running task, if any."""
    trace = _current.get()
    if trace is None or trace.seconds is not None or trace.task is not asyncio.current_task():
        return None
    return trace


@contextmanager
def waiting_for(task: asyncio.Task[Any]) -> Iterator[None]:
    """Count stages of `task` for the interaction while the running task only waits for it."""
    trace = unanswered()
    if trace is None:
        yield
        return
    own, trace.task = trace.task, task
    try:
        yield
    finally:
        trace.task = own


@contextmanager
def following(trace: Trace) -> Iterator[Trace]:
    """Attribute all work within, and all tasks it starts, to this interaction, also in the log."""
    token = _current.set(trace)
    try:
        with bound_contextvars(press=trace.id):
            yield trace
    finally:
        trace.sent()
        _current.reset(token)


def begin(trace: Trace) -> None:
    """Attribute the running task to this interaction until the task ends."""
    _current.set(trace)
    bind_contextvars(press=trace.id)


@contextmanager
def stage(name: str, also: Callable[[float], object] | None = None) -> Iterator[None]:
    """Count the time within as this stage of the unanswered interaction, if any.

    `also` receives the seconds in any case. The answer itself may be the last stage: it counts once Discord
    has it.
    """
    trace, began = unanswered(), perf_counter()
    if trace is not None:
        trace.inside += 1
    try:
        yield
    finally:
        seconds = perf_counter() - began
        if trace is not None:
            trace.inside -= 1
            if not trace.inside and trace.seconds is None:
                trace.stages[name] = trace.stages.get(name, 0.0) + seconds
        if also is not None:
            also(seconds)
