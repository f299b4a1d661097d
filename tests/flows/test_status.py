"""**Status**: a table in words, and what is new since one asked last."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import words
from tests.support.discord.forging import forge
from tests.support.discord.lobbies import arrange
from tests.support.discord.room_play import bids, dealt, hand_of, shows, the_table
from tests.support.discord.sent_messages import said

say = words("en")


async def status(room: Any, person: Any, board: Any) -> Any:
    """Asked for with no hand lying open."""
    return (await forge(person, board, f"v:status:{the_table(room).id}")).response


async def test_it_tells_whose_turn_it_is_and_what_is_new(room: Any) -> None:
    board = await dealt(room)
    first = await status(room, room.cleo, board)
    assert shows(first, "ann** and **ben") or shows(first, "▶ waiting for")
    assert say("table.nothing_yet") in said(first)
    await bids(room, room.ann, board, 1)
    assert shows(await status(room, room.cleo, board), "▶ **ben** to act")
    await bids(room, room.ben, board, 2)
    again = await status(room, room.cleo, board)
    assert say("status.since_asked") in said(again)
    assert say("status.nothing_new") in said(await status(room, room.cleo, board))


async def test_who_plays_hears_what_came_since_their_move(room: Any) -> None:
    board = await dealt(room)
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    # what is asked for opens in the hand that lies open
    told = said(await status(room, room.ann, await hand_of(room, room.ann, board)))
    assert say("status.since_moved") in told
    table = the_table(room)
    assert f"### Table {table.id} in words" in told
    # the picture of the table, as it is told
    assert table.state is not None
    assert told.count("\n") > 3


async def test_it_tells_how_well_the_computer_plays(room: Any) -> None:
    board = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await arrange(room.ann, board, opponents="2")
    await forge(room.ann, board, f"v:start:{the_table(room).id}")
    await room.env.settle()
    names = [f"{sitter.name} (at random)" for sitter in the_table(room).sitters if sitter.level]
    told = said(await status(room, room.cleo, board))
    assert f"Played by the computer: {names[0]} and {names[1]}." in told


async def test_it_names_the_options_that_differ(room: Any) -> None:
    await dealt(room, "molecular", bond_points="edges")
    board = room.channel.last_message
    assert "-# Points for bonds: One for each edge" in said(await status(room, room.cleo, board))


async def test_a_lobby_has_no_status_yet(room: Any) -> None:
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    answer = await status(room, room.ann, lobby)
    assert said(answer).endswith(say("refused.not_started"))


@pytest.mark.parametrize("what", ["undo", "pause"])
async def test_it_tells_what_is_asked_until_it_is_answered(room: Any, what: str) -> None:
    board = await dealt(room)
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    asking = (await room.ann.slash(room.channel, f"table {what}")).response
    if what == "undo":
        await room.ann.click(asking, label=say("undo.ask"))
    await room.env.settle()
    asked = say(f"{what}.asked", name="ann", names="ben")
    for person in (room.ben, room.cleo):
        assert asked in said(await status(room, person, board))
    await room.ben.click(room.channel.last_message, label=say("consent.no"))
    await room.env.settle()
    told = said(await status(room, room.ben, board))
    assert asked not in told
    assert say(f"{what}.no", name="ben") in told
