"""What people at a table do by consent: take back a move, pause, let watchers see all hands.

A move that nobody has learned anything by is taken back at once; so is any, where one person alone sits
there, but a game in which that showed them something earns no achievement. All else waits until everybody
who sits there has agreed. What was asked for stands in the terms of the table, so it outlives the bot; an
undo is an entry of the journal, which only grows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from bot.store import games as store
from bot.store.database import Database
from bot.store.games import UNDO, Change, Entry
from bot.store.terms import Asked
from bot.tables.journal import LEFT_OUT, Replayed, first_of, replayed, standing
from bot.tables.people.shown_hands import must_show, with_hands
from bot.tables.ports import Refused, Stale
from bot.tables.table import PAUSED, RECENT_EVENTS, Table, changes
from engine import record
from engine.game import AnyGame, Seat, Setup
from engine.taking_back import shows_nothing


@dataclass(frozen=True, slots=True)
class Undo:
    """A move that somebody would take back: all that one press has decided."""

    seat: Seat
    first: int
    """The number of its first entry: from there on all is taken back."""
    seq: int
    """The number of the last entry when this was found."""
    free: bool
    """Whether nobody else is to be asked."""
    peeked: bool = False
    """Whether who is alone here has seen something through it."""
    again: bool = False
    """Whether others are asked only because it has been taken back once already, and a clock runs."""


async def find_undo(table: Table, user_id: int, database: Database) -> Undo:
    """The last move of a person who sits at a table, to be taken back.

    Raises:
        Refused: they have made none, somebody has left the table since, or it is the deal of a day.
        Stale: the table has changed meanwhile.
        StoreError: the journal could not be read.
    """
    _must_play(table)
    if table.stored.terms.daily:
        raise Refused("no_undo_daily")
    mine = table.seats_of(user_id)
    if not mine:
        raise Refused("not_seated")
    entries = await database.read_at_once(lambda c: store.journal(c, table.id))
    last = next((e for e in reversed(standing(entries)) if e.seat in mine and e.kind == "act"), None)
    if last is None:
        raise Refused("nothing_to_undo")
    first = last.press or last.seq
    if any(entry.kind == "seat" and entry.seq > first for entry in entries):
        raise Refused("undo_left")
    # the worlds that are tried take a while, and presses elsewhere are to be answered
    alone = table.people() == [user_id]
    free = await asyncio.to_thread(_is_free, table.game, table.setup(), entries, first, mine)
    # each undo starts the clock anew: whoever plays against others could think without end
    again = free and not alone and table.stored.terms.clock > 0 and _was_back(entries, first, mine)
    if table.seq != entries[-1].seq:
        raise Stale
    at_once = (free or alone) and not again
    return Undo(last.seat, first, table.seq, at_once, peeked=alone and not free, again=again)


def _was_back(entries: Sequence[Entry], first: int, mine: Collection[Seat]) -> bool:
    """Whether one of these seats has gone back to the position before this entry already."""
    earlier = max((entry.seq for entry in standing(entries) if entry.seq < first), default=0)
    mine_back = (entry for entry in entries if entry.kind == UNDO and entry.seat in mine)
    return any(earlier < first_of(entry) < first for entry in mine_back)


def _is_free(
    game: AnyGame, setup: Setup, entries: Sequence[Entry], first: int, mine: Collection[Seat]
) -> bool:
    acts = standing(entries)
    back = [(entry.seat, game.action(entry.data)) for entry in acts if entry.seq >= first]
    if not {seat for seat, _ in back} <= set(mine):
        return False
    earlier = [(entry.seat, game.action(entry.data)) for entry in acts if entry.seq < first]
    return shows_nothing(game, setup, record.play(setup, earlier), back)


@changes
async def undo(table: Table, found: Undo, database: Database) -> None:
    """Take a move back that needs nobody's consent.

    Raises:
        Refused: it needs that of others.
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
    known = await database.read_at_once(lambda c: store.journal(c, table.id))
    if known[-1].seq != seq:
        raise Stale  # another process plays by now, and this one has not heard of it
    entries = [*known, entry]
    back: Replayed = await asyncio.to_thread(replayed, table.game, table.setup(), entries, RECENT_EVENTS)
    terms = replace(table.stored.terms, asked=None, peeked=table.stored.terms.peeked or peeked)
    columns = {"terms": terms, "asleep_at": 0, "why": ""}
    wanted = table.deadlines_of(back.state)
    await table.keep(Change(columns, deadlines=wanted, entries=[entry], forget=first), back_to=back)


