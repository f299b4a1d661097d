"""Locks by key."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class KeyedLock:
    """One lock for each key, such as a table's number. A lock that no one holds or waits for is forgotten."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Hashable) -> asyncio.Lock:
        """Return the lock of a key, for `async with`."""
        return self._locks.setdefault(key, asyncio.Lock())
