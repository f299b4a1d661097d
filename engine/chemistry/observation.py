"""What a seat may know of Compound Capture and Chemistry Canasta: plain data with perfect recall.

The public history of the running round is part of it: who drew when, what was taken, laid, claimed and
shuffled. Together with the own cards that is all there is to know, so every other field could be
computed from it; and a sampled world is that history with the hidden draws filled in.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

HIDDEN = -1
HAND = 7
"""How many cards are dealt to each seat."""

ROW = 6
"""How many compounds lie open while there are enough."""
SOLO_DRY = 3
"""A solo round ends after so many turns in a row without a capture."""

FIRST, SECOND, PLAY, CLOSE, AFTER, OVER = range(6)
"""Phases: first card, second card, capture or run or discard, discard after a run, after a capture
(Canasta: claims, or the last card away), game over."""

DRAW, TAKE, LAY, SHUFFLE, RUN, GAIN = range(6)
"""The entries of the history: a card from the stock; the top of the discard pile; a card put on that pile;
the pile turned into a new stock; a card put on the table; a wild card taken from a run."""


def entry(op: int, seat: int = 0, card: int = 0) -> int:
    """An entry of the history as a number."""
    return op | seat << 3 | card << 6


def parts(one: int) -> tuple[int, int, int]:
    """What happened, who did it, with which card."""
    return one & 7, one >> 3 & 7, one >> 6


RunView = tuple[int, tuple[int, int, int]]
"""A run on the table: its lowest number and its three cards, WILD where a wild lies."""


class Sheet(msgspec.Struct, frozen=True):
    """A round that is over, cards laid open: what was captured and laid, what was left, what it gave.

    `reason` is all_captured, stuck, out or exhausted; `seat` who went out or took the last card, else -1.
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
    """All that a viewer has lawfully seen.

    Cards are atomic numbers or WILD, ascending; compounds are places in the deck. `hand` is the viewer's
    own, `known` by seat what it certainly holds; `discard` is the whole pile, top last, since all of it
    was laid openly. `phase` is one of those above, `took` says whether this turn's first card came from
    the discard pile, `dry` counts the turns since the last capture. `turned` are the compounds turned
    up so far, in order. `log` and `orders` are the history of the round and each stock in its order,
    HIDDEN where the viewer saw nothing; they serve `sample`.
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
        """The seat that decides now, if any."""
        return () if self.over else (self.turn,)


def known_cards(log: Sequence[int], seats: int) -> list[list[int]]:
    """By seat: the cards that everybody knows to be in its hand, in the order in which they got there.

    A card laid is taken for the known one of its kind: equal cards cannot be told apart, so that is no loss.
    """
    known: list[list[int]] = [[] for _ in range(seats)]
    for one in log:
        op, seat, card = parts(one)
        if op in (TAKE, GAIN):
            known[seat].append(card)
        elif op in (LAY, RUN) and card in known[seat]:
            known[seat].remove(card)
    return known
