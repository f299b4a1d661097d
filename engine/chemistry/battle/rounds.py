"""What the opponents and the presenter of Chemistry Battle may use: moves, observations, phase 2.

Source: docs/rules/chemistry.md, section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import NamedTuple

import msgspec

from engine.chemistry.deck import BASIC

CAP = 200
"""After so many rounds in all the cards are counted."""
HOUSE = 1
"""The hand that plays against a single seat."""
HIDDEN = 0
DEALS = {1: 27, 2: 27, 3: 18, 4: 13, 5: 10, 6: 9}
"""By seats: how many cards each hand gets; the rest is the kitty."""


class Move(NamedTuple):
    """Play a card of choice, or in a blind game turn over the top card (no number is named then)."""

    verb: str
    card: int = 0


PLAYS = tuple(Move("play", card) for card in range(len(BASIC) + 1))
FLIP = Move("flip")


class RoundView(msgspec.Struct, frozen=True, array_like=True):
    """A finished round: who led, the cards in play order, which hand won."""

    leader: int
    cards: tuple[int, ...]
    winner: int


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """All that a viewer knows. Piles are known but for the kitty, since their cards were played openly.

    In a blind game `hand` is the top card alone, which its holder may look at.
    `piles` and `hand` hold atomic numbers, HIDDEN for a card that the viewer cannot know; `sizes` are
    the cards in each hand, `plays` those of the running round; `turn` is -1 when the game is over;
    `finale` are the rounds of phase 2, once they have run.
    """

    viewer: int | None
    seats: int
    blind: bool
    dealer: int
    leader: int
    turn: int
    round: int
    over: bool
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    plays: tuple[int, ...]
    kitty: int
    piles: tuple[tuple[int, ...], ...]
    before: tuple[tuple[int, ...], ...]
    last: RoundView | None
    finale: tuple[RoundView, ...]

    @property
    def hands(self) -> int:
        """How many hands play: the seats, and the house in a solo game."""
        return len(self.sizes)


ORDERS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple((leader - step) % hands for step in range(hands)) for leader in range(hands))
    for hands in range(7)
)
"""By number of hands and leader: the order of play, always to the right."""

IN_ORDER: tuple[tuple[Callable[[Sequence[int]], tuple[int, ...]], ...], ...] = tuple(
    tuple(itemgetter(*order) for order in orders) for orders in ORDERS
)
"""By number of hands and leader: the cards of a round, given by hand, in the order of play."""


def run_off(
    piles: Sequence[Sequence[int]], leader: int, rounds: int, record: list[RoundView] | None = None
) -> tuple[list[list[int]], int]:
    """Play the piles from the top until one is empty or the cap is reached: the piles, the rounds in all."""
    queues = [list(pile) for pile in piles]
    if record is None and len(queues) == 2:
        one, two = queues
        return _run_off_two(one, two, leader, rounds)
    in_order = IN_ORDER[len(queues)]
    played = 0
    # everybody lays one card a round, so the piles are read in step while they grow
    for played, *cards in zip(range(1, CAP - rounds + 1), *queues):  # noqa: B905 - one of them ends first
        winner = cards.index(max(cards))
        laid = in_order[leader](cards)
        queues[winner] += laid
        if record is not None:
            record.append(RoundView(leader, laid, winner))
        leader = winner
    return [queue[played:] for queue in queues], rounds + played


def _run_off_two(one: list[int], two: list[int], leader: int, rounds: int) -> tuple[list[list[int]], int]:
    """The same for two hands: most battles are between two, and theirs are the longest."""
    played = 0
    for played, a, b in zip(range(1, CAP - rounds + 1), one, two):  # noqa: B905 - one of them ends first
        if a > b:
            one += (b, a) if leader else (a, b)
            leader = 0
        else:
            two += (b, a) if leader else (a, b)
            leader = 1
    return [one[played:], two[played:]], rounds + played
