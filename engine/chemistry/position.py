"""One position of Compound Capture or Chemistry Canasta: who holds what, what lies where.

A hand is a bytearray: how many cards it has of each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec
from typing_extensions import override

from engine.chemistry.deck import KINDS, WILD, compounds
from engine.chemistry.moves import Move
from engine.chemistry.observation import GAIN, RUN, Observation, RunView, Sheet, parts
from engine.chemistry.piles import top_of
from engine.chemistry.scoring import cards_of
from engine.fields import Derived, Hidden, Owned, Public
from engine.game import Seat, State


class Position(State[Move, Observation]):
    """Who holds what, and what lies where."""

    seats: Public[int]
    canasta: Public[bool]
    decks: Public[str]
    rounds: Public[int]
    key: Hidden[bytes]
    round: Public[int]
    dealer: Public[int]
    turn: Public[int]
    phase: Public[int]
    took: Public[bool]
    dry: Public[int]
    hands: Owned[list[bytearray]]
    sizes: Public[list[int]]
    orders: Owned[list[Sequence[int]]]
    """The stocks of this round, one for each shuffle."""
    at: Public[int]
    """How far the last of them is drawn."""
    discard: Public[list[int]]
    stack: Owned[Sequence[int]]
    """The compounds of the round as far as they are worked out; the others follow when they are needed."""
    up: Public[int]
    """How many of them have been turned up."""
    row: Public[list[int]]
    captured: Public[list[list[int]]]
    runs: Public[list[list[RunView]]]
    totals: Public[list[int]]
    last: Public[Sheet | None]
    log: Public[list[int]]
    """The public history of the round; see `observation`."""
    order: Derived[Sequence[int]]
    """The last stock."""
    total: Derived[int]
    """How many compounds the round has."""
    wilds: Derived[list[tuple[int, Seat, int]]]
    """The wild cards in runs, as (number, seat, place of the run), in the order in which they were laid."""

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "at",
        "canasta",
        "captured",
        "dealer",
        "decks",
        "discard",
        "dry",
        "hands",
        "key",
        "last",
        "log",
        "order",
        "orders",
        "phase",
        "round",
        "rounds",
        "row",
        "runs",
        "seats",
        "sizes",
        "stack",
        "took",
        "total",
        "totals",
        "turn",
        "up",
        "wilds",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.events = None
        twin.seats = self.seats
        twin.canasta = self.canasta
        twin.decks = self.decks
        twin.rounds = self.rounds
        twin.key = self.key
        twin.round = self.round
        twin.dealer = self.dealer
        twin.turn = self.turn
        twin.phase = self.phase
        twin.took = self.took
        twin.dry = self.dry
        twin.hands = [one.copy() for one in self.hands]
        twin.sizes = self.sizes.copy()
        twin.orders = self.orders.copy()
        twin.at = self.at
        twin.discard = self.discard.copy()
        twin.stack = self.stack
        twin.up = self.up
        twin.row = self.row.copy()
        twin.captured = [one.copy() for one in self.captured]
        twin.runs = [one.copy() for one in self.runs]
        twin.totals = self.totals.copy()
        twin.last = self.last
        twin.log = self.log.copy()
        twin.order = self.order
        twin.total = self.total
        twin.wilds = self.wilds.copy()
        return twin

    def empty(self) -> None:
        """Nothing yet: no events, and 0, none or nobody in every field that has such a value."""
        self.events = None
        self.seats = 0
        self.canasta = False
        self.decks = ""
        self.rounds = 0
        self.key = b""
        self.round = 0
        self.dealer = 0
        self.turn = 0
        self.phase = 0
        self.took = False
        self.dry = 0
        self.hands = []
        self.sizes = []
        self.orders = []
        self.at = 0
        self.discard = []
        self.stack = ()
        self.up = 0
        self.row = []
        self.captured = []
        self.runs = []
        self.totals = []
        self.last = None
        self.log = []

    def fingerprint(self) -> bytes:
        """All but what is derived, as bytes: equal exactly where the positions are. Holds secrets."""
        return msgspec.msgpack.encode(
            (
                self.seats,
                self.canasta,
                self.decks,
                self.rounds,
                self.key,
                self.round,
                self.dealer,
                self.turn,
                self.phase,
                self.took,
                self.dry,
                self.hands,
                self.sizes,
                self.orders,
                self.at,
                self.discard,
                self.stack,
                self.up,
                self.row,
                self.captured,
                self.runs,
                self.totals,
                self.last,
                self.log,
            )
        )

    def public_view(
        self,
        *,
        viewer: int | None,
        hand: tuple[int, ...],
        known: tuple[tuple[int, ...], ...],
        stock: int,
        stack: int,
        turned: tuple[int, ...],
        orders: tuple[tuple[int, ...], ...],
        over: bool,
    ) -> Observation:
        """An observation: what everybody sees as it is, and what is given here."""
        return Observation(
            viewer=viewer,
            canasta=self.canasta,
            decks=self.decks,
            rounds=self.rounds,
            seats=self.seats,
            round=self.round,
            dealer=self.dealer,
            turn=self.turn,
            phase=self.phase,
            took=self.took,
            dry=self.dry,
            hand=hand,
            sizes=tuple(self.sizes),
            known=known,
            stock=stock,
            discard=tuple(self.discard),
            row=tuple(self.row),
            stack=stack,
            turned=turned,
            captured=tuple(map(tuple, self.captured)),
            runs=tuple(map(tuple, self.runs)),
            totals=tuple(self.totals),
            last=self.last,
            log=tuple(self.log),
            orders=orders,
            over=over,
        )

    def restore(self, seen: Observation) -> None:
        """Take what everybody sees from an observation."""
        self.seats = seen.seats
        self.canasta = seen.canasta
        self.decks = seen.decks
        self.rounds = seen.rounds
        self.round = seen.round
        self.dealer = seen.dealer
        self.turn = seen.turn
        self.phase = seen.phase
        self.took = seen.took
        self.dry = seen.dry
        self.sizes = list(seen.sizes)
        self.discard = list(seen.discard)
        self.row = list(seen.row)
        self.captured = list(map(list, seen.captured))
        self.runs = list(map(list, seen.runs))
        self.totals = list(seen.totals)
        self.last = seen.last
        self.log = list(seen.log)

    # as far as here

    def __init__(self, seats: int, *, canasta: bool, decks: str, rounds: int, key: bytes) -> None:
        self.empty()
        self.seats = seats
        self.canasta = canasta
        self.decks = decks
        self.rounds = rounds
        self.key = key
        self.totals = [0] * seats
        self.derive()

    def derive(self) -> None:
        """Find again what follows from the other fields."""
        self.order = self.orders[-1] if self.orders else ()
        self.total = len(compounds(self.decks))
        self.wilds = _open_wilds(self)

    @override
    def census(self) -> tuple[int, ...]:
        """Draw cards by kind, compounds from KINDS on."""
        cards = [*self.order[self.at :], *self.discard]
        for hand in self.hands:
            cards += cards_of(hand)
        for laid in self.runs:
            cards += [card for _, three in laid for card in three]
        piles = [
            *self.pile(self.total)[self.up :],
            *self.row,
            *(one for own in self.captured for one in own),
        ]
        return tuple(sorted(cards + [KINDS + compound for compound in piles]))

    @property
    def reach(self) -> int:
        """How many cards the stock can give while the top of the discard pile stays (decisions 7 and 14)."""
        left = len(self.order) - self.at
        return left if self.canasta else left + max(len(self.discard) - 1, 0)

    def pile(self, count: int) -> Sequence[int]:
        """The first compounds of the round's pile, those turned up included."""
        if len(self.stack) >= count:
            return self.stack
        return top_of(self.key, f"compounds/{self.round}", compounds(self.decks), count)


def _open_wilds(table: Position) -> list[tuple[int, int, int]]:
    """The wild cards in runs, as (number, seat, place), in the order in which they were laid."""
    laid = [
        (start + step, seat, place)
        for seat, runs in enumerate(table.runs)
        for place, (start, cards) in enumerate(runs)
        for step, card in enumerate(cards)
        if card == WILD
    ]
    turns = _laying_order(table)
    return sorted(laid, key=lambda one: (turns[one[1], one[2]], one[0]))


def _laying_order(table: Position) -> dict[tuple[int, int], int]:
    """When each run was laid: by (seat, place), from the history."""
    found: dict[tuple[int, int], int] = {}
    counts = [0] * table.seats
    skip = 0
    log = table.log
    for number, one in enumerate(log):
        op, seat, _ = parts(one)
        if skip:
            skip -= 1
        elif op == RUN and not (number + 1 < len(log) and parts(log[number + 1])[0] == GAIN):
            found[seat, counts[seat]] = number
            counts[seat] += 1
            skip = 2
    return found
