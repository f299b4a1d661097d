"""An opponent that plans its turn.

Every legal move is tried in a sample that fits the seat's knowledge, followed by the best continuation found
for the remaining actions (`plan`). The position at the end of the turn is evaluated by `outlook`. The only
input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.duel52.ai.outlook import judge
from engine.duel52.ai.plan import plans
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.sample import sample

WORLDS: Final = 1
"""Number of samples in which each move is tried."""


def scores(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """Return for each move the value of the position after the best turn that begins with it."""
    seat = seen.to_act[0]
    worlds = [sample(seen, rng) for _ in range(WORLDS)]
    if actions[0].verb == "bet":
        return [judge(worlds[0], move.target) for move in actions]
    found = [plans(world, seat, actions) for world in worlds]
    return [sum(each) / WORLDS for each in zip(*found, strict=True)]


heuristic: Final = Best(scores)
"""The opponent that plays the best-scored move."""
