"""What the cards at hand do, asked from the hand itself."""

from __future__ import annotations

from typing import Any

import pytest

from bot import presenters
from bot.locales import words
from bot.render.scene import Look
from engine import catalog
from tests.support.discord.forging import answer_of
from tests.support.discord.lobbies import arrange
from tests.support.tables.tables import at_hand

say = words("en")


@pytest.mark.parametrize("game", catalog.listed())
async def test_the_hand_explains_its_cards(room: Any, game: str) -> None:
    """Where a game has cards at hand to explain; the others do not offer it."""
    await room.ann.slash(room.channel, "play", game=game)
    lobby = room.channel.last_message
    (table,) = at_hand(room.bot.tables).values()
    await room.ben.click(lobby, label="Join or leave")
    missing = max(0, catalog.get(game).seats(catalog.get(game).defaults())[0] - 2)
    if missing:
        await arrange(room.ann, lobby, opponents=str(missing), level=table.game.levels[0])
    await room.ann.click(lobby, label="Start")
    hand = (await room.ann.click(lobby, label="My hand")).response
    presenter = presenters.get(game)
    keys = list(dict.fromkeys(presenter.at_hand(table.state.observe(0))))
    if not keys:
        assert say("hand.help") not in str(hand.components)
        return
    told = (await room.ann.click(hand, label=say("hand.help"))).response
    first, last = (presenter.card(key, Look(locale="en")).title for key in (keys[0], keys[-1]))
    assert f"### {first}" in str(told.components)
    result = await room.ann.select(told, [keys[-1]], custom_id=f"v:help:{table.id}:0")
    assert f"### {last}" in str(result.response.components)
    assert f"### {first}" not in str(result.response.components)


async def test_a_card_that_shares_its_name_leads_to_the_others(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="duel52")
    king = (await room.ann.slash(room.channel, "card", name="k")).response
    assert "### K · Empower" in str(king.components)
    assert "Also: Potassium · K 19, " in str(king.components)
    other = answer_of(await room.ann.select(king, ["atom_duel:K"], custom_id="v:card-also"))
    assert other.ephemeral
    assert "### Potassium" in str(other.components)
    magnet = (await room.ann.slash(room.channel, "card", name="magnet")).response
    assert " more." in str(magnet.components)
