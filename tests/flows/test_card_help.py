"""What the cards at hand do, asked from the hand itself."""

from __future__ import annotations

from typing import Any

import pytest

from bot import presenters


@pytest.mark.parametrize("game", ["atom_duel", "duel52"])
async def test_the_hand_explains_its_cards(room: Any, game: str) -> None:
    await room.ann.slash(room.channel, "play", game=game)
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join")
    await room.ann.click(lobby, label="Start")
    hand = (await room.ann.click(lobby, label="My hand")).response
    told = (await room.ann.click(hand, label="What do they do?")).response
    (table,) = room.bot.app.hall.tables.values()
    result = await room.ann.select(told, [_second(table)], custom_id=f"v:help:{table.id}:0")
    assert result.acknowledged


def _second(table: Any) -> str:
    keys = dict.fromkeys(presenters.get(table.game.key).at_hand(table.state.observe(0)))
    return list(keys)[-1]
