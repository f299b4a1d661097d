"""The bot posts nothing on behalf of people who may not write in that channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from bot import custom_ids as ids
from bot.features.daily import service as today
from bot.features.nights.service import Nights
from bot.features.teacher import practice
from bot.features.tournaments.service import Tournaments
from bot.locales import words
from bot.store.prefs import Prefs
from tests.support.discord.controls import PRIVATE, PUBLIC, chosen, ref, standing
from tests.support.discord.forging import answer_of, forge
from tests.support.discord.lobbies import arrange
from tests.support.discord.nights import in_hours
from tests.support.discord.people import saved
from tests.support.discord.room_play import dealt, play_out, the_table
from tests.support.discord.sent_messages import said
from tests.support.games.probe_study import taught
from tests.support.tables.daily import play
from tests.support.tables.tables import at_hand, settle

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are what this is about

Act = Callable[[], Awaitable[Any]]
Ready = Callable[[Any], Awaitable[Act]]
WRITING = discord.Permissions(send_messages=True, send_messages_in_threads=True)


@pytest.fixture(autouse=True)
def _taught(monkeypatch: pytest.MonkeyPatch) -> None:
    taught(monkeypatch)


def mute(room: Any, person: Any) -> None:
    """Take from a person the permission to write in every channel and thread of the server."""
    for channel in list(room.env.backend.channels.values()):
        if channel.guild_id == room.guild.id and channel.parent_id is None:
            denied = Overwrite(person.id, OverwriteType.MEMBER, deny=WRITING.value)
            room.env.backend.set_overwrite(channel.id, denied)


def posted(room: Any) -> set[int]:
    """The messages of the bot that others can see, in all channels and threads of the server."""
    backend = room.env.backend
    return {
        message.id
        for channel, messages in backend.messages.items()
        for message in messages.values()
        if backend.channels[channel].guild_id == room.guild.id
        and message.author_id == room.bot.user.id
        and not message.is_ephemeral
    }


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.tables)
        await room.env.settle()


# -- the ways to make the bot post: each prepares what it takes while Ann may still write ------------


def by_command(name: str, /, **options: Any) -> Ready:
    async def ready(room: Any) -> Act:
        await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
        return partial(room.ann.slash, room.channel, name, **options)

    return ready


def by_press(custom_id: str, *values: str) -> Ready:
    """A button of a message that only Ann sees."""

    async def ready(room: Any) -> Act:
        message = await standing(room.ann, room.channel)
        return partial(forge, room.ann, message, custom_id, values or None)

    return ready


def after_a_game(custom_id: str) -> Ready:
    """A button under a game of Ann and Ben that is over."""

    async def ready(room: Any) -> Act:
        await dealt(room, rounds="1")
        await play_out(room)
        return partial(forge, room.ann, await standing(room.ann, room.channel), custom_id)

    return ready


async def try_again(room: Any) -> Act:
    await dealt(room, rounds="1")
    table = await play_out(room)
    act = [seat for seat, _ in await room.bot.tables.acts(table)].index(0)
    message = await standing(room.ann, room.channel)
    return partial(forge, room.ann, message, f"v:try-again:{table.id}:{act}")


async def challenge(room: Any) -> Act:
    return partial(room.ann.context_menu, room.channel, "Challenge", room.ben)


async def repost(room: Any) -> Act:
    await dealt(room)
    return partial(room.ann.slash, room.channel, "table repost")


async def repost_elsewhere(room: Any) -> Act:
    await dealt(room)
    other = room.guild.create_text_channel("other")
    return partial(room.ann.slash, other, "table repost", table=the_table(room).id)


async def house_rules(room: Any) -> Act:
    rules = await saved(room)
    return partial(forge, room.ann, await standing(room.ann, room.channel), f"v:house-lobby:{rules.id}")


async def house_rules_by_name(room: Any) -> Act:
    rules = await saved(room)
    return partial(room.ann.slash, room.channel, "play", game="duel52", rules=rules.name)


async def night_form(room: Any) -> Act:
    form = await room.ann.slash(room.channel, "night plan", game="duel52")
    return partial(room.ann.submit_modal, form, {"when": in_hours(12), "zone": "UTC"})


async def invite(room: Any) -> Act:
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    return partial(room.ann.select, lobby, [room.ben], custom_id=f"v:invite:{the_table(room).id}")


def by_knock(verb: str) -> Ready:
    """Ask Ben, whose table it is, for a seat."""

    async def ready(room: Any) -> Act:
        lobby = (await room.ben.slash(room.channel, "play", game="duel52")).response.message
        await arrange(room.ben, lobby, place="here-invited")
        return partial(forge, room.ann, lobby, f"v:{verb}:{the_table(room).id}")

    return ready


WAYS: dict[str, Ready] = {
    "/play": by_command("play", game="probe"),
    "/play by house rules": house_rules_by_name,
    "/seek": by_command("seek", game="duel52"),
    "/night plan": by_command("night plan", when=in_hours(12), game="duel52"),
    "/night plan, its form": night_form,
    "/tournament create": by_command("tournament create", name="Cup", game="probe"),
    "/table repost": repost,
    "/table repost elsewhere": repost_elsewhere,
    "Challenge": challenge,
    "now": by_press("v:now:probe"),
    "lobby-of": by_press("v:lobby-of", "probe"),
    "house-lobby": house_rules,
    "again": after_a_game("v:again:1"),
    "replay-watch": after_a_game("v:replay-watch:1:t:0"),
    "end-post": after_a_game("v:end-post:1"),
    "invite": invite,
    "join": by_knock("join"),
    "come": by_knock("come"),
    "share card": by_press("v:share:card:chemistry_battle:iron"),
    "share rules": by_press("v:share:rules:atom:0:0"),
    "share stats": by_press("v:share:stats"),
}
"""Ways for Ann to make the bot post, by name."""


@pytest.mark.long
@pytest.mark.parametrize("muted", [True, False], ids=["muted", "writing"])
@pytest.mark.parametrize("way", WAYS)
async def test_nothing_is_posted_for_people_who_may_not_write(room: Any, way: str, muted: bool) -> None:
    act = await WAYS[way](room)
    await quiet(room)
    tables = len(at_hand(room.bot.tables))
    if muted:
        mute(room, room.ann)
    before = posted(room)
    answer = await act()
    await quiet(room)
    assert bool(posted(room) - before) is not muted, said(answer_of(answer))
    if muted:
        assert answer_of(answer).ephemeral
        assert say("refused.write_rights") in said(answer_of(answer))
        assert len(at_hand(room.bot.tables)) == tables
        assert room.bot.app.service(Tournaments).of_guild(room.guild.id) == []
        assert (await room.bot.app.service(Nights).of_guild(room.guild.id, 9))[1] == 0


# -- everything else that can be pressed ------------------------------------------------------------

LAST = ("start", "start-filled", "stand", "leave-yes", "close-yes")
"""After these a table is no longer what it was."""


@pytest.mark.parametrize("phase", ["lobby", "live", "over"])
async def test_at_their_own_table_only_their_leaving_is_posted(room: Any, phase: str) -> None:
    """Ann is muted and presses everything. The others must hear that she has left a game."""
    if phase == "lobby":
        await room.ann.slash(room.channel, "play", game="probe")
        await room.ben.click(room.channel.last_message, label="Join or leave")
    else:
        await dealt(room, rounds="1")
    table = the_table(room)
    if phase == "over":
        await play_out(room)
    message = await standing(room.ann, room.channel)
    mute(room, room.ann)
    found = set[str]()
    every = PRIVATE | PUBLIC
    for verb in [*(each for each in every if each not in LAST), *LAST]:
        before = posted(room)
        await forge(room.ann, message, ref(table, verb, every[verb], 0), chosen(verb))
        await quiet(room)
        if posted(room) - before:
            found.add(verb)
    assert found == (set() if phase == "over" else {"leave-yes"})


def controls(components: Any) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """The controls of a message: the id of each, and the first choice of a select."""
    for each in components:
        if custom_id := each.get("custom_id"):
            options = each.get("options")
            yield custom_id, (options[0]["value"],) if options else None
        yield from controls([*each.get("components", ()), *filter(None, [each.get("accessory")])])


COMMANDS = ["play", "games", "daily", "learn", "puzzle", "stats", "leaderboard", "achievements", "cards"]
COMMANDS += ["periodic", "replay", "houserules", "settings", "hand", "help", "about", "night list"]
FOUND = {"now", "lobby-of", "share", "replay", "replay-watch", "replay-play", "house-lobby", "daily-go"}


@pytest.mark.long
@pytest.mark.usefixtures("drawn")
async def test_whatever_a_muted_person_finds_posts_nothing(room: Any) -> None:
    """One press of each kind, beginning at what the commands answer."""
    await saved(room)
    await dealt(room, rounds="1")
    await play_out(room)
    await quiet(room)
    mute(room, room.ann)
    before, pressed = posted(room), {"privacy-yes"}  # deleting Ann would end the test
    answers = [await room.ann.slash(room.channel, command) for command in COMMANDS]
    answers.append(await room.ann.slash(room.channel, "card", name="iron"))
    for answer in answers:  # each press adds an answer
        for custom_id, values in controls(answer.response.components if answer.response else ()):
            verb = ids.parse(custom_id).verb
            if verb in pressed:
                continue
            pressed.add(verb)
            answers.append(await forge(room.ann, answer.response, custom_id, values))
            await quiet(room)
            assert posted(room) == before, custom_id
    assert pressed >= FOUND, FOUND - pressed


@pytest.mark.parametrize("way", [try_again, after_a_game("v:replay-play:1:t:0")], ids=["try", "replay"])
async def test_practice_needs_no_permission_to_write(room: Any, way: Ready) -> None:
    """Only the hand shows it, so nothing is posted."""
    act = await way(room)
    await quiet(room)
    mute(room, room.ann)
    before = posted(room)
    answer = await act()
    await quiet(room)
    assert answer.ephemeral
    assert say("refused.write_rights") not in said(answer.response)
    assert the_table(room).stored.terms.practice
    assert posted(room) == before


@pytest.mark.usefixtures("drawn")
async def test_practice_from_a_deal_of_the_day_is_theirs_alone(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This practice has no message in the channel, so it needs no permission there."""
    tables = room.bot.tables
    message = await standing(room.ann, room.channel)
    await forge(room.ann, message, "v:daily-go:atom_duel")
    _, mine = await today.today(tables, room.ann.id)
    table = await tables.get(mine["atom_duel"].game_id)
    await play(tables, table, 40)
    assert table.outcome() is not None
    act = [seat for seat, _ in await tables.acts(table)].index(0)
    monkeypatch.setattr(practice, "is_sealed", lambda *_: False)  # the day is over
    mute(room, room.ann)
    before = posted(room)
    hand = await forge(room.ann, message, f"v:try-again:{table.id}:{act}")
    await quiet(room)
    assert hand.ephemeral
    assert say("refused.write_rights") not in said(hand.response)
    fresh = await tables.get(max(at_hand(tables)))
    assert (fresh.stored.terms.practice, fresh.stored.terms.daily) == (table.id, table.stored.terms.daily)
    assert posted(room) == before
