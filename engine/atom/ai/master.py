"""Master in Atom with four: the moves that Steady likes best, judged anew by a network that learned.

The network (`network`) learned from matches against itself, by what they finally brought: it adds to Steady's
score of a move what speaks for or against it, and knows nothing but the observation. Between two hands the
end is exact, as for Sharp (`two_hands`). It learned the usual game of four, and plays as Sharp in others.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.atom.ai.features import Features
from engine.atom.ai.heuristic import SURE, score
from engine.atom.ai.network import learned
from engine.atom.ai.network_features import SEATS, described, situation
from engine.atom.ai.sharp import sharp
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


def scores(seen: Observation, actions: Sequence[Move]) -> list[float]:
    """How good each move is, in the measure of Steady's scores, which stand where one runs out for sure."""
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
        found[place] += logit
    least = min(found[place] for place in tried)
    for place in others:  # behind all that were tried, in the same order
        found[place] += least - edge
    return found


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The move that promises most."""
    if not is_learned(seen.seats, jokers_as_three=seen.jokers_as_three):
        return sharp(seen, actions, rng)
    if len(actions) == 1:
        return actions[0]
    found = scores(seen, actions)
    ranked = [actions[place] for place in sorted(range(len(actions)), key=lambda place: -found[place])]
    return exact(seen, ranked) or ranked[0]
