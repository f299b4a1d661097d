"""What servers and channels set for the tables opened there, and the language of a person."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from bot.features.settings import server_handlers
from bot.locales import words
from bot.store.database import StoreError
from bot.store.prefs import Prefs
from bot.store.servers import Opening, Server, ServerLimits
from bot.store.terms import DAY
from bot.ui.components import shown_ids
from bot.ui.feature_loader import load
from bot.ui.preferences import Preferences
from tests.support.discord.forging import answer_of, forge
from tests.support.discord.keys import part
from tests.support.discord.lobbies import fill_in
from tests.support.discord.people import MANAGING, MODERATING, SEEING, prefer, somebody
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)

FORMS = ("server-begin", "server-limits")
SELECTS = {
    "server-channels": ("5",),
    "server-games": ("probe",),
    "server-who:open": ("moderators",),
    "server-role:close": ("5",),
}


say = words("en")


@pytest.fixture
def max_(room: Any) -> Any:
    """Somebody who manages the server."""
    return somebody(room, "max", MANAGING)


async def page_of(person: Any, room: Any, which: str = "v:server") -> Any:
    """A page of the settings."""
    shown = (await person.slash(room.channel, "settings")).response
    shown = (await person.click(shown, custom_id="v:server")).response
    return shown if which == "v:server" else (await person.click(shown, custom_id=which)).response


async def keep(room: Any, **what: Any) -> None:
    """Set this for the server."""
    await room.bot.app.preferences.servers.put(room.guild.id, Server(**what))


async def kept(room: Any) -> Server:
    """What a process that starts now would read."""
    return await Preferences(room.bot.app.database).servers.of(room.guild.id)


async def test_a_change_keeps_what_could_not_be_read(
    room: Any, max_: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what a silent database did not tell, nor what another process has just set."""
    await keep(room, open_by="moderators")
    shown, app = await page_of(max_, room), room.bot.app
    app.preferences.servers.forget(room.guild.id)

    async def silence(_work: Any) -> Any:
        raise StoreError("slow", "silent for a moment")

    with monkeypatch.context() as silent:
        silent.setattr(app.database, "read_at_once", silence)
        await max_.select(shown, ["atom"], custom_id="v:server-games")
    assert await kept(room) == Server(open_by="moderators", games=("atom",))


async def test_who_manages_the_server_chooses_its_channels(room: Any, max_: Any) -> None:
    other = room.guild.create_text_channel("other")
    shown = await page_of(max_, room)
    shown = (await max_.select(shown, [other], custom_id="v:server-channels")).response
    assert (await kept(room)).channels == (other.id,)
    assert f"<#{other.id}>" in said(shown)
    shown = (await max_.select(shown, [], custom_id="v:server-channels")).response
    assert await kept(room) == Server()


async def test_tables_are_opened_where_the_server_wants_them(room: Any) -> None:
    other = room.guild.create_text_channel("other")
    board = await dealt(room)
    standing, count = the_table(room), len(at_hand(room.bot.tables))
    await keep(room, channels=(other.id,))
    refused = await room.ann.slash(room.channel, "play", game="probe")
    assert f"<#{other.id}>" in said(refused.response)
    now = await forge(room.ann, board, "v:now:probe")
    assert f"<#{other.id}>" in said(now.response)
    assert len(at_hand(room.bot.tables)) == count
    # the table that stands goes on, and may be shown again here or there
    hand = (await room.ann.click(board, label="My hand")).response
    bid = next(i for i in custom_ids(hand.components) if i.startswith("v:go:"))
    await room.ann.click(hand, custom_id=bid)
    assert standing.acts == 1
    shown = await room.ann.slash(room.channel, "table repost", table=standing.id)
    assert part("table.reposted") in said(shown.response)
    await room.ann.slash(other, "play", game="probe")
    assert len(at_hand(room.bot.tables)) == count + 1


async def test_a_table_is_not_moved_where_none_may_be_opened(room: Any) -> None:
    other = room.guild.create_text_channel("other")
    await dealt(room)
    await keep(room, channels=(room.channel.id,))
    table = the_table(room)
    refused = await room.ann.slash(other, "table repost", table=table.id)
    assert f"<#{room.channel.id}>" in said(refused.response)
    assert table.stored.channel_id == room.channel.id


