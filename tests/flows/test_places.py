"""A table and a tournament belong to their server: what is pressed elsewhere does nothing there."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.backend import serializers

from bot import locales
from bot.features.tournaments.service import Tournaments
from bot.ui import router
from tests.support.discord.controls import PRIVATE, PUBLIC, SELECTS, chosen, ref, standing
from tests.support.discord.forging import answer_of, forge
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange
from tests.support.discord.people import MODERATING
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand

TOURNAMENTS = sorted(verb for verb in router.handlers() if verb.startswith("cup-"))
SELECTS |= {"guess": "0", "opt": "1", "clock": "120", "place": "thread", "help": "1", "invite": "2"}

pytestmark = pytest.mark.simcord(check_errors=False)  # refused commands are what this is about


def test_controls_declare_what_they_act_on() -> None:
    reach = router.handlers().reach
    assert {"hand", "go", "undo", "leave-yes"} <= set(PRIVATE)
    assert {"log", "watch-hands", "start", "close-yes"} <= set(PUBLIC)
    assert set(TOURNAMENTS) <= set(reach)


@pytest.fixture
def away(room: Any) -> Any:
    """Another server: Cleo moderates it and sits nowhere; Ben, who sits at the table, is there too."""
    guild = room.env.create_guild()
    role = guild.create_role("keepers", permissions=MODERATING)
    channel = guild.create_text_channel("away")
    return SimpleNamespace(
        channel=channel,
        guild=guild,
        cleo=guild.add_member(room.cleo.user, roles=[role]),
        ben=guild.add_member(room.ben.user),
        ann=guild.add_member(room.ann.user, roles=[role]),
    )


def state_of(table: Any) -> Any:
    stored = table.stored
    return (
        table.phase,
        table.seq,
        tuple(table.sitters),
        dict(stored.options),
        stored.terms,
        stored.host_id,
        stored.channel_id,
        stored.guild_id,
        stored.message_id,
    )


@pytest.mark.parametrize("lobby", [True, False])
async def test_strangers_elsewhere_reach_nothing(room: Any, away: Any, lobby: bool) -> None:
    """Neither a moderator of another server, nor anybody in direct messages."""
    if lobby:
        await room.ann.slash(room.channel, "play", game="probe")
    else:
        await dealt(room)
    table = the_table(room)
    before, count = state_of(table), len(at_hand(room.bot.tables))
    places = [
        (away.cleo, await standing(away.cleo, away.channel)),
        (room.cleo.user, await standing(room.cleo.user, None)),
    ]
    for person, message in places:
        for verb, rest in (PRIVATE | PUBLIC).items():
            result = await forge(person, message, ref(table, verb, rest, 0), chosen(verb))
            assert locales.words("en")("refused.no_table", table=table.id) in said(answer_of(result)), verb
        result = await forge(person, message, f"v:rule-page:probe:{table.id}", ("0",))
        assert locales.words("en")("refused.no_table", table=table.id) in said(answer_of(result))
    assert state_of(table) == before
    assert len(at_hand(room.bot.tables)) == count


async def test_who_sits_there_has_their_hand_anywhere_and_nothing_else(room: Any, away: Any) -> None:
    await dealt(room)
    table = the_table(room)
    for person, message in (
        (away.ben, await standing(away.ben, away.channel)),
        (room.ben.user, await standing(room.ben.user, None)),
    ):
        before = state_of(table)
        for verb, rest in PUBLIC.items():
            result = await forge(person, message, ref(table, verb, rest, 1), chosen(verb))
            words = said(answer_of(result))
            assert f"[Table {table.id}](https://discord.com/channels/{room.guild.id}/" in words, verb
            assert part("refused.elsewhere") in words
        assert state_of(table) == before
        for verb, rest in PRIVATE.items():
            if verb in ("again", "leave-yes"):
                continue
            result = await forge(person, message, ref(table, verb, rest, 1), chosen(verb))
            assert result.acknowledged, verb
            assert answer_of(result) is None or answer_of(result).flags.ephemeral
            assert part("refused.elsewhere") not in said(answer_of(result)), verb
    hand = await away.ben.slash(away.channel, "hand")
    acts = table.acts
    await away.ben.click(hand.response, label="Bid 2")
    assert table.acts == acts + 1


async def test_who_has_left_a_server_can_leave_its_table(room: Any, away: Any) -> None:
    await dealt(room)
    table = the_table(room)
    nobody = await away.cleo.slash(away.channel, "table leave", table=table.id)
    assert locales.words("en")("refused.no_table", table=table.id) in said(nobody.response)
    asked = await room.ben.user.slash("table leave")
    assert part("leave.ask") in said(asked.response)
    await room.ben.user.click(asked.response, label="Leave the game")
    assert room.ben.id not in table.people()
    assert table.stored.terms.left == {1: room.ben.id}
    again = await room.ben.user.slash("table leave")
    assert part("refused.none_open") in said(again.response)


async def test_who_sits_in_a_lobby_gets_up_from_anywhere(room: Any, away: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    await room.ben.click(room.channel.last_message, label="Join or leave")
    table = the_table(room)
    asked = await away.ben.slash(away.channel, "table leave", table=table.id)
    assert part("leave.ask_lobby") in said(asked.response)
    await away.ben.click(asked.response, label="Leave")
    assert table.people() == [room.ann.id]


async def test_the_last_in_a_lobby_reads_that_it_closes(room: Any, away: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    table = the_table(room)
    asked = await away.ann.slash(away.channel, "table leave")
    assert part("leave.ask_last") in said(asked.response)
    await away.ann.click(asked.response, label="Leave")
    assert table.phase == "cancelled"


async def test_which_table_is_left_is_never_guessed(room: Any, away: Any) -> None:
    for _ in range(2):
        await dealt(room)
    unsaid = await away.ben.slash(away.channel, "table leave")
    assert part("refused.which_table") in said(unsaid.response)
    offered = await away.ben.autocomplete(away.channel, "table leave", "table", "")
    assert [each["value"] for each in offered] == [2, 1]
    here = await room.ben.slash(room.channel, "table leave")
    assert "table 2" in said(here.response)


async def test_a_host_closes_their_table_only_where_it_stands(room: Any, away: Any) -> None:
    """Rights and seats count in the table's own server, for commands as for buttons."""
    await dealt(room)
    table = the_table(room)
    before = state_of(table)
    for command in ("table cancel", "table repost"):
        for person in (away.ann, away.ben):
            result = await person.slash(away.channel, command, table=table.id)
            assert part("refused.elsewhere") in said(result.response)
        result = await away.cleo.slash(away.channel, command, table=table.id)
        assert locales.words("en")("refused.no_table", table=table.id) in said(result.response)
        result = await room.ben.user.slash(command, table=table.id)
        assert part("refused.elsewhere") in said(result.response)
        assert await away.ann.autocomplete(away.channel, command, "table", "") == []
    assert state_of(table) == before
    result = await away.ben.slash(away.channel, "table pings", table=table.id)
    assert part("table.pings_off") in said(result.response)
    result = await away.cleo.slash(away.channel, "table pings", table=table.id)
    assert locales.words("en")("refused.no_table", table=table.id) in said(result.response)


