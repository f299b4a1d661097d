"""Reading and writing tournaments."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import EntrantRow, TournamentRow, table_of
from bot.store.terms import CupTerms, as_json, cup_terms

_CUPS, _ENTRANTS = table_of(TournamentRow), table_of(EntrantRow)


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who takes part."""

    user_id: int
    name: str
    joined_at: int


class StoredCup(msgspec.Struct, kw_only=True):
    """One tournament as the database has it. `bracket` is empty until it begins."""

    id: int = 0
    phase: str = "open"
    name: str
    game: str
    options: dict[str, Any]
    terms: CupTerms
    bracket: dict[str, Any] = {}
    guild_id: int
    channel_id: int
    message_id: int | None = None
    host_id: int
    locale: str = "en"
    created_at: int
    ended_at: int | None = None


async def create(connection: AsyncConnection, cup: StoredCup) -> int:
    """Store a new tournament; its id."""
    values = {name: getattr(cup, name) for name in StoredCup.__struct_fields__ if name != "id"}
    values["terms"] = as_json(cup.terms)
    done = await connection.execute(insert(_CUPS).values(values))
    key = done.inserted_primary_key
    return int(key[0]) if key else 0


async def change(connection: AsyncConnection, cup_id: int, **values: Any) -> None:
    """Change columns of a tournament."""
    await connection.execute(update(_CUPS).where(_CUPS.c.id == cup_id).values(values))


async def load(connection: AsyncConnection, *phases: str) -> list[tuple[StoredCup, list[Entrant]]]:
    """All tournaments in these phases with those who take part, oldest first."""
    found = await connection.execute(select(_CUPS).where(_CUPS.c.phase.in_(phases)).order_by(_CUPS.c.id))
    cups = [StoredCup(**{name: row._mapping[name] for name in StoredCup.__struct_fields__}) for row in found]
    for cup in cups:
        cup.terms = cup_terms(cup.terms)
    entrants: dict[int, list[Entrant]] = {cup.id: [] for cup in cups}
    query = select(_ENTRANTS).order_by(_ENTRANTS.c.joined_at, _ENTRANTS.c.user_id)
    for row in await connection.execute(query.where(_ENTRANTS.c.tournament_id.in_(entrants))):
        entrants[row.tournament_id].append(Entrant(row.user_id, row.name, row.joined_at))
    return [(cup, entrants[cup.id]) for cup in cups]


async def enter(connection: AsyncConnection, cup_id: int, entrant: Entrant) -> None:
    """Somebody takes part.

    Raises:
        sqlalchemy.exc.IntegrityError: they do already.
    """
    await connection.execute(
        insert(_ENTRANTS).values(tournament_id=cup_id, **msgspec.structs.asdict(entrant))
    )


async def leave(connection: AsyncConnection, cup_id: int, user_id: int) -> None:
    """Somebody no longer takes part."""
    await connection.execute(
        delete(_ENTRANTS).where(_ENTRANTS.c.tournament_id == cup_id, _ENTRANTS.c.user_id == user_id)
    )
