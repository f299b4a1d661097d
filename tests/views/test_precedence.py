"""Answers go first: what can wait gives way to them, and never for ever."""

from __future__ import annotations

import asyncio

import pytest

from bot.telemetry.trace import following
from bot.views.precedence import Precedence
from tests.support.waiting import until


async def test_without_a_press_nothing_waits() -> None:
    way = asyncio.create_task(Precedence(60).give_way())
    await asyncio.sleep(0)
    assert way.done()


async def test_what_can_wait_goes_on_when_the_last_answer_is_on_its_way() -> None:
    precedence = Precedence(60)
    first, second = precedence.press("go"), precedence.press("hand")
    way = asyncio.create_task(precedence.give_way())
    first.sent()
    first.sent()  # an answer leaves once, whoever says so
    await asyncio.sleep(0)
    assert (precedence.making, way.done()) == (1, False)
    second.answered()
    await until(way.done)
    assert precedence.making == 0


async def test_a_press_that_ends_without_an_answer_holds_nobody_up() -> None:
    precedence = Precedence(60)
    with pytest.raises(RuntimeError), following(precedence.press("go")):
        raise RuntimeError
    assert precedence.making == 0
    await precedence.give_way()


async def test_nobody_waits_for_ever_for_an_answer_that_takes_long() -> None:
    precedence = Precedence(0.01)
    slow = precedence.press("hint")
    await precedence.give_way()
    assert precedence.making == 1
    slow.sent()
