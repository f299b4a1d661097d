"""The commands as Discord lists them: each says what it does, and is offered only where it can do it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.locales import FALLBACK, catalogue, languages, words
from bot.typed_names import traditional
from bot.ui.commands import command_tree as commands
from bot.ui.commands.command_translations import DESCRIPTIONS, NAMES, MenuTranslator

VERBS = frozenset(
    (
        "Open",
        "Show",
        "Choose",
        "Make",
        "Browse",
        "Close",
        "Stop",
        "Announce",
        "Take",
        "Withdraw",
        "Shorten",
        "Leave",
        "Note",
        "Call",
        "Play",
        "Find",
        "Plan",
    )
)
"""What a description begins with: it says what the command does, and is no question and no heading."""


@pytest.fixture(scope="module")
def tree() -> Iterator[commands.Tree]:
    client: Any = discord.Client(intents=discord.Intents.none())
    found = commands.Tree(client)
    commands.add_all(found)
    yield found
    found.clear_commands(guild=None)


def every(tree: commands.Tree) -> list[Any]:
    return list(tree.walk_commands())


def test_descriptions_are_in_one_voice(tree: commands.Tree) -> None:
    for command in every(tree):
        assert command.description.split()[0] in VERBS, command.qualified_name
        assert not command.description.endswith((".", "?")), command.qualified_name


def test_no_option_repeats_its_command(tree: commands.Tree) -> None:
    """`/move move:` says nothing."""
    for command in every(tree):
        for parameter in getattr(command, "parameters", ()):
            assert parameter.display_name != command.name, command.qualified_name
            text = str(parameter.description)
            assert text[0].isupper(), text
            assert not text.endswith((".", "?")), text


@pytest.mark.parametrize("name", ["play", "table", "tournament", "games", "seek", "night"])
def test_what_needs_the_bot_in_the_room_is_offered_only_there(tree: commands.Tree, name: str) -> None:
    """Not in servers without it, where a person brings only the command, nor in group messages."""
    found = tree.get_command(name)
    assert isinstance(found, app_commands.Command | app_commands.Group)
    assert found.allowed_installs is not None
    assert found.allowed_contexts is not None
    assert (found.allowed_installs.guild, found.allowed_installs.user) == (True, False)
    assert found.allowed_contexts.private_channel is False


@pytest.mark.parametrize("name", ["hand", "move", "card", "rules", "stats"])
def test_hands_and_look_ups_go_anywhere(tree: commands.Tree, name: str) -> None:
    found = tree.get_command(name)
    assert isinstance(found, app_commands.Command)
    assert found.allowed_installs is not None
    assert found.allowed_contexts is not None
    assert found.allowed_installs.user
    assert found.allowed_contexts.private_channel


def descriptions(payload: dict[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """What a command, its groups and its options say, each with its translations; menus say nothing."""
    if payload.get("description"):
        yield payload["description"], payload.get("description_localizations") or {}
    for option in payload.get("options", ()):
        yield from descriptions(option)


@pytest.mark.asyncio
async def test_the_menu_speaks_every_language_that_has_its_words(tree: commands.Tree) -> None:
    having = {language for language in languages() if any(map(of_menu, catalogue(language)))}
    translated = {each.value for each in discord.Locale if words(each.value).language in having - {FALLBACK}}
    assert translated >= {"zh-CN", "zh-TW"}
    translator = MenuTranslator()
    for command in tree.get_commands():
        payload = await command.get_translated_payload(tree, translator)
        for english, others in descriptions(payload):
            assert set(others) == translated, english
            assert all(0 < len(text) <= 100 and text != english for text in others.values())


PROBE = "Probe"
"""The game of the tests speaks English."""
NAME = re.compile(r"[-_'\w]{1,32}")
"""What Discord takes as the name of a command or an option; letters of every script count as such."""


def siblings(payload: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The names that stand beside each other: the options of each command, and the choices of each option."""
    for several in (payload.get("options") or [], payload.get("choices") or []):
        yield several
        for each in several:
            yield from siblings(each)


@pytest.mark.asyncio
@pytest.mark.parametrize("language", [language for language in languages() if language != FALLBACK])
async def test_everything_in_the_menu_has_a_name_in_every_language(
    tree: commands.Tree, language: str
) -> None:
    translator = MenuTranslator()
    payloads = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    used = set()
    for several in [payloads, *(one for payload in payloads for one in siblings(payload))]:
        called = [(each["name"], (each.get("name_localizations") or {}).get(language)) for each in several]
        assert [name for name, own in called if own is None and name != PROBE] == []
        assert len({own or name for name, own in called}) == len(called), "Discord refuses two of one name"
        used |= {name for name, _ in called}
        for each, (_, own) in zip(several, called, strict=True):
            # what has a value is a choice, which may be called anything
            assert "value" in each or NAME.fullmatch(str(own)), own
    assert {key for key in catalogue(language) if key.startswith(NAMES)} <= {NAMES + name for name in used}


def of_menu(key: str) -> bool:
    return key.startswith(DESCRIPTIONS)


@pytest.mark.asyncio
async def test_choices_are_found_by_what_people_in_taiwan_type(tree: commands.Tree) -> None:
    """Discord compares the characters, so the name of a choice has those that they type."""
    payloads = [
        await command.get_translated_payload(tree, MenuTranslator()) for command in tree.get_commands()
    ]
    choices = [each for payload in payloads for one in siblings(payload) for each in one if "value" in each]
    named = [each["name_localizations"] for each in choices if each.get("name_localizations")]
    assert len(named) > 10
    for names in named:
        assert names["zh-TW"] == traditional(names["zh-CN"])
    assert any(names["zh-TW"] != names["zh-CN"] for names in named)
