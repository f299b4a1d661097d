"""Kinds of tables, and the hints, retries and reviews each allows."""

from __future__ import annotations

from typing import Final

from bot.table.table import Table
from engine.game import Seat

NOWHERE: Final = 0
"""The channel of a table that has no message."""


def is_hand_only(table: Table) -> bool:
    """Return whether only the hand shows a table: a daily deal, practice, or a solo game for which that was
    chosen.

    Practice games of earlier releases have a message, which is updated until they end.
    """
    terms = table.stored.terms
    return bool(terms.daily or terms.hand_only or (terms.practice and table.stored.message_id is None))


def plays_alone(table: Table) -> bool:
    """Return whether only one person plays here, so that the game is not rated (see `keep_results`)."""
    terms = table.stored.terms
    return len({*table.people(), *terms.left.values()}) == 1 and not terms.tournament


def is_decided_by_deal(table: Table) -> bool:
    """Return whether the deal alone decides who wins, with the players who sit here."""
    options = {**table.game.defaults(), **table.stored.options}
    return table.game.decided_by_deal(len(table.sitters), options)


def can_teach(table: Table) -> bool:
    """Return whether decisions at this table can be studied, and affect who wins."""
    return table.game.study is not None and not is_decided_by_deal(table)


def can_hint(table: Table, seat: Seat) -> bool:
    """Return whether the seat must decide and the table allows a hint for it."""
    if seat not in table.waiting() or len(table.legal[seat]) < 2:
        return False
    return table.stored.terms.hints and plays_alone(table) and can_teach(table)


def opponents(table: Table) -> list[Seat]:
    """Return the seats of computer opponents."""
    return [seat for seat, sitter in enumerate(table.sitters) if sitter.level is not None]


def seats_expected(table: Table) -> int:
    """Return the number of seats that the game has, or would have if it started now."""
    allowed = table.game.seats({**table.game.defaults(), **table.stored.options})
    return max(len(table.sitters), allowed[0] if allowed else 1)


def level_here(table: Table, level: str) -> str:
    """Return the level that a computer opponent of this level actually plays at this table."""
    return table.game.level_in(level, seats_expected(table), table.stored.options)


def level_of(table: Table, seat: Seat) -> str | None:
    """Return the level that this seat's computer opponent actually plays, or None for a person."""
    level = table.sitters[seat].level
    return level if level is None else level_here(table, level)


def can_retry(table: Table) -> bool:
    """Return whether the position of a practice can be played again. Daily deals have their own retry."""
    terms = table.stored.terms
    return bool(terms.practice) and not terms.daily and terms.position >= 0


def reviewed_seat(table: Table, user_id: int) -> Seat | None:
    """Return the seat whose decisions a person may have reviewed, or None.

    The game must be finished, played against others and open to study. It must not be practice, and the
    person must hold exactly one seat.
    """
    seats = table.seats_of(user_id)
    if table.outcome() is None or not can_teach(table) or table.stored.terms.practice:
        return None
    return seats[0] if len(seats) == 1 < len(table.sitters) else None
