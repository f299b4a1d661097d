"""**Show here**: what was looked up in private is posted for all, if the person and the bot may."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot import presenters
from bot.locales import words
from bot.render.scene import Look
from bot.store.prefs import Pictures
from bot.ui.components import shown_ids
from tests.support.discord.forging import double_click, forge
from tests.support.discord.people import let_everyone_stay
from tests.support.discord.room_play import dealt, posted
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.results import finish

say = words("en")
HERE = say("share.here")


@pytest.mark.parametrize(
    ("command", "options", "told"),
    [
        ("card", {"name": "iron"}, "### Iron"),
        ("rules", {"game": "duel52"}, "-# Duel 52"),
        ("leaderboard", {"game": "atom"}, ""),
        ("stats", {}, "\nann. "),
    ],
)
async def test_an_answer_is_shown_to_all(room: Any, command: str, options: dict[str, str], told: str) -> None:
    private = await room.ann.slash(room.channel, command, **options)
    assert private.ephemeral
    assert room.channel.last_message is None
    shown = await room.ann.click(private.response, label=HERE)
    assert not shown.ephemeral, said(shown.response)
    assert told in posted(room)
    assert f"Shown by <@{room.ann.id}>" in posted(room)
    assert shown_ids(room.channel.last_message.components) == set()
    assert room.channel.last_message.attachments


async def test_a_second_click_posts_nothing_more(room: Any) -> None:
    private = await room.ann.slash(room.channel, "rules", game="atom")
    (button,) = (each for each in custom_ids(private.response.components) if each.startswith("v:share"))
    results = await double_click(room.ann, private.response, button)
    await room.env.settle()
    assert [each.acknowledged for each in results] == [True, True]
    assert len(room.channel.history()) == 1


async def test_a_card_is_shown_without_what_a_hand_tells(room: Any) -> None:
    """In Molecular the page of a group says to who plays what it is worth now."""
    await dealt(room, "molecular")
    private = await room.ann.slash(room.channel, "card", name="ether")
    await room.ann.click(private.response, label=HERE)
    page = presenters.get("molecular").card("g-ether", Look(locale="en"))
    assert page.text in posted(room)
    assert page.text not in said(private.response)


async def test_the_own_line_of_a_board_stays_private(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann has lost to twenty people: her line stands below the first page for her alone."""
    let_everyone_stay(monkeypatch)

    def play(connection: Any) -> None:
        for other in range(1, 21):
            people = (room.ann.id, other)
            finish(connection, people, (2, 1), at=other, game="atom", guild_id=room.guild.id)

    await room.bot.app.database.write_at_once(play)
    private = await room.ann.slash(room.channel, "leaderboard", game="atom")
    assert f"person {room.ann.id}" in str(private.response.components)
    await room.ann.click(private.response, label=HERE)
    assert "person 1:" in posted(room)
    assert f"person {room.ann.id}" not in posted(room)


async def test_the_figures_of_somebody_else_are_theirs_to_show(room: Any) -> None:
    private = await room.ann.slash(room.channel, "stats", person=room.ben.user)
    assert "v:share:stats" not in list(custom_ids(private.response.components))


async def test_alone_with_the_bot_there_is_nobody_to_show_it_to(room: Any) -> None:
    private = await room.ann.user.slash("card", name="iron")
    assert not [each for each in custom_ids(private.response.components) if each.startswith("v:share")]


@pytest.mark.simcord(check_errors=False)
async def test_who_may_not_write_shows_nothing(room: Any) -> None:
    muted = {room.ann: discord.PermissionOverwrite(send_messages=False)}
    channel = room.guild.create_text_channel("quiet", overwrites=muted)
    private = await room.ann.slash(channel, "card", name="iron")
    refused = await room.ann.click(private.response, label=HERE)
    assert refused.ephemeral
    assert say("refused.write_rights") in said(refused.response)
    assert channel.last_message is None


@pytest.mark.simcord(check_errors=False)
async def test_where_the_bot_may_show_no_pictures_it_says_so(room: Any) -> None:
    barred = {room.bot.user: discord.PermissionOverwrite(attach_files=False)}
    channel = room.guild.create_text_channel("words-only", overwrites=barred)
    private = await room.ann.slash(channel, "card", name="iron")
    refused = await room.ann.click(private.response, label=HERE)
    assert refused.ephemeral
    assert say("permission.attach_files") in said(refused.response)
    assert channel.last_message is None


@pytest.mark.simcord(check_errors=False)
async def test_forged_ids_show_nothing(room: Any) -> None:
    private = await room.ann.slash(room.channel, "card", name="iron")
    for custom_id in ("v:share", "v:share:hand:1:0", "v:share:rules:chess:0:0", "v:share:rules:atom:99:0"):
        answer = await forge(room.ann, private.response, custom_id)
        assert answer.ephemeral, custom_id
    assert room.channel.last_message is None


async def test_it_looks_as_the_channel_wants_it(room: Any) -> None:
    await room.bot.app.preferences.channels.put(room.channel.id, Pictures(text_only=True))
    private = await room.ann.slash(room.channel, "card", name="iron")
    assert private.response.attachments
    await room.ann.click(private.response, label=HERE)
    assert room.channel.last_message.attachments == []
