"""What those may do who watch a table: guess who wins, and see all hands later, where its people agree.

A watcher sees what everybody sees. What more they may be shown must help nobody who sits there: a watcher may
be a friend of a seat, or its second account.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.core.service import Service
from bot.features.watching import rows as guesses
from bot.store import games as store
from bot.store.database import Database
from bot.store.games import Change, Entry, Stored
from bot.table.daily import opens_at
from bot.table.journal import standing
from bot.table.people.shown_hands import CLOSING, may_show_hands, only_rounds
from bot.table.table import Table, changes
from bot.table.table_context import TableContext
from engine.game import AnyGame, Outcome, Seat, Setup

DECISIONS: Final = 3
"""A guess may be made and changed until so many decisions a seat have been made: a tenth of an ordinary game
of two, at most a third of one of eight. Decisions are what all games share; few score early, or at all."""
PART: Final = 4
"""And never after this part of the longest game that its rules allow."""
WON, LOST = 0, 1
"""The two guesses on somebody who plays against the game itself."""
ENTRIES: Final = 10
"""Hands are shown as they were before so many entries of the journal at least…"""
AGE_MS: Final = 180_000
"""…and so long ago at least, by the time that the journal has."""


# -- guesses ----------------------------------------------------------------------------------


def choices(table: Table) -> tuple[tuple[Seat, ...], ...]:
    """The sides that may win: partners where they are known before the deal, else each seat; nothing where
    one person plays against the game itself, which is won or lost."""
    seats = len(table.sitters)
    if seats == 1 or table.held_by_one:
        return ()
    partners = table.game.partners(seats, table.stored.options)
    return partners or tuple((seat,) for seat in range(seats))


def takes_guesses(table: Table) -> bool:
    """Whether it is still early enough to guess who wins."""
    terms = table.stored.terms
    if table.phase != "live" or table.outcome() is not None or terms.practice or terms.hand_only:
        return False
    setup = table.setup()
    return table.acts <= min(DECISIONS * setup.seats, table.game.bound(setup) // PART)


@changes(quiet=True)
async def guess(table: Table, user_id: int, side: int, database: Database) -> None:
    """Store a guess of the winner instead of any earlier one.

    Raises:
        Refused: it is too late.
        StoreError: it could not be stored.
    """
    must_be_watched(table)
    if not takes_guesses(table):
        raise Refused("guess_late")
    before = await database.read_at_once(lambda c: guesses.guess_of(c, table.id, user_id))
    told = dict(table.stored.terms.guesses)
    if before is not None:
        told[before] = max(0, told.get(before, 0) - 1)
    told[side] = told.get(side, 0) + 1
    terms = replace(table.stored.terms, guesses={key: n for key, n in told.items() if n})
    now = table.clock_now()
    kept = partial(guesses.keep, game_id=table.id, user_id=user_id, side=side, at=now)
    await table.keep(Change({"terms": terms}, quiet=True, also=kept))


def correct_guesses(table: Table, outcome: Outcome) -> frozenset[int] | None:
    """Return the correct guesses, or None after a draw of all sides, which nobody can guess."""
    sides = choices(table)
    if not sides:
        return frozenset({WON if outcome.won else LOST})
    winners = set(outcome.winners())
    right = frozenset(number for number, seats in enumerate(sides) if winners & set(seats))
    return None if len(right) == len(sides) else right


class Guesses(Service):
    """Judges guesses when a game ends."""

    def note(self, connection: Connection, table: Table, outcome: Outcome) -> None:
        """Note which guesses came true."""
        if (right := correct_guesses(table, outcome)) is not None and table.stored.terms.guesses:
            guesses.judge(connection, table.id, right)


def count_correct_guesses(table: Table) -> tuple[int, int] | None:
    """Return the number of correct guesses and of all guesses, or None if that is unknown."""
    outcome, told = table.outcome(), table.stored.terms.guesses
    right = correct_guesses(table, outcome) if outcome is not None and told else None
    if right is None:
        return None
    return sum(told.get(side, 0) for side in right), sum(told.values())


def must_be_watched(table: Table) -> None:
    """Return if people who do not sit at the table can watch it.

    Raises:
        Refused: it has not begun or was closed, or it is the deal of a day, which others have too.
    """
    if table.stored.terms.daily:
        raise Refused("daily_sealed", at=opens_at(table.stored.terms))
    if table.state is None:
        raise Refused("closed" if table.phase == "cancelled" else "not_started")


# -- all hands --------------------------------------------------------------------------------


async def delayed_table(table: Table, database: Database) -> Table | None:
    """Return the table with the delay at which watchers may see its hands, or None if nothing is old enough.

    It is not stored anywhere.

    Raises:
        Refused: its people have not agreed, or do not any more.
        StoreError: the journal could not be read.
    """
    journal = await database.read_at_once(lambda c: store.journal(c, table.id))
    # asked last: what was withdrawn meanwhile is not shown
    if not (table.stored.terms.hands and may_show_hands(table)):
        raise Refused("hands_closed")
    acts = old_enough(journal, table.clock_now())
    if only_rounds(table):
        acts = await asyncio.to_thread(round_before, table.game, table.setup(), acts)
    if not acts:
        return None
    entries = [replace(each, seq=number) for number, each in enumerate(acts, 1)]
    terms = replace(table.stored.terms, missed={}, asked=None)
    stored = replace(table.stored, phase="live", terms=terms, asleep_at=0)
    context = TableContext.alone(database)
    found = Stored(stored, list(table.sitters), entries, ())
    shown = await asyncio.to_thread(Table, context, found)
    if not table.stored.terms.hands:
        raise Refused("hands_closed")
    return shown


def old_enough(journal: Sequence[Entry], now: int) -> list[Entry]:
    """The acts that still stand and are old enough to be shown: at least `ENTRIES` entries came after each,
    and it was made at least `AGE_MS` before `now`."""
    early = takewhile(lambda entry: entry.at <= now - AGE_MS, journal[: max(0, len(journal) - ENTRIES)])
    seqs = {entry.seq for entry in early}
    return [entry for entry in standing(journal) if entry.seq in seqs]


def round_before(game: AnyGame, setup: Setup, acts: Sequence[Entry]) -> list[Entry]:
    """The acts up to a position of the last round that these acts complete, as far into it as they are into
    the round after it: the round is told again while the next one is played. Nothing where none is over."""
    state, ends = game.deal(setup), [0]
    for number, entry in enumerate(acts, 1):
        state.events = []
        state.apply(entry.seat, game.action(entry.data))
        if any(event.kind in CLOSING for event in state.events):
            ends.append(number)
    if len(ends) == 1:
        return []
    begun, over = ends[-2:]
    # the act that ends a round deals the next one: what it leads to is never shown
    return list(acts[: min(begun + max(1, len(acts) - over), over - 1)])
