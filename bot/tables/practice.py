"""Whether a finished game can be reviewed, or played again from a position."""

from __future__ import annotations

from bot.tables.table import Table
from engine.game import Seat


def may_retry(table: Table) -> bool:
    """Whether the position of a practice can be taken up once more; the deal of a day has its own way."""
    terms = table.stored.terms
    return bool(terms.practice) and not terms.daily and terms.position >= 0


def reviewed_seat(table: Table, user_id: int) -> Seat | None:
    """The seat whose decisions a person may have reviewed: their only one, in a finished game against others
    that has a study, and no practice."""
    seats = table.seats_of(user_id)
    if table.outcome() is None or table.game.study is None or table.stored.terms.practice:
        return None
    return seats[0] if len(seats) == 1 < len(table.sitters) else None
