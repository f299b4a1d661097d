"""What deletion does with game nights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, select, update

from bot.store.models import NightRow, table_of
from bot.store.personal_data.begun_deletion import BegunDeletion
from bot.store.personal_data.special_tables import SharedTable, SpecialTable

_NIGHTS = table_of(NightRow)


def _leave(connection: Connection, begun: BegunDeletion, ids: Sequence[int]) -> None:
    """Remove the person's name from the house rules of planned nights."""
    touched = select(_NIGHTS.c.id, _NIGHTS.c.host_id, _NIGHTS.c.rules).where(_NIGHTS.c.id.in_(ids))
    for row in connection.execute(touched).all():
        if row.rules:
            rules = {**row.rules, "name": begun.copied(row.rules["name"], row.host_id)}
            connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == row.id).values(rules=rules))


TABLES: Final[tuple[SpecialTable, ...]] = (
    SharedTable(table=_NIGHTS, leave=_leave, window=2000, copied_name=(_NIGHTS.c.rules, "name")),
)
