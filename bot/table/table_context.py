"""The parts of a bot that all its tables share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Generic, TypeVar

from bot.core.clock import Clock, SystemClock
from bot.core.errors import Refused
from bot.store.database import Database
from engine.game import Event

T = TypeVar("T")


@dataclass(slots=True)
class TableContext(Generic[T]):
    """The parts that every table (`T`) of a bot shares.

    `now` is the table time, `wall` the time of day at a table time.
    """

    database: Database
    clock: Clock
    _: KW_ONLY
    now: Callable[[], int]
    wall: Callable[[int], int]
    find: Callable[[int], Awaitable[T]]
    changed: Callable[[T, Sequence[Event]], None]
    rescheduled: Callable[[T], None]
    shown: Callable[[T], None]
    host_changed: Callable[[T], None]
    accounts: Mapping[int, str] = field(default_factory=dict)
    """Account names of people seen since the start."""

    @classmethod
    def alone(cls, database: Database) -> TableContext[Any]:
        """Return a context for reading a table outside of a bot.

        It reports changes to no one, and finds no other tables.
        """
        clock = SystemClock()

        async def find(table_id: int) -> T:
            raise Refused("no_table", table=table_id)

        return cls(
            database,
            clock,
            now=clock.now,
            wall=lambda at: at,
            find=find,
            changed=lambda _table, _news: None,
            rescheduled=lambda _table: None,
            shown=lambda _table: None,
            host_changed=lambda _table: None,
        )
