"""Deleting a person: rows that are theirs alone are removed, rows that others need become anonymous.

What several people did together belongs to all of them. There a number replaces the person, the same in
all rows, so that histories stay consistent. It is drawn at random, and nothing links it to the person. Deals,
journals and records are not changed, so they can be verified as before.

Each model declares the treatment of its columns (`bot.store.models.column_privacy`). Tables that no rule fits
have code of their own (`special_tables`), all others follow the declaration. A deletion is done in small
steps, so that others can write in between. It searches shared tables for rows that name the person with
reads, which never block writers.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Row, Table, bindparam, delete, func, select, update

from bot.store import notices, ratings
from bot.store.backend.locks import one_at_a_time
from bot.store.models import (
    BoardRatingRow,
    NameRow,
    PlayerRow,
    RivalRow,
    SettingRow,
    TotalRow,
    VoidRow,
    table_of,
)
from bot.store.models.base import Base
from bot.store.models.column_privacy import COLUMNS
from bot.store.people import PERSON, get_setting, put_setting
from bot.store.personal_data import kept_limits
from bot.store.personal_data.begun_deletion import BegunDeletion
from bot.store.personal_data.kept_limits import FOR_GOOD, KeptLimit
from bot.store.personal_data.owned_rows import of_person, tables_with
from bot.store.personal_data.privacy import FORMER, with_role
from bot.store.personal_data.special_tables import shared_tables, special_tables, without_code
from bot.store.prefs import prefs_of
from bot.store.rating_model import Rival, heat_expires_at

_PLAYERS, _NAMES = table_of(PlayerRow), table_of(NameRow)
_RIVALS, _VOIDS = table_of(RivalRow), table_of(VoidRow)

UNITS: Final = 40
"""Number of rows of shared tables changed per step."""
ROWS: Final = 200
"""Number of rows of other tables changed per step."""
_LAST = tuple(map(table_of, (PlayerRow, SettingRow, VoidRow, RivalRow, BoardRatingRow, TotalRow)))
"""Tables whose rows are removed in the last step: ratings all at once, and the note that a deletion has
begun."""
_NOTE = "deletion"
"""The setting that marks a person's deletion as begun."""


class Forgotten(msgspec.Struct, frozen=True):
    """Changed rows of shared tables. Any copy of one in memory must be read again."""

    nobody: int
    """The number that replaces the person from now on."""
    changed: Mapping[str, frozenset[int]] = {}
    """The ids of the changed rows, by table."""


def forget(connection: Connection, user_id: int, at: int) -> Forgotten:
    """Delete a person in the transaction of this connection. A running bot takes the steps one by one
    instead."""
    deletion, changed = Deletion(user_id, at), defaultdict[str, frozenset[int]](frozenset)
    deletion.begin(connection)
    more = True
    while deletion.search(connection):
        pass
    while more:
        more = deletion.step(connection)
        for name, ids in deletion.touched.changed.items():
            changed[name] |= ids
    return Forgotten(deletion.touched.nobody, changed)


