"""Deleting a person from a bot that runs: what is open is left, all goes in one transaction, then memory
follows."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.store.database import StoreError
from bot.store.forgetting import Forgotten, forget
from bot.tables import lobby
from bot.tables.croupier import steady
from bot.tables.elsewhere import over_there
from bot.tables.nights import Nights
from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.tables.tournaments import Tournaments

log = structlog.get_logger(__name__)


async def delete_person(
    tables: Tables,
    tournaments: Tournaments,
    nights: Nights,
    user_id: int,
    called: Callable[[Table], str],
) -> Forgotten:
    """Leave whatever is open, then delete the person; `called` names the opponent who takes a seat.

    Leaving counts as leaving always does. Pressing again after a failure goes on where it stopped.

    Raises:
        Refused: a table is still being stored, or is played by another process; nothing is deleted yet.
        StoreError: it was not stored, or nobody can tell.
    """
    if away := await over_there(tables, user_id):
        raise Refused(
            "leave_there_first", tables=", ".join(f"[{at.facts['table']}]({at.facts['url']})" for at in away)
        )
    for tournament in tournaments.entered(user_id):
        await tournaments.leave(tournament, user_id)
    await nights.leave(user_id)
    left = set[int]()
    while found := [table for table in await tables.of_user(user_id) if table.id not in left]:
        for table in found:
            left.add(table.id)
            await _leave(table, user_id, called)
    tried: list[Forgotten] = []
    try:
        await tables.database.write_at_once(lambda c: tried.append(forget(c, user_id)))
    except StoreError as found_out:
        if found_out.doubtful and tried:  # it may be stored: memory follows whichever way it went
            await _follow(tables, tournaments, tried[-1])
        raise
    await _follow(tables, tournaments, tried[-1])
    return tried[-1]


async def _follow(tables: Tables, tournaments: Tournaments, gone: Forgotten) -> None:
    """Read again what a deletion has changed in rows; where that fails it is in doubt, and asked later."""
    for table in [table for table in tables.shelf.held() if table.id in gone.games]:
        try:
            await table.read_again()
        except (StoreError, Refused) as trouble:
            log.warning("not read again yet", unit=str(table), why=str(trouble))
    await tournaments.rewritten(gone.tournaments)


async def _leave(table: Table, user_id: int, called: Callable[[Table], str]) -> None:
    """Leave an open table in the way that its people leave it."""
    try:
        if table.phase == "lobby":
            await lobby.leave(table, user_id)
        elif table.outcome() is not None:
            return  # played to its end, and about to be settled
        elif table.stored.terms.tournament:
            await table.forfeit(user_id)
        else:
            await table.give_up_seat(user_id, steady(table.game), called(table))
    except Refused as refused:
        if refused.key == "slow":
            raise
        log.info("left already", table=table.id, why=refused.key)
