"""Nights planned ahead: rows, who comes, and what falls due for them.

All of it works on a plain connection, for `Database.write_at_once` and `Database.read_at_once`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, insert, select, text, update

from bot.store.database import Overtaken
from bot.store.models import NightAnswerRow, NightCallRow, NightRow, table_of
from bot.store.people import put
from bot.store.shards import ALL, Shards

_NIGHTS, _ANSWERS, _CALLS = table_of(NightRow), table_of(NightAnswerRow), table_of(NightCallRow)

TIMED = ("day", "soon", "start")
"""Kinds of calls whose time follows from that of the night."""
EVENT_BEHIND = -1
"""`Night.event_at` while the bot has yet to bring the scheduled event to the time of the night."""

Phase = Literal["planned", "open", "empty", "missed", "hindered", "cancelled"]
"""Planned; its lobby has opened; nobody wanted to come; the bot was away for too long; its channel is gone or
closed to the bot; called off."""


class Night(msgspec.Struct, kw_only=True, frozen=True):
    """One night as the database has it."""

    id: int = 0
    phase: str = "planned"
    game: str
    seats: int
    starts_at: int
    guild_id: int
    channel_id: int
    message_id: int | None = None
    event_id: int | None = None
    event_at: int | None = None
    game_id: int | None = None
    host_id: int
    locale: str
    created_at: int
    rules: dict[str, Any] | None = None
    """The house rules by which it is to be played, as they were when it was planned: `name` and `options`."""
    token: str | None = None
    """The token of the interaction that planned it, until its message is noted."""

    @property
    def house_rules(self) -> str:
        """The name of its house rules; empty for none."""
        return str(self.rules["name"]) if self.rules else ""

    def host_among(self, coming: Sequence[Guest]) -> int:
        """Return who hosts its lobby: its planner, or else the first of these guests; 0 for no one."""
        people = [guest.user_id for guest in coming]
        return self.host_id if self.host_id in people else next(iter(people), 0)


class Guest(msgspec.Struct, frozen=True):
    """What somebody has answered, with the number of the press that did."""

    user_id: int
    name: str
    answer: str
    entropy: int
    at: int


class NightCall(msgspec.Struct, frozen=True):
    """Something that falls due for a night, in wall time.

    `day` and `soon` remind its guests and `start` opens the lobby. `call` posts the lobby and notifies the
    guests, and `show` updates the message of the night. `move` tells the guests of a new time, and `event`
    compares the scheduled event. Each is owed until it is done.
    """

    night_id: int
    kind: str
    due_at: int


S = TypeVar("S", bound=msgspec.Struct)


def _struct(kind: type[S], row: Row[Any]) -> S:
    return kind(**{name: row._mapping[name] for name in kind.__struct_fields__})


def create(connection: Connection, night: Night, host: Guest, calls: Iterable[tuple[str, int]]) -> int:
    """Store a new night to which its planner comes, and what falls due for it; its number."""
    values = msgspec.structs.asdict(night)
    del values["id"]
    done = connection.execute(insert(_NIGHTS).values(values))
    key = done.inserted_primary_key
    night_id = int(key[0]) if key else 0
    answer(connection, night_id, host)
    rows = [{"night_id": night_id, "kind": kind, "due_at": due_at} for kind, due_at in calls]
    connection.execute(insert(_CALLS), rows)
    return night_id


def answer(connection: Connection, night_id: int, guest: Guest) -> None:
    """Keep what somebody answers; who says yes again keeps their place in the order."""
    row = {"night_id": night_id, **msgspec.structs.asdict(guest)}
    before = next((each for each in guests(connection, night_id) if each.user_id == guest.user_id), None)
    if before is not None and before.answer == guest.answer:
        row["at"], row["entropy"] = before.at, before.entropy
    put(connection, _ANSWERS, ("night_id", "user_id"), [row])


def withdraw(connection: Connection, night_id: int, user_id: int) -> None:
    """Know nothing of somebody's answer any more."""
    mine = (_ANSWERS.c.night_id == night_id, _ANSWERS.c.user_id == user_id)
    connection.execute(delete(_ANSWERS).where(*mine))


