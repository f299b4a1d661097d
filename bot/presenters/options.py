"""The options of a table in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from bot.locales import Words, words
from bot.render.scene import Look
from engine import catalog
from engine.game import Value

OptionWords: TypeAlias = Callable[[str, Value | None, Look], tuple[str, str]]
"""The signature of `Presenter.option`."""


def option_words(label: str, value: str, say: Words) -> str:
    """Return an option with its value, or the value alone if it names the option, as "Level 2" does."""
    if label.casefold().rstrip("s") in value.casefold():
        return value
    return say("lobby.option", option=label, value=value)


def named_value(option: OptionWords, key: str, value: Value, look: Look) -> str:
    """Return an option with this value in words."""
    label, name = (option(key, each, look)[0] for each in (None, value))
    return option_words(label, name, words(look.locale))


def at_table(
    option: OptionWords, game: str, options: Mapping[str, Value] | None, look: Look
) -> dict[str, str]:
    """Return which side of each option holds at a table, by the name that its rules texts have for it.

    The name is `here_<option>` in braces, placed after the sentence that speaks of the option. Without a
    table all are empty.
    """
    say, rules = words(look.locale), catalog.get(game)
    return {
        f"here_{one.key}": say("rules.at_table", told=named_value(option, one.key, one.at(options), look))
        if options is not None
        else ""
        for one in rules.options
    }
