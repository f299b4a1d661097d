"""The study of Chemistry Battle: every candidate card is played out, phase 2 included, in the same samples.

All later plays are drawn with the sample and not with the card, so that luck cancels between cards. No
opponent searches like this: luck leaves no room above the heuristic.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.ai.search import Search
from engine.chemistry.battle.heuristic import deal, play_out, scores
from engine.chemistry.battle.rounds import Move, Observation
from engine.game import Seat

HIGH: Final = 45
"""The lowest of the ten highest atomic numbers."""
MEASURES: Final = ("cards", "pile", "high")
"""Final cards; cards in the own pile as phase 2 begins, and how many of them are at least `HIGH`."""


class BattleSample:
    """Hands in the order in which they will be played, and the result of the card that was tried."""

    __slots__ = ("end", "hands", "kitty", "piles", "seen")

    def __init__(self, seen: Observation, hands: list[list[int]], kitty: list[int]) -> None:
        self.seen, self.hands, self.kitty = seen, hands, kitty
        self.piles: list[list[int]] = []
        """The piles before phase 2."""
        self.end: list[list[int]] = []

    def clone(self) -> BattleSample:
        """Return the same hands without a result."""
        return BattleSample(self.seen, self.hands, self.kitty)

    def push(self, _seat: Seat, move: Move) -> None:
        """Play a card and everything after it."""
        self.piles, self.end = play_out(self.seen, self.hands, self.kitty, move.card)

    def to_act(self) -> tuple[Seat, ...]:
        """Return no seats: everything has been played."""
        return ()


def sampler(seen: Observation) -> Callable[[random.Random], Any]:
    """Return a function that samples hands that fit an observation."""
    return lambda rng: BattleSample(seen, *deal(seen, rng))


def judge(world: Any, seat: Seat) -> float:
    """Return 1 if the seat wins, else 0: most cards, with ties broken by the highest element."""
    return float(max(world.end, key=lambda pile: (len(pile), max(pile, default=0))) is world.end[seat])


def measures(world: Any, seat: Seat) -> Mapping[str, float]:
    """Return the `MEASURES` of a card that was played out."""
    pile = world.piles[seat]
    return {
        "cards": float(len(world.end[seat])),
        "pile": float(len(pile)),
        "high": float(sum(card >= HIGH for card in pile)),
    }


def _priors(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Sequence[float]:
    """Return the heuristic's score of each card; a blind game has only one choice."""
    return scores(seen, actions, rng) if len(actions) > 1 else [0.0]


def _nothing(_world: Any, _seat: Seat, _rng: random.Random) -> Any:
    """Reject rollouts: a sample is played out at once."""
    raise AssertionError("all is played")


study: Final = Search(sampler, _priors, _nothing, judge, budget=4000, top=8, lean=0.0, measures=measures)
"""The teacher's search."""
