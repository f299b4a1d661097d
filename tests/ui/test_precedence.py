"""Answers go first: what can wait gives way to them, and never for ever."""

from __future__ import annotations

import asyncio

import pytest

from bot.telemetry.trace import following
from bot.ui.reply_priority import ReplyPriority
from tests.support.waiting import until


async def test_without_a_press_nothing_waits() -> None:
    way = asyncio.create_task(ReplyPriority(60).give_way())
    await asyncio.sleep(0)
    assert way.done()


async def test_what_can_wait_goes_on_when_the_last_answer_is_on_its_way() -> None:
    reply_priority = ReplyPriority(60)
    first, second = reply_priority.press("go"), reply_priority.press("hand")
    way = asyncio.create_task(reply_priority.give_way())
    first.sent()
    first.sent()  # an answer leaves once, whoever says so
    await asyncio.sleep(0)
    assert (reply_priority.making, way.done()) == (1, False)
    second.answered()
    await until(way.done)
    assert reply_priority.making == 0


async def test_a_press_that_ends_without_an_answer_holds_nobody_up() -> None:
    reply_priority = ReplyPriority(60)
    with pytest.raises(RuntimeError), following(reply_priority.press("go")):
        raise RuntimeError
    assert reply_priority.making == 0
    await reply_priority.give_way()


async def test_nobody_waits_for_ever_for_an_answer_that_takes_long() -> None:
    reply_priority = ReplyPriority(0.01)
    slow = reply_priority.press("hint")
    await reply_priority.give_way()
    assert reply_priority.making == 1
    slow.sent()
