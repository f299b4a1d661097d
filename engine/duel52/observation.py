"""Observations of Duel 52: what a seat or a spectator may know of a position."""

from __future__ import annotations

import msgspec

from engine.duel52.cards import VARIANTS, Variant

HIDDEN = -1
"""A card that the viewer does not know."""


class LaneUnit(msgspec.Struct, frozen=True):
    """A card on the table.

    `card` is its identity if the viewer knows it. `shown` tells whether a presenter may display it: face-up
    cards always; known backs in all variants except teams, where a 4 shows a back only once. `attacks` is the
    number of attacks it has left this turn, `mate` the other unit of its pair (-1 for none), and `knowers`
    the seats that know it face-down.
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
    """A card of the discard pile: its identity if known, how it got there (see `marks`), and who knows it."""

    card: int
    way: int
    knowers: int


class Pending(msgspec.Struct, frozen=True):
    """A pending choice: `look`, `move`, `order`, `discard`, `open` or `bet`, and the unit that asks (-1 for
    none).

    `rest` holds the units still to be ordered.
    """

    verb: str
    unit: int
    rest: tuple[int, ...] = ()


class HitView(msgspec.Struct, frozen=True):
    """A card in the last attack as publicly known: its damage, healing and fate."""

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
    """Everything a viewer has lawfully seen or can deduce from public acts.

    `rows[side * lanes + lane]` are units in order of arrival. `hands[seat]` holds the cards the viewer sees,
    `counts` the hand sizes. `pile` and `aside` are card counts; `laid` counts all units so far. `quiet`
    counts turns without a play, flip or kill (-1: this turn had one). `asks` is the stack of choices, the
    last on top.

    `glimpse` is the unit the last decision pointed at (-1 for none): the card that was flipped, that was next
    in order, or that a 4 looked at. `pointer` is the seat that pointed. `drawn` is the card a 2 has just
    drawn, while its viewer chooses the discard (-1 otherwise). `outs` are the seats that went out, first to
    last; `ranks` and `reason` describe the end. `held` is the side that last had each lane to itself (2 for
    none, -1 by rules 2); it is empty if empty lanes need no holder.
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
    rows: tuple[tuple[LaneUnit, ...], ...]
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
    held: tuple[int, ...] = ()

    @property
    def setup(self) -> Variant:
        """The variant's setup."""
        return VARIANTS[self.variant]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.ranks)

    @property
    def ask(self) -> Pending | None:
        """The choice to be made now, if any."""
        return self.asks[-1] if self.asks else None

    def row(self, side: int, lane: int) -> tuple[LaneUnit, ...]:
        """Return the cards of a side in a lane."""
        return self.rows[side * self.setup.lanes + lane]
