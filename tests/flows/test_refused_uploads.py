"""Discord takes no files for a while: people play on in words, and pictures come back by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import structlog

from tests.support.discord.forging import refusal
from tests.support.discord.keys import part
from tests.support.discord.refused_files import refuse_files
from tests.support.discord.room_play import board_of, dealt, the_table
from tests.support.discord.sent_messages import said

REFUSED = part("picture.refused")
REFUSALS: dict[str, Callable[[], Exception]] = {
    "413": lambda: refusal(413, 40005),
    "AutoMod": lambda: refusal(400, 200000),
    "500": lambda: refusal(500, 0),
    "403": lambda: refusal(403, 40333),
}


@pytest.mark.parametrize("why", REFUSALS)
async def test_a_game_is_played_in_words_while_files_are_refused(
    room: Any, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    board = await dealt(room)
    await room.env.settle()
    table = the_table(room)
    with structlog.testing.capture_logs() as lines, monkeypatch.context() as patch:
        refuse_files(patch, REFUSALS[why])
        hands = {
            each.user.id: (await each.click(board, label="My hand")).response for each in (room.ann, room.ben)
        }
        assert all(REFUSED in said(hand) for hand in hands.values())
        seat = table.waiting()[0]
        acting = next(each for each in (room.ann, room.ben) if each.user.id == table.sitters[seat].user_id)
        await acting.click(hands[acting.user.id], label="Bid 2")
        await room.env.settle()
        assert table.acts == 1
        assert REFUSED in said(board_of(room))
        assert not board_of(room).attachments
        rules = (await room.ann.slash(room.channel, "card", name="iron")).response
        assert REFUSED in said(rules)
    assert not [line for line in lines if line["event"] == "unforeseen" or "exc_info" in line]
    hand = (await acting.click(board, label="My hand")).response
    assert REFUSED not in said(hand)
    assert len(hand.attachments) == 1
    assert room.bot.app.metrics.registry.get_sample_value("valence_failures_total") == 0
