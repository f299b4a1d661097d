"""Tables with code of their own for export or deletion, because no general rule fits their rows.

A feature declares its special tables as `TABLES` in `bot/features/<name>/personal_data.py`. The store finds
that file by its name, so no process can delete a person without the part of every feature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Select, Table, Text, cast, or_, select

from bot.store.models import feature_modules
from bot.store.models.column_privacy import COLUMNS
from bot.store.personal_data.begun_deletion import BegunDeletion
from bot.store.personal_data.kept_limits import KeptLimit
from bot.store.personal_data.owned_rows import ExportedRow
from bot.store.personal_data.privacy import with_role
from bot.store.terms import says

_CORE = ("bot.store.personal_data.games", "bot.store.personal_data.contacts")
"""Modules that declare tables of no feature. Imported by name, because they import the classes below."""
_ELSEWHERE: Final = frozenset(("clocks", "entries", "folds", "kept_limits"))
"""Other tables with columns treated by hand: `personal` exports them, and a deletion changes none."""


@dataclass(frozen=True, kw_only=True)
class SpecialTable:
    """A table with its own code.

    Attributes:
        table: The table.
        begin: Treats its rows when a deletion begins. Returns the new names of renamed rows by the old ones.
        end: Removes other people's rows about a person in the last step of a deletion.
        limits: Returns the limits that outlive a person's rows, for the person and the time of the deletion.
    """

    table: Table
    begin: Callable[[Connection, BegunDeletion], dict[str, str]] | None = None
    end: Callable[[Connection, int], None] | None = None
    limits: Callable[[Connection, int, int], list[KeptLimit]] | None = None


@dataclass(frozen=True, kw_only=True)
class SharedTable(SpecialTable):
    """A table with an `id` and a `host_id` whose rows belong to several people.

    Attributes:
        leave: Replaces the person in the rows with these ids.
        window: Number of rows scanned per search.
        copied_name: The JSON column and the key that hold the copied name of a row that someone may rename.
        naming: A JSON column that may hold the ids of people, also of some who take no part.
        people: The table of those who take part; its key begins with the id of the row.
        export: Returns a person's rows without other people's data.
    """

    leave: Callable[[Connection, BegunDeletion, Sequence[int]], None]
    window: int
    copied_name: tuple[Column[Any], str]
    naming: Column[Any] | None = None
    people: Table | None = None
    export: Callable[[Connection, int], list[ExportedRow]] | None = None

    def names(self, begun: BegunDeletion) -> ColumnElement[bool]:
        """Return the condition for rows that name the person, or something they named, without belonging to
        them."""

        def mentions() -> Iterator[ColumnElement[bool]]:
            yield self.table.c.host_id == begun.user_id
            if self.naming is not None:
                yield cast(self.naming, Text).contains(str(begun.user_id))
            yield from (says(*self.copied_name, name) for name in begun.renamed)

        return or_(*mentions())

    def joined(self, user_id: int) -> Select[Any] | None:
        """Return the query for the ids of the rows in which a person takes part."""
        if self.people is None:
            return None
        return select(next(iter(self.people.primary_key.columns))).where(self.people.c.user_id == user_id)

    def of_person(self, user_id: int) -> ColumnElement[bool]:
        """Return the condition for rows that a person hosts or takes part in."""
        hosted, joined = self.table.c.host_id == user_id, self.joined(user_id)
        return hosted if joined is None else or_(self.table.c.id.in_(joined), hosted)


@cache
def special_tables() -> dict[str, SpecialTable]:
    """Return every special table by its name, in the order of the models."""
    modules = (*map(import_module, _CORE), *feature_modules("personal_data"))
    found = {each.table.name: each for module in modules for each in module.TABLES}
    return {name: found[name] for name in COLUMNS if name in found}


def shared_tables() -> dict[str, SharedTable]:
    """Return the special tables whose rows belong to several people."""
    return {name: each for name, each in special_tables().items() if isinstance(each, SharedTable)}


def without_code() -> list[str]:
    """Return the tables that have a column treated by hand, but no code that treats it."""
    known = special_tables().keys() | _ELSEWHERE
    return [name for name, columns in COLUMNS.items() if with_role(columns, "by hand") and name not in known]