class Deletion:
    """One deletion: `begin`, then `search` and then `step` until each returns False.

    `search` only reads; `begin` and each `step` are transactions of their own. After a failure a new object
    continues with the same number.
    """

    def __init__(self, user_id: int, at: int) -> None:
        self.user_id = user_id
        self._at = at
        self._begun = BegunDeletion(user_id, 0)
        self._shared = shared_tables()
        self._searched = dict.fromkeys(self._shared, 0)
        """The highest id searched so far, by table."""
        self._found: dict[str, list[int]] = {name: [] for name in self._shared}
        """Rows still to be changed."""
        self.touched = Forgotten(0)
        """Rows changed by the last step."""

    @property
    def found(self) -> bool:
        """Whether the search has found anything."""
        return any(self._found.values())

    def begin(self, connection: Connection) -> None:
        """Draw the number, record the names, and treat what the special tables treat first.

        Raises:
            LookupError: some rows would keep the person, because the feature with their code was removed.
        """
        for name in without_code():
            if connection.execute(select(1).select_from(Base.metadata.tables[name]).limit(1)).first():
                raise LookupError(f"no code deletes a person from {name}")
        one_at_a_time(connection, PERSON, self.user_id)
        if (before := get_setting(connection, PERSON, self.user_id, _NOTE)) is not None:
            self._begun = msgspec.convert(before, BegunDeletion)
            return
        names = tuple(sorted(_names(connection, self.user_id)))
        begun, renamed = BegunDeletion(self.user_id, -1 - secrets.randbits(62), names), dict[str, str]()
        with _overwriting(connection):
            for special in special_tables().values():
                if special.begin is not None:
                    renamed |= special.begin(connection, begun)
        self._begun = replace(begun, renamed=renamed)
        _keep_special(connection, self.user_id, self._at)
        put_setting(connection, PERSON, self.user_id, _NOTE, msgspec.to_builtins(self._begun))

    def search(self, connection: Connection) -> bool:
        """Search some rows for the person. Return whether there are more to search."""
        for name, shared in self._shared.items():
            key, after = shared.table.c.id, self._searched[name]
            if after < (connection.execute(select(func.max(key))).scalar() or 0):
                until = self._searched[name] = after + shared.window
                query = select(key).where(key > after, key <= until, shared.names(self._begun))
                self._found[name] += connection.execute(query).scalars()
                return True
        return False

    def step(self, connection: Connection) -> bool:
        """Do the next part. Return whether there is more to do."""
        self.touched = Forgotten(self._begun.nobody)
        one_at_a_time(connection, PERSON, self.user_id)  # or a concurrent change restores a setting
        ratings.lock_settling(connection)
        with _overwriting(connection):
            if self._units(connection) or self._rows(connection) or self._rivals(connection):
                return True
            self._end(connection)
        notices.tell(connection, "forgotten", self.user_id)
        return False

    def _units(self, connection: Connection) -> bool:
        """Anonymize some rows of a shared table. Return whether there were any."""
        for name, shared in self._shared.items():
            joined = shared.joined(self.user_id)
            if joined is not None and not self._found[name]:  # found through an index
                self._found[name] += connection.execute(joined.distinct().limit(UNITS)).scalars()
        for name, shared in self._shared.items():
            if some := self._found[name][:UNITS]:
                del self._found[name][:UNITS]
                self.touched = Forgotten(self._begun.nobody, {name: frozenset(some)})
                shared.leave(connection, self._begun, some)
                return True
        return False

    def _rows(self, connection: Connection) -> bool:
        """Release some rows that only they own. Return whether there may be more."""
        for table in tables_with("owner"):
            if table not in _LAST and len(_let_go(connection, table, self._begun, ROWS)) == ROWS:
                return True
        return False

    def _rivals(self, connection: Connection) -> bool:
        """Anonymize the person in others' records, and keep how often they met. Return whether there may be
        more."""
        query = select(_RIVALS).where(_RIVALS.c.user_id == self.user_id).limit(ROWS)
        met = connection.execute(query).all()
        kept = [
            (_limit_of(row), (self.user_id, row.other_id))
            for row in met
            if row.other_id > 0 and _limit_of(row).until > self._at
        ]
        kept_limits.keep(connection, kept)
        if met:
            turned = [{"of": row.other_id, "game_": row.game, "variant_": row.variant} for row in met]
            theirs = update(_RIVALS).where(
                _RIVALS.c.user_id == bindparam("of"),
                _RIVALS.c.other_id == self.user_id,
                _RIVALS.c.game == bindparam("game_"),
                _RIVALS.c.variant == bindparam("variant_"),
            )
            connection.execute(theirs.values(other_id=self._begun.nobody), turned)
        return len(_let_go(connection, _RIVALS, self._begun, ROWS)) == ROWS

    def _end(self, connection: Connection) -> None:
        """Release all remaining rows, and keep the limits."""
        _keep_special(connection, self.user_id, self._at)
        _keep_holiday(connection, self.user_id, self._at)
        _keep_void(connection, self.user_id)
        for table in tables_with("owner"):
            _let_go(connection, table, self._begun)
        for special in special_tables().values():
            if special.end is not None:
                special.end(connection, self.user_id)
        for table in tables_with("mention"):
            for name in with_role(COLUMNS[table.name], "mention"):
                named = update(table).where(table.c[name] == self.user_id)
                connection.execute(named.values({name: self._begun.nobody}))


