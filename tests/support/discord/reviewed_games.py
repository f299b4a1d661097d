"""Finished games in the simulated Discord with one known mistake, and practice on it."""

from __future__ import annotations

import random
from typing import Any

from bot.locales import words
from tests.support.discord.forging import forge
from tests.support.discord.room_play import board_of, dealt
from tests.support.discord.sent_messages import said
from tests.support.games.probe_study import policy
from tests.support.tables.tables import at_hand
from tests.support.waiting import until

say = words("en")
BLUNDER = 3
"""The act with which Ann passes though she could lay a set."""


async def played(room: Any, blunder: int = BLUNDER) -> tuple[Any, Any]:
    """A finished game of Ann and Ben: its table, and its message."""
    await dealt(room, rounds="2")
    (table,) = at_hand(room.bot.tables).values()
    while table.waiting():
        seat = table.waiting()[0]
        action = policy(table.state, seat, random.Random(7))
        if table.acts == blunder:
            action = table.legal[seat][-1]
        await table.act(seat, table.decisions[seat], action)
    await until(lambda: table.phase == "over" and table.stored.shown == table.stored.edition)
    return table, board_of(room)


async def moral(room: Any, person: Any, board: Any) -> Any:
    """The private end with its moral, which comes when someone asks for it."""
    end = await person.click(board, label=say("end.picture"))
    assert end.response.ephemeral
    asked = await person.click(end.response, label=say("review.learn"))
    await until(lambda: say("review.coming") not in said(asked.response))
    return asked.response


async def played_out(room: Any, table: Any) -> None:
    """Ann plays to the end; the opponents answer."""
    while table.outcome() is None:
        await room.env.settle()
        if 0 in table.waiting() and table.outcome() is None:
            action = policy(table.state, 0, random.Random(7))
            await table.act(0, table.decisions[0], action)
    await until(lambda: table.phase == "over" and table.stored.shown == table.stored.edition)
    await room.env.settle()


async def end_of(room: Any, hand: Any, table: Any) -> Any:
    """The hand of Ann once her practice is over."""
    await played_out(room, table)
    return (await forge(room.ann, hand, f"v:hand:{table.id}:0")).response
