"""Closing and leaving a game that counts, as those read it who play it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.table.publishing.publisher import TablePublisher
from bot.store.days import DAY_MS
from bot.store.people import seats_with_results
from bot.store.servers import Server
from bot.table import results as results_of_games
from bot.table.people import absent
from bot.table.results import lost_by_absence
from bot.table.table import Table
from tests.support.discord.people import MODERATING, called, somebody
from tests.support.discord.room_play import bids, dealt, say, shows, the_table
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import settle


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.tables)
        await room.env.settle()


async def begun(room: Any) -> tuple[Any, Table]:
    """A table of ann and ben, who have both moved."""
    board = await dealt(room, rounds="3")
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    await quiet(room)
    return board, the_table(room)


async def results(room: Any, table: Table) -> set[int | None]:
    found = await room.bot.tables.database.read_at_once(lambda c: seats_with_results(c, table.id))
    return set(found.values())


def channel(room: Any) -> str:
    """What stands in the channel, for everybody."""
    return "\n".join(said(message) for message in room.channel.history())


async def test_the_host_of_a_game_that_counts_asks_or_leaves(room: Any) -> None:
    _, table = await begun(room)
    ask = (await room.ann.slash(room.channel, "table cancel")).response
    assert say("closing.ask", table=table.id) in said(ask)
    assert not shows(ask, say("lobby.confirm_cancel_yes"))
    await room.ann.click(ask, label=say("closing.ask_all"))
    await quiet(room)
    assert table.phase == "live"
    assert say("closing.asked", name="ann") in said(room.channel.last_message)
    done = await room.ben.click(room.channel.last_message, label=say("consent.yes"))
    await quiet(room)
    assert say("lobby.cancelled", table=table.id) in said(done.response)
    assert table.phase == "cancelled"
    assert f"<@{room.ann.id}>" in said(room.channel.last_message)
    assert say("closing.nothing") in said(room.channel.last_message)
    assert await results(room, table) == set()


async def test_the_host_who_leaves_from_that_question_has_lost(room: Any) -> None:
    _, table = await begun(room)
    ask = (await room.ann.slash(room.channel, "table cancel")).response
    sure = (await room.ann.click(ask, label=say("leave.yes"))).response
    await room.ann.click(sure, label=say("leave.yes"))
    await quiet(room)
    assert await results(room, table) == {room.ann.id, room.ben.id}
    told = say("news.decided", game="probe", table=table.id, won=f"<@{room.ben.id}>")
    assert told in room.channel.last_message.content
    assert called(room) == {room.ben.id}
    assert table.phase == "live"


async def test_an_old_question_does_not_close_what_counts_by_now(room: Any) -> None:
    board = await dealt(room, rounds="3")
    table = the_table(room)
    ask = (await room.ann.slash(room.channel, "table cancel")).response
    assert shows(ask, say("lobby.confirm_cancel_yes"))
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    refused = await room.ann.click(ask, label=say("lobby.confirm_cancel_yes"))
    room.env.errors  # noqa: B018 - read, and with that forgiven
    assert say("refused.close_asks") in said(refused.response)
    assert table.phase == "live"


async def test_who_closes_while_the_other_is_away_reads_that_it_counts_as_won(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results_of_games, "DAY_MS", 0)  # the time to come back is over
    _, table = await begun(room)
    await absent._hold(table, table.seats_of(room.ben.id))
    ask = (await room.ann.slash(room.channel, "table cancel")).response
    assert say("closing.wins", table=table.id) in said(ask)
    await room.ann.click(ask, label=say("lobby.confirm_cancel_yes"))
    await quiet(room)
    assert await results(room, table) == {room.ann.id, room.ben.id}
    counted = say("closing.counted", won=f"<@{room.ann.id}>", lost=f"<@{room.ben.id}>")
    assert channel(room).count(counted) == 2, "under the picture, and in a message of its own"


async def test_a_moderator_is_named_and_nothing_counts(room: Any) -> None:
    _, table = await begun(room)
    mod = somebody(room, "mod", MODERATING)
    ask = (await mod.slash(room.channel, "table cancel", table=table.id)).response
    assert say("closing.outside", table=table.id) in said(ask)
    await mod.click(ask, label=say("lobby.confirm_cancel_yes"))
    await quiet(room)
    assert say("closing.by", who=f"<@{mod.id}>", table=table.id) in channel(room)
    assert await results(room, table) == set()


@pytest.mark.parametrize("who", ["player", "moderator"])
async def test_of_who_has_left_the_server_the_computer_holds_the_seat_at_once(
    room: Any, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """Nobody waits a day for somebody who cannot come."""
    board = await dealt(room, rounds="3")
    table = the_table(room)
    await bids(room, room.ann, board, 1)

    async def is_member(_publisher: Any, _guild_id: int, user_id: int) -> bool:
        return user_id != room.ben.id

    monkeypatch.setattr("bot.features.table.publishing.publisher.TablePublisher.is_member", is_member)
    asker = room.ann
    if who == "moderator":
        asker = somebody(room, "mod", MODERATING)
    told = (await asker.slash(room.channel, "table computer", table=table.id)).response
    await quiet(room)
    assert say("table.computer_plays", names="ben", table=table.id) in said(told)
    assert table.away(1)
    await room.ben.click(board, label="My hand")
    assert not table.away(1), "the seat is theirs again if they come back in time"


@pytest.mark.simcord(check_errors=False)
async def test_calling_the_computer_again_and_again_asks_discord_once(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests to Discord on behalf of one person must not slow messages in other servers."""
    asked = list[int]()

    async def is_member(_publisher: Any, _guild_id: int, user_id: int) -> bool:
        asked.append(user_id)
        return True

    monkeypatch.setattr(TablePublisher, "is_member", is_member)
    await dealt(room, rounds="3")
    table = the_table(room)
    for _ in range(5):
        await room.ann.slash(room.channel, "table computer", table=table.id)
    room.env.errors  # noqa: B018 - refusals are read, and with that forgiven
    assert asked == [room.ben.id]


