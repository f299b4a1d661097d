"""Locks by key."""

from __future__ import annotations

import asyncio
import gc
import weakref

from bot.core.keyed_lock import KeyedLock
from tests.support.waiting import turns


async def test_work_of_one_key_takes_turns_and_other_keys_do_not_wait() -> None:
    locks, order = KeyedLock(), list[str]()
    leave = asyncio.Event()

    async def work(key: int, name: str) -> None:
        async with locks.of(key):
            order.append(f"{name} in")
            await leave.wait()
            order.append(f"{name} out")

    tasks = [asyncio.create_task(work(*each)) for each in ((1, "ann"), (1, "ben"), (2, "cleo"))]
    await turns(3)
    assert order == ["ann in", "cleo in"]
    leave.set()
    await asyncio.gather(*tasks)
    assert order.index("ann out") < order.index("ben in")


async def test_a_lock_is_kept_while_it_is_held_and_forgotten_afterwards() -> None:
    locks = KeyedLock()
    async with locks.of("night 7"):
        gc.collect()
        assert locks.of("night 7").locked()
        held = weakref.ref(locks.of("night 7"))
    gc.collect()
    assert held() is None
