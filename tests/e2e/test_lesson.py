"""A lesson in a browser, from /learn to its end, across a restart of the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.locales import words
from tests.e2e.browser import Tab
from tests.e2e.conftest import scene
from tests.support.processes.playground_people import SIZES
from tests.support.processes.stage import Stage, stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
LESSON = "atom_duel_1"
CARDS = ("Ts", "Pu", "Na", "Er")
SENTENCES = words("en").list("lesson.atom_duel_1.moves")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def real(browser: Any, backstage: Path) -> AsyncIterator[Stage]:
    async with stage(scene(backstage, "lesson"), pace=0.0) as here:
        await here.ready(await here.person("mia"))
        yield here
        assert "Traceback" not in here.log()


@pytest.mark.parametrize("size", SIZES)
async def test_a_lesson_card_by_card(browser: Any, real: Stage, size: str) -> None:
    """Each sentence is shown above the hand, and the right card is one press on a marked button.

    On a desktop, the bot is killed on the way.
    """
    tab = await Tab.open(browser, real.playground, "ann" if size == "desktop" else "ben", **SIZES[size])
    await tab.slash("learn", game="Atom Duel")
    for move, (sentence, card) in enumerate(zip(SENTENCES, CARDS, strict=True)):
        await tab.own(sentence).wait_for()
        if move == 2 and size == "desktop":
            await real.kill_bot()
            await real.start_bot()
            await real.ready(await real.person("mia"))
            shown = tab.page.locator("[data-ephemeral=true]").filter(has_text=sentence)
            before = await shown.count()
            await tab.slash("learn", game="Atom Duel")
            await shown.nth(before).wait_for()  # it moves the one before, which a click would miss
        hand = tab.own(sentence)
        await hand.locator(f"button[data-custom-id='v:step:{LESSON}:{move}:go:{card}']:enabled").click()
    await tab.own(words("en")("learn.next")).wait_for()
    await tab.close()
