"""Queries for games: of a person, channel or server; due, resting or asleep.

All functions work on a plain connection, for `Database.read_at_once`.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    func,
    not_,
    or_,
    select,
    text,
    union_all,
)

from bot.store.games import ACTS, OPEN_PHASES, UNDO, Deadline, Sitter, StoredGame, load, sitters
from bot.store.models import ClockRow, EntryRow, GameRow, SeatRow, table_of
from bot.store.shards import ALL, Shards
from bot.store.terms import says, says_any

_GAMES, _SEATS, _ENTRIES = table_of(GameRow), table_of(SeatRow), table_of(EntryRow)
_CLOCKS = table_of(ClockRow)

LAST = 10
"""Number of recent tables searched for one that was not practice."""
RECENT = 1000
"""Number of a person's last games or results that are searched, so that years of play cost no more."""
MOST_ASLEEP = 200
"""Number of sleeping games of a server that are listed."""

_OPEN = _GAMES.c.phase.in_(OPEN_PHASES)
_PRACTICE = says_any(_GAMES.c.terms, "practice")
# written exactly as in the partial indexes, values included: neither database uses those with parameters
_RESTING = text("games.resting <> ''")
_ASLEEP, _AWAKE = text("games.asleep_at > 0"), text("games.asleep_at = 0")
_NOT_ENDED = _GAMES.c.ended_at.is_(None)
_OPEN_SEAT = text("seats.closed = 0")


def recent_games(user_id: int) -> Select[tuple[int]]:
    """Return a query for the last `RECENT` games at which a person sits or sat, open and closed."""
    theirs = select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id)
    return theirs.order_by(_SEATS.c.game_id.desc()).limit(RECENT)


def _open_games(user_id: int) -> Select[tuple[int]]:
    """Return a query for a person's games that are open, and perhaps some that an older release closed."""
    return select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id, _OPEN_SEAT)


def seats_of(connection: Connection, user_id: int, most: int, *, practice: bool = True) -> list[int]:
    """Return the open games a person sits at, with or without practice, newest first.

    Sleeping games come last, because abandoned solo games add up to more than a list holds.
    """
    theirs = _GAMES.c.id.in_(_open_games(user_id))
    query = (
        select(_GAMES.c.id)
        .where(theirs, *_these(practice=practice))
        .order_by(_GAMES.c.asleep_at > 0, _GAMES.c.id.desc())
    )
    return list(connection.execute(query.limit(most)).scalars())


def in_channel(
    connection: Connection,
    channel_id: int,
    most: int,
    threads: Collection[int] = (),
    *,
    practice: bool = True,
) -> list[int]:
    """Return the open games of a channel and of these threads, with or without practice, newest first."""
    here = _GAMES.c.channel_id.in_([channel_id, *threads])
    query = select(_GAMES.c.id).where(here, *_these(practice=practice))
    return list(connection.execute(query.order_by(_GAMES.c.id.desc()).limit(most)).scalars())


def _these(*, practice: bool) -> list[ColumnElement[bool]]:
    return [_OPEN] if practice else [_OPEN, not_(_PRACTICE)]


def last_set_up(connection: Connection, user_id: int, game: str) -> tuple[StoredGame, list[Sitter]] | None:
    """Return the newest table of this game that a person set up themselves and was dealt cards at.

    Challenges, matches and rematches with others do not count: their options come from elsewhere.
    """
    own = (_GAMES.c.host_id == user_id, not_(says_any(_GAMES.c.terms, "order")))
    return _last(connection, user_id, game, *own, not_(says_any(_GAMES.c.terms, "cup")))


def last_played(
    connection: Connection, user_id: int, game: str = ""
) -> tuple[StoredGame, list[Sitter]] | None:
    """Return the newest table at which a person was dealt this game, or any game; practice does not count."""
    return _last(connection, user_id, game)


def _last(
    connection: Connection, user_id: int, game: str, *where: ColumnElement[bool]
) -> tuple[StoredGame, list[Sitter]] | None:
    mine = _GAMES.c.id.in_(recent_games(user_id))
    query = select(_GAMES.c.id).where(mine, _GAMES.c.phase.in_(("live", "over")), *where)
    if game:
        query = query.where(_GAMES.c.game == game)
    for game_id in connection.execute(query.order_by(_GAMES.c.id.desc()).limit(LAST)).scalars().all():
        stored = load(connection, game_id)
        if stored is not None and not (stored.terms.practice or stored.terms.daily):
            return stored, sitters(connection, stored.id)
    return None


