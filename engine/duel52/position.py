"""The data of a position of Duel 52.

The deck is ordered once, at the deal, and never reshuffled: a position needs no secret key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self, TypeAlias

import msgspec
from typing_extensions import override

from engine.duel52.cards import FLIPPERS, VAMPIRES, VARIANTS, Variant
from engine.duel52.marks import BOTH, FACES, FADES, LOCKED, UP, Blow, Gone
from engine.duel52.moves import PLAYS, Move
from engine.duel52.observation import BlowView, Discard, LaneUnit, Observation, Pending
from engine.fields import Derived, Hidden, Owned, Public
from engine.game import Event, Seat, State

Board: TypeAlias = tuple[
    frozenset[int],
    int,
    int,
    int,
    tuple[tuple[Move, ...], ...],
    tuple[int, ...],
    tuple[tuple[int, ...], ...],
    tuple[tuple[int, ...], ...],
    tuple[int, ...],
]

Able: TypeAlias = tuple[Sequence[Move], Sequence[int], Sequence[Move], bool]
"""The flips of a row, its cards that can attack unless spent, its possible pairs, and whether a pair or a 10
is among the attackers."""


def _board(variant: Variant, *, vampiric: bool) -> Board:
    """Return the values that depend only on the variant, from `flippers` to `sights`."""
    seats, sides, lanes = variant.seats, variant.sides, variant.lanes
    starts = tuple(seat % sides * lanes for seat in range(seats))
    return (
        FLIPPERS - VAMPIRES if vampiric else FLIPPERS,
        seats,
        sides,
        lanes,
        PLAYS[lanes],
        starts,
        tuple(tuple(range(start, start + lanes)) for start in starts),
        tuple(tuple(range(lane, sides * lanes, lanes)) for lane in range(lanes)),
        tuple(3 if variant.key == "solo" else 1 << seat for seat in range(seats)),
    )


_BOARDS: Final = {
    (key, vampiric): _board(variant, vampiric=vampiric)
    for key, variant in VARIANTS.items()
    for vampiric in (False, True)
}


class Position(State[Move, Observation]):
    """All cards and whose turn it is.

    A *unit* is a card on the table, identified by the order in which cards were laid. `rows[side * lanes +
    lane]` are units in order of arrival. `quiet` is -1 in a turn with a play, flip or kill.
    """

    variant: Public[Variant]
    vampiric: Public[bool]
    hands: Owned[list[list[int]]]
    pile: Hidden[tuple[int, ...]]
    """The draw pile, top first."""
    aside: Hidden[tuple[int, ...]]
    """Cards not used in this game."""
    drawn: Owned[int]
    """The card a 2 has just drawn while its discard is pending; -1 if none or not in the notation."""
    card: Owned[list[int]]
    """Identity, by unit."""
    flags: Public[list[int]]
    """Bits of `marks`, by unit."""
    damage: Public[list[int]]
    mate: Public[list[int]]
    """The other unit of its pair or -1, by unit."""
    known: Public[list[int]]
    """Seats that know it face-down, by unit, as a bit mask.

    Public, since everyone sees who laid it and who looked; 0 once it is face-up.
    """
    rows: Public[list[list[int]]]
    gone: Owned[list[Gone]]
    first: Public[int]
    turn: Public[int]
    turns: Public[int]
    actions: Public[int]
    quiet: Public[int]
    asks: Public[list[Pending]]
    """The stack of pending choices."""
    bet: Public[int]
    outs: Public[list[tuple[Seat, ...]]]
    held: Public[list[int]]
    """The side that last had each lane to itself once the draw pile was empty, 2 for none (-1 by rules 2).

    Empty in `triangles` and under rules 1, where empty lanes need no holder.
    """
    glimpse: Public[int]
    pointer: Public[int]
    last: Public[Blow | None]
    reason: Public[str]
    ranks: Public[tuple[int, ...]]
    flippers: Derived[frozenset[int]]
    seats: Derived[int]
    sides: Derived[int]
    lanes: Derived[int]
    plays: Derived[tuple[tuple[Move, ...], ...]]
    starts: Derived[tuple[int, ...]]
    """First row, by seat."""
    lines: Derived[tuple[tuple[int, ...], ...]]
    """Rows, by seat."""
    columns: Derived[tuple[tuple[int, ...], ...]]
    """Rows, by lane."""
    sights: Derived[tuple[int, ...]]
    """Seats that see what a seat sees, by seat, as a bit mask: a solo player holds both."""
    place: Derived[list[int]]
    """Row or -1 for a unit that is gone, by unit."""
    faces: Derived[list[int]]
    """Number of face-up cards of each rank, by row: an octal digit per rank (`marks.FACES`)."""
    bases: Derived[int]
    """0 if no bases are locked, 1 if each row's first card is its locked base, as dealt, 2 if they are
    elsewhere, as a position in notation allows."""
    marked: Derived[set[int]]
    """Units with marks that end with their side's turn."""
    able: Derived[list[Able | None]]
    """Cached flips, attackers and pairs of each row, None after the row changed."""
    menu: Derived[Sequence[Move] | None]
    """The legal actions if the rules already computed them, else None."""
    menus: Derived[list[Sequence[Move] | None]]
    """Cached moves of each row, None after something happened in its lane."""

    # generated by tools/positions.py from the fields above
    __slots__ = (
        "able",
        "actions",
        "aside",
        "asks",
        "bases",
        "bet",
        "card",
        "columns",
        "damage",
        "drawn",
        "faces",
        "first",
        "flags",
        "flippers",
        "glimpse",
        "gone",
        "hands",
        "held",
        "known",
        "lanes",
        "last",
        "lines",
        "marked",
        "mate",
        "menu",
        "menus",
        "outs",
        "pile",
        "place",
        "plays",
        "pointer",
        "quiet",
        "ranks",
        "reason",
        "rows",
        "seats",
        "sides",
        "sights",
        "starts",
        "turn",
        "turns",
        "vampiric",
        "variant",
    )

    def clone(self) -> Self:
        """Return a copy that shares no mutable data."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.events = None
        twin.variant = self.variant
        twin.vampiric = self.vampiric
        twin.hands = [one.copy() for one in self.hands]
        twin.pile = self.pile
        twin.aside = self.aside
        twin.drawn = self.drawn
        twin.card = self.card.copy()
        twin.flags = self.flags.copy()
        twin.damage = self.damage.copy()
        twin.mate = self.mate.copy()
        twin.known = self.known.copy()
        twin.rows = [one.copy() for one in self.rows]
        twin.gone = self.gone.copy()
        twin.first = self.first
        twin.turn = self.turn
        twin.turns = self.turns
        twin.actions = self.actions
        twin.quiet = self.quiet
        twin.asks = self.asks.copy()
        twin.bet = self.bet
        twin.outs = self.outs.copy()
        twin.held = self.held.copy()
        twin.glimpse = self.glimpse
        twin.pointer = self.pointer
        twin.last = self.last
        twin.reason = self.reason
        twin.ranks = self.ranks
        twin.flippers = self.flippers
        twin.seats = self.seats
        twin.sides = self.sides
        twin.lanes = self.lanes
        twin.plays = self.plays
        twin.starts = self.starts
        twin.lines = self.lines
        twin.columns = self.columns
        twin.sights = self.sights
        twin.place = self.place.copy()
        twin.faces = self.faces.copy()
        twin.bases = self.bases
        twin.marked = self.marked.copy()
        twin.able = self.able.copy()
        twin.menu = self.menu
        twin.menus = self.menus.copy()
        return twin

    def empty(self) -> None:
        """Reset every field to its empty value: no events, 0, or nothing."""
        self.events = None
        self.vampiric = False
        self.hands = []
        self.pile = ()
        self.aside = ()
        self.drawn = 0
        self.card = []
        self.flags = []
        self.damage = []
        self.mate = []
        self.known = []
        self.rows = []
        self.gone = []
        self.first = 0
        self.turn = 0
        self.turns = 0
        self.actions = 0
        self.quiet = 0
        self.asks = []
        self.bet = 0
        self.outs = []
        self.held = []
        self.glimpse = 0
        self.pointer = 0
        self.last = None
        self.reason = ""
        self.ranks = ()

    def fingerprint(self) -> bytes:
        """Return all but derived fields as bytes, the same for equal positions. Contains secrets."""
        return msgspec.msgpack.encode(
            (
                self.variant,
                self.vampiric,
                self.hands,
                self.pile,
                self.aside,
                self.drawn,
                self.card,
                self.flags,
                self.damage,
                self.mate,
                self.known,
                self.rows,
                self.gone,
                self.first,
                self.turn,
                self.turns,
                self.actions,
                self.quiet,
                self.asks,
                self.bet,
                self.outs,
                self.held,
                self.glimpse,
                self.pointer,
                self.last,
                self.reason,
                self.ranks,
            )
        )

    def public_view(
        self,
        *,
        viewer: int | None,
        variant: str,
        to_act: tuple[int, ...],
        pile: int,
        aside: int,
        laid: int,
        counts: tuple[int, ...],
        hands: tuple[tuple[int, ...], ...],
        rows: tuple[tuple[LaneUnit, ...], ...],
        gone: tuple[Discard, ...],
        drawn: int,
        last: BlowView | None,
    ) -> Observation:
        """Return an observation from the public fields and the given values."""
        return Observation(
            viewer=viewer,
            variant=variant,
            vampiric=self.vampiric,
            first=self.first,
            turn=self.turn,
            turns=self.turns,
            actions=self.actions,
            quiet=self.quiet,
            to_act=to_act,
            pile=pile,
            aside=aside,
            laid=laid,
            counts=counts,
            hands=hands,
            rows=rows,
            gone=gone,
            asks=tuple(self.asks),
            bet=self.bet,
            outs=tuple(self.outs),
            glimpse=self.glimpse,
            pointer=self.pointer,
            drawn=drawn,
            last=last,
            reason=self.reason,
            ranks=self.ranks,
            held=tuple(self.held),
        )

    def restore(self, seen: Observation) -> None:
        """Copy the public fields from an observation."""
        self.vampiric = seen.vampiric
        self.first = seen.first
        self.turn = seen.turn
        self.turns = seen.turns
        self.actions = seen.actions
        self.quiet = seen.quiet
        self.asks = list(seen.asks)
        self.bet = seen.bet
        self.outs = list(seen.outs)
        self.held = list(seen.held)
        self.glimpse = seen.glimpse
        self.pointer = seen.pointer
        self.reason = seen.reason
        self.ranks = seen.ranks

    # end of generated code

    def __init__(self, variant: Variant, *, vampiric: bool) -> None:
        self.empty()
        self.variant = variant
        self.vampiric = vampiric or variant.key == "solo"
        self.hands = [[] for _ in range(variant.seats)]
        self.rows = [[] for _ in range(variant.sides * variant.lanes)]
        self.held = [BOTH] * variant.lanes if variant.sides == 2 else []
        self.drawn = self.bet = self.glimpse = self.pointer = -1
        self.derive()

    def derive(self) -> None:
        """Recompute the derived fields from the others."""
        board = _BOARDS[self.variant.key, self.vampiric]
        self.flippers, self.seats, self.sides, self.lanes, self.plays = board[:5]
        self.starts, self.lines, self.columns, self.sights = board[5:]
        flags, card = self.flags, self.card
        self.place = place = [-1] * len(card)
        self.faces = faces = [0] * len(self.rows)
        for at, row in enumerate(self.rows):
            for unit in row:
                place[unit] = at
                if flags[unit] & UP:
                    faces[at] += FACES[card[unit]]
        self.bases = 0
        if self.pile and self.variant.bases:
            locked = sum([flag & LOCKED for flag in flags]) // LOCKED
            dealt = locked == len(self.rows) and all(row and flags[row[0]] & LOCKED for row in self.rows)
            self.bases = 1 if dealt else 2
        self.marked = {unit for unit, flag in enumerate(flags) if flag & FADES}
        self.menu = None
        self.able = [None] * len(self.rows)
        self.menus = [None] * len(self.rows)

    @override
    def census(self) -> tuple[int, ...]:
        cards = [*self.pile, *self.aside, *(card for hand in self.hands for card in hand)]
        cards += [self.card[unit] for row in self.rows for unit in row]
        return tuple(sorted(cards + [entry[0] for entry in self.gone]))

    def lane(self, unit: int) -> int:
        """Return the lane a unit is in."""
        return self.place[unit] % self.lanes

    def side(self, unit: int) -> int:
        """Return the side a unit belongs to."""
        return self.place[unit] // self.lanes

    def knowers(self, seat: Seat) -> int:
        """Return the seats that see what `seat` sees, as a bit mask."""
        return self.sights[seat]

    def lay(self, card: int, at: int, flags: int, known: int) -> int:
        """Put a new unit face-down into a row. Return its number."""
        unit = len(self.card)
        self.card.append(card)
        self.flags.append(flags)
        self.damage.append(0)
        self.mate.append(-1)
        self.place.append(at)
        self.known.append(known)
        self.rows[at].append(unit)
        return unit

    def tell(self, kind: str, seat: Seat = -1, secret: tuple[int, int] = (-1, 0), /, **facts: object) -> None:
        """Record an event if events are collected; `secret` is a card and the seats that know it."""
        if self.events is None:
            return
        if self.sides > 2 and "lane" in facts:
            facts["triangles"] = True
        card, mask = secret
        if mask:
            knowers = tuple(s for s in range(self.seats) if mask >> s & 1)
            self.events.append(Event(kind, seat, facts, {"card": card}, knowers))
        else:
            self.events.append(Event(kind, seat, facts))

    def secret(self, card: int, known: int) -> tuple[int, int]:
        """Return a card and the seats an event may show it to; in teams players must use their memory."""
        return (card, 0 if self.variant.key == "teams" else known)

    def owners(self, side: int) -> list[Seat]:
        """Return the seats that play a side."""
        return list(range(side, self.seats, self.sides))

    def is_out(self, seat: Seat) -> bool:
        """Return whether this seat has lost its last card (triangles)."""
        return any(seat in group for group in self.outs)
