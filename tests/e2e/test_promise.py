"""`make play`'s promises, tried on its page: end the bot, or all of it, in a game, and go on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.e2e.browser import Tab
from tests.support.processes.must import chromium, playwright
from tests.support.waiting import LIMIT_SECONDS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


class Running:
    """A playground with its bot, as `make play` starts it."""

    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process, self.address = process, address

    def page_url(self, name: str) -> str:
        return f"{self.address.partition('?')[0]}?as={name}"

    async def end(self) -> None:
        """What Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(self.process.wait(), LIMIT_SECONDS) == 0


async def started(folder: Path, *words: str) -> Running:
    env = {key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "playground", "--folder", str(folder), *words),
        env=env,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    while line := (await asyncio.wait_for(process.stdout.readline(), LIMIT_SECONDS)).decode():
        if line.startswith("Open "):
            return Running(process, line.split()[1])
    raise AssertionError("no address was printed")


@pytest_asyncio.fixture(loop_scope="session")
async def browser() -> AsyncIterator[Any]:
    path = chromium()
    async with playwright().async_playwright() as p:
        running = await p.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        await running.close()


async def test_a_killed_bot_goes_on_where_it_was(browser: Any, tmp_path: Path) -> None:
    here = await started(tmp_path)
    try:
        page = (await Tab.open(browser, here, "ann")).page
        hand = await dealt(page)
        await page.locator("[data-bot-connected]").click()
        await page.locator("[data-kill-bot]").click()
        await page.locator("[data-bot-connected=false]").wait_for()
        await page.locator("[data-bot-connected]").click()
        await page.locator("[data-restart-bot]").click()
        await page.locator("[data-bot-connected=true]").wait_for(timeout=60_000)
        await plays(hand)
        await page.context.close()
    finally:
        await here.end()


async def test_an_open_tab_goes_on_after_a_new_start(browser: Any, tmp_path: Path) -> None:
    here = await started(tmp_path)
    try:
        page = (await Tab.open(browser, here, "ann")).page
        hand = await dealt(page)
        await page.fill("[data-composer]", "half a wo")
        address, before = here.address, await page.locator("[data-message-id]").count()
        await here.end()
        await page.locator(".offline").wait_for()
        here = await started(tmp_path)
        assert here.address == address
        # nobody reloads: the tab finds the same messages, pictures, words and the bot
        await page.locator("[data-bot-connected=true]").wait_for(timeout=60_000)
        assert await page.locator("[data-message-id]").count() == before
        assert await page.input_value("[data-composer]") == "half a wo"
        await page.wait_for_function(
            "[...document.querySelectorAll('.media img')].every(each => each.complete && each.naturalWidth)"
        )
        await plays(hand)
        await here.end()
        here = await started(tmp_path, "--fresh")
        assert here.address == address
        await page.locator("[data-message-id]").first.wait_for(state="detached")
        await plays(await dealt(page))
        await page.context.close()
    finally:
        await here.end()


async def dealt(page: Any) -> Any:
    """Play at once; the hand that came."""
    await page.locator("[data-bot-connected=true]").wait_for()
    await page.locator("[data-welcome-play]").click()
    await page.locator("[data-custom-id='v:now:atom_duel']").click()
    hand = page.locator("[data-ephemeral=true]").filter(has_text="table 1").last
    card = hand.locator("[data-custom-id^='v:go:']:not([disabled])").first
    await card.or_(hand.locator("[data-custom-id^='v:sel:']")).first.wait_for()
    return hand


async def plays(hand: Any) -> None:
    """The hand that lay open before still plays."""
    ways = hand.locator("[data-custom-id^='v:go:']:not([disabled]), [data-custom-id^='v:sel:']")
    before = await ways.first.get_attribute("data-custom-id")
    await ways.first.click()
    if "v:sel:" in (before or ""):
        await hand.locator("[data-value]").first.click()
    await hand.locator(f"[data-custom-id='{before}']").first.wait_for(state="detached")