async def test_a_seated_guest_reposts_within_the_server(room: Any) -> None:
    await dealt(room)
    table = the_table(room)
    other = room.guild.create_text_channel("other")
    result = await room.ben.slash(other, "table repost", table=table.id)
    assert part("table.reposted") in said(result.response)
    assert (table.stored.guild_id, table.stored.channel_id) == (room.guild.id, other.id)
    result = await room.cleo.slash(room.channel, "table repost", table=table.id)
    assert part("refused.run_rights") in said(result.response), "nobody spoke of closing it"
    assert table.stored.channel_id == other.id


async def test_a_table_in_direct_messages_stays_there(room: Any) -> None:
    none = await room.ann.user.slash("games")
    assert "server" not in said(none.response)
    await room.ann.user.slash("play", game="probe")
    table = the_table(room)
    before = state_of(table)
    assert table.stored.guild_id is None
    listed = said((await room.ann.slash(room.channel, "hand")).response)
    assert "direct messages" in listed
    assert "<#" not in listed, "the mention of a direct message names nothing"
    result = await room.ann.slash(room.channel, "table repost", table=table.id)
    assert part("refused.elsewhere_direct") in said(result.response)
    assert f"(https://discord.com/channels/@me/{table.stored.channel_id}/" in said(result.response)
    result = await room.ben.user.slash("table repost", table=table.id)
    assert locales.words("en")("refused.no_table", table=table.id) in said(result.response)
    message = await standing(room.ben.user, None)
    result = await forge(room.ben.user, message, f"v:join:{table.id}")
    assert locales.words("en")("refused.no_table", table=table.id) in said(result.response)
    assert state_of(table) == before
    result = await room.ann.user.slash("table repost", table=table.id)
    assert part("table.reposted") in said(result.response)
    assert (table.stored.guild_id, table.stored.channel_id) == (None, before[6])


