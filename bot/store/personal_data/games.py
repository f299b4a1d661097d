"""The shared tables of games: how a person leaves them, and what an export contains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import Connection, Text, cast, delete, or_, select, update

from bot.store.models import GameRow, SeatRow, table_of
from bot.store.personal_data.begun_deletion import BegunDeletion
from bot.store.personal_data.owned_rows import ExportedRow, given, of_seats, tables_with
from bot.store.personal_data.privacy import FORMER
from bot.store.personal_data.special_tables import SharedTable, SpecialTable
from bot.store.terms import Terms, as_json, terms

_GAMES, _SEATS = table_of(GameRow), table_of(SeatRow)


def _leave(connection: Connection, begun: BegunDeletion, ids: Sequence[int]) -> None:
    """Replace the person at these tables by the anonymous number."""
    user_id, nobody = begun.user_id, begun.nobody
    for table in tables_with("seat"):
        connection.execute(delete(table).where(table.c.game_id.in_(ids), of_seats(table, user_id)))
    columns = (_GAMES.c.id, _GAMES.c.host_id, _GAMES.c.guild_id, _GAMES.c.terms)
    for row in connection.execute(select(*columns).where(_GAMES.c.id.in_(ids))).all():
        agreed = _without(terms(row.terms), user_id, nobody)
        agreed = replace(agreed, house_rules=begun.copied(agreed.house_rules, row.host_id))
        values: dict[str, Any] = {"terms": as_json(agreed)}
        if row.host_id == user_id:
            values["host_id"] = nobody
            if row.guild_id is None:  # the channel is the person's own direct messages
                values |= {"channel_id": 0, "message_id": None}
                values["terms"] = as_json(replace(agreed, first=None))
        # counted, so that a process with the old state in memory cannot write without rereading it
        values["revision"] = _GAMES.c.revision + 1
        connection.execute(update(_GAMES).where(_GAMES.c.id == row.id).values(values))
    sat = update(_SEATS).where(_SEATS.c.game_id.in_(ids), _SEATS.c.user_id == user_id)
    connection.execute(sat.values(user_id=nobody, name=FORMER))


def _without(agreed: Terms, user_id: int, nobody: int) -> Terms:
    """Return the terms of a table without this person: their wishes are removed, and their place stays."""

    def placed(people: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(nobody if user == user_id else user for user in people)

    return replace(
        agreed,
        autopass={user: seconds for user, seconds in agreed.autopass.items() if user != user_id},
        quiet=tuple(user for user in agreed.quiet if user != user_id),
        invited=placed(agreed.invited),
        held=tuple(user for user in agreed.held if user != user_id),
        guests=tuple(user for user in agreed.guests if user != user_id),
        barred=tuple(user for user in agreed.barred if user != user_id),
        knocks=tuple(knock for knock in agreed.knocks if knock.user != user_id),
        waiting=tuple(each for each in agreed.waiting if each.user != user_id),
        order=placed(agreed.order),
        left={seat: nobody if user == user_id else user for seat, user in agreed.left.items()},
        while_away={user: what for user, what in agreed.while_away.items() if user != user_id},
        forfeit=nobody if agreed.forfeit == user_id else agreed.forfeit,
        closed_by=nobody if agreed.closed_by == user_id else agreed.closed_by,
        asked=None if agreed.asked and user_id in agreed.asked.people else agreed.asked,
        newcomers=placed(agreed.newcomers),
        counting=tuple(user for user in agreed.counting if user != user_id),
    )


def _export(connection: Connection, user_id: int) -> list[ExportedRow]:
    named = cast(_GAMES.c.terms, Text).contains(str(user_id))  # perhaps invited but never came
    where = or_(_SHARED.of_person(user_id), named)
    rows = given(connection, _GAMES, where)
    more = select(_GAMES.c.id, _GAMES.c.host_id, _GAMES.c.terms).where(where)
    own = {row.id: row for row in connection.execute(more)}
    for row in rows:
        agreed = terms(own[row["id"]].terms)
        row["host"] = own[row["id"]].host_id == user_id
        row["terms"] = {
            "clock": agreed.clock,
            "autopass": agreed.autopass.get(user_id, 0),
            "quiet": user_id in agreed.quiet,
            "invited": user_id in (*agreed.invited, *agreed.guests),
            "held": user_id in agreed.held,
            "barred": user_id in agreed.barred,
            "knocks": any(knock.user == user_id for knock in agreed.knocks),
            "waiting": any(each.user == user_id for each in agreed.waiting),
            "sits_again": user_id in agreed.order,
            "left": [seat for seat, user in agreed.left.items() if user == user_id],
            "forfeit": agreed.forfeit == user_id,
            "closed_by": agreed.closed_by == user_id,
            "asked": agreed.asked is not None and user_id in agreed.asked.people,
            "while_away": agreed.while_away.get(user_id, ()),
            "house_rules": agreed.house_rules,
            "friendly": agreed.friendly,
            "newcomer": user_id in agreed.newcomers,
            "counting": user_id in agreed.counting,
            "hand_only": agreed.hand_only,
        }
    return rows


_SHARED: Final = SharedTable(
    table=_GAMES,
    leave=_leave,
    window=2000,
    copied_name=(_GAMES.c.terms, "house_rules"),
    naming=_GAMES.c.terms,
    people=_SEATS,
    export=_export,
)
TABLES: Final[tuple[SpecialTable, ...]] = (_SHARED,)
