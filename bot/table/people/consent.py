"""Requests that need the players' consent: undo, pause, close the table, show all hands to watchers.

A move that revealed nothing is taken back at once. So is any move if only one person holds a seat, but if the
move had shown them something, the game earns no achievements. Everything else waits until everyone who holds
their seat has agreed. While the computer holds a player's seat, no one waits for their answer, and they read
about it on their return. Only their hand is never shown without them. The request is kept in the terms of the
table, so it survives a restart. An undo is an entry of the journal, which only grows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from bot.core.errors import Refused, Stale
from bot.store import games as store
from bot.store.database import Database
from bot.store.games import UNDO, Change, Deadline, Entry
from bot.store.terms import ConsentRequest
from bot.table.journal import LEFT_OUT, Replayed, first_of, replayed, standing
from bot.table.news import ASKED, DECLINED, NEWS, PAUSE, untold, with_news
from bot.table.people.leaving import end_early
from bot.table.people.shown_hands import must_show, with_hands
from bot.table.results import time_to_return
from bot.table.table import PAUSED, RECENT_EVENTS, Table, changes
from bot.table.turns import NUDGE_SECONDS
from engine import record
from engine.game import AnyGame, Seat, Setup
from engine.taking_back import shows_nothing


@dataclass(frozen=True, slots=True)
class Undo:
    """A move to take back: everything that one press has decided."""

    seat: Seat
    first: int
    """Number of its first entry. This entry and all later ones are taken back."""
    seq: int
    """Number of the last entry when this was found."""
    free: bool
    """Whether no one else must agree."""
    peeked: bool = False
    """Whether the only person who holds a seat has seen something hidden through it."""
    again: bool = False
    """Whether others are only asked because it was taken back once already, and a clock runs."""


async def find_undo(table: Table, user_id: int, database: Database) -> Undo:
    """Return the last move of a person who sits at a table, to be taken back.

    Raises:
        Refused: they have made none, someone has left the table since, or it is a daily deal.
        Stale: the table has changed meanwhile.
        StoreError: the journal could not be read.
    """
    _must_play(table)
    if table.stored.terms.daily:
        raise Refused("no_undo_daily")
    seats = table.seats_of(user_id)
    if not seats:
        raise Refused("not_seated")
    entries = await database.read_at_once(lambda c: store.journal(c, table.id))
    last = next((e for e in reversed(standing(entries)) if e.seat in seats and e.kind == "act"), None)
    if last is None:
        raise Refused("nothing_to_undo")
    first = last.press or last.seq
    if any(entry.kind == "seat" and entry.seq > first for entry in entries):
        raise Refused("undo_left")
    # in a thread, because trying samples takes a while, and presses elsewhere must be answered
    is_alone = is_alone_here(table, user_id)
    free = await asyncio.to_thread(_is_free, table.game, table.setup(), entries, first, seats)
    # each undo restarts the clock, so a player could think for ever
    again = free and not is_alone and table.stored.terms.clock > 0 and _was_back(entries, first, seats)
    if table.seq != entries[-1].seq:
        raise Stale
    at_once = (free or is_alone) and not again
    return Undo(last.seat, first, table.seq, at_once, peeked=is_alone and not free, again=again)


def _was_back(entries: Sequence[Entry], first: int, seats: Collection[Seat]) -> bool:
    """Return whether one of these seats has already gone back to the position before this entry."""
    earlier = max((entry.seq for entry in standing(entries) if entry.seq < first), default=0)
    undos = (entry for entry in entries if entry.kind == UNDO and entry.seat in seats)
    return any(earlier < first_of(entry) < first for entry in undos)


def _is_free(
    game: AnyGame, setup: Setup, entries: Sequence[Entry], first: int, seats: Collection[Seat]
) -> bool:
    acts = standing(entries)
    moves = [(entry.seat, game.action(entry.data)) for entry in acts if entry.seq >= first]
    if not {seat for seat, _ in moves} <= set(seats):
        return False
    earlier = [(entry.seat, game.action(entry.data)) for entry in acts if entry.seq < first]
    return shows_nothing(game, setup, record.play(setup, earlier), moves)


@changes
async def undo(table: Table, found: Undo, database: Database) -> None:
    """Take back a move that needs no one's consent.

    Raises:
        Refused: it needs the consent of others.
        Stale: the table has changed since it was found.
        StoreError: it could not be stored.
    """
    _must_play(table)
    if not found.free:
        raise Refused("undo_asks")
    await _take_back(table, found.seat, found.first, found.seq, database, peeked=found.peeked)


async def _take_back(
    table: Table, seat: Seat, first: int, seq: int, database: Database, *, peeked: bool = False
) -> None:
    if table.seq != seq:
        raise Stale
    entry = Entry(seq + LEFT_OUT + 1, UNDO, seat, [first], table.clock_now())
    journal = await database.read_at_once(lambda c: store.journal(c, table.id))
    if journal[-1].seq != seq:
        raise Stale  # another process has changed the table
    entries = [*journal, entry]
    replay: Replayed = await asyncio.to_thread(replayed, table.game, table.setup(), entries, RECENT_EVENTS)
    while_away = _told_later(table, "undo")
    peeked = table.stored.terms.peeked or peeked
    terms = replace(table.stored.terms, asked=None, peeked=peeked, while_away=while_away)
    columns = {"terms": terms, "asleep_at": 0, "why": ""}
    deadlines = table.deadlines_of(replay.state)
    await table.keep(Change(columns, deadlines=deadlines, entries=[entry], forget=first), back_to=replay)


@changes
async def ask(table: Table, user_id: int, what: ConsentRequest, database: Database) -> bool:
    """Ask the others for their consent. Return True if there was no one to ask, so that it was done at once.

    Raises:
        Refused: another request has not been answered by everyone.
        StoreError: it could not be stored.
    """
    _must_play(table)
    before = asked(table)
    if before is not None and before.by != user_id and not before.no and to_agree(table):
        raise Refused("asked_already")
    if _unheard(table, what):
        seat = table.seats_of(user_id)[0]
        await _keep(table, what, table.news(ASKED, seat, wait=1000 * NUDGE_SECONDS))
        return False
    await _carry_out(table, what, database, user_id)
    return True


def asked(table: Table) -> ConsentRequest | None:
    """Return the request that awaits the players' consent, or None if there is no longer one.

    An undo can only be agreed to until the next move. A request ends if the person who made or refused it has
    left.
    """
    request = table.stored.terms.asked
    if request is None or table.phase != "live" or (request.kind == "undo" and request.seq != table.seq):
        return None
    return request if {request.by, request.no} - {0} <= set(table.people()) else None


def name_of(table: Table, found: ConsentRequest) -> str:
    """Return a name that tells this request from all others at this table, even at the same entry.

    An old screen may show an earlier request, and a yes to that must not count for this one.
    """
    return f"{found.kind}-{found.seq}-{min(table.seats_of(found.by), default=-1)}"


def to_agree(table: Table) -> list[int]:
    """Return the people whose consent to the pending request is still missing."""
    request = asked(table)
    return [] if request is None else _unheard(table, request)


def is_alone_here(table: Table, user_id: int) -> bool:
    """Return whether the computer holds the seats of everyone else."""
    return all(user == user_id or table.is_absent(user) for user in table.people())


def _unheard(table: Table, request: ConsentRequest) -> list[int]:
    """Return the people whose consent to this request is missing: everyone who holds their seat.

    Showing hands needs those who are away too. So does closing, if they can still come back.
    """
    return [
        user
        for user in table.people()
        if user not in (request.by, *request.agreed)
        and (
            request.kind == "hands"
            or not table.is_absent(user)
            or (request.kind == "close" and any(time_to_return(table, seat) for seat in table.seats_of(user)))
        )
    ]


@changes
async def answer(table: Table, user_id: int, name: str, *, yes: bool, database: Database) -> bool:
    """Agree to the request with this name (`name_of`), or refuse it. Return whether it was then carried out.

    A no from the person who asked withdraws the request.

    Raises:
        Refused: the request is no longer pending, or the person does not sit here.
        StoreError: it could not be stored.
    """
    _must_play(table)
    request = asked(table)
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    if request is None or name_of(table, request) != name or request.no:
        raise Refused("nothing_asked")
    if not yes and user_id == request.by:
        await _keep(table, None)
        return False
    if not yes:
        await _keep(table, replace(request, no=user_id), table.news(DECLINED, table.seats_of(request.by)[0]))
        return False
    agreed = replace(request, agreed=tuple({*request.agreed, user_id} - {request.by}))
    if _unheard(table, agreed):
        await _keep(table, agreed, untold(table.deadlines))
        return False
    await _carry_out(table, request, database, user_id)
    return True


async def _carry_out(table: Table, request: ConsentRequest, database: Database, user_id: int) -> None:
    """Do what was asked for. `user_id` is the person whose press completed the consent."""
    knows = next(iter(table.seats_of(user_id)), -1)
    if request.kind == "close":
        await end_early(table, "closed", table.stored.terms.left, knows=knows, closed_by=request.by)
    elif request.kind == "pause":
        await _pause(table, table.news(PAUSE, knows))
    elif request.kind == "hands":
        must_show(table, request.by)
        await table.keep(Change({"terms": with_hands(table)}))
    else:
        await _take_back(table, request.seat, request.first, request.seq, database)


def _told_later(table: Table, kind: str) -> dict[int, tuple[str, ...]]:
    """Return `Terms.while_away` with this kind of request for everyone who is away."""
    granted = table.stored.terms.while_away
    return granted | {
        user: (*(one for one in granted.get(user, ()) if one != kind), kind)
        for user in table.people()
        if table.is_absent(user)
    }


@changes
async def pause(table: Table, user_id: int) -> None:
    """Pause a table at which no one else holds a seat.

    Raises:
        Refused: others do, or the person does not sit there.
    """
    _must_play(table)
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    if not is_alone_here(table, user_id):
        raise Refused("pause_asks")
    await _pause(table)


async def _pause(table: Table, news: Sequence[Deadline] = ()) -> None:
    columns = {
        "asleep_at": table.clock_now(),
        "why": PAUSED,
        "terms": replace(table.stored.terms, asked=None, while_away=_told_later(table, "pause")),
    }
    await table.keep(Change(columns, deadlines=_told_anew(table, news, ())))


@changes
async def resume(table: Table, user_id: int) -> None:
    """Resume after a pause. Everyone who sits here may do that, and the clocks start again.

    Raises:
        Refused: the table is not paused, or the person does not sit there.
    """
    table.must_be("live")
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    if not table.paused or table.state is None:
        raise Refused("not_paused")
    deadlines = table.deadlines_of(table.state, by=user_id)
    await table.keep(Change({"asleep_at": 0, "why": ""}, deadlines=deadlines))


def _must_play(table: Table) -> None:
    table.must_be("live")
    if table.outcome() is not None:
        raise Refused("over")
    if table.paused:
        raise Refused("paused")


async def _keep(table: Table, request: ConsentRequest | None, news: Sequence[Deadline] = ()) -> None:
    others = [each for each in table.deadlines if each.kind not in NEWS]
    wanted = _told_anew(table, news, others)
    deadlines = wanted if wanted != table.deadlines else None
    await table.keep(Change({"terms": replace(table.stored.terms, asked=request)}, deadlines=deadlines))


def _told_anew(table: Table, news: Sequence[Deadline], others: Sequence[Deadline]) -> tuple[Deadline, ...]:
    """Return these other deadlines with this news, which replaces news of earlier requests."""
    pending = [each for each in untold(table.deadlines) if each.kind not in (ASKED, DECLINED)]
    return with_news(others, [*pending, *news])
