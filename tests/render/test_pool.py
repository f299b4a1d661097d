"""The studio: each picture once, bounded memory, its own threads, a clean end."""

import asyncio
import os
import signal
import threading

import pytest

from bot.render import pool
from bot.render.pool import LATER, THREADS, Studio, StudioClosed
from bot.render.scene import Panel, Rect, Scene
from bot.workers.errors import JobRefused, TooSlow, WorkerDied
from bot.workers.pool import MOST_WAITING
from tests.support.waiting import LIMIT_SECONDS, until


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


async def under_way(painter: Painter, count: int) -> None:
    """Wait until so many are being painted."""
    await until(lambda: len(painter.painted) >= count, but=lambda: painter.painted)


async def test_real_pictures() -> None:
    async with Studio() as pictures:
        assert (await pictures.paint(scene(1))).startswith(b"\x89PNG")


async def test_equal_scenes_are_painted_once() -> None:
    painter = Painter(held=True)
    async with Studio(painter=painter) as pictures:
        waiters = [asyncio.create_task(pictures.paint(scene(1))) for _ in range(20)]
        await until(lambda: pictures.hits == 19)
        painter.go.set()
        files = await asyncio.gather(*waiters)
        assert len(set(map(id, files))) == 1
        await pictures.paint(scene(1))
        assert painter.painted == ["picture 1"]
        assert (pictures.painted, pictures.hits) == (1, 20)


async def test_a_picture_that_can_wait_is_refused_only_while_others_wait() -> None:
    painter = Painter(held=True)
    async with Studio(painter=painter) as pictures:
        being_painted = [asyncio.create_task(pictures.paint(scene(number))) for number in range(THREADS)]
        await under_way(painter, THREADS)
        assert pictures.has_time_for(scene(THREADS + 1))
        waiting = asyncio.create_task(pictures.paint(scene(THREADS)))
        await until(lambda: not pictures.has_time_for(scene(THREADS + 1)))
        assert pictures.has_time_for(scene(0)), "it is being painted"
        assert pictures.has_time_for(scene(THREADS)), "it waits already"
        painter.go.set()
        await asyncio.gather(*being_painted, waiting)
        assert pictures.has_time_for(scene(THREADS + 1))


async def test_memory_is_bounded() -> None:
    painter = Painter(size=400)
    async with Studio(cache_bytes=1000, painter=painter) as pictures:
        for number in (1, 2, 3, 1, 3):
            await pictures.paint(scene(number))
    # 1 had to go when 3 came; 3 was still there.
    assert painter.painted == ["picture 1", "picture 2", "picture 3", "picture 1"]


async def test_a_picture_larger_than_the_cache_is_still_delivered() -> None:
    painter = Painter(size=2000)
    async with Studio(cache_bytes=1000, painter=painter) as pictures:
        assert len(await pictures.paint(scene(1))) == 2000
        assert len(await pictures.paint(scene(1))) == 2000
    assert len(painter.painted) == 2


async def test_the_loop_stays_free_and_its_pool_unused() -> None:
    painter = Painter(held=True)
    async with Studio(painter=painter) as pictures:
        waiters = [asyncio.create_task(pictures.paint(scene(number))) for number in range(8)]
        # in its pool it would wait for the painter, and so for ever
        assert await asyncio.wait_for(asyncio.to_thread(lambda: 7), LIMIT_SECONDS) == 7
        painter.go.set()
        await asyncio.gather(*waiters)
    assert len(painter.threads) <= THREADS
    assert all(name.startswith("pictures") for name in painter.threads)


async def test_one_cancelled_waiter_does_not_take_the_picture_from_others() -> None:
    painter = Painter(held=True)
    async with Studio(painter=painter) as pictures:
        first = asyncio.create_task(pictures.paint(scene(1)))
        second = asyncio.create_task(pictures.paint(scene(1)))
        await until(lambda: pictures.hits == 1)
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

    async with Studio(painter=fails_once) as pictures:
        with pytest.raises(LookupError):
            await pictures.paint(scene(1))
        assert await pictures.paint(scene(1)) == b"fine"


async def test_closing_finishes_what_runs_and_refuses_the_rest() -> None:
    painter = Painter(held=True)
    pictures = Studio(painter=painter)
    waiters = [asyncio.create_task(pictures.paint(scene(number))) for number in range(5)]
    await under_way(painter, THREADS)
    closing = asyncio.create_task(asyncio.to_thread(pictures.close))
    await until(lambda: pictures.pool._closed)
    painter.go.set()
    await closing
    results = await asyncio.gather(*waiters, return_exceptions=True)
    assert [type(result) for result in results] == [bytes] * THREADS + [StudioClosed] * (5 - THREADS)
    pictures.close()
    with pytest.raises(StudioClosed):
        await pictures.paint(scene(9))


async def test_what_is_urgent_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "THREADS", 1)
    painter = Painter(held=True)
    async with Studio(painter=painter) as pictures:
        later = [asyncio.create_task(pictures.paint(scene(n), LATER)) for n in range(6)]
        await under_way(painter, 1)
        urgent = [asyncio.create_task(pictures.paint(scene(n))) for n in (9, 5)]
        await until(lambda: pictures.hits == 1 and pictures.pool.waiting == 6)
        painter.go.set()
        await asyncio.gather(*later, *urgent)
    # 0 was under way; of the urgent ones 5 had waited as a later one
    assert painter.painted[1:3] in (["picture 9", "picture 5"], ["picture 5", "picture 9"])
    assert [each for each in painter.painted if each not in ("picture 9", "picture 5")] == [
        f"picture {n}" for n in range(5)
    ]


