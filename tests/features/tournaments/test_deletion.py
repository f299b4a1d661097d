"""Deleting a person changes the names of the tournaments they organised, and of no others."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, insert, select

from bot.features.tournaments.rows import StoredTournament, create
from bot.store.database import Database
from bot.store.models import EntrantRow, TournamentRow, table_of
from bot.store.people import put_player
from bot.store.personal_data.forgetting import forget
from bot.store.personal_data.privacy import FORMER
from bot.store.terms import TournamentTerms

TOURNAMENTS, ENTRANTS = table_of(TournamentRow), table_of(EntrantRow)
FRIDAY, OTHER = 1, 2
CUP = "The Friday Cup"


def organised(connection: Connection, host_id: int, name: str, *entrants: tuple[int, str]) -> int:
    made = create(
        connection,
        StoredTournament(
            name=name,
            game="duel52",
            options={},
            terms=TournamentTerms(),
            guild_id=7,
            channel_id=70,
            host_id=host_id,
            created_at=5,
        ),
    )
    for user_id, called in entrants:
        values = {"tournament_id": made, "user_id": user_id, "name": called, "joined_at": 6}
        connection.execute(insert(ENTRANTS).values(values))
    return made


@pytest.mark.parametrize("enters", [True, False])
async def test_a_tournament_of_somebody_else_keeps_its_name(database: Database, enters: bool) -> None:
    people = [(OTHER, "Olga"), *([(FRIDAY, "Friday")] if enters else [])]

    def write(connection: Connection) -> tuple[int, int]:
        put_player(connection, FRIDAY, "Friday", {}, 5)
        own = organised(connection, FRIDAY, "Friday's league", (OTHER, "Olga"))
        return organised(connection, OTHER, CUP, *people), own

    others, own = await database.write_at_once(write)
    await database.write_at_once(lambda c: forget(c, FRIDAY, 9))

    def read(connection: Connection) -> tuple[dict[int, str], dict[int, set[str]]]:
        names = {row.id: row.name for row in connection.execute(select(TOURNAMENTS))}
        entered: dict[int, set[str]] = {others: set(), own: set()}
        for row in connection.execute(select(ENTRANTS)):
            entered[row.tournament_id].add(row.name)
        return names, entered

    names, entered = await database.read_at_once(read)
    assert names == {others: CUP, own: f"{FORMER}'s league"}
    assert entered[others] == ({"Olga", FORMER} if enters else {"Olga"})


async def test_a_name_of_a_minute_renames_nothing(database: Database) -> None:
    """Somebody calls themselves like the cup of another organiser, enters it, and is deleted."""

    def write(connection: Connection) -> int:
        put_player(connection, FRIDAY, CUP, {}, 5)
        return organised(connection, OTHER, CUP, (FRIDAY, "Friday"), (OTHER, "Olga"))

    made = await database.write_at_once(write)
    await database.write_at_once(lambda c: forget(c, FRIDAY, 9))
    name = select(TOURNAMENTS.c.name).where(TOURNAMENTS.c.id == made)
    assert await database.read_at_once(lambda c: c.execute(name).scalar_one()) == CUP
