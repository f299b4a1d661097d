"""The study of Chemistry Battle: every card in question is played out, phase 2 included, in the same worlds.

Who lays what afterwards is drawn with a world and not with a card, so that luck cancels between cards.
No opponent searches like this: luck leaves no room above the heuristic.
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
"""From this number on an element is one of the ten highest."""
MEASURES: Final = ("cards", "pile", "high")
"""Cards in the end; cards in the own pile as phase 2 begins, and how many of them are `HIGH`."""


class World:
    """The hands in the order in which they will be played, and what came of the card that was tried."""

    __slots__ = ("end", "hands", "kitty", "piles", "seen")

    def __init__(self, seen: Observation, hands: list[list[int]], kitty: list[int]) -> None:
        self.seen, self.hands, self.kitty = seen, hands, kitty
        self.piles: list[list[int]] = []
        """As phase 2 finds them."""
        self.end: list[list[int]] = []

    def clone(self) -> World:
        """The same hands; nothing has been tried yet."""
        return World(self.seen, self.hands, self.kitty)

    def push(self, _seat: Seat, move: Move) -> None:
        """Play a card and everything after it."""
        self.piles, self.end = play_out(self.seen, self.hands, self.kitty, move.card)

    def to_act(self) -> tuple[Seat, ...]:
        """Nobody: all is played."""
        return ()


def sampler(seen: Observation) -> Callable[[random.Random], Any]:
    """Draws worlds that fit an observation."""
    return lambda rng: World(seen, *deal(seen, rng))


def judge(world: Any, seat: Seat) -> float:
    """Whether the seat wins: most cards, of equal piles the one with the highest element."""
    return float(max(world.end, key=lambda pile: (len(pile), max(pile, default=0))) is world.end[seat])


def measures(world: Any, seat: Seat) -> Mapping[str, float]:
    """What came of a card in the terms of this game, see `MEASURES`."""
    pile = world.piles[seat]
    return {
        "cards": float(len(world.end[seat])),
        "pile": float(len(pile)),
        "high": float(sum(card >= HIGH for card in pile)),
    }


def _priors(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Sequence[float]:
    """What the heuristic thinks of each card; in a blind game there is nothing to choose."""
    return scores(seen, actions, rng) if len(actions) > 1 else [0.0]


def _nothing(_world: Any, _seat: Seat, _rng: random.Random) -> Any:
    """Nobody plays on in a world that is played out at once."""
    raise AssertionError("all is played")


study: Final = Search(sampler, _priors, _nothing, judge, budget=4000, top=8, lean=0.0, measures=measures)
"""For the teacher."""
