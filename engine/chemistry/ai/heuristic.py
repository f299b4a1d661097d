"""An opponent that looks one turn ahead: the gain of this play, and the chances of the next two cards.

For every hand a play can leave, two probabilities are exact over all pairs of unseen cards: that the pair
makes a capture possible, and that it makes a run possible. The rest is estimated: both cards are assumed to
come from the stock, the row and the unseen cards are assumed to stay as they are until then, and the combined
value of the two chances is a guess. The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from engine.ai.choosers import Best
from engine.chemistry.ai.run_odds import RunOdds, held_of, near
from engine.chemistry.deck import KINDS, NEEDS, WILD, draw_cards
from engine.chemistry.moves import PILE, RUN, STOCK, Move, lack
from engine.chemistry.observation import AFTER, CLOSE, FIRST, PLAY, SOLO_DRY, Observation
from engine.chemistry.scoring import COMPOUND, RUN_CARD

RUN_POINTS = RUN * RUN_CARD
_REACH = 2
"""Cards drawn per turn: a compound that lacks more cannot be captured next turn."""
_NEAR = (6.0, 3.0, 1.5, 0.5, 0.2, 0.0)
"""Bonus for lacking 0, 1, 2 ... cards of a compound, on top of the probability itself."""
_GIFT = 1.2
"""Value of a card on the discard pile to the next player, per open compound that uses it."""
_WINDOW = 6
"""Turns before the end of the stock at which cards left in hand begin to count."""
_MEAN_COST = 1.7
"""Average cost of a card left in another hand: one in six is a wild."""
_WIN = 500.0
"""Bonus for winning a single-round match; larger than any points."""


_AT_ONCE = 100.0
"""Bonus for an immediate capture or run when others play: waiting risks losing it, and each turn allows only
one. A solo player gets no bonus, because waiting for a play that costs fewer wild cards prolongs the game."""


def scores(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Return the score of each move in points.

    Against others, captures and runs score far above delaying moves.
    """
    scorer = MoveScorer(seen)
    return [scorer.score(move) for move in actions]


heuristic: Final = Best(scores)
"""The opponent that plays the best-scored move."""


