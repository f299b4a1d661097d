"""Quotas and hurry, as people meet them: words that say what to do, nothing changed, nobody else affected."""

from __future__ import annotations

from typing import Any

import pytest

from bot.core.errors import Refused
from bot.settings import Settings
from bot.table.people.quotas import Quotas
from bot.ui.rate_limiter import RateLimiter
from tests.support.discord.controls import way
from tests.support.discord.forging import double_click
from tests.support.discord.keys import part
from tests.support.discord.room_play import dealt
from tests.support.tables.tables import ManualClock, at_hand, first_act, settle


def lobbies(room: Any) -> list[int]:
    return [number for number, table in at_hand(room.bot.tables).items() if table.phase == "lobby"]


def said(result: Any) -> str:
    assert result.ephemeral
    return str(result.response.components)


async def over(room: Any) -> Any:
    """The message of a table that has just ended."""
    board = await dealt(room, rounds="1")
    table = next(iter(at_hand(room.bot.tables).values()))
    while table.waiting():
        seat = table.waiting()[0]
        await first_act(table, table.sitters[seat].user_id)
    await settle(room.bot.tables)
    await room.env.settle()
    assert table.phase == "over"
    return board


@pytest.mark.parametrize(
    ("quotas", "words"),
    [
        (Quotas(2, 9, 9, 9), "You have 2 lobbies open already. Start one of them or close it"),
        (Quotas(9, 2, 9, 9), "You already sit at 2 tables, counting paused ones"),
        (Quotas(9, 9, 2, 9), "This channel has 2 open tables already."),
        (Quotas(9, 9, 9, 2), "This server has 2 open tables already. `/games` lists them"),
    ],
)
async def test_play_and_play_again_count_alike(room: Any, quotas: Quotas, words: str) -> None:
    board = await over(room)
    room.bot.tables.opener._quotas = quotas
    for _ in range(2):
        await room.ann.slash(room.channel, "play", game="probe")
    assert len(lobbies(room)) == 2
    assert words in said(await room.ann.slash(room.channel, "play", game="probe"))
    assert words in said(await room.ann.click(board, label="Play again"))
    assert [type(error.original) for error in room.env.errors] == [Refused]
    assert len(lobbies(room)) == 2
    stranger = await room.cleo.click(board, label="Play again")
    if quotas.lobbies_of_person == 2 or quotas.tables_of_person == 2:
        assert len(lobbies(room)) == 3  # what one person has open is nobody else's limit
    else:
        assert words in said(stranger)


async def test_who_hurries_is_told_and_nothing_changes(room: Any) -> None:
    board = await dealt(room)
    (table,) = at_hand(room.bot.tables).values()
    hand = (await room.ann.click(board, label="My hand")).response
    room.bot.app.rate_limiter = RateLimiter(
        room.bot.tables.clock, rate=0.001
    )  # one press, then none for long
    await room.ann.click(board, label="Rules")
    before = (table.stored.revision, table.acts, len(lobbies(room)))
    for press in (
        room.ann.click(hand, label="Bid 2"),
        room.ann.click(board, label="My hand"),
        room.ann.slash(room.channel, "play", game="probe"),
        room.ann.slash(room.channel, "hand"),
    ):
        assert part("refused.hurry") in said(await press)
    assert (table.stored.revision, table.acts, len(lobbies(room))) == before
    await room.ben.slash(room.channel, "move", choice="Bid 1")  # nobody else is affected
    assert table.acts == 1
    room.bot.app.rate_limiter = RateLimiter(room.bot.tables.clock, rate=1000)
    await room.ann.click(hand, label="Bid 2")
    assert table.acts == 2


async def test_a_double_click_is_no_hurry(room: Any) -> None:
    board = await dealt(room)
    usual = Settings.model_fields["most_presses_a_second"].default
    room.bot.app.rate_limiter = RateLimiter(room.bot.tables.clock, rate=usual)
    hand = (await room.ann.click(board, label="My hand")).response
    for answer in await double_click(room.ann, hand, way(hand, "2")):
        assert "faster" not in str(answer.response.components if answer.response else "")


def test_the_bucket_fills_again() -> None:
    clock = ManualClock()
    rate_limiter = RateLimiter(clock, rate=5)
    assert [rate_limiter.allows(1) for _ in range(12)] == [True] * 10 + [False] * 2
    assert rate_limiter.allows(2)
    clock.move(0.2)
    assert [rate_limiter.allows(1) for _ in range(2)] == [True, False]
    clock.move(3600)
    assert [rate_limiter.allows(1) for _ in range(12)].count(True) == 10
