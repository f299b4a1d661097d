"""One position of Duel 52: what lies where, and whose turn it is.

The deck is ordered once, at the deal, and nothing is shuffled afterwards: a position needs no secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self, TypeAlias

import msgspec
from typing_extensions import override

from engine.duel52.cards import FLIPPERS, VAMPIRES, VARIANTS, Variant
from engine.duel52.marks import FACES, FADES, LOCKED, UP, Blow, Gone
from engine.duel52.moves import PLAYS, Move
from engine.duel52.observation import BlowView, Discard, Observation, Pending, Unit
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
"""The flips of a row, its cards that attack unless they are spent, the pairs that it may make, and whether a
pair or a 10 is among those that attack."""


def _board(variant: Variant, *, vampiric: bool) -> Board:
    """What follows from the variant alone, from `flippers` to `sights`."""
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
    """What lies where, and whose turn it is.

    A *unit* is a card on the table, named by the number under which it was laid. `rows[side * lanes + lane]`
    are units in the order in which they came. `quiet` is -1 in a turn with a play, flip or kill.
    """

    variant: Public[Variant]
    vampiric: Public[bool]
    hands: Owned[list[list[int]]]
    pile: Hidden[tuple[int, ...]]
    """The draw pile, its top first."""
    aside: Hidden[tuple[int, ...]]
    """The cards that are not used."""
    drawn: Owned[int]
    """The card that a 2 has just drawn, while its discard is asked for; -1 where there is none, or where the
    notation did not name it."""
    card: Owned[list[int]]
    """By unit: what it is."""
    flags: Public[list[int]]
    """By unit: the bits of `marks`."""
    damage: Public[list[int]]
    mate: Public[list[int]]
    """By unit: the other one of its pair, -1 without."""
    known: Public[list[int]]
    """By unit: the seats that know it face-down, one bit each. Public, since everybody sees who laid it and
    who looked; 0 once it lies face-up."""
    rows: Public[list[list[int]]]
    gone: Owned[list[Gone]]
    first: Public[int]
    turn: Public[int]
    turns: Public[int]
    actions: Public[int]
    quiet: Public[int]
    asks: Public[list[Pending]]
    """The stack of choices that powers wait for."""
    bet: Public[int]
    outs: Public[list[tuple[Seat, ...]]]
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
    """By seat: its first row."""
    lines: Derived[tuple[tuple[int, ...], ...]]
    """By seat: its rows."""
    columns: Derived[tuple[tuple[int, ...], ...]]
    """By lane: its rows."""
    sights: Derived[tuple[int, ...]]
    """By seat: the seats that see what it sees, one bit each: in solo one person holds both."""
    place: Derived[list[int]]
    """By unit: its row, -1 when it is gone."""
    faces: Derived[list[int]]
    """By row: how many face-up cards of each rank lie there, an octal digit each (`marks.FACES`)."""
    bases: Derived[int]
    """0 once none are locked, 1 while the locked base of each row is its first card, as dealt; 2 where they
    lie otherwise, as they may in a position that was written down."""
    marked: Derived[set[int]]
    """The units with marks that fade."""
    able: Derived[list[Able | None]]
    """By row: what its cards can do whatever others have, as far as it was looked for since they changed."""
    menu: Derived[Sequence[Move] | None]
    """The legal actions, when the rules had to look for them."""
    menus: Derived[list[Sequence[Move] | None]]
    """By row: what its cards may do, as far as it was looked for since something happened in its lane."""

    # written by scripts/positions.py from the fields above
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
        """A copy that shares nothing that changes."""
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
        """Nothing yet: no events, and 0, none or nobody in every field that has such a value."""
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
        self.glimpse = 0
        self.pointer = 0
        self.last = None
        self.reason = ""
        self.ranks = ()

    def fingerprint(self) -> bytes:
        """All but what is derived, as bytes: equal exactly where the positions are. Holds secrets."""
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
        rows: tuple[tuple[Unit, ...], ...],
        gone: tuple[Discard, ...],
        drawn: int,
        last: BlowView | None,
    ) -> Observation:
        """An observation: what everybody sees as it is, and what is given here."""
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
        )

    def restore(self, seen: Observation) -> None:
        """Take what everybody sees from an observation."""
        self.vampiric = seen.vampiric
        self.first = seen.first
        self.turn = seen.turn
        self.turns = seen.turns
        self.actions = seen.actions
        self.quiet = seen.quiet
        self.asks = list(seen.asks)
        self.bet = seen.bet
        self.outs = list(seen.outs)
        self.glimpse = seen.glimpse
        self.pointer = seen.pointer
        self.reason = seen.reason
        self.ranks = seen.ranks

    # as far as here

    def __init__(self, variant: Variant, *, vampiric: bool) -> None:
        self.empty()
        self.variant = variant
        self.vampiric = vampiric or variant.key == "solo"
        self.hands = [[] for _ in range(variant.seats)]
        self.rows = [[] for _ in range(variant.sides * variant.lanes)]
        self.drawn = self.bet = self.glimpse = self.pointer = -1
        self.derive()

    def derive(self) -> None:
        """Find again what follows from the other fields."""
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
        """The lane in which a unit lies."""
        return self.place[unit] % self.lanes

    def side(self, unit: int) -> int:
        """The side to which a unit belongs."""
        return self.place[unit] // self.lanes

    def knowers(self, seat: Seat) -> int:
        """The seats that see what `seat` sees, one bit each."""
        return self.sights[seat]

    def lay(self, card: int, at: int, flags: int, known: int) -> int:
        """Put a new unit face-down into a row; its number."""
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
        """Note an event, if anybody listens; `secret` is a card and the seats that know it."""
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
        """A card and those whom an event may remind of it; in teams everybody must remember alone."""
        return (card, 0 if self.variant.key == "teams" else known)

    def owners(self, side: int) -> list[Seat]:
        """The seats that play a side."""
        return list(range(side, self.seats, self.sides))

    def is_out(self, seat: Seat) -> bool:
        """Whether this seat has lost its last card (triangles)."""
        return any(seat in group for group in self.outs)
