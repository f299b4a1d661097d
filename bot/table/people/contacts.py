"""Blocks and requests between people: the only place that decides if they may ask and meet each other.

Someone who has blocked another person is never paired with them, in either direction. The blocked person
reads the same text as someone who asks too early. No one chooses their opponents in a tournament, so blocks
don't count there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from sqlalchemy import Connection

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.store import contacts as store
from bot.store.database import Database
from bot.store.games import StoredGame


def must_meet(connection: Connection, user_id: int, other: int, *, refusal: str = "no_seat_now") -> None:
    """Check that this person may join something of the other one, or let them join.

    Raises:
        Refused: one of them has blocked the other. Only the one who did reads that; the other person reads
            `refusal`.
    """
    if store.blocked_by(connection, user_id, [other]):
        raise Refused("you_blocked", user=other)
    if store.blocking(connection, user_id, [other]):
        raise Refused(refusal)


def must_be_admitted(stored: StoredGame, user_id: int) -> None:
    """Check that the host has not removed this person from the lobby.

    Raises:
        Refused: they can't come back.
    """
    if user_id in stored.terms.barred:
        raise Refused("no_seat_now")


def coming(stored: StoredGame, seated: Collection[int], user_id: int) -> Callable[[Connection], None]:
    """Return the database write that goes with a person's seat in a lobby.

    It deletes the requests that everyone there has made to them. It raises `Refused` like `must_meet`, and
    then they get no seat.
    """
    host, tournament = stored.host_id, stored.terms.tournament

    def write(connection: Connection) -> None:
        if tournament or user_id == host:
            return
        must_meet(connection, user_id, host)
        store.forget_requests(connection, seated, user_id)

    return write


class Contacts:
    """Requests between people: to play, to come to a table, to get a seat.

    All kinds count together. Each request without a yes makes the pause until the next one longer.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def ask(self, user_id: int, people: Collection[int], *, host_id: int = 0) -> dict[int, int]:
        """Count a request of a person to each of these people.

        `host_id` is the host for whom they ask, if that is someone else. Return the people who can't be asked
        now, each with the time from which they can, in milliseconds. A request to someone who has blocked the
        person, or whom a block separates from the host, counts too and is reported as too early.

        Raises:
            Refused: the person has blocked one of them. Nothing was counted.
        """
        now = self._clock.now()

        def write(connection: Connection) -> dict[int, int]:
            if own := store.blocked_by(connection, user_id, people):
                raise Refused("you_blocked", user=min(own))
            unavailable, later = store.blocking(connection, user_id, people), dict[int, int]()
            if host_id:
                unavailable |= store.apart(connection, host_id, people)
            for other in sorted(people):
                until = store.claim_request(connection, user_id, other, now)
                if other in unavailable:
                    until = store.claim_request(connection, user_id, other, now)
                if until:
                    later[other] = until
            return later

        return await self._database.write_at_once(write) if people else {}

    async def must_ask(self, user_id: int, people: Collection[int], *, host_id: int = 0) -> None:
        """Count a request like `ask`, but only if all of these people can be asked.

        Raises:
            Refused: one of them can't be asked now. Nothing is counted for the others.
        """
        later = await self.ask(user_id, people, host_id=host_id)
        if later:
            await self.take_back(user_id, [other for other in people if other not in later])
            raise too_early(later)

    async def take_back(self, user_id: int, people: Collection[int]) -> None:
        """Take requests that never reached these people out of the count."""
        now = self._clock.now()

        def write(connection: Connection) -> None:
            for other in sorted(people):
                store.take_back_request(connection, user_id, other, now)

        if people:
            await self._database.write_at_once(write)

    async def apart(self, user_id: int, others: Collection[int]) -> set[int]:
        """Return those of these people who are never paired with this person."""
        return (
            await self._database.read_at_once(lambda c: store.apart(c, user_id, others)) if others else set()
        )

    async def reachable(self, user_id: int, others: Sequence[int]) -> list[int]:
        """Return those of these people whom this person may ask now, in the same order."""
        now = self._clock.now()

        def read(connection: Connection) -> set[int]:
            return store.apart(connection, user_id, others) | store.pausing(connection, user_id, others, now)

        unavailable = await self._database.read_at_once(read)
        return [other for other in others if other not in unavailable]


def too_early(later: dict[int, int]) -> Refused:
    """Return the refusal for people who can't be asked now. It names the one who can be asked last."""
    user, until = max(later.items(), key=lambda each: (each[1], each[0]))
    return Refused("ask_later", user=user, at=-(-until // 1000))
