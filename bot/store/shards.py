"""Which servers are a process's own: those of its shards of the connection to Discord.

Discord itself sends what is pressed in a server to the process that holds its shard, so a table lives where
its server does, and no process need speak to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, func, true

SNOWFLAKE_BITS = 22
"""Below these bits of an id stands the time at which it was made (Discord's rule for shards)."""
MOST = 4096
"""More shards than any bot has."""
_WRITTEN = re.compile(r"(\d+)(?:-(\d+))?")


class Shards(msgspec.Struct, frozen=True):
    """The shards of one process: `ids`, in order, of `count` in all.

    >>> Shards.read("0-1/6")
    Shards(count=6, ids=(0, 1))
    >>> Shards.read("0-1/6").own(81384788765712384)
    False
    """

    count: int = 1
    ids: tuple[int, ...] = (0,)

    @classmethod
    def read(cls, written: str) -> Shards:
        """Shards as they are set: `0-1/6`, `5/6`, `0,2-3/6`.

        Raises:
            ValueError: they are written in another way, or are not among the shards that there are.
        """
        some, slash, count = (each.strip() for each in written.partition("/"))
        parts = [_WRITTEN.fullmatch(each.strip()) for each in some.split(",")]
        if not slash or not count.isdigit() or None in parts:
            raise ValueError("write it like 0-1/6: these shards, of so many")
        ids = sorted({i for part in parts if part for i in _range(part)})
        if not 0 < int(count) <= MOST or not ids or ids[-1] >= int(count):
            raise ValueError(f"of {count} shards the first is 0 and the last {int(count) - 1}")
        return cls(int(count), tuple(ids))

    @property
    def whole(self) -> bool:
        """Whether all servers are this process's own."""
        return len(self.ids) == self.count

    @property
    def share(self) -> float:
        """How much of everything is this process's own, if servers are about alike.

        >>> Shards.read("0-1/8").share
        0.25
        """
        return len(self.ids) / self.count

    @property
    def first(self) -> bool:
        """Whether shard 0 is among them, to which all belongs that is in no server."""
        return 0 in self.ids

    def own(self, guild_id: int | None) -> bool:
        """Whether a server is this process's own; None for what is in no server."""
        return ((guild_id or 0) >> SNOWFLAKE_BITS) % self.count in self.ids

    def where(self, guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
        """`own`, for a column of a query."""
        if self.whole:
            return true()
        # a division, where PostgreSQL has no shift by what a parameter is: ids are never negative
        shard = func.coalesce(guild_id, 0) // (1 << SNOWFLAKE_BITS) % self.count
        return shard.in_(self.ids)


def _range(part: re.Match[str]) -> Iterable[int]:
    first = int(part[1])
    return range(first, min(int(part[2] or first), MOST) + 1)


ALL = Shards()
"""A process that has all servers."""
