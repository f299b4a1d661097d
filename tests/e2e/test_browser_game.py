"""A whole game and the look-ups, seen and pressed in a real browser by people who know nothing else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from engine import record
from tests.e2e.browser import Tab
from tests.e2e.conftest import scene
from tests.support.processes.stage import Stage, stage
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
Open = Callable[..., Awaitable[Tab]]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def real(browser: Any, backstage: Path) -> AsyncIterator[Stage]:
    """The bot as people start it: its own games, its worker processes; only its patience is 0."""
    async with stage(scene(backstage, "real")) as here:
        await here.ready(await here.person("mia"))
        yield here
        assert "Traceback" not in here.log()
        assert "unforeseen" not in here.log()


@pytest_asyncio.fixture(loop_scope="session")
async def open_tab(browser: Any, real: Stage) -> AsyncIterator[Open]:
    tabs: list[Tab] = []

    async def open_tab(name: str, **kwargs: Any) -> Tab:
        tabs.append(await Tab.open(browser, real.playground, name, **kwargs))
        return tabs[-1]

    yield open_tab
    for tab in tabs:
        await tab.close()


async def lobby_of(tab: Tab, **options: str) -> tuple[Any, str]:
    """Open a lobby of Atom Duel with these options; its message and the number of its table."""
    await tab.slash("play", game="Atom Duel")
    lobby = tab.message("Fair deal")
    await lobby.wait_for()
    own = await lobby.locator("[data-custom-id^='v:join:']").get_attribute("data-custom-id")
    table = own.split(":")[2]
    if options:
        await tab.fill_in(lobby, "options", **options)
    for key, value in options.items():
        face = f"Level {value}" if key == "level" else f"{value} {key.rstrip('s')}"
        await lobby.get_by_text(face).first.wait_for()
    return lobby, table


async def cards_in(hand: Any, table: str) -> list[str]:
    """The words on the buttons of the cards that one may play now."""
    found: list[str] = await hand.locator(f"button[data-custom-id^='v:go:{table}:']").all_inner_texts()
    return [text.strip() for text in found]


async def first_choices(hands: list[Any], table: str) -> list[str]:
    """The cards that whoever is to act may play."""

    async def offered() -> list[str]:
        return [card for hand in hands for card in await cards_in(hand, table)]

    cards: list[str] = await until(offered, but="nobody is asked for a card")
    return cards


async def play_when_due(tab: Tab, hand: Any, table: str) -> int:
    """Press the first card whenever it is this person's turn, until the hand says that it is over."""
    pressed = 0
    card = hand.locator(f"button[data-custom-id^='v:go:{table}:']:not([disabled]):not(.busy)").first
    over = hand.get_by_text("The game is over.")
    while True:
        await card.or_(over).first.wait_for()
        if await over.count():
            return pressed
        own = await card.get_attribute("data-custom-id")
        await card.click()
        pressed += 1
        gone = hand.locator(f"[data-custom-id='{own}']:not(.busy)")
        await gone.first.wait_for(state="detached")


async def test_a_whole_game_between_two_tabs_and_an_opponent(open_tab: Open, real: Stage) -> None:
    ann, ben = await asyncio.gather(open_tab("ann"), open_tab("ben"))
    lobby, table = await lobby_of(ann, level="1", rounds="1")
    there = ben.message("Fair deal")
    await there.get_by_role("button", name="Join").click()
    await there.locator("li", has_text="Ben").wait_for()
    # a guest presses Start: told why not, privately
    await there.get_by_role("button", name="Start").click()
    await ben.own("Only the host").wait_for()
    assert await ann.page.locator("[data-ephemeral=true]").count() == 0
    await ann.fill_in(lobby, "arrange", opponents="1", level="newcomer")
    await ann.message("computer, newcomer").wait_for()
    # both are in their first games, which are friendly unless both want otherwise
    for each in (lobby, there):
        await each.get_by_role("button", name="Make it count").click()
    await ann.message("Counts for ratings").wait_for()
    await lobby.get_by_role("button", name="Start").click()

    hands = []
    for tab in (ann, ben):
        await tab.page.get_by_role("button", name="My hand").click()
        hands.append(tab.own(f"table {table}"))
        await hands[-1].locator("img").wait_for()
        alt = await hands[-1].locator("img").get_attribute("alt")
        assert len(alt) > 20, "the hand's picture is told in words"
    # privacy: what lies in one hand stands nowhere in the page of the other
    cards = await first_choices(hands, table)
    assert len(cards) == 5
    holder = 0 if await cards_in(hands[0], table) else 1
    for seat, other in enumerate((ben, ann)):
        # read just now: whoever has acted meanwhile may have turned the hand over
        alt = await hands[seat].locator("img").get_attribute("alt")
        html = await other.page.content()
        assert alt not in html
        assert f"v:go:{table}:{seat}:" not in html
        if seat == holder:
            assert [card for card in cards if card in html] == []

    pressed = await asyncio.gather(play_when_due(ann, hands[0], table), play_when_due(ben, hands[1], table))
    assert pressed == [5, 5]

    for tab in (ann, ben):
        board = tab.message("Game over")
        await board.get_by_role("button", name="Play again").wait_for()
        assert re.search(r"\d+ points?", await board.inner_text())
    await ann.message("Game over").get_by_role("button", name="Record").click()
    file = ann.own("nonce").locator("a.file-get")
    async with ann.page.expect_download() as download:
        await file.click()
    found = record.from_json((await (await download.value).path()).read_bytes())
    state = record.verify(found)
    assert state.outcome() is not None
    assert found.names[:2] == ["Ann", "Ben"]
    assert len(found.steps) == 15

    await ben.slash("leaderboard")
    alt = ben.page.locator("[data-ephemeral=true] img[alt*='leaderboard']")
    await alt.last.wait_for()
    words = await alt.last.get_attribute("alt")
    assert "Ann" in words
    assert "Ben" in words


