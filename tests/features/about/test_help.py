"""/help: one screen that starts a game, a lesson, or the settings."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import languages, words
from tests.support.discord.keys import part
from tests.support.discord.sent_messages import said

MOST_LINES = 24
"""So many lines of 36 signs fit a phone's screen above three buttons."""


@pytest.mark.parametrize("language", languages())
def test_it_fits_a_phone(language: str) -> None:
    text = words(language)("help.text").replace("**", "")
    assert sum(1 + len(line) // 37 for line in text.strip().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("language", languages())
def test_it_names_the_ways_to_people(language: str) -> None:
    text = words(language)("help.text")
    assert [way for way in ("/play", "/seek", "/night", "/tournament") if f"**{way}**" not in text] == []


@pytest.mark.parametrize(
    ("label", "told"),
    [("Play a game", part("poster.heading")), ("Learn one", "Atom Duel"), ("Settings", "High contrast")],
)
async def test_each_button_leads_somewhere(room: Any, label: str, told: str) -> None:
    shown = await room.ann.slash(room.channel, "help")
    assert shown.ephemeral
    led = await room.ann.click(shown.response, label=label)
    assert led.response.ephemeral
    assert told in said(led.response)
