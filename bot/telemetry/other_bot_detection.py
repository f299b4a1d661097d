"""Detection of a second bot that uses the same token with another database.

Discord sends every interaction to both and accepts only one first answer. The other answer is refused, so
people see two tables, and each bot changes its own messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from cachetools import LRUCache

ALREADY_ANSWERED: Final = 40060
MOST: Final = 4096
"""Interactions whose first answers are remembered. Each is answered within seconds."""
_INTERACTION = re.compile(r"/interactions/(\d+)/")


class OtherBotDetector:
    """First answers that Discord refused because someone else had answered.

    A repeated request proves nothing: the first one may have arrived and only its response was lost.
    """

    def __init__(self) -> None:
        self.refused = 0
        """Number of first answers that came after another bot's."""
        self.on_refused: Callable[[], None] = lambda: None
        self.noted_at = 0
        """Time of the last note in log and database, in milliseconds; 0 for never."""
        self._tried: LRUCache[str, bool] = LRUCache(MOST)

    def is_first(self, path: str) -> bool:
        """Record a request that answers an interaction.

        Return whether it is the first for this interaction.
        """
        found = _INTERACTION.search(path)
        if found is None or found[1] in self._tried:
            return False
        self._tried[found[1]] = True
        return True

    async def look_at(self, response: Any) -> None:
        """Check the response to a first answer. Its body can still be read afterwards."""
        if response.status != 400:
            return
        try:
            body = msgspec.json.decode(await response.read())
        except msgspec.DecodeError:
            return
        if isinstance(body, dict) and body.get("code") == ALREADY_ANSWERED:
            self.refused += 1
            self.on_refused()
