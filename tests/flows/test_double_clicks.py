"""Who presses twice has meant it once: the first press counts, and the second is no reproach."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.core.errors import Refused
from bot.features.table.board import board_message
from bot.ui.debouncer import COOLDOWN_SECONDS, SECONDS, Debouncer
from tests.support.discord.controls import way
from tests.support.discord.forging import double_click, forge
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, heard, said
from tests.support.tables.tables import ManualClock, at_hand

STALE = part("refused.stale")


async def lobby_of_two(room: Any) -> Any:
    """A lobby in which Ann and Ben sit, and its message."""
    board = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await room.ben.click(board, label="Join or leave")
    return board


async def twice(room: Any, name: str, board: Any, verb: str, *, cross: bool) -> list[str]:
    """Click a button of the lobby twice; what the person is told beside the lobby itself."""
    person, button = getattr(room, name), f"v:{verb}:{the_table(room).id}"
    if cross:
        results = await double_click(person, board, button)
    else:
        results = [await forge(person, board, button) for _ in range(2)]
    await room.env.settle()
    assert [each.acknowledged for each in results] == [True, True]
    return [said(each.response) for each in results if each.response and each.response.ephemeral]


def shown_now(room: Any) -> str:
    """The words and labels of the newest message of the channel."""
    return heard(discord.ui.LayoutView.from_message(room.channel.last_message))


@pytest.mark.parametrize("cross", [False, True])
async def test_join_twice_is_to_sit_down_once(room: Any, cross: bool) -> None:
    board = await lobby_of_two(room)
    assert await twice(room, "cleo", board, "join", cross=cross) == []
    table = the_table(room)
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben", "cleo"]
    assert shown_now(room) == heard(board_message(table).view)


@pytest.mark.parametrize("cross", [False, True])
async def test_leave_twice_is_to_stand_up_once(room: Any, cross: bool) -> None:
    board = await lobby_of_two(room)
    assert await twice(room, "ben", board, "stand", cross=cross) == []
    table = the_table(room)
    assert [sitter.name for sitter in table.sitters] == ["ann"]
    assert shown_now(room) == heard(board_message(table).view)


@pytest.mark.parametrize("cross", [False, True])
async def test_the_last_one_who_leaves_twice_closes_the_lobby(room: Any, cross: bool) -> None:
    board = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    assert await twice(room, "ann", board, "stand", cross=cross) == []
    assert at_hand(room.bot.tables) == {}
    assert "closed" in shown_now(room)


@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("thread", [False, True])
async def test_start_twice_is_to_deal_once(room: Any, cross: bool, thread: bool) -> None:
    board = await lobby_of_two(room)
    table = the_table(room)
    if thread:
        await arrange(room.ann, board, place="thread")
    assert await twice(room, "ann", board, "start", cross=cross) == []
    assert (table.phase, table.acts) == ("live", 0)
    if thread:
        threads = await room.bot.get_guild(room.guild.id).active_threads()
        assert [each.id for each in threads] == [table.stored.channel_id]
    else:
        assert shown_now(room) == heard(board_message(table).view)


async def test_the_second_start_leaves_the_table_as_the_first_has_shown_it(room: Any) -> None:
    """The process that hears of the second one may have been overtaken, and know the lobby alone."""
    board = await lobby_of_two(room)
    button = f"v:start:{the_table(room).id}"
    answers = await double_click(room.ann, board, button)
    assert [answer.acknowledged for answer in answers] == [True, True]
    assert sorted("deferred" in str(answer) for answer in answers) == [False, True]


async def test_who_is_refused_hears_why_at_every_click(room: Any) -> None:
    board = await lobby_of_two(room)
    assert len(await twice(room, "ben", board, "start", cross=False)) == 2  # the host starts
    assert len(await twice(room, "cleo", board, "stand", cross=False)) == 2


async def test_who_clicks_again_later_hears_how_things_are() -> None:
    clock = ManualClock()
    debouncer = Debouncer(clock)

    async def work(refused: bool) -> None:
        if refused:
            raise Refused("already_seated")

    assert await debouncer.run_once(1, "join", work(False))
    assert not await debouncer.run_once(1, "join", work(True))
    with pytest.raises(Refused):
        await debouncer.run_once(2, "join", work(True))
    with pytest.raises(Refused):
        await debouncer.run_once(1, "leave", work(True))
    clock.move(SECONDS + 1)
    for _ in range(2):
        with pytest.raises(Refused):
            await debouncer.run_once(1, "join", work(True))


def test_what_is_done_rarely_is_done_by_one_person_at_a_time_and_forgotten_in_time() -> None:
    """A deletion does not lift it, and no longer than it lasts does anything remember it."""
    clock = ManualClock()
    debouncer = Debouncer(clock)

    def tries(user: int = 1, what: str = "export") -> bool:
        try:
            with debouncer.cooldown(user, what, "export_again"):
                debouncer.forget(user)
        except Refused:
            return False
        return True

    with debouncer.cooldown(1, "export", "export_again"):
        assert not tries()
        assert tries(2)
        assert tries(1, "other")
    assert not tries()
    clock.move(COOLDOWN_SECONDS - 1)
    assert not tries()
    clock.move(2)
    assert not any(1 in key for key in debouncer._done)
    with pytest.raises(LookupError), debouncer.cooldown(1, "export", "export_again"):
        raise LookupError
    assert tries(), "what failed does not count"


async def test_a_double_click_is_answered_with_the_hand_alone(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bid = way(hand, "2")
    await forge(room.ann, hand, bid)
    again = await forge(room.ann, hand, bid)
    assert table.acts == 1
    assert "Waiting for **ben**" in said(again.response or hand)
    assert STALE not in said(again.response or hand)


async def test_two_clicks_that_cross_count_once_and_blame_nobody(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    first, second = await double_click(room.ann, hand, way(hand, "2"))
    assert table.acts == 1
    assert first.acknowledged
    assert second.acknowledged
    assert STALE not in said(hand) + "".join(said(each.response) for each in (first, second) if each.response)


async def test_a_hand_that_others_have_moved_on_says_so(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bid = way(hand, "2")
    await table.act(0, None, table.legal[0][0])  # by the clock, say
    again = await forge(room.ann, hand, bid)
    assert STALE in said(again.response or hand)


async def test_an_older_hand_says_so_too(room: Any) -> None:
    """Only the decision just made is a double click; one from before is a hand left lying."""
    board = await dealt(room, rounds="3")
    table = the_table(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bid = way(hand, "2")
    await forge(room.ann, hand, bid)
    await table.act(1, None, table.legal[1][0])
    while 0 not in table.waiting():
        await table.act(table.waiting()[0], None, table.legal[table.waiting()[0]][0])
    fresh = (await room.ann.click(board, label="My hand")).response
    await forge(room.ann, fresh, next(i for i in custom_ids(fresh.components) if i.startswith("v:go:")))
    again = await forge(room.ann, hand, bid)
    assert STALE in said(again.response or hand)
