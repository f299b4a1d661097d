"""People who play in the local Discord, through its page or its actions."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from playground.actions.person import Person, PersonError

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


def decisions(database: Path, game: str) -> int:
    """How many decisions of people stand in the journals of a game."""
    query = """SELECT count(*) FROM entries JOIN games ON games.id = entries.game_id
        JOIN seats ON seats.game_id = games.id AND seats.seat = entries.seat
        WHERE games.game = ? AND entries.kind = 'act' AND seats.user_id IS NOT NULL"""
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute(query, (game,)).fetchone()[0])


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
    for _ in range(200):
        with suppress(TimeoutError):
            await person.wait_for(lambda: choices(person, hand) or "Game over" in person.text(board), 0.3)
            return
        with suppress(PersonError):
            await person.press(hand, label="Refresh")
    raise AssertionError("it is nobody's turn")
