"""Tables that are never stored: each press rebuilds them from a numbered deal and the steps played on it.

Lessons and puzzles are played on such tables. They have no row, no one is notified of them, and nothing
counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.store.database import Database
from bot.store.games import Entry, Sitter, Stored, StoredGame
from bot.store.terms import Terms
from bot.table.table import Table
from bot.table.table_context import TableContext
from engine.fair import NONCE_BYTES, SEED_BYTES
from engine.game import Seat, Value

OPPONENT = "random"
"""The level given to the other seats, which only repeat the recorded steps."""


def unstored_table(
    database: Database,
    game: str,
    version: int,
    options: Mapping[str, Value],
    *,
    number: int,
    steps: Iterable[tuple[Seat, list[Any]]],
    person: tuple[Seat, int],
    names: Sequence[str],
    locale: str,
) -> Table:
    """Return the table of the deal with this number after these steps.

    `person` is the seat and the id of the viewer; `names` are the names of all seats.

    Raises:
        UnknownRules: these rules are not played here.
        Refusal, ValueError: a step does not follow them.
    """
    own, user_id = person
    stored = StoredGame(
        game=game,
        version=version,
        phase="live",
        options=dict(options),
        terms=Terms(),
        guild_id=None,
        channel_id=0,
        host_id=user_id,
        locale=locale,
        seed=number.to_bytes(SEED_BYTES, "big"),
        nonce=bytes(NONCE_BYTES),
        created_at=0,
    )
    sitters = [
        Sitter(name, user_id=user_id) if seat == own else Sitter(name, level=OPPONENT)
        for seat, name in enumerate(names)
    ]
    journal = [Entry(nth, "act", seat, data, 0) for nth, (seat, data) in enumerate(steps, 1)]
    return Table(TableContext.alone(database), Stored(stored, sitters, journal, ()))