@changes
async def ask(table: Table, user_id: int, what: Asked) -> None:
    """Ask everybody who sits here for their consent.

    Raises:
        Refused: somebody else has asked for something, and not everybody has answered.
    """
    _must_play(table)
    before = asked(table)
    if before is not None and before.by != user_id and not before.no:
        raise Refused("asked_already")
    await _keep(table, what)


def asked(table: Table) -> Asked | None:
    """What is asked of everybody who sits here, as far as it still matters: a move is only taken back until
    the next one, and who has left asks for nothing and refuses nothing."""
    found = table.stored.terms.asked
    if found is None or table.phase != "live" or (found.what == "undo" and found.seq != table.seq):
        return None
    return found if {found.by, found.no} - {0} <= set(table.people()) else None


def name_of(table: Table, found: Asked) -> str:
    """What tells it from all else that is asked at this table, be it at the same entry: an old screen may
    show what was asked before, and a yes to that is none to this."""
    return f"{found.what}-{found.seq}-{min(table.seats_of(found.by), default=-1)}"


def to_agree(table: Table) -> list[int]:
    """Those who have not agreed yet to what is asked."""
    found = asked(table)
    if found is None:
        return []
    return [user for user in table.people() if user != found.by and user not in found.agreed]


@changes
async def answer(table: Table, user_id: int, name: str, *, yes: bool, database: Database) -> bool:
    """Agree to what is asked by this name (`name_of`), or not; who has asked takes it back by a no. Whether
    all have agreed, and so it is done.

    Raises:
        Refused: that is not asked any more, or the person does not sit here.
        StoreError: it could not be stored.
    """
    _must_play(table)
    found = asked(table)
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    if found is None or name_of(table, found) != name or found.no:
        raise Refused("nothing_asked")
    if not yes:
        await _keep(table, None if user_id == found.by else replace(found, no=user_id))
        return False
    agreed = replace(found, agreed=tuple({*found.agreed, user_id} - {found.by}))
    if set(table.people()) - {*agreed.agreed, found.by}:
        await _keep(table, agreed)
        return False
    if found.what == "pause":
        await _pause(table)
    elif found.what == "hands":
        must_show(table, found.by)
        await table.keep(Change({"terms": with_hands(table)}))
    else:
        await _take_back(table, found.seat, found.first, found.seq, database)
    return True


@changes
async def pause(table: Table, user_id: int) -> None:
    """Pause a table at which one person alone sits.

    Raises:
        Refused: others sit there too, or the person does not.
    """
    _must_play(table)
    if table.people() != [user_id]:
        raise Refused("pause_asks" if table.seats_of(user_id) else "not_seated")
    await _pause(table)


async def _pause(table: Table) -> None:
    columns = {
        "asleep_at": table.clock_now(),
        "why": PAUSED,
        "terms": replace(table.stored.terms, asked=None),
    }
    await table.keep(Change(columns, deadlines=()))


@changes
async def resume(table: Table, user_id: int) -> None:
    """Go on after a pause; everybody who sits here may say so. The clocks begin anew.

    Raises:
        Refused: the table is not paused, or the person does not sit there.
    """
    table.must_be("live")
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    if not table.paused or table.state is None:
        raise Refused("not_paused")
    wanted = table.deadlines_of(table.state, by=user_id)
    await table.keep(Change({"asleep_at": 0, "why": ""}, deadlines=wanted))


def _must_play(table: Table) -> None:
    table.must_be("live")
    if table.outcome() is not None:
        raise Refused("over")
    if table.paused:
        raise Refused("paused")


async def _keep(table: Table, what: Asked | None) -> None:
    await table.keep(Change({"terms": replace(table.stored.terms, asked=what)}))