def last_together(connection: Connection, user_id: int, other: int) -> StoredGame | None:
    """Return the newest table at which both people were dealt cards, of the first one's last games."""
    theirs = select(_SEATS.c.game_id).where(_SEATS.c.game_id == _GAMES.c.id, _SEATS.c.user_id == other)
    both = (_GAMES.c.id.in_(recent_games(user_id)), theirs.exists())
    query = select(_GAMES.c.id).where(*both, _GAMES.c.phase.in_(("live", "over")))
    found = connection.execute(query.order_by(_GAMES.c.id.desc()).limit(1)).scalar()
    return None if found is None else load(connection, found)


def keys_at(connection: Connection, user_id: int, channel_id: int, most: int) -> list[str]:
    """Return the games a person plays, then those of a channel, newest first and without repeats.

    Practice is left out: it is soon abandoned, and would determine for a long time which game a look-up is
    about.
    """
    mine = seats_of(connection, user_id, most, practice=False)
    ids = [*mine, *in_channel(connection, channel_id, most, practice=False)]
    found = connection.execute(select(_GAMES.c.id, _GAMES.c.game).where(_GAMES.c.id.in_(set(ids))))
    keys = {row.id: row.game for row in found}
    return list(dict.fromkeys(keys[each] for each in ids if each in keys))


class TableLine(msgspec.Struct, frozen=True):
    """One open game in a list. `acts` counts the moves not taken back. `asleep_at` is 0 while it is awake;
    `why` is the reason it sleeps."""

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
    channels: Collection[int] | None = None,
    seeking: bool = False,
) -> tuple[list[TableLine], int]:
    """Return one page of the open games of a server, or of a person without one, and the total.

    Games are sorted newest first, sleeping ones last; of a server's sleeping ones only those that fell asleep
    last. Private games, practice, games in one hand only, and
    games in other channels than `channels`, are only listed for people who sit there. `seeking` lists lobbies
    that are looking for players.
    """
    theirs = _GAMES.c.id.in_(_open_games(user_id))
    alone = says(_GAMES.c.terms, "hand_only", value=True)
    hidden = or_(says(_GAMES.c.terms, "access", "private"), _PRACTICE, alone)
    if channels is not None:
        hidden = or_(hidden, _GAMES.c.channel_id.not_in(list(channels)))
    seen = or_(not_(hidden), theirs)
    sought = and_(_GAMES.c.phase == "lobby", says(_GAMES.c.terms, "seeks", value=True))
    mine = theirs if guild_id is None else and_(_GAMES.c.id.in_(_of_server(guild_id)), seen)
    here = (mine, sought if seeking else _OPEN)
    total = connection.execute(select(func.count()).select_from(_GAMES).where(*here)).scalar_one()
    shown = ("id", "game", "phase", "guild_id", "channel_id", "message_id", "asleep_at", "why")
    order = (_GAMES.c.asleep_at > 0, _GAMES.c.id.desc())
    page = select(*(_GAMES.c[name] for name in shown)).where(*here).order_by(*order)
    page = page.limit(most).offset(offset)
    lines = [TableLine(**row._mapping) for row in connection.execute(page)]
    names: dict[int, list[str]] = {line.id: [] for line in lines}
    seated = select(_SEATS.c.game_id, _SEATS.c.name).where(_SEATS.c.game_id.in_(list(names)))
    for game_id, name in connection.execute(seated.order_by(_SEATS.c.game_id, _SEATS.c.seat)):
        names[game_id].append(name)
    acts = _standing(connection, [line.id for line in lines if line.phase == "live"])
    return [
        msgspec.structs.replace(line, names=tuple(names[line.id]), acts=acts.get(line.id, 0))
        for line in lines
    ], total


def _of_server(guild_id: int) -> CompoundSelect[tuple[int]]:
    """Return a query for the open games of a server that are awake, and the last that fell asleep."""
    here = select(_GAMES.c.id).where(_GAMES.c.guild_id == guild_id, _NOT_ENDED)
    asleep = here.where(_ASLEEP).order_by(_GAMES.c.asleep_at.desc())
    last = select(asleep.limit(MOST_ASLEEP).subquery().c.id)
    return union_all(here.where(_AWAKE), last)


def _standing(connection: Connection, game_ids: Collection[int]) -> dict[int, int]:
    """Return the number of acts in these games that were not taken back; see `bot.table.journal.standing`.

    The database counts them, except for games with an undo, which are rare.
    """
    theirs, acts = _ENTRIES.c.game_id.in_(list(game_ids)), _ENTRIES.c.kind.in_(ACTS)
    counted = select(_ENTRIES.c.game_id, func.count()).where(theirs, acts).group_by(_ENTRIES.c.game_id)
    found = {game_id: int(n) for game_id, n in connection.execute(counted)}
    # read as text: a table with a broken journal line is resting, but must still be listed
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
    """Return the deadlines up to this table time, earliest first, for games of these shards. Resting games
    are left out."""
    wanted = _DUE if shards.whole else _DUE.where(shards.where(_GAMES.c.guild_id))
    found = connection.execute(wanted, {"until": until, "most": most})
    return [Deadline(**row._mapping) for row in found]


