"""Folds: the journal of a game that ended long ago, packed into one row.

A fold holds every entry exactly: acts, undos, acts made for late or departed players, and times. A record
holds less (only the acts that count, no times) but takes three times as many bytes, most of them digests that
a replay produces anyway. Records can be written from folds as well as from journals. Only `seats` stores who
played, so deleting a person does not change folds.

Only `bot.store.games.journal` and the functions here read folds. Callers that ask for a journal get it,
whether folded or not.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import msgspec
from sqlalchemy import Connection, and_, bindparam, delete, exists, func, insert, select, text, update

from bot.store.models import ClockRow, EntryRow, FoldRow, GameRow, MatchRow, SeatRow, table_of

_GAMES, _SEATS, _ENTRIES = table_of(GameRow), table_of(SeatRow), table_of(EntryRow)
_FOLDS, _CLOCKS, _MATCHES = table_of(FoldRow), table_of(ClockRow), table_of(MatchRow)

FOLDED: Final = 1
"""The journal is in `folds`."""
LEFT: Final = 2
"""The journal stays in `entries` because replaying it does not lead to the stored state of the game."""
ENDED: Final = ("over", "cancelled")
_LEVEL: Final = 9
_FORMAT: Final = 1


Line: TypeAlias = tuple[int, str, int, list[object], int, int | None]
"""A journal entry as a tuple: number, kind, seat, data, time and press; see `bot.store.games.Entry`."""


LINE: Final = ("seq", "kind", "seat", "data", "at", "press")


class BadFold(ValueError):
    """A fold that cannot be read because it is damaged or was written by a later version."""


class Fold(msgspec.Struct, frozen=True, kw_only=True):
    """A packed journal and the digest of its final position."""

    game_id: int
    entries: int
    last_at: int
    digest: str
    journal: bytes


class _Columns(msgspec.Struct, frozen=True, array_like=True):
    """A journal stored by column, which packs best. Numbers and times are differences from the previous
    entry."""

    format: int
    seqs: list[int]
    kinds: list[str]
    seats: list[int]
    data: list[list[object]]
    times: list[int]
    presses: list[int]
    """Number of entries since the first entry of the same press; 0 for that first entry."""


def packed(journal: Sequence[Line]) -> bytes:
    """Return a journal in packed form."""
    columns = _Columns(
        _FORMAT,
        list(_steps([seq for seq, *_ in journal])),
        [kind for _, kind, *_ in journal],
        [seat for _, _, seat, *_ in journal],
        [data for _, _, _, data, *_ in journal],
        list(_steps([at for *_, at, _ in journal])),
        [0 if press is None else seq - press for seq, *_, press in journal],
    )
    return zlib.compress(msgspec.json.encode(columns), _LEVEL)


def unpacked(journal: bytes) -> list[Line]:
    """Return the journal that was packed.

    Raises:
        BadFold: the journal cannot be read.
    """
    try:
        columns = msgspec.json.decode(zlib.decompress(journal), type=_Columns)
        if columns.format != _FORMAT:
            raise BadFold(f"a fold of format {columns.format}")
        seqs, times = list(_sums(columns.seqs)), _sums(columns.times)
        presses = [seq - ago if ago else None for seq, ago in zip(seqs, columns.presses, strict=True)]
        return list(zip(seqs, columns.kinds, columns.seats, columns.data, times, presses, strict=True))
    except (zlib.error, msgspec.DecodeError, ValueError) as error:
        raise error if isinstance(error, BadFold) else BadFold(f"a fold cannot be read: {error}") from error


def _steps(numbers: Sequence[int]) -> Iterator[int]:
    before = 0
    for number in numbers:
        yield number - before
        before = number


def _sums(steps: Sequence[int]) -> Iterator[int]:
    total = 0
    for step in steps:
        total += step
        yield total


_JOURNAL = select(_FOLDS.c.journal).where(_FOLDS.c.game_id == bindparam("at_id"))


def journal(connection: Connection, game_id: int) -> list[Line]:
    """Return the folded journal of a game, or an empty list if it is not folded.

    Raises:
        BadFold: the journal cannot be read.
    """
    found = connection.execute(_JOURNAL, {"at_id": game_id}).scalar_one_or_none()
    return [] if found is None else unpacked(found)


def digest_of(connection: Connection, game_id: int) -> str | None:
    """Return the digest of a folded game's last position at the time of folding, or None if it is not
    folded."""
    return connection.execute(select(_FOLDS.c.digest).where(_FOLDS.c.game_id == game_id)).scalar_one_or_none()


def of_seats(connection: Connection, user_id: int) -> Iterator[tuple[int, int, list[Line]]]:
    """Yield each seat a person held in folded games that were closed early, with the journal, by game number.

    Raises:
        BadFold: a journal cannot be read.
    """
    query = (
        select(_FOLDS.c.game_id, _SEATS.c.seat, _FOLDS.c.journal)
        .join(_GAMES, _GAMES.c.id == _FOLDS.c.game_id)
        .join(_SEATS, _SEATS.c.game_id == _FOLDS.c.game_id)
        .where(_SEATS.c.user_id == user_id, _GAMES.c.phase == "cancelled")
        .order_by(_FOLDS.c.game_id, _SEATS.c.seat)
    )
    for game_id, seat, found in connection.execute(query):
        yield game_id, seat, unpacked(found)


def last_act(connection: Connection, game_ids: Sequence[int]) -> int:
    """Return when a player last acted in any of these games that is folded, or 0."""
    query = select(func.max(_FOLDS.c.last_at)).where(_FOLDS.c.game_id.in_(game_ids))
    return int(connection.execute(query).scalar() or 0)


# -- games to fold -----------------------------------------------------------------------------

_WHOLE = text("games.folded = 0")
"""Written exactly as in the partial index, because neither database uses one with parameters."""
_PLAYED = exists().where(_ENTRIES.c.game_id == _GAMES.c.id)
_OWED = exists().where(_CLOCKS.c.game_id == _GAMES.c.id)
_AWAITED = exists().where(_MATCHES.c.game_id == _GAMES.c.id)
_DUE = (
    select(_GAMES.c.id)
    .where(
        _GAMES.c.phase == bindparam("at_phase"),
        _GAMES.c.ended_at <= bindparam("before"),
        _WHOLE,
        ~_OWED,
        _PLAYED,
    )
    .order_by(_GAMES.c.ended_at)
    .limit(bindparam("most"))
)
_UNPLAYED = (
    select(_GAMES.c.id)
    .where(
        and_(_GAMES.c.phase == "cancelled", _GAMES.c.ended_at <= bindparam("before"), _WHOLE),
        ~_PLAYED,
        ~_AWAITED,
        _GAMES.c.id < select(func.max(_GAMES.c.id)).scalar_subquery(),
    )
    .order_by(_GAMES.c.ended_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True, of=_GAMES)
)


def due(connection: Connection, before: int, most: int) -> list[int]:
    """Return games to fold that ended before then, oldest first, except games with deadlines still
    pending."""
    found: list[int] = []
    for phase in ENDED:  # one query per phase reads its index in order, and no further than needed
        asked = {"at_phase": phase, "before": before, "most": most - len(found)}
        found += connection.execute(_DUE, asked).scalars()
    return found


def keep(connection: Connection, folds: Sequence[Fold], left: Sequence[int], at: int) -> int:
    """Replace the entries of games with folds, and mark the games that are left unfolded.

    Return how many games were folded. Skip games that another process folds or has folded, and games whose
    journal has grown since.
    """
    mine = _taken(connection, [*(fold.game_id for fold in folds), *left])
    kept = list[Fold]()
    for fold in folds:
        if fold.game_id in mine and _length(connection, fold.game_id) == fold.entries:
            kept.append(fold)
    if kept:
        rows = [{**msgspec.structs.asdict(fold), "folded_at": at} for fold in kept]
        connection.execute(insert(_FOLDS), rows)
        ids = [fold.game_id for fold in kept]
        connection.execute(delete(_ENTRIES).where(_ENTRIES.c.game_id.in_(ids)))
        connection.execute(update(_GAMES).where(_GAMES.c.id.in_(ids)).values(folded=FOLDED))
    if stays := [game_id for game_id in left if game_id in mine]:
        connection.execute(update(_GAMES).where(_GAMES.c.id.in_(stays)).values(folded=LEFT))
    return len(kept)


def _taken(connection: Connection, ids: Sequence[int]) -> set[int]:
    """Lock and return the games that are not folded yet, except those locked by another transaction."""
    query = select(_GAMES.c.id).where(_GAMES.c.id.in_(ids), _WHOLE, _GAMES.c.phase.in_(ENDED))
    return set(connection.execute(query.with_for_update(skip_locked=True)).scalars())


def _length(connection: Connection, game_id: int) -> int:
    query = select(func.count()).select_from(_ENTRIES).where(_ENTRIES.c.game_id == game_id)
    return int(connection.execute(query).scalar_one())


# -- clean-up ----------------------------------------------------------------------------------


def drop_unplayed(connection: Connection, before: int, most: int) -> int:
    """Remove tables closed before then at which no one ever acted. Return how many.

    A table of a match that is still to be played is kept. So is the newest table, because SQLite would reuse
    its number.
    """
    ids = connection.execute(_UNPLAYED, {"before": before, "most": most}).scalars().all()
    if ids:
        connection.execute(delete(_GAMES).where(_GAMES.c.id.in_(ids)))
    return len(ids)