def load(connection: Connection, night_id: int, *, lock: bool = False) -> Night | None:
    """One night; with `lock` after any write to it that is on its way."""
    query = select(_NIGHTS).where(_NIGHTS.c.id == night_id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    return _struct(Night, row) if row else None


def guests(connection: Connection, night_id: int) -> list[Guest]:
    """What people have answered, in the order in which they did."""
    query = select(_ANSWERS).where(_ANSWERS.c.night_id == night_id)
    ordered = query.order_by(_ANSWERS.c.at, _ANSWERS.c.user_id)
    return [_struct(Guest, row) for row in connection.execute(ordered)]


def place(connection: Connection, night_id: int, message_id: int) -> None:
    """Remember the message of a night."""
    noted = {"message_id": message_id, "token": None}
    connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == night_id).values(noted))


def forget_token(connection: Connection, night_id: int) -> None:
    """Remove the token of the interaction that planned a night."""
    connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == night_id).values(token=None))


def note_event(
    connection: Connection, night_id: int, event_id: int | None, event_at: int | None = None
) -> None:
    """Remember the scheduled event of a night, and its time if it is another one."""
    noted = {"event_id": event_id, "event_at": event_at}
    connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == night_id).values(noted))


def move(connection: Connection, night: Night, starts_at: int, calls: Iterable[tuple[str, int]]) -> None:
    """Give a night another time and other calls. Its event has yet to follow, unless it has that time."""
    follows = night.event_id is not None and night.event_at != starts_at
    moved = {"starts_at": starts_at, "event_at": EVENT_BEHIND if follows else None}
    connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == night.id).values(moved))
    timed = (_CALLS.c.night_id == night.id, _CALLS.c.kind.in_(TIMED))
    connection.execute(delete(_CALLS).where(*timed))
    for kind, due_at in calls:
        owe(connection, NightCall(night.id, kind, due_at))


def planned(connection: Connection, **where: int) -> list[Night]:
    """Return the planned nights that have these values."""
    query = select(_NIGHTS).where(_NIGHTS.c.phase == "planned").filter_by(**where).order_by(_NIGHTS.c.id)
    return [_struct(Night, row) for row in connection.execute(query)]


def with_events(connection: Connection, **where: int) -> list[Night]:
    """Return the planned nights with a scheduled event that have these values."""
    return [night for night in planned(connection, **where) if night.event_id is not None]


def hand_on(connection: Connection, night_id: int, host_id: int) -> None:
    """Make somebody else the planner."""
    connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == night_id).values(host_id=host_id))


def end(
    connection: Connection,
    night_id: int,
    phase: Phase,
    game_id: int | None = None,
    *,
    owed: Sequence[NightCall] = (),
) -> None:
    """End the planning of a night: only what is `owed` falls due from now on, and its answers are removed.

    Raises:
        Overtaken: it has ended before; nothing is stored.
    """
    planned = (_NIGHTS.c.id == night_id, _NIGHTS.c.phase == "planned")
    step = update(_NIGHTS).where(*planned).values(phase=phase, game_id=game_id)
    if connection.execute(step).rowcount != 1:
        raise Overtaken(f"night {night_id} is planned no more")
    stays = _CALLS.c.kind.in_([call.kind for call in owed])
    connection.execute(delete(_CALLS).where(_CALLS.c.night_id == night_id, ~stays))
    connection.execute(delete(_ANSWERS).where(_ANSWERS.c.night_id == night_id))
    for call in owed:
        owe_anew(connection, call)


def owe(connection: Connection, call: NightCall) -> None:
    """Let something fall due at its time, and at no other."""
    put(connection, _CALLS, ("night_id", "kind"), [msgspec.structs.asdict(call)])


def owe_anew(connection: Connection, call: NightCall) -> None:
    """Owe a step for a new reason. If it is owed already, and perhaps under way, it falls due a little later
    than before, so that the one under way does not strike out this one."""
    before = owed(connection, call.night_id, call.kind)
    due_at = call.due_at if before is None else max(call.due_at, before + 1)
    owe(connection, msgspec.structs.replace(call, due_at=due_at))


def owed(connection: Connection, night_id: int, kind: str) -> int | None:
    """Return when a step of a night falls due, in milliseconds since 1970, or None if it isn't owed."""
    mine = (_CALLS.c.night_id == night_id, _CALLS.c.kind == kind)
    return connection.execute(select(_CALLS.c.due_at).where(*mine)).scalar()


