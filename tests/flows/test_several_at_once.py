"""One press that decides several things: each is stored by itself, and what cannot be done is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from bot import custom_ids as ids
from bot.features.table.board import lines_of
from bot.store.database import StoreError
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import custom_ids, said


async def at_the_draw(room: Any) -> tuple[Any, Any, str]:
    """A table of Compound Capture, the hand of Ann who is to draw, and the button for both cards."""
    await room.ann.slash(room.channel, "play", game="compound_capture")
    table, lobby = the_table(room), room.channel.last_message
    await arrange(room.ann, lobby, opponents="1", level="newcomer")
    await room.ann.click(lobby, label="Start")
    for _ in range(200):
        if table.waiting() == (0,) and len(table.legal[0]) == 2:
            break
        await room.env.settle()
    hand = (await room.ann.click(room.channel.last_message, label="My hand")).response
    both = next(i for i in custom_ids(hand.components) if ids.parse(i).word(3) == "both")
    return table, hand, both


async def test_both_cards_come_at_one_press_and_are_two_entries(room: Any) -> None:
    table, hand, both = await at_the_draw(room)
    before = table.seq
    await room.ann.click(hand, custom_id=both)
    assert table.seq == before + 2
    assert len(table.state.observe(0).hand) == 9
    assert "Where do" not in said(hand)


async def test_two_cards_that_somebody_draws_are_one_line(room: Any) -> None:
    table, hand, both = await at_the_draw(room)
    await room.ann.click(hand, custom_id=both)
    drawn = [event for event in table.recent if event.kind == "draw"][-2:]
    assert lines_of(drawn, table, None, "en") == ["**ann** draws two cards."]
    assert len(lines_of(drawn, table, 0, "en")) == 2, "who drew them reads which they are"


async def test_what_is_left_after_trouble_is_asked_for(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hand, both = await at_the_draw(room)
    before, act, calls = table.seq, type(table).act, []

    async def first_only(self: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        if len(calls) > 1:
            raise StoreError("slow")
        return await act(self, *args, **kwargs)

    monkeypatch.setattr(type(table), "act", first_only)
    await room.ann.click(hand, custom_id=both)
    assert (table.seq, len(calls)) == (before + 1, 2)
    assert part("chemistry.tree.second") in said(hand)
