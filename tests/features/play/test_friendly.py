"""Friendly games in Discord: the words about them, and who is asked."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.table.board import board_message
from bot.features.table.hand.messages import hand_message
from bot.features.table.hand.seat_view import SeatView
from bot.locales import words
from bot.table.people.friendly_games import FIRST_GAMES, agree_to_count, is_friendly
from bot.table.table import Table
from tests.support.discord.forging import forge
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange
from tests.support.discord.message import words_of
from tests.support.discord.people import challenge
from tests.support.discord.room_play import board_of, finished, play_out, posted, the_table
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about
say = words("en")


async def lobby_of(room: Any, **options: Any) -> Any:
    return (await room.ann.slash(room.channel, "play", game="probe", **options)).response


async def newest(room: Any) -> Table:
    tables = at_hand(room.bot.tables)
    return tables[max(tables)]


async def test_the_lobby_says_what_it_counts_and_the_host_changes_that(room: Any) -> None:
    board = await lobby_of(room)
    table = the_table(room)
    assert say("friendly.lobby_counts") in said(board_of(room))
    await room.ben.click(board.message, label="Join or leave")
    refused = await room.ben.click(board.message, label=say("friendly.make_friendly"))
    assert part("refused.host_only") in said(refused.response)
    await room.ann.click(board.message, label=say("friendly.make_friendly"))
    assert say("friendly.lobby_friendly") in said(board_of(room))
    await room.ben.click(board.message, label=say("friendly.make_count"))
    label = say("friendly.make_count")
    assert say("friendly.lobby_agreed", n=1, names="ben", button=label) in said(board_of(room))
    await room.ann.click(board.message, label=label)
    assert say("friendly.lobby_counts") in said(board_of(room))
    refused = await forge(room.cleo, board_of(room), f"v:make-count:{table.id}")
    assert part("refused.not_seated") in said(refused.response)


@pytest.mark.parametrize("friendly", [True, False])
async def test_a_command_opens_a_friendly_game(room: Any, friendly: bool) -> None:
    await lobby_of(room, friendly=friendly)
    table = the_table(room)
    assert (table.stored.terms.friendly, is_friendly(table)) == (friendly, friendly)
    assert table.stored.terms.counting == (() if friendly else (room.ann.id,))


@pytest.mark.parametrize("friendly", [True, False, None])
async def test_the_command_without_a_game_keeps_the_choice(room: Any, friendly: bool | None) -> None:
    options = {} if friendly is None else {"friendly": friendly}
    shown = (await room.ann.slash(room.channel, "play", **options)).response
    (custom_id,) = (each for each in custom_ids(shown.components) if each.startswith("v:lobby-of"))
    await forge(room.ann, shown, custom_id, ("probe",))
    terms = the_table(room).stored.terms
    assert terms.friendly is bool(friendly)
    assert terms.counting == ((room.ann.id,) if friendly is False else ())


@pytest.mark.parametrize("friendly", [True, False])
async def test_table_status_hand_and_end_say_which_it_is(room: Any, friendly: bool) -> None:
    board = await lobby_of(room, friendly=friendly)
    await room.ben.click(board.message, label="Join or leave")
    await room.ann.click(board.message, label="Start")
    told = say("friendly.friendly" if friendly else "friendly.counts")
    shown = board_of(room)
    assert told in said(shown)
    hand = await room.ann.click(shown, label=say("table.hand"))
    assert told in said(hand.response)
    table = the_table(room)
    status = await forge(room.ben, shown, f"v:status:{table.id}")
    assert told in said(status.response)
    asked = (await forge(room.ben, shown, f"v:leave:{table.id}")).response
    assert part("leave.ask_friendly" if friendly else "leave.ask") in said(asked)
    await play_out(room)
    assert told in posted(room)
    assert (say("friendly.over") in posted(room)) is friendly
    assert (say("friendly.over") in words_of(hand_message(SeatView(table, 0, "en")))) is friendly


async def test_a_game_alone_says_neither(room: Any) -> None:
    board = await lobby_of(room, friendly=True)
    await arrange(room.ann, board.message, opponents="1")
    await room.ann.click(board.message, label="Start")
    table = the_table(room)
    shown = words_of(board_message(table)) + words_of(hand_message(SeatView(table, 0, "en")))
    assert say("friendly.friendly") not in shown
    assert say("friendly.counts") not in shown


async def test_play_again_keeps_what_was_chosen(room: Any) -> None:
    board = await lobby_of(room, friendly=True)
    await room.ben.click(board.message, label="Join or leave")
    await room.ann.click(board.message, label="Start")
    table = await play_out(room)
    await room.ann.click(board_of(room), label=say("table.again"))
    await room.env.settle()
    fresh = await newest(room)
    assert fresh.id != table.id
    assert fresh.stored.terms.friendly
    assert say("friendly.lobby_friendly") in said(board_of(room))


async def test_a_challenge_carries_it_on(room: Any) -> None:
    board = await lobby_of(room, friendly=True)
    await room.ben.click(board.message, label="Join or leave")
    await room.ann.click(board.message, label="Start")
    await challenge(room, room.ben, room.ann)
    assert (await newest(room)).stored.terms.friendly
    assert say("friendly.friendly") in said(room.channel.last_message)


async def test_a_challenge_counts_otherwise(room: Any) -> None:
    await challenge(room, room.ann, room.ben)
    assert say("friendly.counts") in said(room.channel.last_message)


@pytest.mark.usefixtures("newcomers")
class TestNewcomers:
    """People in their first games with others."""

    async def test_the_lobby_says_because_of_whom(self, room: Any) -> None:
        board = await lobby_of(room)
        await room.ben.click(board.message, label="Join or leave")
        told = say("friendly.lobby_new", n=2, names="ann and ben", first=FIRST_GAMES)
        assert told in said(board_of(room))
        label = say("friendly.make_count")
        await room.ann.click(board.message, label=label)
        await room.ben.click(board.message, label=label)
        assert say("friendly.lobby_counts") in said(board_of(room))

    async def test_a_challenge_says_friendly_and_can_count_before_it_is_taken_up(self, room: Any) -> None:
        await challenge(room, room.ann, room.ben)
        table, invitation = the_table(room), room.channel.last_message
        assert say("friendly.friendly") in said(invitation)
        for who in (room.ann.id, room.ben.id):
            await agree_to_count(table, who)
        await room.ben.click(invitation, label="I'm in")
        assert table.phase == "live"
        assert not table.stored.terms.friendly

    async def test_play_again_asks_anew(self, room: Any) -> None:
        """A game that was friendly because of a newcomer is no choice that holds for ever."""
        table = await finished(room)
        assert table.stored.terms.friendly
        await room.ann.click(board_of(room), label=say("table.again"))
        await room.env.settle()
        fresh = await newest(room)
        assert (fresh.stored.terms.friendly, is_friendly(fresh)) == (False, True)

    async def test_play_again_keeps_that_everyone_agreed(self, room: Any) -> None:
        board = await lobby_of(room)
        await room.ben.click(board.message, label="Join or leave")
        for person in (room.ann, room.ben):
            await person.click(board.message, label=say("friendly.make_count"))
        await room.ann.click(board.message, label="Start")
        await play_out(room)
        await room.ann.click(board_of(room), label=say("table.again"))
        await room.env.settle()
        assert not is_friendly(await newest(room))
