"""Every model declares what its columns say about people.

`personal_data.personal` exports as declared, `personal_data.forgetting` deletes as declared, and PRIVACY.md
shows it. `personal_data.privacy.faults` reports gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from bot.store.models.base import Base

Given: TypeAlias = Literal["given", "own part", "when over", "not"]
Done: TypeAlias = Literal["removed", "replaced", "kept"]
Role: TypeAlias = Literal["", "owner", "mention", "name", "seat", "by hand"]
B = TypeVar("B", bound=Base)


class HeldColumn(NamedTuple):
    """The content of a column, and its treatment in an export and in a deletion.

    `given`: the value is exported. `own part`: only the person's part of it is exported. `when over`:
    exported in the record of a game that was played to its end, never earlier. `not`: not exported, because
    it says nothing about the person or is a secret of the table. `removed`: the row or the value is deleted.
    `replaced`: by a number or name that belongs to no one. `kept`: it stays.

    The role determines how a row is found and how a value is replaced:

    - `owner`: the id of the person who owns the row (in some tables only some rows, see `ONLY`);
    - `mention`: the id of a person in another person's row;
    - `name`: the display name of the owner;
    - `seat`: with `game_id`, the seat of the person who owns the row;
    - `by hand`: no general rule fits; the table is a special one (`personal_data.special_tables`).
    """

    personal: bool
    given: Given
    done: Done
    what: str
    role: Role = ""


COLUMNS: Final[dict[str, dict[str, HeldColumn]]] = {}
"""Every declared column of every table."""


def personal(given: Given, done: Done, what: str, role: Role = "") -> HeldColumn:
    """Declare a column that says something about a person."""
    return HeldColumn(True, given, done, what, role)


def impersonal(what: str, given: Given = "not") -> HeldColumn:
    """Declare a column that says nothing about a person, and so is kept."""
    return HeldColumn(False, given, "kept", what)


def privacy(**columns: HeldColumn) -> Callable[[type[B]], type[B]]:
    """Declare every column of the model below."""

    def declare(model: type[B]) -> type[B]:
        COLUMNS[model.__tablename__] = columns
        return model

    return declare
