"""From /play to the first card, in a browser, as somebody who has read nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot import presenters
from tests.e2e.browser import Tab
from tests.e2e.conftest import scene
from tests.support.processes.playground_people import SIZES, decisions
from tests.support.processes.stage import Stage, stage
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
GAMES = [key for key in presenters.offered() if key != "probe"]
MOST = 3
"""So many presses after /play is sent, until the first decision stands in the journal."""
WAYS = ", ".join(
    ("button[data-custom-id^='v:go:']:enabled", "[data-custom-id^='v:sel:']", "[data-custom-id^='v:pick:']")
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def real(browser: Any, backstage: Path) -> AsyncIterator[Stage]:
    async with stage(scene(backstage, "first"), pace=0.0) as here:
        await here.ready(await here.person("mia"))
        yield here
        assert "Traceback" not in here.log()


async def press_on(tab: Tab, hand: Any) -> list[str]:
    """Press the first way on that the hand offers; the controls that were there."""
    control = hand.locator(WAYS).first
    await control.wait_for()
    before = await controls(hand)
    pressed = await control.get_attribute("data-custom-id") or ""
    await control.click()
    if "v:go:" not in pressed:
        await hand.locator("[data-value]").first.click()
    return before


async def controls(hand: Any) -> list[str]:
    """The custom ids in a hand."""
    found: list[str] = await hand.locator("[data-custom-id]").evaluate_all(
        "all => all.map(each => each.dataset.customId)"
    )
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
async def test_three_presses_to_the_first_decision(browser: Any, real: Stage, game: str, size: str) -> None:
    tab = await Tab.open(browser, real.playground, "ann", **SIZES[size])
    poster = await tab.next_own()
    before = decisions(real.database, game)
    await tab.page.fill("[data-composer]", "/play")
    await tab.page.wait_for_selector("[data-pick=play].active")
    await tab.page.keyboard.press("Tab")
    await tab.page.keyboard.press("Enter")
    now = poster.locator(f"[data-custom-id='v:now:{game}']")
    await now.click()
    presses, hand = 1, tab.page.locator("[data-ephemeral=true]").last
    while decisions(real.database, game) == before:
        assert presses < MOST
        shown = await press_on(tab, hand)
        presses += 1

        async def answered(shown: list[str] = shown) -> bool:
            return decisions(real.database, game) > before or await controls(hand) != shown

        await until(answered)
    await tab.close()


@pytest.mark.parametrize("size", SIZES)
async def test_the_first_screen_has_a_button_that_plays(browser: Any, real: Stage, size: str) -> None:
    tab = await Tab.open(browser, real.playground, f"new{size}", **SIZES[size])
    await tab.page.locator("[data-welcome-play]").click()
    await tab.own("What shall we play?").wait_for()
    await tab.close()
