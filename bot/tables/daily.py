"""The deal of a day at its table: the same for everybody, one person alone against the Steady opponent.

Its seed was drawn before the day, see `bot.store.days`, and nobody adds to it. What the opponents choose
hangs on that seed and on the position, and they choose in the order of the seats, before the person: so the
same moves meet the same answers, in every process. It is an ordinary table that stands in no channel: what
happens there is seen in the hand alone, since others have the same deal before them.
"""

from __future__ import annotations

import hmac
from typing import Final

from sqlalchemy import Connection

from bot.store import days
from bot.store import games as store
from bot.store.days import DailyResult
from bot.store.terms import Terms
from bot.tables.journal import standing
from bot.tables.ports import Clock, Refused
from bot.tables.table import Table
from engine.digests import digest
from engine.game import Outcome, Seat

PERSON: Final[Seat] = 0
"""The seat of whoever plays."""
WAIT_SECONDS: Final = 1.4
"""So long a press waits until the opponents have decided; after three Discord takes no answer any more."""
LOOK_SECONDS: Final = 0.1


def answer_luck(table: Table, seat: Seat) -> bytes:
    """What an opponent at such a table draws its luck from: the secret of the day, whose turn it is, and the
    position, which the moves up to here have made."""
    if table.state is None:
        raise Refused("not_started")
    position = digest(table.game.key, table.state)
    asked = f"valence/daily/1\n{table.game.key} {table.acts} {seat}\n{position}"
    return hmac.digest(table.stored.seed, asked.encode(), "sha256")


async def others_decided(table: Table, clock: Clock) -> None:
    """Wait until the opponents have decided what they decide before the person, or for as long as a press
    may wait."""
    until = clock.monotonic() + WAIT_SECONDS
    while table.others_first and clock.monotonic() < until:
        await clock.sleep(LOOK_SECONDS)


def is_sealed(terms: Terms, at: int) -> bool:
    """Whether the seed of this table is still the secret of a day: others may yet play its deal."""
    return bool(terms.daily) and not days.is_over(terms.daily, at)


def opens_at(terms: Terms) -> int:
    """Return when the deal of a day is no longer sealed, in Unix seconds."""
    return days.counts_until(terms.daily) // 1000


def keep_done(connection: Connection, table: Table, outcome: Outcome, at: int) -> None:
    """Note how the game that counts has ended, with its last act: it may be settled on the next day, after
    trouble or a stop. Practice leaves nothing behind. `at`: the time of a game without acts."""
    if table.stored.terms.practice:
        return
    acts = standing(store.journal(connection, table.id))
    moves = sum(each.seat == PERSON for each in acts)
    days.finish(connection, table.id, done(outcome, moves), acts[-1].at if acts else at)


def done(outcome: Outcome, moves: int) -> DailyResult:
    """How the person has done: by how much their score is better than that of the best other side, whichever
    way scores go in this game."""
    own = outcome.standings[PERSON]
    others = [
        one
        for seat, one in enumerate(outcome.standings)
        if seat != PERSON and (own.team < 0 or one.team != own.team)
    ]
    best = min(others, key=lambda one: one.rank, default=own)
    ranked = sorted(outcome.standings, key=lambda one: one.rank)
    sign = 1 if ranked[0].score >= ranked[-1].score else -1
    return DailyResult(own.rank, own.score, sign * (own.score - best.score) + 0.0, moves)
