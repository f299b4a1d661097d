"""Tables without a message in a channel: only their player sees them, in the hand."""

from __future__ import annotations

from typing import Final

from bot.tables.table import Table

NOWHERE: Final = 0
"""The channel of a table that has no message."""


def is_hand_only(table: Table) -> bool:
    """Return whether only the hand shows a table: the deal of a day, and practice.

    Practice of earlier releases has a message, which follows it to its end.
    """
    terms = table.stored.terms
    return bool(terms.daily or (terms.practice and table.stored.message_id is None))
