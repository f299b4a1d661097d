"""The master opponent of Atom Duel: it knows the habits of players, and plays rounds out by them.

The cards of the other are guessed, those the more often that would have played as the other did. Then the
round is played to its end after each card, some thousand times: the other follows its habits by chance, the
seat itself does what is most usual. It is itself in the game whose habits are known, and plays like
Sharp in every other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import exp, sqrt
from typing import Final, TypeAlias

from engine.atom_duel.ai.ending import share
from engine.atom_duel.ai.habits import Habits, habits
from engine.atom_duel.ai.sharp import sharp
from engine.atom_duel.cards import CARDS
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import HIDDEN, Observation

LEARNED: Final = (2, 4, 5, 4)
"""Seats, level, cards of a hand and rounds of the games whose habits are known."""
MOST: Final = 7
"""The most cards of a hand, and so the most hands by which a player can be ahead in a round."""
RACE: Final = ((300, 9), (700, 3), (2000, 2))
"""Worlds, and for so many of the best cards, in turns."""
GUESSES: Final = 2
"""How many guesses at the other's cards are weighed for each that is taken."""
_FAR: Final = 3.0
"""By so many standard errors a card must be behind to be given up."""
_SPREAD: Final = 0.35
"""About how far the ends of one card in two worlds are apart, in shares of the win."""

