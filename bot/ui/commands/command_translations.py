"""What Discord's menu says of the commands, in every language that has the words: what they are called, and
what they do.

Discord takes the English name of a command in every language beside the one that it shows, so sentences go
on naming that one, and whoever reads them can type it.
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
"""Where the strings of the menu begin."""
NAMES = "menu.named."
"""Where the names begin that another language has for those of the menu, each by its English name."""
_DESCRIBED: Final = (Location.command_description, Location.group_description, Location.parameter_description)


@cache
def _keys() -> dict[str, str]:
    """By its English words, the key of a string of the menu."""
    return {str(words): key for key, words in catalogue(FALLBACK).items() if key.startswith(DESCRIPTIONS)}


def choice(key: str, value: str, name: str = "") -> app_commands.Choice[str]:
    """A choice of an option, called as the string of `key` says, or as `name` where English has none."""
    english = name or words(FALLBACK)(key)
    return app_commands.Choice(name=app_commands.locale_str(english, key=key), value=value)


class MenuTranslator(app_commands.Translator):
    """Finds the words of a name or a description in another language; None where English has to do."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """The name or the description in the language of the menu."""
        language = words(locale.value).language
        if language == FALLBACK:
            return None
        own, english = catalogue(language), string.message
        if context.location is Location.choice_name:
            found = own.get(string.extras.get("key", ""))
            if found is not None and locale is discord.Locale.taiwan_chinese and language == "zh-CN":
                found = traditional(str(found))  # Discord finds a choice by the characters typed alone
        elif context.location in _DESCRIBED:
            found = own.get(_keys().get(english, ""))
        else:
            found = own.get(NAMES + english)
        return None if found is None else str(found)
