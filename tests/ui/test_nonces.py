"""Nonces: Discord refuses long ones, and compares them over all channels."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telemetry.metrics import Metrics
from bot.ui.live import live_message
from bot.ui.notification import LONGEST_NONCE, nonce_of
from bot.ui.outbox import Place
from tests.support.discord.live_messages import AsUsual, Thing, World

parts = st.tuples(st.sampled_from(["night", "match"]), st.integers(0, 2**64), st.text(max_size=40))


@given(parts, parts)
def test_each_occasion_has_its_own_nonce(one: tuple[object, ...], other: tuple[object, ...]) -> None:
    assert 0 < len(nonce_of(one)) <= LONGEST_NONCE
    assert (nonce_of(one) == nonce_of(other)) == (one == other)


class Recognising(World):
    """A Discord that takes a message with a known nonce for the one that it has, and loses one answer."""

    def __init__(self) -> None:
        super().__init__()
        self.nonces: dict[str, Any] = {}
        self.dies = False

    def get_partial_messageable(self, channel_id: int, *, guild_id: int | None = None) -> Any:
        there = super().get_partial_messageable(channel_id, guild_id=guild_id)

        async def send(*, nonce: str, **how: Any) -> Any:
            assert 0 < len(nonce) <= LONGEST_NONCE
            if nonce not in self.nonces:
                self.nonces[nonce] = await there.send(**how)
            if self.dies:
                self.dies = False
                raise asyncio.CancelledError
            return self.nonces[nonce]

        return SimpleNamespace(send=send, get_partial_message=there.get_partial_message)


@pytest.fixture
async def world() -> AsyncIterator[Recognising]:
    world = Recognising()
    yield world
    for task in world.tasks:
        task.cancel()


@pytest.mark.parametrize("before", [None, 10], ids=["first message", "moved down"])
async def test_a_process_that_dies_before_its_note_leaves_one_message(
    world: Recognising, before: int | None
) -> None:
    def a_process(at: Place) -> Thing:
        thing = Thing(world)
        thing.at, thing.number = at, 2
        return thing

    at = Place(1, 7, before, world.clock.now() - live_message.TOO_OLD_MS - 1)
    world.dies = True
    a_process(at).changed(acted=True)
    await world.let_pass(1)
    assert len(world.texts("send")) == 1
    world.outbox = type(world.outbox)(
        world.clock,
        world,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        Metrics(),
        world.spawn,
        preferences=AsUsual(),  # type: ignore[arg-type]
    )
    following = a_process(at)
    following.changed(acted=True)
    await world.let_pass(1)
    assert len(world.texts("send")) == 1
    assert following.at.message_id == max(world.messages)


async def test_messages_that_follow_each_other_have_nonces_of_their_own(world: Recognising) -> None:
    thing, other = Thing(world), Thing(world, "other")
    for number, each in enumerate((thing, thing, thing, other), 1):
        posting = asyncio.create_task(each.post(Place(1 + number % 2, 7)))
        await world.let_pass(1)
        await posting
        assert len(world.nonces) == len(world.texts("send")) == number
