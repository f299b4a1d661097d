"""What a lobby says before a game begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.views.lobby import lobby_message
from tests.support.hall import close_hall, new_table, open_hall
from tests.support.message import words_of

PAIRS = "Playing together: person 1 and person 3 · person 2 and person 4"


@pytest.mark.parametrize(
    ("game", "people", "options", "told"),
    [
        ("atom", 4, {}, True),
        ("atom", 3, {}, False),
        ("atom", 5, {}, False),
        ("duel52", 4, {"variant": "teams"}, True),
        ("duel52", 2, {}, False),
    ],
)
async def test_partners_are_named_when_they_are_known(
    tmp_path: Path, game: str, people: int, options: dict[str, str], told: bool
) -> None:
    hall, _, _ = await open_hall(tmp_path / "v.db")
    table = await new_table(hall, people=[1], game=game)
    for key, value in options.items():
        await table.set_option(1, key, value)
    for user in range(2, people + 1):
        await table.join(user, f"person {user}", user)
    said = words_of(lobby_message(table))
    assert (PAIRS in said) == told
    assert ("together" in said) == told
    await close_hall(hall)
