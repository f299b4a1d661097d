"""Seats were stored when a level had another name: they are read as what it is called today."""

from __future__ import annotations

import msgspec
import pytest

from bot.store.games import Sitter


@pytest.mark.parametrize(
    ("stored", "today"),
    [("heuristic", "steady"), ("random", "random"), ("sharp", "sharp"), (None, None)],
)
def test_a_seat_is_read_by_the_name_of_today(stored: str | None, today: str | None) -> None:
    row = ("Marie", None, stored, None)
    assert Sitter(*row).level == today
    assert msgspec.structs.replace(Sitter("Marie"), level=stored).level == today
    assert msgspec.convert({"name": "Marie", "level": stored}, Sitter).level == today
