"""What export and deletion do with tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import Connection, select, update

from bot.store.models import EntrantRow, TournamentRow, table_of
from bot.store.personal_data.begun_deletion import BegunDeletion
from bot.store.personal_data.owned_rows import ExportedRow, given
from bot.store.personal_data.privacy import FORMER
from bot.store.personal_data.special_tables import SharedTable, SpecialTable
from bot.store.terms import as_json, tournament_terms

_TOURNAMENTS, _ENTRANTS = table_of(TournamentRow), table_of(EntrantRow)


def _leave(connection: Connection, begun: BegunDeletion, ids: Sequence[int]) -> None:
    """Replace the person in these tournaments by the anonymous number."""
    user_id, nobody = begun.user_id, begun.nobody
    for row in connection.execute(select(_TOURNAMENTS).where(_TOURNAMENTS.c.id.in_(ids))).all():
        agreed = tournament_terms(row.terms)
        absent = {user: until for user, until in agreed.absent.items() if user != user_id}
        copied = begun.copied(agreed.house_rules, row.host_id)
        removed = tuple(user for user in agreed.removed if user != user_id)
        notices = tuple(notice for notice in agreed.notices if str(user_id) not in notice.people)
        agreed = replace(agreed, house_rules=copied, absent=absent, removed=removed, notices=notices)
        values: dict[str, Any] = {
            "terms": as_json(agreed),
            "bracket": _renumbered(row.bracket, str(user_id), str(nobody)),
            "revision": _TOURNAMENTS.c.revision + 1,
        }
        if row.host_id == user_id:
            values |= {"host_id": nobody, "name": begun.theirs(row.name)}
        connection.execute(update(_TOURNAMENTS).where(_TOURNAMENTS.c.id == row.id).values(values))
    entrant = update(_ENTRANTS).where(_ENTRANTS.c.tournament_id.in_(ids), _ENTRANTS.c.user_id == user_id)
    connection.execute(entrant.values(user_id=nobody, name=FORMER))


def _renumbered(bracket: Any, before: str, after: str) -> Any:
    """Return a bracket with a player's number replaced."""
    if isinstance(bracket, dict):
        return {key: _renumbered(value, before, after) for key, value in bracket.items()}
    if isinstance(bracket, list):
        return [_renumbered(value, before, after) for value in bracket]
    return after if bracket == before else bracket


def _export(connection: Connection, user_id: int) -> list[ExportedRow]:
    where = _SHARED.of_person(user_id)
    rows = given(connection, _TOURNAMENTS, where)
    more = select(_TOURNAMENTS.c.id, _TOURNAMENTS.c.host_id, _TOURNAMENTS.c.bracket).where(where)
    own = {row.id: row for row in connection.execute(more)}
    for row in rows:
        bracket = own[row["id"]].bracket or {}
        row["host"] = own[row["id"]].host_id == user_id
        players = list(bracket.get("players", ()))
        row["seed"] = players.index(str(user_id)) + 1 if str(user_id) in players else None
        row["reports"] = [entry[:2] for entry in bracket.get("log", ()) if str(user_id) in entry]
    return rows


_SHARED: Final = SharedTable(
    table=_TOURNAMENTS,
    leave=_leave,
    window=200,
    copied_name=(_TOURNAMENTS.c.terms, "house_rules"),
    naming=_TOURNAMENTS.c.bracket,
    people=_ENTRANTS,
    export=_export,
)
TABLES: Final[tuple[SpecialTable, ...]] = (_SHARED,)
