"""The page in a real browser: what people see, press and type."""

from __future__ import annotations

import pytest

from tests.support.processes.must import chromium, playwright
from tests.support.waiting import LIMIT_SECONDS

pytestmark = pytest.mark.browser


@pytest.fixture
async def browser():
    path = chromium()
    async with playwright().async_playwright() as p:
        running = await p.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        await running.close()


@pytest.fixture
def open_page(browser, pg):
    async def open_page(person="ann", width=1280, height=900, **kwargs):
        context = await browser.new_context(viewport={"width": width, "height": height}, **kwargs)
        page = await context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda m: m.type == "error" and page.faults.append(m.text))
        await page.goto(pg.page_url(person))
        await page.wait_for_selector("body[data-ready]")
        page.set_default_timeout(LIMIT_SECONDS * 1000)
        return page

    return open_page


async def _play(page):
    await page.fill("[data-composer]", "/pl")
    await page.wait_for_selector("[data-pick=play].active")
    await page.keyboard.press("Tab")
    await page.wait_for_selector("[data-option=game]")
    await page.keyboard.type("duel 5")
    await page.wait_for_selector("[data-pick=duel_52]")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".container")


async def test_a_game_from_the_keyboard_to_the_hand(open_page, bot):
    page = await open_page()
    other = await open_page("ben")
    assert await page.get_attribute("[data-bot-connected]", "data-bot-connected") == "true"
    await _play(page)
    assert "".join((await page.inner_text(".context")).split()).endswith("Annused/play")
    alt = "A table with six cards in two rows; Ann is to move"
    await page.wait_for_selector(f'img[alt="{alt}"]')
    await page.click('.container button:has-text("Hand")')
    hand = page.locator("[data-ephemeral=true]")
    await hand.get_by_text("Only you can see this").wait_for()
    await hand.get_by_role("button", name="Again").click()
    await hand.get_by_text("Press 1", exact=True).wait_for()
    await other.wait_for_selector(".container")
    assert await other.locator("[data-ephemeral=true]").count() == 0
    await page.click("[data-dismiss]")
    await hand.wait_for(state="detached")
    await page.get_by_role("button", name=f"Open the picture: {alt}").click()
    await page.wait_for_selector(".lightbox img")
    await page.keyboard.press("Escape")
    assert await page.locator(".lightbox").count() == 0
    await page.get_by_role("button", name="Show the alt text").last.click()
    await page.wait_for_selector(".alt-text:not([hidden])")
    await page.click('.container button:has-text("Hand")')  # the table's message is drawn again
    await hand.get_by_text("Only you can see this").wait_for()
    assert await page.locator(".alt-text:not([hidden])").inner_text() == f"Alt text\n\n{alt}"
    assert page.faults == []
    assert other.faults == []


async def test_selects_and_modals(open_page, bot):
    page = await open_page()
    await _play(page)
    await page.focus("[data-custom-id=pick-cards]")
    for key in ("ArrowDown", "Enter", "ArrowDown", "Enter", "Escape"):
        await page.keyboard.press(key)
    await page.locator(".messages").get_by_text("Picked 1, 2").wait_for()
    await page.click("[data-custom-id=who]")
    await page.keyboard.type("")
    await page.fill(".listbox-search", "cle")
    await page.keyboard.press("Enter")
    await page.locator(".messages").get_by_text("Invited @Cleo").wait_for()
    await page.click('.container button:has-text("Ask")')
    await page.wait_for_selector("[data-modal=ask]")
    await page.keyboard.type("hi")
    await page.keyboard.press("Enter")
    await page.get_by_text("Must be between 3 and 40 in length.").wait_for()
    await page.fill("input[data-custom-id=words]", "hello")
    await page.click("[data-modal] [data-custom-id=pick]")
    await page.click("[data-modal] [data-value=canasta]")
    await page.get_by_role("radio", name="Hard").check()
    await page.click("[data-modal] [data-submit]")
    await page.locator(".messages").get_by_text("You said hello, picked canasta, level 2").wait_for()
    assert await page.locator("[data-modal]").count() == 0
    assert page.faults == []


async def test_failures_are_said(open_page, bot):
    page = await open_page()
    await page.fill("[data-composer]", "/wrong")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("[data-protocol-strip][data-code='50035']")
    await page.get_by_role("button", name="Details").click()
    await page.wait_for_selector(".refusal[data-code='50035'] li")
    await page.keyboard.press("Escape")
    await page.fill("[data-composer]", "/silent")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.locator(".messages").get_by_text("The application did not respond").wait_for()
    await page.fill("[data-composer]", "/play")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("[data-pick=duel_52]")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Enter")
    await page.get_by_text("This option is required").wait_for()
    assert page.faults == []


async def test_optional_options_are_listed_and_none_is_chosen_unasked(open_page, bot):
    page = await open_page()
    listed = page.locator("[data-picker] [data-pick]")

    async def offered():
        return [await each.get_attribute("data-pick") for each in await listed.all()]

    await page.fill("[data-composer]", "/thin")
    assert "secret" in await page.inner_text("[data-pick=think]")
    await page.keyboard.press("Tab")
    await page.locator("[data-pick=secret]").wait_for()
    assert await offered() == ["secret", "seconds"]
    await page.keyboard.press("s")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("[data-option=seconds]")
    await page.keyboard.press("Backspace")  # gone again, and both are listed
    await page.locator("[data-pick=secret]").wait_for()
    assert await offered() == ["secret", "seconds"]
    await page.keyboard.press("Escape")
    assert await page.locator("[data-picker]").is_hidden()
    await page.keyboard.press("Enter")
    # what is on its way and what has arrived may stand there together for a moment
    await page.locator(".messages").get_by_text("used /think").last.wait_for()
    # what was used last heads the list
    await page.locator(".messages").get_by_text("Thought about it").wait_for()
    await page.fill("[data-composer]", "/")
    await page.wait_for_selector("[data-pick=think].active")
    # and behind what must be filled in
    await page.fill("[data-composer]", "/play")
    await page.keyboard.press("Tab")
    await page.locator("[data-pick=duel_52]").click()
    await page.locator("[data-pick=seats]").wait_for()
    assert await offered() == ["seats", "rated", "partner", "where"]
    await page.hover("[data-pick=rated]")
    await page.keyboard.press("Enter")
    await page.locator(".container").first.wait_for()
    assert await page.locator("[data-command-bar]").count() == 0
    assert page.faults == []


