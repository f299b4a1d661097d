"""Each game from /play to the picture of its end, by somebody who presses whatever comes first.

`--log-cli-level=INFO` tells the seconds to the first decision and to the end.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot import presenters
from bot.locales import words
from tests.e2e.browser import Tab
from tests.e2e.conftest import scene
from tests.support.processes.playground_people import SIZES, decisions
from tests.support.processes.stage import Stage, stage
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
LOG = logging.getLogger(__name__)
SAY = words("en")
MOST_PRESSES = 400
GAMES = [key for key in presenters.offered() if key != "probe"]
ASKED = {
    "atom": r"Beat it, or pass|[Ff]ree lead|You lead",
    "atom_duel": r"To beat: \d+ by|You lead",
    "canasta": r"top of the discard pile (.|\n)* (needs|short|captured)",
    "chemistry_battle": r"To beat: \d+ by|You lead",
    "compound_capture": r"top of the discard pile (.|\n)* (needs|short|captured)",
    "duel52": r"Lane 1\. A:",
    "molecular": r"Pool: |these cells",
}
"""What the hand says whenever it asks: what is to be beaten, or what lies on the table."""
OFFERED = """
(id) => {
  const hand = document.querySelector(`[data-message-id="${id}"]`);
  if (!hand || hand.querySelector(".busy")) return null;
  const ended = hand.querySelector("[data-custom-id^='v:end:']");
  const found = [...hand.querySelectorAll("[data-custom-id]:not([disabled])")]
    .filter((node) => /^v:(go|sel|pick|group|add):/.test(node.dataset.customId));
  if (!ended && !found.length) return null;
  const pictures = [...hand.querySelectorAll("img")].map((node) => node.alt);
  if (!ended && !pictures.length) return null;
  return { ended: !!ended, text: [hand.innerText, ...pictures].join("\\n"), controls: found.map((node) => ({
    id: node.dataset.customId, words: node.innerText.trim(), list: node.role === "combobox",
  })) };
}
"""
"""A script that returns the text and controls of a hand, as soon as it asks for something or ends. It waits
for the picture: on a busy machine, a hand first comes in words."""


class Walk:
    """Somebody who plays a game of which they know nothing."""

    def __init__(self, tab: Tab, game: str) -> None:
        self.tab = tab
        self.game = game
        self.told: list[str] = []
        """All that stood in the hand and in the words of its pictures, whenever it asked."""
        self.pressed: set[str] = set()
        self.hand: Any = None
        self.id = ""

    async def begin(self) -> None:
        """/play, then **Play now**."""
        page, poster = self.tab.page, await self.tab.next_own()
        await page.fill("[data-composer]", "/play")
        await page.wait_for_selector("[data-pick=play].active")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await poster.locator(f"[data-custom-id='v:now:{self.game}']").click()
        title = presenters.get(self.game).title("en")
        await self.tab.own(f"{title} · table").locator("[data-custom-id^='v:']").first.wait_for()
        self.id = await self.tab.own(f"{title} · table").get_attribute("data-message-id")
        self.hand = self.page_message(self.id)

    def page_message(self, message: str) -> Any:
        return self.tab.page.locator(f"[data-message-id='{message}']")

    async def offered(self) -> dict[str, Any]:
        """What the hand shows, as soon as it asks for something or the game is over."""
        found = await self.tab.page.wait_for_function(OFFERED, arg=self.id)
        seen: dict[str, Any] = await found.json_value()
        return seen

    async def step(self, seen: dict[str, Any]) -> None:
        """Press the first button or list that leads on, and that has not been tried for this decision."""
        self.told.append(seen["text"])
        ways = [one for one in seen["controls"] if one["words"] != SAY("hand.back")]
        ways = [one for one in ways if not re.search(r"[:.]why$", one["id"])]
        way = next((one for one in ways if one["id"] not in self.pressed), ways[0])
        self.pressed.add(way["id"])
        control = self.hand.locator(f"[data-custom-id='{way['id']}']")
        await control.click()
        if way["list"]:
            await self._pick(control)

    async def _pick(self, control: Any) -> None:
        """The first lines of an open list, as many as it wants at least."""
        lines, hint = self.hand.locator(".listbox [data-value]"), self.hand.locator(".listbox-hint")
        several = await self.hand.locator(".listbox").get_attribute("aria-multiselectable")
        least = int(re.findall(r"\d+", await hint.inner_text())[0]) if await hint.count() else 1
        for at in range(least):
            await lines.nth(at).click()
        if several:
            await control.press("Escape")

    async def to_the_end(self) -> int:
        """Press until the game is over; how many presses that took."""
        for presses in range(MOST_PRESSES):
            seen = await self.offered()
            if seen["ended"]:
                return presses
            await self.step(seen)
        raise AssertionError("the game does not come to its end")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def real(browser: Any, backstage: Path) -> AsyncIterator[Stage]:
    async with stage(scene(backstage, "end"), pace=0.0) as here:
        await here.ready(await here.person("mia"))
        yield here
        assert "Traceback" not in here.log()
        assert "unforeseen" not in here.log()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_to_the_picture_of_its_end(browser: Any, real: Stage, game: str, size: str) -> None:
    name = "ann" if size == "desktop" else "ben"
    tab = await Tab.open(browser, real.playground, name, **SIZES[size])
    before, begun = decisions(real.database, game), time.monotonic()
    walk = Walk(tab, game)
    await walk.begin()
    while decisions(real.database, game) == before:
        await walk.step(await walk.offered())
    first = time.monotonic() - begun
    presses = await walk.to_the_end()
    LOG.info(
        "%s %s: first decision after %.1f s, over after %d more presses and %.1f s",
        *(game, size, first, presses, time.monotonic() - begun),
    )
    await walk.hand.get_by_role("button", name=SAY("end.picture")).click()
    table = walk.pressed.pop().split(":")[2]
    post = tab.page.locator(f"[data-custom-id='v:end-post:{table}']")
    own = tab.page.locator("[data-ephemeral=true]").filter(has=post)
    await own.locator("img").wait_for()
    picture = await own.locator("img").get_attribute("alt")
    pictures = tab.page.locator("[data-message-id]:not([data-ephemeral=true]) img")
    alts = "all => all.map(each => each.alt)"
    assert picture not in await pictures.evaluate_all(alts), "only who asks sees it"
    await post.click()

    async def posted() -> bool:
        return picture in await pictures.evaluate_all(alts)

    await until(posted, but="the picture of the game does not stand in the channel")
    assert [text for text in walk.told if not re.search(ASKED[game], text)] == []
    assert not any("⚠️" in text for text in walk.told), "the hand offers only what the rules allow"
    assert await tab.page.locator("[data-failed]").count() == 0
    assert await tab.page.locator("[data-protocol-strip]:not([hidden])").count() == 0
    await tab.close()
