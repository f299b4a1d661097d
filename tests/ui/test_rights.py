"""Who may do what from where, case by case: strangers, who sits there, hosts and moderators."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest
from msgspec.structs import replace

from bot.core.errors import Refused
from bot.features.table import rights as table_rights
from bot.features.table.names import table_url
from bot.features.tournaments.rights import ORGANISER, must_reach_tournament
from bot.store.servers import Server
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.people import leaving
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui import rights
from bot.ui.effective_settings import home_channel
from bot.ui.handlers import Who
from tests.support.tables.tables import close_tables, new_table, opened_tables
from tests.support.tables.tournaments import World

HOST, GUEST, STRANGER = 1, 2, 9
HERE, ELSEWHERE, DIRECT = 70, 71, None
CHANNEL = 7


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "t.db")
    await world.open()
    yield world
    await close_tables(world.tables)


def press(
    who: int, guild_id: int | None = HERE, *, moderator: bool = False, channel_id: int = CHANNEL
) -> Any:
    """A press there, in a server whose channels everyone sees."""
    channel = Mock(spec=discord.TextChannel, permissions_for=lambda _: discord.Permissions.all())
    guild = Mock(unavailable=False, get_channel=lambda _: channel, get_channel_or_thread=lambda _: channel)
    return SimpleNamespace(
        user=Mock(spec=discord.Member, id=who, get_role=lambda _: None),
        guild_id=guild_id,
        guild=guild if guild_id is not None else None,
        channel_id=channel_id,
        channel=None,
        permissions=SimpleNamespace(
            manage_messages=moderator, send_messages=True, send_messages_in_threads=True
        ),
    )


def refusal(check: Any, *args: Any, **options: Any) -> str:
    """What is said instead; "" where it may be."""
    try:
        check(*args, **options)
    except Refused as refused:
        return refused.key
    return ""


async def refused(
    who: Who[Any],
    interaction: Any,
    thing: Any,
    server: Server | None = None,
    reach: Any = table_rights.must_reach,
) -> str:
    """Return the key of the refusal for this person, or "" if they may. `server`: the settings there."""
    settings = SimpleNamespace(of=AsyncMock(return_value=server or Server()))
    answer: Any = SimpleNamespace(
        interaction=interaction,
        user_id=interaction.user.id,
        app=SimpleNamespace(preferences=SimpleNamespace(servers=settings)),
    )
    try:
        reach(interaction, thing)
        await who.must_include(answer, thing)
    except Refused as refusal:
        return refusal.key
    return ""


async def opened(tables: Tables, **terms: Any) -> Table:
    return await new_table(tables, people=[HOST, GUEST], terms=Terms(**terms))


async def test_people_are_led_home_and_strangers_elsewhere_find_nothing(tables: Tables) -> None:
    table = await opened(tables)
    reach = table_rights.must_reach
    assert [refusal(reach, press(who), table) for who in (HOST, GUEST, STRANGER)] == ["", "", ""]
    for place in (ELSEWHERE, DIRECT):
        assert refusal(reach, press(STRANGER, place), table) == "no_table"
        assert refusal(reach, press(STRANGER, place, moderator=True), table) == "no_table"
        for who in (HOST, GUEST):
            assert refusal(reach, press(who, place), table) == "elsewhere"
            assert refusal(reach, press(who, place), table, anywhere=True) == ""


async def test_a_table_in_direct_messages_is_at_home_in_those_alone(tables: Tables) -> None:
    table = await opened(tables)
    await table.set_place(CHANNEL, None, guild_id=None)
    assert table_rights.at_home(press(HOST, DIRECT), table)
    assert not table_rights.at_home(press(HOST, DIRECT, channel_id=8), table)
    assert not table_rights.at_home(press(HOST, HERE), table)
    assert refusal(table_rights.must_reach, press(HOST, HERE), table) == "elsewhere_direct"
    assert refusal(table_rights.must_reach, press(STRANGER, HERE), table) == "no_table"


async def test_the_deal_of_a_day_goes_with_its_owner(tables: Tables) -> None:
    table = await opened(tables, daily="2027-01-15")
    assert refusal(table_rights.must_reach, press(HOST, ELSEWHERE), table) == ""
    assert refusal(table_rights.must_reach, press(STRANGER, ELSEWHERE), table) == "no_table"


async def test_a_private_table_is_seen_by_who_belongs_to_it(tables: Tables) -> None:
    table = await opened(tables)
    await lobby.start(table, HOST)
    await leaving.leave_game(table, GUEST, "random", "Robo")
    table.stored.terms = replace(table.stored.terms, access="private", guests=(3,), invited=(4,))
    for who in (HOST, GUEST, 3, 4):  # who has left has seen it
        assert refusal(table_rights.must_reach, press(who), table) == ""
    assert refusal(table_rights.must_reach, press(STRANGER), table) == "private_table"
    assert refusal(table_rights.must_see, press(STRANGER, moderator=True), table) == ""
    assert (
        refusal(table_rights.must_see, press(STRANGER, ELSEWHERE, moderator=True), table) == "private_table"
    )


async def test_whoever_sits_there_runs_a_table_and_so_do_moderators_of_its_server(tables: Tables) -> None:
    table = await opened(tables)
    run = table_rights.RUNNER
    assert [await refused(run, press(who), table) for who in (HOST, GUEST, STRANGER)] == [
        "",
        "",
        "run_rights",
    ]
    assert await refused(run, press(STRANGER, moderator=True), table) == ""
    assert await refused(run, press(STRANGER, ELSEWHERE, moderator=True), table) == "no_table"
    assert await refused(run, press(GUEST, ELSEWHERE), table) == "elsewhere"


async def test_rights_in_direct_messages_are_nobodys(tables: Tables) -> None:
    assert not rights.moderates(press(HOST, DIRECT, moderator=True), None)
    table = await opened(tables)
    await table.set_place(CHANNEL, None, guild_id=None)
    assert await refused(table_rights.RUNNER, press(STRANGER, DIRECT, moderator=True), table) == "run_rights"
    assert await refused(table_rights.CLOSER, press(GUEST, DIRECT), table) == "cancel_rights"
    assert await refused(table_rights.CLOSER, press(HOST, DIRECT), table) == ""
    assert await refused(rights.MODERATOR, press(HOST, DIRECT, moderator=True), table) == "moderators_only"


async def test_a_server_says_who_closes_the_tables_of_others(tables: Tables) -> None:
    table = await opened(tables)
    close, usual = table_rights.CLOSER, Server()
    assert await refused(close, press(HOST), table, usual) == ""
    assert await refused(close, press(STRANGER, moderator=True), table, usual) == ""
    assert await refused(close, press(STRANGER), table, replace(usual, close_by="everybody")) == ""
    assert (
        await refused(close, press(STRANGER), table, replace(usual, close_by="moderators")) == "cancel_rights"
    )
    by_role = replace(usual, close_by="role", close_role=5)
    assert await refused(close, press(STRANGER), table, by_role) == "close_role"
    assert await refused(close, press(HOST, ELSEWHERE), table, usual) == "elsewhere"


def test_a_server_says_where_and_by_whom_which_games_are_opened() -> None:
    def opens(who: Any, server: Server, games: tuple[str, ...] = ("atom", "duel52")) -> str:
        return refusal(rights.must_open, who, "atom", server, games, "en")

    assert opens(press(STRANGER), Server()) == ""
    assert opens(press(STRANGER), Server(channels=(CHANNEL, 8))) == ""
    assert opens(press(STRANGER), Server(channels=(8,))) == "closed_channel"
    assert opens(press(STRANGER, DIRECT), Server(channels=(8,))) == ""
    assert opens(press(STRANGER), Server(), games=("duel52",)) == "game_not_here"
    assert opens(press(STRANGER), Server(open_by="moderators")) == "open_moderators"
    assert opens(press(STRANGER, moderator=True), Server(open_by="moderators")) == ""
    assert opens(press(STRANGER), Server(open_by="role", open_role=5)) == "open_role"
    assert opens(press(STRANGER, DIRECT), Server(open_by="role", open_role=5)) == ""


def test_a_role_that_a_server_names_may_do_what_it_says() -> None:
    def member(*roles: int) -> Any:
        who = press(STRANGER)
        who.user = Mock(
            spec=discord.Member, id=STRANGER, get_role=lambda role: role if role in roles else None
        )
        return who

    server = Server(open_by="role", open_role=5)
    assert refusal(rights.must_open, member(4, 5), "atom", server, ("atom",), "en") == ""
    assert refusal(rights.must_open, member(4), "atom", server, ("atom",), "en") == "open_role"


def test_what_holds_in_a_channel_holds_in_its_threads() -> None:
    inside = press(STRANGER, channel_id=900)
    inside.channel = Mock(spec=discord.Thread, parent_id=CHANNEL)
    assert home_channel(inside) == CHANNEL
    assert refusal(rights.must_stand, inside, Server(channels=(CHANNEL,))) == ""
    assert refusal(rights.must_stand, inside, Server(channels=(900,))) == "closed_channel"


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("writes", ["send_messages", "send_messages_in_threads", "nowhere"])
def test_tables_are_opened_by_those_who_may_write_there(inside: bool, writes: str) -> None:
    """In a thread another permission counts than in its channel."""
    who = press(STRANGER)
    who.channel = Mock(spec=discord.Thread, parent_id=CHANNEL) if inside else None
    who.permissions.send_messages = writes == "send_messages"
    who.permissions.send_messages_in_threads = writes == "send_messages_in_threads"
    needed = "send_messages_in_threads" if inside else "send_messages"
    expected = "" if writes == needed else "write_rights"
    assert refusal(rights.must_stand, who, Server()) == expected
    assert refusal(rights.must_open, who, "atom", Server(), ("atom",), "en") == expected
    assert refusal(rights.must_write, who) == expected
    who.guild_id = None
    assert refusal(rights.must_write, who) == "", "in direct messages everybody may write"


@pytest.mark.parametrize(
    ("channel", "create", "write", "hides"),
    [
        (Mock(spec=discord.TextChannel, is_news=lambda: False), True, True, True),
        (Mock(spec=discord.TextChannel, is_news=lambda: False), False, True, False),
        (Mock(spec=discord.TextChannel, is_news=lambda: False), True, False, False),
        (Mock(spec=discord.TextChannel, is_news=lambda: True), True, True, False),
        (Mock(spec=discord.Thread, is_news=lambda: False), True, True, False),
    ],
)
def test_private_threads_are_for_text_channels_where_the_bot_may_write_in_them(
    channel: Any, create: bool, write: bool, hides: bool
) -> None:
    here = press(STRANGER)
    here.channel = channel
    here.app_permissions = SimpleNamespace(create_private_threads=create, send_messages_in_threads=write)
    assert rights.can_hide(here) is hides


async def test_a_tournament_is_run_by_its_organiser_and_moderators_in_its_server(world: World) -> None:
    tournament = await world.tournament(3, host=HOST)
    reach = must_reach_tournament
    assert await refused(ORGANISER, press(HOST), tournament, reach=reach) == ""
    assert await refused(ORGANISER, press(STRANGER), tournament, reach=reach) == "organiser_only"
    assert await refused(ORGANISER, press(STRANGER, moderator=True), tournament, reach=reach) == ""
    for who in (press(HOST, ELSEWHERE), press(STRANGER, ELSEWHERE, moderator=True)):
        assert await refused(ORGANISER, who, tournament, reach=reach) == "no_tournament"


async def test_a_refusal_leads_to_where_it_may_be_done(tables: Tables) -> None:
    table = await opened(tables)
    with pytest.raises(Refused) as home:
        table_rights.must_reach(press(HOST, ELSEWHERE), table)
    assert home.value.facts == {"table": table.id, "url": table_url(table)}
    with pytest.raises(Refused) as channel:
        rights.must_stand(press(STRANGER), Server(channels=(8, 9)))
    assert (str(channel.value.facts["channels"]), channel.value.facts["n"]) == ("<#8>, <#9>", 2)


@pytest.mark.parametrize("hidden", ["bot", "person", "deleted"])
def test_a_refusal_sends_no_one_where_they_or_the_bot_cannot_go(hidden: str) -> None:
    def channel(number: int) -> Any:
        blind = who.guild.me if hidden == "bot" else who.user
        bad = number == 8 and hidden != "deleted"
        none, every = discord.Permissions.none(), discord.Permissions.all()
        return Mock(
            spec=discord.TextChannel,
            permissions_for=lambda member: none if bad and member is blind else every,
        )

    who = press(STRANGER)
    channels = {8: channel(8), 9: channel(9)}
    if hidden == "deleted":
        channels[8] = None
    who.guild.get_channel = who.guild.get_channel_or_thread = channels.get
    with pytest.raises(Refused) as found:
        rights.must_stand(who, Server(channels=(8, 9)))
    assert (found.value.key, str(found.value.facts["channels"])) == ("closed_channel", "<#9>")
    assert refusal(rights.must_stand, who, Server(channels=(8,))) == "closed_everywhere"
    assert rights.closed_to_bot(who, (8, 9)) == ([] if hidden == "person" else [8])


def test_a_refusal_names_the_first_few_channels() -> None:
    assert str(rights.Channels((1, 2))) == "<#1>, <#2>"
    assert str(rights.Channels(range(1, 6))) == "<#1>, <#2>, <#3>, <#4>, <#5>"
    assert str(rights.Channels(range(1, 7))) == "<#1>, <#2>, <#3>, <#4>, <#5> …"
