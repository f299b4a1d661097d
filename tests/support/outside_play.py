"""Names that players and translators use: commands, custom ids, games, keys of strings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import discord

from bot.locales import begun, catalogue
from bot.ui import router
from bot.ui.commands import command_tree as commands
from engine import catalog
from engine.game import format_value

PROBE = "probe"
"""The game that only the tests have."""
KINDS = {kind.value: kind.name for kind in discord.AppCommandOptionType}
BOUNDS = ("min_value", "max_value", "min_length", "max_length", "channel_types")
PLACES = ("type", "contexts", "integration_types", "default_member_permissions", "nsfw")


def slash_commands() -> Iterator[str]:
    """Commands as sent to Discord, without descriptions and the titles of choices."""
    client: Any = discord.Client(intents=discord.Intents.none())
    tree = commands.Tree(client)
    commands.add_all(tree)
    try:
        for payload in asyncio.run(tree.payload()):
            where = ", ".join(f"{name}={payload[name]}" for name in PLACES if payload.get(name) is not None)
            yield f"/{payload['name']} {where}"
            yield from _options(f"/{payload['name']}", payload)
    finally:
        tree.clear_commands(guild=None)


def _options(path: str, payload: dict[str, Any]) -> Iterator[str]:
    """The lines of the options of a command, of its subcommands, and of its names in other languages."""
    for language, name in (payload.get("name_localizations") or {}).items():
        yield f"{path} in {language}: {name}"
    for choice in payload.get("choices") or ():
        if choice["value"] != PROBE:
            yield f"{path} = {choice['value']}"
    for option in payload.get("options") or ():
        words = [KINDS[option["type"]], *(["required"] if option.get("required") else [])]
        words += ["autocomplete"] if option.get("autocomplete") else []
        words += [f"{name}={option[name]}" for name in BOUNDS if option.get(name) is not None]
        below = f"{path} {option['name']}"
        yield f"{below}: {' '.join(words)}"
        yield from _options(below, option)


def custom_ids() -> Iterator[str]:
    """Verbs of the custom ids of buttons, selects and forms."""
    yield from (f"press {verb}" for verb in router.handlers())
    yield from (f"form {verb}" for verb in router.forms())


def locale_keys() -> Iterator[str]:
    """The keys of all strings, by language."""
    for language in begun():
        yield from (f"{language} {key}" for key in catalogue(language))


def games() -> Iterator[str]:
    """Games with their versions, options, seats, levels and achievements."""
    for key in catalog.listed():
        if key == PROBE:
            continue
        game = catalog.get(key)
        yield f"{key}: {game.title}"
        yield from (f"{key} rules {version}" for version in game.versions)
        for option in game.options:
            values = "|".join(map(format_value, option.values))
            yield f"{key} option {option.key}: {values} = {format_value(option.default)}"
        yield from (f"{key} level {level}" for level in game.opponents)
        yield from (f"{key} achievement {each.key}" for each in game.achievements)
