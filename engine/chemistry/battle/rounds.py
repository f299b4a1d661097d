"""Moves, observations and phase 2 of Chemistry Battle, for opponents and the presenter.

Source: docs/rules/chemistry.md, section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

import msgspec

from engine.chemistry.deck import BASIC

CAP = 20_000
"""Maximum number of rounds in a battle: the cards are counted then even if every player still has some."""
HOUSE = 1
"""The hand that plays against a solo player."""
HIDDEN = 0
DEALS = {1: 27, 2: 27, 3: 18, 4: 13, 5: 10, 6: 9}
"""Cards dealt to each hand, by number of seats. The rest is the kitty."""


class Move(NamedTuple):
    """Play a chosen card, or in a blind game turn over the top card (without naming a number)."""

    verb: str
    card: int = 0


PLAYS = tuple(Move("play", card) for card in range(len(BASIC) + 1))
FLIP = Move("flip")


class RoundView(msgspec.Struct, frozen=True, array_like=True):
    """A finished round: leader, cards in play order, winning hand."""

    leader: int
    cards: tuple[int, ...]
    winner: int


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a viewer knows. Piles are known except for the kitty, since their cards were played openly.

    In a blind game `hand` is only the top card, which its holder may look at. `piles` and `hand` hold atomic
    numbers, HIDDEN for a card the viewer cannot know. `sizes` are the hand sizes, and `plays` the cards of
    the running round. `turn` is -1 when the game is over. `cap` is the maximum number of rounds. Once phase 2
    has run, its rounds follow from `before`: see `rounds_of`.
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
    cap: int = CAP

    @property
    def hands(self) -> int:
        """The number of hands: the seats, plus the house in a solo game."""
        return len(self.sizes)

    @property
    def finale(self) -> int:
        """The number of rounds played automatically from the piles."""
        return self.round - DEALS[self.seats] if self.over and all(self.before) else 0


ORDERS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple((leader - step) % hands for step in range(hands)) for leader in range(hands))
    for hands in range(7)
)
"""Order of play by number of hands and leader, always to the right."""

IN_ORDER: tuple[tuple[Callable[[Sequence[int]], tuple[int, ...]], ...], ...] = tuple(
    tuple(itemgetter(*order) for order in orders) for orders in ORDERS
)
"""Getters that put the cards of a round, given by hand, into order of play; by number of hands and leader."""


def run_off(
    piles: Sequence[Sequence[int]], leader: int, rounds: int, cap: int = CAP
) -> tuple[list[list[int]], int]:
    """Play the piles from the top until one is empty or `cap` rounds have been played in all.

    Returns:
        The final piles, and the total number of rounds, including the `rounds` before these.
    """
    queues = [list(pile) for pile in piles]
    if len(queues) == 2:
        one, two = queues
        return _run_off_two(one, two, leader, rounds, cap)
    in_order = IN_ORDER[len(queues)]
    played = 0
    # every hand plays one card per round, so the piles can be iterated in step while they grow
    for played, *cards in zip(range(1, cap - rounds + 1), *queues):  # noqa: B905 - one of them ends first
        winner = cards.index(max(cards))
        queues[winner] += in_order[leader](cards)
        leader = winner
    return [queue[played:] for queue in queues], rounds + played


def _run_off_two(
    one: list[int], two: list[int], leader: int, rounds: int, cap: int
) -> tuple[list[list[int]], int]:
    """Run off two piles. Most battles are between two hands, and theirs are the longest."""
    played = 0
    for played, a, b in zip(range(1, cap - rounds + 1), one, two):  # noqa: B905 - one of them ends first
        if a > b:
            one += (b, a) if leader else (a, b)
            leader = 0
        else:
            two += (b, a) if leader else (a, b)
            leader = 1
    return [one[played:], two[played:]], rounds + played


def rounds_of(
    piles: Sequence[Sequence[int]], leader: int, count: int
) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Replay the first `count` rounds of these piles, or fewer if a pile runs out.

    Yield leader, cards in order of play, and winner. A battle can have thousands of rounds, so avoid storing
    them all.
    """
    queues = [list(pile) for pile in piles]
    in_order = IN_ORDER[len(queues)]
    for cards in islice(zip(*queues), count):  # noqa: B905 - one of them ends first
        winner = cards.index(max(cards))
        laid = in_order[leader](cards)
        queues[winner] += laid
        yield leader, laid, winner
        leader = winner
