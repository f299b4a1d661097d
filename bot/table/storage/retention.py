"""What becomes of old rows: finished games are folded, tables at which nothing was played vanish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from sqlalchemy import Connection

from bot.core.clock import Clock
from bot.store import contacts, folds, queries, unfolded
from bot.store.database import Database
from bot.store.days import DAY_MS
from bot.store.folds import Fold
from bot.store.personal_data import kept_limits
from bot.store.unfolded import Unfolded
from bot.table.ports import Thinker
from bot.table.storage import compaction
from bot.table.storage.compaction import Ended, Unfoldable
from bot.workers.errors import NoAnswer, TooSlow, WorkerDied

log = structlog.get_logger(__name__)

BATCH: Final = 10
"""Number of rows or games changed per transaction."""
BATCHES: Final = 2000
"""Maximum number of batches per round: 20,000 games an hour."""
PAUSE_SECONDS: Final = 0.05
"""Between two batches others may write."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How long what is kept, in days; 0 for ever as it is."""

    fold_days: int = 30
    """After its end a game is folded."""
    lobby_days: int = 7
    """A table that was closed before anything was played vanishes."""


@dataclass(frozen=True, slots=True)
class Unreplayed:
    """How many games of the whole database do not replay: open ones rest, finished ones are not folded."""

    open: int = 0
    finished: int = 0


class Retention:
    """Folds games and removes what was never played, a few at a time."""

    def __init__(
        self, database: Database, clock: Clock, thinker: Thinker, keeping: Keeping | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._thinker = thinker
        self._keeping = keeping or Keeping()
        self._busy = False
        self._passed_over = set[int]()
        """Games of which the worker gave no answer: this process does not ask again."""
        self._first = True
        self.unreplayed = Unreplayed()
        """What did not replay, as the last round found it."""

    async def round(self) -> None:
        """Do what is due; it ends early where another process does it, or no worker answers.

        Raises:
            StoreError: the database did not answer; what was folded stays folded.
        """
        if self._busy:  # the round of an hour ago still goes on
            return
        self._busy = True
        try:
            now = self._clock.now()
            if days := self._keeping.lobby_days:
                await self._drop(partial(folds.drop_unplayed, before=now - days * DAY_MS, most=BATCH))
            await self._drop(partial(kept_limits.drop_over, before=now, most=BATCH))
            await self._drop(partial(contacts.drop_over, before=now - contacts.FORGOTTEN_MS, most=BATCH))
            if days := self._keeping.fold_days:
                if self._first:
                    await self._database.write_at_once(unfolded.try_again)
                    self._first = False
                await self._fold(now - days * DAY_MS)
            self.unreplayed = await self._database.read_at_once(unreplayed)
        finally:
            self._busy = False

    async def _drop(self, drop: Callable[[Connection], int]) -> None:
        await drop_in_batches(self._database, self._clock, drop)

    async def _fold(self, before: int) -> None:
        kept = 0
        for _ in range(BATCHES):
            most = BATCH + len(self._passed_over)
            due = await self._database.read_at_once(partial(folds.due, before=before, most=most))
            ids = [game_id for game_id in due if game_id not in self._passed_over][:BATCH]
            if not ids:
                break
            games, left = await self._database.read_at_once(partial(compaction.read, ids=ids))
            try:
                found = await self._packed(games)
            except NoAnswer as trouble:
                log.info("games not folded yet", why=trouble.why)
                break
            left += [one for one in found if isinstance(one, Unfoldable)]
            packed = [one for one in found if isinstance(one, Fold)]
            done = await self._keep(packed, left)
            kept += done
            if not done and not left and packed:
                break  # another process folds them
            await self._clock.sleep(PAUSE_SECONDS)
        if kept:
            log.info("games folded", games=kept)

    async def _keep(self, packed: Sequence[Fold], left: Sequence[Unfoldable]) -> int:
        at, why = self._clock.now(), {one.table: Unfolded(game=one.game, why=one.why) for one in left}

        def write(connection: Connection) -> int:
            done = folds.keep(connection, packed, list(why), at)
            unfolded.note(connection, why)
            return done

        done = await self._database.write_at_once(write)
        for one in left:
            log.warning("game not folded", table=one.table, game=one.game, why=one.why)
        return done

    async def _packed(self, games: Sequence[Ended]) -> list[Fold | Unfoldable]:
        """These games packed by the worker; where it breaks, each is asked of alone.

        Raises:
            NoAnswer: there is no worker at present.
        """
        try:
            return await self._ask(games)
        except (TooSlow, WorkerDied):
            pass
        found = list[Fold | Unfoldable]()
        for each in games:
            try:
                found += await self._ask([each])
            except (TooSlow, WorkerDied) as trouble:
                self._passed_over.add(each.table)
                log.warning("game not folded", table=each.table, game=each.game, why=trouble.why)
        return found

    async def _ask(self, games: Sequence[Ended]) -> list[Fold | Unfoldable]:
        found = await self._thinker.run(compaction.folded, games, whose=0)
        if not isinstance(found, list):
            raise TypeError(f"no folds but {type(found)}")
        return found


async def drop_in_batches(database: Database, clock: Clock, drop: Callable[[Connection], int]) -> None:
    """Remove old rows, `BATCH` at a time; `drop` removes up to that many and returns how many it removed.

    Raises:
        StoreError: the database did not answer; the rows removed before that stay removed.
    """
    for _ in range(BATCHES):
        if await database.write_at_once(drop) < BATCH:
            return
        await clock.sleep(PAUSE_SECONDS)


def unreplayed(connection: Connection) -> Unreplayed:
    """Count what does not replay; of finished games those at which folding has tried."""
    return Unreplayed(len(queries.resting(connection)), unfolded.count(connection))
