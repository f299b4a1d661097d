"""Deleting a person: rows that are theirs alone are removed, rows that others need become anonymous.

Games, results and tournaments belong to everyone who played. There a number replaces the person, the same in
all rows, so that histories stay consistent. It is drawn at random, and nothing links it to the person. Deals,
journals and records are not changed, so they can be verified as before.

Each model declares the treatment of its columns (`bot.store.models.column_privacy`). The tables of
`privacy.BY_HAND` have code here, all others follow the declaration. A deletion is done in small steps, so
that others can write in between. It searches for games and tournaments that name the person with reads, which
never block writers.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import (
    Connection,
    Row,
    Select,
    Table,
    Text,
    bindparam,
    cast,
    delete,
    func,
    or_,
    select,
    update,
)

from bot.store import notices, ratings
from bot.store.backend.locks import one_at_a_time
from bot.store.days import begins_at, day_of, shifted
from bot.store.models import (
    BoardRatingRow,
    DailyResultRow,
    EntrantRow,
    GameRow,
    HouseRulesRow,
    NameRow,
    NightRow,
    PlayerRow,
    RivalRow,
    SeatRow,
    SettingRow,
    TotalRow,
    TournamentRow,
    VoidRow,
    table_of,
)
from bot.store.models.column_privacy import COLUMNS
from bot.store.people import PERSON, get_setting, put_setting
from bot.store.personal_data import kept_limits
from bot.store.personal_data.kept_limits import FOR_GOOD, KeptLimit
from bot.store.personal_data.owned_rows import of_person, of_seats, tables_with
from bot.store.personal_data.privacy import FORMER, with_role
from bot.store.prefs import prefs_of
from bot.store.rating import Rival, cold_at
from bot.store.terms import GOING_ON, LONGEST_RULES, Terms, as_json, folded, says, terms, tournament_terms

_GAMES, _SEATS, _PLAYERS = table_of(GameRow), table_of(SeatRow), table_of(PlayerRow)
_NAMES, _TOURNAMENTS, _ENTRANTS = table_of(NameRow), table_of(TournamentRow), table_of(EntrantRow)
_HOUSE_RULES, _NIGHTS = table_of(HouseRulesRow), table_of(NightRow)
_DAILY, _RIVALS, _VOIDS = table_of(DailyResultRow), table_of(RivalRow), table_of(VoidRow)

UNITS: Final = 40
"""Number of games or tournaments changed per step."""
ROWS: Final = 200
"""Number of rows of other tables changed per step."""
WINDOWS: Final = {"games": 2000, "tournaments": 200, "nights": 2000}
"""Number of rows scanned per search."""
SHORTEST_NAME: Final = 4
"""Shorter names stay in the names of tournaments and house rules, because they may be ordinary words."""
_LONGEST_NAME = 64
_LAST = tuple(map(table_of, (PlayerRow, SettingRow, VoidRow, RivalRow, BoardRatingRow, TotalRow)))
"""Tables whose rows are removed in the last step: ratings all at once, and the note that a deletion has
begun."""
_NOTE = "deletion"
"""The setting that marks a person's deletion as begun."""


class Forgotten(msgspec.Struct, frozen=True):
    """Changed games and tournaments. Any copy of one in memory must be read again."""

    nobody: int
    """The number that replaces the person from now on."""
    games: frozenset[int]
    tournaments: frozenset[int]


class _Begun(msgspec.Struct, frozen=True):
    """State shared by all steps of a deletion."""

    user_id: int
    nobody: int
    names: tuple[str, ...] = ()
    """The names the person used."""
    renamed: dict[str, str] = {}
    """New names of the person's renamed house rules, by the old name."""

    def theirs(self, name: str) -> str:
        """Return the name of something they made, without their own name in it."""
        return _renamed(name, self.names)

    def copied(self, name: str, host_id: int) -> str:
        """Return the name of house rules as copied to a game that used them. The rules themselves may be gone
        or renamed by now."""
        return self.renamed.get(name) or (self.theirs(name) if host_id == self.user_id else name)


def organised(connection: Connection, user_id: int) -> list[str]:
    """Return the names of the unfinished tournaments that this person organises."""
    query = select(_TOURNAMENTS.c.name).where(
        _TOURNAMENTS.c.host_id == user_id, _TOURNAMENTS.c.phase.in_(GOING_ON)
    )
    return list(connection.execute(query.order_by(_TOURNAMENTS.c.id)).scalars())


def forget(connection: Connection, user_id: int, at: int) -> Forgotten:
    """Delete a person in the transaction of this connection. A running bot takes the steps one by one
    instead."""
    deletion, games, tournaments = Deletion(user_id, at), frozenset[int](), frozenset[int]()
    deletion.begin(connection)
    more = True
    while deletion.search(connection):
        pass
    while more:
        more = deletion.step(connection)
        games, tournaments = games | deletion.touched.games, tournaments | deletion.touched.tournaments
    return Forgotten(deletion.touched.nobody, games, tournaments)


