"""Who presses twice has meant it once: the first press counts, and the second is no reproach."""

from __future__ import annotations

from typing import Any

from bot.views import ids
from tests.flows.test_moving import said, the_table
from tests.flows.test_views import custom_ids, dealt
from tests.support.forging import double_click, forge

STALE = "Things have moved on"


def way(hand: Any, label: str) -> str:
    """The id of the first button of a hand that decides."""
    return next(i for i in custom_ids(hand.components) if ids.parse(i).verb == "go" and i.endswith(label))


async def test_a_double_click_is_answered_with_the_hand_alone(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bid = way(hand, "2")
    await forge(room.ann, hand, bid)
    again = await forge(room.ann, hand, bid)
    assert table.acts == 1
    assert "Waiting for **ben**" in said(again.response or hand)
    assert STALE not in said(again.response or hand)


async def test_two_clicks_that_cross_count_once_and_blame_nobody(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    first, second = await double_click(room.ann, hand, way(hand, "2"))
    assert table.acts == 1
    assert first.acknowledged
    assert second.acknowledged
    assert STALE not in said(hand) + "".join(said(each.response) for each in (first, second) if each.response)


async def test_a_hand_that_others_have_moved_on_says_so(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bid = way(hand, "2")
    await table.act(0, None, table.legal[0][0])  # by the clock, say
    again = await forge(room.ann, hand, bid)
    assert STALE in said(again.response or hand)


async def test_an_older_hand_says_so_too(room: Any) -> None:
    """Only the decision just made is a double click; one from before is a hand left lying."""
    board = await dealt(room, rounds="3")
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bid = way(hand, "2")
    await forge(room.ann, hand, bid)
    await table.act(1, None, table.legal[1][0])
    while 0 not in table.waiting():
        await table.act(table.waiting()[0], None, table.legal[table.waiting()[0]][0])
    fresh = (await room.ann.click(board, label="My hand")).response
    await forge(room.ann, fresh, next(i for i in custom_ids(fresh.components) if i.startswith("v:go:")))
    again = await forge(room.ann, hand, bid)
    assert STALE in said(again.response or hand)
