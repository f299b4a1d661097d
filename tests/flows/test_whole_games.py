"""Every game, from `/play` to its record, through the real bot: one person presses anything."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from bot import custom_ids as ids
from engine import catalog, record
from tests.support.discord.lobbies import arrange, choose
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import said

SHORT: dict[str, dict[str, str]] = {
    "atom_duel": {"level": "7", "rounds": "2"},
    "duel52": {"variant": "quick"},
}
"""Options that make a game short enough."""
CHOOSING = frozenset({"go", "sel", "pick", "group", "add", "page"})
MOST_PRESSES = 600
BUTTON = 2


def controls(components: Iterable[Any]) -> Iterator[Any]:
    """What a hand offers: buttons and selects that choose."""
    for component in components:
        custom_id = component.get("custom_id", "")
        if custom_id and ids.parse(custom_id).verb in CHOOSING and not component.get("disabled"):
            yield component
        yield from controls(component.get("components", ()))


async def press_anything(person: Any, hand: Any, rng: random.Random) -> None:
    control = rng.choice(list(controls(hand.components)))
    if control["type"] == BUTTON:
        await person.click(hand, custom_id=control["custom_id"])
        return
    values = [option["value"] for option in control["options"]]
    most = min(control.get("max_values", 1), len(values))
    count = rng.randint(min(max(1, control.get("min_values", 1)), most), most)
    await person.select(hand, rng.sample(values, count), custom_id=control["custom_id"])


GAMES = [pytest.param(key, marks=() if key == "probe" else pytest.mark.long) for key in catalog.listed()]


@pytest.mark.parametrize("strength", [0, -1], ids=["gentlest", "strongest"])
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_played_to_its_end(room: Any, game: str, strength: int) -> None:
    await room.ann.slash(room.channel, "play", game=game)
    table, lobby, rng = the_table(room), room.channel.last_message, random.Random(game)
    if game in SHORT:
        await choose(room.ann, lobby, **SHORT[game])
    least = table.game.seats(table.stored.options)[0]
    opponents = max(1, least - 1)
    level = table.game.levels_in(1 + opponents, table.stored.options)[strength]
    await arrange(room.ann, lobby, opponents=str(opponents), level=level)
    await room.ann.click(lobby, label="Start")
    hand = (await room.ann.click(room.channel.last_message, label="My hand")).response
    for _ in range(MOST_PRESSES):
        if table.phase == "over":
            break
        if list(controls(hand.components)):
            await press_anything(room.ann, hand, rng)
        else:
            await room.ann.click(hand, label="Refresh")
    assert table.phase == "over"
    await room.env.settle()
    board = room.channel.last_message
    assert "Game over" in str(board.components)
    for label in ("Why?", "Log"):
        assert said((await room.ann.click(board, label=label)).response)
    (file,) = (await room.ann.click(board, label="Record")).response.attachments
    kept = record.from_json(await file.read())
    assert record.verify(kept).outcome() == kept.outcome is not None
