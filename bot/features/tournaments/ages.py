"""Tournaments that nobody goes on with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

import structlog

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.features.tournaments import rows as store
from bot.features.tournaments.tournament import Tournament
from bot.store.database import Database, StoreError
from bot.store.days import DAY_MS

log = structlog.get_logger(__name__)

OPEN_DAYS, IDLE_DAYS = 14, 30
"""The number of days without a start, or without any change, after which a tournament is called off."""


async def too_old(tournament: Tournament, database: Database, now: int) -> str | None:
    """Return the key of the words that tell why a tournament is called off at this time, in milliseconds.

    None: it goes on.

    Raises:
        StoreError: the database did not answer.
    """
    stored = tournament.stored
    if stored.phase == "open":
        return "unstarted" if now - stored.created_at > OPEN_DAYS * DAY_MS else None
    if stored.phase != "running" or now - stored.acted_at <= IDLE_DAYS * DAY_MS:
        return None
    ids = [match.game_id for match in tournament.state.matches.values() if match.game_id is not None]
    last = await database.read_at_once(lambda connection: store.last_act(connection, ids))
    return "idle" if now - last > IDLE_DAYS * DAY_MS else None


async def call_off_old(
    tournaments: Iterable[Tournament],
    database: Database,
    clock: Clock,
    cancel: Callable[[Tournament, str], Awaitable[None]],
) -> None:
    """Call off those of these tournaments that are too old. One that fails does not hold up the others."""
    for tournament in tournaments:
        try:
            if why := await too_old(tournament, database, clock.now()):
                await cancel(tournament, why)
        except (StoreError, Refused) as found:
            log.info("tournament not called off", tournament=tournament.id, why=str(found))
        except Exception as error:
            log.error("tournament not called off", tournament=tournament.id, exc_info=error)
