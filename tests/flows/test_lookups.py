"""/cards, /periodic: browsing, and switching to another game."""

from __future__ import annotations

from typing import Any

from tests.flows.test_moving import said


async def test_the_browser_switches_to_another_game(room: Any) -> None:
    shown = await room.ann.slash(room.channel, "cards", game="duel52")
    assert "Cards of Duel 52" in said(shown.response)
    other = await room.ann.select(shown.response, ["molecular"], custom_id="v:cards-game")
    assert "Cards of Molecular" in said(other.response)
