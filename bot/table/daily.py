"""The table of a daily deal: the same for everyone, one person alone against the Steady opponent.

The seed was drawn before the day (see `bot.store.days`), and no player adds to it. The opponents' choices
depend only on that seed and the position, and they choose in seat order, before the person. So the same moves
meet the same answers in every process. It is an ordinary table without a channel: only the hand shows it,
since other players have the same deal ahead of them.
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
"""Seconds that a press waits for the decisions of the opponents. Discord accepts no answer after three."""
LOOK_SECONDS: Final = 0.1


def answer_luck(table: Table, seat: Seat) -> bytes:
    """Return the random seed of an opponent's choice at such a table.

    It is derived from the secret of the day, the seat whose turn it is, and the position.
    """
    if table.state is None:
        raise Refused("not_started")
    position = digest(table.game.key, table.state)
    message = f"valence/daily/1\n{table.game.key} {table.acts} {seat}\n{position}"
    return hmac.digest(table.stored.seed, message.encode(), "sha256")


async def others_decided(table: Table, clock: Clock) -> None:
    """Wait until the opponents that choose before the person have done so, or for `WAIT_SECONDS`."""
    until = clock.monotonic() + WAIT_SECONDS
    while table.others_first and clock.monotonic() < until:
        await clock.sleep(LOOK_SECONDS)


def is_sealed(terms: Terms, at: int) -> bool:
    """Return whether the seed of this table is still secret, because others may yet play the deal of its
    day."""
    return bool(terms.daily) and not days.is_over(terms.daily, at)


def opens_at(terms: Terms) -> int:
    """Return when the deal of a day is no longer sealed, in Unix seconds."""
    return days.counts_until(terms.daily) // 1000
