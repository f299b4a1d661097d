"""/settings: what a person prefers holds in all that they alone see, and after a restart."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.table.publishing.publisher import TablePublisher
from bot.store.database import StoreError
from bot.store.people import put_setting
from bot.store.prefs import Pictures, Prefs, pictures_of, prefs_of, put_prefs
from bot.ui.components import page
from bot.ui.preferences import Preferences
from tests.support.discord.forging import forge
from tests.support.discord.lobbies import arrange
from tests.support.discord.people import called, later, prefer
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said

pytestmark = pytest.mark.simcord(check_errors=False)


def kinds(components: Any) -> list[int]:
    """The kinds of the blocks, nested ones after those in which they lie."""
    found = []
    for component in components:
        found += [component["type"], *kinds(component.get("components", ()))]
    return found


CONTAINER, GALLERY = 17, 12


def keeper(room: Any) -> Any:
    """Somebody who may manage the channel."""
    may = discord.Permissions(manage_channels=True, view_channel=True, send_messages=True)
    role = room.guild.create_role("keepers", permissions=may)
    return room.guild.add_member(room.env.create_user("kim"), roles=[role])


async def test_a_switch_shows_how_it_stands(room: Any) -> None:
    shown = await prefer(room, "ann")
    assert {"v:set:large:yes", "v:set:contrast:yes", "v:set:text_only:yes", "v:set:confirm:yes"} <= set(
        custom_ids(shown.components)
    )
    shown = await prefer(room, "ann", "v:set:large:yes")
    assert "v:set:large:no" in custom_ids(shown.components)


async def test_a_change_keeps_what_could_not_be_read(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the database is silent the usual settings hold; they must not replace one's own."""
    app = room.bot.app
    await app.preferences.put(room.ann.id, "ann", Prefs(large=True, zone="UTC"), 0)
    shown = await prefer(room, "ann")
    app.preferences.forget(room.ann.id)

    async def silence(_work: Any) -> Any:
        raise StoreError("slow", "silent for a moment")

    with monkeypatch.context() as silent:
        silent.setattr(app.database, "read_at_once", silence)
        await room.ann.click(shown, custom_id="v:set:confirm:yes")
    kept = await app.database.read_at_once(lambda c: prefs_of(c, room.ann.id))
    assert kept == Prefs(large=True, zone="UTC", confirm=True)


async def test_large_pictures_lie_outside_of_the_container(room: Any) -> None:
    board = await dealt(room)
    hand = (await room.ann.click(board, label="My hand")).response
    assert [component["type"] for component in hand.components] == [CONTAINER]
    await prefer(room, "ann", "v:set:large:yes")
    hand = (await room.ann.click(board, label="My hand")).response
    assert [component["type"] for component in hand.components] == [CONTAINER, GALLERY, CONTAINER]
    # nobody else's
    hand = (await room.ben.click(board, label="My hand")).response
    assert [component["type"] for component in hand.components] == [CONTAINER]


async def test_words_instead_of_pictures(room: Any) -> None:
    board = await dealt(room)
    alt = (await room.ann.click(board, label="My hand")).response.attachments[0].description
    await prefer(room, "ann", "v:set:text_only:yes")
    hand = (await room.ann.click(board, label="My hand")).response
    assert GALLERY not in kinds(hand.components)
    assert hand.attachments == []
    assert alt in said(hand)
    # and so it stays while one plays
    bid = next(i for i in custom_ids(hand.components) if i.startswith("v:go:"))
    hand = (await room.ann.click(hand, custom_id=bid)).response
    assert GALLERY not in kinds(hand.components)


async def test_every_move_is_asked_once_more(room: Any) -> None:
    board = await dealt(room)
    await prefer(room, "ann", "v:set:confirm:yes")
    hand = (await room.ann.click(board, label="My hand")).response
    bid = next(i for i in custom_ids(hand.components) if i.startswith("v:go:"))
    asked = (await room.ann.click(hand, custom_id=bid)).response
    assert the_table(room).acts == 0
    assert "sure?" in said(asked)
    back = (await room.ann.click(asked, label="Back")).response
    assert bid in custom_ids(back.components)
    asked = (await room.ann.click(back, custom_id=bid)).response
    await room.ann.click(asked, label="Yes, do it")
    assert the_table(room).acts == 1


