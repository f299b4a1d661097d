"""Filling in the hidden draws of a round so that every card played had been drawn before.

A hidden draw is a *token*. The contents of each stock are known (the deck first, later the shuffled discard
pile), and so are the tokens each seat drew from it; their kinds are not. A seat can play a card only if it
has drawn one of that kind before or openly taken one.

Played cards are first assigned to tokens at random, in order. If that fails because a later card finds no
token, swaps of two tokens' kinds within one stock repair the assignment and keep all totals. Every fitting
sample can come out, though not with exactly equal probability.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from engine.chemistry.deck import draw_cards
from engine.chemistry.observation import (
    DRAW,
    GAIN,
    HAND,
    HIDDEN,
    LAY,
    SHUFFLE,
    TAKE,
    Observation,
    parts,
)

_NOBODY = -1
"""The seat number of cards still in the stock."""
_STEPS, _STARTS = 3000, 60
"""Repair steps before a restart, and restarts before giving up."""
_TRIED = 10
"""Number of swaps compared per step."""
_NOISE = 0.08
"""Probability of accepting a step that makes things worse, to escape dead ends."""


class NoWorld(ValueError):
    """No sample that fits the observation was found."""


class FillingStory:
    """The history of a round as a viewer can read it.

    Tokens are numbered; `seat`, `epoch` (number of the stock), `place` in it and `time` (of the draw, -1 at
    the deal) are lists by token. `pools` are the hidden kinds of each stock. `known` and `laid` hold, by seat
    and kind, the times of cards taken openly and of cards played.
    """

    __slots__ = ("epoch", "known", "laid", "place", "pools", "seat", "time")

    def __init__(self) -> None:
        self.seat: list[int] = []
        self.epoch: list[int] = []
        self.place: list[int] = []
        self.time: list[int] = []
        self.pools: list[Counter[int]] = []
        self.known: dict[tuple[int, int], list[int]] = {}
        self.laid: dict[tuple[int, int], list[int]] = {}

    def add(self, seat: int, epoch: int, place: int, time: int) -> None:
        """Add a hidden draw."""
        self.seat.append(seat)
        self.epoch.append(epoch)
        self.place.append(place)
        self.time.append(time)


def read(seen: Observation) -> FillingStory:
    """Return the story of an observation."""
    story = FillingStory()
    deck = Counter(draw_cards(seen.decks, basic=seen.canasta))
    opening = seen.seats * HAND
    pile = [seen.orders[0][opening]]
    epoch, at = 0, opening + 1

    def begin(cards: Counter[int]) -> None:
        visible = Counter(card for card in seen.orders[len(story.pools)] if card != HIDDEN)
        story.pools.append(cards - visible)

    def drawn(seat: int, epoch: int, place: int, time: int) -> None:
        if seen.orders[epoch][place] == HIDDEN:
            story.add(seat, epoch, place, time)

    begin(deck)
    for seat in range(seen.seats):
        for place in range(seat * HAND, (seat + 1) * HAND):
            drawn(seat, 0, place, -1)
    for time, one in enumerate(seen.log):
        op, seat, card = parts(one)
        if op == DRAW:
            drawn(seat, epoch, at, time)
            at += 1
        elif op == SHUFFLE:
            top = pile.pop()
            begin(Counter(pile))
            pile = [top]
            epoch, at = epoch + 1, 0
        elif op in (TAKE, GAIN):
            if op == TAKE:
                pile.pop()
            story.known.setdefault((seat, card), []).append(time)
        else:
            story.laid.setdefault((seat, card), []).append(time)
            if op == LAY:
                pile.append(card)
    for place in range(at, len(seen.orders[epoch])):
        drawn(_NOBODY, epoch, place, len(seen.log))
    if seen.over and seen.last is not None:
        # the hands have been revealed
        for seat, hand in enumerate(seen.last.hands):
            for card in hand:
                story.laid.setdefault((seat, card), []).append(len(seen.log))
    if seen.viewer is not None:  # the viewer's own cards are known and need no explanation
        for key in [key for key in story.laid if key[0] == seen.viewer]:
            del story.laid[key]
    return story


def fill(seen: Observation, story: FillingStory, rng: random.Random) -> list[list[int]]:
    """Return each stock of the round with a kind in every place. `story` must be that of `seen`.

    Raises:
        NoWorld: the search found no fitting sample.
    """
    kinds = solve(story, rng)
    orders = [list(order) for order in seen.orders]
    for token, kind in enumerate(kinds):
        orders[story.epoch[token]][story.place[token]] = kind
    return orders


def solve(story: FillingStory, rng: random.Random) -> list[int]:
    """Return a kind for each token such that every played card is explained.

    Raises:
        NoWorld: the search found no fitting sample.
    """
    for _ in range(_STARTS):
        attempt = _Attempt(story, rng)
        if attempt.repair():
            return attempt.kind
    raise NoWorld("no world fits this observation")


class _Attempt:
    """One attempt: `kind` by token; `wrong` counts the unexplained played cards by seat and kind."""

    __slots__ = ("kind", "members", "own", "rng", "story", "times", "wrong")

    def __init__(self, story: FillingStory, rng: random.Random) -> None:
        self.story = story
        self.rng = rng
        self.own: dict[int, list[int]] = {}
        for token, seat in enumerate(story.seat):
            self.own.setdefault(seat, []).append(token)
        self.kind = self._deal()
        self.members: dict[tuple[int, int], list[int]] = {}
        """Tokens by stock and kind."""
        self.times: dict[tuple[int, int], list[int]] = {}
        """Times of draws from a stock, by seat and kind."""
        for token, kind in enumerate(self.kind):
            self.members.setdefault((story.epoch[token], kind), []).append(token)
            self.times.setdefault((story.seat[token], kind), []).append(story.time[token])
        self.wrong: dict[tuple[int, int], int] = {}
        for key in story.laid:
            self._judge(key)

    def _deal(self) -> list[int]:
        """Assign the played cards to tokens in order, then everything else at random."""
        story, rng = self.story, self.rng
        pools = [Counter(pool) for pool in story.pools]
        totals = [pool.total() for pool in pools]
        kind = [HIDDEN] * len(story.seat)
        open_ = {key: list(times) for key, times in story.known.items()}
        for time, seat, card in self._laid():
            taken = open_.get((seat, card))
            if taken and taken[0] < time:
                taken.pop(0)
                continue
            free: dict[int, list[int]] = {}
            for token in self.own.get(seat, ()):
                if kind[token] == HIDDEN and story.time[token] < time:
                    free.setdefault(story.epoch[token], []).append(token)
            weights = [len(free[epoch]) * pools[epoch][card] / totals[epoch] for epoch in free]
            if any(weights):
                epoch = rng.choices(list(free), weights)[0]
                kind[rng.choice(free[epoch])] = card
                pools[epoch][card] -= 1
                totals[epoch] -= 1
        rests = [sorted(pool.elements()) for pool in pools]
        for rest in rests:
            rng.shuffle(rest)
        return [rests[story.epoch[token]].pop() if k == HIDDEN else k for token, k in enumerate(kind)]

    def _laid(self) -> Iterator[tuple[int, int, int]]:
        """Yield the played cards in order of time as (time, seat, kind)."""
        yield from sorted((t, seat, card) for (seat, card), times in self.story.laid.items() for t in times)

    def _missing(self, key: tuple[int, int]) -> list[int]:
        """Return the times at which this seat played a card of this kind without having one."""
        had = sorted([*self.times.get(key, ()), *self.story.known.get(key, ())])
        found, used = [], 0
        for time in self.story.laid.get(key, ()):
            if used < len(had) and had[used] < time:
                used += 1
            else:
                found.append(time)
        return found

    def _judge(self, key: tuple[int, int]) -> None:
        count = len(self._missing(key))
        if count:
            self.wrong[key] = count
        else:
            self.wrong.pop(key, None)

    def repair(self) -> bool:
        """Swap kinds until nothing is wrong. Return whether that succeeded."""
        rng = self.rng
        for _ in range(_STEPS):
            if not self.wrong:
                return True
            key = rng.choice(sorted(self.wrong))
            swaps = list(self._swaps(key, self._missing(key)[0]))
            if not swaps:
                return False
            best = min(swaps, key=lambda swap: (self._change(*swap), rng.random()))
            if self._change(*best) <= 0 or rng.random() < _NOISE:
                self._swap(*best)
        return not self.wrong

    def _swaps(self, key: tuple[int, int], time: int) -> Iterator[tuple[int, int]]:
        """Yield some swaps that give this seat a card of this kind before this time."""
        story, rng = self.story, self.rng
        seat, kind = key
        pairs = [
            (mine, other)
            for mine in self.own.get(seat, ())
            if story.time[mine] < time and self.kind[mine] != kind
            for other in self.members.get((story.epoch[mine], kind), ())
            if story.seat[other] != seat or story.time[other] > time
        ]
        yield from rng.sample(pairs, min(_TRIED, len(pairs)))

    def _change(self, one: int, other: int) -> int:
        """Return the change in the number of unexplained cards that a swap would cause."""
        keys = self._keys(one, other)
        before = sum(self.wrong.get(key, 0) for key in keys)
        self._exchange(one, other)
        after = sum(len(self._missing(key)) for key in keys)
        self._exchange(one, other)
        return after - before

    def _keys(self, one: int, other: int) -> set[tuple[int, int]]:
        seats = (self.story.seat[one], self.story.seat[other])
        return {(seat, kind) for seat in seats for kind in (self.kind[one], self.kind[other])}

    def _exchange(self, one: int, other: int) -> None:
        """Swap two kinds in the data that `_missing` reads."""
        story, kind = self.story, self.kind
        for token, old, new in ((one, kind[one], kind[other]), (other, kind[other], kind[one])):
            self.times[story.seat[token], old].remove(story.time[token])
            self.times.setdefault((story.seat[token], new), []).append(story.time[token])
        kind[one], kind[other] = kind[other], kind[one]

    def _swap(self, one: int, other: int) -> None:
        keys = self._keys(one, other)
        epoch = self.story.epoch[one]
        for token, old, new in (
            (one, self.kind[one], self.kind[other]),
            (other, self.kind[other], self.kind[one]),
        ):
            self.members[epoch, old].remove(token)
            self.members[epoch, new].append(token)
        self._exchange(one, other)
        for key in keys:
            self._judge(key)
