"""Two real bots with one token, each on a database of its own: Discord takes one answer to each press."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.processes.bots import people, troupe, until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process for a while"),
]
SHARED = "Another bot answers with this token"


async def test_the_bot_that_comes_second_tells_once_that_there_is_another(backstage: Path) -> None:
    async with troupe(backstage, "other-bot") as bots:
        (ann,) = await people(bots, "ann")
        both = [await bots.start()]
        await both[0].until("ready")
        both.append(await bots.start(DATABASE_URL=f"sqlite:///{bots.folder / 'other.db'}"))
        await both[1].until("has connected to Gateway")

        async def told() -> bool:
            await ann.command("card-table", "about")
            return any(SHARED in bot.said for bot in both)

        await until(told, 60, but=lambda: "\n".join(bot.said for bot in both))
        for _ in range(3):
            await ann.command("card-table", "about")
        for bot in both:
            assert bot.said.count(SHARED) <= 1
            bot.check()