@contextmanager
def _overwriting(connection: Connection) -> Iterator[None]:
    """Make SQLite overwrite deleted data; by default it stays in the file until the space is reused."""
    if connection.dialect.name != "sqlite":
        yield
        return
    before = connection.exec_driver_sql("PRAGMA secure_delete").scalar() or 0
    connection.exec_driver_sql("PRAGMA secure_delete=1")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA secure_delete={int(before)}")


def _names(connection: Connection, user_id: int) -> set[str]:
    """Return every name stored for the person."""
    known = [(_PLAYERS, "name"), (_NAMES, "name")]
    known += [
        (table, name) for table in tables_with("name") for name in with_role(COLUMNS[table.name], "name")
    ]
    queries = (select(table.c[name]).where(of_person(table, user_id)).distinct() for table, name in known)
    return {name for query in queries for name in connection.execute(query).scalars() if name.strip()}


def _let_go(
    connection: Connection, table: Table, begun: BegunDeletion, most: int | None = None
) -> Sequence[Row[Any]]:
    """Remove or replace rows of a table with an owner, as declared. Return their keys."""
    columns, keys = COLUMNS[table.name], list(table.primary_key.columns)
    rows = connection.execute(select(*keys).where(of_person(table, begun.user_id)).limit(most)).all()
    if not rows:
        return rows
    one = [key == bindparam(f"of_{key.name}") for key in keys]
    which = [{f"of_{key.name}": value for key, value in zip(keys, row, strict=True)} for row in rows]
    owners = with_role(columns, "owner")
    if any(columns[name].done == "removed" for name in owners):
        connection.execute(delete(table).where(*one), which)
        return rows
    values: dict[str, Any] = dict.fromkeys(owners, begun.nobody)
    values |= dict.fromkeys(with_role(columns, "name"), FORMER)
    values |= {name: None for name, held in columns.items() if held.done == "removed" and not held.role}
    connection.execute(update(table).where(*one).values(values), which)
    return rows


# -- limits that stay ------------------------------------------------------------------------


def _keep_special(connection: Connection, user_id: int, at: int) -> None:
    """Keep the limits that follow from rows of special tables."""
    for special in special_tables().values():
        if special.limits is not None:
            limits = special.limits(connection, user_id, at)
            kept_limits.keep(connection, [(limit, (user_id,)) for limit in limits])


def _keep_holiday(connection: Connection, user_id: int, at: int) -> None:
    """Keep the number of holiday days used, until the year is over."""
    year, days = prefs_of(connection, user_id).holiday_days
    if days and (until := kept_limits.end_of_year(year)) > at:
        spent = KeptLimit(kept_limits.HOLIDAY, "", {"year": year, "days": days}, until)
        kept_limits.keep(connection, [(spent, (user_id,))])


def _keep_void(connection: Connection, user_id: int) -> None:
    """Keep the exclusion of future games from ratings, until an operator lifts it."""
    banned = select(_VOIDS.c.at).where(_VOIDS.c.kind == "player", _VOIDS.c.target == user_id)
    if (since := connection.execute(banned).scalar()) is not None:
        void = KeptLimit(kept_limits.VOID, "", {"at": since}, FOR_GOOD)
        kept_limits.keep(connection, [(void, (user_id,))])


def _limit_of(row: Row[Any]) -> KeptLimit:
    """Return the limit on rated games between two people: recent meetings reduce their weight."""
    subject = ratings.met_subject(row.game, row.variant)
    until = heat_expires_at(Rival(heat=row.heat, heat_at=row.heat_at))
    return KeptLimit(kept_limits.MET, subject, {"heat": row.heat, "at": row.heat_at}, until)
