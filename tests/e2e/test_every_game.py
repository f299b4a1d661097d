"""Every game, played to its end by one person who presses anything and opponents who play."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import catalog, record
from playground.actions.person import PersonError
from tests.e2e.room import BACK, WAIT, Room, arrange, beside, labels, table_of
from tests.support.processes.playground_people import my_turn, press_anything

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT: dict[str, dict[str, Any]] = {
    "atom_duel": {"level": 7, "rounds": 2},
    "duel52": {"variant": "quick"},
}
"""Options that make a game short enough."""
MOST_PRESSES = 700


@pytest.mark.parametrize("game", catalog.listed())
async def test_a_game_is_played_to_its_end(room: Room, game: str) -> None:
    ann = await room.person("ann")
    before = len(ann.errors)  # what others were refused on this stage is not ours
    board = await room.lobby(ann, game=game, **SHORT.get(game, {}))
    least = catalog.get(game).seats({**catalog.get(game).defaults(), **SHORT.get(game, {})})[0]
    level = catalog.get(game).levels[0]
    await arrange(ann, board, opponents=str(max(1, least - 1)), level=level)
    await ann.press(board, label="Start")
    rng = random.Random(game)
    hand = str((await ann.press(board, label="My hand")).message_id)
    for _ in range(MOST_PRESSES):
        if "Game over" in ann.text(board):
            break
        await my_turn(ann, hand, board)
        try:
            await press_anything(ann, hand, rng)
        except (PersonError, IndexError):
            continue  # the hand was turned over under the finger
    assert [error["lines"] for error in ann.errors[before:]] == []
    assert "Game over" in ann.text(board)
    for label in ("Why?", "Log"):
        assert len((await beside(ann, board, hand, label)).splitlines()) > 1
    await ann.press(hand, label=BACK)
    out = await ann.press(board, label="Record")
    (file,) = ann.message(out)["attachments"]
    found = record.from_json(await ann.fetch(file["url"]))
    assert record.verify(found).outcome() == found.outcome is not None
    assert found.names[0] == ann.name
    # the hand tells how it ended, and deals again with the same opponents
    await ann.wait_for(lambda: "Play again" in labels(ann, hand), WAIT)
    assert "The game is over." in ann.text(hand)
    again = await ann.press(hand, label="Play again")
    assert again.ephemeral, "one press, and the next hand is there"
    assert str(again.message_id) != hand
    assert f"table {table_of(ann, board)}" not in ann.text(again)