class Deletion:
    """One deletion: `begin`, then `search` and then `step` until each returns False.

    `search` only reads; `begin` and each `step` are transactions of their own. After a failure a new object
    continues with the same number.
    """

    def __init__(self, user_id: int, at: int) -> None:
        self.user_id = user_id
        self._at = at
        self._begun = _Begun(user_id, 0)
        self._searched = dict.fromkeys(WINDOWS, 0)
        """The highest id searched so far, by table."""
        self._found: dict[str, list[int]] = {name: [] for name in WINDOWS}
        """Rows still to be changed."""
        self.touched = Forgotten(0, frozenset(), frozenset())
        """Rows changed by the last step."""

    @property
    def found(self) -> bool:
        """Whether the search has found anything."""
        return any(self._found.values())

    def begin(self, connection: Connection) -> None:
        """Draw the number, record the names, and leave their house rules to the channels."""
        one_at_a_time(connection, PERSON, self.user_id)
        if (before := get_setting(connection, PERSON, self.user_id, _NOTE)) is not None:
            self._begun = msgspec.convert(before, _Begun)
            return
        names = tuple(sorted(_names(connection, self.user_id)))
        begun = _Begun(self.user_id, -1 - secrets.randbits(62), names)
        with _overwriting(connection):
            self._begun = replace(begun, renamed=_leave_house_rules(connection, begun))
        _keep_dailies(connection, self.user_id, self._at)
        put_setting(connection, PERSON, self.user_id, _NOTE, msgspec.to_builtins(self._begun))

    def search(self, connection: Connection) -> bool:
        """Search some rows for the person. Return whether there are more to search."""
        for table in (_GAMES, _TOURNAMENTS, _NIGHTS):
            after = self._searched[table.name]
            if after < (connection.execute(select(func.max(table.c.id))).scalar() or 0):
                until = self._searched[table.name] = after + WINDOWS[table.name]
                named = or_(*self._naming(table))
                query = select(table.c.id).where(table.c.id > after, table.c.id <= until, named)
                self._found[table.name] += connection.execute(query).scalars()
                return True
        return False

    def _naming(self, table: Table) -> Iterator[Any]:
        """Yield the conditions for rows that name the person or their house rules without belonging to the
        person."""
        yield table.c.host_id == self.user_id
        if table is not _NIGHTS:
            column = table.c.terms if table is _GAMES else table.c.bracket
            yield cast(column, Text).contains(str(self.user_id))
        stored, key = (table.c.rules, "name") if table is _NIGHTS else (table.c.terms, "house_rules")
        yield from (says(stored, key, name) for name in self._begun.renamed)

    def step(self, connection: Connection) -> bool:
        """Do the next part. Return whether there is more to do."""
        self.touched = Forgotten(self._begun.nobody, frozenset(), frozenset())
        one_at_a_time(connection, PERSON, self.user_id)  # or a concurrent change restores a setting
        ratings.one_at_a_time(connection)
        with _overwriting(connection):
            if self._units(connection) or self._rows(connection) or self._rivals(connection):
                return True
            self._end(connection)
        notices.tell(connection, "forgotten", self.user_id)
        return False

    def _units(self, connection: Connection) -> bool:
        """Anonymize some games, tournaments or nights. Return whether there were any."""
        for name, mine in (("games", _SEATS), ("tournaments", _ENTRANTS)):
            if not self._found[name]:  # games with their seat are found through an index
                unit = next(iter(mine.primary_key.columns))
                query = select(unit).where(mine.c.user_id == self.user_id).distinct().limit(UNITS)
                self._found[name] += connection.execute(query).scalars()
        for name, leave in _LEAVE.items():
            if some := self._found[name][:UNITS]:
                del self._found[name][:UNITS]
                if name != "nights":
                    self.touched = replace(self.touched, **{name: frozenset(some)})
                leave(connection, self._begun, some)
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
        _keep_dailies(connection, self.user_id, self._at)
        _keep_holiday(connection, self.user_id, self._at)
        _keep_void(connection, self.user_id)
        for table in tables_with("owner"):
            _let_go(connection, table, self._begun)
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
    queries: tuple[Select[Any], ...] = (
        select(_PLAYERS.c.name).where(_PLAYERS.c.id == user_id),
        select(_NAMES.c.name).where(_NAMES.c.user_id == user_id),
        select(_SEATS.c.name).where(_SEATS.c.user_id == user_id).distinct(),
        select(_ENTRANTS.c.name).where(_ENTRANTS.c.user_id == user_id).distinct(),
    )
    return {name for query in queries for name in connection.execute(query).scalars() if name.strip()}


