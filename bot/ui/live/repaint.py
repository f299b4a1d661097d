"""Pictures that could not be painted: felt stands in their place, and they are tried again."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.core.clock import Clock, Handle
from bot.ui.components import Message

log = structlog.get_logger(__name__)

PAUSES = (10.0, 90.0, 600.0)
"""After how many seconds a picture is tried again, as long as nothing changes; the second is longer than
the studio leaves alone what has cost it a painter."""


class Repaint:
    """Calls `again` some times while a live message shows a version without its picture."""

    def __init__(self, clock: Clock, what: str, again: Callable[[], None]) -> None:
        self._clock = clock
        self._what = what
        self._again = again
        self._version: int | None = None
        self._tries = 0
        self._timer: Handle | None = None

    @property
    def waits(self) -> bool:
        """Whether a picture will be tried again."""
        return self._timer is not None

    def sent(self, message: Message, version: int) -> None:
        """This is what the message shows now."""
        self.forget()
        if not message.unpainted:
            return
        if version != self._version:
            self._version, self._tries = version, 0
        if self._tries < len(PAUSES):
            log.info("shown without its picture", what=self._what, again_in=PAUSES[self._tries])
            self._timer = self._clock.call_later(PAUSES[self._tries], self._ring)
            self._tries += 1

    def forget(self) -> None:
        """Try no more by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        self._again()
