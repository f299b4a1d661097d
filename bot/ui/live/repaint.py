"""Retries of pictures that could not be painted and were replaced by plain felt."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import structlog

from bot.core.backoff import Backoff
from bot.core.clock import Clock, Handle
from bot.ui.components import Message

log = structlog.get_logger(__name__)

RETRY = Backoff(first=10.0, longest=600.0, factor=9.0, retries=3)
"""Pauses between tries while nothing changes. The second one is longer than the studio's pause for a picture
that has killed a painter."""


class Repaint:
    """Calls `again` a few times while a live message shows a version without its picture."""

    def __init__(self, clock: Clock, what: str, again: Callable[[], None]) -> None:
        self._clock = clock
        self._what = what
        self._again = again
        self._version: int | None = None
        self._tries = 0
        self._timer: Handle | None = None

    @property
    def waits(self) -> bool:
        """True if a picture will be tried again."""
        return self._timer is not None

    def sent(self, message: Message, version: int) -> None:
        """Note which version the message shows now."""
        self.forget()
        if not message.unpainted:
            return
        if version != self._version:
            self._version, self._tries = version, 0
        pause = next(itertools.islice(RETRY, self._tries, None), None)
        if pause is not None:
            log.info("shown without its picture", what=self._what, again_in=pause)
            self._timer = self._clock.call_later(pause, self._ring)
            self._tries += 1

    def forget(self) -> None:
        """Stop retrying."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        self._again()
