"""Reading and writing games: rows, seats, journals, deadlines.

All functions work on a plain connection, for `Database.write_at_once` and `Database.read_at_once`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.engine import Row

from bot.store import folds, snapshots
from bot.store.database import Overtaken
from bot.store.models import ClockRow, EntryRow, GameRow, SeatRow, table_of
from bot.store.snapshots import Snapshot
from bot.store.terms import Terms, as_json, terms
from engine.levels import renamed

_GAMES, _SEATS, _ENTRIES = table_of(GameRow), table_of(SeatRow), table_of(EntryRow)
_CLOCKS = table_of(ClockRow)

OPEN_PHASES = ("lobby", "live")


class Sitter(msgspec.Struct, frozen=True):
    """The holder of a seat: a person (with a user id) or a computer opponent (with a level)."""

    name: str
    user_id: int | None = None
    level: str | None = None
    entropy: int | None = None

    def __post_init__(self) -> None:
        if self.level is not None:  # rows keep the name that the level had when they were written
            msgspec.structs.force_setattr(self, "level", renamed(self.level))


ACTS = ("act", "timeout")
"""Kinds of entries that hold an action."""
UNDO = "undo"
"""Kind of an entry that takes back all acts from a given entry onwards; it holds the number of that entry."""


class Entry(msgspec.Struct, frozen=True):
    """One line of a journal.

    Its kind is `act`, `timeout` (an opponent acted for a slow seat), `seat` (an opponent took the seat over)
    or `undo` (a person took back everything from an entry onwards). `press` is the number of the first entry
    of the same press, or None for that first entry itself.
    """

    seq: int
    kind: str
    seat: int
    data: list[object]
    at: int
    press: int | None = None


class Deadline(msgspec.Struct, frozen=True):
    """A deadline in table time (milliseconds). `seat` is -1 if it concerns the whole table.

    `lobby`, `turn`, `pass` and the reminders before them (`bot.table.turns.SPOKEN`) are for people.
    `opponent`, `settle`, `deeds` and the news (`bot.table.news.NEWS`) are things the bot does at once; their
    rows let it find them again if it could not.
    """

    game_id: int
    kind: str
    seat: int
    due_at: int

    def __str__(self) -> str:
        return f"table {self.game_id}" + (f" seat {self.seat}" if self.seat >= 0 else "")


class StoredGame(msgspec.Struct, kw_only=True):
    """A game as stored, without its journal."""

    id: int = 0
    game: str
    version: int
    phase: str = "lobby"
    options: dict[str, Any]
    terms: Terms
    guild_id: int | None
    channel_id: int
    message_id: int | None = None
    posted_at: int = 0
    host_id: int
    locale: str = "en"
    seed: bytes
    nonce: bytes
    created_at: int
    ended_at: int | None = None
    why: str = ""
    revision: int = 0
    edition: int = 0
    shown: int = 0
    touched_at: int = 0
    resting: str = ""
    asleep_at: int = 0


_GAME_FIELDS = tuple(name for name in StoredGame.__struct_fields__ if name != "id")
S = TypeVar("S", bound=msgspec.Struct)


def _struct(kind: type[S], row: Row[tuple[object, ...]]) -> S:
    mapping = row._mapping
    return kind(**{name: mapping[name] for name in kind.__struct_fields__})


def _game(row: Row[tuple[object, ...]]) -> StoredGame:
    game = _struct(StoredGame, row)
    game.terms = terms(game.terms)
    return game


# -- writing ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Change:
    """Everything that one change of a table writes, stored in one transaction. None leaves a column as it is.

    A `quiet` change is not visible anywhere.
    """

    columns: Mapping[str, Any] = field(default_factory=dict)
    sitters: Sequence[Sitter] | None = None
    deadlines: Sequence[Deadline] | None = None
    entries: Sequence[Entry] = ()
    snapshot: Snapshot | None = None
    forget: int | None = None
    """Delete snapshots of positions after this entry or later ones; they are no longer valid."""
    also: Callable[[Connection], None] | None = None
    quiet: bool = False


def create(
    connection: Connection, game: StoredGame, sitters: Sequence[Sitter], journal: Sequence[Entry] = ()
) -> int:
    """Store a new game with its seats and any journal it already has. Return its id."""
    values = {name: getattr(game, name) for name in _GAME_FIELDS} | {"terms": as_json(game.terms)}
    done = connection.execute(insert(_GAMES).values(values))
    key = done.inserted_primary_key
    game_id = int(key[0]) if key else 0
    _set_sitters(connection, game_id, sitters)
    _append(connection, game_id, journal)
    return game_id


_APPEND = insert(_ENTRIES)


def _append(connection: Connection, game_id: int, entries: Sequence[Entry]) -> None:
    if entries:
        lines = [{"game_id": game_id, **msgspec.structs.asdict(entry)} for entry in entries]
        connection.execute(_APPEND, lines)


_STEP = (
    update(_GAMES)
    .where(
        _GAMES.c.id == bindparam("at_id"),
        _GAMES.c.phase == bindparam("at_phase"),
        _GAMES.c.revision == bindparam("at_revision"),
    )
    .values(revision=_GAMES.c.revision + 1, touched_at=bindparam("now"))
)
_SEEN_STEP = _STEP.values(edition=_GAMES.c.edition + 1)


class JournalStep(Protocol):
    """The state a write expects: a game in its phase and at its revision."""

    @property
    def id(self) -> int:
        """The game's number."""

    @property
    def phase(self) -> str:
        """One of lobby, live, over and cancelled."""

    @property
    def revision(self) -> int:
        """Number of changes made so far."""


