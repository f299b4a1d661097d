"""Who has missed two turns finds an opponent in their seat, who left for long a sleeping table; one press of
theirs, whichever it is, brings both back."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bot import locales
from bot.features.table.names import table_url
from bot.features.teacher.review_messages import moral_line
from bot.store.personal_data import left_servers
from bot.store.prefs import Prefs
from bot.table.people import absent
from bot.table.table import Table
from engine.ai.review import Judged, Review
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange, choose
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said, texts
from tests.support.tables.tables import first_act, journal_of, settle

HELD = part("table.held")
ASLEEP = part("table.asleep")


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.tables)
        await room.env.settle()


async def time_out(table: Table, seat: int) -> None:
    await table.act(seat, None, table.legal[seat][-1], kind="timeout", present=False)


async def ben_away(room: Any) -> tuple[Any, Table]:
    """A table of ann and ben at which ben has missed two turns; ann is to act."""
    board = await dealt(room, rounds="3")
    table = the_table(room)
    while not table.away(1):
        if 1 in table.waiting():
            await time_out(table, 1)
        else:
            await first_act(table, room.ann.id)
    await quiet(room)
    assert table.waiting() == (0,)
    return board, table


async def board_of(room: Any, board: Any) -> str:
    channel = room.bot.get_partial_messageable(room.channel.id)
    message = await channel.fetch_message(board.id)
    return "\n".join(texts(component.to_dict() for component in message.components))


WAYS = {
    "My hand": lambda room, board: room.ben.click(board, label="My hand"),
    "/hand": lambda room, board: room.ben.slash(room.channel, "hand"),
    "/move": lambda room, board: room.ben.slash(room.channel, "move", choice="Bid 1"),
}


@pytest.mark.parametrize("way", WAYS)
async def test_one_press_takes_the_seat_back(room: Any, way: str) -> None:
    board, table = await ben_away(room)
    assert locales.words("en")("table.held", name="ben") in await board_of(room, board)
    await first_act(table, room.ann.id)
    await quiet(room)
    assert (await journal_of(room.bot.tables, table))[-1].kind == "timeout"
    await WAYS[way](room, board)
    await quiet(room)
    room.env.errors  # noqa: B018 - read, and with that forgiven: /move is refused, since it is ann's turn
    assert not table.away(1)
    assert HELD not in await board_of(room, board)
    while table.waiting() == (0,):
        await first_act(table, room.ann.id)
    await quiet(room)
    assert 1 in table.waiting()  # and nobody else moves for ben


async def test_who_was_away_reads_what_happened_without_them(room: Any) -> None:
    """Nobody waits for the word of somebody whose seat the computer holds."""
    board, table = await ben_away(room)
    say = locales.words("en")
    await room.ann.slash(room.channel, "table pause")
    await quiet(room)
    assert table.paused
    hand = (await room.ben.click(board, label="My hand")).response
    assert say("consent.away_pause") in said(hand)
    again = (await room.ben.click(board, label="My hand")).response
    assert say("consent.away_pause") not in said(again)


async def test_an_old_hand_that_is_pressed_takes_the_seat_back(room: Any) -> None:
    board = await dealt(room, rounds="3")
    table = the_table(room)
    hand = (await room.ben.click(board, label="My hand")).response
    for _ in range(2):
        while 1 not in table.waiting():
            await first_act(table, room.ann.id)
        await time_out(table, 1)
    await quiet(room)
    assert table.away(1)
    say = locales.words("en")
    assert say("hand.held") in said(hand), "the open hand says that it is played by another"
    back = (await room.ben.click(hand, label=say("hand.here_again"))).response
    assert not table.away(1)
    assert say("hand.held") not in said(back)


async def test_an_open_hand_says_that_its_table_sleeps_and_my_hand_wakes_it(room: Any) -> None:
    board = await dealt(room, rounds="3")
    table = the_table(room)
    hand = (await room.ben.click(board, label="My hand")).response
    while not table.asleep:
        await time_out(table, table.waiting()[0])
    await quiet(room)
    say = locales.words("en")
    assert say("hand.asleep" if 1 in table.waiting() else "hand.asleep_waiting") in said(hand)
    assert say("hand.held") not in said(hand), "nobody plays on at a table that sleeps"
    hand = (await room.ben.click(board, label="My hand")).response
    assert not table.asleep
    assert say("hand.asleep") not in said(hand)


async def test_who_has_no_move_at_a_table_that_sleeps_can_wake_it_as_well(room: Any) -> None:
    board = await dealt(room, rounds="3")
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    await first_act(table, room.ann.id)
    assert table.waiting() == (1,)
    await table.sleep("idle")
    await quiet(room)
    waiting = locales.words("en")("hand.asleep_waiting")
    assert waiting in said(hand)
    await room.ann.click(hand, label="Wake the table")
    assert not table.asleep
    assert waiting not in said(hand)


async def test_who_took_too_long_is_told(room: Any) -> None:
    board = await dealt(room, rounds="3")
    table = the_table(room)
    while 1 not in table.waiting():
        await first_act(table, room.ann.id)
    await time_out(table, 1)
    await quiet(room)
    late = locales.words("en")("table.late", name="ben")
    assert late in await board_of(room, board)
    assert late in said((await room.cleo.click(board, label="Log")).response)
    while 1 not in table.waiting():
        await first_act(table, room.ann.id)
    await quiet(room)
    hand = said((await room.ben.click(board, label="My hand")).response)
    assert hand.count(late) == 1


async def test_of_who_stays_away_it_is_told_once_and_each_later_move_is_marked(room: Any) -> None:
    """The computer moves at once for whoever is away: nobody has to wait that long again and again."""
    board, table = await ben_away(room)
    for _ in range(2):
        while 1 not in table.waiting():
            await first_act(table, room.ann.id)
        await time_out(table, 1)
    await quiet(room)
    log = said((await room.cleo.click(board, label="Log")).response)
    assert log.count(locales.words("en")("table.late", name="ben")) == 1
    assert "⏰ ben laid cards" in log


async def test_who_stayed_away_to_the_end_reads_that_it_counts_as_lost(room: Any) -> None:
    board = await dealt(room, rounds="3")
    table = the_table(room)
    hand = (await room.ben.click(board, label="My hand")).response
    while table.outcome() is None:
        if 0 in table.waiting():
            await first_act(table, room.ann.id)
        elif not table.away(1):  # from then on the computer plays there by itself
            await time_out(table, 1)
        await quiet(room)
    say = locales.words("en")
    lost = say("end.stayed_away")
    lucky = Review(1, (Judged(act=0, best=[], chance=0.4, loss=0.0, error=0.1),), 1.0)
    assert moral_line(table, lucky, {}, "en") == say("review.fine"), "no luck is told of what counts as lost"
    assert moral_line(table, msgspec.structs.replace(lucky, seat=0), {}, "en") == say("review.lucky", n=60)
    assert lost in said(hand)
    assert lost in said((await room.ben.click(board, label="Picture of the game")).response)


async def test_who_stayed_has_won_however_the_opponent_in_the_empty_seat_did(room: Any) -> None:
    """Ann bids the most and lays nothing, so the computer wins with Ben's cards: it was Ben who was to."""
    say = locales.words("en")
    board = await dealt(room, rounds="3")
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    while (outcome := table.outcome()) is None:
        if 0 in table.waiting():
            await table.act(0, table.decisions[0], table.legal[0][-1])
        elif not table.away(1):
            await table.act(1, None, table.legal[1][0], kind="timeout", present=False)
        await quiet(room)
    assert outcome.winners() == (1,)
    own = say("end.left_by_others_own")
    assert say("end.left_by_others", names="ann") in await board_of(room, board)
    assert own in said(hand)
    private = (await room.ann.click(board, label="Picture of the game")).response
    assert own in said(private)
    await room.ann.click(private, label=say("end.post"))
    last = room.channel.last_message
    posted = "\n".join(texts(each.to_dict() for each in last.components))
    assert say("end.away", name="ben") in posted, "who reads it here alone must not take Ben for the winner"
    assert say("end.left_by_others", names="ann") in posted
    query = f"SELECT user_id, rank, won FROM results WHERE game_id = {table.id} ORDER BY seat"
    rows = await room.bot.tables.database.read_at_once(
        lambda connection: connection.exec_driver_sql(query).all()
    )
    assert rows == [(room.ann.id, 1, 1), (room.ben.id, 2, 0)]


