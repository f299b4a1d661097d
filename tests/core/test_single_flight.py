"""What several ask for at once is done once."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.single_flight import SingleFlight


class Baker:
    """Bakes one loaf at a time, when it is told to."""

    def __init__(self) -> None:
        self.loaves = 0
        self.ready = asyncio.Event()

    async def bake(self) -> int:
        await self.ready.wait()
        self.loaves += 1
        if self.loaves == 13:
            raise ValueError("unlucky")
        return self.loaves


async def test_who_asks_while_it_is_under_way_has_the_same() -> None:
    baker, flight = Baker(), SingleFlight[int]("loaf")
    both = asyncio.gather(flight.do("rye", baker.bake), flight.do("rye", baker.bake))
    other = asyncio.create_task(flight.do("wheat", baker.bake))
    await asyncio.sleep(0)
    baker.ready.set()
    assert await both == [1, 1]
    assert await other == 2
    assert await flight.do("rye", baker.bake) == 3


async def test_everybody_hears_that_it_failed_and_the_next_one_tries_again() -> None:
    baker, flight = Baker(), SingleFlight[int]("loaf")
    baker.loaves = 12
    baker.ready.set()
    both = await asyncio.gather(
        flight.do("rye", baker.bake), flight.do("rye", baker.bake), return_exceptions=True
    )
    assert [str(error) for error in both] == ["unlucky", "unlucky"]
    assert await flight.do("rye", baker.bake) == 14


async def test_who_waits_no_longer_does_not_end_it() -> None:
    baker, flight = Baker(), SingleFlight[int]("loaf")
    first = asyncio.create_task(flight.do("rye", baker.bake))
    await asyncio.sleep(0)
    second = asyncio.create_task(flight.do("rye", baker.bake))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    baker.ready.set()
    assert await second == 1


async def test_at_the_end_nothing_is_under_way() -> None:
    baker, flight = Baker(), SingleFlight[int]("loaf")
    waiting = asyncio.create_task(flight.do("rye", baker.bake))
    await asyncio.sleep(0)
    await flight.end()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert baker.loaves == 0
