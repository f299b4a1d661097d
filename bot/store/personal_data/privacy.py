"""The rules that the declarations of all columns keep, and the page that shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from bot.store.models.column_privacy import COLUMNS, HeldColumn, Role

FORMER: Final = "Former player"
"""The name given to a deleted person in rows that other people's history needs."""

ONLY: Final[dict[str, tuple[str, str]]] = {"settings": ("scope", "person"), "voids": ("kind", "player")}
"""Tables in which a person owns only the rows with this value in this column."""


def with_role(columns: Mapping[str, HeldColumn], role: Role) -> list[str]:
    """Return the columns of a table that have this role."""
    return [name for name, held in columns.items() if held.role == role]


def faults(
    tables: Mapping[str, Collection[str]], declared: Mapping[str, Mapping[str, HeldColumn]] = COLUMNS
) -> Iterator[str]:
    """Report gaps in the declaration for tables with these columns, one sentence each."""
    for table, columns in tables.items():
        known = declared.get(table, {})
        if set(columns) != set(known):
            yield f"{table}: declare {', '.join(sorted(set(columns) ^ set(known)))} above its model"
            continue
        personal = {name: held for name, held in known.items() if held.personal}
        for name, held in known.items():
            if name.endswith(_IDS) and held.role not in ("owner", "mention", "by hand"):
                yield f"{table}.{name}: the id of a person is the owner's or a mention"
            if held.role in ("owner", "mention") and held.done == "kept":
                yield f"{table}.{name}: the id of a person does not stay"
            if not held.personal and held.done != "kept":
                yield f"{table}.{name}: what is not personal is kept"
            if held.personal and held.given == "not":
                yield f"{table}.{name}: what is personal is exported"
            if held.done == "replaced" and not held.role:
                yield f"{table}.{name}: say by its role how it is replaced"
        if personal and not {held.role for held in personal.values()} & {"owner", "seat", "by hand"}:
            yield f"{table}: no column says whose row it is"


_IDS: Final = ("user_id", "other_id", "host_id", "_by")
"""Endings of column names that hold the id of a person."""


def is_nobody(user_id: int) -> bool:
    """Return whether this number stands for a deleted person. Discord ids are positive."""
    return user_id < 0


def page() -> Iterator[str]:
    """Yield the lines of a Markdown table of the columns, for PRIVACY.md."""
    yield "| table | column | what it is | about a person | export | delete |"
    yield "|---|---|---|---|---|---|"
    for table, columns in COLUMNS.items():
        for column, held in columns.items():
            about = "yes" if held.personal else "no"
            yield f"| {table} | {column} | {held.what} | {about} | {held.given} | {held.done} |"
