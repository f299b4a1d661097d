"""Reserved seats in a lobby, for people who said that they would come.

Each function changes a `Table` like its own methods do: it raises the same errors, and then nothing has
changed.
"""

from __future__ import annotations

from msgspec.structs import replace

from bot.core.errors import Refused
from bot.store.games import Change, Deadline, Sitter
from bot.table.people.contacts import coming
from bot.table.people.friendly_games import with_newcomers
from bot.table.table import Table, changes

RESERVED_MS = 600_000
"""Milliseconds for which seats stay reserved once the lobby is open."""
HELD = "held"
"""Kind of the deadline at which reserved seats become free."""
NEXT = "next"
"""Kind of the deadline at which waiting people get the seats that have become free. It is due at once."""


@changes
async def arrive(table: Table, user_id: int) -> None:
    """Take the seat that is reserved for this person."""
    table.must_be("lobby")
    before = table.stored.terms
    if user_id not in before.held:
        raise Refused("already_seated")
    reserved = tuple(user for user in before.held if user != user_id)
    also = coming(table.stored, table.people(), user_id)
    await table.keep(Change({"terms": replace(before, held=reserved)}, also=also))


@changes
async def release(table: Table) -> list[int]:
    """Free the seats of people who have not come, and reserve them for people who wait for one.

    The lobby closes if no one has come and no one waits. Return the people who got a reserved seat.
    """
    table.must_be("lobby")
    reserved = table.stored.terms.held
    return await _fill(table, [sitter for sitter in table.sitters if sitter.user_id not in reserved], ())


@changes
async def seat_next(table: Table) -> list[int]:
    """Reserve the seats that have become free for people who wait for one. Return these people.

    The lobby closes if no one is left in it.
    """
    table.must_be("lobby")
    return await _fill(table, list(table.sitters), table.stored.terms.held)


def seat_freed(table: Table) -> tuple[Deadline, ...]:
    """Return the deadlines of a lobby in which a seat becomes free, since someone may wait for it."""
    waits = bool(table.stored.terms.waiting)
    return (*table.deadlines, Deadline(table.id, NEXT, -1, table.now())) if waits else tuple(table.deadlines)


async def _fill(table: Table, sitters: list[Sitter], reserved: tuple[int, ...]) -> list[int]:
    """Give free seats to people who wait, and reserve these seats and those of `reserved` for a while."""
    before = table.stored.terms
    seated = [sitter.user_id for sitter in sitters if sitter.user_id is not None]
    waiting = [each for each in before.waiting if each.user not in (*seated, *before.barred)]
    expected = [*seated, *(each.user for each in waiting)]
    host = table.stored.host_id if table.stored.host_id in seated else next(iter(expected), 0)
    blocked = await table.contacts.apart(host, expected)
    waiting = [each for each in waiting if each.user not in blocked]
    free = max(0, before.seats - len(sitters)) if before.seats else 0
    following, waiting = waiting[:free], waiting[free:]
    seats = [*sitters, *(Sitter(each.name, user_id=each.user, entropy=each.entropy) for each in following)]
    people = [sitter.user_id for sitter in seats if sitter.user_id is not None]
    if not people:
        await table.end("cancelled", "nobody_came")
        return []
    called = [each.user for each in following]
    release_deadlines = tuple(each for each in table.deadlines if each.kind == HELD and reserved)
    if called:
        release_deadlines = (Deadline(table.id, HELD, -1, table.now() + RESERVED_MS),)
    deadlines = (*(each for each in table.deadlines if each.kind not in (HELD, NEXT)), *release_deadlines)
    terms = replace(before, held=(*reserved, *called), waiting=tuple(waiting))
    terms = await with_newcomers(table, terms, called)
    await table.keep(Change({"terms": terms, "host_id": host}, seats, deadlines))
    return called
