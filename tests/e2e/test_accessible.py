"""axe-core finds nothing on the page: at both widths, and with whatever lies open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe

from tests.e2e.browser import Tab
from tests.e2e.conftest import scene
from tests.support.processes.stage import Stage, stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
SIZES: dict[int, dict[str, Any]] = {
    1280: {},
    390: {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def real(browser: Any, backstage: Path) -> AsyncIterator[Stage]:
    async with stage(scene(backstage, "accessible"), pace=0.0) as here:
        await here.ready(await here.person("mia"))
        yield here


@pytest_asyncio.fixture(loop_scope="session", params=SIZES)
async def tab(browser: Any, real: Stage, request: pytest.FixtureRequest) -> AsyncIterator[Tab]:
    # nothing moves, so that no colour is caught halfway
    options = {**SIZES[request.param], "reduced_motion": "reduce"}
    tab = await Tab.open(browser, real.playground, "ann", **options)
    yield tab
    await tab.close()


async def nothing_found(tab: Tab) -> None:
    """Nothing, or each rule with what breaks it."""
    found = (await Axe().run(tab.page)).response["violations"]
    assert {each["id"]: [node["html"] for node in each["nodes"]] for each in found} == {}


async def places(tab: Tab) -> None:
    """On a phone servers and channels lie in a drawer."""
    if await tab.page.locator("[data-drawer]").is_visible():
        await tab.page.click("[data-drawer]")


async def test_the_first_screen_and_the_servers(tab: Tab) -> None:
    page = tab.page
    await nothing_found(tab)
    await places(tab)
    await page.click("[data-guild-id][title='Odd Names Club']")
    await page.locator("[data-channel-name=odd-table]").wait_for()
    await nothing_found(tab)
    await page.click("[data-switch-person]")
    await nothing_found(tab)


async def test_a_lobby_and_its_form(tab: Tab) -> None:
    page = tab.page
    await page.fill("[data-composer]", "/")
    await page.locator("[data-pick]").first.wait_for()
    await nothing_found(tab)
    await page.fill("[data-composer]", "/play")
    await page.keyboard.press("Tab")
    await page.locator("[data-pick=game]").wait_for()
    await nothing_found(tab)
    for _ in range(2):
        await page.keyboard.press("Escape")
    await tab.slash("play", game="Atom Duel")
    options = page.locator("[data-custom-id^='v:options:']").last
    await options.wait_for()
    await nothing_found(tab)
    await options.click()
    form = page.locator("[data-dialog]")
    await form.wait_for()
    await nothing_found(tab)
    await form.locator("[role=combobox]").first.click()
    await form.locator("[data-value]").first.wait_for()
    await nothing_found(tab)


@pytest.mark.parametrize(
    ("tab", "game"), [(1280, "atom_duel"), (390, "duel52"), (1280, "molecular")], indirect=["tab"]
)
async def test_a_game(tab: Tab, game: str) -> None:
    page, poster = tab.page, await tab.next_own()
    await page.locator("[data-welcome-play]").click()
    await poster.locator(f"[data-custom-id='v:now:{game}']").click()
    await tab.own().locator("[data-custom-id^='v:go:'], [data-custom-id^='v:pick:']").first.wait_for()
    await nothing_found(tab)
    await page.evaluate("document.querySelector('.scroller').scrollTop = 0")
    await page.locator("[data-present]").wait_for()
    await nothing_found(tab)
    await page.get_by_role("button", name="Open the picture").first.click()
    await nothing_found(tab)


async def test_the_bot_and_what_it_was_refused(tab: Tab) -> None:
    page = tab.page
    await page.click(".top [data-errors]")
    await nothing_found(tab)
    await page.keyboard.press("Escape")
    await page.fill("[data-composer]", "/about")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await tab.own("Atom").wait_for()
    await nothing_found(tab)
