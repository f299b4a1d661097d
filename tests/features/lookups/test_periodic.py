"""/periodic: the whole table, a stretch of it, a card."""

from __future__ import annotations

from typing import Any

from tests.support.discord.forging import answer_of
from tests.support.discord.keys import part


async def test_from_the_whole_table_to_a_card_and_back(room: Any) -> None:
    message = (await room.ann.slash(room.channel, "periodic")).response
    whole = str(message.components)
    assert part("atom_duel.picture.alt.elements") in whole
    assert "Iron" not in whole
    message = (await room.ann.click(message, label="19–36")).response
    assert "26 Iron" in str(message.components)
    card = answer_of(await room.ann.select(message, ["Fe"], custom_id="v:element:1"))
    assert "Iron (Fe), 26" in str(card.components)
    message = (await room.ann.click(message, label="The whole table")).response
    assert "Iron" not in str(message.components)
