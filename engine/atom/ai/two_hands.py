"""The end between two hands: whoever is left with one opponent knows every card, and plays it exactly.

All cards that somebody else ever held have been laid by then, so one world alone fits what was seen. What a
game still brings is a sum of points that one side gains and the other loses, so the best of it for both is
found by alpha-beta; whoever ends with more points never does worse in the match.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.atom.ai.search import OneGame
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.position import PLAYING
from engine.atom.sample import sampler
from engine.atom.state import AtomState

POSITIONS: Final = 2_000
"""So many positions are looked at, about 30 ms of CPU: enough for most endings of 16 cards."""
CARDS: Final = 18
"""With more cards in both hands together it is not tried."""
ALL: Final = 1_000
"""More points than there are."""


class TooLong(Exception):
    """More positions than were allowed."""


def exact(seen: Observation, actions: Sequence[Move], positions: int = POSITIONS) -> Move | None:
    """The action that brings the most points against best play, of equals the one named first; None where
    somebody else still holds cards, or there are too many of them."""
    left = [many for many in seen.left if many]
    if seen.phase != "play" or len(left) > 2 or sum(left) > CARDS:
        return None
    world = sampler(seen, OneGame)(random.Random(0))
    try:
        return _Search(world, world.turn, positions).best(world, actions)
    except TooLong:
        return None


def worth(world: AtomState, move: Move, positions: int = POSITIONS) -> int:
    """By how many points the side of the seat in turn is ahead in the end if it makes this move.

    Raises:
        TooLong: that takes more positions.
    """
    after = world.clone()
    after.push(world.turn, move)
    return _Search(world, world.turn, positions).value(after, -ALL, ALL)


class _Search:
    """One ending, in the points by which the side of `seat` is ahead in the end."""

    def __init__(self, world: AtomState, seat: int, positions: int) -> None:
        self.side = world.teams[seat]
        self.room = positions
        self.known: dict[object, tuple[int, int]] = {}

    def best(self, world: AtomState, actions: Sequence[Move]) -> Move:
        """The best of these actions."""
        most, found = -ALL, actions[0]
        for action in actions:
            after = world.clone()
            after.push(world.turn, action)
            points = self.value(after, most, ALL)
            if points > most:
                most, found = points, action
        return found

    def value(self, world: AtomState, low: int, high: int) -> int:
        """What a position brings; a bound of it where it lies beyond `low` or `high`."""
        if world.phase != PLAYING:
            totals = world.results[-1].totals
            return totals[self.side] - totals[1 - self.side]
        key = _key(world)
        least, most = self.known.get(key, (-ALL, ALL))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        low, high = max(low, least), min(high, most)
        self.room -= 1
        if self.room < 0:
            raise TooLong
        seat, under, over = world.turn, low, high
        mine = world.teams[seat] == self.side
        best = -ALL if mine else ALL
        # much at once first: it ends most endings soonest
        for move in sorted(world.legal_actions(seat), key=lambda move: -len(move.cards)):
            after = world.clone()
            after.push(seat, move)
            points = self.value(after, low, high)
            if mine:
                best = max(best, points)
                low = max(low, best)
            else:
                best = min(best, points)
                high = min(high, best)
            if low >= high:
                break
        self.known[key] = (least if best <= under else best, most if best >= over else best)
        return best


def _key(world: AtomState) -> object:
    """All that the rest of a game depends on."""
    hands = tuple([tuple(hand) for hand, many in zip(world.hands, world.left, strict=True) if many])
    return hands, world.best, world.best_seat, world.pot, world.passes, world.turn, tuple(world.captured)