async def test_a_process_paints_the_same_picture() -> None:
    async with Studio(workers=1) as pictures, Studio() as plain:
        assert await pictures.paint(scene(3)) == await plain.paint(scene(3))


async def test_many_at_once_from_cold_caches() -> None:
    """Painting on two threads at once gives the same bytes as painting alone."""
    scenes = [scene(number) for number in range(30)]
    async with Studio() as pictures:
        together = await asyncio.gather(*(pictures.paint(each) for each in scenes))
    async with Studio() as pictures:
        assert [await pictures.paint(each) for each in scenes] == together


def paints_or_loops(picture: Scene) -> bytes:
    while picture.alt == "picture 0":
        pass
    if picture.alt == "picture 13":
        os._exit(1)
    return picture.alt.encode()


async def test_a_picture_that_loops_is_given_up_and_not_tried_again_at_once() -> None:
    async with Studio(workers=1, painter=paints_or_loops, prepare=load_this, deadline=0.3) as pictures:
        await pictures.warm_up()
        several = [asyncio.create_task(pictures.paint(scene(0))) for _ in range(3)]
        others = [asyncio.create_task(pictures.paint(scene(n), LATER)) for n in range(1, 12)]
        assert {type(e) for e in await asyncio.gather(*several, return_exceptions=True)} == {TooSlow}
        assert await asyncio.gather(*others) == [f"picture {n}".encode() for n in range(1, 12)]
        with pytest.raises(TooSlow):
            await pictures.paint(scene(0))
        assert (pictures.counts.slow, pictures.counts.started, pictures.painted) == (1, 2, 11)


@pytest.mark.long
async def test_a_picture_that_kills_its_painter_takes_two_and_no_more() -> None:
    async with Studio(workers=1, painter=paints_or_loops, prepare=load_this) as pictures:
        await pictures.warm_up()
        for _ in range(3):
            with pytest.raises(WorkerDied):
                await pictures.paint(scene(13))
        assert await pictures.paint(scene(1)) == b"picture 1"
        assert pictures.counts.died == 2


async def test_a_stopped_painter_keeps_nobody_waiting() -> None:
    async with Studio(workers=1, painter=paints_or_loops, prepare=load_this, deadline=0.3) as pictures:
        await pictures.warm_up()
        os.kill(pictures.pool.pids[0], signal.SIGSTOP)
        assert await asyncio.wait_for(pictures.paint(scene(1)), LIMIT_SECONDS) == b"picture 1"


@pytest.mark.long
async def test_closing_does_not_wait_for_a_painter_that_hangs() -> None:
    pictures = Studio(workers=1, painter=paints_or_loops, prepare=load_this, deadline=600)
    await pictures.warm_up()
    hung = asyncio.create_task(pictures.paint(scene(0)))
    await until(lambda: pictures.pool.busy)
    await asyncio.wait_for(asyncio.to_thread(pictures.close), LIMIT_SECONDS)
    with pytest.raises(StudioClosed):
        await hung


class CalmFirst(Painter):
    """Paints no further picture of the busy channel after the sixth until the calm channel has its turn."""

    def __init__(self) -> None:
        super().__init__(held=True)
        self.calm_begun = threading.Event()

    def __call__(self, picture: Scene) -> bytes:
        if picture == scene(50):
            self.calm_begun.set()
        elif picture not in [scene(number) for number in range(6)]:
            assert self.calm_begun.wait(LIMIT_SECONDS)
        return super().__call__(picture)


async def test_one_channel_does_not_keep_the_pictures_of_another_waiting() -> None:
    painter = CalmFirst()
    async with Studio(painter=painter) as pictures:
        many = [asyncio.create_task(pictures.paint(scene(n), LATER, whose="busy")) for n in range(20)]
        await under_way(painter, THREADS)
        other = asyncio.create_task(pictures.paint(scene(50), LATER, whose="calm"))
        await until(lambda: pictures.pool.waiting == 21 - THREADS)
        painter.go.set()
        await asyncio.gather(*many, other)
    assert len(painter.painted) == 21


async def test_a_thousand_pictures_are_painted_or_refused() -> None:
    async with Studio(workers=1, painter=paints_or_loops, prepare=load_this) as pictures:
        await pictures.warm_up()
        later = [asyncio.create_task(pictures.paint(scene(n), LATER)) for n in range(100, 1100)]
        await asyncio.sleep(0)
        urgent = asyncio.create_task(pictures.paint(scene(5)))
        answers = await asyncio.wait_for(asyncio.gather(*later, return_exceptions=True), LIMIT_SECONDS)
        assert await urgent == b"picture 5"
    kinds = {type(answer) for answer in answers}
    assert kinds == {bytes, JobRefused}
    assert sum(isinstance(answer, bytes) for answer in answers) >= MOST_WAITING


def load_this() -> None:
    """Its import is the work: this module is loaded before the first picture."""