def unshown(
    connection: Connection, most: int, shards: Shards = ALL, *, before: int | None = None
) -> list[int]:
    """Return games whose message shows an older edition, newest first; `before` limits them to lower ids."""
    query = select(_GAMES.c.id).where(
        _GAMES.c.edition != _GAMES.c.shown, _GAMES.c.resting == "", shards.where(_GAMES.c.guild_id)
    )
    if before is not None:
        query = query.where(_GAMES.c.id < before)
    return list(connection.execute(query.order_by(_GAMES.c.id.desc()).limit(most)).scalars())


def resting(connection: Connection, shards: Shards = ALL) -> list[int]:
    """Return the open games that do not replay, oldest first."""
    # few games rest in any phase; with a condition on the phase SQLite would scan all open games
    here = (_RESTING, shards.where(_GAMES.c.guild_id))
    query = select(_GAMES.c.id, _GAMES.c.phase).where(*here).order_by(_GAMES.c.id)
    return [row.id for row in connection.execute(query) if row.phase in OPEN_PHASES]


def latest_open(connection: Connection, most: int, shards: Shards = ALL) -> list[int]:
    """Return the open games that are awake, most recently changed first."""
    found: list[tuple[int, int]] = []
    here = (_AWAKE, shards.where(_GAMES.c.guild_id))
    for phase in OPEN_PHASES:  # one query per phase reads its index in order, and no further than needed
        query = select(_GAMES.c.touched_at, _GAMES.c.id).where(_GAMES.c.phase == phase, *here)
        page = query.order_by(_GAMES.c.touched_at.desc(), _GAMES.c.id.desc()).limit(most)
        found += [(row.touched_at, row.id) for row in connection.execute(page)]
    return [game_id for _, game_id in sorted(found, reverse=True)[:most]]


class OpenCounts(msgspec.Struct, frozen=True):
    """Open tables that count towards the quotas: lobbies opened by a person, and tables per person, channel
    and server."""

    lobbies: int
    person: int
    channel: int
    server: int


def open_counts(  # noqa: PLR0917 - what the quotas ask
    connection: Connection,
    user_id: int,
    channel_id: int,
    guild_id: int | None,
    paused: str,
    since: int,
    *,
    here: bool = False,
) -> OpenCounts:
    """Count the open tables for the quotas; with `here`, only the person's tables in this server.

    All tables that are awake count. Tables that people put to sleep count too: a table with the reason
    `paused` counts for the person until it ends, and for the channel and server if it was paused after
    `since`. A sleeping table without a reason, at which everyone let the clock run out, counts for the person
    if that was after `since`.
    """
    lately, is_paused = _GAMES.c.asleep_at > since, _GAMES.c.why == paused
    of_person = or_(_AWAKE, is_paused, and_(_GAMES.c.why == "", lately))

    def count(*where: Any) -> int:
        query = select(func.count()).select_from(_GAMES).where(_OPEN, *where)
        return int(connection.execute(query).scalar_one())

    def of_place(where: ColumnElement[bool]) -> int:
        # counted apart, because an index serves each of them and not both
        here = (where, _NOT_ENDED)
        return count(*here, _AWAKE) + count(*here, lately, is_paused)

    seated = _GAMES.c.id.in_(_open_games(user_id))
    theirs = and_(seated, _GAMES.c.guild_id == guild_id) if here else seated
    return OpenCounts(
        lobbies=count(theirs, _GAMES.c.phase == "lobby", _GAMES.c.host_id == user_id),
        person=count(theirs, of_person),
        channel=of_place(_GAMES.c.channel_id == channel_id) if channel_id else 0,
        server=of_place(_GAMES.c.guild_id == guild_id) if guild_id is not None else 0,
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
    """Return live, awake, readable games that no one has touched since then, longest idle first."""
    wanted = _IDLE if shards.whole else _IDLE.where(shards.where(_GAMES.c.guild_id))
    return list(connection.execute(wanted, {"before": before, "most": most}).scalars())


def asleep_since(
    connection: Connection, before: int, why: Collection[str], most: int, shards: Shards = ALL
) -> list[int]:
    """Return live, readable games that have slept since before then for one of these reasons, longest
    first."""
    wanted = _SLEEPING if shards.whole else _SLEEPING.where(shards.where(_GAMES.c.guild_id))
    return list(
        connection.execute(wanted, {"before": before, "for_these": list(why), "most": most}).scalars()
    )


def open_in_guild(connection: Connection, guild_id: int) -> list[int]:
    """Return the open games of a server, oldest first."""
    query = select(_GAMES.c.id).where(_GAMES.c.guild_id == guild_id, _OPEN)
    return list(connection.execute(query.order_by(_GAMES.c.id)).scalars())
