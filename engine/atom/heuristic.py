"""An opponent that counts its plays: split the hand into as few as possible, keep the strong ones for
the tricks that matter, and leave the partner's tricks alone.

The cards of one rank are a *group*, played at once where nothing speaks against it. A group costs one
turn, less what it is worth for taking the lead; a bomb, an atom or a Blade is worth more than its turn.
A move is worth what it takes off that cost, the points it wins, the lead, and what it does to those who
are nearly out. Its only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.atom.cards import ORDER, by_rank, counts, total
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.partners import allies
from engine.atom.plays import BLADE_BOMB, BOMB, PLAIN, PLAIN_BLADES, SPECIAL, Play, Rung, make, rung, shape
from engine.playing_cards import JOKER

CONTROL: Final = 1.2
"""What taking a trick for sure is worth, in turns."""
JOKER_WORTH: Final = 0.65
"""What a joker in hand is worth, in turns."""
POINT: Final = 1 / 60
"""What one point is worth, in turns."""
KEEP: Final = 0.35
"""What a bomb, an atom or a nuke is worth in hand besides, in turns."""
LEAD: Final = 0.2
"""What the lead is worth, in turns."""
YIELD: Final = 1.1
"""What it costs to beat an ally."""
DANGER: Final = 4
"""From so few cards on a player is nearly out."""


def heuristic(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The move with the best score; equal ones by chance."""
    if len(actions) == 1:
        return actions[0]
    rated = scores(seen, actions, rng)
    return max(zip(rated, (rng.random() for _ in actions), actions, strict=True))[2]


def scores(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """How good each move is, in turns, passing being 0; of calls, how high the card is."""
    if actions[0].verb == "call":
        return [float(ORDER.index(move.cards[0] >> 2)) for move in actions]
    scorer = _Scorer(seen)
    return [scorer.score(move) for move in actions]


def hold(stand: Rung) -> float:
    """The chance that nobody beats these cards, at a glance."""
    kind, size, strength = stand
    if kind == PLAIN:
        return min(0.85, (0.08 + 0.62 * (strength / 12) ** 3) * (0.85 + 0.15 * size))
    if kind == PLAIN_BLADES:
        return 0.86 + 0.03 * size
    if kind == BOMB:
        return min(0.96, 0.42 + 0.11 * (size - 4) + 0.012 * strength)
    if kind == BLADE_BOMB:
        return 0.95
    return 0.9 + 0.1 * (strength / 512)


@lru_cache(maxsize=4096)
def _group(rank: int, packed: int, blade: int, packs: int) -> float:
    """What the cards of one rank cost to get rid of, in turns: as one play, or an atom or a nuke apart."""
    if not packed:
        return 0.0
    whole = make(rank, packed, 0, packs)
    best = _cost(whole, blade) - 0.02 * whole.size
    if whole.tier:
        return best
    by_suit = counts(packed)
    apart = [size << 4 * suit for suit, many in enumerate(by_suit) for size in range(3, many + 1)]
    apart += [0x1111 * each for each in range(2, min(by_suit) + 1)]
    for special in apart:
        play = make(rank, special, 0, packs)
        if play.tier and special != packed:
            best = min(best, _cost(play, blade) + _group(rank, packed - special, blade, packs))
    return best


def _cost(play: Play, blade: int) -> float:
    """What one play costs, in turns: one, less what it is worth for taking the lead."""
    stand = rung(play, blade)
    return 1 - CONTROL * hold(stand) - KEEP * (stand.kind in (BOMB, BLADE_BOMB, SPECIAL))


class _Scorer:
    """Scores the moves of one decision."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.viewer = seen.viewer or 0
        self.blade = seen.blade
        self.packs = seen.packs
        self.low = seen.low
        self.hand = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))
        self.mine = seen.left[self.viewer]
        self.allies = allies(seen)
        self.free = not seen.best
        self.groups = [
            _group(rank, packed, self.blade, self.packs) if rank != JOKER else 0.0
            for rank, packed in enumerate(self.hand)
        ]
        self.plays = sum(1 for rank, packed in enumerate(self.hand) if packed and rank != JOKER)
        foes = [
            left
            for seat, left in enumerate(seen.left)
            if seat != self.viewer and left and self.allies[seat] < 0.5
        ]
        self.nearest = min(foes, default=99)
        self.next_friend = self._after()

    def _after(self) -> int:
        """The seat that acts next, if it is an ally nearly out of cards; else -1."""
        seats, left = self.seen.seats, self.seen.left
        for step in range(1, seats):
            seat = (self.viewer + step) % seats
            if left[seat] and self.allies[seat] > 0.7 and left[seat] <= 2:
                return seat
        return -1

    def score(self, move: Move) -> float:
        """How good a move is, in turns; passing is the measure of all others."""
        if move.verb == "pass":
            return 0.0
        play = shape(move.cards, self.packs)
        if play is None:
            return -9.0
        if play.size == self.mine:
            return 50.0 + play.points
        stand = rung(play, self.blade, self.low)
        gain = self._saved(play)
        chance = hold(stand)
        if self.free:
            return gain + self._lead(play, stand, chance)
        return gain + self._follow(play, stand, chance)

    def _saved(self, play: Play) -> float:
        """By how much the cost of the hand falls."""
        jokers = total(play.jokers)
        saved = -JOKER_WORTH * jokers
        if play.rank == JOKER:
            # jokers alone are only led when nothing else is left
            return saved - 0.5 * (self.plays > 0) + (1.0 if jokers == total(self.hand[JOKER]) else 0.0)
        rest = self.hand[play.rank] - play.suits
        saved += self.groups[play.rank] - _group(play.rank, rest, self.blade, self.packs)
        if self.plays <= 2 and not rest:
            saved += 0.4
        return saved

    def _lead(self, play: Play, stand: Rung, chance: float) -> float:
        worth = LEAD * chance - POINT * play.points * (1 - 2 * chance)
        if self.nearest <= 3 and play.size == self.nearest and stand.kind == PLAIN:
            worth -= 1.2 * (1 - stand.strength / 12)
        elif self.nearest < play.size <= 3:
            worth += 0.3
        friend = self.next_friend
        if friend >= 0 and play.size == self.seen.left[friend] and stand.kind == PLAIN:
            worth += 0.8 * (1 - stand.strength / 12)
        return worth

    def _follow(self, play: Play, stand: Rung, chance: float) -> float:
        seen = self.seen
        ally = self.allies[seen.best_seat]
        owner_left = seen.left[seen.best_seat]
        pot = seen.pot + play.points
        standing = seen.rung
        safe = hold(standing) if standing else 0.0
        # points already there count for whoever takes them; ours are at risk when beaten
        worth = (1 - ally * safe) * POINT * pot * chance - POINT * play.points * (1 - chance)
        worth += LEAD * chance
        worth -= YIELD * ally * (0.3 + safe)
        if ally > 0.5 and stand.kind in (BOMB, BLADE_BOMB, SPECIAL, PLAIN_BLADES):
            worth -= 1.0
        if ally < 0.5 and owner_left <= DANGER:
            worth += 0.45 * (DANGER + 1 - owner_left) * chance
        return worth