async def test_a_channel_for_tables_that_is_hidden_from_the_bot_is_told(room: Any, max_: Any) -> None:
    """Neither are people sent there."""
    other = room.guild.create_text_channel("other")
    await keep(room, channels=(other.id,))
    closed = say("server.closed_line", channels=f"<#{other.id}>", rights="")[:20]
    assert closed not in said(await page_of(max_, room))
    denied = discord.Permissions(view_channel=True).value
    overwrite = Overwrite(room.bot.user.id, OverwriteType.MEMBER, deny=denied)
    room.env.backend.set_overwrite(other.id, overwrite)
    assert closed in said(await page_of(max_, room))
    refused = await room.ann.slash(room.channel, "play", game="probe")
    assert say("refused.closed_everywhere") in said(refused.response)


async def test_games_are_named_as_each_language_names_them(room: Any, max_: Any) -> None:
    await keep(room, games=("atom", "molecular"))
    for person in (room.ann, max_):
        await room.bot.app.preferences.put(person.id, person.name, Prefs(locale="zh-CN"), 0)
    refused = said((await room.ann.slash(room.channel, "play", game="canasta")).response)
    room.env.errors  # noqa: B018 - read, and with that forgiven
    assert "不开化学卡纳斯塔。这里可以开：原子、分子。" in refused
    assert "原子、分子" in said(await page_of(max_, room))


async def test_a_thread_belongs_to_its_channel(room: Any) -> None:
    await keep(room, channels=(room.channel.id,), thread=True)
    await room.ann.slash(room.channel, "play", game="probe")
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    await room.ann.click(lobby, label="Start")
    table = the_table(room)
    thread = table.stored.channel_id
    assert thread != room.channel.id, "the server wants threads"
    hand = (await room.ann.slash(room.channel, "hand")).response
    assert custom_ids(hand.components)


async def test_play_now_deals_in_a_thread_where_the_server_wants_threads(room: Any) -> None:
    """The hand stays where it was pressed and says where the table is."""
    await keep(room, thread=True)
    poster = (await room.ann.slash(room.channel, "play")).response
    hand = (await forge(room.ann, poster, "v:now:probe")).response
    await room.env.settle()
    table = the_table(room)
    thread = room.bot.get_channel(table.stored.channel_id)
    assert isinstance(thread, discord.Thread)
    assert thread.parent_id == room.channel.id
    assert f"<#{thread.id}>" in said(hand)
    board = await thread.fetch_message(table.stored.message_id)
    assert f"v:hand:{table.id}" in shown_ids(board.components)
    assert table.stored.terms.access == "open"


async def test_play_now_hides_the_thread_of_a_private_table(room: Any) -> None:
    await keep(room, access="private")
    poster = (await room.ann.slash(room.channel, "play")).response
    await forge(room.ann, poster, "v:now:probe")
    await room.env.settle()
    table = the_table(room)
    thread = room.bot.get_channel(table.stored.channel_id)
    assert thread.type == discord.ChannelType.private_thread
    assert table.stored.message_id is not None


