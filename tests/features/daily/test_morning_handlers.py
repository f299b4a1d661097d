"""The morning of a day, through the real bot: switched on, read, pressed, switched off."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import presenters
from bot.features.daily import morning_rows as mornings
from bot.features.daily import service as today
from bot.features.daily.morning_messages import morning_message
from bot.features.daily.morning_publisher import MorningPublisher
from bot.features.daily.morning_rows import DailyBoard, Summary
from bot.features.table.publishing.publisher import TablePublisher
from bot.locales import languages, words
from bot.store import days
from bot.store.days import DailyPlace, DailyResult
from bot.table.ports import DiscordFailure
from bot.table.registry import Tables
from tests.support.discord.forging import forge, refusal
from tests.support.discord.keys import part
from tests.support.discord.sent_messages import custom_ids, said, written

say = words("en")
MANAGING = discord.Permissions(manage_channels=True, view_channel=True, send_messages=True)
pytestmark = pytest.mark.simcord(check_errors=False)  # refused commands are what some of this is about


@pytest.fixture
def keeper(room: Any) -> Any:
    """Somebody who manages the channels."""
    role = room.guild.create_role("keepers", permissions=MANAGING)
    return room.guild.add_member(room.env.create_user("kim"), roles=[role])


async def kept(room: Any) -> Any:
    return await room.bot.app.database.read_at_once(lambda c: mornings.morning_of(c, room.channel.id))


async def test_who_manages_the_channel_switches_it_on_and_off(room: Any, keeper: Any) -> None:
    nobody = (await room.ann.slash(room.channel, "daily")).response
    assert not [each for each in custom_ids(nobody.components) if "morning" in each]
    refused = await forge(room.ann, nobody, "v:daily-morning:yes")
    assert say("refused.settings_rights") in said(refused.response)
    assert await kept(room) is None
    shown = (await keeper.slash(room.channel, "daily")).response
    assert say("morning.note") in said(shown)
    await forge(keeper, shown, "v:daily-morning:yes")
    assert (await kept(room)).guild_id == room.guild.id
    shown = (await keeper.slash(room.channel, "daily")).response
    assert "v:daily-morning:no" in custom_ids(shown.components)
    await forge(keeper, shown, "v:here-morning:no")
    assert await kept(room) is None


async def test_who_manages_the_channel_chooses_hour_and_zone(room: Any, keeper: Any) -> None:
    shown = (await keeper.slash(room.channel, "daily")).response
    await forge(keeper, shown, "v:daily-morning:yes")
    mine = (await keeper.slash(room.channel, "settings")).response
    here = (await forge(keeper, mine, "v:settings-here")).response
    assert say("morning.at", hour="6:00", zone="UTC") in said(here)
    asked = await forge(keeper, here, "v:here-morning-time")
    assert asked.modal is not None
    changed = await keeper.submit_modal(asked, {"hour": ["7"], "zone": "berlin"})
    assert say("morning.at", hour="7:00", zone="Europe/Berlin") in said(changed.response)
    assert ((await kept(room)).hour, (await kept(room)).zone) == (7, "Europe/Berlin")
    asked = await forge(keeper, here, "v:here-morning-time")
    refused = await keeper.submit_modal(asked, {"hour": ["7"], "zone": "Atlantis"})
    assert say("refused.zone_unknown") in said(refused.response)


async def test_before_the_first_deals_are_drawn_there_is_a_puzzle(room: Any) -> None:
    shown = (await room.ann.slash(room.channel, "daily")).response
    assert say("daily.fresh") not in said(shown)
    assert say("daily.tomorrow") not in said(shown), "once is enough"
    assert say("daily.first") in said(shown)
    (puzzle,) = [each for each in custom_ids(shown.components) if each.startswith("v:daily-puzzle:")]
    assert say("puzzle.question") in said((await forge(room.ann, shown, puzzle)).response)


async def test_a_morning_is_posted_and_begins_the_deal_of_today(room: Any, keeper: Any, drawn: str) -> None:
    shown = (await keeper.slash(room.channel, "daily")).response
    await forge(keeper, shown, "v:daily-morning:yes")
    app, morning = room.bot.app, await kept(room)
    summary = await app.database.read_at_once(
        lambda c: mornings.read(c, days.begins_at(drawn) + 6 * 3_600_000, room.guild.id)
    )
    await MorningPublisher(app.service(TablePublisher)).morning(room.channel.id, morning, summary)
    await room.env.settle()
    post = room.channel.last_message
    channel = room.bot.get_partial_messageable(room.channel.id)
    message = await channel.fetch_message(post.id)
    text = str(message.components)
    assert say("morning.heading", date=drawn) in text
    assert say("morning.nobody") in text
    begun = await forge(room.ann, post, "v:daily-go:atom_duel")
    assert begun.ephemeral
    assert say("daily.greeting") in said(begun.response)
    _, mine = await today.today(app.service(Tables), room.ann.id)
    done = DailyResult(1, 9.0, 4.0, 17)
    table = mine["atom_duel"].game_id
    await app.database.write_at_once(lambda c: days.finish(c, table, done, app.clock.now()))
    again = await forge(room.ann, post, "v:daily-go:atom_duel")
    assert again.ephemeral
    assert say("daily.again") in str(list(again.response.components))
    puzzle = await forge(room.ben, post, f"v:daily-puzzle:{today.puzzle_game(drawn, presenters.offered())}")
    assert puzzle.ephemeral


@pytest.mark.parametrize(("error", "key"), [(refusal(404, 10003), "gone"), (refusal(403, 50001), "rights")])
async def test_a_lost_channel_is_said_to_be_lost(
    room: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, key: str
) -> None:
    async def refuse(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(discord.PartialMessageable, "send", refuse)
    morning = mornings.Morning(guild_id=room.guild.id)
    with pytest.raises(DiscordFailure) as caught:
        await MorningPublisher(room.bot.app.service(TablePublisher)).morning(
            room.channel.id, morning, Summary("2027-03-14", (), frozenset())
        )
    assert (caught.value.key, caught.value.passing) == (key, False)


async def test_a_page_of_a_proxy_is_no_lost_channel(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: Any, **__: Any) -> Any:
        reply: Any = SimpleNamespace(status=403, reason="Forbidden", headers={})
        raise discord.Forbidden(reply, "<!DOCTYPE html><title>Access denied</title>")

    monkeypatch.setattr(discord.PartialMessageable, "send", refuse)
    morning = mornings.Morning(guild_id=room.guild.id)
    with pytest.raises(DiscordFailure) as caught:
        await MorningPublisher(room.bot.app.service(TablePublisher)).morning(
            room.channel.id, morning, Summary("2027-03-14", (), frozenset())
        )
    assert caught.value.passing


@pytest.mark.parametrize(
    ("hindered", "told"),
    [
        (DiscordFailure("gone", gone=True), part("morning.told_gone")),
        (DiscordFailure("rights", rights=("send_messages",), code=50013), "**Send Messages**"),
        (DiscordFailure("refused", code=50001), "50001"),
    ],
)
async def test_the_owner_hears_why_there_is_no_summary(
    room: Any, hindered: DiscordFailure, told: str
) -> None:
    morning = mornings.Morning(guild_id=room.guild.id)
    await MorningPublisher(room.bot.app.service(TablePublisher)).tell_hindered(
        room.channel.id, morning, hindered
    )
    (letter,) = written(room)
    assert letter[0] == room.bot.get_guild(room.guild.id).owner_id
    assert told in letter[1]


async def test_a_discord_that_keeps_silent_is_not_waited_for(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.daily.morning_publisher.MORNING_SECONDS", 0.01)
    monkeypatch.setattr(discord.PartialMessageable, "send", lambda *_, **__: asyncio.Event().wait())
    morning = mornings.Morning(guild_id=room.guild.id)
    with pytest.raises(DiscordFailure) as caught:
        await MorningPublisher(room.bot.app.service(TablePublisher)).morning(
            room.channel.id, morning, Summary("2027-03-14", (), frozenset())
        )
    assert caught.value.passing


@pytest.mark.parametrize("locale", languages())
def test_a_full_morning_fits_into_a_message(locale: str) -> None:
    games = presenters.offered()
    long = tuple(
        DailyPlace(n, n, "Maximiliane *von* Hohenfels 3", DailyResult(2, 31, -120.5, 140)) for n in (1, 2, 3)
    )
    boards = tuple(DailyBoard(game, long, 120, (365, 2, 1)) for game in games)
    message = morning_message(Summary("2027-03-14", boards, frozenset(games)), locale)
    assert message.view.content_length() < 4000
    assert len(list(custom_ids(message.view.to_components()))) == len(games) + 1
