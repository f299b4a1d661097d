"""Reviews of finished games: made beside all else when who sat there asks, and kept with the game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final

import structlog

from bot.core.keyed_lock import KeyedLock
from bot.core.service import Service
from bot.core.tasks import Spawn
from bot.features.teacher import review_rows as reviews
from bot.store import games as store
from bot.store.database import Database, StoreError
from bot.table.journal import standing
from bot.table.ports import Thinker
from bot.table.table import Table
from bot.workers.errors import NoAnswer
from engine import catalog
from engine.ai.review import Review, review
from engine.game import Seat, Setup

log = structlog.get_logger(__name__)

CPU_SECONDS: Final = 10.0
"""What a review may cost; few machines and games come near it."""


def reviewed(setup: Setup, acts: Sequence[tuple[Seat, Any]], seat: Seat, by_others: Sequence[int]) -> Review:
    """A review, its acts as JSON; runs in the worker."""
    game, began = catalog.get(setup.game).at(setup.version), time.thread_time()
    return review(
        game,
        setup,
        [(who, game.action(data)) for who, data in acts],
        seat,
        by_others=by_others,
        stop=lambda: time.thread_time() - began > CPU_SECONDS,
    )


class Reviews(Service):
    """The reviews of finished games, those that are kept and those that are being made."""

    def __init__(self, database: Database, thinker: Thinker, spawn: Spawn) -> None:
        self._database = database
        self._thinker = thinker
        self._spawn = spawn
        self._making = KeyedLock()

    async def find(self, table: Table, seat: Seat) -> Review | None:
        """The review of a finished game for one seat, or None: then it is made from now on.

        Raises:
            StoreError: it could not be read.
        """
        stored = await self._database.read_at_once(lambda c: reviews.review(c, table.id, seat))
        making = self._making.of((table.id, seat))
        if stored is None and not making.locked():
            await making.acquire()
            self._spawn(self._make(table, seat, making), f"review of table {table.id}")
        return stored

    async def finished(self, table: Table, seat: Seat) -> None:
        """Wait until no review of this seat is being made, whether it is kept now or could not be made."""
        async with self._making.of((table.id, seat)):
            pass

    async def _make(self, table: Table, seat: Seat, making: asyncio.Lock) -> None:
        try:
            user_id = table.sitters[seat].user_id or 0
            acts = standing(await self._database.read_at_once(lambda c: store.journal(c, table.id)))
            made = await self._thinker.analyze(
                reviewed,
                table.setup(),
                [(entry.seat, entry.data) for entry in acts],
                seat,
                [number for number, entry in enumerate(acts) if entry.kind == "timeout"],
                whose=user_id,
            )
            await self._database.write_at_once(lambda c: reviews.keep_review_of(c, table.id, made, user_id))
        except StoreError as found:
            log.warning("review not kept", table=table.id, why=found.kind)
        except NoAnswer as lost:
            log.warning("review not made", table=table.id, why=lost.why)
        except Exception:  # whatever breaks in a study; who asks again has it tried again
            log.exception("no review", table=table.id, seat=seat)
        finally:
            making.release()