async def test_an_invitation_calls_only_who_wants_to_be_called(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []

    async def write_to(user_id: int, *_: object, **__: object) -> bool:
        written.append(user_id)
        return True

    monkeypatch.setattr(room.bot.app.service(TablePublisher).messenger, "write_to", write_to)
    await forge(room.ben, await prefer(room, "ben"), "v:set-pings", ("none",))
    await forge(room.cleo, await prefer(room, "cleo"), "v:set-pings", ("direct",))
    await room.ann.slash(room.channel, "play", game="atom_duel")
    lobby = room.channel.last_message
    table = the_table(room)
    await room.ann.select(lobby, [room.ben, room.cleo], custom_id=f"v:invite:{table.id}")
    await room.env.settle()
    assert (called(room), written) == (set(), [room.cleo.id])
    later(room, monkeypatch, 3)
    await forge(room.ben, await prefer(room, "ben"), "v:set-pings", ("mention",))
    await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}")
    assert called(room) == {room.ben.id}


@pytest.mark.parametrize("custom_id", ["v:set:seed:yes", "v:set:palette:yes", "v:set"])
async def test_a_forged_switch_changes_nothing(room: Any, custom_id: str) -> None:
    shown = await prefer(room, "ann")
    await forge(room.ann, shown, custom_id)
    assert room.bot.app.preferences.known(room.ann.id) == Prefs()


async def test_preferences_outlast_the_process(room: Any) -> None:
    await prefer(room, "ann", "v:set:contrast:yes", "v:set:large:yes")
    again = Preferences(room.bot.app.database)
    assert again.known(room.ann.id) == Prefs()
    assert await again.of(room.ann.id) == Prefs(palette="contrast", large=True)


async def test_a_preference_of_a_newer_version_is_none(room: Any) -> None:
    database = room.bot.app.database
    await database.write_at_once(lambda c: put_prefs(c, 7, "Seven", Prefs(large=True), 0))
    assert await database.read_at_once(lambda c: prefs_of(c, 7)) == Prefs(large=True)
    assert await database.read_at_once(lambda c: prefs_of(c, 8)) == Prefs()


def test_who_prefers_nothing_gets_the_message_itself() -> None:
    message = page("hello")
    assert message.fitted(Prefs()) is message


async def test_a_channel_has_settings_of_its_own(room: Any) -> None:
    """Who manages it sets them, everybody sees them at once; what one alone sees stays as it was."""
    board = await dealt(room)
    room.kim = keeper(room)
    here = (await room.kim.click(await prefer(room, "kim"), custom_id="v:settings-here")).response
    assert "v:set-here:contrast:yes" in custom_ids(here.components)
    here = (await room.kim.click(here, custom_id="v:set-here:large:yes")).response
    assert "v:set-here:large:no" in custom_ids(here.components)
    blocks = [component.type.value for component in room.channel.last_message.components]
    assert blocks == [CONTAINER, GALLERY, CONTAINER]
    hand = (await room.ann.click(board, label="My hand")).response
    assert [component["type"] for component in hand.components] == [CONTAINER]


async def test_who_does_not_manage_a_channel_leaves_it_as_it_is(room: Any) -> None:
    shown = await prefer(room, "ann")
    assert "v:settings-here" not in custom_ids(shown.components)
    for custom_id in ("v:settings-here", "v:set-here:large:yes"):
        refused = await forge(room.ann, shown, custom_id)
        assert "Manage Channels" in said(refused.response)
    assert await room.bot.app.preferences.channels.of(room.channel.id) == Pictures()


async def test_a_thread_looks_like_its_channel(room: Any) -> None:
    await room.bot.app.preferences.channels.put(room.channel.id, Pictures(text_only=True))
    await room.ann.slash(room.channel, "play", game="probe")
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    await arrange(room.ann, lobby, place="thread")
    await room.ann.click(lobby, label="Start")
    table = the_table(room)
    assert table.stored.channel_id != room.channel.id
    thread = room.bot.get_channel(table.stored.channel_id)
    board = await thread.fetch_message(table.stored.message_id)
    assert GALLERY not in kinds([component.to_dict() for component in board.components])


async def test_a_table_in_a_thread_is_shown_anew_as_its_channel_wants_it(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    await arrange(room.ann, lobby, place="thread")
    await room.ann.click(lobby, label="Start")
    table = the_table(room)
    thread = room.bot.get_channel(table.stored.channel_id)

    async def shown() -> list[int]:
        await room.env.settle()
        board = await thread.fetch_message(table.stored.message_id)
        return kinds([component.to_dict() for component in board.components])

    assert GALLERY in await shown()
    room.kim = keeper(room)
    here = (await room.kim.click(await prefer(room, "kim"), custom_id="v:settings-here")).response
    await room.kim.click(here, custom_id="v:set-here:text_only:yes")
    assert GALLERY not in await shown()


async def test_what_a_newer_version_kept_for_a_channel_is_left_alone(room: Any) -> None:
    database = room.bot.app.database
    await database.write_at_once(lambda c: put_setting(c, "channel", 9, "pictures", {"palette": "sepia"}))
    assert await database.read_at_once(lambda c: pictures_of(c, 9)) == Pictures()