async def test_on_a_phone_one_opens_the_hand_and_plays(open_tab: Open) -> None:
    tab = await open_tab("cleo", channel="second-table", **PHONE)
    lobby, table = await lobby_of(tab, level="1")
    await tab.fill_in(lobby, "arrange", opponents="1", level="newcomer")
    await tab.message("computer, newcomer").wait_for()
    await lobby.get_by_role("button", name="Start").tap()
    await tab.page.get_by_role("button", name="My hand").tap()
    hand = tab.own(f"table {table}")
    card = hand.locator(f"button[data-custom-id^='v:go:{table}:']").first
    await card.scroll_into_view_if_needed()
    box = await card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["height"] >= 32, "large enough for a finger"
    picture = await hand.locator("img").bounding_box()
    assert picture["width"] <= 390
    own = await card.get_attribute("data-custom-id")
    await card.tap()
    await hand.locator(f"[data-custom-id='{own}']").wait_for(state="detached")
    assert await tab.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("typed", ["iron", "Fe", "26", "magnt"])
async def test_a_card_is_found_by_name_symbol_number_and_misspelt_power(open_tab: Open, typed: str) -> None:
    tab = await open_tab("dan")
    page = tab.page
    card = await tab.next_own()
    await page.fill("[data-composer]", "/card")
    await page.wait_for_selector("[data-pick=card].active")
    await page.keyboard.press("Tab")
    await page.wait_for_selector("[data-option=name]")
    await page.keyboard.type(typed)
    # the list belongs to the letters so far: "magn" finds magnesium
    iron = "atom_duel:Fe"
    first = "document.querySelector('[data-picker] [data-pick]')?.dataset.pick"
    await page.wait_for_function(f"() => {first} === '{iron}'")
    await page.locator(f"[data-picker] [data-pick='{iron}']").click()
    await page.keyboard.press("Enter")
    await card.get_by_text("Iron · Fe 26").first.wait_for()
    picture = card.locator("img")
    await picture.wait_for()
    assert (await picture.get_attribute("alt")).startswith("Iron (Fe), 26")
    assert await picture.evaluate("node => node.decode().then(() => node.naturalWidth)") > 200
    await card.get_by_role("button", name="Show the alt text").click()
    await card.locator(".alt-text:not([hidden])").get_by_text("Iron (Fe), 26").wait_for()


async def test_nothing_is_found_where_nothing_is_like_it(open_tab: Open) -> None:
    tab = await open_tab("dan")
    page = tab.page
    await page.fill("[data-composer]", "/card")
    await page.keyboard.press("Tab")
    await page.wait_for_selector("[data-option=name]")
    await page.keyboard.type("qqqqzzzz")
    await page.get_by_text("No options match your search.").wait_for()
    await page.keyboard.press("Enter")
    await tab.own("I found no card like").wait_for()


async def holder_of(hands: list[Any], table: str) -> int:
    """Who of two is to choose a card."""
    await first_choices(hands, table)
    return 0 if await cards_in(hands[0], table) else 1


async def test_a_move_is_taken_back_and_the_table_paused_by_consent(open_tab: Open) -> None:
    tabs = [await open_tab("ann"), await open_tab("ben", **PHONE)]
    lobby, table = await lobby_of(tabs[0], level="1", rounds="1")
    there = tabs[1].message("Fair deal")
    await there.get_by_role("button", name="Join").click()
    await there.locator("li", has_text="Ben").wait_for()
    await lobby.get_by_role("button", name="Start").click()
    hands = []
    for tab in tabs:
        await tab.page.get_by_role("button", name="My hand").click()
        hands.append(tab.own(f"table {table}"))
        await hands[-1].locator("img").wait_for()
    first = await holder_of(hands, table)
    mine, theirs = hands[first], hands[1 - first]
    card = mine.locator(f"button[data-custom-id^='v:go:{table}:']:not([disabled])").first
    played = await card.inner_text()
    await card.click()
    # nobody has moved since, and who plays openly from the hand has seen nothing
    await mine.get_by_role("button", name="Undo").click()
    await mine.get_by_text("Taken back.").wait_for()
    assert played in await cards_in(mine, table)
    await mine.get_by_role("button", name=played, exact=True).click()
    await first_choices([theirs], table)
    await theirs.locator(f"button[data-custom-id^='v:go:{table}:']:not([disabled])").first.click()
    # now the hand is decided: the other has to agree
    await tabs[first].page.get_by_role("button", name="More", exact=True).last.click()
    await mine.get_by_role("button", name="Pause").wait_for()  # the hand before it has an Undo, too
    await mine.get_by_role("button", name="Undo").click()
    await mine.get_by_role("button", name="Ask everybody").click()
    await theirs.get_by_text("would like to take back their last move").wait_for()
    await theirs.get_by_role("button", name="I agree").click()
    await theirs.get_by_text("Everybody agrees").wait_for()
    await first_choices([mine], table)
    assert len(await cards_in(mine, table)) == 5
    # and a pause, which whoever sits there ends
    await tabs[1 - first].page.get_by_role("button", name="More", exact=True).last.click()
    await theirs.get_by_role("button", name="Pause").click()
    await mine.get_by_role("button", name="I agree").click()
    await theirs.get_by_text("Paused by everybody here").wait_for()
    assert await cards_in(mine, table) == []
    await theirs.get_by_role("button", name="Go on").click()
    await first_choices([mine], table)
    assert await asyncio.gather(
        play_when_due(tabs[0], hands[0], table), play_when_due(tabs[1], hands[1], table)
    ) == [5, 5]
