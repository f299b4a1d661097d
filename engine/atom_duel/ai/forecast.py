"""How many hands more than the other a seat wins in the rest of a round of two, after each card it may play.

A small network predicts this from a few numbers of each card. It learned from rounds against itself
(`tools/train/atom_duel_rounds.py`), so it knows what a lead is worth and what to keep, where `rollout`
lets everybody lead at random; of single cards it knows little but how many of the unseen ones they beat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp
from operator import mul
from typing import Final, TypeAlias

import msgspec

from engine import data
from engine.atom_duel.ai.ending import share
from engine.atom_duel.ai.rollout import announced, prices
from engine.atom_duel.ai.worth import best, lay
from engine.atom_duel.cards import CARDS, TABLES
from engine.atom_duel.observation import Observation

DATA: Final = "atom_duel_rounds.json"
MOST: Final = 7
"""The most cards of a hand; so many hands a round can bring one of two more than the other."""
LASERS: Final = 3
"""The level from which Lasers work."""
_DUCKED, _THROWN, _DEARER = 0.3, 0.12, 0.1
"""What the other still holds, by the last hand in which it followed: how likely a card is, beside others,
that would have won where it lost, that is cheaper than the one it threw, that would have won for less."""

Chance: TypeAlias = Callable[[int], float]
"""By card: the chance that it beats one of those that the other may hold."""


class Network(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Layers, each with its weights by unit, and what is added; between two, what is below 0 counts 0."""

    weights: tuple[tuple[tuple[float, ...], ...], ...]
    biases: tuple[tuple[float, ...], ...]

    def ends(self, numbers: Sequence[float]) -> list[float]:
        """The chances of winning MOST hands fewer than the other, and so on to MOST more."""
        layers = list(zip(self.weights, self.biases, strict=True))
        for units, added in layers[:-1]:
            sums = [sum(map(mul, unit, numbers), more) for unit, more in zip(units, added, strict=True)]
            numbers = [each if each > 0 else 0.0 for each in sums]
        units, added = layers[-1]
        odds = [exp(sum(map(mul, unit, numbers), more)) for unit, more in zip(units, added, strict=True)]
        total = sum(odds)
        return [each / total for each in odds]


@lru_cache(maxsize=1)
def network() -> Network:
    """The one that is kept as data."""
    return data.load(DATA, Network)


def forecasts(seen: Observation) -> dict[int, float]:
    """By card in hand: the chance to win the game if it is played now, with two players."""
    net, ahead = network(), worth_of(seen)
    found = {}
    for card, numbers in described(seen).items():
        found[card] = sum(map(mul, net.ends(numbers), ahead))
    return found


def worth_of(seen: Observation) -> list[float]:
    """By hands won more than the other in the rest of the round, from -MOST: the chance to win the game."""
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


def described(seen: Observation) -> dict[int, list[float]]:
    """By card in hand, the weakest first: the numbers from which the network tells what playing it brings."""
    viewer = seen.viewer or 0
    level, other = seen.level, 1 - viewer
    unseen = unseen_by(seen)
    plain, shown = _chance(level, [(unseen, 1.0)]), _chance(level, _likely(seen, unseen))
    row = sorted((plain(card), card) for card in seen.rows[viewer] if card > 0)
    cards, apart = [card for _, card in row], [chance for chance, _ in row]
    weighed = [shown(card) for card in cards]
    laser = [float(is_laser(level, card)) for card in cards]
    held, theirs, price = len(cards), seen.counts[other], prices(level, 2)
    lead = seen.plays[0].card if seen.plays else 0
    same = [held / 5, theirs / 5, *(float(theirs == number) for number in range(5)), *_before(seen)]
    found = {}
    for at, card in enumerate(cards):
        slots: list[float] = []
        for slot in range(held):
            if slot != at:
                slots += (1.0, apart[slot], weighed[slot], laser[slot])
        slots += [0.0] * (4 * (MOST - 1) - len(slots))
        if lead:
            won = not beats(level, lead)[0] >> card & 1
            off = apart[at] - 0.5
            now = [0.0, 0.0, 0.0, 0.0, laser[at], float(won)]
            now += [off, 0.0] if won else [0.0, off]
        else:
            now = [1.0, apart[at], weighed[at], min(1.0, weighed[at]) ** theirs, laser[at], 0.0, 0.0, 0.0]
        kept = sum(weighed) - weighed[at]
        found[card] = [*slots, *now, price[lead], *same, kept, float(level >= LASERS)]
    return found