class MoveScorer:
    """Move scoring for one position as one seat sees it."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.hand = _counted(seen.hand)
        self.row = seen.row
        self.size = len(seen.hand)
        self.unseen = _unseen(seen)
        self.total = sum(self.unseen)
        self.eager = _AT_ONCE if seen.seats > 1 else 0.0
        # the part of the round still to come; in Canasta the round ends with the stock
        turns = seen.stock / (2 * seen.seats) if seen.canasta else _WINDOW
        self.future = min(1.0, turns)
        self.burden = 0.25 + 0.75 * (1 - min(1.0, turns / _WINDOW))
        self._values: dict[tuple[bytes, tuple[int, ...]], float] = {}
        self._runs = RunOdds(self.unseen)

    def score(self, move: Move) -> float:
        """Return the points a move brings now plus the value of the remaining hand for the next turn."""
        verb, what, cards = move.verb, move.what, move.cards
        if verb == "draw":
            return self._draw(what)
        if verb == "end":
            return self.value(self.hand, self.row) + 0.01
        if verb == "claim":
            return self._claim(what)
        left = self.hand.copy()
        if verb == "discard":
            left[what] -= 1
            if self._ends_round():
                return self._standing(left)
            return self.value(left, self.row) - self._gift(what) + self._out(self.size - 1)
        for card in cards:
            left[card] -= 1
        if verb == "run":
            gain = RUN_POINTS + self.value(left, self.row) + self._out(self.size - RUN)
            return self.eager + gain - 2 * cards.count(WILD)
        row = tuple(compound for compound in self.row if compound != what)
        gain = COMPOUND + self.value(left, row) + self._out(self.size - len(cards))
        return self.eager + gain - self._gift(cards[-1], row)

    def _draw(self, source: int) -> float:
        """Score a source: the stock first, to see that card before the second choice; then the better."""
        if self.seen.phase == FIRST:
            return 1.0 if source == STOCK else 0.0
        if source == PILE:
            return self._ready(self._with(self.seen.discard[-1]))
        drawn = [(card, count) for card, count in enumerate(self.unseen) if count]
        return sum(count * self._ready(self._with(card)) for card, count in drawn) / max(1, self.total)

    def _with(self, card: int) -> bytearray:
        hand = self.hand.copy()
        hand[card] += 1
        return hand

    def _ready(self, hand: bytearray) -> float:
        """Return the points a hand can score at once, plus a little for being close to more."""
        return self._gain(hand) + 0.5 * self._near(hand, self.row) - (0 if self.future else hand[WILD] * 4)

    def _gain(self, hand: bytearray) -> int:
        """Return the points of the best play a hand allows."""
        if self.seen.canasta and near(held_of(hand), hand[WILD])[0]:
            return RUN_POINTS
        return COMPOUND if any(not lack(compound, hand) for compound in self.row) else 0

    def _claim(self, number: int) -> float:
        """Score a claim: good if it allows a play or, after the turn's play, improves the hand."""
        after = self.hand.copy()
        after[number] -= 1
        after[WILD] += 1
        if self.seen.phase == PLAY:
            return 1000.0 if self._gain(after) > self._gain(self.hand) else -1000.0
        if self.seen.phase in (CLOSE, AFTER):
            better = self.value(after, self.row) - self.value(self.hand, self.row)
            return 1000.0 if better > 1 else -1000.0
        return -1000.0

    def _out(self, size: int) -> float:
        """Score going out, which ends the round: good if the seat is ahead in it, bad otherwise."""
        seen = self.seen
        if size or not seen.canasta:
            return 0.0
        scores = [
            COMPOUND * len(seen.captured[seat]) + RUN_POINTS * len(seen.runs[seat]) - seen.sizes[seat]
            for seat in range(seen.seats)
        ]
        own = scores[seen.viewer or 0]
        others = [score for seat, score in enumerate(scores) if seat != seen.viewer]
        return 12.0 if not others or own + 10 >= max(others) else -12.0

    def _ends_round(self) -> bool:
        """Return whether a turn without a capture ends the round (section 3.5)."""
        seen = self.seen
        limit = seen.seats if seen.seats > 1 else SOLO_DRY
        return not seen.canasta and seen.dry + 1 >= limit

    def _standing(self, left: bytearray) -> float:
        """Return the value of ending the round with this hand, with the win or loss of a single round."""
        seen = self.seen
        cost = -float(sum(left) + 4 * left[WILD])
        if seen.rounds > 1 or seen.seats == 1:
            return cost
        own = COMPOUND * len(seen.captured[seen.viewer or 0]) + cost
        others = [
            COMPOUND * len(seen.captured[seat]) - _MEAN_COST * seen.sizes[seat]
            for seat in range(seen.seats)
            if seat != seen.viewer
        ]
        return cost + (_WIN if own > max(others) else -_WIN)

    def _gift(self, card: int, row: tuple[int, ...] | None = None) -> float:
        """Return the value of a card on the pile to the next player."""
        if self.seen.seats == 1:
            return 0.0
        if card == WILD:
            return 4 * _GIFT
        use = sum(card == z for compound in (row or self.row) for z, _ in NEEDS[compound])
        return _GIFT * use + (0.3 if self.seen.canasta else 0.0)

    def value(self, hand: bytearray, row: tuple[int, ...]) -> float:
        """Return the value of a hand: its chances of a capture or run after two cards, less its cost."""
        key = (bytes(hand), row)
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = self._value(hand, row)
        return found

    def _value(self, hand: bytearray, row: tuple[int, ...]) -> float:
        held = sum(hand)
        burden = self.burden * (held + 4 * hand[WILD])
        if not self.future:
            return -burden
        promise = COMPOUND * self.chance(hand, row)
        if self.seen.canasta:
            run = self.run_chance(hand)
            # the better of the two is played, the other one is kept for later
            promise = max(promise, RUN_POINTS * run) + 0.35 * min(promise, RUN_POINTS * run)
        return self.future * (promise + self._near(hand, row)) - burden

    def chance(self, hand: bytearray, row: tuple[int, ...]) -> float:
        """Return the exact probability that two unseen cards make some capture from the row possible."""
        return self.chances(hand, row)[1]

    def chances(self, hand: bytearray, row: tuple[int, ...]) -> tuple[float, float]:
        """Return the exact probabilities of a capture after one unseen card and after two."""
        single = 0
        pairs: set[tuple[int, int]] = set()
        for compound in row:
            short = lack(compound, hand)
            if not short:
                return 1.0, 1.0
            if short > _REACH:
                continue
            needed = [(z, n - hand[z]) for z, n in NEEDS[compound] if hand[z] < n]
            # wild cards alone capture nothing, so without an element the missing cards cannot all be wild
            held = any(hand[z] for z, _ in NEEDS[compound])
            if short == 1:
                for z, _ in needed:
                    single |= 1 << z
                if held:
                    single |= 1 << WILD
            else:
                helpful = [(WILD, _REACH if held else 1), *needed]
                pairs.update(
                    (a, b)
                    for i, (a, most) in enumerate(helpful)
                    for b, _ in helpful[i:]
                    if a != b or most >= _REACH
                )
        return self._after(single, pairs)

    def run_chance(self, hand: bytearray) -> float:
        """Return the exact probability that a run can be laid after two unseen cards."""
        return self._runs.chance(held_of(hand), hand[WILD])

    def run_chances(self, hand: bytearray) -> tuple[float, float]:
        """Return the exact probabilities of a run after one unseen card and after two."""
        held, wilds = held_of(hand), hand[WILD]
        return self._runs.single(held, wilds), self._runs.chance(held, wilds)

    def _after(self, single: int, pairs: Collection[tuple[int, int]]) -> tuple[float, float]:
        """Return the probabilities of a helpful draw with one unseen card and with two.

        `single` is a bit mask of kinds that help on their own; `pairs` are kinds that help together.
        """
        unseen, total = self.unseen, self.total
        good = sum(unseen[z] for z in _bits(single))
        if total < _REACH:
            return float(bool(good)), float(bool(good))
        ways = good * (total - good) + good * (good - 1) // 2
        for a, b in pairs:
            if not (single >> a & 1 or single >> b & 1):
                ways += unseen[a] * unseen[b] if a != b else unseen[a] * (unseen[a] - 1) // 2
        return good / total, ways / (total * (total - 1) // 2)

    def _near(self, hand: bytearray, row: tuple[int, ...]) -> float:
        return sum(_NEAR[min(lack(compound, hand), len(_NEAR) - 1)] for compound in row)


def _counted(cards: Sequence[int]) -> bytearray:
    hand = bytearray(KINDS)
    for card in cards:
        hand[card] += 1
    return hand


@lru_cache(maxsize=64)
def _deck(decks: str, canasta: bool) -> bytes:
    return bytes(_counted(draw_cards(decks, basic=canasta)))


def _unseen(seen: Observation) -> bytearray:
    """The cards that the viewer does not see, by kind: in the stock or in other hands."""
    unseen = bytearray(_deck(seen.decks, seen.canasta))
    for card in (*seen.hand, *seen.discard):
        unseen[card] -= 1
    for laid in seen.runs:
        for _, three in laid:
            for card in three:
                unseen[card] -= 1
    for seat, cards in enumerate(seen.known):
        if seat != seen.viewer:
            for card in cards:
                unseen[card] -= 1
    return unseen


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