async def test_a_tournament_is_run_in_its_server_alone(room: Any, away: Any) -> None:
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="duel52")
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    for person in (room.ann, room.ben):
        await person.click(room.channel.last_message, label="Take part")
        await room.env.settle()
    names = [entrant.name for entrant in tournament.entrants]
    for person, place in (
        (away.cleo, await standing(away.cleo, away.channel)),
        (away.ann, await standing(away.ann, away.channel)),
        (room.cleo.user, await standing(room.cleo.user, None)),
    ):
        for verb in TOURNAMENTS:
            result = await forge(person, place, f"v:{verb}:{tournament.id}:0")
            unknown = locales.words("en")("refused.no_tournament", tournament=tournament.id)
            assert unknown in said(result.response), verb
    assert [entrant.name for entrant in tournament.entrants] == names
    assert tournament.stored.phase == "open"


async def test_who_closes_a_lobby_hears_of_no_game_that_would_be_lost(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    table = the_table(room)
    asked = await room.ann.slash(room.channel, "table cancel")
    assert part("lobby.confirm_cancel_lobby") in said(asked.response)
    await room.ann.click(asked.response, label="Close it")
    assert table.phase == "cancelled"


async def test_a_moderator_of_this_server_still_closes_and_calls_off(room: Any) -> None:
    role = room.guild.create_role("keepers", permissions=MODERATING)
    mia = room.guild.add_member(room.env.create_user("mia"), roles=[role])
    board = await dealt(room)
    table = the_table(room)
    refused = await forge(room.cleo, board, f"v:close:{table.id}")
    assert part("refused.cancel_rights") in said(refused.response)
    asked = await mia.slash(room.channel, "table cancel", table=table.id)
    assert part("lobby.confirm_cancel") in said(asked.response)
    await mia.click(asked.response, label="Close it")
    assert table.phase == "cancelled"
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="duel52")
    asked = await mia.slash(room.channel, "tournament cancel")
    await mia.click(asked.response, label="Call it off")
    assert room.bot.app.service(Tournaments).of_guild(room.guild.id) == []


async def test_under_a_message_for_all_nobody_gets_up_from_a_lobby_elsewhere(room: Any, away: Any) -> None:
    """What stands in a message of one's own may be pressed anywhere; this button was in none."""
    await room.ann.slash(room.channel, "play", game="probe")
    await room.ben.click(room.channel.last_message, label="Join or leave")
    table = the_table(room)
    before = state_of(table)
    other = (await away.ann.slash(away.channel, "play", game="probe")).response.message
    result = await forge(away.ben, other, ref(table, "stand", "", 1))
    assert part("refused.elsewhere") in said(result.response)
    assert state_of(table) == before
    here = room.channel.last_message
    await forge(room.ben, here, ref(table, "stand", "", 1))
    assert table.people() == [room.ann.id]


def null_in(patch: pytest.MonkeyPatch, *names: str, **more: Any) -> list[int]:
    """Discord says of channels that they belong to no application, by a null; the kinds of which it has."""
    kinds: list[int] = []

    def told(plain: Any, *of: Any) -> Any:
        body = {**plain(*of), **more, "application_id": None}
        kinds.append(body["type"])
        return body

    for name in names:
        patch.setattr(serializers, name, partial(told, getattr(serializers, name)))
    return kinds


async def test_channels_that_belong_to_no_application(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In what the bot is told, what it asks for, and what it opens itself."""
    kinds = null_in(monkeypatch, "channel_payload", "thread_payload")
    room.channel = room.guild.create_text_channel("next-table")
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await room.ben.click(lobby, label="Join or leave")
    await arrange(room.ann, lobby, place="thread")
    await room.ann.click(lobby, label="Start")
    table = the_table(room)
    thread = room.bot.get_channel(table.stored.channel_id)
    assert isinstance(thread, discord.Thread)
    board = await thread.fetch_message(table.stored.message_id)
    hand = await room.ann.click(board, label="My hand")
    await room.ann.click(hand.response, label="Bid 1")
    assert table.acts == 1
    assert {discord.ChannelType.text.value, discord.ChannelType.public_thread.value} <= set(kinds)


async def test_a_group_that_belongs_to_no_application(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = discord.ChannelType.group.value
    group = {"type": kind, "name": None, "icon": None, "owner_id": str(room.ben.id)}
    kinds = null_in(monkeypatch, "channel_payload", **group)
    shown = await room.ann.user.slash("privacy")
    asked = await room.ann.user.click(shown.response, custom_id="v:privacy-delete")
    assert part("privacy.ask") in said(asked.response)
    assert set(kinds) == {kind}
