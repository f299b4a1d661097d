"""Notices between processes: something changed that another process may have cached.

A notice only clears a cache; the rows hold the truth. PostgreSQL carries notices (NOTIFY, delivered when the
change itself is committed); a bot on SQLite has no other processes. A process that may have missed notices
clears its whole cache.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from sqlalchemy import Connection, text

from bot.store.database import Database

log = structlog.get_logger(__name__)

CHANNEL = "valence"
AGAIN_SECONDS = 5.0
"""Seconds to wait before a broken connection is reopened."""
BLIND_SECONDS = 30.0
"""Seconds between full cache clears if notices cannot be received: PgBouncer does not forward them."""


def tell(connection: Connection, kind: str, whose: int) -> None:
    """Notify the other processes, once this transaction is committed, that something of this kind changed."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_notify(:to, :notice)"), {"to": CHANNEL, "notice": f"{kind}/{whose}"}
        )


class Notices:
    """A listener for notices, including this process's own. A loop runs `round` again and again."""

    def __init__(
        self, database: Database, heard: Callable[[str, int], None], missed: Callable[[], None]
    ) -> None:
        """`heard` gets the kind and the owner's id; `missed` is called if notices may have been missed."""
        self._database = database
        self._heard = heard
        self._missed = missed
        self.listening = asyncio.Event()
        """Set while notices are received."""

    async def round(self) -> float:
        """Listen for notices until the connection breaks. Return the seconds until the next round.

        Raises:
            StoreError: the database did not answer.
        """
        if self._database.place.pooled:
            self._missed()
            return BLIND_SECONDS
        try:
            await self._listen()
        finally:
            self.listening.clear()
        log.warning("notices not heard: the connection broke")
        return AGAIN_SECONDS

    async def _listen(self) -> None:
        broken = asyncio.Event()
        async with self._database.read() as connection:
            line = (await connection.get_raw_connection()).driver_connection
            if line is None:  # pragma: no cover - a pool gives connections that stand
                return
            line.add_termination_listener(lambda _line: broken.set())
            await line.add_listener(CHANNEL, self._hear)
            self._missed()
            self.listening.set()
            try:
                await broken.wait()
            finally:
                if not line.is_closed():
                    await line.remove_listener(CHANNEL, self._hear)

    def _hear(self, _line: object, _process: int, _channel: str, payload: str) -> None:
        kind, _, whose = payload.partition("/")
        self._heard(kind, int(whose))