def _let_go(
    connection: Connection, table: Table, begun: _Begun, most: int | None = None
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


def _keep_dailies(connection: Connection, user_id: int, at: int) -> None:
    """Keep the limit that a daily deal is played only once, until the day is over."""
    today = select(_DAILY.c.day, _DAILY.c.game).where(_DAILY.c.user_id == user_id, _DAILY.c.day >= day_of(at))
    kept_limits.keep(
        connection,
        [
            (
                KeptLimit(
                    kept_limits.DAILY, kept_limits.daily_subject(day, game), {}, begins_at(shifted(day, 1))
                ),
                (user_id,),
            )
            for day, game in connection.execute(today)
        ],
    )


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
    until = cold_at(Rival(heat=row.heat, heat_at=row.heat_at))
    return KeptLimit(kept_limits.MET, subject, {"heat": row.heat, "at": row.heat_at}, until)


# -- special cases ---------------------------------------------------------------------------


def _leave_house_rules(connection: Connection, begun: _Begun) -> dict[str, str]:
    """Leave the person's house rules to their channels, and delete those in direct messages. Return the new
    names by the old ones."""
    mine = _HOUSE_RULES.c.saved_by == begun.user_id
    connection.execute(delete(_HOUSE_RULES).where(mine, _HOUSE_RULES.c.guild_id.is_(None)))
    renamed: dict[str, str] = {}
    for row in connection.execute(select(_HOUSE_RULES).where(mine)).all():
        name = fresh = begun.theirs(row.name)[:LONGEST_RULES]
        if fresh != row.name:
            taken = {
                name.casefold()
                for name in connection.execute(
                    select(_HOUSE_RULES.c.name).where(
                        _HOUSE_RULES.c.channel_id == row.channel_id,
                        _HOUSE_RULES.c.game == row.game,
                        _HOUSE_RULES.c.id != row.id,
                    )
                ).scalars()
            }
            # two names may have differed only in the person's name
            numbered = (f"{name[: LONGEST_RULES - 4]} {n}" for n in count(2))
            fresh = next(each for each in chain([name], numbered) if each.casefold() not in taken)
            renaming = update(_HOUSE_RULES).where(_HOUSE_RULES.c.id == row.id)
            connection.execute(renaming.values(name=fresh, folded=folded(fresh)))
            renamed[row.name] = fresh
    return renamed


def _leave_games(connection: Connection, begun: _Begun, ids: Sequence[int]) -> None:
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
        knocks=tuple(knock for knock in agreed.knocks if knock.user != user_id),
        waiting=tuple(each for each in agreed.waiting if each.user != user_id),
        order=placed(agreed.order),
        left={seat: nobody if user == user_id else user for seat, user in agreed.left.items()},
        while_away={user: what for user, what in agreed.while_away.items() if user != user_id},
        forfeit=nobody if agreed.forfeit == user_id else agreed.forfeit,
        closed_by=nobody if agreed.closed_by == user_id else agreed.closed_by,
        asked=None if agreed.asked and user_id in agreed.asked.people else agreed.asked,
    )


def _leave_nights(connection: Connection, begun: _Begun, ids: Sequence[int]) -> None:
    """Remove the person's name from the house rules of planned nights."""
    touched = select(_NIGHTS.c.id, _NIGHTS.c.host_id, _NIGHTS.c.rules).where(_NIGHTS.c.id.in_(ids))
    for row in connection.execute(touched).all():
        if row.rules:
            rules = {**row.rules, "name": begun.copied(row.rules["name"], row.host_id)}
            connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == row.id).values(rules=rules))


def _leave_tournaments(connection: Connection, begun: _Begun, ids: Sequence[int]) -> None:
    """Replace the person in these tournaments by the anonymous number."""
    user_id, nobody = begun.user_id, begun.nobody
    for row in connection.execute(select(_TOURNAMENTS).where(_TOURNAMENTS.c.id.in_(ids))).all():
        agreed = tournament_terms(row.terms)
        absent = {user: until for user, until in agreed.absent.items() if user != user_id}
        copied = begun.copied(agreed.house_rules, row.host_id)
        agreed = replace(agreed, house_rules=copied, absent=absent)
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


def _renamed(name: str, names: Iterable[str]) -> str:
    """Remove a person's names, as whole words and longest first, from the name of a tournament or house
    rules."""
    long = [each for each in names if len(each) >= SHORTEST_NAME]
    for known in sorted(long, key=len, reverse=True):
        name = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", FORMER, name, flags=re.IGNORECASE)
    return name[:_LONGEST_NAME]


_LEAVE: Final = {"games": _leave_games, "tournaments": _leave_tournaments, "nights": _leave_nights}
