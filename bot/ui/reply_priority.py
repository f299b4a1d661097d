"""Priority of replies: while an answer is being made, nothing else occupies the event loop for long.

One press changes several views: the player's hand, the table, the hands of others. All are made on one event
loop, but only the first has a person waiting for it.
"""

from __future__ import annotations

import asyncio
from typing import Final

from bot.telemetry.trace import Trace

PATIENCE: Final = 0.05
"""Maximum seconds to wait for answers, since a busy bot always has one under way."""


class ReplyPriority:
    """Counts the answers being made, so that less urgent work can wait for them."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._making = 0
        self._none = asyncio.Event()
        self._none.set()

    @property
    def making(self) -> int:
        """The number of answers being made."""
        return self._making

    def press(self, verb: str) -> Trace:
        """Start the trace of a press or command. It counts as being answered until the trace reports it
        sent."""
        self._making += 1
        self._none.clear()
        return Trace(verb, on_sent=self._sent)

    def _sent(self) -> None:
        self._making -= 1
        if not self._making:
            self._none.set()

    async def give_way(self) -> None:
        """Wait until no answer is being made, at most `patience` seconds."""
        if not self._none.is_set():
            try:
                async with asyncio.timeout(self._patience):
                    await self._none.wait()
            except TimeoutError:
                return
