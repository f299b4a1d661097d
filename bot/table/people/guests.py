"""Guests at a table that is not open to everyone: invited by the host, or let in when they knock.

Each function changes a `Table` like its own methods do: it raises the same errors, and then nothing has
changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.store.contacts import forget_requests, refuse_request
from bot.store.games import Change, Sitter
from bot.store.terms import Knock
from bot.table.lobby import room_for
from bot.table.people.contacts import must_be_admitted, must_meet
from bot.table.people.friendly_games import with_newcomers
from bot.table.people.reserved_seats import seat_freed
from bot.table.table import Table, changes

MOST_GUESTS = 50
"""Maximum number of people invited to one table."""
MOST_KNOCKS = 8
"""Maximum number of people who wait for an answer at one table."""


def must_knock(table: Table, user_id: int) -> bool:
    """Return whether this person must ask before they may sit down."""
    terms = table.stored.terms
    asks = table.phase == "lobby" and terms.access == "invited" and not terms.admits(user_id)
    return asks and user_id != table.stored.host_id and not table.seats_of(user_id)


@changes(quiet=True)
async def invite(table: Table, by: int, users: Sequence[int]) -> None:
    """Let these people sit down without asking."""
    if table.stored.terms.hand_only:
        raise Refused("hand_only")
    table.must_be("lobby")
    if not table.seats_of(by):
        raise Refused("not_seated")
    before = table.stored.terms
    if barred := sorted({*users} & {*before.barred}):
        raise Refused("barred_here", user=barred[0])
    new_guests = [user for user in users if user not in before.guests]
    guests = (*before.guests, *new_guests)
    if len(guests) > MOST_GUESTS:
        raise Refused("guests_full", most=MOST_GUESTS)
    if new_guests:
        knocks = tuple(knock for knock in before.knocks if knock.user not in new_guests)
        await table.keep(Change({"terms": replace(before, guests=guests, knocks=knocks)}, quiet=True))


@changes
async def knock(table: Table, knock: Knock) -> None:
    """Ask the host for a seat, and wait for the answer."""
    table.must_be("lobby")
    before = table.stored.terms
    if any(other.user == knock.user for other in before.knocks):
        raise Refused("knocked_already", host=table.stored.host_id)
    if len(before.knocks) >= MOST_KNOCKS:
        raise Refused("knocks_full", host=table.stored.host_id)
    must_be_admitted(table.stored, knock.user)
    room_for(table, len(table.sitters) + 1, seeking=True)
    also = partial(must_meet, user_id=knock.user, other=table.stored.host_id)
    await table.keep(Change({"terms": replace(before, knocks=(*before.knocks, knock))}, also=also))


@changes
async def let_in(table: Table, by: int, user_id: int) -> None:
    """Seat a person who has knocked."""
    guest, rest = _answered(table, user_id)
    if table.seats_of(user_id):
        raise Refused("knock_over")
    room_for(table, len(table.sitters) + 1)
    before = table.stored.terms
    terms = replace(before, knocks=rest, guests=tuple(dict.fromkeys((*before.guests, user_id))))
    terms = await with_newcomers(table, terms, [user_id])
    sitter = Sitter(guest.name, user_id=user_id, entropy=guest.entropy)

    def also(connection: Connection) -> None:
        must_meet(connection, by, user_id, refusal="knock_over")
        forget_requests(connection, [user_id], by)

    await table.keep(Change({"terms": terms}, [*table.sitters, sitter], also=also))


@changes
async def turn_away(table: Table, by: int, user_id: int) -> None:
    """Refuse a person who has knocked. They may knock again after a pause."""
    _, rest = _answered(table, user_id)
    also = partial(refuse_request, asker=user_id, asked=by, now=table.clock_now())
    await table.keep(Change({"terms": replace(table.stored.terms, knocks=rest)}, also=also))


@changes
async def remove(table: Table, by: int, user_id: int) -> None:
    """Remove a person from a lobby for good: they can neither come back to it nor ask for a seat there.

    Raises:
        Refused: the person does not sit there, or people cannot be removed from this table.
    """
    must_let_remove(table)
    if user_id == by or not table.seats_of(user_id):
        raise Refused("gone_already")
    before = table.stored.terms
    terms = replace(
        before,
        barred=tuple(dict.fromkeys((*before.barred, user_id))),
        guests=tuple(user for user in before.guests if user != user_id),
        held=tuple(user for user in before.held if user != user_id),
        order=() if user_id in before.order else before.order,
    )
    seats = [sitter for sitter in table.sitters if sitter.user_id != user_id]
    also = partial(refuse_request, asker=user_id, asked=by, now=table.clock_now())
    await table.keep(Change({"terms": terms}, seats, seat_freed(table), also=also))


def removable(table: Table) -> list[Sitter]:
    """Return the people whom the host of a lobby can remove. A match has none: its players are fixed."""
    if table.phase != "lobby" or table.stored.terms.invited:
        return []
    return [sitter for sitter in table.sitters if sitter.user_id not in (None, table.stored.host_id)]


def must_let_remove(table: Table) -> None:
    """Check that the host of a table can remove people from it.

    Raises:
        Refused: its game has begun, or it is a match.
    """
    table.must_be("lobby")
    if table.stored.terms.invited:
        raise Refused("not_invited")


@changes
async def decline(table: Table, user_id: int) -> None:
    """Stop waiting for a person who was challenged and does not come."""
    table.must_be("lobby")
    before = table.stored.terms
    guests = tuple(user for user in before.guests if user != user_id)
    order = () if user_id in before.order else before.order
    also = partial(refuse_request, asker=table.stored.host_id, asked=user_id, now=table.clock_now())
    await table.keep(Change({"terms": replace(before, guests=guests, order=order)}, also=also))


def _answered(table: Table, user_id: int) -> tuple[Knock, tuple[Knock, ...]]:
    """Return the knock that the host answers, and the others."""
    table.must_be("lobby")
    knocks = table.stored.terms.knocks
    answered = next((knock for knock in knocks if knock.user == user_id), None)
    if answered is None:
        raise Refused("knock_over")
    return answered, tuple(knock for knock in knocks if knock.user != user_id)
