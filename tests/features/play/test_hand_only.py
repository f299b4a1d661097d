"""Games alone in the hand only: nothing is posted, and they count and are found as ever."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select

from bot.core.errors import Refused
from bot.features.table.names import table_url
from bot.locales import languages, words
from bot.store.models import ResultRow, table_of
from bot.store.prefs import Prefs, prefs_of
from bot.store.servers import Server
from bot.table import lobby
from bot.table.people import guests
from bot.table.table import Table
from bot.table.table_kinds import NOWHERE, is_hand_only
from tests.support.discord.forging import forge
from tests.support.discord.keys import part
from tests.support.discord.people import challenge
from tests.support.discord.room_play import play_now, poster, the_table
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand, settle

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about
say = words("en")


@pytest.fixture(autouse=True)
async def chosen(room: Any) -> None:
    """Ann plays alone in her hand, as she chose in `/settings`."""
    shown = (await room.ann.slash(room.channel, "settings")).response
    await forge(room.ann, shown, "v:set:hand_only:yes")
    stored = await room.bot.app.database.read_at_once(lambda c: prefs_of(c, room.ann.id))
    assert stored.hand_only


def newest(room: Any) -> Table:
    tables = at_hand(room.bot.tables)
    return tables[max(tables)]


async def play_out(room: Any) -> Table:
    """Play the newest game to its end; the computer moves by itself."""
    table, tables = newest(room), room.bot.tables
    while table.phase == "live":
        await settle(tables)
        for seat in [seat for seat in table.waiting() if seat in table.seats_of(room.ann.id)][:1]:
            await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(tables)
    await room.env.settle()
    return table


@pytest.mark.parametrize("game", ["probe", "atom_duel", "duel52"])
async def test_play_now_posts_nothing(room: Any, game: str) -> None:
    result = await play_now(room, game)
    table = the_table(room)
    assert result.ephemeral
    assert f"table {table.id}" in said(result.response)
    assert part("hand.yours_alone") in said(result.response)
    await play_out(room)
    assert room.channel.last_message is None
    assert (table.stored.channel_id, table.stored.message_id, table.stored.terms.clock) == (NOWHERE, None, 0)
    assert (table.phase, is_hand_only(table)) == ("over", True)


async def test_its_result_counts_as_ever(room: Any) -> None:
    await play_now(room, "probe")
    table = await play_out(room)
    rows = table_of(ResultRow)
    query = (
        select(func.count())
        .select_from(rows)
        .where(rows.c.user_id == room.ann.id, rows.c.guild_id == room.guild.id, rows.c.game_id == table.id)
    )
    assert await room.bot.app.database.read_at_once(lambda c: c.execute(query).scalar_one()) == 1


async def test_play_again_stays_in_the_hand(room: Any) -> None:
    hand = (await play_now(room, "probe")).response
    table = await play_out(room)
    again = await forge(room.ann, hand, f"v:again:{table.id}")
    fresh = newest(room)
    assert again.ephemeral
    assert fresh.id != table.id
    assert is_hand_only(fresh)
    assert room.channel.last_message is None


async def test_play_with_a_game_leaves_the_choice(room: Any) -> None:
    """A lobby is for everyone, so it is opened only if it is asked for."""
    result = await room.ann.slash(room.channel, "play", game="probe")
    assert result.ephemeral
    assert not at_hand(room.bot.tables)
    assert {"v:now:probe", "v:lobby-of"} <= {*custom_ids(result.response.components)}
    assert "v:now:atom" not in custom_ids(result.response.components)
    await forge(room.ann, result.response, "v:lobby-of", ("probe",))
    assert newest(room).phase == "lobby"
    assert room.channel.last_message is not None


async def test_others_play_as_before(room: Any) -> None:
    await play_now(room, "probe", "ben")
    assert not is_hand_only(the_table(room))
    assert room.channel.last_message is not None


async def test_hand_finds_it(room: Any) -> None:
    await play_now(room, "probe")
    table = the_table(room)
    assert f"table {table.id}" in said((await room.ann.slash(room.channel, "hand")).response)
    await play_now(room, "probe")
    listed = said((await room.ann.slash(room.channel, "hand")).response)
    assert listed.count(say("hand.only_you")) == 2
    games = said((await room.ann.slash(room.channel, "games")).response)
    assert str(table.id) in games
    assert "<#0>" not in games + listed
    assert table_url(table) == f"https://discord.com/channels/{room.guild.id}"


async def test_no_one_else_finds_it(room: Any) -> None:
    hand = (await play_now(room, "probe")).response
    table = the_table(room)
    assert part("refused.no_table_here") not in said((await room.ben.slash(room.channel, "games")).response)
    assert f"table {table.id}" not in said((await room.ben.slash(room.channel, "games")).response)
    for verb in ("hand", "watch", "status", "log", "close"):
        refused = await forge(room.ben, hand, f"v:{verb}:{table.id}")
        assert part("refused.no_table") in said(refused.response), verb


async def test_inviting_someone_says_what_to_do(room: Any) -> None:
    await play_now(room, "probe")
    table = the_table(room)
    told = await room.ann.slash(room.channel, "table repost", table=table.id)
    assert part("refused.hand_only") in said(told.response)
    with pytest.raises(Refused, match="hand_only"):
        await guests.invite(table, room.ann.id, [room.ben.id])
    with pytest.raises(Refused):
        await lobby.join(table, room.ben.id, "ben", 1)
    assert room.channel.last_message is None


async def test_nothing_is_posted_when_it_is_closed_or_left(room: Any) -> None:
    for verb in ("close-yes", "leave-yes"):
        hand = (await play_now(room, "probe")).response
        table = newest(room)
        await forge(room.ann, hand, f"v:{verb}:{table.id}")
        await room.env.settle()
        assert table.phase == "cancelled"
    assert room.channel.last_message is None


async def test_it_needs_no_permission_of_the_channel(room: Any) -> None:
    """Whoever may open tables may play so in channels where none may stand."""
    await room.bot.app.preferences.servers.put(room.guild.id, Server(channels=(room.channel.id + 1,)))
    await play_now(room, "probe")
    assert is_hand_only(the_table(room))


async def test_who_may_not_open_tables_may_not_play_so(room: Any) -> None:
    await room.bot.app.preferences.servers.put(room.guild.id, Server(games=("molecular",)))
    refused = await forge(room.ann, await poster(room), "v:now:molecular")
    assert is_hand_only(newest(room))
    refused = await forge(room.ann, await poster(room), "v:now:probe")
    assert part("refused.game_not_here") in said(refused.response)


async def test_the_next_table_with_people_has_the_usual_clock(room: Any) -> None:
    await play_now(room, "probe")
    await play_out(room)
    await challenge(room, room.ann, room.ben)
    assert newest(room).stored.terms.clock > 0
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(), 0)
    await play_now(room, "probe")
    assert newest(room).stored.terms.clock > 0


async def test_play_again_is_public_once_it_is_switched_off(room: Any) -> None:
    hand = (await play_now(room, "probe")).response
    table = await play_out(room)
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(), 0)
    await forge(room.ann, hand, f"v:again:{table.id}")
    await room.env.settle()
    fresh = newest(room)
    assert not is_hand_only(fresh)
    assert fresh.stored.terms.clock > 0
    assert room.channel.last_message is not None


async def test_the_setting_stands_among_the_others(room: Any) -> None:
    for locale in languages():
        assert words(locale)("settings.hand_only_note")
    shown = (await room.ann.slash(room.channel, "settings")).response
    assert "v:set:hand_only:no" in custom_ids(shown.components)
