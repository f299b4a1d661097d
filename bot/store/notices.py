"""Notices between processes: that something was changed which another one may remember.

They only make it forget; what is true stands in the rows. PostgreSQL carries them (NOTIFY, told at the commit
of the change itself); a bot on SQLite is alone. Whoever may have missed some forgets everything.
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
"""The pause before a line that broke is opened again."""
BLIND_SECONDS = 30.0
"""How often everything is forgotten where nothing can be heard: PgBouncer hands on no notices."""


def tell(connection: Connection, kind: str, whose: int) -> None:
    """Let the other processes know, when this transaction is stored, that something of this kind changed."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_notify(:to, :notice)"), {"to": CHANNEL, "notice": f"{kind}/{whose}"}
        )


class Notices:
    """Hears notices, also this process's own, as long as `keep` runs."""

    def __init__(
        self, database: Database, heard: Callable[[str, int], None], missed: Callable[[], None]
    ) -> None:
        """`heard` is told the kind and whose it is; `missed` that nobody knows what was told meanwhile."""
        self._database = database
        self._heard = heard
        self._missed = missed
        self.listening = asyncio.Event()
        """Set while notices are heard."""

    async def keep(self) -> None:
        """Listen, and open the line again whenever it breaks."""
        if self._database.place.pooled:
            while True:
                await asyncio.sleep(BLIND_SECONDS)
                self._missed()
        while True:
            try:
                await self._listen()
            except Exception as found:  # noqa: BLE001 - asyncpg's own errors have no kind in common
                log.warning("notices not heard", why=str(found) or repr(found))
            self.listening.clear()
            await asyncio.sleep(AGAIN_SECONDS)

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
