"""The servers that belong to a process, by its shards of the connection to Discord.

Discord sends interactions from a server to the process that holds its shard. So a table belongs to the
process of its server, and processes need not talk to each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, func, true

SNOWFLAKE_BITS = 22
"""Number of low bits of an id below its creation time (Discord's formula for shards)."""
MOST = 4096
"""Maximum number of shards, more than any bot has."""
_WRITTEN = re.compile(r"(\d+)(?:-(\d+))?")


class Shards(msgspec.Struct, frozen=True):
    """The shards of one process: `ids`, in order, out of `count` in all.

    >>> Shards.read("0-1/6")
    Shards(count=6, ids=(0, 1))
    >>> Shards.read("0-1/6").own(81384788765712384)
    False
    """

    count: int = 1
    ids: tuple[int, ...] = (0,)

    @classmethod
    def read(cls, written: str) -> Shards:
        """Parse shards as written in settings: `0-1/6`, `5/6`, `0,2-3/6`.

        Raises:
            ValueError: the format is wrong, or a shard number is out of range.
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
        """Whether this process serves all servers."""
        return len(self.ids) == self.count

    @property
    def share(self) -> float:
        """The fraction of all work that is this process's own, assuming servers are about equal.

        >>> Shards.read("0-1/8").share
        0.25
        """
        return len(self.ids) / self.count

    @property
    def first(self) -> bool:
        """Whether this process holds shard 0, which everything outside servers belongs to."""
        return 0 in self.ids

    def own(self, guild_id: int | None) -> bool:
        """Return whether a server belongs to this process. None stands for everything outside servers."""
        return ((guild_id or 0) >> SNOWFLAKE_BITS) % self.count in self.ids

    def where(self, guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
        """Return `own` as an SQL condition on a column."""
        if self.whole:
            return true()
        # a division, because PostgreSQL cannot shift by a parameter of this type; ids are never negative
        shard = func.coalesce(guild_id, 0) // (1 << SNOWFLAKE_BITS) % self.count
        return shard.in_(self.ids)


def _range(part: re.Match[str]) -> Iterable[int]:
    first = int(part[1])
    return range(first, min(int(part[2] or first), MOST) + 1)


ALL = Shards()
"""A process that serves all servers."""
