"""Sharp and Master in Atom with four: Steady's best moves, judged again by a trained network.

The network (`network`) was trained by self-play on the results of matches. It adds a correction to Steady's
score of a move: Master takes all of it, Sharp a part. Both play out the end between two hands exactly
(`two_hands`). The network was trained for the usual game of four; in other games both play as Steady.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.atom.ai.features import Features
from engine.atom.ai.heuristic import SURE, heuristic, score
from engine.atom.ai.network import learned
from engine.atom.ai.network_features import SEATS, described, situation
from engine.atom.ai.two_hands import exact
from engine.atom.moves import Move
from engine.atom.observation import Observation

TRIED: Final = 8
"""Number of moves judged again: Steady's best, with passing always among them."""


def is_learned(seats: int, *, jokers_as_three: bool) -> bool:
    """Whether it is the game that the network learned."""
    return seats == SEATS and not jokers_as_three


def by_worth(actions: Sequence[Move], worth: Sequence[float]) -> list[int]:
    """Return the indices of the actions by Steady's scores, best first, but passing at least as number
    `TRIED`."""
    order = sorted(range(len(actions)), key=lambda index: -worth[index])
    for index in order[TRIED:]:
        if actions[index].verb == "pass":
            order.remove(index)
            return [*order[: TRIED - 1], index, *order[TRIED - 1 :]]
    return order


def scores(seen: Observation, actions: Sequence[Move], share: float = 1.0) -> list[float]:
    """Return Steady's scores, corrected by this share of what the network says.

    They stay as they are if a move is certain to empty the hand.
    """
    features = Features(seen)
    found = [score(features, move) for move in actions]
    order = by_worth(actions, found)
    if found[order[0]] > SURE - 1:
        return found
    tried, others = order[:TRIED], order[TRIED:]
    plays = [described(features, actions[place], found[place]) for place in tried]
    logits = learned().logits(situation(features), plays, free=features.free)
    edge = max((found[place] for place in others), default=0.0)
    for place, logit in zip(tried, logits, strict=True):
        found[place] += share * logit
    least = min(found[place] for place in tried)
    for place in others:  # behind all that were tried, in the same order
        found[place] += least - edge
    return found


@dataclass(frozen=True, slots=True)
class Corrected:
    """An opponent that plays Steady's scores with this share of the network's correction."""

    share: float

    def __call__(self, seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
        """Return the chosen move."""
        if not is_learned(seen.seats, jokers_as_three=seen.jokers_as_three):
            return heuristic(seen, actions, rng)
        if len(actions) == 1:
            return actions[0]
        found = scores(seen, actions, self.share)
        ranked = [actions[place] for place in sorted(range(len(actions)), key=lambda place: -found[place])]
        return exact(seen, ranked) or ranked[0]


sharp: Final = Corrected(0.2)
master: Final = Corrected(1.0)
