"""Settings of people for their own seats at a table: automatic passes and pings."""

from __future__ import annotations

from msgspec.structs import replace

from bot.core.errors import Refused
from bot.store.games import Change
from bot.table.table import Table, changes
from bot.table.turns import PASS


@changes(quiet=True)
async def set_autopass(table: Table, user_id: int, seconds: int) -> None:
    """Let a person's seats pass automatically after this many seconds, or never if 0.

    Raises:
        Refused: they do not sit here.
        StoreError: it could not be stored.
    """
    mine, before = table.seats_of(user_id), table.stored.terms
    if not mine:
        raise Refused("not_seated")
    terms = replace(before, autopass={**before.autopass, user_id: seconds})
    wanted = table.deadlines
    if table.state is not None and table.phase == "live" and not table.asleep:
        others = [s for s in table.state.to_act() if s not in mine]
        # the person's turn clock keeps running, and only the pass is replaced
        kept = [d for d in table.deadlines if d.seat in mine and d.kind != PASS]
        fresh = table.deadlines_of(table.state, others, terms=terms)
        deadlines = (*kept, *(d for d in fresh if d.seat not in mine or d.kind == PASS))
        wanted = tuple(sorted(deadlines, key=lambda each: (each.due_at, each.seat, each.kind)))
    await table.keep(Change({"terms": terms}, deadlines=wanted, quiet=True))


@changes(quiet=True)
async def set_pings(table: Table, user_id: int, *, wanted: bool) -> None:
    """Set whether a person is pinged at this table when it is their turn.

    Raises:
        Refused: they do not sit here.
        StoreError: it could not be stored.
    """
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    others = tuple(user for user in table.stored.terms.quiet if user != user_id)
    terms = replace(table.stored.terms, quiet=others if wanted else (*others, user_id))
    await table.keep(Change({"terms": terms}, quiet=True))
