"""Undo and pause, as people press them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.discord.forging import forge
from tests.support.discord.room_play import bids, board_of, dealt, hand_of, say, shows, the_table
from tests.support.discord.sent_messages import said


async def test_a_bid_that_nobody_has_seen_is_taken_back_by_one_press(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = await hand_of(room, room.ann, board)
    waiting = (await room.ann.click(hand, label="Bid 1")).response
    back = (await room.ann.click(waiting, label=say("undo.label"))).response
    assert say("undo.done") in said(back)
    assert shows(back, "Bid 1")
    assert table.acts == 0
    log = (await room.ben.click(board, label=say("table.log"))).response
    assert shows(log, say("undo.line", name="ann"))


async def test_the_list_of_games_counts_the_moves_that_stand(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = await hand_of(room, room.ann, board)
    waiting = (await room.ann.click(hand, label="Bid 1")).response
    await room.ann.click(waiting, label=say("undo.label"))
    assert (table.acts, table.seq) == (0, 3)
    listed = (await room.cleo.slash(room.channel, "games")).response
    assert say("games.live", n=0) in said(listed)
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    await room.env.settle()
    assert table.acts >= 2
    listed = (await room.cleo.slash(room.channel, "games")).response
    assert say("games.live", n=table.acts) in said(listed)


async def test_what_others_have_seen_is_taken_back_when_all_agree(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    acts = table.acts
    assert acts >= 2
    needs = (await room.ann.slash(room.channel, "table undo")).response
    assert say("undo.needs") in said(needs)
    asked = (await room.ann.click(needs, label=say("undo.ask"))).response
    assert say("consent.asked") in said(asked)
    await room.env.settle()
    board = room.channel.last_message
    assert shows(board, say("consent.yes"))
    stranger = await room.cleo.click(board, label=say("consent.yes"))
    assert said(stranger.response).endswith(say("refused.not_seated"))
    answer = await room.ben.click(board, label=say("consent.yes"))
    assert say("consent.done") in said(answer.response)
    await room.env.settle()
    assert table.acts == 0
    assert not shows(room.channel.last_message, say("consent.yes"))
    late = await forge(room.ben, board, f"v:agree:{table.id}:undo-{acts}-0")
    assert said(late.response).endswith(say("refused.nothing_asked"))


async def test_who_would_rather_not_is_named_and_nothing_changes(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    acts = table.acts
    needs = (await room.ann.slash(room.channel, "table undo")).response
    await room.ann.click(needs, label=say("undo.ask"))
    await room.env.settle()
    answer = await room.ben.click(board_of(room), label=say("consent.no"))
    assert say("consent.declined") in said(answer.response)
    await room.env.settle()
    assert shows(board_of(room), "would rather leave that move")
    assert table.acts == acts


@pytest.mark.parametrize("answer", ["consent.yes", "consent.no"])
async def test_the_hand_of_who_asked_says_so_until_it_is_answered(room: Any, answer: str) -> None:
    """A pause changes nothing in the journal, so the hand is turned over at the same choice."""
    board = await dealt(room)
    hand = await hand_of(room, room.ann, board)
    await room.ann.click(board, label=say("table.more"))
    await room.env.settle()
    await room.ann.click(hand, label=say("pause.label"))
    await room.env.settle()
    assert say("consent.asked") in said(hand)
    await room.ben.click(room.channel.last_message, label=say(answer))
    await room.env.settle()
    assert say("consent.asked") not in said(hand)


async def test_a_pause_by_consent_and_on_again(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    await room.ann.slash(room.channel, "table pause")
    await room.env.settle()
    await room.ben.click(board_of(room), label=say("consent.yes"))
    await room.env.settle()
    assert table.paused
    board = board_of(room)
    assert shows(board, "**Paused** by everybody here")
    hand = await hand_of(room, room.ann, board)
    assert say("table.paused") in said(hand)
    assert not shows(hand, "Bid 1")
    refused = await forge(room.ann, hand, f"v:go:{table.id}:0:{table.decisions[0]}:bid.1")
    assert table.paused, said(refused.response)
    on = (await room.ann.click(hand, label=say("pause.resume"))).response
    assert shows(on, "Bid 1")
    assert not table.asleep


async def test_commands_say_that_a_table_is_paused(room: Any) -> None:
    """Nobody can move there, so `/move` offers nothing, and `/hand` waits for nobody."""
    await dealt(room)
    table = the_table(room)
    await room.ann.slash(room.channel, "table pause")
    await room.env.settle()
    await room.ben.click(room.channel.last_message, label=say("consent.yes"))
    await room.env.settle()
    assert await room.ann.autocomplete(room.channel, "move", "choice", "") == []
    refused = await room.ann.slash(room.channel, "move", choice="Bid 1")
    room.env.errors  # noqa: B018 - read, and with that forgiven
    assert say("refused.paused") in said(refused.response)
    await room.ann.slash(room.channel, "play", game="probe")
    listed = said((await room.ann.slash(room.channel, "hand")).response)
    line = next(each for each in listed.split("\n") if f"**{table.id}**" in each)
    assert line.endswith(say("hand.paused"))
    told = said((await forge(room.cleo, room.channel.last_message, f"v:status:{table.id}")).response)
    assert say("table.paused") in told, "Status, too: there is no picture in it, and nobody's turn"


async def test_more_says_what_a_stranger_may_not(room: Any) -> None:
    board = await dealt(room)
    answer = await room.cleo.click(board, label=say("table.more"))
    assert said(answer.response).endswith(say("refused.not_seated"))
    table = the_table(room)
    more = (await room.ann.click(board, label=say("table.more"))).response
    more = (await room.ann.click(more, label=say("more.pings_off"))).response
    assert table.stored.terms.quiet == (room.ann.id,)
    await room.ann.click(more, label=say("more.pings_on"))
    assert table.stored.terms.quiet == ()


async def test_one_undo_takes_back_both_cards_of_one_press(room: Any) -> None:
    """**Both from stock** makes two decisions; who has drawn alone cannot take only one of them back."""
    board = await dealt(room, "canasta")
    table = the_table(room)
    person, other = (room.ann, room.ben) if room.ann.id in first(table) else (room.ben, room.ann)
    hand = await hand_of(room, person, board)
    await person.click(hand, label=say("chemistry.tree.both"))
    await room.env.settle()
    assert table.acts == 2
    needs = (await person.slash(room.channel, "table undo")).response
    assert say("undo.needs") in said(needs)
    await person.click(needs, label=say("undo.ask"))
    await room.env.settle()
    await other.click(room.channel.last_message, label=say("consent.yes"))
    await room.env.settle()
    assert table.acts == 0
    again = await hand_of(room, person, board)
    assert shows(again, say("chemistry.tree.both"))


def first(table: Any) -> set[int]:
    """Who is to move."""
    return {table.sitters[seat].user_id for seat in table.waiting()}
