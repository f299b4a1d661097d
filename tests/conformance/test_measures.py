"""Every measure of a game has a clause in the words of its players."""

from __future__ import annotations

from typing import Any

import pytest

from bot import presenters
from engine.ai.advice import Difference
from engine.game import Game
from tests.conformance.test_words import LOCALES, NOTE, well_said
from tests.conformance.walk import every_game


@every_game
@pytest.mark.parametrize("locale", LOCALES)
def test_the_game_has_words_for_its_measures(game: Game[Any, Any], locale: str) -> None:
    presenter = presenters.get(game.key)
    for measure in game.measures:
        clause = presenter.measure(Difference(measure, 11.7, -2.04), locale)
        assert well_said(clause, NOTE)
        assert {"12", "−2"} <= set(clause.split())


@every_game
def test_what_no_reader_would_see_is_no_difference(game: Game[Any, Any]) -> None:
    presenter = presenters.get(game.key)
    assert not any(presenter.measure(Difference(measure, 3.01, 3.04), "en") for measure in game.measures)