@pytest.mark.simcord(check_errors=False)
async def test_everyone_may_close_but_not_what_counts(room: Any) -> None:
    await room.bot.app.preferences.servers.put(room.guild.id, Server(close_by="everybody"))
    _, table = await begun(room)
    refused = (await room.cleo.slash(room.channel, "table cancel", table=table.id)).response
    room.env.errors  # noqa: B018 - read, and with that forgiven
    assert say("refused.close_counts", table=table.id) in said(refused)
    assert table.phase == "live"


@pytest.mark.simcord(check_errors=False)
async def test_the_computer_called_by_somebody_who_is_losing_does_not_make_them_win(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann has Ben kicked, and the computer called for him: he reads of it, and has a day to come back."""

    async def is_member(_publisher: Any, _guild_id: int, user_id: int) -> bool:
        return user_id != room.ben.id

    monkeypatch.setattr(TablePublisher, "is_member", is_member)
    _, table = await begun(room)
    await room.ann.slash(room.channel, "table computer", table=table.id)
    await quiet(room)
    told = f"<@{room.ben.id}> {say('table.stand_in_you', by='ann', table=table.id)}"
    assert told in channel(room)
    refused = (await room.ann.slash(room.channel, "table cancel", table=table.id)).response
    until = table.stored.terms.stand_ins[1] + DAY_MS
    assert say("refused.close_waits", at=until // 1000) in said(refused)
    assert table.phase == "live"
    assert await results(room, table) == set()
    monkeypatch.setattr(results_of_games, "DAY_MS", 0)  # the day is over
    asked = (await room.ann.slash(room.channel, "table cancel", table=table.id)).response
    assert say("closing.wins", table=table.id) in said(asked)


async def test_somebody_held_on_request_is_judged_by_the_cards_at_the_end(room: Any) -> None:
    """The computer has played the last moves for Ben, who was winning: he has not lost by being away."""
    _, table = await begun(room)
    seat = table.seats_of(room.ben.id)[0]
    await absent._hold(table, [seat])
    assert lost_by_absence(table) == {}
    await table.come_back(room.ben.id)
    assert table.stored.terms.stand_ins == {}


async def test_the_others_read_that_somebody_has_deleted_their_data(room: Any) -> None:
    """It counts as leaving, so the rating moves: they can read why."""
    _, table = await begun(room)
    shown = (await room.ann.slash(room.channel, "privacy")).response
    asked = (await room.ann.click(shown, custom_id="v:privacy-delete")).response
    await room.ann.click(asked, custom_id="v:privacy-yes")
    await quiet(room)
    assert table.stored.terms.decided
    told = channel(room)
    assert say("news.decided", game="probe", table=table.id, won=f"<@{room.ben.id}>") in told
    assert str(room.ann.id) not in said(room.channel.last_message)
