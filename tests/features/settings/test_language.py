"""The language of people and servers whose Discord speaks a form of it that we do not have."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import words
from tests.support.discord.forging import forge
from tests.support.discord.people import MANAGING, somebody
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import said

pytestmark = pytest.mark.simcord(check_errors=False)

CHINESE, ENGLISH = words("zh-CN"), words("en")
TRADITIONAL = CHINESE("language.text.zh-TW")


@pytest.fixture
def taiwan(room: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The room, in which everyone's Discord and the server speak Traditional Chinese."""
    emit = room.env.backend.emit

    def translated(event: str, payload: Any, *rest: Any, **more: Any) -> Any:
        if event == "INTERACTION_CREATE":
            payload = {**payload, "locale": "zh-TW"}
            if "guild_locale" in payload:
                payload["guild_locale"] = "zh-TW"
        return emit(event, payload, *rest, **more)

    monkeypatch.setattr(room.env.backend, "emit", translated)
    return room


async def test_private_answers_public_tables_and_pictures_speak_the_other_form(taiwan: Any) -> None:
    helped = (await taiwan.ann.slash(taiwan.channel, "help")).response
    assert CHINESE("help.play") in str(helped.components)
    started = (await taiwan.ann.click(helped, label=CHINESE("help.play"))).response
    assert CHINESE("poster.heading") in said(started)
    assert started.attachments[0].description.startswith(CHINESE("poster.alt", games="")[:3])
    await taiwan.ann.slash(taiwan.channel, "play", game="atom")
    assert the_table(taiwan).stored.locale == "zh-TW"
    assert CHINESE("atom.title") in said(taiwan.channel.last_message)


async def test_settings_say_so_until_a_language_is_chosen(taiwan: Any) -> None:
    shown = (await taiwan.ann.slash(taiwan.channel, "settings")).response
    assert TRADITIONAL in said(shown)
    assert ENGLISH("language.name") in TRADITIONAL
    chosen = (await forge(taiwan.ann, shown, "v:set-language", ("en",))).response
    assert ENGLISH("settings.heading") in said(chosen)
    assert TRADITIONAL not in said(chosen)
    chosen = (await forge(taiwan.ann, shown, "v:set-language", ("zh-CN",))).response
    assert CHINESE("settings.heading") in said(chosen)
    assert TRADITIONAL not in said(chosen)
    chosen = (await forge(taiwan.ann, shown, "v:set-language", ("wider",))).response
    assert TRADITIONAL in said(chosen)


async def test_the_line_is_within_discord_s_bounds(taiwan: Any) -> None:
    max_ = somebody(taiwan, "max", MANAGING)
    shown = (await max_.slash(taiwan.channel, "settings")).response
    assert TRADITIONAL in said(shown)
    assert str(shown.components).count("'type':") <= 40


async def test_nobody_else_reads_it(room: Any) -> None:
    shown = (await room.ann.slash(room.channel, "settings")).response
    assert TRADITIONAL not in said(shown)
