"""A game that one person plays through the page alone, against opponents, pressing by chance."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from engine import record
from tests.e2e.browser import Tab
from tests.e2e.room import Room
from tests.support.processes.must import chromium, playwright

OFFERED = """
(id) => {
  const hand = document.querySelector(`[data-message-id="${id}"]`);
  if (!hand || hand.querySelector(".busy")) return null;
  if (hand.textContent.includes("The game is over.")) return { choices: [] };
  const controls = [...hand.querySelectorAll("button[data-custom-id]:not([disabled])")];
  const found = controls.filter((node) => /^v:(go|sel|pick|group|add):/.test(node.dataset.customId));
  return found.length && { refused: hand.textContent.includes("⚠️"), choices: found.map((node) => ({
    id: node.dataset.customId, words: node.textContent.trim(), list: node.role === "combobox",
  })) };
}
"""
"""What a hand offers, as soon as nothing is under way and it offers anything; nothing more at the end."""
SEVERAL = "aria-multiselectable"


class Solo:
    """The hand of the only person at a table, pressed by chance; the same seed likes the same choices."""

    def __init__(self, tab: Tab, table: str, seed: str) -> None:
        self.tab = tab
        self.table = table
        self.rng = random.Random(seed)
        self.pressed = 0
        self.missed = 0
        self.refused = 0
        self._hand = ""
        self.hand: Any = None
        self.board: Any = None

    @classmethod
    async def start(cls, tab: Tab, game: str, opponents: list[str], seed: str, **options: str) -> Solo:
        """Open a lobby through the page, let opponents sit down, start, and open the hand."""
        page = tab.page
        await page.fill("[data-composer]", "/play")
        await page.wait_for_selector("[data-pick=play].active")
        await page.keyboard.press("Tab")
        await page.click("[data-more-options]")
        await page.click("[data-pick=game]")
        await page.click(f'[data-picker] [data-pick="{game}"]')
        await page.keyboard.press("Enter")
        lobby = tab.message("Fair deal")
        await lobby.wait_for()
        own = await lobby.locator("[data-custom-id^='v:join:']").get_attribute("data-custom-id")
        here = cls(tab, own.split(":")[2], seed)
        here.board = page.locator(f'[data-message-id="{await lobby.get_attribute("data-message-id")}"]')
        if options:
            await tab.fill_in(lobby, "options", **options)
        if opponents:
            await tab.fill_in(lobby, "arrange", opponents=str(len(opponents)), level=opponents[0])
            await lobby.locator("li", has_text="computer").nth(len(opponents) - 1).wait_for()
        await lobby.get_by_role("button", name="Start").click()
        await page.get_by_role("button", name="My hand").click()
        hand = tab.own(f"table {here.table}")
        await hand.locator("img").wait_for()
        here._hand = await hand.get_attribute("data-message-id")
        here.hand = page.locator(f'[data-message-id="{here._hand}"]')
        return here

    async def offered(self) -> list[dict[str, Any]]:
        """The choices that the hand offers, as soon as there are any; none when the game is over."""
        errors = playwright()
        for _ in range(120):
            with suppress(errors.TimeoutError):
                found = await self.tab.page.wait_for_function(OFFERED, arg=self._hand, timeout=500)
                break
            with suppress(errors.TimeoutError):  # look again, as people do who wait
                await self.hand.get_by_role("button", name="Refresh").click(timeout=100)
        else:
            raise AssertionError("the hand offers nothing any more")
        seen = await found.json_value()
        self.refused += bool(seen.get("refused"))
        return list(seen["choices"])

    async def press(self, choice: dict[str, Any]) -> None:
        """Press a button, or pick as many lines of a select as it wants at least."""
        control = self.hand.locator(f'[data-custom-id="{choice["id"]}"]')
        await control.click(timeout=3000)
        if choice["list"]:
            await self._pick(control)
        self.pressed += 1

    async def _pick(self, control: Any) -> None:
        lines = self.hand.locator(".listbox [data-value]")
        line = lines.nth(self.rng.randrange(await lines.count()))
        several = await self.hand.locator(".listbox").get_attribute(SEVERAL)
        await line.click(timeout=3000)
        if several:
            await control.press("Escape", timeout=3000)

    async def play(self, most: int) -> None:
        """Press until the game is over, at most so often."""
        errors = playwright()
        while choices := await self.offered():
            assert self.pressed < most, "the game does not come to its end"
            assert self.missed < 20, "too many choices vanish before they can be pressed"
            try:
                await self.press(self.choose(choices))
            except errors.TimeoutError:
                self.missed += 1  # the hand was turned over under the finger

    def choose(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        """Any of what is offered, but never the way back, nor what is there to ask why."""
        return self.rng.choice(
            [one for one in choices if one["words"] != "Back" and not re.search(r"[:.]why$", one["id"])]
        )

    async def record(self) -> record.Record:
        """The record of the game, downloaded."""
        await self.board.get_by_role("button", name="Record").click()
        file = self.tab.own("nonce").locator("a.file-get")
        async with self.tab.page.expect_download() as download:
            await file.click()
        return record.from_json((await (await download.value).path()).read_bytes())


@asynccontextmanager
async def tab_in(room: Room, name: str) -> AsyncIterator[Tab]:
    """A page of this person, with the room's channel open; there are no faults when it is closed."""
    path = chromium()
    async with playwright().async_playwright() as p:
        browser = await p.chromium.launch(executable_path=path, args=["--no-sandbox"])
        channel = room.mia.channels[room.channel]["name"]
        tab = await Tab.open(browser, room.theatre.playground, name, channel=channel)
        yield tab
        await tab.close()
        await browser.close()
