"""A replay in a browser, opened by its code and stepped through across a restart of the bot."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.features.replays.service import code_of
from bot.locales import words
from bot.store import games as store
from bot.store.database import Database
from bot.store.games import Entry, Sitter, StoredGame
from bot.store.terms import Terms
from bot.table.storage.rebuild import read_table
from engine import catalog
from engine.fair import Commitment
from engine.game import as_json
from tests.e2e.browser import Tab
from tests.e2e.conftest import scene
from tests.support.processes.playground_people import SIZES
from tests.support.processes.stage import Stage, stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
say = words("en")
FAIR = Commitment(bytes(range(32)), bytes(16))


async def finished(url: str) -> str:
    """A finished game of Atom Duel, stored; its code."""
    game, rng = catalog.get("atom_duel"), random.Random(4)
    setup = game.setup(2, FAIR.deal_key([7, 8]))
    state, journal = game.deal(setup), list[Entry]()
    while waiting := state.to_act():
        action = rng.choice(state.legal_actions(waiting[0]))
        journal.append(Entry(len(journal) + 1, "act", waiting[0], as_json(action), 0))
        state.apply(waiting[0], action)
    stored = StoredGame(
        game=game.key,
        version=game.version,
        phase="over",
        options=setup.options,
        terms=Terms(),
        guild_id=1,
        channel_id=1,
        host_id=1,
        seed=FAIR.seed,
        nonce=FAIR.nonce,
        created_at=0,
        ended_at=1,
    )
    sitters = [Sitter("Ada", user_id=1, entropy=7), Sitter("Otto", user_id=2, entropy=8)]
    database = Database(url)
    try:
        number = await database.write_at_once(lambda c: store.create(c, stored, sitters, journal))
        return code_of(await read_table(database, number))
    finally:
        await database.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def real(browser: Any, backstage: Path) -> AsyncIterator[Stage]:
    async with stage(scene(backstage, "replay"), pace=0.0) as here:
        await here.ready(await here.person("mia"))
        yield here
        assert "Traceback" not in here.log()


@pytest.mark.parametrize("size", SIZES)
async def test_a_replay_is_stepped_through(browser: Any, real: Stage, size: str) -> None:
    """On a desktop, the bot is killed on the way."""
    code = await finished(f"sqlite:///{real.database}")
    tab = await Tab.open(browser, real.playground, "ann" if size == "desktop" else "ben", **SIZES[size])
    await tab.page.fill("[data-composer]", "/replay")
    await tab.page.wait_for_selector("[data-pick=replay].active")
    await tab.page.keyboard.press("Tab")
    if not await tab.page.locator("[data-option=code]").count():
        await tab.page.click("[data-more-options]")
        await tab.page.click("[data-pick=code]")
    await tab.page.fill("[data-option=code]", code)
    await tab.page.keyboard.press("Enter")
    shown = tab.own(say("replay.deal"))
    await shown.wait_for()
    for act in (1, 2, 3):
        if act == 2 and size == "desktop":
            await real.kill_bot()
            await real.start_bot()
            await real.ready(await real.person("mia"))
        await tab.own().get_by_role("button", name=say("replay.on")).click()
        await tab.own(say("replay.step", n=act)).wait_for()
    await tab.close()