def _before(seen: Observation) -> list[float]:
    """The last hand of this round: whether there was one, both cards' prices, who led and won."""
    last, price = seen.last_hand, prices(seen.level, 2)
    if last is None or last.round != seen.round or len(last.plays) != 2:
        return [0.0] * 6
    cards = {play.seat: play.card for play in last.plays}
    viewer = seen.viewer or 0
    led, won = float(last.leader != viewer), float(last.winner != viewer)
    return [1.0, price[cards[1 - viewer]], price[cards[viewer]], led, won, led * won]


def unseen_by(seen: Observation) -> int:
    """The cards that the viewer has not seen, as bits."""
    gone = {0, *seen.gone, *(play.card for play in seen.plays)}
    gone.update(card for row in seen.rows for card in row if card > 0)
    return sum(1 << card for card in CARDS if card not in gone)


def _likely(seen: Observation, unseen: int) -> list[tuple[int, float]]:
    """The unseen cards in sets, each with how likely its cards are by what the last hand has shown."""
    last, viewer = seen.last_hand, seen.viewer or 0
    if last is None or last.round != seen.round or len(last.plays) != 2 or last.leader != viewer:
        return [(unseen, 1.0)]
    led, answered = last.plays[0].card, last.plays[1].card
    winners, cheaper = ~beats(seen.level, led)[0], _cheaper(seen.level, answered)
    if last.winner == viewer:
        thrown = cheaper & ~winners
        return [
            (unseen & winners, _DUCKED),
            (unseen & thrown, _THROWN),
            (unseen & ~winners & ~thrown, 1.0),
        ]
    return [(unseen & winners & cheaper, _DEARER), (unseen & ~(winners & cheaper), 1.0)]


def _chance(level: int, sets: Sequence[tuple[int, float]]) -> Chance:
    """The chance to beat a card of these sets, whoever leads."""
    total = sum(weight * mask.bit_count() for mask, weight in sets) or 1.0

    def chance(card: int) -> float:
        leads, follows = beats(level, card)
        won = sum(w * ((leads & mask).bit_count() + (follows & mask).bit_count()) for mask, w in sets)
        return won / 2 / total

    return chance


@lru_cache(maxsize=1 << 10)
def beats(level: int, card: int) -> tuple[int, int]:
    """The cards that this one beats when it leads, and when it follows, as bits."""
    powers, table = announced(level, 2), TABLES[level]
    own = [lay(table, seat, card, powers[card], first_hand=False) for seat in (0, 1)]
    leads = follows = 0
    for other in CARDS:
        if other != card:
            theirs = [lay(table, seat, other, powers[other], first_hand=False) for seat in (0, 1)]
            leads |= (best([own[0], theirs[1]], 2) == 0) << other
            follows |= (best([theirs[0], own[1]], 2) == 1) << other
    return leads, follows


@lru_cache(maxsize=1 << 10)
def _cheaper(level: int, card: int) -> int:
    """The cards that are worth less than this one, as bits."""
    price = prices(level, 2)
    return sum(1 << other for other in CARDS if price[other] < price[card])


def is_laser(level: int, card: int) -> bool:
    """Whether the card fires a Laser, with the announcement with which it wins most often."""
    return lay(TABLES[level], 0, card, announced(level, 2)[card], first_hand=False)[4] == "laser"