async def test_who_stayed_moves_up_past_the_computer_in_the_empty_seat(room: Any) -> None:
    """Ben stayed away, the computer comes first with his cards, and of the others Ann does worse."""
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response
    for person in (room.ben, room.cleo):
        await person.click(lobby.message, label="Join or leave")
    await choose(room.ann, lobby.message, rounds="3")
    board = (await room.ann.click(lobby.message, label="Start")).response.message
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    while (outcome := table.outcome()) is None:
        for seat in table.waiting():
            if seat == 1 and not table.away(1):
                await table.act(1, None, table.legal[1][0], kind="timeout", present=False)
            elif seat != 1:
                # Ann pays for each look, Cleo for none, and neither lays a card as Ben's seat did: so the
                # computer comes first, whatever it draws
                pays = table.state.phase == "lay" or seat == 0
                await table.act(seat, table.decisions[seat], table.legal[seat][-1 if pays else 0])
        await quiet(room)
    assert [one.rank for one in outcome.standings] == [3, 1, 2], table.state.points
    for told in (said(hand), said((await room.ann.click(board, label="Picture of the game")).response)):
        assert "You came second" in told
        assert "third" not in told


async def test_who_left_their_first_game_stands_on_the_leaderboard_by_name(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    more = (await room.ben.click(board, label="More")).response
    asked = (await room.ben.click(more.message, label="Leave")).response
    await room.ben.click(asked.message, label="Leave the game")
    while table.outcome() is None:
        await first_act(table, room.ann.id) if 0 in table.waiting() else await room.env.settle()
    await quiet(room)
    shown = (await room.ann.slash(room.channel, "leaderboard", game="probe")).response
    assert "2 ben: Wins 0, Games 1" in str(shown.components)


async def test_who_leaves_from_their_hand_reads_so_in_its_place(room: Any) -> None:
    """Neither cards nor buttons of a seat stay on the screen of somebody who has left it."""
    board = await dealt(room)
    hand = (await room.ben.click(board, label="My hand")).response
    await room.ben.click(board, label="More")
    await room.ben.click(hand, label="Leave")
    assert [*custom_ids(hand.components)] == ["v:leave-yes:1", "v:hand:1:1"]
    await room.ben.click(hand, label="Back to my hand")
    assert "v:leave-yes:1" not in [*custom_ids(hand.components)]
    await room.ben.click(board, label="More")
    await room.ben.click(hand, label="Leave")
    await room.ben.click(hand, label="Leave the game")
    assert [*custom_ids(hand.components)] == []
    assert "You have left table 1" in said(hand)


async def test_who_leaves_by_a_command_has_no_hand_left_either(room: Any) -> None:
    board = await dealt(room)
    hand = (await room.ben.click(board, label="My hand")).response
    asked = (await room.ben.slash(room.channel, "table leave")).response
    await room.ben.click(asked, label="Stay")
    assert [*custom_ids(hand.components)]
    asked = (await room.ben.slash(room.channel, "table leave")).response
    await room.ben.click(asked, label="Leave the game")
    assert [*custom_ids(hand.components)] == []
    assert "You have left table 1" in said(hand)


async def test_who_is_reminded_finds_the_table_by_it(room: Any) -> None:
    await dealt(room)
    table = the_table(room)
    room.bot.tables.publisher.remind(table, 0, 300, aloud=True)
    await quiet(room)
    reminder = room.channel.last_message
    assert f"5 minutes left for your move at table {table.id}" in reminder.content
    (row,) = reminder.components
    assert [(each.label, each.url) for each in row.children] == [("Go to the table", table_url(table))]


async def reminded(room: Any) -> tuple[Table, int]:
    """A table at which ann was reminded for all to see, and the messages that there are with that."""
    await dealt(room)
    table, before = the_table(room), len(room.channel.history())
    room.bot.tables.publisher.remind(table, 0, 300, aloud=True)
    await quiet(room)
    assert len(room.channel.history()) == before + 1
    return table, before + 1


async def test_a_reminder_goes_when_the_table_falls_asleep(room: Any) -> None:
    """No clock runs then, so nobody has five minutes left."""
    table, _ = await reminded(room)
    await table.sleep("quiet")
    await quiet(room)
    assert not any("5 minutes left" in one.content for one in room.channel.history())


async def test_a_reminder_goes_when_its_person_has_moved(room: Any) -> None:
    """It stays while they are waited for, whatever else happens."""
    table, there = await reminded(room)
    await first_act(table, room.ben.id)
    await quiet(room)
    assert len(room.channel.history()) == there
    while 0 in table.waiting():
        await first_act(table, room.ann.id)
    await quiet(room)
    assert len(room.channel.history()) == there - 1


@pytest.mark.parametrize("way", WAYS)
async def test_one_press_wakes_a_table(room: Any, way: str) -> None:
    board = await dealt(room)
    table = the_table(room)
    await table.sleep("idle")
    await quiet(room)
    text = await board_of(room, board)
    assert ASLEEP in text
    stranger = await room.cleo.click(board, label="My hand")
    assert stranger.ephemeral
    assert table.asleep
    await WAYS[way](room, board)
    await quiet(room)
    assert not table.asleep
    assert ASLEEP not in await board_of(room, board)
    hand = (await room.ann.click(board, label="My hand")).response
    assert "What do you bid?" in said(hand)


async def test_who_sits_there_lets_the_computer_play_for_who_does_not_come(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    table = the_table(room)
    await arrange(room.ann, board, clock="0")
    await room.ben.click(board, label="Join or leave")
    await room.ann.click(board, label="Start")
    await first_act(table, room.ann.id)
    await quiet(room)
    assert table.waiting() == (1,)

    async def ask(name: str) -> str:
        answer = await getattr(room, name).slash(room.channel, "table computer", table=table.id)
        room.env.errors  # noqa: B018 - read, and with that forgiven
        assert answer.ephemeral
        await quiet(room)
        return said(answer.response)

    assert part("refused.nobody_late") in await ask("ann")
    assert not table.away(1)
    monkeypatch.setattr(absent, "PATIENCE_MS", 0)  # the day is over
    assert part("refused.run_rights") in await ask("cleo")
    assert part("refused.waits_for_nobody") in await ask("ben")
    assert not table.away(1)
    assert "now plays for ben, until" in await ask("ann")
    assert table.away(1)
    assert locales.words("en")("table.held", name="ben") in await board_of(room, board)
    assert (await journal_of(room.bot.tables, table))[-1].seat == 1
    await room.ben.click(board, label="My hand")
    await quiet(room)
    assert not table.away(1)
    assert HELD not in await board_of(room, board)


@pytest.mark.parametrize("clock", ["86400", "120", "0"])
async def test_status_says_who_is_on_holiday_where_the_clock_waits_for_them(room: Any, clock: str) -> None:
    board = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await arrange(room.ann, board, clock=clock)
    await room.ben.click(board, label="Join or leave")
    await room.ann.click(board, label="Start")
    table = the_table(room)
    until = table.clock_now() + 86_400_000
    for person in (room.ann, room.ben):
        await room.bot.app.preferences.put(person.id, "x", Prefs(holiday=until), 0)
    await first_act(table, room.ann.id)
    await quiet(room)
    status = said((await room.ann.click(room.channel.last_message, label="Status")).response)
    assert ("ben is on holiday until" in status) is (clock != "120")
    assert "ann is on holiday" not in status, "nobody waits for ann"


@pytest.mark.parametrize("gone", [True, False])
async def test_a_server_that_is_left_and_one_that_is_out_of_reach(room: Any, gone: bool) -> None:
    await dealt(room)
    table = the_table(room)
    await room.ann.slash(room.channel, "play", game="probe")
    event = {"id": str(room.guild.id)} | ({} if gone else {"unavailable": True})
    room.env.backend.emit("GUILD_DELETE", event)
    await quiet(room)
    lobbies = [each for each in room.bot.tables.cache.values() if each.id != table.id]
    assert [each.phase for each in lobbies] == ["cancelled" if gone else "lobby"]
    assert table.asleep == gone
    assert table.stored.why == ("left_server" if gone else "")
    noted = await room.bot.app.database.read_at_once(left_servers.read_notes)
    assert [each for each, left in noted.items() if room.channel.id in left.channels] == (
        [room.guild.id] if gone else []
    )
