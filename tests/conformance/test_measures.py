"""Every measure of a game has a clause in the words of its players."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot import presenters
from engine.ai.advice import Difference
from engine.game import Game
from tests.conformance.walk import every_game
from tests.support.discord.wording import LOCALES, NOTE, well_said


@every_game
@pytest.mark.parametrize("locale", LOCALES)
def test_the_game_has_words_for_its_measures(game: Game[Any, Any], locale: str) -> None:
    presenter = presenters.get(game.key)
    for measure in game.measures:
        clause = presenter.measure(Difference(measure, 11.7, -2.04), locale)
        assert well_said(clause, NOTE)
        assert {"12", "−2"} <= set(clause.split())


@every_game
def test_one_is_counted_as_one(game: Game[Any, Any]) -> None:
    presenter = presenters.get(game.key)
    for measure in game.measures:
        one, more = (presenter.measure(Difference(measure, mean, 2.0), "en") for mean in (1.04, 1.06))
        assert "1" in one.split()
        assert not re.search(r"\b1 (more |wild |hit )?[a-z]+s\b", one)
        assert "1.1" in more.split()


@every_game
def test_what_no_reader_would_see_is_no_difference(game: Game[Any, Any]) -> None:
    presenter = presenters.get(game.key)
    assert not any(presenter.measure(Difference(measure, 3.01, 3.04), "en") for measure in game.measures)


def test_two_differences_are_told_in_one_phrase() -> None:
    found = [
        Difference("nameless", 1.0, 0.0),
        Difference("points", 12.1, 11.9),
        Difference("points", 12.0, -7.25),
        Difference("theirs", 3.04, 4.5),
        Difference("ripe", 2.0, 1.0),
    ]
    told = (
        "you then have 12 points instead of −7.2 and the best of the others then has 3 points instead of 4.5"
    )
    assert presenters.get("molecular").clauses(found, "en") == told
    assert presenters.get("molecular").clauses(found[:2], "en") == ""
