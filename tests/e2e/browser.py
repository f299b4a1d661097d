"""Hands and eyes of a test at the playground's page."""

from __future__ import annotations

from typing import Any

from playground.server import Playground
from tests.support.waiting import LIMIT_SECONDS


class Tab:
    """A page of one person."""

    def __init__(self, page: Any, name: str) -> None:
        self.page = page
        self.name = name
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda m: m.type == "error" and self.faults.append(m.text))

    @classmethod
    async def open(
        cls, browser: Any, playground: Playground, name: str, *, channel: str = "card-table", **kwargs: Any
    ) -> Tab:
        context = await browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **kwargs})
        tab = cls(await context.new_page(), name)
        tab.page.set_default_timeout(LIMIT_SECONDS * 1000)
        await tab.page.goto(playground.page_url(name))
        await tab.page.wait_for_selector("body[data-ready]")
        if channel != "card-table":
            if kwargs.get("is_mobile"):
                await tab.page.click("[data-drawer]")
            await tab.page.click(f"[data-channel-name={channel}]")
            await tab.page.wait_for_function(
                f"document.querySelector('.top h1')?.textContent === {channel!r}"
            )
        return tab

    async def slash(self, command: str, **options: str) -> None:
        """Pick a command in the slash picker, its options by what is typed for them; send it."""
        page = self.page
        await page.fill("[data-composer]", f"/{command}")
        await page.wait_for_selector(f"[data-pick={command}].active")
        await page.keyboard.press("Tab")
        await page.wait_for_selector(f"[data-command-bar={command}]")
        for name, typed in options.items():
            if not await page.locator(f"[data-option={name}]").count():
                await page.click("[data-more-options]")
                await page.click(f"[data-pick={name}]")
            await page.fill(f"[data-option={name}]", typed)
            await page.locator("[data-picker] [data-pick]").first.click()
        await page.keyboard.press("Enter")

    def message(self, text: str) -> Any:
        """The newest message for everybody in which these words stand."""
        return self.page.locator("[data-ephemeral=false]").filter(has_text=text).last

    def own(self, text: str = "") -> Any:
        """The newest message that only this person sees, with these words, be they its own or those above it
        that it answers."""
        return self.page.locator("[data-ephemeral=true]").filter(has_text=text).last

    async def next_own(self) -> Any:
        """The message that only this person will see next. Opened anew, a page shows the earlier ones."""
        own = self.page.locator("[data-ephemeral=true]")
        return own.nth(await own.count())

    async def choose(self, message: Any, custom_id: str, value: str) -> None:
        """Choose one line of a select."""
        await message.locator(f'[data-custom-id="{custom_id}"]').click()
        await message.locator(f'[data-value="{value}"]').click()

    async def fill_in(self, message: Any, verb: str, **values: str) -> None:
        """Open a form of a lobby, choose these lines, send it."""
        await message.locator(f"[data-custom-id^='v:{verb}:']").click()
        form = self.page.locator("[data-dialog]")
        for key, value in values.items():
            field = form.locator(f"[data-field={key}]")
            await field.locator("[role=combobox]").click()
            await field.locator(f'[data-value="{value}"]').click()
        await form.locator("[data-submit]").click()
        await form.wait_for(state="detached")

    async def close(self) -> None:
        await self.page.context.close()
        assert self.faults == []
