"""Replays: a finished game act by act, as an unstored table for each of its positions.

Where somebody stands in one is a number, so it is made anew for each press and survives every stop.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from bot.core.errors import Refused
from bot.features.teacher import review_rows as reviews
from bot.store import games as store
from bot.store.database import Database
from bot.store.games import Entry, Stored
from bot.table.daily import is_sealed, opens_at
from bot.table.journal import Replayed, standing
from bot.table.recent import Recent
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.table_context import TableContext
from bot.table.table_kinds import reviewed_seat
from engine import record
from engine.ai.review import Review
from engine.game import Event, Seat

_EVERYTHING: Final = 10_000
"""More events than one turn brings."""
BLUNDER: Final = 0.15
"""A decision that cost so great a share of the win was a blunder."""
_DIGEST_BYTES: Final = 7
_LABEL: Final = b"valence/replay/1"


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game, act by act."""

    table: Table
    """As it ended."""
    context: TableContext[Table]
    """What its positions share."""
    acts: tuple[Entry, ...]
    """What was done and not taken back, numbered from 1."""

    @classmethod
    def of(cls, database: Database, table: Table, journal: Sequence[Entry]) -> Replay:
        """The replay of a table.

        Raises:
            Refused: its game is not over, so it would tell hidden cards.
        """
        if table.outcome() is None:
            raise Refused("replay_early")
        acts = (replace(each, seq=n) for n, each in enumerate(standing(journal), 1))
        return cls(table, TableContext.alone(database), tuple(acts))

    @property
    def last(self) -> int:
        """How many acts there are: the number of the last position."""
        return len(self.acts)

    def at(self, act: int) -> Table:
        """The table after so many acts, nowhere stored; after the last one as it ended."""
        if act >= self.last:
            return self.table
        stored = replace(
            self.table.stored, phase="live", terms=replace(self.table.stored.terms, missed={}), asleep_at=0
        )
        return Table(self.context, Stored(stored, list(self.table.sitters), list(self.acts[:act]), ()))

    def turns(self) -> tuple[int, ...]:
        """The positions at which another seat goes on, from the deal to the end; of one seat all of them."""
        return record.turns([entry.seat for entry in self.acts], len(self.table.sitters))

    def turn_before(self, act: int) -> int:
        """The last position before this one at which another seat went on."""
        return max((turn for turn in self.turns() if turn < act), default=0)

    def turn_after(self, act: int) -> int:
        """The next position after this one at which another seat goes on, or the end."""
        return min((turn for turn in self.turns() if turn > act), default=self.last)

    def mover(self, act: int) -> Seat:
        """Who made the act that led to this position, not the deal."""
        return self.acts[act - 1].seat

    def happened(self, act: int) -> list[Event]:
        """What the turn that led to this position has brought so far, with all that is secret in it."""
        begun, game = self.turn_before(act), self.table.game
        found = Replayed(
            game.deal(self.table.setup()), [0] * len(self.table.sitters), [], Recent(_EVERYTHING)
        )
        for number, entry in enumerate(self.acts[:act]):
            moved = entry.kind == "act"
            found.carry_out(entry.seat, game.action(entry.data), moved=moved, heard=number >= begun)
        return list(found.recent)


async def replay_of(tables: Tables, table: Table) -> Replay:
    """The replay of a finished table.

    Raises:
        Refused: `replay_early`, while its game goes on or was never finished; `daily_sealed`, while others
            may still play the deal of its day.
        StoreError: its journal could not be read.
    """
    if is_sealed(table.stored.terms, tables.clock.now()):
        raise Refused("daily_sealed", at=opens_at(table.stored.terms))
    journal = await tables.database.read_at_once(lambda c: store.journal(c, table.id))
    return Replay.of(tables.database, table, journal)


def code_of(table: Table) -> str:
    """The code by which anybody may replay a finished game: its number, and a digest keyed by its seed.

    Who can compute it holds the seed, which is to have the whole record already.
    """
    told = hmac.digest(table.stored.seed, _LABEL + b"\n" + str(table.id).encode(), "sha256")
    return f"{table.id}-{base64.b32encode(told[:_DIGEST_BYTES]).decode().rstrip('=')}"


def may_share(table: Table, user_id: int) -> bool:
    """Whether this person may give others the code: who sat there, at a game that was no practice."""
    return user_id in sat(table) and not _shares_seed(table)


def _shares_seed(table: Table) -> bool:
    """Whether other tables have its seed, as practice and the deal of a day do: whoever has the record of one
    could make the code of another."""
    return bool(table.stored.terms.practice or table.stored.terms.daily)


def sat(table: Table) -> frozenset[int]:
    """Who sat at a table, those who left it among them."""
    return frozenset((*table.people(), *table.stored.terms.left.values()))


async def shared(tables: Tables, code: str) -> Table:
    """The finished table of a code, however it is written.

    Raises:
        Refused: `replay_code`, there is none.
        StoreError: it could not be read.
    """
    number, _, _ = (written := "".join(code.split()).upper()).partition("-")
    if not number.isdecimal() or len(number) > 15:
        raise Refused("replay_code")
    try:
        table = await tables.get(int(number))
    except Refused as refused:
        raise Refused("replay_code") from refused
    right = hmac.compare_digest(code_of(table).encode(), written.encode("utf-8", "replace"))
    if not right or _shares_seed(table) or table.outcome() is None:
        raise Refused("replay_code")
    return table


@dataclass(frozen=True, slots=True)
class MoveMark:
    """What a review says of one act, as players of chess write it: `!!`, `?` or `??`."""

    sign: str
    loss: float


async def marks_for(tables: Tables, table: Table, user_id: int) -> dict[int, MoveMark]:
    """By the position that an own decision led to, what the review that is kept says of it; nothing where
    there is none, since it is nobody else's.

    Raises:
        StoreError: it could not be read.
    """
    seat = reviewed_seat(table, user_id)
    if seat is None:
        return {}
    found = await tables.database.read_at_once(lambda c: reviews.review(c, table.id, seat))
    return marks(found) if found is not None else {}


def marks(review: Review) -> dict[int, MoveMark]:
    """The marks of a review: a clear loss is `?`, a great one `??`; `!!` is a decision than which none was
    better, at one of the points at which the game turned for the seat."""
    curve, found = review.curve(), dict[int, MoveMark]()
    for at, one in enumerate(review.decisions):
        if one.clear:
            found[one.act + 1] = MoveMark("??" if one.loss >= BLUNDER else "?", one.loss)
        elif not one.loss and at in review.turnings() and curve[at + 1] > one.chance:
            found[one.act + 1] = MoveMark("!!", 0.0)
    return found
