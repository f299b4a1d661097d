"""What one asks for beside a hand opens where the hand lies, with a way back to it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.table.hand.open_hands import OpenHands
from bot.locales import words
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said

say = words("en")
BACK = say("hand.back_to")


@pytest.mark.parametrize("label", ["table.why", "table.log"])
async def test_from_the_table_it_opens_in_the_hand_that_lies_there(room: Any, label: str) -> None:
    board = await dealt(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bids = said(hand)
    answer = await room.ann.click(board, label=say(label))
    assert answer.followups == []
    assert BACK in str(hand.components)
    # what happens meanwhile does not close what one reads
    table, hands = the_table(room), room.bot.app.service(OpenHands)
    other = table.seats_of(room.ben.id)[0]
    await table.act(other, table.decisions[other], table.legal[other][0])
    await room.env.settle()
    assert BACK in str(hand.components)
    assert hands.of_table(table) == []
    back = (await room.ann.click(hand, label=BACK)).response
    assert back.id == hand.id
    assert bids.splitlines()[0] in said(back)
    assert any(each.startswith("v:go:") for each in custom_ids(back.components))
    assert hands.of_table(table) == [room.ann.id]


async def test_in_a_hand_it_opens_in_place(room: Any) -> None:
    board = await dealt(room, "atom_duel", level="7")
    hand = (await room.ann.click(board, label="My hand")).response
    asked = (await room.ann.click(hand, label=say("hand.help"))).response
    assert asked.id == hand.id
    back = (await room.ann.click(asked, label=BACK)).response
    assert back.id == hand.id
    assert BACK not in str(back.components)


async def test_without_a_hand_it_is_a_message_of_its_own(room: Any) -> None:
    board = await dealt(room)
    answer = (await room.ann.click(board, label=say("table.why"))).response
    assert answer.ephemeral
    opened = (await room.ann.click(answer, label=BACK)).response
    assert any(each.startswith("v:go:") for each in custom_ids(opened.components))
    # who does not sit there has no hand to go back to
    seen = (await room.cleo.click(board, label=say("table.log"))).response
    assert BACK not in str(seen.components)


async def test_a_hand_that_is_gone_is_no_place_for_an_answer(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await dealt(room)
    await room.ann.click(board, label="My hand")
    hands = room.bot.app.service(OpenHands)

    async def gone(*_: Any, **__: Any) -> bool:
        return False

    monkeypatch.setattr(hands, "show_instead", gone)
    assert (await room.ann.click(board, label=say("table.why"))).followups
