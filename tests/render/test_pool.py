"""The studio: each picture once, bounded memory, its own threads, a clean end."""

import asyncio
import threading
import time

import pytest

from bot.render.pool import LATER, THREADS, Pictures, StudioClosed
from bot.render.scene import Panel, Rect, Scene


def scene(number: int) -> Scene:
    return Scene(64, 64, (Panel(Rect(0, 0, number + 1, 10), "panel"),), f"picture {number}")


class Painter:
    """Counts paintings and holds them until it is told to go on."""

    def __init__(self, size: int = 100, *, held: bool = False) -> None:
        self.size = size
        self.painted: list[str] = []
        self.threads: set[str] = set()
        self.go = threading.Event()
        if not held:
            self.go.set()

    def __call__(self, picture: Scene) -> bytes:
        self.painted.append(picture.alt)
        self.threads.add(threading.current_thread().name)
        assert self.go.wait(5)
        return bytes(self.size)


async def test_real_pictures() -> None:
    async with Pictures() as pictures:
        assert (await pictures.paint(scene(1))).startswith(b"\x89PNG")


async def test_equal_scenes_are_painted_once() -> None:
    painter = Painter(held=True)
    async with Pictures(painter=painter) as pictures:
        waiters = [asyncio.create_task(pictures.paint(scene(1))) for _ in range(20)]
        await asyncio.sleep(0.02)
        painter.go.set()
        files = await asyncio.gather(*waiters)
        assert len(set(map(id, files))) == 1
        await pictures.paint(scene(1))
        assert painter.painted == ["picture 1"]
        assert (pictures.painted, pictures.hits) == (1, 20)


async def test_memory_is_bounded() -> None:
    painter = Painter(size=400)
    async with Pictures(cache_bytes=1000, painter=painter) as pictures:
        for number in (1, 2, 3, 1, 3):
            await pictures.paint(scene(number))
    # 1 had to go when 3 came; 3 was still there.
    assert painter.painted == ["picture 1", "picture 2", "picture 3", "picture 1"]


async def test_a_picture_larger_than_the_cache_is_still_delivered() -> None:
    painter = Painter(size=2000)
    async with Pictures(cache_bytes=1000, painter=painter) as pictures:
        assert len(await pictures.paint(scene(1))) == 2000
        assert len(await pictures.paint(scene(1))) == 2000
    assert len(painter.painted) == 2


async def test_the_loop_stays_free_and_its_pool_unused() -> None:
    painter = Painter(held=True)
    async with Pictures(painter=painter) as pictures:
        waiters = [asyncio.create_task(pictures.paint(scene(number))) for number in range(8)]
        start = time.perf_counter()
        assert await asyncio.to_thread(lambda: 7) == 7
        assert time.perf_counter() - start < 1
        painter.go.set()
        await asyncio.gather(*waiters)
    assert len(painter.threads) <= THREADS
    assert all(name.startswith("pictures") for name in painter.threads)


async def test_one_cancelled_waiter_does_not_take_the_picture_from_others() -> None:
    painter = Painter(held=True)
    async with Pictures(painter=painter) as pictures:
        first = asyncio.create_task(pictures.paint(scene(1)))
        second = asyncio.create_task(pictures.paint(scene(1)))
        await asyncio.sleep(0.02)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        painter.go.set()
        assert len(await second) == 100


async def test_a_failure_reaches_the_waiter_and_is_not_kept() -> None:
    calls = 0

    def fails_once(_: Scene) -> bytes:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise LookupError("no brush")
        return b"fine"

    async with Pictures(painter=fails_once) as pictures:
        with pytest.raises(LookupError):
            await pictures.paint(scene(1))
        assert await pictures.paint(scene(1)) == b"fine"


async def test_closing_finishes_what_runs_and_refuses_the_rest() -> None:
    painter = Painter(held=True)
    pictures = Pictures(painter=painter)
    waiters = [asyncio.create_task(pictures.paint(scene(number))) for number in range(5)]
    await asyncio.sleep(0.02)
    closing = asyncio.create_task(asyncio.to_thread(pictures.close))
    await asyncio.sleep(0.02)
    painter.go.set()
    await closing
    results = await asyncio.gather(*waiters, return_exceptions=True)
    assert [type(result) for result in results] == [bytes] * THREADS + [StudioClosed] * (5 - THREADS)
    pictures.close()
    with pytest.raises(StudioClosed):
        await pictures.paint(scene(9))


async def test_what_is_urgent_goes_first() -> None:
    painter = Painter(held=True)
    async with Pictures(painter=painter) as pictures:
        later = [asyncio.create_task(pictures.paint(scene(n), LATER)) for n in range(6)]
        await asyncio.sleep(0.02)
        urgent = [asyncio.create_task(pictures.paint(scene(n))) for n in (9, 5)]
        await asyncio.sleep(0.02)
        painter.go.set()
        await asyncio.gather(*later, *urgent)
    # two were under way; then the urgent ones, one of which had waited as a later one
    assert painter.painted[2:4] == ["picture 9", "picture 5"]
    assert sorted(painter.painted) == sorted(f"picture {n}" for n in (0, 1, 2, 3, 4, 5, 9))


async def test_a_process_paints_the_same_picture() -> None:
    async with Pictures(workers=1) as pictures, Pictures() as plain:
        assert await pictures.paint(scene(3)) == await plain.paint(scene(3))


async def test_many_at_once_from_cold_caches() -> None:
    """Painting on two threads at once gives the same bytes as painting alone."""
    scenes = [scene(number) for number in range(30)]
    async with Pictures() as pictures:
        together = await asyncio.gather(*(pictures.paint(each) for each in scenes))
    async with Pictures() as pictures:
        assert [await pictures.paint(each) for each in scenes] == together
