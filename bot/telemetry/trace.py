"""The press that is being answered: its id, which stands in each log line that it causes, and where its time
goes."""

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
"""The stage of all time that no other stage has: rules, words, and waiting for the event loop."""


@dataclass(slots=True)
class Trace:
    """One press or command, from its arrival until it is answered."""

    verb: str
    began: float = field(default_factory=perf_counter)
    """By `time.perf_counter`."""
    id: str = field(default_factory=lambda: secrets.token_hex(4))
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds by stage, of what came before the answer."""
    task: asyncio.Task[Any] | None = field(default_factory=asyncio.current_task)
    """Who answers: what runs beside it costs nobody's patience."""
    seconds: float | None = None
    """How long the answer took; None as long as there is none."""
    inside: int = 0
    """How many stages are under way: one within another counts once, as the outer one."""
    refused: bool = False
    """Nothing was to come of it, and what is answered says so: no time of a handler."""
    on_sent: Callable[[], None] | None = None
    """Told once when the first answer is on its way, or when there will be none."""

    def sent(self) -> None:
        """Its first answer is on its way: whatever else this press has changed may be shown now."""
        told, self.on_sent = self.on_sent, None
        if told is not None:
            told()

    def answered(self) -> None:
        """Its first answer has reached Discord; what is done after that, nobody waits for."""
        self.sent()
        if self.seconds is None:
            self.seconds = perf_counter() - self.began
            rest = self.seconds - sum(self.stages.values())
            self.stages[WORK] = max(0.0, rest)


_current: ContextVar[Trace | None] = ContextVar("press", default=None)


def unanswered() -> Trace | None:
    """The press that waits for what the running task does, if any."""
    trace = _current.get()
    if trace is None or trace.seconds is not None or trace.task is not asyncio.current_task():
        return None
    return trace


@contextmanager
def waiting_for(task: asyncio.Task[Any]) -> Iterator[None]:
    """Within, the running task does nothing but wait for this one: what that does costs the patience of who
    pressed, so its stages count."""
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
    """Within, all that this task does, and whatever it starts, belongs to the press; log lines name it."""
    token = _current.set(trace)
    try:
        with bound_contextvars(press=trace.id):
            yield trace
    finally:
        trace.sent()
        _current.reset(token)


def begin(trace: Trace) -> None:
    """The running task works for this press until it ends."""
    _current.set(trace)
    bind_contextvars(press=trace.id)


@contextmanager
def stage(name: str, also: Callable[[float], object] | None = None) -> Iterator[None]:
    """Count the time within as this stage of the press that waits for it, if there is one; `also` is told the
    seconds in any case.

    The answer itself may be the last stage: it is counted when Discord has it.
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
