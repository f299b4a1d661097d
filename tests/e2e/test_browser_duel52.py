"""Quick Duel 52 in a real browser, from the lobby to the record, against one opponent.

`test_to_the_end.py` plays the standard variant, which takes longer.
"""

from __future__ import annotations

import pytest

from engine import record
from tests.e2e.room import Room
from tests.e2e.solo import Solo, tab_in

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_quick_game_is_played_to_its_end(room: Room) -> None:
    before = len(room.mia.errors)
    async with tab_in(room, "eve") as tab:
        solo = await Solo.start(tab, "duel52", ["newcomer"], "three lanes", variant="quick")
        alt = await solo.hand.locator("img").get_attribute("alt")
        assert "lane" in alt.lower()
        await solo.play(most=900)
        await solo.board.get_by_text("Game over").wait_for()
        assert solo.refused == 0, "the hand offers only what the rules allow"
        found = await solo.record()
        state = record.verify(found)
        assert found.options == {"variant": "quick", "vampiric": False}
        assert found.names[0] == "eve"
        assert state.outcome() == found.outcome is not None
        mine = [step for step in found.steps if step.seat == 0]
        assert 5 < len(mine) <= solo.pressed
        assert await tab.page.locator("[data-failed]").count() == 0
        assert await tab.page.locator("[data-protocol-strip]:not([hidden])").count() == 0
    assert [error["lines"] for error in room.mia.errors[before:]] == []
