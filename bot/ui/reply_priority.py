"""Presses go before what can wait: while an answer is being made, nothing else takes the event loop for long.

One press changes what several people see: the hand of whoever pressed, the table, the hands of others. All
of it is made on one event loop, and only the first is waited for by somebody with a finger on a button.
"""

from __future__ import annotations

import asyncio
from typing import Final

from bot.telemetry.trace import Trace

PATIENCE: Final = 0.05
"""Seconds that something waits for answers at most: a busy bot always has one under way."""


class ReplyPriority:
    """Counts the answers that are being made; what can wait gives way to them."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._making = 0
        self._none = asyncio.Event()
        self._none.set()

    @property
    def making(self) -> int:
        """How many answers are being made."""
        return self._making

    def press(self, verb: str) -> Trace:
        """A press or command has come in: its answer is being made until the trace says that it is sent."""
        self._making += 1
        self._none.clear()
        return Trace(verb, on_sent=self._sent)

    def _sent(self) -> None:
        self._making -= 1
        if not self._making:
            self._none.set()

    async def give_way(self) -> None:
        """Return once no answer is being made; after `patience` seconds in any case."""
        if not self._none.is_set():
            try:
                async with asyncio.timeout(self._patience):
                    await self._none.wait()
            except TimeoutError:
                return
