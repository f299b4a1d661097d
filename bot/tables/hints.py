"""Whether a table allows hints, and whose moves may be asked about."""

from __future__ import annotations

from bot.tables.table import Table
from engine.game import Seat


def plays_alone(table: Table) -> bool:
    """Whether one person plays here, alone or with opponents: nothing is rated then, see `keep_results`."""
    terms = table.stored.terms
    return len({*table.people(), *terms.left.values()}) == 1 and not terms.tournament


def may_hint(table: Table, seat: Seat) -> bool:
    """Whether the seat has a decision before it for which the table allows a hint."""
    if seat not in table.waiting() or len(table.legal[seat]) < 2:
        return False
    return table.stored.terms.hints and plays_alone(table) and table.game.study is not None


def opponents(table: Table) -> list[Seat]:
    """The seats of computer opponents."""
    return [seat for seat, sitter in enumerate(table.sitters) if sitter.level is not None]
