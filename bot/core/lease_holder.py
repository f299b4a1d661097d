"""The lease of this process, and table time, which advances only while a process holds the lease.

One process at a time owns all tables, or all those of its shards (`bot.store.shards`): it holds their leases
together and loses them together. It takes the lease, renews it every few seconds, and releases it when it
stops. Another process waits as a standby and takes over once the row has not changed for the duration of a
lease. Every write of the owner checks its epoch in its own transaction (`bot.store.leases`), so an owner
that was paused and overtaken can no longer change anything.

The renewal is the heartbeat. *Table time* advances from renewal to renewal and at most a little further. A
pause of the process, an unreachable database or Discord, a stop, or a jump of the wall clock does not count.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable

import structlog
from sqlalchemy import Connection

from bot.core.clock import Clock
from bot.store import leases
from bot.store.database import Database, Fenced, StoreError
from bot.store.leases import Lease
from bot.store.shards import ALL, Shards

log = structlog.get_logger(__name__)

LEASE_SECONDS, RENEW_SECONDS = 10.0, 3.0


def name_of_process() -> str:
    """Return a unique name by which an operator recognises the process."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(6)}"


class LeaseHolder:
    """The lease of one process, from waiting for it to releasing it."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        shards: Shards = ALL,
        seconds: float = LEASE_SECONDS,
        renew_every: float = RENEW_SECONDS,
        longest_step: float | None = None,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        """`longest_step`: most seconds of table time between two renewals; twice `renew_every` by default."""
        self._database = database
        self._clock = clock
        self._ms = int(seconds * 1000)
        self.renew_every = renew_every
        self._longest = 2 * renew_every if longest_step is None else longest_step
        self._holder = name_of_process()
        self.shards = shards
        """The shards whose tables belong to this process."""
        self._mine: tuple[Lease, ...] = ()
        self._loop: asyncio.AbstractEventLoop
        self._base = 0
        """The table time of the last renewal."""
        self._since = 0.0
        """The monotonic time of the last renewal."""
        self._paused = False
        self._asked = False
        """Whether this process has tried to take the lease."""
        self.lost = False
        """Whether another process has taken the lease, so that this one must stop."""
        self._failed = ""
        self._renewing_since: float | None = None
        self.on_lost = on_lost
        database.fence = self._fence

    # -- the lease --------------------------------------------------------------------------

    @property
    def held(self) -> bool:
        """Whether this process holds the lease, as far as it knows."""
        return bool(self._mine) and not self.lost

    @property
    def trouble(self) -> str:
        """The reason why renewals are not stored; empty if they are.

        It is the kind of a StoreError, or that the database has not answered for the duration of a lease.
        """
        since = self._renewing_since
        if since is not None and self._clock.monotonic() - since > self._ms / 1000:
            return f"no answer within {self._ms / 1000:g} s"
        return self._failed

    def owns(self, guild_id: int | None) -> bool:
        """Return whether the tables of a server belong to this process.

        Tables outside servers belong to every process: each write expects the revision that it knows.
        """
        return guild_id is None or self.shards.own(guild_id)

    async def take(self) -> None:
        """Wait for the lease and take it. While another process renews it, this one is a standby.

        Raises:
            StoreError: the database cannot be used.
        """
        self._loop = asyncio.get_running_loop()
        known: tuple[Lease, ...] | None = None
        since = self._clock.monotonic()
        waiting = False
        pause = min(1.0, self._ms / 10_000)
        while True:
            asked = self._clock.monotonic()
            try:
                now = await self._database.read_at_once(leases.read)
            except StoreError as failure:
                if not waiting:
                    raise
                # a standby waits while a database fails over
                log.warning("the lease can't be read", kind=failure.kind)
                since = self._clock.monotonic()  # while the database was unreachable, no process could renew
                await self._clock.sleep(pause)
                continue
            others = leases.in_the_way(now, self.shards)
            if others != known:
                known, since = others, self._clock.monotonic()
            else:
                since += self._clock.monotonic() - asked  # nor while it did not answer
            stood_still = self._clock.monotonic() - since >= self._ms / 1000
            if not others or stood_still:
                try:
                    if await self._try(now):
                        return
                except StoreError as failure:
                    # an owner that is paused in a write holds its lock until the database ends it, and a
                    # standby waits while a database fails over
                    away = failure.doubtful or failure.kind == "gone"
                    if failure.kind not in ("locked", "slow", "conflict") and not (waiting and away):
                        raise
                    log.info("the lease can't be had yet", why=failure.kind)
            elif not waiting:
                waiting = True
                log.info("standby: another process plays", holder=others[0].holder, epoch=others[0].epoch)
            await self._clock.sleep(pause)

    async def _try(self, known: tuple[Lease, ...]) -> bool:
        wall, self._asked = self._clock.now(), True

        def take(connection: Connection) -> tuple[Lease, ...]:
            at = wall if known else leases.last_heartbeat(connection) or wall
            return leases.take(
                connection, known, self._holder, until=wall + self._ms, at=at, shards=self.shards
            )

        mine = await self._database.write_at_once(take, fenced=False)
        if not mine:
            return False
        self._mine, self._base, self._since = mine, mine[-1].at, self._clock.monotonic()
        after = ", ".join(sorted({lease.holder for lease in known if lease.holder}))
        log.info("lease taken", epoch=mine[-1].epoch, after=after, **self._named())
        return True

    def _named(self) -> dict[str, str]:
        """Return the shards for the log if other processes have the rest."""
        return {} if self.shards.whole else {"shards": f"{self.shards.ids} of {self.shards.count}"}

    async def renew(self) -> bool:
        """Renew the lease. Return False if another process has taken it.

        Raises:
            StoreError: the database did not answer. The lease may still be held: the next renewal shows it.
        """
        mine = self._mine
        if not mine or self.lost:
            return False
        at, began = self.now(), self._clock.monotonic()
        until = self._clock.now() + self._ms
        self._renewing_since = began
        try:
            fresh = await self._database.write_at_once(
                lambda connection: leases.renew(connection, mine, until, at), fenced=False
            )
        except StoreError as failure:
            self._failed = failure.kind
            raise
        finally:
            self._renewing_since = None
        self._failed = ""
        if not fresh:
            self._lose()
            return False
        self._mine, self._base, self._since = fresh, at, began
        return True

    async def give_back(self) -> None:
        """Release the lease for the next process. If the database is unreachable, the lease expires."""
        at = self.now() if self._mine else None
        self._mine = ()
        asked, self._asked = self._asked, False
        if self.lost or not asked:
            return
        try:
            # find it by name: a stop may come after the lease was taken and before the answer arrived
            await self._database.write_at_once(
                lambda connection: leases.give_back(connection, self._holder, at), fenced=False
            )
        except StoreError as failure:
            log.warning("lease not given back", kind=failure.kind)

    def _fence(self, connection: Connection, *, alone: bool = False) -> None:
        mine = self._mine
        if not mine or self.lost:
            raise Fenced("this process holds no lease")
        if not leases.are_held(connection, mine, alone=alone):
            self._loop.call_soon_threadsafe(self._lose)  # writes may run in a thread of their own
            raise Fenced(f"epoch {mine[-1].epoch} is over")

    def _lose(self) -> None:
        if not self.lost:
            self.lost = True
            epoch = self._mine[-1].epoch if self._mine else 0
            log.error("another process has taken over; this one stops", epoch=epoch, **self._named())
            self.on_lost()

    # -- table time -------------------------------------------------------------------------

    def now(self) -> int:
        """Return the table time in milliseconds."""
        if self._paused or not self._mine:
            return self._base
        step = self._clock.monotonic() - self._since
        return self._base + int(1000 * min(max(step, 0.0), self._longest))

    def wall(self, at: int) -> int:
        """Return the wall clock's time at a table time if time advances until then; both in milliseconds."""
        return self._clock.now() + at - self.now()

    def pause(self) -> None:
        """Stop table time: Discord is unreachable, so no one can press."""
        if not self._paused:
            self._base, self._paused = self.now(), True

    def go_on(self) -> None:
        """Resume table time."""
        if self._paused:
            self._paused, self._since = False, self._clock.monotonic()
