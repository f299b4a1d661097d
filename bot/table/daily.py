"""The deal of a day at its table: the same for everybody, one person alone against the Steady opponent.

Its seed was drawn before the day, see `bot.store.days`, and nobody adds to it. What the opponents choose
hangs on that seed and on the position, and they choose in the order of the seats, before the person: so the
same moves meet the same answers, in every process. It is an ordinary table that stands in no channel: what
happens there is seen in the hand alone, since others have the same deal before them.
"""

from __future__ import annotations

import hmac
from typing import Final

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.store import days
from bot.store.terms import Terms
from bot.table.table import Table
from engine.digests import digest
from engine.game import Seat

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
