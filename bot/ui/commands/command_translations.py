"""Names and descriptions of the commands in Discord's menu, in every language that has them.

Discord accepts the English name of a command in every language, besides the translated name. So texts always
use the English name, which every reader can type.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.locales import FALLBACK, catalogue, words
from bot.typed_names import traditional

DESCRIPTIONS = "command."
"""Prefix of the keys of menu strings."""
NAMES = "menu.named."
"""Prefix of the keys of translated menu names, each followed by the English name."""
_DESCRIBED: Final = (Location.command_description, Location.group_description, Location.parameter_description)


@cache
def _keys() -> dict[str, str]:
    """Return the keys of menu strings by their English text."""
    return {str(words): key for key, words in catalogue(FALLBACK).items() if key.startswith(DESCRIPTIONS)}


def choice(key: str, value: str, name: str = "") -> app_commands.Choice[str]:
    """Return a choice of an option, named by the string of `key`, or by `name` if English has no such
    string."""
    english = name or words(FALLBACK)(key)
    return app_commands.Choice(name=app_commands.locale_str(english, key=key), value=value)


class MenuTranslator(app_commands.Translator):
    """Translates the names and descriptions of commands."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """Return the translation for the menu, or None to use the English text."""
        language = words(locale.value).language
        if language == FALLBACK:
            return None
        strings, english = catalogue(language), string.message
        if context.location is Location.choice_name:
            translation = strings.get(string.extras.get("key", ""))
            if translation is not None and locale is discord.Locale.taiwan_chinese and language == "zh-CN":
                translation = traditional(
                    str(translation)
                )  # Discord finds a choice only by the characters typed
        elif context.location in _DESCRIBED:
            translation = strings.get(_keys().get(english, ""))
        else:
            translation = strings.get(NAMES + english)
        return None if translation is None else str(translation)
