"""Observations of Compound Capture and Chemistry Canasta: plain data with perfect recall.

An observation includes the public history of the running round: each draw, take, discard, run, claim and
shuffle. Together with the viewer's own cards this is all there is to know, so every other field could be
computed from it. A sample is that history with the hidden draws filled in.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

HIDDEN = -1
HAND = 7
"""Number of cards dealt to each seat."""

ROW = 6
"""Number of compounds face up while enough are left."""
SOLO_DRY = 3
"""Turns in a row without a capture after which a solo round ends."""

FIRST, SECOND, PLAY, CLOSE, AFTER, OVER = range(6)
"""Phases: first draw; second draw; capture, run or discard; discard after a run; after a capture (Canasta:
claims, or discarding the last card); game over."""

DRAW, TAKE, LAY, SHUFFLE, RUN, GAIN = range(6)
"""Entries of the history: a draw from the stock; the top of the discard pile taken; a card put on that pile;
the pile shuffled into a new stock; a card put into a run; a wild card taken from a run."""


def entry(op: int, seat: int = 0, card: int = 0) -> int:
    """Encode an entry of the history as a number."""
    return op | seat << 3 | card << 6


def parts(one: int) -> tuple[int, int, int]:
    """Decode an entry into its kind, seat and card."""
    return one & 7, one >> 3 & 7, one >> 6


RunView = tuple[int, tuple[int, int, int]]
"""A run on the table: its lowest number and its three cards, WILD for a wild card."""


class Sheet(msgspec.Struct, frozen=True):
    """The score sheet of a finished round: captures, runs, cards left in hand, points and totals.

    `reason` is all_captured, stuck, out or exhausted. `seat` is the one that went out or took the last card,
    else -1.
    """

    round: int
    reason: str
    seat: int
    captured: tuple[tuple[int, ...], ...]
    runs: tuple[tuple[RunView, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a viewer has lawfully seen.

    Cards are atomic numbers or WILD, ascending; compounds are indices into the deck. `hand` is the viewer's
    own, `known` the cards each seat certainly holds. `discard` is the whole pile, top last, since all of it
    was played openly. `phase` is one of the constants above, `took` tells whether this turn's first card came
    from the discard pile, and `dry` counts the turns since the last capture. `turned` are the compounds
    turned up so far, in order. `log` and `orders` serve `sample`: the history of the round, and each stock in
    its order, HIDDEN for cards the viewer has not seen.
    """

    viewer: int | None
    canasta: bool
    decks: str
    rounds: int
    seats: int
    round: int
    dealer: int
    turn: int
    phase: int
    took: bool
    dry: int
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    stock: int
    discard: tuple[int, ...]
    row: tuple[int, ...]
    stack: int
    turned: tuple[int, ...]
    captured: tuple[tuple[int, ...], ...]
    runs: tuple[tuple[RunView, ...], ...]
    totals: tuple[int, ...]
    last: Sheet | None
    log: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]
    over: bool

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seat that must act now, if any."""
        return () if self.over else (self.turn,)


def known_cards(log: Sequence[int], seats: int) -> list[list[int]]:
    """Return by seat the cards publicly known to be in its hand, in the order in which it got them.

    A played card counts as the known one of its kind. Equal cards are interchangeable, so nothing is lost.
    """
    known: list[list[int]] = [[] for _ in range(seats)]
    for one in log:
        op, seat, card = parts(one)
        if op in (TAKE, GAIN):
            known[seat].append(card)
        elif op in (LAY, RUN) and card in known[seat]:
            known[seat].remove(card)
    return known
