"""Which games there are: of a person, of a channel, of a server; what falls due, what rests, what sleeps.

All of it works on a plain connection, for `Database.read_at_once`.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy import Connection, Text, and_, bindparam, cast, func, not_, or_, select, text

from bot.store.games import ACTS, OPEN_PHASES, UNDO, Deadline, Sitter, StoredGame, load, sitters
from bot.store.models import ClockRow, EntryRow, GameRow, SeatRow, table_of
from bot.store.shards import ALL, Shards
from bot.store.terms import says

_GAMES, _SEATS, _ENTRIES = table_of(GameRow), table_of(SeatRow), table_of(EntryRow)
_CLOCKS = table_of(ClockRow)

LAST = 10
"""Among so many tables the last one that was no practice is looked for."""

_OPEN = _GAMES.c.phase.in_(OPEN_PHASES)
# as the partial indexes say it, values and all: with parameters neither database uses those
_RESTING = text("games.resting <> ''")
_ASLEEP, _AWAKE = text("games.asleep_at > 0"), text("games.asleep_at = 0")


def seats_of(connection: Connection, user_id: int, most: int) -> list[int]:
    """The open games at which a person sits, those that sleep last, newest first: begun alone and left, they
    add up to more than a list holds."""
    theirs = _GAMES.c.id.in_(select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id))
    query = select(_GAMES.c.id).where(theirs, _OPEN).order_by(_GAMES.c.asleep_at > 0, _GAMES.c.id.desc())
    return list(connection.execute(query.limit(most)).scalars())


def in_channel(
    connection: Connection, channel_id: int, most: int, threads: Collection[int] = ()
) -> list[int]:
    """The open games of a channel, and of these threads, newest first."""
    query = select(_GAMES.c.id).where(_GAMES.c.channel_id.in_([channel_id, *threads]), _OPEN)
    return list(connection.execute(query.order_by(_GAMES.c.id.desc()).limit(most)).scalars())


def last_played(
    connection: Connection, user_id: int, game: str = ""
) -> tuple[StoredGame, list[Sitter]] | None:
    """The newest table at which a person has been dealt this game, or any; practice is none."""
    query = (
        select(_GAMES.c.id)
        .join(_SEATS, _SEATS.c.game_id == _GAMES.c.id)
        .where(_SEATS.c.user_id == user_id, _GAMES.c.phase.in_(("live", "over")))
    )
    if game:
        query = query.where(_GAMES.c.game == game)
    for game_id in connection.execute(query.order_by(_GAMES.c.id.desc()).limit(LAST)).scalars().all():
        stored = load(connection, game_id)
        if stored is not None and not (stored.terms.practice or stored.terms.daily):
            return stored, sitters(connection, stored.id)
    return None


def last_together(connection: Connection, user_id: int, other: int) -> StoredGame | None:
    """The newest table at which both have been dealt cards."""
    hers, his = _SEATS.alias("hers"), _SEATS.alias("his")
    query = (
        select(_GAMES.c.id)
        .join(hers, hers.c.game_id == _GAMES.c.id)
        .join(his, his.c.game_id == _GAMES.c.id)
        .where(hers.c.user_id == user_id, his.c.user_id == other, _GAMES.c.phase.in_(("live", "over")))
    )
    found = connection.execute(query.order_by(_GAMES.c.id.desc()).limit(1)).scalar()
    return None if found is None else load(connection, found)


def keys_at(connection: Connection, user_id: int, channel_id: int, most: int) -> list[str]:
    """The games that a person plays, then those of a channel, the newest first and each once."""
    ids = [*seats_of(connection, user_id, most), *in_channel(connection, channel_id, most)]
    found = connection.execute(select(_GAMES.c.id, _GAMES.c.game).where(_GAMES.c.id.in_(set(ids))))
    keys = {row.id: row.game for row in found}
    return list(dict.fromkeys(keys[each] for each in ids if each in keys))


class Line(msgspec.Struct, frozen=True):
    """One open game as a list shows it. `acts` are the moves that stand; `asleep_at` is 0 while it is
    awake, `why` says why it is not."""

    id: int
    game: str
    phase: str
    guild_id: int | None
    channel_id: int
    message_id: int | None
    asleep_at: int = 0
    why: str = ""
    acts: int = 0
    names: tuple[str, ...] = ()


def listed(
    connection: Connection,
    most: int,
    offset: int = 0,
    *,
    guild_id: int | None,
    user_id: int,
    seeking: bool = False,
) -> tuple[list[Line], int]:
    """The open games of a server, or of a person where there is none, those that sleep last, newest first;
    how many there are. Private ones are listed for who sits there; `seeking`: lobbies for which people are
    sought."""
    theirs = _GAMES.c.id.in_(select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id))
    seen = or_(not_(says(_GAMES.c.terms, "access", "private")), theirs)
    sought = and_(_GAMES.c.phase == "lobby", says(_GAMES.c.terms, "seeks", value=True))
    mine = theirs if guild_id is None else and_(_GAMES.c.guild_id == guild_id, seen)
    here = (mine, sought if seeking else _OPEN)
    total = connection.execute(select(func.count()).select_from(_GAMES).where(*here)).scalar_one()
    shown = ("id", "game", "phase", "guild_id", "channel_id", "message_id", "asleep_at", "why")
    order = (_GAMES.c.asleep_at > 0, _GAMES.c.id.desc())
    page = select(*(_GAMES.c[name] for name in shown)).where(*here).order_by(*order)
    page = page.limit(most).offset(offset)
    lines = [Line(**row._mapping) for row in connection.execute(page)]
    names: dict[int, list[str]] = {line.id: [] for line in lines}
    seated = select(_SEATS.c.game_id, _SEATS.c.name).where(_SEATS.c.game_id.in_(list(names)))
    for game_id, name in connection.execute(seated.order_by(_SEATS.c.game_id, _SEATS.c.seat)):
        names[game_id].append(name)
    acts = _standing(connection, [line.id for line in lines if line.phase == "live"])
    return [
        msgspec.structs.replace(line, names=tuple(names[line.id]), acts=acts.get(line.id, 0))
        for line in lines
    ], total


def _standing(connection: Connection, game_ids: Collection[int]) -> dict[int, int]:
    """How many acts of these games stand, of those that have any; `bot.tables.journal.standing` says which
    do. Databases count them, but where something was taken back, which is rare."""
    theirs, acts = _ENTRIES.c.game_id.in_(list(game_ids)), _ENTRIES.c.kind.in_(ACTS)
    counted = select(_ENTRIES.c.game_id, func.count()).where(theirs, acts).group_by(_ENTRIES.c.game_id)
    found = {game_id: int(n) for game_id, n in connection.execute(counted)}
    # as text: of a journal with a broken line the table rests, and is listed all the same
    columns = (_ENTRIES.c.game_id, _ENTRIES.c.seq, cast(_ENTRIES.c.data, Text))
    undos: dict[int, list[tuple[int, int]]] = {}
    for game_id, seq, data in connection.execute(select(*columns).where(theirs, _ENTRIES.c.kind == UNDO)):
        with suppress(msgspec.DecodeError):
            undos.setdefault(game_id, []).append((seq, msgspec.json.decode(data, type=tuple[int])[0]))
    for game_id, taken_back in undos.items():
        numbers = select(_ENTRIES.c.seq).where(_ENTRIES.c.game_id == game_id, acts)
        left, below = sorted(taken_back), math.inf
        found[game_id] = 0
        for seq in connection.execute(numbers.order_by(_ENTRIES.c.seq.desc())).scalars():
            while left and left[-1][0] > seq:
                below = min(below, left.pop()[1])
            found[game_id] += seq < below
    return found


_DUE = (
    select(*(_CLOCKS.c[name] for name in Deadline.__struct_fields__))
    .join(_GAMES, _GAMES.c.id == _CLOCKS.c.game_id)
    .where(_CLOCKS.c.due_at <= bindparam("until"), _GAMES.c.resting == "")
    .order_by(_CLOCKS.c.due_at)
    .limit(bindparam("most"))
)


def due(connection: Connection, until: int, most: int, shards: Shards = ALL) -> list[Deadline]:
    """The deadlines up to that table time, the next one first; those of resting games stand still. Of games
    of these shards, as below."""
    wanted = _DUE if shards.whole else _DUE.where(shards.where(_GAMES.c.guild_id))
    found = connection.execute(wanted, {"until": until, "most": most})
    return [Deadline(**row._mapping) for row in found]


def unshown(
    connection: Connection, most: int, shards: Shards = ALL, *, before: int | None = None
) -> list[int]:
    """Games whose message shows an older edition, the newest first; `before`: only those older than this."""
    query = select(_GAMES.c.id).where(
        _GAMES.c.edition != _GAMES.c.shown, _GAMES.c.resting == "", shards.where(_GAMES.c.guild_id)
    )
    if before is not None:
        query = query.where(_GAMES.c.id < before)
    return list(connection.execute(query.order_by(_GAMES.c.id.desc()).limit(most)).scalars())


def resting(connection: Connection, shards: Shards = ALL) -> list[int]:
    """The open games that do not replay, oldest first."""
    # few rest, whatever their phase: asked for the phase as well, SQLite would look through all open ones
    here = (_RESTING, shards.where(_GAMES.c.guild_id))
    query = select(_GAMES.c.id, _GAMES.c.phase).where(*here).order_by(_GAMES.c.id)
    return [row.id for row in connection.execute(query) if row.phase in OPEN_PHASES]


def latest_open(connection: Connection, most: int, shards: Shards = ALL) -> list[int]:
    """The open games that are awake and were changed last, the latest first."""
    found: list[tuple[int, int]] = []
    here = (_AWAKE, shards.where(_GAMES.c.guild_id))
    for phase in OPEN_PHASES:  # one by one each is read from its index, in order and no further
        query = select(_GAMES.c.touched_at, _GAMES.c.id).where(_GAMES.c.phase == phase, *here)
        page = query.order_by(_GAMES.c.touched_at.desc(), _GAMES.c.id.desc()).limit(most)
        found += [(row.touched_at, row.id) for row in connection.execute(page)]
    return [game_id for _, game_id in sorted(found, reverse=True)[:most]]


class OpenCounts(msgspec.Struct, frozen=True):
    """How much is open and awake: lobbies that a person opened, tables of a person, a channel, a server."""

    lobbies: int
    person: int
    channel: int
    server: int


def open_counts(
    connection: Connection, user_id: int, channel_id: int, guild_id: int | None, *, here: bool = False
) -> OpenCounts:
    """What the quotas ask; `here`: of a person, only what is open in this server."""

    def count(*where: Any) -> int:
        query = select(func.count()).select_from(_GAMES).where(_OPEN, _GAMES.c.asleep_at == 0, *where)
        return int(connection.execute(query).scalar_one())

    seated = _GAMES.c.id.in_(select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id))
    theirs = and_(seated, _GAMES.c.guild_id == guild_id) if here else seated
    return OpenCounts(
        lobbies=count(theirs, _GAMES.c.phase == "lobby", _GAMES.c.host_id == user_id),
        person=count(theirs),
        channel=count(_GAMES.c.channel_id == channel_id) if channel_id else 0,
        server=count(_GAMES.c.guild_id == guild_id) if guild_id is not None else 0,
    )


_IDLE = (
    select(_GAMES.c.id)
    .where(
        _GAMES.c.phase == "live", _GAMES.c.touched_at < bindparam("before"), _AWAKE, _GAMES.c.resting == ""
    )
    .order_by(_GAMES.c.touched_at)
    .limit(bindparam("most"))
)
_SLEEPING = (
    select(_GAMES.c.id)
    .where(
        _GAMES.c.phase == "live",
        _ASLEEP,
        _GAMES.c.asleep_at <= bindparam("before"),
        _GAMES.c.why.in_(bindparam("for_these", expanding=True)),
        _GAMES.c.resting == "",
    )
    .order_by(_GAMES.c.asleep_at)
    .limit(bindparam("most"))
)


def idle(connection: Connection, before: int, most: int, shards: Shards = ALL) -> list[int]:
    """The live games that are awake and can be read, and that nobody has touched since then; the longest
    first."""
    wanted = _IDLE if shards.whole else _IDLE.where(shards.where(_GAMES.c.guild_id))
    return list(connection.execute(wanted, {"before": before, "most": most}).scalars())


def asleep_since(
    connection: Connection, before: int, why: Collection[str], most: int, shards: Shards = ALL
) -> list[int]:
    """The live games that can be read and have slept since before then for one of these reasons, longest
    first."""
    wanted = _SLEEPING if shards.whole else _SLEEPING.where(shards.where(_GAMES.c.guild_id))
    return list(
        connection.execute(wanted, {"before": before, "for_these": list(why), "most": most}).scalars()
    )


def open_in_guild(connection: Connection, guild_id: int) -> list[int]:
    """The open games of a server, the oldest first."""
    query = select(_GAMES.c.id).where(_GAMES.c.guild_id == guild_id, _OPEN)
    return list(connection.execute(query.order_by(_GAMES.c.id)).scalars())