def keep(connection: Connection, before: JournalStep, change: Change, now: int) -> None:
    """Store a change of a table that still has the phase and revision it had before.

    Raises:
        Overtaken: the table has changed since; nothing is stored.
        sqlalchemy.exc.IntegrityError: a journal number is taken (`Database` turns it into a Conflict).
    """
    step = _STEP if change.quiet else _SEEN_STEP
    where = {"at_id": before.id, "at_phase": before.phase, "at_revision": before.revision, "now": now}
    columns = dict(change.columns)
    if "terms" in columns:
        columns["terms"] = as_json(columns["terms"])
    if connection.execute(step, {**columns, **where}).rowcount != 1:
        raise Overtaken(f"game {before.id} is no longer at revision {before.revision}")
    _append(connection, before.id, change.entries)
    if change.columns.get("phase", "live") not in OPEN_PHASES:
        snapshots.drop(connection, before.id)
    elif change.forget is not None:
        snapshots.drop(connection, before.id, since=change.forget)
    elif change.snapshot is not None:
        snapshots.keep(connection, before.id, change.snapshot)
    if change.sitters is not None:
        _set_sitters(connection, before.id, change.sitters)
    if change.columns.get("phase", before.phase) not in OPEN_PHASES:
        connection.execute(_CLOSE_SEATS, {"at_id": before.id})
    if change.deadlines is not None:
        set_deadlines(connection, before.id, change.deadlines)
    if change.also is not None:
        change.also(connection)


_CLOSE_SEATS = update(_SEATS).where(_SEATS.c.game_id == bindparam("at_id")).values(closed=1)
_UNSEAT, _SEAT = delete(_SEATS).where(_SEATS.c.game_id == bindparam("at_id")), insert(_SEATS)
_UNSET, _SET = delete(_CLOCKS).where(_CLOCKS.c.game_id == bindparam("at_id")), insert(_CLOCKS)


def _set_sitters(connection: Connection, game_id: int, sitters: Sequence[Sitter]) -> None:
    connection.execute(_UNSEAT, {"at_id": game_id})
    rows = [{"game_id": game_id, "seat": n, **msgspec.structs.asdict(s)} for n, s in enumerate(sitters)]
    if rows:
        connection.execute(_SEAT, rows)


def set_deadlines(connection: Connection, game_id: int, deadlines: Iterable[Deadline]) -> None:
    """Replace the deadlines of a game."""
    connection.execute(_UNSET, {"at_id": game_id})
    rows = [msgspec.structs.asdict(deadline) for deadline in deadlines]
    if rows:
        connection.execute(_SET, rows)


_SHOWN = update(_GAMES).where(_GAMES.c.id == bindparam("at_id")).values(shown=bindparam("at_edition"))


def mark_shown(connection: Connection, editions: Mapping[int, int]) -> None:
    """Record which edition the message of each game shows."""
    connection.execute(_SHOWN, [{"at_id": at, "at_edition": edition} for at, edition in editions.items()])


def mark_resting(connection: Connection, game_id: int, why: str) -> None:
    """Record why a game does not replay under this version; an empty reason means that it replays again."""
    connection.execute(update(_GAMES).where(_GAMES.c.id == game_id).values(resting=why))


