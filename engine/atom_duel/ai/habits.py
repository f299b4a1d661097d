"""The habits of a typical player in a round of two: the card it leads, and whether it takes a hand it can.

That is a logarithm of odds, a sum of a few numbers of its row, with weights learned from games of an
opponent as strong as Steady (`python -m tools.train.atom_duel_habits`). Rows are sorted from the cheapest
card to the dearest. Of the powers it knows only Lasers, and which card beats which. So it suits levels
without other instant powers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

import msgspec

from engine import data
from engine.atom_duel.ai.rollout import announced, prices
from engine.atom_duel.ai.worth import best, lay
from engine.atom_duel.cards import CARDS, TABLES

DATA: Final = "atom_duel_habits.json"
FEWEST: Final = 2
"""Cards of the shortest row of which there are weights; with one there is no choice."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Those of rows of one length: `places` by place of the card that is led, the cheapest first, `card` for
    all of them, `take` of taking a hand; `cheapest` is how often the cheapest such card is played then."""

    places: tuple[tuple[float, ...], ...]
    card: tuple[float, ...]
    take: tuple[float, ...]
    cheapest: float


class HabitAnswer(NamedTuple):
    """What a row can do about the card that was led: the places of the cheapest card that wins and of the
    cheapest that does not, -1 where there is none, and how many win."""

    win: int
    lose: int
    winners: int


class Habits:
    """The habits at one level."""

    __slots__ = ("laser", "place", "price", "weights", "wins")

    def __init__(self, level: int, weights: Sequence[Weights]) -> None:
        self.weights = weights
        self.price = prices(level, 2)
        self.laser = (False, *(is_laser(level, card) for card in CARDS))
        order = sorted(CARDS, key=self.price.__getitem__)
        self.place = (-1, *(order.index(card) for card in CARDS))
        """By card: where it stands among all, the cheapest first."""
        self.wins = (
            frozenset[int](),
            *(frozenset(c for c in CARDS if c != led and not beats(level, led)[0] >> c & 1) for led in CARDS),
        )
        """By card that is led: those that win as an answer."""

    def row(self, cards: Sequence[int]) -> list[int]:
        """These cards from the cheapest to the dearest."""
        return sorted(cards, key=self.place.__getitem__)

    def leads(self, row: Sequence[int], theirs: int, *, first: bool = False) -> list[float]:
        """By place: how likely the card there is led, beside the others, against so many cards of the other,
        in the first hand of a round or later."""
        held, price = len(row), self.price
        weights = self.weights[held - FEWEST]
        square, by_sum, by_top, by_low, by_theirs, laser, *more, below, above = weights.card
        worth, burns = [price[card] for card in row], [self.laser[card] for card in row]
        low, top, total = worth[0], worth[-1], sum(worth)
        each = by_sum * total + by_top * top + by_low * low + by_theirs * theirs
        burning = laser + more[0] * theirs + more[1] * total + more[2] * sum(burns)
        odds, before = list[float](), low
        for place, (own, added) in enumerate(zip(worth, weights.places, strict=True)):
            always, all_, highest, lowest, others, low_burns, top_burns, opening, paid = added
            sure = always + all_ * total + highest * top + lowest * low + others * theirs
            sure += own * (paid + each + square * own) + below * (own - before)
            if place < held - 1:
                sure += above * (worth[place + 1] - own)
            if burns[0]:
                sure += low_burns
            if burns[-1]:
                sure += top_burns
            if first:
                sure += opening
            if burns[place]:
                sure += burning
            odds.append(sure)
            before = own
        most = max(odds)
        return [exp(sure - most) for sure in odds]

    def answer(self, row: Sequence[int], lead: int) -> HabitAnswer:
        """What this row can do about that lead."""
        wins, win, lose, winners = self.wins[lead], -1, -1, 0
        for place, card in enumerate(row):
            if card in wins:
                winners += 1
                if win < 0:
                    win = place
            elif lose < 0:
                lose = place
        return HabitAnswer(win, lose, winners)

    def taking(self, row: Sequence[int], answer: HabitAnswer, lead: int, theirs: int) -> float:
        """The logarithm of the odds that a row which can win and can lose wins, where so many cards of the
        other are left."""
        win, lose, winners = answer
        price, held = self.price, len(row)
        dear, cheap, total = price[row[win]], price[row[lose]], sum(price[card] for card in row)
        take = self.weights[held - FEWEST].take
        found = take[0] + dear * (take[1] + take[5] * dear + take[6] * cheap + take[8] * total)
        found += dear * take[11] * winners + take[2] * cheap + take[7] * total
        found += take[9] * winners + take[10] * (held - winners) + take[12] * theirs
        found += take[15] * price[lead] + take[16] * price[row[-1]] + take[17] * price[row[0]]
        if self.laser[row[win]]:
            found += take[3] + take[13] * theirs
        if self.laser[row[lose]]:
            found += take[4] + take[14] * theirs
        return found

    def led(self, row: Sequence[int], card: int, *, first: bool) -> float:
        """How likely this card of a row is led, against as many cards."""
        if len(row) < FEWEST:
            return 1.0
        odds = self.leads(row, len(row), first=first)
        return odds[row.index(card)] / sum(odds)

    def answered(self, row: Sequence[int], card: int, lead: int) -> float:
        """How likely this card of a row answers that lead, the other having one card fewer left."""
        if len(row) < FEWEST:
            return 1.0
        answer = self.answer(row, lead)
        won, chance = card in self.wins[lead], 1.0
        if answer.win >= 0 and answer.lose >= 0:
            took = 1 / (1 + exp(-self.taking(row, answer, lead, len(row) - 1)))
            chance = took if won else 1 - took
        same = answer.winners if won else len(row) - answer.winners
        if same == 1:
            return chance
        often = self.weights[len(row) - FEWEST].cheapest
        if card == row[answer.win if won else answer.lose]:
            return chance * often
        return chance * (1 - often) / (same - 1)


@lru_cache(maxsize=8)
def habits(level: int) -> Habits:
    """The habits that are kept as data, at this level."""
    return Habits(level, data.load(DATA, tuple[Weights, ...]))


@lru_cache(maxsize=1 << 10)
def beats(level: int, card: int) -> tuple[int, int]:
    """Return the cards that this one beats when it leads, and when it follows, as bits."""
    powers, table = announced(level, 2), TABLES[level]
    own = [lay(table, seat, card, powers[card], first_hand=False) for seat in (0, 1)]
    leads = follows = 0
    for other in CARDS:
        if other != card:
            theirs = [lay(table, seat, other, powers[other], first_hand=False) for seat in (0, 1)]
            leads |= (best([own[0], theirs[1]], 2) == 0) << other
            follows |= (best([theirs[0], own[1]], 2) == 1) << other
    return leads, follows


def is_laser(level: int, card: int) -> bool:
    """Return whether the card fires a Laser, with the announcement with which it wins most often."""
    return lay(TABLES[level], 0, card, announced(level, 2)[card], first_hand=False)[4] == "laser"
