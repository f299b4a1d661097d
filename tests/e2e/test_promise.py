"""`make play`'s promise, tried on its page: kill the bot in the middle of a game, start it, go on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

import pytest

from tests.e2e.browser import Tab
from tests.support.must import chromium, playwright

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


class Running:
    """A playground with its bot, as `make play` starts it."""

    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process, self.address = process, address

    def page_url(self, name: str) -> str:
        return f"{self.address.partition('?')[0]}?as={name}"


async def started() -> Running:
    env = {key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "playground"), env=env, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    while line := (await asyncio.wait_for(process.stdout.readline(), 60)).decode():
        if line.startswith("Open "):
            return Running(process, line.split()[1])
    raise AssertionError("no address was printed")


async def test_a_killed_bot_goes_on_where_it_was() -> None:
    here = await started()
    try:
        async with playwright().async_playwright() as p:
            browser = await p.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            await walk(await Tab.open(browser, here, "ann"))
    finally:
        here.process.send_signal(signal.SIGINT)
        await asyncio.wait_for(here.process.wait(), 20)


async def walk(tab: Tab) -> None:
    page: Any = tab.page
    await page.locator("[data-bot-connected=true]").wait_for()
    await page.locator("[data-welcome-play]").click()
    await tab.own("What shall we play?").locator("[data-custom-id='v:now:chemistry_battle']").click()
    hand = tab.own("table 1")
    card = hand.locator("[data-custom-id^='v:go:']:not([disabled])").first
    await card.or_(hand.locator("[data-custom-id^='v:sel:']")).first.wait_for()
    await page.locator("[data-bot-connected]").click()
    await page.locator("[data-kill-bot]").click()
    await page.locator("[data-bot-connected=false]").wait_for()
    await page.locator("[data-bot-connected]").click()
    await page.locator("[data-restart-bot]").click()
    await page.locator("[data-bot-connected=true]").wait_for(timeout=60_000)
    # the hand that lay open before the kill still plays
    ways = hand.locator("[data-custom-id^='v:go:']:not([disabled]), [data-custom-id^='v:sel:']")
    before = await ways.first.get_attribute("data-custom-id")
    await ways.first.click()
    if "v:sel:" in (before or ""):
        await hand.locator("[data-value]").first.click()
    await hand.locator(f"[data-custom-id='{before}']").first.wait_for(state="detached")
    await page.context.close()
