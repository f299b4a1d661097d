"""Retention of old rows: finished games are folded, and tables where nothing was played are deleted."""

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
"""Seconds between two batches, for others to write."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Retention periods in days; 0 keeps rows as they are."""

    fold_days: int = 30
    """Days from the end of a game until it is folded."""
    lobby_days: int = 7
    """Days until a table that was closed before anything was played is deleted."""


@dataclass(frozen=True, slots=True)
class Unreplayed:
    """Numbers of games in the database that do not replay: open ones rest, finished ones are not folded."""

    open: int = 0
    finished: int = 0


class Retention:
    """Folding of finished games and removal of tables where nothing was played, a few at a time."""

    def __init__(
        self, database: Database, clock: Clock, thinker: Thinker, keeping: Keeping | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._thinker = thinker
        self._keeping = keeping or Keeping()
        self._busy = False
        self._passed_over = set[int]()
        """Games for which the worker gave no answer. This process does not ask again."""
        self._first = True
        self.unreplayed = Unreplayed()
        """Games that did not replay, as of the last round."""

    async def round(self) -> None:
        """Do the work that is due. Stop early if another process does it, or if no worker answers.

        Raises:
            StoreError: the database did not answer. Games that were folded stay folded.
        """
        if self._busy:  # the previous round is still running
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
        folded_count = 0
        for _ in range(BATCHES):
            most = BATCH + len(self._passed_over)
            due = await self._database.read_at_once(partial(folds.due, before=before, most=most))
            ids = [game_id for game_id in due if game_id not in self._passed_over][:BATCH]
            if not ids:
                break
            games, unfoldable = await self._database.read_at_once(partial(compaction.read, ids=ids))
            try:
                results = await self._packed(games)
            except NoAnswer as error:
                log.info("games not folded yet", why=error.why)
                break
            unfoldable += [one for one in results if isinstance(one, Unfoldable)]
            packed = [one for one in results if isinstance(one, Fold)]
            done = await self._keep(packed, unfoldable)
            folded_count += done
            if not done and not unfoldable and packed:
                break  # another process folds them
            await self._clock.sleep(PAUSE_SECONDS)
        if folded_count:
            log.info("games folded", games=folded_count)

    async def _keep(self, packed: Sequence[Fold], unfoldable: Sequence[Unfoldable]) -> int:
        at, why = (
            self._clock.now(),
            {game.table: Unfolded(game=game.game, why=game.why) for game in unfoldable},
        )

        def write(connection: Connection) -> int:
            done = folds.keep(connection, packed, list(why), at)
            unfolded.note(connection, why)
            return done

        done = await self._database.write_at_once(write)
        for game in unfoldable:
            log.warning("game not folded", table=game.table, game=game.game, why=game.why)
        return done

    async def _packed(self, games: Sequence[Ended]) -> list[Fold | Unfoldable]:
        """Return these games packed by the worker. If it breaks, ask it for each game alone.

        Raises:
            NoAnswer: no worker is available.
        """
        try:
            return await self._ask(games)
        except (TooSlow, WorkerDied):
            pass
        results = list[Fold | Unfoldable]()
        for game in games:
            try:
                results += await self._ask([game])
            except (TooSlow, WorkerDied) as error:
                self._passed_over.add(game.table)
                log.warning("game not folded", table=game.table, game=game.game, why=error.why)
        return results

    async def _ask(self, games: Sequence[Ended]) -> list[Fold | Unfoldable]:
        results = await self._thinker.run(compaction.folded, games, whose=0)
        if not isinstance(results, list):
            raise TypeError(f"no folds but {type(results)}")
        return results


async def drop_in_batches(database: Database, clock: Clock, drop: Callable[[Connection], int]) -> None:
    """Remove old rows in batches of `BATCH`.

    `drop` removes up to that many rows, and returns how many it removed.

    Raises:
        StoreError: the database did not answer. Rows that were removed before stay removed.
    """
    for _ in range(BATCHES):
        if await database.write_at_once(drop) < BATCH:
            return
        await clock.sleep(PAUSE_SECONDS)


def unreplayed(connection: Connection) -> Unreplayed:
    """Count the games that do not replay. Of finished games, count those that could not be folded."""
    return Unreplayed(len(queries.resting(connection)), unfolded.count(connection))
