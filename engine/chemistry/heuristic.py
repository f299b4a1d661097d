"""An opponent that looks one turn ahead: what does this play bring, and what can the next two cards bring?

For each hand that a play can leave, two chances are exact, over all pairs of unseen cards: that two of them
make a capture possible, and that they make a run possible. The rest is estimated: that both cards come from
the stock, that row and unseen cards stay as they are until then, and what the two chances are worth together.
The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from engine.ai.choosers import Best
from engine.chemistry.deck import KINDS, NEEDS, WILD, draw_cards
from engine.chemistry.moves import PILE, RUN, STOCK, Move, lack
from engine.chemistry.observation import AFTER, CLOSE, FIRST, PLAY, SOLO_DRY, Observation
from engine.chemistry.run_odds import RunOdds, held_of, near
from engine.chemistry.scoring import COMPOUND, RUN_CARD

RUN_POINTS = RUN * RUN_CARD
_REACH = 2
"""Cards drawn in a turn: what lacks more cannot be had in the next one."""
_NEAR = (6.0, 3.0, 1.5, 0.5, 0.2, 0.0)
"""What it is worth, beside the chance itself, to lack so many cards for a compound."""
_GIFT = 1.2
"""What a card on the discard pile is worth to the next player, for each open compound that has it."""
_WINDOW = 6
"""Turns before the end of the stock in which cards held begin to weigh."""
_MEAN_COST = 1.7
"""What a card in another hand costs its holder on average: one in six is a wild."""
_WIN = 500.0
"""More than any points: a single round is won or lost."""


_AT_ONCE = 100.0
"""What keeps a capture or run before anything else, where others play: what waits may be gone, and each turn
allows one. Alone, who waits for a play that costs fewer wild cards goes on for longer."""


def scores(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """What each move is worth, in points; a capture or run stands well above what puts it off, but alone."""
    mind = Mind(seen)
    return [mind.score(move) for move in actions]


heuristic: Final = Best(scores)
"""The opponent that takes what scores best."""


class Mind:
    """One position as one seat sees it, ready to weigh moves."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.hand = _counted(seen.hand)
        self.row = seen.row
        self.size = len(seen.hand)
        self.unseen = _unseen(seen)
        self.total = sum(self.unseen)
        self.eager = _AT_ONCE if seen.seats > 1 else 0.0
        # how much of a future there is: in Canasta the round ends with the stock
        turns = seen.stock / (2 * seen.seats) if seen.canasta else _WINDOW
        self.future = min(1.0, turns)
        self.burden = 0.25 + 0.75 * (1 - min(1.0, turns / _WINDOW))
        self._values: dict[tuple[bytes, tuple[int, ...]], float] = {}
        self._runs = RunOdds(self.unseen)

    def score(self, move: Move) -> float:
        """What a move brings now, and what its hand promises for the next turn."""
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
        """The stock first, since a card seen helps to choose the second; then whichever promises more."""
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
        """What a hand can do at once, and a little for what it is near to."""
        return self._gain(hand) + 0.5 * self._near(hand, self.row) - (0 if self.future else hand[WILD] * 4)

    def _gain(self, hand: bytearray) -> int:
        """The points of the best play that a hand allows."""
        if self.seen.canasta and near(held_of(hand), hand[WILD])[0]:
            return RUN_POINTS
        return COMPOUND if any(not lack(compound, hand) for compound in self.row) else 0

    def _claim(self, number: int) -> float:
        """A wild is claimed when it makes a play possible, or, with the turn done, when it promises more."""
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
        """Going out ends the round: good for whoever is ahead in it."""
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
        """Whether a turn without a capture is the last one of the round (section 3.5)."""
        seen = self.seen
        limit = seen.seats if seen.seats > 1 else SOLO_DRY
        return not seen.canasta and seen.dry + 1 >= limit

    def _standing(self, left: bytearray) -> float:
        """What it is worth to end the round with this hand: its cost, and in a single round the win."""
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
        """What the next player gains from a card on the pile."""
        if self.seen.seats == 1:
            return 0.0
        if card == WILD:
            return 4 * _GIFT
        use = sum(card == z for compound in (row or self.row) for z, _ in NEEDS[compound])
        return _GIFT * use + (0.3 if self.seen.canasta else 0.0)

    def value(self, hand: bytearray, row: tuple[int, ...]) -> float:
        """What a hand promises: the chances of a capture or run after two cards, less what it costs."""
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
            # the better of the two is played, the other one keeps
            promise = max(promise, RUN_POINTS * run) + 0.35 * min(promise, RUN_POINTS * run)
        return self.future * (promise + self._near(hand, row)) - burden

    def chance(self, hand: bytearray, row: tuple[int, ...]) -> float:
        """The chance that some compound of the row can be captured after two unseen cards: exact."""
        return self.chances(hand, row)[1]

    def chances(self, hand: bytearray, row: tuple[int, ...]) -> tuple[float, float]:
        """The same after one unseen card, and after two."""
        single = 0
        pairs: set[tuple[int, int]] = set()
        for compound in row:
            short = lack(compound, hand)
            if not short:
                return 1.0, 1.0
            if short > _REACH:
                continue
            needed = [(z, n - hand[z]) for z, n in NEEDS[compound] if hand[z] < n]
            # wild cards alone capture nothing, so without an element they can't be all that comes
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
        """The chance that a run can be laid after two unseen cards: exact."""
        return self._runs.chance(held_of(hand), hand[WILD])

    def run_chances(self, hand: bytearray) -> tuple[float, float]:
        """The same after one unseen card, and after two."""
        held, wilds = held_of(hand), hand[WILD]
        return self._runs.single(held, wilds), self._runs.chance(held, wilds)

    def _after(self, single: int, pairs: Collection[tuple[int, int]]) -> tuple[float, float]:
        """The chance that an unseen card is of these kinds (bits), and that one of two is, or they are such a
        pair."""
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
