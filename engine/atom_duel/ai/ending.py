"""The chance to win the game from the points: the rounds to come played out, the rules of a tie kept.

At level 1 every fourth game ends with equal points, and then the last round decides (decision 33): to go into
it one point behind is as good as one point ahead.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from engine.atom_duel.ai.rollout import announced, prices, round_of
from engine.atom_duel.ai.worth import lay
from engine.atom_duel.cards import CARDS, TABLES
from engine.game import Seat

_ROUNDS: Final = 150
"""How many rounds are played out, each then taken with the seats in turn."""
_FUTURES: Final = 240
"""How many ways in which the rounds to come may end."""

Hands: TypeAlias = tuple[int, ...]
"""By seat: hands won."""


@lru_cache(maxsize=1 << 14)
def share(points: Hands, now: Hands, seat: Seat, *, level: int, size: int, left: int) -> float:
    """The chance to win the game after a round: points in all and in this round, rounds of `size` to come."""
    futures = _futures(level, len(points), size, left)
    if not futures:
        return _credit(seat, points, (0,) * len(points), now)
    return sum(_credit(seat, points, total, last) for total, last in futures) / len(futures)


def _credit(viewer: int, points: Sequence[int], total: Hands, last: Hands) -> float:
    """What the viewer has of the win, where the best card that won is not known."""
    own, ties = (points[viewer] + total[viewer], last[viewer]), 1
    for seat, hands in enumerate(total):
        if seat != viewer:
            other = (points[seat] + hands, last[seat])
            if other > own:
                return 0.0
            ties += other == own
    return 1 / ties


@lru_cache(maxsize=64)
def _futures(level: int, seats: int, size: int, left: int) -> tuple[tuple[Hands, Hands], ...]:
    """How the rounds that are left may end: the hands won in all of them, and in the last one."""
    if not left:
        return ()
    rng, rounds, found = random.Random(left), _rounds(level, seats, size), []
    for _ in range(_FUTURES // seats):
        drawn = rng.choices(rounds, k=left)
        total = [sum(each) for each in zip(*drawn, strict=True)]
        # no seat is better than another: each of them has each place once
        found += [
            (
                tuple(total[seat - turn] for seat in range(seats)),
                tuple(drawn[-1][s - turn] for s in range(seats)),
            )
            for turn in range(seats)
        ]
    return tuple(found)


@lru_cache(maxsize=64)
def _rounds(level: int, seats: int, size: int) -> tuple[Hands, ...]:
    """The hands that each seat wins in rounds of random cards, always the same."""
    rng, table = random.Random(1), TABLES[level]
    price, powers = prices(level, seats), announced(level, seats)
    found: list[Hands] = []
    for number in range(_ROUNDS):
        cards = rng.sample(CARDS, seats * size)
        rows = [
            [
                lay(table, seat, card, powers[card], first_hand=False)
                for card in sorted(cards[seat * size : (seat + 1) * size], key=price.__getitem__)
            ]
            for seat in range(seats)
        ]
        hands = round_of(rows, number % seats, level, rng)
        found += [tuple(hands[seat - turn] for seat in range(seats)) for turn in range(seats)]
    return tuple(found)