# -- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything about one game that is not derived, with the journal entries after the snapshot, if there is
    one."""

    game: StoredGame
    sitters: list[Sitter]
    journal: list[Entry]
    deadlines: tuple[Deadline, ...]
    snapshot: Snapshot | None = None


_GAME = select(_GAMES).where(_GAMES.c.id == bindparam("at_id"))
_SITTERS = (
    select(*(_SEATS.c[name] for name in Sitter.__struct_fields__))
    .where(_SEATS.c.game_id == bindparam("at_id"))
    .order_by(_SEATS.c.seat)
)
_JOURNAL = (
    select(*(_ENTRIES.c[name] for name in Entry.__struct_fields__))
    .where(_ENTRIES.c.game_id == bindparam("at_id"), _ENTRIES.c.seq > bindparam("after"))
    .order_by(_ENTRIES.c.seq)
)
_DEADLINES = (
    select(_CLOCKS)
    .where(_CLOCKS.c.game_id == bindparam("at_id"))
    .order_by(_CLOCKS.c.due_at, _CLOCKS.c.seat, _CLOCKS.c.kind)
)


def whole(
    connection: Connection, game_id: int, *, lock: bool = False, after_snapshot: int | None = None
) -> Stored | None:
    """Return a game with everything that belongs to it, or None. With `lock`, wait for writes in progress.

    With `after_snapshot`, the journal begins after the last snapshot that this many entries follow.

    Raises:
        ValueError: a row cannot be read.
    """
    if lock:
        connection.execute(select(_GAMES.c.id).where(_GAMES.c.id == game_id).with_for_update())
    game = load(connection, game_id)
    if game is None:
        return None
    found = tuple(_struct(Deadline, row) for row in connection.execute(_DEADLINES, {"at_id": game_id}))
    snapshot = None if after_snapshot is None else snapshots.latest(connection, game_id, after_snapshot)
    entries = journal(connection, game_id, after=snapshot.seq if snapshot else 0)
    return Stored(game, sitters(connection, game_id), entries, found, snapshot)


def find(connection: Connection, wanted: StoredGame) -> Stored | None:
    """Return the game that was to be stored, or None. For writes whose outcome is in doubt."""
    # a practice game shares its seed with an earlier table, which may be in the same channel
    game_id = connection.execute(
        select(_GAMES.c.id).where(
            _GAMES.c.channel_id == wanted.channel_id,
            _GAMES.c.seed == wanted.seed,
            _GAMES.c.host_id == wanted.host_id,
            _GAMES.c.created_at == wanted.created_at,
        )
    ).scalar()
    return None if game_id is None else whole(connection, game_id)


def load(connection: Connection, game_id: int) -> StoredGame | None:
    """Return one game, or None."""
    row = connection.execute(_GAME, {"at_id": game_id}).first()
    return _game(row) if row else None


class Whereabouts(msgspec.Struct, frozen=True):
    """The place where a game is shown. It can be read even if the rest of the game cannot."""

    id: int
    game: str
    phase: str
    guild_id: int | None
    channel_id: int
    message_id: int | None
    locale: str
    resting: str
    touched_at: int
    revision: int


def place(connection: Connection, game_id: int) -> Whereabouts | None:
    """Return where a game is shown, even if its other columns are unreadable."""
    columns = [_GAMES.c[name] for name in Whereabouts.__struct_fields__]
    row = connection.execute(select(*columns).where(_GAMES.c.id == game_id)).first()
    return _struct(Whereabouts, row) if row else None


def sitters(connection: Connection, game_id: int) -> list[Sitter]:
    """Return the seat holders of a game, in seat order."""
    return [Sitter(*row) for row in connection.execute(_SITTERS, {"at_id": game_id})]


def journal(connection: Connection, game_id: int, *, after: int = 0) -> list[Entry]:
    """Return a game's journal in order, folded or not: all of it, or the entries after a given one.

    Raises:
        ValueError: the journal cannot be read.
    """
    where = {"at_id": game_id, "after": after}
    # columns are read by position, because looking them up by name in hundreds of rows took two thirds of the
    # time; and all rows at once, because one by one took a third longer
    rows: Sequence[Any] = connection.execute(_JOURNAL, where).all()
    if not rows:
        rows = [row for row in folds.journal(connection, game_id) if row[0] > after]
    return [Entry(*row) for row in rows]


def entry_times(connection: Connection, game_id: int, seqs: Collection[int]) -> dict[int, int]:
    """Return when these journal entries were made, in milliseconds, by entry number."""
    query = select(_ENTRIES.c.seq, _ENTRIES.c.at)
    found = connection.execute(query.where(_ENTRIES.c.game_id == game_id, _ENTRIES.c.seq.in_(seqs)))
    times = {row.seq: row.at for row in found}
    if not times and seqs:
        times = {seq: at for seq, _, _, _, at, _ in folds.journal(connection, game_id) if seq in seqs}
    return times
