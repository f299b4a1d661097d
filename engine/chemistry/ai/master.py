"""The Master opponent of Compound Capture: it scores every way to end its turn with learned weights.

Each possible play is carried through to the end of the turn. Its score is the points it brings plus the value
of the rest of the round (`value`), averaged over sampled opponent hands that fit the observation. For its
second card it compares the best play with the top of the discard pile in hand against the average over all
cards the stock may give. The weights were trained on the usual two-player game and also work with a single
deck; in any other game Master plays like Sharp.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import mul
from typing import Final

from engine.chemistry.ai.heuristic import MoveScorer
from engine.chemistry.ai.rollout import lacks, sampler
from engine.chemistry.ai.search import sharp
from engine.chemistry.ai.value import COVERED, OWN, Value, learned
from engine.chemistry.collect import ROUNDS
from engine.chemistry.deck import KINDS, SIZES, WILD, compounds
from engine.chemistry.moves import DISCARDS, DRAWS, PILE, STOCK, Move, captures
from engine.chemistry.observation import FIRST, SECOND, Observation
from engine.chemistry.scoring import COMPOUND, cost_of

WORLDS: Final = 12
"""Number of sampled opponent hands."""
_LUCK: Final = 1e-6
"""Scale of the random tie-break."""
_FRESH: Final = 3.0
"""Factor applied to fractions of the covered compounds."""
_SMALL: Final = 2
"""Number of cards in a small compound."""
_CHANCE: Final = OWN.index("chance")

Row = tuple[int, ...]
Theirs = tuple[list[float], float, Sequence[float]]
"""Features of the opponent's hands, averaged over the samples; their mean chance of a capture; and for each
open compound the probability that they could capture it with the top of the pile."""


class Turn:
    """A seat's knowledge at its turn, used to rank its plays.

    `value` replaces the shipped weights; `others` replaces the sampled hands of the opponent.
    """

    def __init__(
        self,
        seen: Observation,
        rng: random.Random,
        value: Value | None = None,
        others: Sequence[bytearray] | None = None,
    ) -> None:
        self.seen, self.chance = seen, rng.random
        self.scorer = MoveScorer(seen)
        self.weights = (value or learned()).after
        self.others = others or _others(seen, rng)
        self.their_cost = sum(map(cost_of, self.others)) / len(self.others)
        self.covered = sorted(set(compounds(seen.decks)).difference(seen.turned))
        self._own: dict[tuple[bytes, Row], list[float]] = {}
        self._theirs: dict[tuple[Row, int], Theirs] = {}
        self._fresh: dict[bytes, list[float]] = {}
        self._chances: dict[tuple[bytes, Row], float] = {}

    def play(self, actions: Sequence[Move]) -> Move:
        """Return the best of these captures and discards."""
        return self.ranked(actions)[0]

    def ranked(self, actions: Sequence[Move]) -> list[Move]:
        """Return these captures and discards, best first."""
        hand = self.scorer.hand
        return sorted(actions, key=lambda move: -self.worth(hand, move) - _LUCK * self.chance())

    def takes(self) -> bool:
        """Return whether the top of the discard pile is a better second card than an unknown one."""
        scorer = self.scorer
        drawn = [(card, count) for card, count in enumerate(scorer.unseen) if count]
        stock = sum(count * self._best(_with(scorer.hand, card)) for card, count in drawn)
        return self._best(_with(scorer.hand, self.seen.discard[-1])) > stock / max(1, scorer.total)

    def worth(self, hand: bytearray, move: Move) -> float:
        """Return the expected lead over the opponent in the rest of the round, this play included."""
        left, row = hand.copy(), self.seen.row
        if move.verb == "discard":
            left[move.what] -= 1
            if self.seen.dry + 1 >= self.seen.seats:
                return self.their_cost - cost_of(left)
            return self._end(left, row, move.what, idle=True)
        for card in move.cards:
            left[card] -= 1
        row = tuple(compound for compound in row if compound != move.what)
        if not row and not self.seen.stack:
            return COMPOUND + self.their_cost - cost_of(left)
        return COMPOUND + self._end(left, row, move.cards[-1], idle=False)

    def _best(self, hand: bytearray) -> float:
        """Return the value of the best play from a hand."""
        return max(self.worth(hand, move) for move in self._plays(hand))

    def _plays(self, hand: bytearray) -> Iterator[Move]:
        yield from captures(self.seen.row, hand)
        yield from compress(DISCARDS, hand)

    def _end(self, hand: bytearray, row: Row, top: int, *, idle: bool) -> float:
        """Return the value of the rest of the round if the turn ends with this hand, row and top card."""
        weights = self.weights[idle]
        value: float = sum(map(mul, weights.cards, hand))
        value += sum(map(mul, weights.features, self.features(hand, row, top, idle=idle)))
        return value

    def features(self, hand: bytearray, row: Row, top: int, *, idle: bool) -> list[float]:
        """Return the features of a position at the end of a turn, in the order of `value.FEATURES`."""
        own = self._hand(hand, row)
        theirs, their_chance, likely = self._their(row, top)
        ready = one = 0.0
        for lacking, share in zip(lacks(row, hand), likely, strict=True):
            if lacking == 0:
                ready += share
            elif lacking == 1:
                one += share
        both = [own[_CHANCE] * their_chance, their_chance * own[0], their_chance * own[1]]
        both += [their_chance * theirs[0], ready, one]
        sizes = [SIZES[compound] for compound in row]
        table = [1.0, float(top == WILD), float(sizes.count(_SMALL)), sum(sizes) / 6]
        return [*own, *theirs, *both, *table, len(self.covered) / COVERED, float(not idle)]

    def _hand(self, hand: bytearray, row: Row) -> list[float]:
        """Return the features of the seat's own hand."""
        key = (bytes(hand), row)
        found = self._own.get(key)
        if found is None:
            short = lacks(row, hand)
            ready = short.count(0)
            found = [float(sum(hand)), float(hand[WILD]), float(ready > 0), max(0.0, ready - 1.0)]
            found += [float(short.count(1)), float(short.count(2))]
            found += [1.0 if ready else self._chance_of(hand, row), *self._fresh_of(hand)]
            found += [float(KINDS - hand.count(0) - (hand[WILD] > 0))]
            found += [float(ready > 1 and _again(hand, row, short))]
            self._own[key] = found
        return found

    def _their(self, row: Row, top: int) -> Theirs:
        """Return the features of the opponent's hands, averaged over the samples."""
        found = self._theirs.get((row, top))
        if found is None:
            rows, chances, likely = list[list[float]](), 0.0, [0.0] * len(row)
            for hand in self.others:
                short, more = lacks(row, hand), lacks(row, _with(hand, top))
                ready = more.count(0)
                chance = 1.0 if ready or 0 in short else self._chance_of(hand, row)
                chances += chance
                likely = [so_far + (not lacking) for so_far, lacking in zip(likely, more, strict=True)]
                features = [float(sum(hand)), float(hand[WILD]), float(0 in short), float(ready > 0)]
                features += [max(0.0, ready - 1.0), float(short.count(1)), float(short.count(2)), chance]
                features += [*self._fresh_of(hand), float(KINDS - hand.count(0) - (hand[WILD] > 0))]
                rows.append(features)
            many = len(rows)
            mean = [sum(column) / many for column in zip(*rows, strict=True)]
            found = mean, chances / many, [one / many for one in likely]
            self._theirs[row, top] = found
        return found

    def _chance_of(self, hand: bytearray, row: Row) -> float:
        """Return the probability that two unseen cards make a capture possible."""
        key = (bytes(hand), row)
        found = self._chances.get(key)
        if found is None:
            found = self._chances[key] = self.scorer.chance(hand, row)
        return found

    def _fresh_of(self, hand: bytearray) -> list[float]:
        """Return the scaled fractions of covered compounds for which the hand lacks 0, 1 or 2 cards."""
        key = bytes(hand)
        found = self._fresh.get(key)
        if found is None:
            short, many = lacks(self.covered, hand), max(1, len(self.covered))
            found = self._fresh[key] = [_FRESH * short.count(lacking) / many for lacking in range(3)]
        return found