async def test_nothing_that_people_write_becomes_markup(open_page, pg, connect):
    page = await open_page()
    await page.click("[data-guild-id][title='Odd Names Club']")
    star = await connect(pg, "star")
    nasty = (
        '<img src=x onerror="window.hit=1"> **bold** [x](javascript:alert(1)) <script>window.hit=1</script>'
    )
    await star.say("odd-table", nasty)
    message = page.locator("[data-author=star]").last
    await message.wait_for()
    assert "<img src=x" in await message.inner_text()
    assert await message.locator("script, img, a").count() == 0
    assert await message.locator("strong").inner_text() == "bold"
    assert await page.evaluate("window.hit") is None
    name = await message.locator(".name").inner_text()
    assert name == "**st_ar** `x` ~~||y||~~"
    assert page.faults == []


async def test_servers_are_switched_and_hard_names_live_in_the_second(open_page, pg, bot):
    page = await open_page()
    assert await page.locator(".member-name").all_inner_texts() == [
        "Mia",
        "Valence",
        "Ann",
        "Ben",
        "Cleo",
        "Dan",
    ]
    await page.click("[data-channel-name=second-table]")
    await page.click("[data-guild-id][title='Odd Names Club']")
    await page.locator("[data-member=star]").wait_for()
    assert await page.inner_text(".top h1") == "odd-table"
    await page.click("[data-switch-person]")
    await page.locator("[data-menu='person:star']").wait_for()
    await page.keyboard.press("Escape")
    # a server opens where one left it
    await page.click("[data-guild-id][title='Card Club']")
    assert await page.inner_text(".top h1") == "second-table"
    await page.click("[data-switch-person]")
    await page.locator("[data-menu='person:ben']").wait_for()
    assert await page.locator("[data-menu='person:star']").count() == 0
    assert page.faults == []


async def test_the_phone_has_a_drawer_and_the_moderator_tools(open_page, pg, bot):
    page = await open_page("mia", 390, 844, has_touch=True, is_mobile=True)
    assert not await page.is_visible("[data-channel-name=quiet]")
    await page.click("[data-drawer]")
    await page.click("[data-guild-id][title='Odd Names Club']")
    await page.locator("[data-channel-name=odd-table]").wait_for()
    await page.click("[data-guild-id][title='Card Club']")
    await page.click("[data-channel-name=quiet]")
    await page.wait_for_selector("#picker", state="attached")
    assert await page.inner_text(".top h1") == "quiet"
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    await page.click("[data-drawer]")
    await page.click("[data-channel-more=quiet]")
    await page.click("[data-menu=bot-rights]")
    await page.check("[data-right=send_messages]")
    await page.click("[data-submit]")
    await page.wait_for_selector("[data-dialog]", state="detached")
    world = pg.core.world
    assert world.rights(world.find_channel("quiet"), world.bot) & 2048
    assert page.faults == []


async def test_the_page_comes_back_after_a_break(open_page, pg, bot):
    page = await open_page()
    for out in list(pg.core.hub.links):
        out.close(1011)
    await page.wait_for_selector(".offline:not([hidden])")
    await page.wait_for_selector(".offline", state="hidden")
    await page.fill("[data-composer]", "still here")
    await page.keyboard.press("Enter")
    await page.locator(".messages").get_by_text("still here").wait_for()


async def _scroll(page, how):
    """Scroll the messages; the page hears of it a frame later."""
    frames = "requestAnimationFrame(() => requestAnimationFrame(done))"
    script = f"document.querySelector('.scroller').scrollTop {how}; {frames}"
    await page.evaluate(f"() => new Promise((done) => {{ {script} }})")


@pytest.mark.parametrize("width", [1280, 390])
async def test_who_reads_further_up_is_told_what_comes_below(open_page, pg, bot, connect, width):
    page = await open_page(width=width)
    ben = await connect(pg, "ben")
    for number in range(60):
        await ben.say("card-table", f"line {number}")
    present = page.locator("[data-present]")
    await page.locator(".messages").get_by_text("line 59").wait_for()
    assert not await present.is_visible()
    await _scroll(page, "= 300")
    await present.get_by_text("You are reading older messages").wait_for()
    await ben.say("card-table", "something new")
    await present.get_by_text("1 new message", exact=True).wait_for()
    await ben.say("card-table", "and more")
    await present.get_by_text("2 new messages").wait_for()
    assert await page.evaluate("document.querySelector('.scroller').scrollTop") == 300
    await present.click()
    await page.locator(".messages").get_by_text("and more").wait_for()
    assert not await present.is_visible()
    # a little way up is no reason to say so, until an answer comes below
    await _scroll(page, "-= 200")
    assert not await present.is_visible()
    await ben.say("card-table", "the last one")
    await present.get_by_text("1 new message", exact=True).wait_for()
    await _scroll(page, "+= 9999")
    await present.wait_for(state="hidden")
    assert page.faults == []
