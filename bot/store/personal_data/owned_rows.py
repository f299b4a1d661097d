"""The rows of a person, found through the declarations of their columns."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, Table, and_, or_, select, tuple_

from bot.store.models import Base, SeatRow, table_of
from bot.store.models.column_privacy import COLUMNS, Role
from bot.store.personal_data.privacy import ONLY, with_role

_SEATS = table_of(SeatRow)
_EXACT: Final = 2**53
"""The largest number every JSON reader reads exactly; larger ids are written as text."""
ExportedRow: TypeAlias = dict[str, Any]


def tables_with(role: Role) -> list[Table]:
    """Return the tables that have a column of this role."""
    return [table for table in Base.metadata.sorted_tables if with_role(COLUMNS[table.name], role)]


def of_person(table: Table, user_id: int) -> ColumnElement[bool]:
    """Return the condition under which a row of a table with an owner belongs to a person."""
    mine = or_(*(table.c[name] == user_id for name in with_role(COLUMNS[table.name], "owner")))
    if table.name not in ONLY:
        return mine
    column, value = ONLY[table.name]
    return and_(mine, table.c[column] == value)


def of_seats(table: Table, user_id: int) -> ColumnElement[bool]:
    """Return the condition under which a row belongs to a seat that a person holds."""
    (seat,) = with_role(COLUMNS[table.name], "seat") or ["seat"]
    held = select(_SEATS.c.game_id, _SEATS.c.seat).where(_SEATS.c.user_id == user_id)
    return tuple_(table.c.game_id, table.c[seat]).in_(held)


def given(connection: Connection, table: Table, where: ColumnElement[bool]) -> list[ExportedRow]:
    """Return the columns that are exported as they are, of the rows that match."""
    columns = [table.c[name] for name, held in COLUMNS[table.name].items() if held.given == "given"]
    query = select(*columns).where(where).order_by(*table.primary_key.columns)
    return [readable(dict(row)) for row in connection.execute(query).mappings()]


def readable(value: Any) -> Any:
    """Return a value with ids as text wherever a JSON reader would round them."""
    if isinstance(value, dict):
        return {key: readable(one) for key, one in value.items()}
    if isinstance(value, list):
        return [readable(one) for one in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
        return str(value)
    return value
