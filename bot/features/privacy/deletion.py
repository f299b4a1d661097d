"""Deleting a person from a bot that runs: what is open is left, then all goes in small steps, and memory
follows each of them."""

from __future__ import annotations

from collections.abc import Callable, Collection

import structlog

from bot.core.errors import Refused
from bot.core.service import Service
from bot.store.database import Database, StoreError
from bot.store.personal_data import personal
from bot.store.personal_data.forgetting import Deletion, Forgotten
from bot.table import lobby
from bot.table.game_runner import steady
from bot.table.people.leaving import forfeit, leave_game
from bot.table.registry import Tables
from bot.table.table import Table

log = structlog.get_logger(__name__)


async def delete_person(
    tables: Tables,
    services: Collection[Service],
    user_id: int,
    called: Callable[[Table], str],
    told: Callable[[Table, str, bool], None] = lambda _table, _name, _decided: None,
) -> None:
    """Leave whatever is open, then delete the person; `called` names the opponent who takes a seat.

    `told` hears of each game that goes on without them: the name of the opponent, and whether the game was
    decided before.

    Leaving counts as leaving always does. Nothing is written where nothing is kept. Pressing again after a
    failure continues where it stopped.

    Raises:
        Refused: a table is still being stored, or is played by another process; nothing is deleted yet.
        StoreError: it was not stored, or nobody can tell.
    """
    if away := await tables.in_other_processes(user_id):
        raise Refused(
            "leave_there_first", tables=", ".join(f"[{at.facts['table']}]({at.facts['url']})" for at in away)
        )
    for service in services:
        await service.leave_everything(user_id)
    left = set[int]()
    while found := [table for table in await tables.of_user(user_id) if table.id not in left]:
        for table in found:
            left.add(table.id)
            await _leave(table, user_id, called, told)
    await _delete(tables, services, user_id)


async def _delete(tables: Tables, services: Collection[Service], user_id: int) -> None:
    database, at = tables.database, tables.clock.now()
    deletion = Deletion(user_id, at)
    if (await database.read_at_once(lambda c: personal.kept(c, user_id, at))).some:
        await database.write_at_once(deletion.begin)
        await _search(database, deletion)
    else:
        await _search(database, deletion)  # someone may have invited them
        if not deletion.found:
            return
        await database.write_at_once(deletion.begin)
    more = True
    while more:
        try:
            more = await database.write_at_once(deletion.step)
        except StoreError as found_out:
            if found_out.doubtful:  # it may be stored: memory follows whichever way it went
                await _follow(tables, services, deletion.touched)
            raise
        await _follow(tables, services, deletion.touched)


async def _search(database: Database, deletion: Deletion) -> None:
    """Find what names the person, a few rows at a time: other reads come in between."""
    while await database.read_at_once(deletion.search):
        pass


async def _follow(tables: Tables, services: Collection[Service], gone: Forgotten) -> None:
    """Read again what a step has changed in rows. What cannot be read is in doubt, and asked for later."""
    for table in [table for table in tables.cache.values() if table.id in gone.changed.get("games", ())]:
        try:
            await table.read_again()
        except (StoreError, Refused) as trouble:
            log.warning("not read again yet", unit=str(table), why=str(trouble))
    for service in services:
        await service.reread(gone)


async def _leave(
    table: Table, user_id: int, called: Callable[[Table], str], told: Callable[[Table, str, bool], None]
) -> None:
    """Leave an open table in the way that its people leave it."""
    try:
        if table.phase == "lobby":
            await lobby.leave(table, user_id)
        elif table.outcome() is not None:
            return  # played to its end, and about to be settled
        elif table.stored.terms.tournament:
            await forfeit(table, user_id)
        else:
            name, decided = called(table), table.stored.terms.decided
            await leave_game(table, user_id, steady(table.game), name)
            if table.phase == "live":
                told(table, name, decided)
    except Refused as refused:
        if refused.key == "slow":
            raise
        log.info("left already", table=table.id, why=refused.key)
