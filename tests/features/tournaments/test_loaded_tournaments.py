"""The tournaments in memory are found by their server without a look at any other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from bot.features.tournaments.tournament import LoadedTournaments


def some(tournament_id: int, guild_id: int) -> Any:
    return SimpleNamespace(id=tournament_id, stored=SimpleNamespace(guild_id=guild_id))


def test_they_are_found_by_number_and_by_server() -> None:
    loaded, one, two, other = LoadedTournaments(), some(1, 70), some(2, 70), some(3, 71)
    for each in (one, two, other):
        assert loaded.add(each) is each
    assert (loaded.get(2), loaded.get(9)) == (two, None)
    assert (loaded.of_server(70), loaded.of_server(71), loaded.of_server(72)) == ([one, two], [other], [])
    assert loaded.all() == [one, two, other]


def test_a_second_one_of_the_same_number_is_not_taken() -> None:
    loaded, one = LoadedTournaments(), some(1, 70)
    loaded.add(one)
    assert loaded.add(some(1, 70)) is one
    assert loaded.of_server(70) == [one]


def test_one_that_is_dropped_is_gone() -> None:
    loaded, one = LoadedTournaments(), some(1, 70)
    loaded.add(one)
    for _ in range(2):
        loaded.drop(one)
        assert (loaded.get(1), loaded.of_server(70), loaded.all()) == (None, [], [])
