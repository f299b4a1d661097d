"""The select by which an answer about one game is switched to another."""

from __future__ import annotations

from bot import presenters
from bot.locales import words
from bot.ui.components import Control, MenuLine, select


def game_select(custom_id: str, chosen: str, locale: str) -> Control:
    """All games, the one that is shown marked; what is chosen is the key of a game."""
    lines = [
        MenuLine(key, presenters.get(key).title(locale), chosen=key == chosen) for key in presenters.offered()
    ]
    return select(words(locale)("cards.choose_game"), custom_id, lines)
