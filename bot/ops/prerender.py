"""Drawing cards ahead of time, in a background process after the first start with new drawings."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final, cast

import structlog

from bot.presenters.prerender import missing_parts, prerender
from bot.render.pool import Studio
from bot.table.thinking import WorkerThinker
from bot.workers.errors import NoAnswer

log = structlog.get_logger(__name__)

AFTER_SECONDS: Final = 60.0
"""Seconds to wait after the start, because a bot is busy in its first minute."""
SHARE: Final = 0.25
"""Maximum share of one core to use, since the bot may have only that one."""
ASK_SECONDS: Final = 10.0


async def draw_ahead(
    studio: Studio, thinker: WorkerThinker, games: Sequence[str], cache: str, *, after: float = AFTER_SECONDS
) -> None:
    """Draw the printed parts of these games' cards into the folder `cache`, if the drawings changed since the
    last time.

    This takes about half a minute of CPU time. Anything still missing is drawn at the next start.
    """
    await asyncio.sleep(after)
    drawn, began = 0, time.monotonic()
    try:
        asked = await studio.pool.run(missing_parts, games, deadline=ASK_SECONDS)
        missing = cast("list[tuple[str, int]]", asked)
        for game, part in missing:
            start = time.monotonic()
            drawn += cast("int", await thinker.run(prerender, game, part, cache))
            await asyncio.sleep((time.monotonic() - start) * (1 / SHARE - 1))
    except NoAnswer as error:
        log.warning("cards not drawn ahead", drawn=drawn, error=str(error))
        return
    if missing:
        log.info("cards drawn ahead", drawn=drawn, seconds=round(time.monotonic() - began))
