"""Daily deals: drawn some days in advance, played once by each person, closed after their day.

`bot.table.daily` tells what is special at the table of a deal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection
from typing_extensions import override

from bot.core.errors import Refused
from bot.core.service import Service
from bot.features.daily.personal_data import PLAYED, limit_subject
from bot.store import days
from bot.store.days import DAY_MS, Begun
from bot.store.games import Deadline, Sitter, StoredGame
from bot.store.personal_data import kept_limits
from bot.store.terms import Terms
from bot.table.game_runner import steady
from bot.table.registry import Tables
from bot.table.table import Table, entropy_of
from bot.table.table_kinds import NOWHERE
from bot.table.turns import turn_deadlines
from engine import catalog, record
from engine.fair import Commitment
from engine.game import Setup, Value

DAY_OVER: Final = "day_over"
"""Reason for closing a table: its deal was not finished by the end of the next day."""
AT_A_TIME: Final = 200
"""Maximum number of tables closed per hour."""


class DailyDeals(Service):
    """Draws the deals of the coming days, and closes what is left of past ones."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._drawn_on = ""
        """The day on which deals were last drawn."""

    @override
    async def hourly(self) -> None:
        """Draw the missing deals, and close the tables of past days.

        Raises:
            StoreError: the database did not answer.
        """
        if not self._tables.lease_holder.shards.first:
            return
        database, now = self._tables.database, self._tables.clock.now()
        await database.write_at_once(lambda c: days.note_service(c, now))
        if (today := days.day_of(now)) != self._drawn_on:
            # committed by itself, so that deals are promised before anyone sees them
            await database.write_at_once(lambda c: days.draw(c, catalog.listed(), now))
            self._drawn_on = today
        over = await database.read_at_once(lambda c: days.left_open(c, days.day_of(now - DAY_MS), AT_A_TIME))
        await self._tables.runtime.upkeep.each_table(over, lambda table: table.cancel(DAY_OVER))


def setting(game: str) -> tuple[Mapping[str, Value], int]:
    """Return the options and the number of seats of daily deals: the usual ones."""
    known = catalog.get(game)
    options = known.defaults()
    return options, known.usual_seats(options)


async def today(tables: Tables, user_id: int) -> tuple[str, dict[str, Begun]]:
    """The day that it is, and what somebody has begun on it, by game."""
    day = days.day_of(tables.clock.now())
    return day, await tables.database.read_at_once(lambda c: days.begun(c, day, user_id))


async def begin(
    tables: Tables,
    game: str,
    *,
    user_id: int,
    name: str,
    opponents: Sequence[str],
    guild_id: int | None,
    locale: str,
    practice: bool = False,
) -> Table:
    """Deal the deal of today to this person, who sits at the first seat; `opponents` are names enough for the
    other seats. It counts, unless it is `practice`, which may be begun once the one that counts is over.

    Raises:
        Refused: there is no deal today, the person has begun it, or has too much open.
        StoreError: it could not be stored.
    """
    day, mine = await today(tables, user_id)
    fair: Commitment | None = await tables.database.read_at_once(lambda c: days.deal_of(c, day, game))
    if fair is None:
        raise Refused("no_daily")
    first = mine.get(game)
    if (first is not None) != practice or (practice and first is not None and first.done is None):
        raise Refused("daily_begun")
    options, seats = setting(game)
    rules, now = catalog.get(game), tables.clock.now()
    stored = StoredGame(
        game=game,
        version=rules.version,
        phase="live",
        options=dict(options),
        terms=Terms(daily=day, hints=False, practice=first.game_id if first is not None else 0),
        guild_id=None,
        channel_id=NOWHERE,
        host_id=user_id,
        locale=locale,
        seed=fair.seed,
        nonce=fair.nonce,
        created_at=now,
        touched_at=now,
    )
    level = steady(rules)
    others = [Sitter(other, level=level) for other in opponents[: seats - 1]]

    def note(connection: Connection, table_id: int) -> None:
        if not practice:
            if game in days.begun(connection, day, user_id):  # two presses at once
                raise Refused("daily_begun")
            if kept_limits.find(connection, PLAYED, limit_subject(day, game), user_id, at=now):
                raise Refused("daily_played")
            days.begin(connection, day, game, user_id=user_id, game_id=table_id, guild_id=guild_id)

    sitters = [Sitter(name, user_id=user_id), *others]
    setup = Setup(game, rules.version, len(sitters), stored.options, fair.deal_key(entropy_of(sitters)))
    state = record.play(setup, [])

    def due(table_id: int) -> tuple[Deadline, ...]:
        # of an opponent who begins: a stop may come before its turn
        at = tables.lease_holder.now()
        return turn_deadlines(table_id, sitters, stored.terms, state, (), now=at, by=user_id)

    opened = await tables.opener.open(stored, sitters, due=due, also=note)
    tables.runtime.begin(opened)
    return opened


def puzzle_of(day: str, numbers: Collection[int]) -> int:
    """The puzzle of a day among those of these numbers: the same for everybody, another one tomorrow."""
    ordered = sorted(numbers, key=lambda number: sha256(f"valence/puzzle/1 {number}".encode()).digest())
    return ordered[date.fromisoformat(day).toordinal() % len(ordered)]


def puzzle_game(day: str, games: Sequence[str]) -> str:
    """The game whose puzzle of the day is shown where there is room for one: each in its turn."""
    return games[date.fromisoformat(day).toordinal() % len(games)]
