"""Questions about an observation that several parts of the presenter ask."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.chemistry.battle.rounds import Observation, RoundView, rounds_of

POINTS: Final = 40
"""The most rounds that a curve is drawn through."""


class Round(NamedTuple):
    """A round that the piles played by themselves: its number from 1, and each hand's cards after it."""

    number: int
    view: RoundView
    sizes: tuple[int, ...]


class Fight(NamedTuple):
    """The piles' own battle in brief. It can have thousands of rounds, so only some are kept."""

    rounds: int
    before: tuple[int, ...]
    """The number of cards of each hand at the start."""
    shown: tuple[Round, ...]
    wins: tuple[Mapping[int, int], ...]
    """By hand: how many rounds each card won for it."""


def in_view(seen: Observation) -> tuple[str, ...]:
    """The cards of the round on the table, or of the last one, then those that are held."""
    played = seen.plays or (seen.last.cards if seen.last else ())
    return tuple(dict.fromkeys(f"z{card}" for card in (*played, *sorted(seen.hand, reverse=True)) if card))


def fight(seen: Observation, most: int = POINTS, changes: int = 0) -> Fight:
    """Replay the piles' own battle and keep at most `most` rounds of it.

    These are the first and the last round, the last `changes` rounds that changed who is ahead, and rounds
    spread evenly between them. A shorter battle is kept whole.
    """
    return _fight(seen.before, seen.leader, seen.finale, most, changes)


@lru_cache(maxsize=32)
def _fight(before: tuple[tuple[int, ...], ...], leader: int, rounds: int, most: int, changes: int) -> Fight:
    start, hands = tuple(map(len, before)), len(before)
    wins = tuple(defaultdict[int, int](int) for _ in before)
    turned = deque[int](maxlen=changes)
    # everyone lays a card a round, so who is ahead follows from what the winners take
    gained = list(start)
    most_gained = max(start)
    ahead = start.index(most_gained) if start.count(most_gained) == 1 else -1
    for number, (_, cards, winner) in enumerate(rounds_of(before, leader, rounds), 1):
        wins[winner][max(cards)] += 1
        gained[winner] += hands
        if gained[winner] >= most_gained:
            now = winner if gained[winner] > most_gained else -1
            most_gained = gained[winner]
            if now != ahead:
                turned.append(number)
                ahead = now
    kept = _kept(rounds, most, turned)
    shown, taken = [], [0] * hands
    for number, one in enumerate(rounds_of(before, leader, rounds), 1):
        taken[one[2]] += hands
        if number in kept:
            sizes = tuple(size - number + more for size, more in zip(start, taken, strict=True))
            shown.append(Round(number, RoundView(*one), sizes))
    return Fight(rounds, start, tuple(shown), wins)


def _kept(rounds: int, most: int, turned: Sequence[int]) -> set[int]:
    """Return the numbers of the rounds to keep."""
    if rounds <= most:
        return set(range(1, rounds + 1))
    kept = {1, rounds, *turned}
    rest = [number for number in range(1, rounds + 1) if number not in kept]
    free = most - len(kept)
    return kept | {rest[place * len(rest) // free] for place in range(free)}
