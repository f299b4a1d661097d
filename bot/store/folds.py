"""Folds: the journal of a game that ended long ago, packed into one row.

A fold holds every entry exactly: acts, undos, what was done for late seats and for those who left, and when.
A record holds less (acts that count, no times) and thrice the bytes, most of them digests that a replay
gives anyway; it is written from a fold as from a journal. Who sat there stands in `seats` alone, so deleting
a person leaves folds as they are.

Nobody reads folds but `bot.store.games.journal` and those here: whoever asks for a journal gets it, wherever
it lies.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import msgspec
from sqlalchemy import Connection, and_, bindparam, delete, exists, func, insert, select, text, update

from bot.store.models import ClockRow, EntryRow, FoldRow, GameRow, MatchRow, NightRow, SeatRow, table_of

_GAMES, _SEATS, _ENTRIES = table_of(GameRow), table_of(SeatRow), table_of(EntryRow)
_FOLDS, _CLOCKS, _MATCHES = table_of(FoldRow), table_of(ClockRow), table_of(MatchRow)
_NIGHTS = table_of(NightRow)

FOLDED: Final = 1
"""The journal lies in `folds`."""
LEFT: Final = 2
"""The journal stays in `entries`: it does not lead to what is stored of the game."""
ENDED: Final = ("over", "cancelled")
_LEVEL: Final = 9
_FORMAT: Final = 1


Line: TypeAlias = tuple[int, str, int, list[object], int, int | None]
"""An entry of a journal: its number, kind, seat, data, time and press, see `bot.store.games.Entry`."""


LINE: Final = ("seq", "kind", "seat", "data", "at", "press")


class BadFold(ValueError):
    """A fold that cannot be read: it is damaged, or a later version wrote it."""


class Fold(msgspec.Struct, frozen=True, kw_only=True):
    """A packed journal, and what it leads to."""

    game_id: int
    entries: int
    last_at: int
    digest: str
    journal: bytes


class _Columns(msgspec.Struct, frozen=True, array_like=True):
    """A journal column by column, which packs best; numbers and times as steps from the entry before."""

    format: int
    seqs: list[int]
    kinds: list[str]
    seats: list[int]
    data: list[list[object]]
    times: list[int]
    presses: list[int]
    """How many entries before this one its press began; 0 where it began with it."""


def packed(journal: Sequence[Line]) -> bytes:
    """A journal in few bytes."""
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
    """The journal that was packed.

    Raises:
        BadFold: it cannot be read.
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
    """The folded journal of a game; empty where there is none.

    Raises:
        BadFold: it cannot be read.
    """
    found = connection.execute(_JOURNAL, {"at_id": game_id}).scalar_one_or_none()
    return [] if found is None else unpacked(found)


def digest_of(connection: Connection, game_id: int) -> str | None:
    """The digest of the last position of a folded game, as it was when it was folded; None for others."""
    return connection.execute(select(_FOLDS.c.digest).where(_FOLDS.c.game_id == game_id)).scalar_one_or_none()


def of_seats(connection: Connection, user_id: int) -> Iterator[tuple[int, int, list[Line]]]:
    """The folded games that were closed before their end, by their number: each seat of a person there with
    the journal.

    Raises:
        BadFold: one cannot be read.
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
    """When somebody last acted in one of these games, where it is folded; 0 for never."""
    query = select(func.max(_FOLDS.c.last_at)).where(_FOLDS.c.game_id.in_(game_ids))
    return int(connection.execute(query).scalar() or 0)


# -- what is due -------------------------------------------------------------------------------

# as the partial indexes say it: with parameters neither database uses them
_WHOLE, _PAST = text("games.folded = 0"), text("nights.phase <> 'planned'")
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
_BYGONE = (
    select(_NIGHTS.c.id)
    .where(
        _PAST,
        _NIGHTS.c.starts_at <= bindparam("before"),
        _NIGHTS.c.id < select(func.max(_NIGHTS.c.id)).scalar_subquery(),
    )
    .order_by(_NIGHTS.c.starts_at)
    .limit(bindparam("most"))
)


def due(connection: Connection, before: int, most: int) -> list[int]:
    """Games that ended before then and are to be folded, the oldest first; none that the bot still owes
    something."""
    found: list[int] = []
    for phase in ENDED:  # one by one each is read from its index, in order and no further
        asked = {"at_phase": phase, "before": before, "most": most - len(found)}
        found += connection.execute(_DUE, asked).scalars()
    return found


def keep(connection: Connection, folds: Sequence[Fold], left: Sequence[int], at: int) -> int:
    """Put folds in the place of the entries of their games, and note which games are left as they are; how
    many games were folded. One that somebody else folds, or has folded, is passed over, and so is one whose
    journal has grown since."""
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
    """Those of these games that are not folded yet, locked; without those that another holds."""
    query = select(_GAMES.c.id).where(_GAMES.c.id.in_(ids), _WHOLE, _GAMES.c.phase.in_(ENDED))
    return set(connection.execute(query.with_for_update(skip_locked=True)).scalars())


def _length(connection: Connection, game_id: int) -> int:
    query = select(func.count()).select_from(_ENTRIES).where(_ENTRIES.c.game_id == game_id)
    return int(connection.execute(query).scalar_one())


# -- what vanishes -----------------------------------------------------------------------------


def drop_unplayed(connection: Connection, before: int, most: int) -> int:
    """Remove tables that were closed before then and at which nothing was ever done; how many. One of a match
    that is still to be played stays, and so does the newest table: SQLite would give its number again."""
    ids = connection.execute(_UNPLAYED, {"before": before, "most": most}).scalars().all()
    if ids:
        connection.execute(delete(_GAMES).where(_GAMES.c.id.in_(ids)))
    return len(ids)


def drop_nights(connection: Connection, before: int, most: int) -> int:
    """Remove nights that began before then or were called off; how many. The newest stays, as above."""
    ids = connection.execute(_BYGONE, {"before": before, "most": most}).scalars().all()
    if ids:
        connection.execute(delete(_NIGHTS).where(_NIGHTS.c.id.in_(ids)))
    return len(ids)
