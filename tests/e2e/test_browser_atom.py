"""Atom in a real browser: a match of two games with three opponents, up to the settlement."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import record
from tests.e2e.room import Room
from tests.e2e.solo import Solo, tab_in

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


class Player(Solo):
    """Beats what lies there with the cheapest cards or passes; leads anything but cards picked one by one."""

    def choose(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        cheap = [c for c in choices if re.search(r":(pass|do-[^.:]*)$", c["id"])]
        return super().choose(cheap or [c for c in choices if not c["id"].endswith(":pick")])


async def test_a_match_is_played_to_its_settlement(room: Room) -> None:
    before = len(room.mia.errors)
    async with tab_in(room, "finn") as tab:
        player = await Player.start(tab, "atom", ["steady"] * 3, "three packs")
        alt = await player.hand.locator("img").get_attribute("alt")
        assert re.search(r"Blade", alt)
        await player.play(most=500)
        await player.board.get_by_text("Game over").wait_for()
        assert re.search(r"🏆 .+ · .+ \(\+\d\)", await player.board.inner_text())
        assert player.refused == 0, "the hand offers only what the rules allow"
        await player.board.get_by_role("button", name="Why?").click()
        told = tab.own("was settled")
        await told.wait_for()
        for line in ("Out of cards, in this order", "Points taken in tricks", "That makes"):
            assert line in await told.inner_text()
        found = await player.record()
        state = record.verify(found)
        assert (found.seats, found.names[0]) == (4, "finn")
        assert state.outcome() == found.outcome is not None
        assert [result.game for result in state.observe(None).results] in ([1], [1, 2])
        mine = [step.action[0] for step in found.steps if step.seat == 0]
        assert {"play", "pass"} <= set(mine)
        assert await tab.page.locator("[data-failed]").count() == 0
        assert await tab.page.locator("[data-protocol-strip]:not([hidden])").count() == 0
    assert [error["lines"] for error in room.mia.errors[before:]] == []
