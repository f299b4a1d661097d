"""Every game, played to its end by one person who presses anything and opponents who play."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from engine import catalog, record
from playground.person import Person, PersonError
from tests.e2e.room import BACK, WAIT, Room, arrange, beside, labels, table_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT: dict[str, dict[str, Any]] = {
    "atom_duel": {"level": 7, "rounds": 2},
    "duel52": {"variant": "quick"},
}
"""Options that make a game short enough."""
MOST_PRESSES = 700


def choices(person: Person, hand: str) -> list[dict[str, Any]]:
    """What a hand offers: buttons that choose, and selects."""
    verbs = ("v:go:", "v:sel:", "v:pick:", "v:group:", "v:add:", "v:page:")
    return [c for c in person.components(hand) if str(c.get("custom_id", "")).startswith(verbs)]


async def press_anything(person: Person, hand: str, rng: random.Random) -> None:
    """One press; a select gets as many values as it asks for."""
    control = rng.choice(choices(person, hand))
    if "options" not in control:
        out = await person.press(hand, control["custom_id"])
    else:
        least, most = control.get("min_values", 1), control.get("max_values", 1)
        values = [option["value"] for option in control["options"]]
        count = rng.randint(max(1, least), max(1, min(most, len(values))))
        out = await person.select(hand, control["custom_id"], rng.sample(values, count))
    assert not out.failed, control


async def my_turn(person: Person, hand: str, board: str) -> None:
    """Wait until the hand offers something or the game is over, looking again now and then as people do."""
    for _ in range(60):
        with suppress(TimeoutError):
            await person.wait_for(lambda: choices(person, hand) or "Game over" in person.text(board), 0.3)
            return
        with suppress(PersonError):
            await person.press(hand, label="Refresh")
    raise AssertionError("it is nobody's turn")


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