def strike(connection: Connection, night_id: int, kind: str, until: int | None = None) -> None:
    """Remove something that fell due, unless it falls due after `until`: it is owed for a new reason."""
    mine = [_CALLS.c.night_id == night_id, _CALLS.c.kind == kind]
    if until is not None:
        mine.append(_CALLS.c.due_at <= until)
    connection.execute(delete(_CALLS).where(*mine))


def due(connection: Connection, until: int, most: int, shards: Shards = ALL) -> list[NightCall]:
    """What falls due up to then in servers of these shards, the next first."""
    query = select(_CALLS).where(_CALLS.c.due_at <= until, *_of(shards))
    query = query.order_by(_CALLS.c.due_at).limit(most)
    return [_struct(NightCall, row) for row in connection.execute(query)]


def next_due(connection: Connection, after: int, shards: Shards = ALL) -> int | None:
    """When something falls due next after this time in servers of these shards."""
    query = select(func.min(_CALLS.c.due_at)).where(_CALLS.c.due_at > after, *_of(shards))
    return connection.execute(query).scalar()


def _of(shards: Shards) -> tuple[ColumnElement[bool], ...]:
    if shards.whole:
        return ()
    theirs = select(_NIGHTS.c.id).where(shards.where(_NIGHTS.c.guild_id))
    return (_CALLS.c.night_id.in_(theirs),)


def of_guild(
    connection: Connection,
    guild_id: int,
    most: int,
    offset: int = 0,
    *,
    channels: Collection[int] | None = None,
) -> tuple[list[Night], int]:
    """Return one page of the nights planned in a server, or in these channels of it, and the total.

    The next night comes first.
    """
    here = [_NIGHTS.c.guild_id == guild_id, _NIGHTS.c.phase == "planned"]
    if channels is not None:
        here.append(_NIGHTS.c.channel_id.in_(list(channels)))
    total = connection.execute(select(func.count()).select_from(_NIGHTS).where(*here)).scalar_one()
    query = select(_NIGHTS).where(*here).order_by(_NIGHTS.c.starts_at, _NIGHTS.c.id)
    return [_struct(Night, row) for row in connection.execute(query.limit(most).offset(offset))], total


def of_host(connection: Connection, user_id: int) -> list[Night]:
    """The nights that a person has planned."""
    query = select(_NIGHTS).where(_NIGHTS.c.host_id == user_id, _NIGHTS.c.phase == "planned")
    return [_struct(Night, row) for row in connection.execute(query.order_by(_NIGHTS.c.id))]


def answered(connection: Connection, user_id: int) -> list[int]:
    """The nights to which a person has answered."""
    query = select(_ANSWERS.c.night_id).where(_ANSWERS.c.user_id == user_id)
    return list(connection.execute(query.order_by(_ANSWERS.c.night_id)).scalars())


def with_part_of(connection: Connection, user_id: int) -> list[int]:
    """Return the nights that a person planned or answered."""
    mine = {night.id for night in of_host(connection, user_id)}
    return sorted(mine | set(answered(connection, user_id)))


def leave(connection: Connection, night_id: int, user_id: int, show: NightCall) -> bool:
    """Take a person's answer back. Return whether the night is off by that."""
    night = load(connection, night_id, lock=True)
    withdraw(connection, night_id, user_id)
    if night is None or night.phase != "planned":
        return False
    owe_anew(connection, show)
    if night.host_id != user_id:
        return False
    coming = [guest.user_id for guest in guests(connection, night_id) if guest.answer == "yes"]
    if coming:
        hand_on(connection, night_id, coming[0])
        return False
    end(connection, night_id, "cancelled", owed=[show])
    return True


# written exactly as in the partial index, because neither database uses one with parameters
_OVER = (
    select(_NIGHTS.c.id)
    .where(
        text("nights.phase <> 'planned'"),
        _NIGHTS.c.starts_at <= bindparam("before"),
        _NIGHTS.c.id < select(func.max(_NIGHTS.c.id)).scalar_subquery(),
    )
    .order_by(_NIGHTS.c.starts_at)
    .limit(bindparam("most"))
)


def drop_over(connection: Connection, before: int, most: int) -> int:
    """Remove nights that are over or called off and were due to start before then. Return how many.

    The newest is kept, because SQLite would reuse its number.
    """
    ids = connection.execute(_OVER, {"before": before, "most": most}).scalars().all()
    if ids:
        connection.execute(delete(_NIGHTS).where(_NIGHTS.c.id.in_(ids)))
    return len(ids)
