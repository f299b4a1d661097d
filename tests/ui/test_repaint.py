"""A public message whose picture could not be painted gets it later, and nobody tries for ever."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.render.scene import Scene
from bot.store.prefs import Pictures
from bot.ui.components import Message, page
from bot.ui.live.repaint import RETRY
from bot.workers.errors import JobRefused, TooSlow
from tests.support.discord.live_messages import Thing, World

SCENE = Scene(320, 80, (), alt="A table")


class Painted(Thing):
    """Follows a number, with a picture."""

    def build(self, pictures: Pictures) -> Message:
        self.builds += 1
        return page(str(self.number), SCENE)


class Brush:
    """Fails so many times."""

    def __init__(self, fails: float, error: Exception) -> None:
        self.fails, self.error = fails, error

    async def paint(self, *_: Any, **__: Any) -> bytes:
        self.fails -= 1
        if self.fails >= 0:
            raise self.error
        return b"picture"


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    yield world
    for task in world.tasks:
        task.cancel()


def painting(world: World, fails: float, error: Exception | None = None) -> Painted:
    world.outbox.studio = Brush(fails, error or JobRefused("too much waits"))  # type: ignore[assignment]
    return Painted(world)


def pauses(world: World) -> list[float]:
    times = [at for at, what, *_ in world.calls if what == "edit"]
    return [round((b - a) / 1000) for a, b in itertools.pairwise(times)]


@pytest.mark.parametrize("error", [JobRefused("too much waits"), TooSlow("late"), ValueError("no brush")])
async def test_it_is_tried_again_until_it_is_there(world: World, error: Exception) -> None:
    thing = painting(world, 2, error)
    thing.to(2)
    await world.let_pass(30, step=0.25)
    assert world.outbox.find("thing", Thing) is thing  # it is remembered meanwhile
    await world.let_pass(3000, step=1)
    assert world.texts("edit") == ["2", "2", "2"]
    assert pauses(world) == pytest.approx(list(RETRY)[:2], abs=2)
    assert world.outbox.find("thing", Thing) is None


async def test_nobody_tries_for_ever_and_a_change_begins_anew(world: World) -> None:
    thing = painting(world, 1000)
    thing.to(2)
    await world.let_pass(5000, step=1)
    assert pauses(world) == pytest.approx(list(RETRY), abs=2)
    assert world.outbox.find("thing", Thing) is None
    thing.to(3)
    await world.let_pass(5000, step=1)
    assert world.texts("edit") == ["2"] * 4 + ["3"] * 4


async def test_a_change_that_brings_its_picture_is_the_end_of_it(world: World) -> None:
    thing = painting(world, 1)
    thing.to(2)
    await world.let_pass(5, step=0.25)
    thing.to(3)
    await world.let_pass(3000, step=1)
    assert world.texts("edit") == ["2", "3"]


async def test_an_answer_without_its_picture_is_mended_too(world: World) -> None:
    thing = painting(world, 1)
    thing.number = 2
    async with thing.answering() as showing:
        message = await showing.message()
        await message.attachments(world.outbox.studio)
        await world.call("answer", 10, message.view)
    assert message.unpainted
    await world.let_pass(3000, step=1)
    assert world.texts("answer") == ["2"]
    assert world.texts("edit") == ["2"]


async def test_a_new_message_without_its_picture_is_edited(world: World) -> None:
    thing = painting(world, 1)
    thing.number = 2
    await thing.post(SimpleNamespace(channel_id=1, guild_id=7))  # type: ignore[arg-type]
    await world.let_pass(3000, step=1)
    assert world.texts("send") == ["2"]
    assert [(number, text) for _, what, number, text in world.calls if what == "edit" and text == "2"] == [
        (11, "2")
    ]
