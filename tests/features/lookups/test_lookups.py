"""/cards, /periodic: browsing, and switching to another game."""

from __future__ import annotations

from typing import Any

from bot import presenters
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import said


async def test_the_browser_switches_to_another_game(room: Any) -> None:
    shown = await room.ann.slash(room.channel, "cards", game="duel52")
    assert "Cards of Duel 52" in said(shown.response)
    other = await room.ann.select(shown.response, ["molecular"], custom_id="v:cards-game")
    assert "Cards of Molecular" in said(other.response)


async def test_the_empty_list_begins_with_what_lies_before_one(room: Any) -> None:
    await dealt(room, "atom_duel", level="1")
    table = the_table(room)
    actor = table.waiting()[0]
    await table.act(actor, table.decisions[actor], table.legal[actor][0])
    await room.env.settle()
    for who, seat in ((room.ann, 0), (room.ben, 1), (room.cleo, None)):
        offered = await who.autocomplete(room.channel, "card", "name", "")
        keys = presenters.get("atom_duel").in_view(table.state.observe(seat))
        assert len(keys) == (1 if seat is None else 5 if seat == actor else 6)
        assert [choice["value"] for choice in offered][: len(keys)] == [f"atom_duel:{key}" for key in keys]
        assert len(offered) == 25
    typed = await room.ann.autocomplete(room.channel, "card", "name", "water")
    assert typed[0]["name"].startswith("Water")


async def test_iron_leads_to_iron_elsewhere(room: Any) -> None:
    iron = (await room.ann.slash(room.channel, "card", name="26")).response
    assert "Also in Chemistry Battle" in said(iron)
    other = await room.ann.select(iron, ["canasta:z26"], custom_id="v:card-also")
    assert "Chemistry Canasta" in said(other.response)
