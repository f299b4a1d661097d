"""Who may write: the lease of this process, and the time of tables, which stands still while nobody holds it.

One process at a time owns all tables, or all those of its shards (`bot.store.shards`): it has them together,
and the loss of one is the loss of all. It takes the lease, renews it every few seconds, and gives it back
when it stops; another one waits as a standby and takes over when the row has stood still for as long as a
lease lasts. Every write of the owner checks its epoch in its own transaction (`bot.store.leases`), so an
owner that was paused and is overtaken changes nothing any more.

The renewal is the heartbeat. *Table time* goes on from renewal to renewal and at most a little beyond:
what a process was paused, a database or Discord was out of reach, or nobody ran at all, counts for no
clock, and neither does a jump of the wall clock.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable

import structlog
from sqlalchemy import Connection

from bot.store import leases
from bot.store.database import Database, Fenced, StoreError
from bot.store.leases import Lease
from bot.store.shards import ALL, Shards
from bot.tables.ports import Clock

log = structlog.get_logger(__name__)

LEASE_SECONDS, RENEW_SECONDS = 10.0, 3.0


def name_of_process() -> str:
    """A name that no other process has, and that tells an operator which one it is."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(6)}"


class LeaseHolder:
    """The lease of one process, from waiting for it to giving it back."""

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
        """`longest_step`: how many seconds may count between two renewals; twice the usual by default."""
        self._database = database
        self._clock = clock
        self._ms = int(seconds * 1000)
        self.renew_every = renew_every
        self._longest = 2 * renew_every if longest_step is None else longest_step
        self._holder = name_of_process()
        self.shards = shards
        """Whose tables this process has."""
        self._mine: tuple[Lease, ...] = ()
        self._loop: asyncio.AbstractEventLoop
        self._base = 0
        """The table time of the last renewal."""
        self._since = 0.0
        """When that was, by the monotonic clock."""
        self._paused = False
        self._asked = False
        """Whether it has ever tried to take the lease."""
        self.lost = False
        """Whether somebody else has taken the lease: this process must stop."""
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
        """Why renewals are not stored: the kind of a StoreError, or that the database keeps silent for longer
        than a lease lasts; empty while all is well."""
        since = self._renewing_since
        if since is not None and self._clock.monotonic() - since > self._ms / 1000:
            return f"no answer within {self._ms / 1000:g} s"
        return self._failed

    def owns(self, guild_id: int | None) -> bool:
        """Whether tables of a server are this process's own. What is in no server is everybody's: it goes
        with its person, and each write expects the revision that it knows."""
        return guild_id is None or self.shards.own(guild_id)

    async def take(self) -> None:
        """Wait for the lease and take it; as long as another process renews it, this one is a standby.

        Raises:
            StoreError: the database cannot be used.
        """
        self._loop = asyncio.get_running_loop()
        seen: tuple[Lease, ...] | None = None
        since = self._clock.monotonic()
        waiting = False
        pause = min(1.0, self._ms / 10_000)
        while True:
            asked = self._clock.monotonic()
            try:
                now = await self._database.read_at_once(leases.read)
            except StoreError as found:
                if not waiting:
                    raise
                # a standby sits out a database that fails over
                log.warning("the lease can't be read", kind=found.kind)
                since = self._clock.monotonic()  # while nobody could be reached, nobody could renew
                await self._clock.sleep(pause)
                continue
            others = leases.in_the_way(now, self.shards)
            if others != seen:
                seen, since = others, self._clock.monotonic()
            else:
                since += self._clock.monotonic() - asked  # nor while the database kept silent
            stood_still = self._clock.monotonic() - since >= self._ms / 1000
            if not others or stood_still:
                try:
                    if await self._try(now):
                        return
                except StoreError as found:
                    # a paused owner in the middle of a write holds its lock until the database ends it; and a
                    # standby sits out a database that fails over
                    away = found.doubtful or found.kind == "gone"
                    if found.kind not in ("locked", "slow", "conflict") and not (waiting and away):
                        raise
                    log.info("the lease can't be had yet", why=found.kind)
            elif not waiting:
                waiting = True
                log.info("standby: another process plays", holder=others[0].holder, epoch=others[0].epoch)
            await self._clock.sleep(pause)

    async def _try(self, seen: tuple[Lease, ...]) -> bool:
        wall, self._asked = self._clock.now(), True

        def take(connection: Connection) -> tuple[Lease, ...]:
            at = wall if seen else leases.last_heartbeat(connection) or wall
            return leases.take(
                connection, seen, self._holder, until=wall + self._ms, at=at, shards=self.shards
            )

        mine = await self._database.write_at_once(take, fenced=False)
        if not mine:
            return False
        self._mine, self._base, self._since = mine, mine[-1].at, self._clock.monotonic()
        after = ", ".join(sorted({lease.holder for lease in seen if lease.holder}))
        log.info("lease taken", epoch=mine[-1].epoch, after=after, **self._named())
        return True

    def _named(self) -> dict[str, str]:
        """The shards, for the log, where there are others elsewhere."""
        return {} if self.shards.whole else {"shards": f"{self.shards.ids} of {self.shards.count}"}

    async def renew(self) -> bool:
        """Hold on to the lease; False where somebody else has it by now.

        Raises:
            StoreError: the database did not answer. The lease may still be ours: the next one tells.
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
        except StoreError as found:
            self._failed = found.kind
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
        """Leave the lease to whoever waits, at once; where the database is out of reach it runs out."""
        at = self.now() if self._mine else None
        self._mine = ()
        asked, self._asked = self._asked, False
        if self.lost or not asked:
            return
        try:
            # by name: a stop may come just when the lease has been taken, and nobody has heard of it
            await self._database.write_at_once(
                lambda connection: leases.give_back(connection, self._holder, at), fenced=False
            )
        except StoreError as found:
            log.warning("lease not given back", kind=found.kind)

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
        """The table time in milliseconds."""
        if self._paused or not self._mine:
            return self._base
        step = self._clock.monotonic() - self._since
        return self._base + int(1000 * min(max(step, 0.0), self._longest))

    def wall(self, at: int) -> int:
        """The wall clock's time at a table time, as things stand; both in milliseconds."""
        return self._clock.now() + at - self.now()

    def pause(self) -> None:
        """Let table time stand still: Discord is away, so nobody can press."""
        if not self._paused:
            self._base, self._paused = self.now(), True

    def go_on(self) -> None:
        """Let table time go on."""
        if self._paused:
            self._paused, self._since = False, self._clock.monotonic()
