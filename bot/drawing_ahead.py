"""After a start whose drawings are new, cards are drawn ahead by a process that nobody waits for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final, cast

import structlog

from bot.presenters.rehearsal import rehearse, to_rehearse
from bot.render.pool import Studio
from bot.tables.thinking import WorkerThinker
from bot.workers.errors import NoAnswer

log = structlog.get_logger(__name__)

AFTER_SECONDS: Final = 60.0
"""In its first minute a bot has enough to do."""
SHARE: Final = 0.25
"""The share of one core that it may take, since the bot may have no other."""
ASK_SECONDS: Final = 10.0


async def draw_ahead(
    studio: Studio, thinker: WorkerThinker, games: Sequence[str], cache: str, *, after: float = AFTER_SECONDS
) -> None:
    """Draw what is printed on the cards of these games into the folder `cache`, if that has not
    been done since the drawings changed: some half a minute of CPU. What is missing the next start draws."""
    await asyncio.sleep(after)
    drawn, began = 0, time.monotonic()
    try:
        asked = await studio.pool.run(to_rehearse, games, deadline=ASK_SECONDS)
        missing = cast("list[tuple[str, int]]", asked)
        for game, part in missing:
            start = time.monotonic()
            drawn += cast("int", await thinker.run(rehearse, game, part, cache))
            await asyncio.sleep((time.monotonic() - start) * (1 / SHARE - 1))
    except NoAnswer as error:
        log.warning("cards not drawn ahead", drawn=drawn, error=str(error))
        return
    if missing:
        log.info("cards drawn ahead", drawn=drawn, seconds=round(time.monotonic() - began))