async def test_play_now_stays_in_the_channel_where_no_thread_opens(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting never keeps anybody from playing."""
    await keep(room, thread=True)

    async def refuses(*_args: object, **_options: object) -> None:
        raise discord.Forbidden(SimpleNamespace(status=403, reason="Forbidden"), "no threads")

    monkeypatch.setattr(discord.TextChannel, "create_thread", refuses)
    poster = (await room.ann.slash(room.channel, "play")).response
    await forge(room.ann, poster, "v:now:probe")
    await room.env.settle()
    table = the_table(room)
    assert (table.phase, table.stored.channel_id) == ("live", room.channel.id)
    assert table.stored.message_id == room.channel.last_message.id


async def test_a_server_offers_some_games(room: Any, max_: Any) -> None:
    shown = await page_of(max_, room)
    shown = (await max_.select(shown, ["atom", "duel52"], custom_id="v:server-games")).response
    assert set((await kept(room)).games) == {"atom", "duel52"}
    poster = (await room.ann.slash(room.channel, "play")).response
    assert {i for i in custom_ids(poster.components) if i.startswith("v:now:")} == {
        "v:now:atom",
        "v:now:duel52",
    }
    refused = await room.ann.slash(room.channel, "play", game="molecular")
    assert "Duel 52" in said(refused.response)
    refused = await room.ann.slash(room.channel, "tournament create", name="Cup", game="atom_duel")
    assert "Duel 52" in said(refused.response)
    assert not at_hand(room.bot.tables)


async def test_tables_begin_as_the_server_has_it(room: Any, max_: Any) -> None:
    shown = await page_of(max_, room)
    shown = (
        await fill_in(max_, shown, "v:server-begin", language="zh-CN", clock="120", place="here")
    ).response
    assert await kept(room) == Server(locale="zh-CN", clock=120, thread=False, access="open")
    assert words("zh-CN")("language.name") in said(shown)
    await room.ann.slash(room.channel, "play", game="atom")
    table = the_table(room)
    assert (table.stored.locale, table.stored.terms.clock) == ("zh-CN", 120)


async def test_the_channel_goes_before_the_server(room: Any, max_: Any) -> None:
    await keep(room, locale="zh-CN", clock=120, thread=True)
    shown = (await max_.slash(room.channel, "settings")).response
    here = (await max_.click(shown, custom_id="v:settings-here")).response
    here = (await fill_in(max_, here, "v:here-begin", language="en", clock="0")).response
    preferences = Preferences(room.bot.app.database)
    assert await preferences.openings.of(room.channel.id) == Opening(locale="en", clock=0)
    await room.ann.slash(room.channel, "play", game="atom")
    terms = the_table(room).stored.terms
    assert (the_table(room).stored.locale, terms.clock, terms.thread) == ("en", 0, True)
    other = room.guild.create_text_channel("other")
    await room.ann.slash(other, "play", game="atom")
    newest = max(at_hand(room.bot.tables))
    assert at_hand(room.bot.tables)[newest].stored.locale == "zh-CN"


async def test_what_is_open_stays_as_it_is(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom")
    table = the_table(room)
    before = (table.stored.locale, table.stored.terms)
    await keep(room, locale="zh-CN", clock=60, thread=True, games=("duel52",), open_by="moderators")
    await room.ben.click(room.channel.last_message, label="Join or leave")
    assert len(table.sitters) == 2
    assert (table.stored.locale, table.stored.terms) == before == ("en-US", before[1])
    assert table.stored.terms.clock == DAY


async def test_a_server_sets_limits(room: Any, max_: Any) -> None:
    shown = await page_of(max_, room)
    form = await max_.click(shown, custom_id="v:server-limits")
    fields = [component["component"] for component in form.modal["components"]]
    assert [field["custom_id"] for field in fields] == list(ServerLimits.__struct_fields__)
    assert len(fields[0]["options"]) == 4, "as the operator allows, 1, 2 or 3: that one allows 5"
    values = {field["custom_id"]: ["wider"] for field in fields} | {"lobbies_of_person": ["1"]}
    await max_.submit_modal(form, values)
    assert await kept(room) == Server(limits=ServerLimits(lobbies_of_person=1))
    await room.ann.slash(room.channel, "play", game="atom")
    refused = await room.ann.slash(room.channel, "play", game="atom")
    assert "one lobby at a time" in said(refused.response)


async def test_a_role_opens_tables(room: Any, max_: Any) -> None:
    role = room.guild.create_role("dealers", permissions=discord.Permissions(**SEEING))
    dealer = room.guild.add_member(room.env.create_user("dora"), roles=[role])
    shown = await page_of(max_, room, "v:server:who")
    assert "v:server-role:open" in custom_ids(shown.components)
    shown = (await max_.select(shown, [role], custom_id="v:server-role:open")).response
    assert await kept(room) == Server(open_by="role", open_role=role.id)
    refused = await room.ann.slash(room.channel, "play", game="atom")
    assert f"<@&{role.id}>" in said(refused.response)
    await dealer.slash(room.channel, "play", game="atom")
    await somebody(room, "mia", MODERATING).slash(room.channel, "play", game="atom")
    assert len(at_hand(room.bot.tables)) == 2
    await forge(max_, shown, "v:server-who:open", ("moderators",))
    assert await kept(room) == Server(open_by="moderators")
    refused = await dealer.slash(room.channel, "play", game="atom")
    assert part("refused.open_moderators") in said(refused.response)


@pytest.mark.parametrize("who", ["moderators", "role", "everybody"])
async def test_who_may_close_tables_of_others(room: Any, who: Any) -> None:
    role = room.guild.create_role("dealers", permissions=discord.Permissions(**SEEING))
    dealer = room.guild.add_member(room.env.create_user("dora"), roles=[role])
    await keep(room, close_by=who, close_role=role.id if who == "role" else 0)
    board = await dealt(room)
    table = the_table(room)
    for person, may in ((room.cleo, who == "everybody"), (dealer, who != "moderators")):
        asked = await person.slash(room.channel, "table cancel", table=table.id)
        assert ("v:close-yes" in str(list(custom_ids(asked.response.components)))) is may
        if not may:
            await forge(person, board, f"v:close-yes:{table.id}")
            assert table.phase == "live"
    if who != "moderators":
        await dealer.click(asked.response, label="Close it")
        assert table.phase == "cancelled"


async def test_the_role_of_everybody_is_everybody(room: Any, max_: Any) -> None:
    shown = await page_of(max_, room, "v:server:who")
    await forge(max_, shown, "v:server-role:open", (str(room.guild.id),))
    assert await kept(room) == Server()


async def test_who_does_not_manage_the_server_leaves_it_as_it_is(room: Any) -> None:
    moderator = somebody(room, "mia", MODERATING)
    shown = await prefer(SimpleNamespace(channel=room.channel, mia=moderator), "mia")
    assert "v:server" not in custom_ids(shown.components)
    presses = {**dict.fromkeys(("server", "server:who", *FORMS)), **SELECTS}
    for verb, values in presses.items():
        refused = await forge(moderator, shown, f"v:{verb}", values)
        assert "Manage Server" in said(answer_of(refused)), verb
    assert await kept(room) == Server()


async def test_direct_messages_have_no_server(room: Any) -> None:
    shown = (await room.ann.user.slash("settings")).response
    assert "v:server" not in custom_ids(shown.components)
    refused = await forge(room.ann.user, shown, "v:server")
    assert "Manage Server" in said(refused.response)
    await room.ann.user.slash("play", game="atom")
    assert the_table(room).stored.terms.clock == DAY


@pytest.mark.parametrize(
    ("custom_id", "values"),
    [
        ("v:server-games", ("chess",)),
        ("v:server-channels", ("here",)),
        ("v:server-who:open", ("role",)),
        ("v:server-who:sing", ("everybody",)),
        ("v:server-role:open", ("dealers",)),
        ("v:set-language", ("tlh",)),
    ],
)
async def test_forged_choices_change_nothing(room: Any, max_: Any, custom_id: str, values: Any) -> None:
    refused = await forge(max_, await page_of(max_, room), custom_id, values)
    assert part("refused.not_a_button") in said(answer_of(refused))
    assert await kept(room) == Server()


async def test_the_pages_are_within_discord_s_bounds(room: Any, max_: Any) -> None:
    for custom_id in (None, "v:settings-here", "v:server", "v:server:who"):
        shown = (await max_.slash(room.channel, "settings")).response
        if custom_id == "v:server:who":
            shown = (await max_.click(shown, custom_id="v:server")).response
        if custom_id is not None:
            shown = (await max_.click(shown, custom_id=custom_id)).response
        assert str(shown.components).count("'type':") <= 40
        assert len(said(shown)) <= 4000


async def test_private_answers_speak_the_language_that_somebody_chose(room: Any) -> None:
    board = await dealt(room)
    shown = await prefer(room, "ann")
    shown = (await forge(room.ann, shown, "v:set-language", ("zh-CN",))).response
    chinese = words("zh-CN")
    assert chinese("settings.heading") in said(shown)
    hand = (await room.ann.click(board, label="My hand")).response
    assert chinese("hand.heading", game="Probe", table=the_table(room).id, status="")[-3:] in said(hand)
    assert chinese("help.text")[:20] in said((await room.ann.slash(room.channel, "help")).response)
    # nobody else's, and no public message
    assert words("en")("help.text")[:20] in said((await room.ben.slash(room.channel, "help")).response)
    assert "My hand" in str(room.channel.last_message.components)
    shown = (await forge(room.ann, shown, "v:set-language", ("wider",))).response
    assert words("en")("settings.heading") in said(shown)


async def test_the_setting_of_a_deleted_feature_is_gone(
    room: Any, max_: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = await page_of(max_, room)
    shown = (await max_.click(shown, custom_id="v:server:who")).response
    assert "v:server-seek" in custom_ids(shown.components)
    left = {name: feature for name, feature in load().items() if name != "seek"}
    monkeypatch.setattr(server_handlers, "load", lambda: left)
    shown = (await max_.click(shown, custom_id="v:server:back")).response
    shown = (await max_.click(shown, custom_id="v:server:who")).response
    assert "v:server-seek" not in custom_ids(shown.components)
    assert "v:server-who:open" in custom_ids(shown.components)
