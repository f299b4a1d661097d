"""Check whether the games of a database replay: part of verifying a backup, and done before a restore."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from sqlalchemy import select

from bot.store import folds
from bot.store.database import Database, StoreError
from bot.store.games import OPEN_PHASES
from bot.store.models import GameRow, table_of
from bot.table.storage.compaction import OTHER_END
from bot.table.storage.rebuild import read_table
from bot.table.storage.resting import reason_of
from engine.digests import digest

_GAMES = table_of(GameRow)


class Fault(msgspec.Struct, frozen=True):
    """A game that does not replay, with its phase and a short reason."""

    table: int
    game: str
    phase: str
    why: str


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """The result of replaying a database."""

    live: int
    closed: int
    faults: tuple[Fault, ...]

    @property
    def resting(self) -> tuple[Fault, ...]:
        """The open games that would not come back. Finished games do not matter here, because rules
        change."""
        return tuple(fault for fault in self.faults if fault.phase in OPEN_PHASES)


async def replay_all(
    database: Database, *, closed: bool = False, told: Callable[[int], object] = lambda _done: None
) -> ReplayReport:
    """Replay every open game and, with `closed`, every finished one, without changing anything.

    `told` is called with the number of games done so far.

    Raises:
        StoreError: the database itself cannot be read.
    """
    query = select(_GAMES.c.id, _GAMES.c.game, _GAMES.c.phase).order_by(_GAMES.c.id)
    found = await database.read_at_once(lambda connection: list(connection.execute(query)))
    faults, count = [], {True: 0, False: 0}
    for game_id, game, phase in found:
        live = phase in OPEN_PHASES
        if not (live or (closed and phase == "over")):
            continue
        count[live] += 1
        if why := await _why_not(database, game_id):
            faults.append(Fault(game_id, game, phase, why))
        told(sum(count.values()))
    return ReplayReport(count[True], count[False], tuple(faults))


async def _why_not(database: Database, game_id: int) -> str | None:
    """Return the reason a game does not replay, or None. Reads the game as the bot does when someone acts."""
    try:
        table = await read_table(database, game_id)
        kept = await database.read_at_once(lambda connection: folds.digest_of(connection, game_id))
        if kept is not None and table.state is not None and digest(table.stored.game, table.state) != kept:
            return OTHER_END
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one game, the others are looked at
        return reason_of(error)
    return None
