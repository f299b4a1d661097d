"""What Discord's menu says of the commands, in every language that has the words.

Their names stay: people tell each other what to type.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import discord
from discord import app_commands

from bot.locales import FALLBACK, catalogue, languages

DESCRIPTIONS = "command."
"""Where the strings of the menu begin."""


@cache
def _keys() -> dict[str, str]:
    """By its English words, the key of a string of the menu."""
    return {str(words): key for key, words in catalogue(FALLBACK).items() if key.startswith(DESCRIPTIONS)}


class MenuTranslator(app_commands.Translator):
    """Finds the words of a description in another language; None where English has to do."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        _context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """The description in the language of the menu."""
        key, language = _keys().get(string.message), locale.value
        if key is None or language == FALLBACK or language not in languages():
            return None
        found = catalogue(language).get(key)
        return None if found is None else str(found)