def _others(seen: Observation, rng: random.Random) -> Sequence[bytearray]:
    """Return sampled hands of the opponent in a two-player game."""
    draw = sampler(seen)
    return [draw(rng).hands[1 - (seen.viewer or 0)] for _ in range(WORLDS)]


def _with(hand: bytearray, card: int) -> bytearray:
    more = hand.copy()
    more[card] += 1
    return more


def _again(hand: bytearray, row: Row, short: Sequence[int]) -> bool:
    """Return whether another compound could still be captured after the smallest one."""
    ready = [compound for compound, lacking in zip(row, short, strict=True) if not lacking]
    smallest = min(ready, key=SIZES.__getitem__)
    left = hand.copy()
    for card in captures((smallest,), hand)[0].cards:
        left[card] -= 1
    ready.remove(smallest)
    return 0 in lacks(ready, left)


def is_learned(seen: Observation) -> bool:
    """Return whether the weights were trained on this game."""
    return seen.seats == 2 and not seen.canasta and seen.rounds == ROUNDS


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """Return the most promising move."""
    if len(actions) == 1:
        return actions[0]
    if not is_learned(seen):
        move: Move = sharp(seen, actions, rng)
        return move
    if seen.phase == FIRST:
        # seeing the first card helps to choose the second
        return DRAWS[STOCK]
    turn = Turn(seen, rng)
    if seen.phase == SECOND:
        return DRAWS[PILE if turn.takes() else STOCK]
    return turn.play(actions)
