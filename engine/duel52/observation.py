"""What a seat, or a spectator, may know of a position: the struct that leaves the rules."""

from __future__ import annotations

import msgspec

from engine.duel52.cards import VARIANTS, Variant

HIDDEN = -1
"""A card that the viewer does not know."""


class Unit(msgspec.Struct, frozen=True):
    """A card on the table.

    `card` is what the viewer knows it to be; `shown` whether a presenter may still display it: face-up
    cards always, known backs in all variants but teams, where a 4 shows its back once. `attacks` is how
    often it may still attack in this turn, `mate` the other unit of its pair (-1), `knowers` the seats
    that know it face-down.
    """

    unit: int
    card: int
    up: bool
    shown: bool
    damage: int
    frozen: bool
    locked: bool
    attacks: int
    extra: bool
    mate: int
    knowers: int


class Discard(msgspec.Struct, frozen=True):
    """A card of the discard pile: as known, and how it came there (`marks`), and who knows it."""

    card: int
    way: int
    knowers: int


class Pending(msgspec.Struct, frozen=True):
    """A choice that is asked for: `look`, `move`, `order`, `discard`, `open` or `bet`, by which
    unit (-1 for none).

    `rest` are the units still to be ordered.
    """

    verb: str
    unit: int
    rest: tuple[int, ...] = ()


class HitView(msgspec.Struct, frozen=True):
    """A card in the last attack: as all may know it, the damage it took, what it healed, and its fate."""

    unit: int
    card: int
    damage: int
    healed: int
    fate: int


class BlowView(msgspec.Struct, frozen=True):
    """The last attack."""

    seat: int
    lane: int
    paired: bool
    attackers: tuple[HitView, ...]
    targets: tuple[HitView, ...]


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """All that a viewer has lawfully seen and can deduce from public acts.

    `rows[side * lanes + lane]` are units in the order in which they came. `hands[seat]` holds the cards
    that the viewer sees, `counts` how many there are. `pile` and `aside` are card counts, `laid` counts
    all units so far. `quiet` counts turns without a play, flip or kill (-1: this turn had one). `asks` is
    the stack of choices, the last on top. `glimpse` is the unit that the last decision pointed at: the
    card that was flipped, whose power was let work, or at which a 4 looked (-1: none of these), `pointer`
    the seat that did. `drawn` is the card that a 2 has just drawn, while its viewer chooses the discard
    (-1 otherwise). `outs` are the seats that went out, first to last; `ranks` and `reason` the end.
    """

    viewer: int | None
    variant: str
    vampiric: bool
    first: int
    turn: int
    turns: int
    actions: int
    quiet: int
    to_act: tuple[int, ...]
    pile: int
    aside: int
    laid: int
    counts: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[Unit, ...], ...]
    gone: tuple[Discard, ...]
    asks: tuple[Pending, ...]
    bet: int
    outs: tuple[tuple[int, ...], ...]
    glimpse: int
    pointer: int
    drawn: int
    last: BlowView | None
    reason: str
    ranks: tuple[int, ...]

    @property
    def setup(self) -> Variant:
        """How this variant is set up."""
        return VARIANTS[self.variant]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.ranks)

    @property
    def ask(self) -> Pending | None:
        """The choice that is asked for now."""
        return self.asks[-1] if self.asks else None

    def row(self, side: int, lane: int) -> tuple[Unit, ...]:
        """The cards of a side in a lane."""
        return self.rows[side * self.setup.lanes + lane]
