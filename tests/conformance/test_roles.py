"""Every role of a game is named in the words of its players."""

from __future__ import annotations

from typing import Any

import pytest

from bot import presenters
from engine.game import Game
from tests.conformance.walk import every_game
from tests.support.discord.wording import LABEL, LOCALES, well_said


@every_game
@pytest.mark.parametrize("locale", LOCALES)
def test_the_game_has_words_for_its_roles(game: Game[Any, Any], locale: str) -> None:
    presenter = presenters.get(game.key)
    named = [presenter.role(role, locale) for role in game.roles]
    assert len(set(named)) == len(game.roles)
    assert all(well_said(name, LABEL) for name in named)
    assert presenter.role("nobody", locale) == ""