Row: TypeAlias = list[int]
"""Cards, the cheapest first."""


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The card that promises most; for some tenths of a second."""
    setting = (seen.seats, seen.level, seen.hand_size, seen.rounds)
    if setting != LEARNED or actions[0].verb != "play" or len(actions) == 1:
        return sharp(seen, actions, rng)
    found = outlooks(seen, rng)
    return max(actions, key=lambda move: found[move.card])


def outlooks(
    seen: Observation, rng: random.Random, *, race: Sequence[tuple[int, int]] = RACE
) -> dict[int, float]:
    """By card in hand: the chance to win the game if it is played now, with two players."""
    viewer, known = seen.viewer or 0, habits(seen.level)
    row = known.row([card for card in seen.rows[viewer] if card > 0])
    worlds = guessed(seen, sum(number for number, _ in race), rng)
    ahead, lead = worth_of(seen), seen.plays[0].card if seen.plays else 0
    rest = {card: [other for other in row if other != card] for card in row}
    round_ = Round(known, rng.random)
    sums, racing, tries = dict.fromkeys(row, 0.0), list(row), 0
    shares = dict(sums)
    for number, left in race:
        racing = sorted(racing, key=lambda card: -shares[card])[:left]
        if tries:
            doubt = _FAR * _SPREAD * sqrt(2 / tries)
            racing = [card for card in racing if shares[card] >= shares[racing[0]] - doubt]
        if len(racing) == 1:
            break
        for world in worlds[tries : tries + number]:
            for card in racing:
                sums[card] += ahead[MOST + round_.play(card, rest[card].copy(), world.copy(), lead)]
        tries += number
        for card in racing:
            shares[card] = sums[card] / tries
    # who dropped out does not come back by the luck of few worlds
    limit = min(shares[card] for card in racing)
    return {card: share if card in racing else min(share, limit) for card, share in shares.items()}


def guessed(seen: Observation, number: int, rng: random.Random) -> list[Row]:
    """So many rows that the other may hold, each as often as it is likely by what the other has played."""
    viewer, known = seen.viewer or 0, habits(seen.level)
    theirs, mask = seen.rows[1 - viewer], unseen_by(seen)
    sure, hidden = [card for card in theirs if card > 0], theirs.count(HIDDEN)
    unseen, weigh = [card for card in CARDS if mask >> card & 1], _weigher(seen, known)
    if weigh is None or not hidden:
        return [known.row(sure + rng.sample(unseen, hidden)) for _ in range(number)]
    drawn = [sure + rng.sample(unseen, hidden) for _ in range(number * GUESSES)]
    return list(map(known.row, rng.choices(drawn, [weigh(row) for row in drawn], k=number)))


def unseen_by(seen: Observation) -> int:
    """Return the cards that the viewer has not seen, as bits."""
    gone = {0, *seen.gone, *(play.card for play in seen.plays)}
    gone.update(card for row in seen.rows for card in row if card > 0)
    return sum(1 << card for card in CARDS if card not in gone)


def worth_of(seen: Observation) -> list[float]:
    """Return the chance to win the game, by hands won more than the other in the rest of the round, from
    -MOST to MOST."""
    viewer = seen.viewer or 0
    now = seen.round_points[seen.round - 1]
    lead, led = seen.points[viewer] - seen.points[1 - viewer], now[viewer] - now[1 - viewer]
    left, found = seen.rounds - seen.round, []
    for more in range(-MOST, MOST + 1):
        points, last = lead + more, led + more
        found.append(
            share(
                (max(points, 0), max(-points, 0)),
                (int(last > 0), int(last < 0)) if not left else (0, 0),
                0,
                level=seen.level,
                size=seen.hand_size,
                left=left,
            )
        )
    return found


def _weigher(seen: Observation, known: Habits) -> Callable[[Row], float] | None:
    """How likely a row is to have played as the other did, in this hand and in the last one; None where it
    has not played."""
    viewer, last = seen.viewer or 0, seen.last_hand
    lead = seen.plays[0].card if seen.plays else 0
    before = last if last is not None and last.round == seen.round and len(last.plays) == 2 else None
    if not lead and before is None:
        return None

    def weigh(row: Row) -> float:
        weight = 1.0
        if lead:
            row = [*row, lead]
            weight = known.led(known.row(row), lead, first=seen.hand == 1)
        if before is not None:
            first, second = before.plays[0].card, before.plays[1].card
            if before.leader == viewer:
                weight *= known.answered(known.row([*row, second]), second, first)
            else:
                weight *= known.led(known.row([*row, first]), first, first=before.hand == 1)
        return weight

    return weigh


class Round:
    """Plays the rest of a round of two out, in worlds of one decision."""

    __slots__ = ("_chance", "_known", "_own", "_theirs")

    def __init__(self, known: Habits, chance: Callable[[], float]) -> None:
        self._known = known
        self._chance = chance
        self._own: dict[tuple[int, ...], int] = {}
        self._theirs: dict[tuple[int, ...], list[float]] = {}

    def play(self, card: int, own: Row, theirs: Row, lead: int) -> int:
        """How many hands more than the other the seat wins if it plays this card now, beside the rows; `lead`
        is the card that the other has led, or 0. The rows are used up."""
        known, chance = self._known, self._chance
        wins, laser, ahead = known.wins, known.laser, 0
        if lead:
            _burn(theirs, laser[card], chance)
            leads = card in wins[lead]
            ahead, card = 1 if leads else -1, 0
        else:
            leads = True
        while card or (own and theirs):
            if leads:
                card = card or self._lead(own, len(theirs))
                _burn(theirs, laser[card], chance)
                if not theirs:
                    return ahead + 1
                answer = self._answer(theirs, card, len(own), sure=False)
                _burn(own, laser[answer], chance)
                leads = answer not in wins[card]
            else:
                card = self._led(theirs, len(own))
                _burn(own, laser[card], chance)
                if not own:
                    return ahead - 1
                answer = self._answer(own, card, len(theirs), sure=True)
                _burn(theirs, laser[answer], chance)
                leads = answer in wins[card]
            ahead += 1 if leads else -1
            card = 0
        return ahead

    def _lead(self, row: Row, theirs: int) -> int:
        """What the seat itself leads: the card that is led most often."""
        if len(row) == 1:
            return row.pop()
        key = (*row, theirs)
        at = self._own.get(key)
        if at is None:
            odds = self._known.leads(row, theirs)
            at = self._own[key] = odds.index(max(odds))
        return row.pop(at)

    def _led(self, row: Row, theirs: int) -> int:
        """What the other leads, by chance."""
        if len(row) == 1:
            return row.pop()
        key = (*row, theirs)
        odds = self._theirs.get(key)
        if odds is None:
            odds = self._theirs[key] = list(accumulate(self._known.leads(row, theirs)))
        drawn, at = self._chance() * odds[-1], 0
        while odds[at] < drawn:
            at += 1
        return row.pop(at)

    def _answer(self, row: Row, lead: int, theirs: int, *, sure: bool) -> int:
        """What is played second: the cheapest card that wins, or the cheapest that does not; by chance,
        unless the more usual of the two is sure."""
        if len(row) == 1:
            return row.pop()
        answer = self._known.answer(row, lead)
        if answer.lose < 0:
            return row.pop(answer.win)
        if answer.win < 0:
            return row.pop(answer.lose)
        odds = self._known.taking(row, answer, lead, theirs)
        takes = odds > 0 if sure else self._chance() * (1 + exp(-odds)) < 1
        return row.pop(answer.win if takes else answer.lose)


def _burn(row: Row, fires: bool, chance: Callable[[], float]) -> None:
    """A Laser takes any card of the other."""
    if fires and row:
        row.pop(int(chance() * len(row)))
